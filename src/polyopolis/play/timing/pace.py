"""The pace of a table: without clocks, live, or by correspondence."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from polyopolis.engine import Tagged

SECOND, MINUTE, DAY = 1_000, 60_000, 86_400_000
"""In milliseconds."""


class Unhurried(Tagged, frozen=True, tag="unhurried"):
    """No clock runs."""


class LivePace(Tagged, frozen=True, tag="live"):
    """All are here: so many minutes for the whole match, and some seconds more for every decision."""

    minutes: Annotated[int, Meta(ge=1, le=180)]
    seconds: Annotated[int, Meta(ge=0, le=300)]


class Correspondence(Tagged, frozen=True, tag="correspondence"):
    """Nobody waits at a screen: so many days for every decision, and some in reserve for the whole match."""

    days: Literal[1, 2, 3, 7, 14]
    bank: Annotated[int, Meta(ge=0, le=60)]


Pace = Unhurried | LivePace | Correspondence
UNHURRIED = Unhurried()


class Terms(Struct, frozen=True):
    """What a pace comes to, in milliseconds."""

    fresh: int
    """For every decision, lost if it is not used."""
    bank: int
    """For the match, used where that is not enough."""
    increment: int
    """Goes into the bank with every decision."""
    grace: int
    """What others give who wait for somebody whose time is up."""


def terms(pace: Pace) -> Terms | None:
    match pace:
        case LivePace(minutes, seconds):
            return Terms(0, minutes * MINUTE, seconds * SECOND, max(minutes * MINUTE // 5, MINUTE))
        case Correspondence(days, bank):
            return Terms(days * DAY, bank * DAY, 0, days * DAY)
        case Unhurried():
            return None
