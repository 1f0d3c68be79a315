"""What is agreed before the first throw, and everything that is true now."""

from msgspec import Struct

from tests.games.tiny.content import NEWEST


class Setup(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    seats: int = 2
    episode: int = 1
    content: int = NEWEST
    carried: tuple[int, ...] = ()
    """The pips that each seat begins with; none at first."""
    called: tuple[str, ...] = ()
    """What people call their purses. No rule asks for it."""


class State(Struct, frozen=True):
    setup: Setup
    pips: tuple[int, ...]
    rounds: int
    """Still to come."""
    acting: frozenset[int]
    thrown: int = 0
