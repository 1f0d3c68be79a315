"""Time controls: none, live, or correspondence."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from polyopolis.engine import Tagged

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000
"""Milliseconds."""


class UntimedPace(Tagged, frozen=True, tag="unhurried"):
    """Without clocks."""


class LivePace(Tagged, frozen=True, tag="live"):
    """Minutes for the whole match, and an increment in seconds for each decision."""

    minutes: Annotated[int, Meta(ge=1, le=180)]
    seconds: Annotated[int, Meta(ge=0, le=300)]


class Correspondence(Tagged, frozen=True, tag="correspondence"):
    """Days for each decision, and a bank of days for the whole match."""

    days: Literal[1, 2, 3, 7, 14]
    bank: Annotated[int, Meta(ge=0, le=60)]


Pace = UntimedPace | LivePace | Correspondence
UNHURRIED = UntimedPace()


class Terms(Struct, frozen=True):
    """The times of a pace, in milliseconds."""

    fresh: int
    """For each decision; lost if unused."""
    bank: int
    """For the match, used once the fresh time is used up."""
    increment: int
    """Added to the bank with each decision."""
    grace: int
    """The time that other players give to a player whose time is up."""


def terms(pace: Pace) -> Terms | None:
    match pace:
        case LivePace(minutes, seconds):
            return Terms(0, minutes * MINUTE, seconds * SECOND, max(minutes * MINUTE // 5, MINUTE))
        case Correspondence(days, bank):
            return Terms(days * DAY, bank * DAY, 0, days * DAY)
        case UntimedPace():
            return None
