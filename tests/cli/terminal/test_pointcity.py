"""Terminal screen of Point City: phrases, drawings, a game with others and one alone."""

import json
from pathlib import Path
from typing import get_args

import pytest

from polyopolis.cli.terminal import pointcity
from polyopolis.cli.terminal.box_drawing import plain_text
from polyopolis.engine import Reason
from polyopolis.games.pointcity import actions, rules
from polyopolis.games.pointcity.actions import Draw, Flip, LineUp, Pay, PickToken, Take
from polyopolis.games.pointcity.content import FACES, NEWEST, RESOURCES, Kind, content
from polyopolis.records import Record, read, verify
from tests.cli.conftest import Run
from tests.cli.test_phrases import codes
from tests.games.pointcity.positions import PLAIN, granting, opened_match, play, player, table

WORDS = pointcity.words
GAME = ("play", "pointcity", "--seed", "hello")


@pytest.mark.parametrize("code", sorted(codes("Reason", "pointcity") - codes("Reason", "")))
def test_every_reason_has_a_phrase(code: str) -> None:
    about: dict[str, str | int | tuple[str, ...]] = {"cells": ("a1",), "cards": ("energy-2",), "token": "flat-5"}
    assert len(WORDS.reason(Reason(code, about)).split()) <= 9


@pytest.mark.parametrize("event", get_args(actions.Event))
def test_every_event_has_a_phrase(event: type) -> None:
    values = {
        "seat": 1, "at": "a1", "card": "a4-energy", "face": "energy-2", "token": "community-energy",
        "cells": ("a1", "b1"), "cards": ("a4-energy", "energy"),
    }  # fmt: skip
    fields = event.__struct_fields__  # type: ignore[attr-defined]
    text = WORDS.event(event(*(values[field] for field in fields)), ("Ann", "Ben"))
    assert text.endswith(".")
    assert ("Ben" in text) == ("seat" in fields)
    assert "energy-2" not in text
    assert "a4-energy" not in text


def test_every_line_face_and_kind_has_a_phrase() -> None:
    material = content(NEWEST)
    for code in (*material.tokens, "buildings", "unspent", "permanents", "tokens", "ingenuity", "match-2"):
        assert WORDS.line(code)
    assert WORDS.line("flat-7") == "7 points"
    assert all(WORDS.has("face", face) for face in FACES)
    assert all(WORDS.has("kind", kind) and WORDS.has("gain", kind) for kind in get_args(Kind))


def test_every_building_has_one_unique_name() -> None:
    cards = content(NEWEST).cards.values()
    assert WORDS.card("a7-energy") == "Windmill"
    assert WORDS.card("energy-2") == "double Energy"
    named = pointcity.words.own["building"]
    titles = {f"{group}-{number}" for group, names in named.items() for number in range(1, len(names) + 1)}
    assert titles == {card.title for card in cards}
    all_names = [name for names in named.values() for name in names]
    assert len(set(all_names)) == len(all_names)
    assert len(named) == 3 * 3 * len(RESOURCES)


def test_words_become_actions() -> None:
    assert pointcity.place(("b1", "a1")) == Take(("a1", "b1"))
    assert pointcity.place(("flip", "c2")) == Flip("c2")
    assert pointcity.place(("token", "flat-5")) == PickToken("flat-5")
    assert pointcity.place(("line", "flat-5")) == LineUp("flat-5")
    assert pointcity.place(("pay", "energy", "energy")) == Pay(("energy", "energy"))
    assert pointcity.verbs["draw"] == Draw()


MARKET = """
    a7-energy  industry  economy   c7-ecology
    community  b9-energy industry  economy
    2:energy-2 community 3:ingenuity industry
    economy    ecology   community a10-energy
"""


def test_the_page_shows_all_public_facts() -> None:
    rich = player("energy-2 energy ingenuity", granting(economy=2, ecology=1), "flat-5")
    match = table(MARKET, rich, player("economy"), tokens="missing economy", top="2:energy-2")
    page = plain_text(pointcity.page(rules.view(match.state, 0), 0, ["Ann", "Ben"]))
    for text in (
        "Windmill", "= II", "Energy +1", "7 points", "= EEEE", "a civic token", "EE double Energy", "points/civic",
        "Deck: double Energy on top (tier 2), 48 cards", "Ann: 5 points, 3 buildings", "permanent: L $$",
        "stock: E EE *", "tokens: flat-5", "Ben: 0 points, 0 buildings", "4 for each resource you lack",
    ):  # fmt: skip
        assert text in page
    assert max(map(len, page.splitlines())) <= 80


def test_a_preview_is_marked_without_colour() -> None:
    view = rules.view(table(PLAIN).state, 0)
    page = plain_text(pointcity.page(view, 0, ["Ann", "Ben"], pointcity.preview(view, 0, Take(("a1", "b1")))))
    assert "|>> E Energy " in page
    assert "|>> I Industry " in page
    assert "<>" in plain_text(pointcity.page(view, 0, ["Ann", "Ben"], pointcity.preview(view, 0, Flip("c3"))))
    assert pointcity.preview(view, 0, Draw()) == {}


