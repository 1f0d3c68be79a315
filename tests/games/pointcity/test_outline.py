"""The outline of Point City."""

import json
from pathlib import Path

import msgspec
import pytest

from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.content import FACES, NEWEST, content
from polyopolis.games.pointcity.outline import CardOutline, FaceOutline, Outline, TokenOutline, outline

CATALOGUES = Path(__file__).parents[3] / "client/src/i18n"
LANGUAGES = sorted(folder.name for folder in CATALOGUES.iterdir() if folder.is_dir())
KNOWN = outline(NEWEST)


def test_a_face_shows_its_symbols() -> None:
    assert tuple(KNOWN.faces) == FACES
    assert KNOWN.faces["energy-2"] == FaceOutline("energy", 2)
    assert KNOWN.faces["ecology"] == FaceOutline("ecology", 1)
    assert KNOWN.faces["ingenuity"] == FaceOutline("ingenuity", 1)
    assert {side.face: side.symbols for side in content(NEWEST).sides.values()}.items() <= {
        (face, known.symbols) for face, known in KNOWN.faces.items()
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_building_has_a_name(language: str) -> None:
    words = json.loads((CATALOGUES / language / "books" / "pointcity.json").read_text("utf-8"))
    assert [card for card in KNOWN.cards.values() if f"pointcity.title.{card.title}" not in words] == []


def test_a_card_shows_its_name_and_kind() -> None:
    assert KNOWN.cards["a4-industry"] == CardOutline("1-resource-industry-1", "resource")
    assert KNOWN.cards["a11-energy"].kind == "civic"
    assert set(KNOWN.cards) == set(content(NEWEST).cards)


@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("flat-7", TokenOutline("flat", 7, (), 0)),
        ("ecology-energy", TokenOutline("signs", 3, ("ecology", "energy"), 0)),
        ("energy", TokenOutline("signs", 2, ("energy",), 0)),
        ("ingenuity", TokenOutline("signs", 2, ("ingenuity",), 0)),
        ("three-plus", TokenOutline("same", 3, (), 3)),
        ("missing", TokenOutline("none", 4, (), 0)),
        ("full-set", TokenOutline("all", 6, ("community", "ecology", "economy", "energy", "industry"), 0)),
    ],
)
def test_a_token_shows_what_it_counts(token: str, expected: TokenOutline) -> None:
    assert KNOWN.tokens[token] == expected


def test_all_tokens_are_listed_with_their_points() -> None:
    assert {name: known.points for name, known in KNOWN.tokens.items()} == {
        name: token.entry.points for name, token in content(NEWEST).tokens.items()
    }


def test_every_mode_can_be_played_by_its_seats() -> None:
    played = set()
    for mode in KNOWN.modes:
        assert mode.seats
        for seats in mode.seats:
            played.add(seats)
            assert rules.start(msgspec.convert({"seats": seats, **mode.setup}, rules.Setup)).acting
    assert played == set(rules.seats)
    assert KNOWN.modes[0].group == "several"


def test_the_outline_round_trips_through_json() -> None:
    assert msgspec.json.decode(msgspec.json.encode(KNOWN), type=Outline) == KNOWN
