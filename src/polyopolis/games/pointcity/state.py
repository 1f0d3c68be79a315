"""What is agreed before the first card, and everything that is true now."""

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
    Content,
    LevelName,
    Side,
    SidePool,
    Token,
)

Phase = Literal[
    "tokens", "first", "opening", "line", "turn", "flip", "take", "pay", "token", "refill", "top", "draw", "over",
    "choose",
]  # fmt: skip
"""What comes next. Chance: tokens, first, opening, flip (its building), refill (the building of a new card), top (a new
face on the deck), draw (the second card drawn). Seats: line (the order of the tokens drawn) or choose (which tokens, in
their order), turn, take (after a flip), pay, token."""


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Seats, and for one seat alone the level of the Automa, and whether the player chooses the tokens."""

    seats: int
    automa: LevelName | UnsetType = UNSET
    tokens: Literal["chosen"] | UnsetType = UNSET
    """Left out, they are drawn."""
    content: int = NEWEST


class Player(Struct, frozen=True, gc=False):
    """Stock and city of a player, or of the Automa."""

    stock: tuple[int, ...]
    """How many cards of each face."""
    city: tuple[Card, ...] = ()
    permanents: tuple[int, ...] = (0,) * len(RESOURCES)
    """How many of each resource."""
    tokens: tuple[Token, ...] = ()


class Deck(Struct, frozen=True, gc=False):
    """The deck, and what is known of cards that nobody has seen. Their order is not: it does not exist."""

    left: tuple[int, ...]
    """Cards of each tier below the top."""
    unseen: tuple[SidePool, ...]
    """For each tier how many cards of each face were not seen yet, those left out included."""
    unshown: tuple[CardPool, ...]
    """For each side how many of each building were not shown yet, those stocked, spent or left out included."""
    top: Side | None = None


class Space(Struct, frozen=True, gc=False):
    """An empty space of the market, and whether a building comes next (PC-15)."""

    number: int
    building: bool


class State(Struct, frozen=True, gc=False):
    """Everything true now."""

    setup: Setup
    content: Content
    deck: Deck
    players: tuple[Player, ...]
    """The seats; alone, the player and the Automa."""
    acting: frozenset[int]
    phase: Phase
    tokens: tuple[Token, ...] = ()
    """Face up, and not yet in line when that is being set."""
    line: tuple[Token, ...] = ()
    """What the solo player has put in line so far."""
    market: tuple[Side | Card | None, ...] = (None,) * len(MARKET.names)
    seat: int = 0
    """Whose turn it is."""
    turns: int = 0
    """How many are over."""
    spaces: tuple[Space, ...] = ()
    """Where cards were taken or are being turned."""
    buying: tuple[Card, ...] = ()
    """Buildings taken and not yet paid."""
    civic: int = 0
    """Tokens to pick yet."""


def to_line_up(state: State) -> int:
    """How many tokens the line lacks while it is being set (PC-21)."""
    if state.phase not in ("line", "choose"):
        return 0
    return state.content.layouts[state.setup.seats].tokens - len(state.line)


EMPTY_STOCK = (0,) * len(FACES)
INGENUITY_ALONE = tuple(int(face == JOKER) for face in range(len(FACES)))
"""What everybody starts with (PC-5)."""
