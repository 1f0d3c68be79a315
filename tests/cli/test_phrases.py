"""Every code that the rules can say has words."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import polyopolis
from polyopolis.cli.phrases import catalogue, count
from polyopolis.cli.terminal.mycity import words
from polyopolis.engine import Line, Reason
from polyopolis.games.mycity import actions
from polyopolis.games.mycity.content import COLOURS, NEWEST, SIGNS, Counting, Kind, Race, content

SOURCE = Path(polyopolis.__file__).parent
WORDS = words


def codes(call: str, game: str) -> set[str]:
    """The first arguments of all calls of this name, both sides of a condition, but those of other games."""
    return {code for file in files_of(game) for code in _codes(file, call)}


def files_of(game: str) -> Iterator[Path]:
    for file in SOURCE.rglob("*.py"):
        layer, folder, *inside = (*file.relative_to(SOURCE).parts, "")
        if layer != "games" or not any(inside) or folder == game:
            yield file


def _codes(file: Path, call: str) -> Iterator[str]:
    text = file.read_text("utf-8")
    for node in ast.walk(ast.parse(text)) if f"{call}(" in text else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == call and node.args:
            first = node.args[0]
            sides = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
            yield from (side.value for side in sides if isinstance(side, ast.Constant) and isinstance(side.value, str))


def literal(kind: type, field: str) -> tuple[str, ...]:
    return get_args(kind.__annotations__[field])


def test_the_codes_are_found_in_the_source() -> None:
    assert {"game-over", "not-touching", "not-at-river"} <= codes("Reason", "mycity")
    assert {"start", "passes"} <= codes("Line", "mycity")


@pytest.mark.parametrize("code", sorted(codes("Reason", "mycity")))
def test_every_reason_has_words(code: str) -> None:
    about: dict[str, str | int | tuple[str, ...]] = {"cells": ("a1",), "card": "yellow-i4", "due": ("seat 1",)}
    about |= {"reward": "tree", "shape": "i4"}
    assert len(WORDS.reason(Reason(code, about)).split()) <= 9


@pytest.mark.parametrize("event", get_args(actions.Event))
def test_every_event_has_words(event: type) -> None:
    values = {"seat": 1, "card": "red-t4", "cells": ("a1", "b1"), "marker": 9, "race": "gold", "points": 3}
    values |= {"line": "track", "reward": "nugget", "number": 2, "church": "z5", "colour": "blue", "boxes": 3, "box": 7}
    values |= {"sticker": "rock"}
    fields = event.__struct_fields__  # type: ignore[attr-defined]
    said = WORDS.event(event(*(values[field] for field in fields)), ("Ann", "Ben"))
    assert said.endswith(".")
    assert ("Ben" in said) == ("seat" in fields)


def test_every_line_has_words() -> None:
    counted = [line for line in literal(Counting, "line") if line != "groups"]
    groups = [f"group-{colour}" for colour in COLOURS]
    for code in (*codes("Line", "mycity"), *counted, *groups, *literal(Race, "race"), "episode-3"):
        assert WORDS.line(code)
    assert WORDS.line("episode-3") == "episode 3"


def test_every_card_terrain_and_race_has_words() -> None:
    cards = {card for version in range(1, NEWEST + 1) for card in content(version).cards}
    assert all(WORDS.card(card) for card in cards)
    assert all(WORDS.has("kind", kind) for colours in get_args(Kind) for kind in get_args(colours) or [colours])
    assert all(WORDS.has("terrain", terrain) for terrain in SIGNS.values())
    assert all(WORDS.has("race", race) for race in literal(Race, "race"))
    assert WORDS.card("blue-u5") == "industrial U"
    assert WORDS.card("block") == "blocking card"


def test_every_phrase_that_the_terminal_asks_for_is_there() -> None:
    for file in (SOURCE / "cli").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in (
                "say",
                "_say",
            ):
                said = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
                if len(said) == 2:
                    assert said[1] in catalogue()[said[0]], f"{file.name} says {said}"


def test_one_is_not_many() -> None:
    assert [count("place", n) for n in (0, 1, 2)] == ["0 places", "1 place", "2 places"]


def test_a_game_goes_before_what_is_for_all() -> None:
    assert WORDS.reason(Reason("game-over")) == "The game is over."
    assert WORDS("reason", "both-banks") == "A building stays on one bank."
    assert Line("start", 1, 10).line == "start"
