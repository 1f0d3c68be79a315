"""What a kernel of Point City knows before a game: its arrays from the content that the rules read."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from msgspec import UNSET

from polyopolis.games.pointcity.actions import Action, Draw, Flip, LineAsDrawn, Skip
from polyopolis.games.pointcity.content import HAND, MARKET, TIERS, Card, Content, Kind, Side, Token
from polyopolis.games.pointcity.market import LINES, PAIRS
from polyopolis.games.pointcity.scoring import copies
from polyopolis.games.pointcity.state import Setup
from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.runtime.jit import Ints, ints

KINDS: tuple[str, ...] = get_args(Kind)
COUNTS = ("flat", "types", "sets", "ingenuity")
MANY = 99
"""A threshold that nobody reaches."""
GROWTHS = {1: layout.AT.ones, 2: layout.AT.twos}


@dataclass(frozen=True, eq=False)
class Material:
    """The game for a setup as an array, and the numbers of its things."""

    law: Ints
    setup: Setup
    sides: Sequence[Side]
    cards: Sequence[Card]
    tokens: Sequence[Token]
    card_number: Mapping[str, int]
    token_number: Mapping[str, int]

    @property
    def players(self) -> int:
        return int(self.law[layout.PLAYERS])

    @cached_property
    def choices(self) -> Mapping[int, Action]:
        """What choices are called, ways to pay and lines aside."""
        return {
            **{cell: Flip(name) for cell, name in enumerate(MARKET.names)},
            **{layout.TAKING + number: take for number, (take, _, _) in enumerate(PAIRS)},
            layout.DRAW: Draw(),
            layout.SKIP: Skip(),
            layout.AS_DRAWN: LineAsDrawn(),
            **{layout.PICK + number: token.pick for number, token in enumerate(self.tokens)},
        }


def _packed(amounts: Iterable[tuple[int, int]]) -> int:
    """A byte for each resource."""
    return sum(amount << 8 * resource for resource, amount in amounts)


def _side(side: Side, first: int) -> list[int]:
    symbols = 0 if side.resource is None else _packed([(side.resource, side.symbols)])
    return [side.number, symbols, first, 0]


def _card(card: Card) -> list[int]:
    return [KINDS.index(card.kind), card.resource, card.points, _packed(card.cost)]


def _token(token: Token) -> list[int]:
    entry = token.entry
    of = sum(1 << resource for resource in token.of)
    growth = GROWTHS.get(len(token.of), layout.AT.fulls) if token.of else layout.NONE
    most = MANY if entry.most is None else entry.most
    rises = int(entry.counts in ("types", "sets"))
    return [COUNTS.index(entry.counts), entry.points, entry.least, most, of, growth, rises, 0]


def _wit(tokens: Sequence[Token]) -> int:
    return sum(1 << number for number, token in enumerate(tokens) if token.entry.counts == "ingenuity")


def _automa(content: Content, setup: Setup) -> dict[int, list[int]]:
    if setup.automa is UNSET:
        return {}
    level = getattr(content.automa.levels, setup.automa)
    return {
        layout.CROSSING: [MARKET.names.index(content.automa.start), level.token, level.ingenuity],
        layout.COPIES: [copies(level, permanents) for permanents in range(layout.MOST_COPIES)],
    }


def material(content: Content, setup: Setup) -> Material:
    """Everything about the game that does not change."""
    sides, tokens = list(content.sides.values()), list(content.tokens.values())
    cards = [card for side in sides for card in content.cards.values() if card.side is side]
    _check(content, sides, cards, tokens)
    laid = content.layouts[setup.seats]
    turns = (content.size - sum(laid.removed) - len(MARKET.names)) // HAND + 1
    firsts = [sum(card.side.index < side.index for card in cards) for side in sides]
    players = setup.seats + (setup.automa is not UNSET)
    parts = {
        layout.SEATS: [setup.seats, players, turns, laid.tokens, len(tokens), _wit(tokens)],
        layout.PAIR: [cell for _, *cells in PAIRS for cell in cells],
        layout.LINE_MASK: list(LINES),
        layout.TIER: [*(sum(side.tier < tier for side in sides) for tier in TIERS), len(sides)],
        layout.SIDE: [number for side, first in zip(sides, firsts, strict=True) for number in _side(side, first)],
        layout.SIDE + 4 * len(sides): [0, 0, len(cards), 0],
        layout.CARD: [number for card in cards for number in _card(card)],
        layout.MEDAL: [number for token in tokens for number in _token(token)],
        **_automa(content, setup),
    }
    law = [0] * layout.LAW
    for at, numbers in parts.items():
        law[at : at + len(numbers)] = numbers
    names = {card.name: number for number, card in enumerate(cards)}
    return Material(ints(law), setup, sides, cards, tokens, names, {token.name: at for at, token in enumerate(tokens)})


def _check(content: Content, sides: Sequence[Side], cards: Sequence[Card], tokens: Sequence[Token]) -> None:
    backs = max(sum(count for _, count in pool) for pool in content.buildings)
    tier = max(sum(count for _, count in pool) for pool in content.faces)
    limits = {
        "sides": (len(sides), layout.MOST_SIDES),
        "cards": (len(cards), layout.MOST_CARDS),
        "tokens": (len(tokens), layout.MOST_TOKENS),
        "cards of a side": (backs, layout.MOST_BACKS),
        "cards of a tier": (tier, layout.MOST_FACES),
        "permanents of a resource": (max(content.granting), layout.MOST_COPIES - 1),
    }
    for what, (number, most) in limits.items():
        if number > most:
            raise NoKernel(f"a kernel of Point City holds {most} {what}, not {number}")


_made: dict[tuple[int, Setup], tuple[Content, Material]] = {}


def material_of(content: Content, setup: Setup) -> Material:
    """Made once for each setup. A content is known by what it is, not by what it says."""
    key = id(content), setup
    if key not in _made:
        _made[key] = content, material(content, setup)
    return _made[key][1]
