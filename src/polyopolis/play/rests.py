"""When somebody wants no clock of theirs to run: at night, at weekends, on vacation."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct
from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.play.pace import DAY

EVENING, MORNING = 22, 8
"""Between these hours it is night, unless somebody says otherwise."""
LONGEST_NIGHT = 12
SATURDAY = 5
VACATION = 21
"""Days that somebody may be on vacation in a year, at all tables together."""

BEGUN = 3_600_000
"""Milliseconds of a day on vacation after which it counts: whoever goes at one table after the other goes once."""

Span = tuple[int, int]
"""From a time to another, in milliseconds since 1970."""
Why = Literal["night", "weekend", "vacation"]
Zone = Annotated[str, Meta(max_length=64)]
Hour = Annotated[int, Meta(ge=0, lt=24)]


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
    evening: Hour = EVENING
    morning: Hour = MORNING


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
            next_day = day if rest.morning > rest.evening else day + timedelta(days=1)
            night, morning = _at(day, time(rest.evening), zone), _at(next_day, time(rest.morning), zone)
            yield from _within(night, morning, begin, end, "night")
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


def keeping(rest: Rest, evening: int, morning: int) -> Rest:
    """Somebody's night has these hours."""
    if not 1 <= (morning - evening) % 24 <= LONGEST_NIGHT:
        raise PolyopolisError(f"the night: it lasts {LONGEST_NIGHT} hours at most")
    return replace(rest, evening=evening, morning=morning)


# Vacation


def days_left(vacations: Iterable[Vacation], zone: str, now: int) -> int:
    """Of the year, for one who was away then: at two tables at once is away once. A day that was begun counts."""
    place = zone_of(zone)
    return max(0, VACATION - _days_in(vacations, _day(now, place).year, place))


def _days_in(vacations: Iterable[Vacation], year: int, zone: tzinfo) -> int:
    first, last = (_at(date(when, 1, 1), time(0), zone) for when in (year, year + 1))
    lengths, until = list[int](), first
    for vacation in sorted(vacations, key=lambda vacation: vacation.began):
        begin, end = max(vacation.began, first), min(vacation.ends, last)
        if begin >= end:
            continue
        if begin <= until and lengths:
            lengths[-1] += max(0, end - until)
        else:
            lengths.append(end - begin)
        until = max(until, end)
    return sum(max(1, -((BEGUN - length) // DAY)) for length in lengths)


def gone(rest: Rest, now: int, days: int, elsewhere: Iterable[Vacation] = ()) -> Rest:
    """Somebody goes on vacation for so many days, who was or is away from other tables, too."""
    back, found, zone = returned(rest, now), Vacation(now, now + days * DAY), zone_of(rest.zone)
    wished = (*back.vacations, found)
    for year in {_day(found.began, zone).year, _day(found.ends, zone).year}:
        if _days_in((*wished, *elsewhere), year, zone) > VACATION:
            raise PolyopolisError(f"the vacation: there are {VACATION} days in a year")
    return replace(rest, vacations=wished)


def returned(rest: Rest, now: int) -> Rest:
    """Somebody is back, perhaps sooner than they said. What is long over is forgotten."""
    kept = (vacation for vacation in rest.vacations if vacation.ends > now - 2 * 366 * DAY)
    ended = tuple(Vacation(vacation.began, min(vacation.ends, now)) for vacation in kept)
    return replace(rest, vacations=ended)
