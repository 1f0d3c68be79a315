"""Every code that rules and commands can emit has a phrase."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import polyopolis
from polyopolis.cli.phrases import quantity, shared_phrases
from polyopolis.cli.terminal.mycity import words
from polyopolis.engine import Line, Reason
from polyopolis.games.mycity import actions
from polyopolis.games.mycity.content import COLOURS, NEWEST, SIGNS, Counting, Kind, Race, content

SOURCE = Path(polyopolis.__file__).parent
WORDS = words


def codes(call: str, game: str) -> set[str]:
    """Returns the first arguments of all calls of a function in shared code and in the code of one game.

    Of a conditional expression, it returns both values.
    """
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


def test_codes_are_found_in_the_source() -> None:
    assert {"game-over", "not-touching", "not-at-river"} <= codes("Reason", "mycity")
    assert {"start", "passes"} <= codes("Line", "mycity")


@pytest.mark.parametrize("code", sorted(codes("Reason", "mycity")))
def test_every_reason_has_a_phrase(code: str) -> None:
    about: dict[str, str | int | tuple[str, ...]] = {"cells": ("a1",), "card": "yellow-i4", "due": ("seat 1",)}
    about |= {"reward": "tree", "shape": "i4"}
    assert len(WORDS.reason(Reason(code, about)).split()) <= 9


@pytest.mark.parametrize("event", get_args(actions.Event))
def test_every_event_has_a_phrase(event: type) -> None:
    values = {"seat": 1, "card": "red-t4", "cells": ("a1", "b1"), "marker": 9, "race": "gold", "points": 3}
    values |= {"line": "track", "reward": "nugget", "number": 2, "church": "z5", "colour": "blue", "boxes": 3, "box": 7}
    values |= {"sticker": "rock"}
    fields = event.__struct_fields__  # type: ignore[attr-defined]
    result = WORDS.event(event(*(values[field] for field in fields)), ("Ann", "Ben"))
    assert result.endswith(".")
    assert ("Ben" in result) == ("seat" in fields)


def test_every_line_has_a_phrase() -> None:
    counted = [line for line in literal(Counting, "line") if line != "groups"]
    groups = [f"group-{colour}" for colour in COLOURS]
    for code in (*codes("Line", "mycity"), *counted, *groups, *literal(Race, "race"), "episode-3"):
        assert WORDS.line(code)
    assert WORDS.line("episode-3") == "episode 3"


def test_every_card_terrain_and_race_has_a_phrase() -> None:
    cards = {card for version in range(1, NEWEST + 1) for card in content(version).cards}
    assert all(WORDS.card(card) for card in cards)
    assert all(WORDS.has("kind", kind) for colours in get_args(Kind) for kind in get_args(colours) or [colours])
    assert all(WORDS.has("terrain", terrain) for terrain in SIGNS.values())
    assert all(WORDS.has("race", race) for race in literal(Race, "race"))
    assert WORDS.card("blue-u5") == "industrial U"
    assert WORDS.card("block") == "blocking card"


def test_every_phrase_that_a_command_uses_exists() -> None:
    found = 0
    for file in (SOURCE / "cli").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and _called(node) in ("phrase", "_print_phrase"):
                pair = [str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)]
                if len(pair) == 2:
                    assert pair[1] in shared_phrases()[pair[0]], f"{file.name} uses {pair}"
                    found += 1
    assert found > 50


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


def test_quantities_are_singular_or_plural() -> None:
    assert [quantity("place", n) for n in (0, 1, 2)] == ["0 places", "1 place", "2 places"]


def test_phrases_of_a_game_take_precedence() -> None:
    assert WORDS.reason(Reason("game-over")) == "The game is over."
    assert WORDS("reason", "both-banks") == "A building stays on one bank."
    assert Line("start", 1, 10).line == "start"
