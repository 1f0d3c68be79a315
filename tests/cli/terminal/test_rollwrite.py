"""Roll & Write in the terminal: its words, its drawings, a game, campaigns between bots."""

import json
from pathlib import Path
from textwrap import dedent
from typing import get_args

import pytest

from polyopolis.cli.terminal import rollwrite
from polyopolis.cli.terminal.box_drawing import plain
from polyopolis.engine import Match, Reason
from polyopolis.games.rollwrite import actions, rules
from polyopolis.games.rollwrite.content import NEWEST, SIGNS, TYPES, Counting, Goal, Kind, content
from polyopolis.records import CampaignRecord, read, verify_campaign
from tests.cli.conftest import Run
from tests.cli.test_phrases import codes, literal
from tests.games.rollwrite.positions import begin, play, roll

WORDS = rollwrite.words
KINDS = [kind for known in get_args(Kind) for kind in get_args(known) or [known]]


@pytest.mark.parametrize("code", sorted(codes("Reason", "rollwrite")))
def test_every_reason_has_words(code: str) -> None:
    about: dict[str, str | int | tuple[str, ...]] = {"cells": ("a1",), "kind": "fort", "circles": 2, "due": ("seat 1",)}
    assert len(WORDS.reason(Reason(code, about)).split()) <= 9


@pytest.mark.parametrize("event", get_args(actions.Event))
def test_every_event_has_words(event: type) -> None:
    values = {
        "seat": 1, "kind": "church", "cells": ("a1", "b1"), "circles": 2, "race": "gold", "points": 5,
        "faces": ("corner", "compass", "industrial"),
    }  # fmt: skip
    fields = event.__struct_fields__  # type: ignore[attr-defined]
    told = WORDS.event(event(*(values[field] for field in fields)), ("Ann", "Ben"))
    assert told.endswith(".")
    assert ("Ben" in told) == ("seat" in fields)


def test_every_line_has_words() -> None:
    counted = [line for line in literal(Counting, "line") if line != "groups"]
    sums = ["episode-3", "chapter-3", "chapter-title-3", "campaign", "title", "purses"]
    for code in (*codes("Line", "rollwrite"), *counted, *(f"group-{kind}" for kind in TYPES), *get_args(Goal), *sums):
        assert WORDS.line(code)
    assert WORDS.line("chapter-title-3") == "title of chapter 3"


def test_every_face_kind_terrain_race_and_title_has_words() -> None:
    first, second = content(NEWEST).dice.faces
    assert all(WORDS.has("face", face) for face in (*first, *second, *TYPES))
    assert all(WORDS.has("kind", kind) for kind in KINDS)
    assert rollwrite.KINDS.keys() == set(KINDS)
    assert all(WORDS.has("terrain", terrain) for terrain in SIGNS.values())
    assert all(WORDS.has("race", goal) for goal in get_args(Goal))
    assert len({WORDS("rank", str(rank)) for rank in range(1, 10)}) == 9


def page(match: Match, seats: int = 2) -> str:
    names = ["Ann", "Ben", *(f"bot {number}" for number in range(2, seats))][:seats]
    return plain(rollwrite.page(rules.view(match.state, 0), 0, names))


def test_the_page_tells_all() -> None:
    shown = page(roll(play(begin(7), "i2", "pass", "h6 h7"), "l4", "industrial"))
    for told in (
        "episode 7: roll 2",
        "Dice: upright pair | lying pair | industrial",
        "· ▣ · ·",
        "· ▣ ▣ ▣",
        "Passing: ●-1 ○-2 ○-3 ○-5 ○-7 ○-10",
        "Churches to come with the compass:",
        "Race for the high plains: 5 points for the first.",
        "purses",
        "Ann",
        "Ben",
        "≡ sawmill",
        "≈ flooded",
    ):
        assert told in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_page_tells_where_nobody_passes_and_when_the_row_is_used() -> None:
    assert "Nobody passes." in page(roll(begin(6), "i2"))
    match = begin(8, 1)
    for _ in range(2):
        match = play(match, "compass", "pass")
    assert "The compass is a blank." in page(match, 1)


def test_many_sheets_are_not_drawn_at_once() -> None:
    shown = page(roll(begin(1, 12), "i2"), 12)
    assert "'board' and a number shows the others." in shown
    assert shown.count("bot 11") == 1


