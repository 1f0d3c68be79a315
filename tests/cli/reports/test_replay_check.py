"""`arena`, and its records in `replay` and `verify-luck`."""

import json
from hashlib import sha256
from itertools import pairwise
from pathlib import Path

import pytest

from polyopolis.cli import main
from polyopolis.engine import CHANCE, Campaign, Dealer, Match
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Sticker, Stop
from polyopolis.records import campaign_record_of, record_of, write
from tests.cli.conftest import Run

RECORD = Path(__file__).parents[2] / "records" / "games" / "mycity-eternal-block-last.json"
CAMPAIGN = RECORD.parent.parent / "campaigns" / "mycity-2p.json"
ARENA = ("arena", "mycity", "--bots", "random", "--games", 2)


@pytest.fixture
def kept(run: Run, tmp_path: Path) -> list[Path]:
    assert run(*ARENA, "--save", tmp_path / "kept").code == 0
    return sorted((tmp_path / "kept").iterdir())


def test_the_table_of_an_arena(run: Run) -> None:
    result = run(*ARENA)
    assert result.err == ""
    assert "random" in result.out
    assert "2 games of mycity, seed arena" in result.out


def test_an_arena_as_json(run: Run) -> None:
    result = run("arena", "mycity", "--bots", "random,uniform", "--games", 4, "--seed", 7, "--json")
    found = json.loads(result.out)
    assert (found["game"], found["games"], found["seed"]) == ("mycity", 4, "7")
    assert {showing["bot"]: showing["seats"] for showing in found["showings"]} == {"random": 4, "uniform": 4}
    assert result.out == run("arena", "mycity", "--bots", "random,uniform", "--games", 4, "--seed", 7, "--json").out


def test_a_short_list_of_bots_repeats(run: Run) -> None:
    found = json.loads(run(*ARENA, "--set", "seats=3", "--json").out)
    assert found["showings"][0]["seats"] == 6


def test_jobs_do_not_change_the_games(run: Run) -> None:
    assert run(*ARENA, "--json").out == run(*ARENA, "--json", "--jobs", 2).out


def test_records_of_an_arena_are_valid(run: Run, kept: list[Path]) -> None:
    assert [path.name for path in kept] == ["0001.json", "0002.json"]
    result = run("replay", *kept)
    assert result.code == 0
    for path, line in zip(kept, result.out.splitlines(), strict=True):
        assert line.startswith(f"{path}: ok, mycity, ")
        assert all(str(score) in line for score in json.loads(path.read_text())["scores"])


def test_replay_and_verify_luck_report_imported_moves(run: Run, kept: list[Path]) -> None:
    record = json.loads(kept[0].read_text())
    first = next(number for number, move in enumerate(record["moves"], 1) if move["seat"] != CHANCE)
    kept[0].write_text(json.dumps({**record, "imported": first}))
    kept[1].write_text(json.dumps({**json.loads(kept[1].read_text()), "imported": 0}))
    result = run("replay", *kept).out.splitlines()
    assert result[0].endswith(f", with {first} moves imported")
    assert result[1].endswith(", with 0 moves imported")
    assert json.loads(run("replay", "--json", *kept).out)[0]["imported"] == first
    draws = sum(move["seat"] == CHANCE for move in record["moves"])
    report = run("verify-luck", kept[0]).out
    assert f"all {draws - 1} draws follow" in report
    assert f"It was imported with {first} moves" in report


def test_records_as_json(run: Run, kept: list[Path]) -> None:
    found = json.loads(run("replay", "--json", *kept).out)
    written = [json.loads(path.read_text()) for path in kept]
    for field in ("scores", "ranks", "sheets"):
        assert [record[field] for record in found] == [record[field] for record in written]
    assert all(record["ok"] and record["over"] for record in found)


def test_a_changed_move_is_named_and_the_other_records_are_replayed(run: Run, kept: list[Path]) -> None:
    record = json.loads(kept[0].read_text())
    record["moves"][1]["action"] = {"type": "place", "cells": ["a1"]}
    kept[0].write_text(json.dumps(record))
    result = run("replay", *kept)
    assert result.code == 2
    assert result.err.startswith(f"polyopolis: {kept[0]}: move 2: seat 0 cannot place a1")
    assert result.err.count("\n") == 1
    assert result.out.startswith(f"{kept[1]}: ok")


def test_a_changed_score_is_an_error(run: Run, kept: list[Path]) -> None:
    record = json.loads(kept[0].read_text())
    record["scores"][0] += 1
    kept[0].write_text(json.dumps(record))
    result = run("replay", "--json", *kept)
    assert result.code == 2
    wrong, right = json.loads(result.out)
    assert not wrong["ok"]
    assert "scores: the record says" in wrong["error"]
    assert right["ok"]


