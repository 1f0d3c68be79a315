"""Point City: content as arrays of the kernel."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from msgspec import UNSET

from polyopolis.games.pointcity.actions import Action, Draw, Flip, LineAsDrawn, Skip
from polyopolis.games.pointcity.content import CARDS_PER_TURN, MARKET, TIERS, Card, CivicToken, Content, Kind, Side
from polyopolis.games.pointcity.market import LINES, PAIRS
from polyopolis.games.pointcity.scoring import permanent_points
from polyopolis.games.pointcity.state import Setup
from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.runtime.jit import Ints, ints

KINDS: tuple[str, ...] = get_args(Kind)
TOKEN_RULES = ("flat", "types", "sets", "ingenuity")
NO_THRESHOLD = 99
"""A maximum that is never reached."""
SET_FEATURES = {1: layout.AT.ones, 2: layout.AT.twos}


@dataclass(frozen=True, eq=False)
class DraftSite:
    """A game with its setup as an array, and the numbers of its components."""

    law: Ints
    setup: Setup
    sides: Sequence[Side]
    cards: Sequence[Card]
    tokens: Sequence[CivicToken]
    card_number: Mapping[str, int]
    token_number: Mapping[str, int]

    @property
    def players(self) -> int:
        return int(self.law[layout.PLAYER_COUNT])

    @cached_property
    def choices(self) -> Mapping[int, Action]:
        """Action of each choice number, except payments and picks for the line."""
        return {
            **{cell: Flip(name) for cell, name in enumerate(MARKET.names)},
            **{layout.FIRST_TAKE + number: take for number, (take, _, _) in enumerate(PAIRS)},
            layout.DRAW: Draw(),
            layout.SKIP: Skip(),
            layout.AS_DRAWN: LineAsDrawn(),
            **{layout.FIRST_PICK + number: token.pick for number, token in enumerate(self.tokens)},
        }


def _packed_bytes(amounts: Iterable[tuple[int, int]]) -> int:
    """Packs one amount per resource into bytes."""
    return sum(amount << 8 * resource for resource, amount in amounts)


def _side(side: Side, first: int) -> list[int]:
    symbols = 0 if side.resource is None else _packed_bytes([(side.resource, side.symbols)])
    return [side.number, symbols, first, 0]


def _card(card: Card) -> list[int]:
    return [KINDS.index(card.kind), card.resource, card.points, _packed_bytes(card.cost)]


def _token(token: CivicToken) -> list[int]:
    entry = token.entry
    of = sum(1 << resource for resource in token.of)
    growth = SET_FEATURES.get(len(token.of), layout.AT.fulls) if token.of else layout.NONE
    most = NO_THRESHOLD if entry.most is None else entry.most
    rises = int(entry.counts in ("types", "sets"))
    return [TOKEN_RULES.index(entry.counts), entry.points, entry.least, most, of, growth, rises, 0]


def _ingenuity_bits(tokens: Sequence[CivicToken]) -> int:
    return sum(1 << number for number, token in enumerate(tokens) if token.entry.counts == "ingenuity")


def _automa(content: Content, setup: Setup) -> dict[int, list[int]]:
    if setup.automa is UNSET:
        return {}
    level = getattr(content.automa.levels, setup.automa)
    return {
        layout.AUTOMA_START: [MARKET.names.index(content.automa.start), level.token, level.ingenuity],
        layout.AUTOMA_COPY_POINTS: [permanent_points(level, permanents) for permanents in range(layout.MAX_COPIES)],
    }


def build_draft_site(content: Content, setup: Setup) -> DraftSite:
    """Returns the constant data of a game."""
    sides, tokens = list(content.sides.values()), list(content.tokens.values())
    cards = [card for side in sides for card in content.cards.values() if card.side is side]
    _check_limits(content, sides, cards, tokens)
    laid = content.layouts[setup.seats]
    turns = (content.size - sum(laid.removed) - len(MARKET.names)) // CARDS_PER_TURN + 1
    firsts = [sum(card.side.index < side.index for card in cards) for side in sides]
    players = setup.seats + (setup.automa is not UNSET)
    parts = {
        layout.SEAT_COUNT: [setup.seats, players, turns, laid.tokens, len(tokens), _ingenuity_bits(tokens)],
        layout.PAIR_CELLS: [cell for _, *cells in PAIRS for cell in cells],
        layout.LINE_MASKS: list(LINES),
        layout.TIER_SIDES: [*(sum(side.tier < tier for side in sides) for tier in TIERS), len(sides)],
        layout.SIDES: [number for side, first in zip(sides, firsts, strict=True) for number in _side(side, first)],
        layout.SIDES + 4 * len(sides): [0, 0, len(cards), 0],
        layout.CARDS: [number for card in cards for number in _card(card)],
        layout.TOKENS: [number for token in tokens for number in _token(token)],
        **_automa(content, setup),
    }
    law = [0] * layout.LAW_SIZE
    for at, numbers in parts.items():
        law[at : at + len(numbers)] = numbers
    names = {card.name: number for number, card in enumerate(cards)}
    return DraftSite(ints(law), setup, sides, cards, tokens, names, {token.name: at for at, token in enumerate(tokens)})


def _check_limits(content: Content, sides: Sequence[Side], cards: Sequence[Card], tokens: Sequence[CivicToken]) -> None:
    backs = max(sum(count for _, count in pool) for pool in content.buildings)
    tier = max(sum(count for _, count in pool) for pool in content.faces)
    limits = {
        "sides": (len(sides), layout.MAX_SIDES),
        "cards": (len(cards), layout.MAX_CARDS),
        "tokens": (len(tokens), layout.MAX_TOKENS),
        "cards of a side": (backs, layout.MAX_BACKS),
        "cards of a tier": (tier, layout.MAX_TIER_FACES),
        "permanents of a resource": (max(content.granting), layout.MAX_COPIES - 1),
    }
    for what, (number, most) in limits.items():
        if number > most:
            raise NoKernel(f"the Point City kernel supports {most} {what}, not {number}")


_sites: dict[tuple[int, Setup], tuple[Content, DraftSite]] = {}


def draft_site(content: Content, setup: Setup) -> DraftSite:
    """Returns the site of a setup. Sites are cached; content is identified by identity."""
    key = id(content), setup
    if key not in _sites:
        _sites[key] = content, build_draft_site(content, setup)
    return _sites[key][1]
