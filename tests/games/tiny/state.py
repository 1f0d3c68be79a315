"""Setup and state of a match."""

from msgspec import Struct

from tests.games.tiny.content import NEWEST


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    seats: int = 2
    episode: int = 1
    content: int = NEWEST
    carried: tuple[int, ...] = ()
    """The pips of each seat from earlier episodes."""
    called: tuple[str, ...] = ()
    """The names of the players' purses. No rule depends on them."""


class State(Struct, frozen=True):
    setup: Setup
    pips: tuple[int, ...]
    rounds: int
    """The number of remaining rounds."""
    acting: frozenset[int]
    thrown: int = 0