@pytest.mark.parametrize(
    "content", [b"", b"{", b"[]", b"\xff\xfe", b'{"format": "chess/1"}', b'{"format": "polyopolis/1"}']
)
def test_a_file_that_is_not_a_record_is_refused(run: Run, tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "no.json"
    file.write_bytes(content)
    result = run("replay", file)
    assert result.code == 2
    assert result.err.startswith(f"polyopolis: {file}: ")
    assert result.err.count("\n") == 1
    assert result.out == ""


def test_step_shows_every_round(run: Run, kept: list[Path]) -> None:
    out = run("replay", "--step", kept[0]).out
    moves = json.loads(kept[0].read_text())["moves"]
    rounds = sum(before["seat"] == CHANCE != after["seat"] for before, after in pairwise(moves))
    assert out.count("My City, the eternal game: card") == rounds
    assert "random built the" in out
    assert "The city is built." in out


def stopped_at_once(setup: rules.Setup) -> Match:
    match = Match.start(rules, setup).deal(Dealer(b"seed"))
    return match.decide(0, Stop()).decide(1, Stop())


def test_a_campaign(run: Run, tmp_path: Path) -> None:
    first = rules.Setup(mode="episode", episode=1, seats=2, play="campaign")
    match = stopped_at_once(first).decide(0, Sticker("rock", "g1")).decide(1, Sticker("rock", "g1"))
    campaign = Campaign(rules, (1,), first).add(match)
    write(campaign_record_of(campaign, [record_of(match)]), tmp_path / "campaign.json")
    result = run("replay", tmp_path / "campaign.json")
    assert (result.code, result.err) == (0, "")
    assert "ok, mycity, 5 moves, scores 2 (rank 1), 2 (rank 1)" in result.out


def test_whole_campaigns_in_the_arena(run: Run, tmp_path: Path) -> None:
    arena = ("arena", "mycity", "--set", "mode=campaign", "--set", "seats=2", "--bots", "random", "--games", 1)
    result = run(*arena, "--seed", 1, "--save", tmp_path)
    assert (result.code, result.err) == (0, "")
    assert "1 campaign of mycity, seed 1" in result.out
    replayed = run("replay", tmp_path / "0001.json")
    assert "ok, mycity" in replayed.out
    assert len(json.loads((tmp_path / "0001.json").read_text())["records"]) == 24


def test_other_modes_are_those_of_the_setup(run: Run) -> None:
    result = run(*ARENA, "--set", "mode=episode", "--set", "episode=23")
    assert (result.code, result.err) == (0, "")
    assert run(*ARENA, "--set", "mode=epic").code == 2


def test_chance_events_that_follow_from_the_seed_are_verified(capsys: pytest.CaptureFixture[str]) -> None:
    published = sha256(bytes.fromhex(json.loads(RECORD.read_text())["seed"])).hexdigest()
    assert main(["verify-luck", str(RECORD)]) == 0
    assert main(["verify-luck", str(RECORD), "--hash", published.upper()]) == 0
    assert capsys.readouterr().out.count(published) == 2


def test_a_different_published_hash_is_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify-luck", str(RECORD), "--hash", "0" * 64]) == 2
    assert "not the published one" in capsys.readouterr().err


def test_chance_events_that_do_not_follow_from_the_seed_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = json.loads(RECORD.read_text())
    record["seed"] = "00" * 32
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert main(["verify-luck", str(file)]) == 2
    assert "move 1: the seed deals" in capsys.readouterr().err


def test_a_record_without_a_seed_cannot_be_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(RECORD.read_text())
    del record["seed"]
    file = tmp_path / "game.json"
    file.write_text(json.dumps(record))
    assert main(["verify-luck", str(file)]) == 2
    assert "finished match" in capsys.readouterr().err


def test_each_match_of_a_campaign_is_verified(capsys: pytest.CaptureFixture[str]) -> None:
    seeds = [record["seed"] for record in json.loads(CAMPAIGN.read_text())["records"]]
    digests = [sha256(bytes.fromhex(seed)).hexdigest() for seed in seeds]
    assert main(["verify-luck", str(CAMPAIGN), "--hash", digests[4]]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [digest in line for digest, line in zip(digests, lines, strict=True)] == [True] * len(digests)
    assert [number for number, line in enumerate(lines) if "published" in line] == [4]
    assert f"{CAMPAIGN}, match 5: " in lines[4]
