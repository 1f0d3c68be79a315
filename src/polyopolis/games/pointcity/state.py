"""Setup and state of a match."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from polyopolis.games.pointcity.content import (
    FACES,
    JOKER,
    MARKET,
    NEWEST,
    RESOURCES,
    Card,
    CardPool,
    CivicToken,
    Content,
    LevelName,
    Side,
    SidePool,
)

Phase = Literal[
    "tokens", "first", "opening", "line", "turn", "flip", "take", "pay", "token", "refill", "top", "draw", "over",
    "choose",
]  # fmt: skip
"""The next decision. Of chance: tokens, first, opening, flip (the building of a card), refill (the building of a new
card), top (the face of a new top card), draw (the second card drawn). Of seats: line (the order of the tokens drawn),
choose (the tokens and their order), turn, take (after a flip), pay, token."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Number of seats; for one seat also the level of the Automa, and whether the player chooses the tokens."""

    seats: int
    automa: LevelName | UnsetType = UNSET
    tokens: Literal["chosen"] | UnsetType = UNSET
    """Tokens are drawn if this is left out."""
    content: int = NEWEST


class Player(Struct, frozen=True, gc=False):
    """Stock and city of a player, or of the Automa."""

    stock: tuple[int, ...]
    """The number of cards of each face."""
    city: tuple[Card, ...] = ()
    permanents: tuple[int, ...] = (0,) * len(RESOURCES)
    """The number of permanents of each resource."""
    tokens: tuple[CivicToken, ...] = ()


class Deck(Struct, frozen=True, gc=False):
    """The deck, and what is known about unseen cards. It contains no order: chance picks each card when it is shown."""

    left: tuple[int, ...]
    """The number of cards of each tier below the top."""
    unseen: tuple[SidePool, ...]
    """The number of unseen cards of each tier and face, including removed cards."""
    unshown: tuple[CardPool, ...]
    """The number of buildings of each side that were not shown, including cards in stocks, spent or removed cards."""
    top: Side | None = None


class Space(Struct, frozen=True, gc=False):
    """An empty space of the market, and whether its next card shows a building (PC-15)."""

    number: int
    building: bool


class State(Struct, frozen=True, gc=False):
    """The state of a match."""

    setup: Setup
    content: Content
    deck: Deck
    players: tuple[Player, ...]
    """The players of all seats; in a solo game also the Automa."""
    acting: frozenset[int]
    phase: Phase
    tokens: tuple[CivicToken, ...] = ()
    """The tokens that are laid out, without those that are already in `line`."""
    line: tuple[CivicToken, ...] = ()
    """The tokens that the solo player has lined up so far."""
    market: tuple[Side | Card | None, ...] = (None,) * len(MARKET.names)
    seat: int = 0
    """The player whose turn it is."""
    turns: int = 0
    """The number of finished turns."""
    spaces: tuple[Space, ...] = ()
    """The spaces where cards were taken or are being turned over."""
    buying: tuple[Card, ...] = ()
    """The buildings that were taken and are not paid yet."""
    civic: int = 0
    """The number of tokens that the player may still pick."""


def tokens_to_line_up(state: State) -> int:
    """Returns the number of tokens that the line still lacks (PC-21)."""
    if state.phase not in ("line", "choose"):
        return 0
    return state.content.layouts[state.setup.seats].tokens - len(state.line)


EMPTY_STOCK = (0,) * len(FACES)
STARTING_STOCK = tuple(int(face == JOKER) for face in range(len(FACES)))
"""One Ingenuity card (PC-5)."""
