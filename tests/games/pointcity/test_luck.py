"""Late draws have the odds of a shuffled deck (docs/decisions/0003): exactly for a small deck, else in simulations."""

from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import permutations
from random import Random
from statistics import fmean, stdev
from typing import Any

import pytest

from polyopolis.engine import CHANCE
from polyopolis.games.pointcity import rules
from polyopolis.games.pointcity.actions import Dealt, Drew, Flip, ShowBuilding, ShowFace, Take, Took, TopShown, Turned
from polyopolis.games.pointcity.content import MARKET, Card, Content, Layout, Side
from polyopolis.games.pointcity.market import building_odds, face_odds, reveal_building, reveal_face, stack_deck
from polyopolis.games.pointcity.state import Deck, Setup, State
from tests.games.pointcity.positions import MATERIAL

# A small deck: six cards of one tier, two of them left out.

ENERGY, INDUSTRY = Side(1, "energy", 0), Side(1, "industry", 1)


def small_card(name: str, side: Side, copies: int = 1) -> Card:
    return Card(name, side, "points", 0, ((0, 1),), 1, 1, copies)


SMALL_CARDS = [
    small_card("a", ENERGY),
    small_card("b", ENERGY, copies=2),
    small_card("c", ENERGY),
    small_card("x", INDUSTRY),
    small_card("y", INDUSTRY),
]
SMALL = Content(
    version=0,
    cards={card.name: card for card in SMALL_CARDS},
    sides={(1, side.face): side for side in (ENERGY, INDUSTRY)},
    tokens={},
    layouts={},
    automa=MATERIAL.automa,
)
LAYOUT = Layout(removed=(2, 0, 0), tokens=0)
Sights = tuple[str, ...]
Script = Iterator[tuple[str, int]]


def looking(sights: list[str]) -> Script:
    """A player who decides by the cards shown so far to see the next face or the building of a place."""
    kept: list[int] = []
    for place in range(4):
        yield "face", place
        if sights[-1] == "energy" and len(kept) % 2 == 0:
            yield "building", place
            if sights[-1] == "b" and kept:
                yield "building", kept.pop(0)
        else:
            kept.append(place)
    if sights[-1] in ("industry", "a"):
        for place in reversed(kept):
            yield "building", place


def shuffled() -> dict[Sights, Fraction]:
    """Returns the probabilities of all sights over all orders of the six cards."""
    cards = [card for card in SMALL_CARDS for _ in range(card.copies)]
    orders = list(permutations(cards))
    found: Counter[Sights] = Counter()
    for order in orders:
        sights: list[str] = []
        for what, place in looking(sights):
            sights.append(order[place].side.face if what == "face" else order[place].name)
        found[tuple(sights)] += 1
    return {sights: Fraction(times, len(orders)) for sights, times in found.items()}


def drawn_late() -> dict[Sights, Fraction]:
    """Returns the probabilities of all sights with late draws."""
    found: dict[Sights, Fraction] = {}
    open_ends: list[tuple[Sights, Fraction]] = [((), Fraction(1))]
    while open_ends:
        sights, chance = open_ends.pop()
        odds = next_odds(sights)
        if odds is None:
            found[sights] = chance
            continue
        total = sum(weight for _, weight in odds)
        open_ends += [((*sights, sight), chance * Fraction(weight, total)) for sight, weight in odds]
    return found


def next_odds(sights: Sights) -> list[tuple[str, int]] | None:
    """Returns the odds of the next card after these sights; None at the end."""
    deck, places, so_far = stack_deck(SMALL, LAYOUT), dict[int, Side](), list[str]()
    for (what, place), sight in zip_to_end(looking(so_far), sights):
        if sight is None:
            return as_sights(deck, what, places.get(place))
        if what == "face":
            places[place], deck = reveal_face(deck, sight)
        else:
            deck = reveal_building(deck, SMALL.cards[sight])
        so_far.append(sight)
    return None


def zip_to_end(script: Script, sights: Sights) -> Iterator[tuple[tuple[str, int], str | None]]:
    for number, question in enumerate(script):
        yield question, sights[number] if number < len(sights) else None


def as_sights(deck: Deck, what: str, side: Side | None) -> list[tuple[str, int]]:
    if what == "face":
        return [(luck.face, weight) for luck, weight in face_odds(deck)]
    assert side
    return [(luck.card, weight) for luck, weight in building_odds(deck, side, 0)]


