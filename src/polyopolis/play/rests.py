"""When somebody wants no clock of theirs to run: at night, at weekends, on vacation."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct

from polyopolis.engine import PolyopolisError
from polyopolis.play.pace import DAY

NIGHT, MORNING = time(22), time(8)
SATURDAY = 5
VACATION = 21
"""Days that somebody may be on vacation in a year, at one table."""

Span = tuple[int, int]
"""From a time to another, in milliseconds since 1970."""
Why = Literal["night", "weekend", "vacation"]
Zone = Annotated[str, Meta(max_length=64)]


class Vacation(Struct, frozen=True, gc=False):
    began: int
    ends: int


class Rest(Struct, frozen=True):
    """What somebody has asked for."""

    zone: Zone = "UTC"
    """The name of their time zone."""
    nights: bool = False
    weekends: bool = False
    vacations: tuple[Vacation, ...] = ()


NO_REST = Rest()


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo:
    """UTC for a name that is not known here."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def pauses(rest: Rest, begin: int, end: int) -> Iterator[tuple[Span, Why]]:
    """What is asked for between two times; one may lie within another."""
    for vacation in rest.vacations:
        if vacation.began < end and vacation.ends > begin:
            yield (max(vacation.began, begin), min(vacation.ends, end)), "vacation"
    if not (rest.nights or rest.weekends):
        return
    zone = zone_of(rest.zone)
    day, last = _day(begin, zone) - timedelta(days=2), _day(end, zone)
    while day <= last:
        if rest.nights:
            yield from _within(_at(day, NIGHT, zone), _at(day + timedelta(days=1), MORNING, zone), begin, end, "night")
        if rest.weekends and day.weekday() == SATURDAY:
            midnight, monday = time(0), day + timedelta(days=2)
            yield from _within(_at(day, midnight, zone), _at(monday, midnight, zone), begin, end, "weekend")
        day += timedelta(days=1)


def _within(first: int, last: int, begin: int, end: int, why: Why) -> Iterator[tuple[Span, Why]]:
    if first < end and last > begin:
        yield (max(first, begin), min(last, end)), why


def _day(now: int, zone: tzinfo) -> date:
    return datetime.fromtimestamp(now / 1000, zone).date()


def _at(day: date, hour: time, zone: tzinfo) -> int:
    return int(datetime.combine(day, hour, zone).timestamp() * 1000)


# Vacation


def days_left(rest: Rest, now: int) -> int:
    """Of vacation, in this year. A day that was begun counts."""
    year = _day(now, zone_of(rest.zone)).year
    return max(0, VACATION - sum(_days_in(vacation, year, zone_of(rest.zone)) for vacation in rest.vacations))


def _days_in(vacation: Vacation, year: int, zone: tzinfo) -> int:
    first, last = (_at(date(when, 1, 1), time(0), zone) for when in (year, year + 1))
    length = min(vacation.ends, last) - max(vacation.began, first)
    return -(-length // DAY) if length > 0 else 0


def gone(rest: Rest, now: int, days: int) -> Rest:
    """Somebody goes on vacation for so many days."""
    back = returned(rest, now)
    found = Vacation(now, now + days * DAY)
    wished = Rest(rest.zone, rest.nights, rest.weekends, (*back.vacations, found))
    zone = zone_of(rest.zone)
    for year in {_day(found.began, zone).year, _day(found.ends, zone).year}:
        if sum(_days_in(vacation, year, zone) for vacation in wished.vacations) > VACATION:
            raise PolyopolisError(f"the vacation: there are {VACATION} days in a year")
    return wished


def returned(rest: Rest, now: int) -> Rest:
    """Somebody is back, perhaps sooner than they said. What is long over is forgotten."""
    kept = (vacation for vacation in rest.vacations if vacation.ends > now - 2 * 366 * DAY)
    ended = tuple(Vacation(vacation.began, min(vacation.ends, now)) for vacation in kept)
    return Rest(rest.zone, rest.nights, rest.weekends, ended)