def test_a_caught_bandit_is_crossed_out() -> None:
    match = play(begin(10, 1), "i1", "e2")
    for rolled, cells in (("l3", "g1 f2 g2"), ("i1", "e1")):
        assert "✗" not in page(match, 1)
        match = play(match, rolled, cells)
    assert page(match, 1).count("✗") == 1


def test_the_chances_of_the_dice() -> None:
    told = plain(rollwrite.deck(rules.view(begin(1).state, 0)))
    assert told.splitlines()[1].split() == ["8", "8", "5", "4", "4", "3", "2", "1", "1"]
    told = plain(rollwrite.deck(rules.view(begin(4).state, 0)))
    assert "compass: 6" in told
    assert "Churches to come with the compass:" in told


def test_a_sheet_is_drawn(run: Run) -> None:
    said = run("show", "rollwrite/episode-12").out
    assert dedent(said).splitlines()[6].rstrip() == " 3 │ ▲   ·   ·   ♜ ┃ ·   ·  ♣ ♣  ·   ·   ·  o o│"
    assert "♜ fort" in said


def test_the_content_is_checked(run: Run) -> None:
    assert len(run("check-content", "rollwrite").out.splitlines()) == 1 + 12


GAME = ("play", "rollwrite", "--set", "episode=7", "--seed", "hello")
"""Its first roll is a square of four."""


def test_a_game_is_begun_and_left(run: Run) -> None:
    said = run(*GAME, typed=["h6", "g6 g7 h6 h7", "y", "deck", "sheet"])
    assert (said.code, said.err) == (0, "")
    assert "Unofficial. My City: Roll & Write is a game by Reiner Knizia, published by KOSMOS." in said.out
    assert said.out.count("+⌂+") == 4
    assert "You built on g6 h6 g7 h7: residential." in said.out
    assert "Chances of 36" in said.out


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ("h8 i8 h7 i7", "There is a building on h8 i8 already."),
        ("d1 e1 d2 e2", "Nobody builds on d1 d2."),
        ("a7 a6 b6 b7", "A building stays on one bank."),
        ("f3 g3 f4 g4", "It must touch a building."),
    ],
)
def test_what_is_not_possible_is_told(run: Run, typed: str, told: str) -> None:
    assert told in run(*GAME, typed=[typed]).out


def test_a_game_is_played_alone(run: Run, tmp_path: Path) -> None:
    said = run("play", "rollwrite", "--set", "seats=1", "--save", tmp_path / "alone.json", typed=["stop", "y"])
    assert (said.code, said.err) == (0, "")
    assert "The game is over." in said.out
    assert json.loads((tmp_path / "alone.json").read_text())["scores"] == [-63]


CAMPAIGN = ("arena", "rollwrite", "--bots", "random", "--set", "mode=campaign", "--games", 2, "--seed", 1)


def test_an_arena_of_campaigns_keeps_a_file_for_each(run: Run, tmp_path: Path) -> None:
    said = run(*CAMPAIGN, "--save", tmp_path)
    assert said.err == ""
    assert "2 campaigns of rollwrite, seed 1" in said.out
    kept = sorted(tmp_path.iterdir())
    assert [path.name for path in kept] == ["0001.json", "0002.json"]
    record = read(kept[0])
    assert isinstance(record, CampaignRecord)
    campaign, playing = verify_campaign(record)
    assert campaign.over
    assert playing is None
    replayed = run("replay", *kept).out.splitlines()
    assert len(replayed) == 2
    assert f"scores {campaign.standings().scores[0]} (rank 1), " in replayed[0]
    assert replayed[0].endswith(WORDS("rank", str(campaign.standings().sheets[0][-1].count)))


def test_jobs_do_not_change_the_campaigns(run: Run) -> None:
    assert run(*CAMPAIGN, "--json").out == run(*CAMPAIGN, "--json", "--jobs", 2).out


@pytest.mark.parametrize("mode", ["chapter-1", "chapter-2", "chapter-3", "chapter-4", "mini"])
def test_other_plans_are_played_too(run: Run, mode: str) -> None:
    fields = ("--set", f"mode={mode}", "--set", "seats=3")
    said = run("arena", "rollwrite", "--bots", "random", "--games", 1, *fields, "--json")
    assert len(json.loads(said.out)["plan"]) == 3


def test_an_unknown_mode_is_refused(run: Run) -> None:
    said = run("arena", "rollwrite", "--set", "mode=quick")
    assert said.code == 2
    assert "rollwrite has no such mode; there is campaign, chapter-1" in said.err
