"""PC-18 to PC-20: score sheets, ties, the rulebook's example."""

from typing import Any

import pytest
from msgspec.structs import replace

from polyopolis.engine import Line
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.scoring import (
    RemainingPotential,
    buildings_counted,
    max_token_count,
    remaining_potential,
    token_count,
    turns_left,
)
from polyopolis.games.pointcity.state import Player, Setup
from tests.games.pointcity.positions import MATERIAL, granting, opened_match, player, table

SOME = granting(economy=4, energy=2, community=2, ecology=3)


def worth(token: str, owner: Player) -> tuple[int, int]:
    found = token_count(MATERIAL.tokens[token], owner)
    return found, found * MATERIAL.tokens[token].entry.points


@pytest.mark.rule("PC-18")
@pytest.mark.parametrize(
    ("token", "expected"),
    [
        ("flat-5", (1, 5)),
        ("flat-7", (1, 7)),
        ("two-plus", (4, 8)),
        ("three-plus", (2, 6)),
        ("missing", (1, 4)),
        ("full-set", (0, 0)),
        ("ingenuity", (2, 4)),
        ("economy", (4, 8)),
        ("industry", (0, 0)),
        ("community-energy", (2, 6)),
        ("ecology-economy", (3, 9)),
        ("economy-industry", (0, 0)),
    ],
)
def test_what_each_token_is_worth(token: str, expected: tuple[int, int]) -> None:
    assert worth(token, player("ingenuity ingenuity industry industry-2", SOME)) == expected


@pytest.mark.rule("PC-18")
def test_full_sets_and_missing_types() -> None:
    permanents = granting(economy=2, energy=2, community=3, ecology=2, industry=2)
    assert worth("full-set", player("", permanents)) == (2, 12)
    assert worth("missing", player("", permanents)) == (0, 0)
    assert worth("missing", player()) == (5, 20)


@pytest.mark.rule("PC-18")
def test_the_sheet_has_lines_for_buildings_tokens_and_unspent_cards() -> None:
    owner = player("energy energy-2 ingenuity", "a10-energy b8-ecology a1-economy", "flat-7 economy")
    match = table("energy " * 16, owner, player())
    assert match.result.sheets[0] == (
        Line("buildings", 3, 9),
        Line("flat-7", 1, 7),
        Line("economy", 1, 2),
        Line("unspent", 3, 0),
    )
    assert match.result.scores == (18, 0)


@pytest.mark.rule("PC-19")
def test_a_tie_goes_to_more_unspent_cards_not_symbols() -> None:
    first, other = player("energy-2 energy-2"), player("energy ecology ingenuity")
    assert table("energy " * 16, first, other).result.ranks == (2, 1)
    ahead = player("", "a6-energy")
    assert table("energy " * 16, first, other, ahead).result.ranks == (3, 2, 1)


@pytest.mark.rule("PC-19")
def test_players_equal_in_both_share_the_victory() -> None:
    first, other = player("energy energy"), player("ingenuity ecology-2")
    assert table("energy " * 16, first, other, player()).result.ranks == (1, 1, 3)


@pytest.mark.rule("PC-20")
def test_the_example_of_the_rulebook() -> None:
    points = "b7-energy b8-energy c7-energy c6-energy a6-industry a8-industry"
    city = f"{SOME} {points}"
    permanents = player("", city)
    assert sum(MATERIAL.cards[name].points for name in points.split()) == 24
    owner = replace(
        player("ingenuity ingenuity", city, "economy community-energy three-plus ingenuity"),
        permanents=(*permanents.permanents[:4], 0),
    )
    match = table("energy " * 16, owner, player())
    assert dict(zip(("community", "ecology", "economy", "energy"), owner.permanents, strict=False)) == {
        "community": 2,
        "ecology": 3,
        "economy": 4,
        "energy": 2,
    }
    assert [line.points for line in match.result.sheets[0]] == [24, 8, 6, 6, 4, 0]
    assert match.result.scores[0] == 48


def test_turns_left_go_down_by_seats() -> None:
    match = opened_match(3, first=1)
    assert [turns_left(match.state, seat) for seat in range(3)] == [17, 17, 17]
    match = match.decide(1, rules.legal(match.state, 1)[-1])
    while match.due == {-1}:
        match = match.decide(-1, rules.odds(match.state)[0][0])
    assert [turns_left(match.state, seat) for seat in range(3)] == [17, 16, 17]


@pytest.mark.parametrize(
    ("token", "cards", "most"),
    [
        ("flat-7", 9, 1),
        ("missing", 9, 1),
        ("economy", 3, 7),
        ("economy", 99, 9),
        ("community-energy", 3, 3),
        ("community-energy", 4, 4),
        ("full-set", 2, 2),
        ("full-set", 8, 3),
        ("three-plus", 1, 3),
        ("three-plus", 5, 5),
        ("two-plus", 1, 4),
        ("ingenuity", 3, 4),
        ("ingenuity", 1, 3),
    ],
)
def test_the_most_that_a_token_may_count(token: str, cards: int, most: int) -> None:
    owner = player("ingenuity ingenuity", SOME)
    assert max_token_count(MATERIAL.tokens[token], owner, RemainingPotential(cards, [5] * 5, 2)) == most


def test_the_remaining_potential_excludes_cards_in_cities() -> None:
    match = table("energy " * 15 + "2:ingenuity", player("", SOME), player())
    found = remaining_potential(match.state, 0)
    assert list(found.permanents) == [18, 17, 16, 18, 20]
    assert found.ingenuity == 40
    assert found.cards == 34
    assert match.state.setup == Setup(seats=2)


@pytest.mark.rule("PC-18")
def test_a_line_names_the_buildings_that_it_counts() -> None:
    city = "a10-energy b8-ecology a1-economy " + granting(economy=1, energy=3, community=2)
    owner = player("ingenuity", city, "flat-7 economy community-energy three-plus missing ingenuity")
    match = table("energy " * 16, owner, player())
    named = {
        line: [owner.city[place].name.split("-")[1] for place in places]
        for line, places in buildings_counted(owner, match.result.sheets[0]).items()
    }
    worth = [card.points for card in owner.city]
    points = buildings_counted(owner, match.result.sheets[0])["buildings"]
    assert sum(worth[place] for place in points) == sum(worth)
    assert all(worth[place] for place in points)
    assert named["economy"] == ["economy", "economy"]
    assert sorted(named["community-energy"]) == ["community", "community", "energy", "energy"]
    assert set(named["three-plus"]) == {"energy"}
    assert named.keys() == {
        "buildings",
        "economy",
        "community-energy",
        "three-plus",
    }  # the others stand beside the city
    seen: Any = match.game.view(match.state, None)
    assert seen.table.players[0].counted == buildings_counted(owner, match.result.sheets[0])