def test_the_page_shows_the_building_to_pay_and_the_line() -> None:
    market = "a7-energy " + PLAIN.split(maxsplit=1)[1]
    paying = play(table(market, player("industry industry ingenuity"), player()), "take a1 b1")
    page = plain_text(pointcity.page(rules.view(paying.state, 0), 0, ["Ann", "Ben"]))
    assert "To be paid: Windmill" in page
    assert "taken" in page
    lining = opened_match(1, "hard")
    lining = lining.decide(0, LineUp("missing"))
    page = plain_text(pointcity.page(rules.view(lining.state, 0), 0, ["Ann", "Automa"]))
    assert "In line: missing" in page
    assert "The Automa takes next: a2 a3" in page
    assert "hard Automa: round 1 of 17" in page


def test_the_deck_and_a_city_are_drawn() -> None:
    match = table(PLAIN, player("", "a7-energy c7-ecology"), player(), top="economy")
    deck = plain_text(pointcity.deck(rules.view(match.state, 0)))
    assert "Tier 2: 24 cards in the deck" in deck
    assert "* Ingenuity: 20; 10 points, 10 civic" in deck
    city = plain_text(pointcity.board(rules.view(match.state, 0), 0))
    assert "Windmill" in city
    assert "nothing built yet" in plain_text(pointcity.board(rules.view(match.state, 0), 1))


def test_show_lists_the_cards(run: Run) -> None:
    result = run("show", "pointcity/tier-3")
    assert result.code == 0
    assert "c8-energy       x2" in result.out
    assert "Power Authority" in result.out


def test_check_content(run: Run) -> None:
    out = run("check-content", "pointcity").out
    assert "pointcity v1 tier 1: 65 cards; 50 resource, 5 points, 10 civic\n" in out
    assert "pointcity v1 4 seats: 150 cards, 14 tokens\n" in out


def playing(run: Run, *typed: str) -> str:
    result = run(*GAME, typed=typed)
    assert (result.code, result.err) == (0, "")
    return result.out


def test_two_cells_are_taken(run: Run) -> None:
    out = playing(run, "a1 b1", "")
    assert "Point City is by Molly Johnson" in out
    assert "Type two cells like a1 b1 to take" in out
    assert "Take these two?" in out
    assert "You took Industry, Economy." in out
    assert "greedy" in out


def test_one_cell_lists_what_goes_with_it(run: Run) -> None:
    out = playing(run, "a1", "3", "")
    assert "These go with a1." in out
    assert "3  flip a1" in out
    assert "You turned a1." in out
    assert "a1 turns into" in out


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("e9", "There is no card e9."),
        ("a1 c3", "Take two cards that lie side by side."),
        ("flip e1", "There is no card e1."),
        ("skip", "You can still take or draw."),
        ("drawn", "This is not the time for that."),
        ("fly", "I do not know 'fly'"),
        ("1", "Name a card first"),
    ],
)
def test_an_invalid_choice_is_explained(run: Run, typed: str, text: str) -> None:
    assert text in playing(run, typed)


def test_other_commands(run: Run) -> None:
    out = playing(run, "sheet", "deck", "board 1", "places", "help", "list", "more")
    for text in ("unspent cards", "Tier 1:", "nothing built yet", "Each number counts", "turn a card over", "  11  "):
        assert text in out


def test_alone_against_the_automa(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "alone.json"
    typed = ["line missing", "", "drawn", "list", "1", ""]
    result = run(*GAME, "--set", "seats=1", "--set", "automa=hard", "--save", file, typed=typed)
    assert result.code == 0
    assert "You put in line: 4 for each resource you lack." in result.out
    assert "You have begun the line; continue it." in result.out
    assert "Automa: 0 points" in result.out
    assert json.loads(file.read_text())["players"] == ["You", "Automa"]


def test_alone_with_chosen_tokens(run: Run) -> None:
    names = ["missing", "ingenuity", "flat-5", "flat-7", "economy", "ecology", "energy", "industry", "community"]
    typed = ["drawn", *[word for name in names for word in (f"line {name}", "")], "list", "1", ""]
    result = run(*GAME, "--set", "seats=1", "--set", "automa=easy", "--set", "tokens=chosen", typed=typed)
    assert (result.code, result.err) == (0, "")
    assert "This is not the time for that." in result.out
    assert "the first it takes first: 10 tokens" in result.out
    assert "the first it takes first: 1 token" in result.out
    assert f"In line: {', '.join(names)}" in result.out
    assert result.out.count("You put in line:") >= 10
    assert "Put it next in line?" in result.out


def test_a_whole_game(run: Run, tmp_path: Path) -> None:
    """Takes the first choice of the list, or else draws, or else skips; confirms each."""
    file = tmp_path / "game.json"
    typed = ["list", "1", "", "draw", "", "skip", ""] * 60
    result = run("play", "pointcity", "--seed", "whole", "--save", file, typed=typed)
    assert result.err == ""
    record = read(file)
    assert isinstance(record, Record)
    match = verify(record)
    assert match.over
    assert "The market is closed." in result.out
    assert "Seed whole" in result.out
