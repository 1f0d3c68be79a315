"""PC-1, and the cards and tokens of the rules page."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from polyopolis.games.pointcity.content import FACES, RESOURCES, Card, content
from tests.games.pointcity import naive

PAGE = (Path(__file__).parents[3] / "docs" / "games" / "pointcity.md").read_text("utf-8")
ROTATION = ["community", "industry", "economy", "ecology", "energy"]
MATERIAL = content()
CARDS = [card for card in MATERIAL.cards.values() for _ in range(card.copies)]


def turned(resource: int, steps: int = 1) -> int:
    """Returns the resource a number of steps later in the rotation."""
    at = ROTATION.index(RESOURCES[resource]) + steps
    return RESOURCES.index(ROTATION[at % 5])


@pytest.mark.rule("PC-1")
def test_65_50_and_45_cards_of_three_tiers() -> None:
    assert len(CARDS) == 160
    assert Counter(card.side.tier for card in CARDS) == {1: 65, 2: 50, 3: 45}


@pytest.mark.rule("PC-1")
def test_100_grant_30_have_only_points_30_are_civic() -> None:
    assert Counter(card.kind for card in CARDS) == {"resource": 100, "points": 30, "civic": 30}
    assert all(card.points == 0 for card in CARDS if card.kind == "civic")
    assert all(card.points > 0 for card in CARDS if card.kind == "points")


@pytest.mark.rule("PC-1")
def test_faces_are_single_in_tier_1_double_in_the_others_and_ingenuity_in_forty() -> None:
    ingenuity = [card for card in CARDS if card.side.face == "ingenuity"]
    assert Counter(card.side.tier for card in ingenuity) == {2: 20, 3: 20}
    others = [card for card in CARDS if card not in ingenuity]
    assert Counter(card.side.symbols for card in others) == {1: 65, 2: 55}
    assert all((card.side.symbols == 1) == (card.side.tier == 1) for card in others)
    assert all(card.side.resource == card.resource for card in others)


@pytest.mark.rule("PC-1")
def test_no_card_costs_what_it_grants() -> None:
    assert all(card.grants not in dict(card.cost) for card in CARDS)


@pytest.mark.rule("PC-1")
def test_the_set_of_cards_is_invariant_under_the_rotation() -> None:
    def about(card: Card, steps: int) -> tuple[object, ...]:
        cost = sorted((turned(resource, steps), amount) for resource, amount in card.cost)
        face = (card.side.symbols, card.side.face == "ingenuity")
        return card.side.tier, face, card.kind, turned(card.resource, steps), tuple(cost), card.points

    assert Counter(about(card, 0) for card in CARDS) == Counter(about(card, 1) for card in CARDS)


@pytest.mark.rule("PC-1")
def test_the_fourth_card_of_tier_1_for_industry() -> None:
    card = MATERIAL.cards["a4-industry"]
    assert (card.side.tier, card.side.face, card.kind, card.points) == (1, "industry", "resource", 0)
    assert {RESOURCES[resource]: amount for resource, amount in card.cost} == {"ecology": 1, "community": 1}


ROW = re.compile(r"^\| ([abc]\d+)( x2)? \| (\S+) \| (.+?) \| (.+?) \| (\d*) ?\|$", re.MULTILINE)


@pytest.mark.rule("PC-1")
def test_every_family_matches_the_rules_page() -> None:
    rows = ROW.findall(PAGE)
    assert len(rows) == 29
    assert {row[0] for row in rows} == {name.partition("-")[0] for name in MATERIAL.cards}
    for family, twice, face, gives, cost, points in rows:
        for resource in RESOURCES:
            card = MATERIAL.cards[f"{family}-{resource}"]
            assert card.copies == (2 if twice else 1)
            assert card.side.tier == "abc".index(family[0]) + 1
            assert card.side.face == re.sub(r"^r", resource, face)
            assert card.kind == {"resource r": "resource", "points": "points", "civic token": "civic"}[gives]
            assert card.points == int(points or 0)
            assert dict(card.cost) == costs(cost, RESOURCES.index(resource))


def costs(text: str, resource: int) -> dict[int, int]:
    parts = [part.split("@") for part in text.split()]
    return {turned(resource, 0 if steps == "r" else int(steps)): int(amount) for amount, steps in parts}


@pytest.mark.rule("PC-1")
def test_the_second_reading_has_the_same_cards() -> None:
    def about(card: Card) -> tuple[object, ...]:
        symbols = sorted(RESOURCES[resource] for resource, amount in card.cost for _ in range(amount))
        return (
            card.name,
            card.side.tier,
            card.side.face,
            card.kind,
            RESOURCES[card.resource],
            card.points,
            tuple(symbols),
        )

    theirs = Counter(
        (card.name, card.tier, card.face, card.kind, card.resource, card.points, tuple(sorted(card.cost)))
        for card in naive.CARDS
    )
    assert Counter(map(about, CARDS)) == theirs


def test_every_card_has_its_own_place_among_the_names() -> None:
    """Each tier, kind and resource has as many styles as families, at most three, without gaps."""
    for group in {(card.side.tier, card.kind, card.resource) for card in CARDS}:
        own = {card for card in CARDS if (card.side.tier, card.kind, card.resource) == group}
        assert {card.style for card in own} == set(range(1, min(len(own), 3) + 1))


@pytest.mark.rule("PC-4")
@pytest.mark.rule("PC-18")
def test_the_22_tokens() -> None:
    special = ["flat-5", "flat-7", "two-plus", "three-plus", "missing", "full-set", "ingenuity"]
    pairs = [f"{first}-{other}" for first, other in combinations(RESOURCES, 2)]
    assert list(MATERIAL.tokens) == [*special, *RESOURCES, *pairs]
    points = [token.entry.points for token in MATERIAL.tokens.values()]
    assert points == [5, 7, 2, 3, 4, 6, 2, *[2] * 5, *[3] * 10]


def test_faces_are_counted_in_alphabetical_order() -> None:
    assert list(FACES) == sorted(FACES)
    assert list(RESOURCES) == sorted(RESOURCES)