@pytest.mark.rule("PC-2")
@pytest.mark.rule("PC-16")
def test_a_small_deck_has_exactly_the_odds_of_a_shuffled_one() -> None:
    late, real = drawn_late(), shuffled()
    assert sum(late.values()) == 1
    assert len(real) > 50
    assert late == real


# The whole game.


class LateLuck:
    """Draws chance events from the odds of the rules."""

    def __call__(self, state: State, random: Random) -> Any:
        odds = rules.odds(state)
        return random.choices([luck for luck, _ in odds], [weight for _, weight in odds])[0]

    def hear(self, events: Iterable[Any], opening: bool) -> None:
        """Ignores events, because the state contains all information."""


class ShuffledDeck(LateLuck):
    """A real deck, shuffled before the match: each card has both sides from the start."""

    def __init__(self, seats: int, random: Random) -> None:
        self.deck: list[Card] = []
        for tier, removed in zip((1, 2, 3), MATERIAL.layouts[seats].removed, strict=True):
            cards = [card for card in MATERIAL.cards.values() for _ in range(card.copies) if card.side.tier == tier]
            self.deck += random.sample(cards, len(cards) - removed)
        self.market: dict[str, Card] = {}
        self.top: list[Card] = []

    def __call__(self, state: State, random: Random) -> Any:
        if state.phase in ("tokens", "first"):
            return super().__call__(state, random)
        if state.phase in ("flip", "refill"):
            cell = MARKET.names[state.spaces[0].number]
            card = self.market[cell] if state.phase == "flip" else self.top[0]
            return ShowBuilding(cell, card.name)
        return ShowFace(self.deck[0].side.face)

    def hear(self, events: Iterable[Any], opening: bool) -> None:
        """Moves the cards according to the events."""
        for event in events:
            match event:
                case Dealt(at) if opening:
                    self.market[at] = self.deck.pop(0)
                case Dealt(at):
                    self.market[at] = self.top.pop()
                case Turned(at) if at not in self.market:
                    self.market[at] = self.top.pop()
                case TopShown():
                    self.top = [self.deck.pop(0)]
                case Drew():
                    (self.top or self.deck).pop(0)
                case Took(_, cells):
                    self.market = {cell: card for cell, card in self.market.items() if cell not in cells}


def curious(state: State, seat: int, random: Random) -> Any:
    """Turns over a card whenever possible, and prefers buildings to resources."""
    legal = rules.legal(state, seat)
    for kind in (Flip, Take):
        if some := [action for action in legal if isinstance(action, kind)]:
            return random.choice(some)
    return random.choice(legal)


def sights_of(luck: LateLuck, seats: int, random: Random) -> Counter[str]:
    """Counts the buildings shown in a match by tier and kind, and its points."""
    state, found = rules.start(Setup(seats=seats)), Counter[str]()
    while acting := rules.to_act(state):
        seat = min(acting)
        action = luck(state, random) if seat == CHANCE else curious(state, seat, random)
        if seat == CHANCE:
            assert action in [luck for luck, _ in rules.odds(state)]
        if isinstance(action, ShowBuilding):
            card = MATERIAL.cards[action.card]
            found[f"{card.side.tier} {card.kind}"] += 1
            found[f"{card.name} {state.turns // 12}"] += card.name in ("a5-energy", "b9-economy", "c7-ecology")
        step = rules.apply(state, seat, action)
        luck.hear(step.events, state.phase == "opening")
        state = step.state
    found["points"] = sum(rules.scores(state).scores)
    return found


@pytest.mark.rule("PC-2")
@pytest.mark.rule("PC-16")
@pytest.mark.parametrize("seats", [2, 4])
def test_whole_games_agree_with_late_draws_and_with_a_shuffled_deck(seats: int) -> None:
    games = 120
    late = [sights_of(LateLuck(), seats, Random(f"late {number}")) for number in range(games)]
    decks = [Random(f"deck {number}") for number in range(games)]
    real = [sights_of(ShuffledDeck(seats, random), seats, random) for random in decks]
    for sight in sorted(set().union(*late, *real)):
        drawn_late, other = ([game[sight] for game in world] for world in (late, real))
        spread = (stdev(drawn_late) ** 2 / games + stdev(other) ** 2 / games) ** 0.5
        assert abs(fmean(drawn_late) - fmean(other)) <= 4 * spread, sight
