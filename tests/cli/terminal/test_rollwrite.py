"""Terminal screen of Roll & Write: phrases, drawings, a game, and campaigns between bots."""

import json
from pathlib import Path
from textwrap import dedent
from typing import get_args

import pytest

from polyopolis.cli.terminal import rollwrite
from polyopolis.cli.terminal.box_drawing import plain_text
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
def test_every_reason_has_a_phrase(code: str) -> None:
    about: dict[str, str | int | tuple[str, ...]] = {"cells": ("a1",), "kind": "fort", "circles": 2, "due": ("seat 1",)}
    assert len(WORDS.reason(Reason(code, about)).split()) <= 9


@pytest.mark.parametrize("event", get_args(actions.Event))
def test_every_event_has_a_phrase(event: type) -> None:
    values = {
        "seat": 1, "kind": "church", "cells": ("a1", "b1"), "circles": 2, "race": "gold", "points": 5,
        "faces": ("corner", "compass", "industrial"),
    }  # fmt: skip
    fields = event.__struct_fields__  # type: ignore[attr-defined]
    text = WORDS.event(event(*(values[field] for field in fields)), ("Ann", "Ben"))
    assert text.endswith(".")
    assert ("Ben" in text) == ("seat" in fields)


def test_every_line_has_a_phrase() -> None:
    counted = [line for line in literal(Counting, "line") if line != "groups"]
    sums = ["episode-3", "chapter-3", "chapter-title-3", "campaign", "title", "purses"]
    for code in (*codes("Line", "rollwrite"), *counted, *(f"group-{kind}" for kind in TYPES), *get_args(Goal), *sums):
        assert WORDS.line(code)
    assert WORDS.line("chapter-title-3") == "title of chapter 3"


def test_every_face_kind_terrain_race_and_title_has_a_phrase() -> None:
    first, second = content(NEWEST).dice.faces
    assert all(WORDS.has("face", face) for face in (*first, *second, *TYPES))
    assert all(WORDS.has("kind", kind) for kind in KINDS)
    assert rollwrite.KINDS.keys() == set(KINDS)
    assert all(WORDS.has("terrain", terrain) for terrain in SIGNS.values())
    assert all(WORDS.has("race", goal) for goal in get_args(Goal))
    assert len({WORDS("rank", str(rank)) for rank in range(1, 10)}) == 9


def page(match: Match, seats: int = 2) -> str:
    names = ["Ann", "Ben", *(f"bot {number}" for number in range(2, seats))][:seats]
    return plain_text(rollwrite.page(rules.view(match.state, 0), 0, names))


def test_the_page_shows_all_public_facts() -> None:
    shown = page(roll(play(begin(7), "i2", "pass", "h6 h7"), "l4", "industrial"))
    for text in (
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
        assert text in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_the_page_shows_that_passing_is_not_allowed_and_that_the_row_is_used() -> None:
    assert "No passing in this episode." in page(roll(begin(6), "i2"))
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
    text = plain_text(rollwrite.deck(rules.view(begin(1).state, 0)))
    assert text.splitlines()[1].split() == ["8", "8", "5", "4", "4", "3", "2", "1", "1"]
    text = plain_text(rollwrite.deck(rules.view(begin(4).state, 0)))
    assert "compass: 6" in text
    assert "Churches to come with the compass:" in text


def test_a_sheet_is_drawn(run: Run) -> None:
    result = run("show", "rollwrite/episode-12").out
    assert dedent(result).splitlines()[6].rstrip() == " 3 │ ▲   ·   ·   ♜ ┃ ·   ·  ♣ ♣  ·   ·   ·  o o│"
    assert "♜ fort" in result


def test_the_content_is_checked(run: Run) -> None:
    assert len(run("check-content", "rollwrite").out.splitlines()) == 1 + 12


GAME = ("play", "rollwrite", "--set", "episode=7", "--seed", "hello")
"""Its first roll is a square of four."""


def test_a_game_is_begun_and_left(run: Run) -> None:
    result = run(*GAME, typed=["h6", "g6 g7 h6 h7", "y", "deck", "sheet"])
    assert (result.code, result.err) == (0, "")
    assert "Unofficial. My City: Roll & Write is a game by Reiner Knizia, published by KOSMOS." in result.out
    assert result.out.count("+⌂+") == 4
    assert "You built on g6 h6 g7 h7: residential." in result.out
    assert "Chances of 36" in result.out


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("h8 i8 h7 i7", "There is a building on h8 i8 already."),
        ("d1 e1 d2 e2", "You cannot build on d1 d2."),
        ("a7 a6 b6 b7", "A building stays on one bank."),
        ("f3 g3 f4 g4", "It must touch a building."),
    ],
)
def test_an_invalid_choice_is_explained(run: Run, typed: str, text: str) -> None:
    assert text in run(*GAME, typed=[typed]).out


def test_a_game_is_played_alone(run: Run, tmp_path: Path) -> None:
    result = run("play", "rollwrite", "--set", "seats=1", "--save", tmp_path / "alone.json", typed=["stop", "y"])
    assert (result.code, result.err) == (0, "")
    assert "The game is over." in result.out
    assert json.loads((tmp_path / "alone.json").read_text())["scores"] == [-63]


CAMPAIGN = ("arena", "rollwrite", "--bots", "random", "--set", "mode=campaign", "--games", 2, "--seed", 1)


def test_an_arena_of_campaigns_keeps_a_file_for_each(run: Run, tmp_path: Path) -> None:
    result = run(*CAMPAIGN, "--save", tmp_path)
    assert result.err == ""
    assert "2 campaigns of rollwrite, seed 1" in result.out
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
    result = run("arena", "rollwrite", "--bots", "random", "--games", 1, *fields, "--json")
    assert len(json.loads(result.out)["plan"]) == 3


def test_an_unknown_mode_is_refused(run: Run) -> None:
    result = run("arena", "rollwrite", "--set", "mode=quick")
    assert result.code == 2
    assert "rollwrite has no such mode; choose from campaign, chapter-1" in result.err
