"""When the clock of a player rests: at night, on weekends, on vacation."""

from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from functools import lru_cache
from typing import Annotated, Literal
from zoneinfo import ZoneInfo

from msgspec import Meta, Struct
from msgspec.structs import asdict, replace

from polyopolis.engine import PolyopolisError
from polyopolis.play.timing.pace import DAY

EVENING_HOUR, MORNING_HOUR = 22, 8
"""Default start and end of the night."""
LONGEST_NIGHT_HOURS = 12
SATURDAY = 5
ONE_DAY = timedelta(days=1)
VACATION_DAYS = 21
"""Vacation days of a player in a year, for all tables together."""

COUNTED_DAY_MS = 3_600_000
"""A started day counts after this time, so that vacations which a player starts at several tables in turn count once.
"""

Span = tuple[int, int]
"""Start and end, in milliseconds since 1970."""
Why = Literal["night", "weekend", "vacation"]
Zone = Annotated[str, Meta(max_length=64)]
Hour = Annotated[int, Meta(ge=0, lt=24)]


class Vacation(Struct, frozen=True, gc=False):
    began: int
    ends: int


class Hours(Struct, frozen=True, gc=False, omit_defaults=True):
    """The nights and weekends during which a clock is stopped."""

    zone: Zone = "UTC"
    """The name of the player's time zone."""
    nights: bool = False
    weekends: bool = False
    evening: Hour = EVENING_HOUR
    morning: Hour = MORNING_HOUR


class EndedHours(Hours, frozen=True, gc=False, omit_defaults=True):
    """Hours that other hours replace."""

    until: int = 0


class Rest(Hours, frozen=True, gc=False, omit_defaults=True):
    """All pauses of a player: hours, and vacations.

    The hours hold from `since`, the hours in `earlier` until `earlier.until`. Between these two times there are none.
    """

    vacations: tuple[Vacation, ...] = ()
    """Those of the player who has the seat. They do not overlap."""
    since: int = 0
    earlier: EndedHours | None = None
    """The last hours before the present ones that stopped the clock."""
    inherited: tuple[Vacation, ...] = ()
    """Vacations of players who had the seat before. They count for the seat, not for the player."""


NO_REST = Rest()


@lru_cache(maxsize=256)
def zone_of(name: str) -> tzinfo:
    """The time zone of a name, or UTC if the name is unknown here."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return UTC


def pauses(rest: Rest, begin: int, end: int) -> Iterator[tuple[Span, Why]]:
    """Yields all pauses between two times. They may overlap."""
    for vacation in (*rest.vacations, *rest.inherited):
        yield from _within(vacation.began, vacation.ends, begin, end, "vacation")
    if rest.earlier:
        yield from _hour_pauses(rest.earlier, begin, min(end, rest.earlier.until))
    yield from _hour_pauses(rest, max(begin, rest.since), end)


def _hour_pauses(hours: Hours, begin: int, end: int) -> Iterator[tuple[Span, Why]]:
    if begin >= end or not (hours.nights or hours.weekends):
        return
    zone = zone_of(hours.zone)
    day, last = _day(begin, zone) - 2 * ONE_DAY, _day(end, zone)
    while day <= last:
        if hours.nights:
            next_day = day if hours.morning > hours.evening else day + ONE_DAY
            night, morning = _at(day, time(hours.evening), zone), _at(next_day, time(hours.morning), zone)
            yield from _within(night, morning, begin, end, "night")
        if hours.weekends and day.weekday() == SATURDAY:
            yield from _within(_midnight(day, zone), _midnight(day + 2 * ONE_DAY, zone), begin, end, "weekend")
        day += ONE_DAY


def have_same_pauses(one: Rest, other: Rest, begin: int, end: int) -> bool:
    """Returns whether two rests have the same pauses between two times."""
    if replace(one, vacations=(), inherited=()) == replace(other, vacations=(), inherited=()):
        # vacations are compared without every night of a long match
        one, other = (Rest(vacations=rest.vacations, inherited=rest.inherited) for rest in (one, other))
    found = (_joined(span for span, _ in pauses(rest, begin, end)) for rest in (one, other))
    return next(found) == next(found)


def _within(first: int, last: int, begin: int, end: int, why: Why) -> Iterator[tuple[Span, Why]]:
    if first < end and last > begin:
        yield (max(first, begin), min(last, end)), why


def _day(now: int, zone: tzinfo) -> date:
    return datetime.fromtimestamp(now / 1000, zone).date()


def _at(day: date, hour: time, zone: tzinfo) -> int:
    return int(datetime.combine(day, hour, zone).timestamp() * 1000)


def _midnight(day: date, zone: tzinfo) -> int:
    return _at(day, time(0), zone)


def _joined(spans: Iterable[Span]) -> list[Span]:
    """Returns spans in order, without empty ones. Those that overlap or touch become one."""
    found = list[Span]()
    for begin, end in sorted(spans):
        if found and begin <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        elif begin < end:
            found.append((begin, end))
    return found


# Hours


def with_hours(rest: Rest, hours: Hours, now: int) -> Rest:
    """Returns the rest of a player who asks for other hours.

    They hold from the next midnight. They replace hours that do not hold yet. No date of the calendar counts twice when
    the time zone is another one: a player who travels has no pause between the last midnight there and the first here.
    """
    if not 1 <= (hours.morning - hours.evening) % 24 <= LONGEST_NIGHT_HOURS:
        raise PolyopolisError(f"the night: at most {LONGEST_NIGHT_HOURS} hours")
    if hours == _hours_of(rest):
        return rest
    zone = zone_of(rest.zone)
    earlier = _ended(rest, now, _midnight(_day(now, zone) + ONE_DAY, zone))
    return replace(rest, **asdict(hours), since=_first_midnight(zone_of(hours.zone), now, earlier), earlier=earlier)


def _hours_of(rest: Rest) -> Hours:
    return Hours(rest.zone, rest.nights, rest.weekends, rest.evening, rest.morning)


def _ended(rest: Rest, now: int, until: int) -> EndedHours | None:
    """Returns the last hours that stop the clock if those that hold now end at a time."""
    if now >= rest.since and (rest.nights or rest.weekends):
        return EndedHours(**asdict(_hours_of(rest)), until=until)
    return rest.earlier and replace(rest.earlier, until=min(rest.earlier.until, until))


def _first_midnight(zone: tzinfo, now: int, earlier: EndedHours | None) -> int:
    day = _day(now, zone) + ONE_DAY
    if earlier:
        day = max(day, _day(earlier.until - 1, zone_of(earlier.zone)) + ONE_DAY)
        while _midnight(day, zone) < earlier.until:
            day += ONE_DAY
    return _midnight(day, zone)


def after_leaving_seat(rest: Rest, now: int) -> Rest:
    """Returns what remains of the rest of a player who leaves a seat: no pauses, but those that the seat has had."""
    back = with_vacation_ended(rest, now)
    inherited = _as_vacations(map(_span, (*back.vacations, *back.inherited)))
    return Rest(earlier=_ended(back, now, now), inherited=inherited)


# Vacation


def days_left(vacations: Iterable[Vacation], zone: str, now: int) -> int:
    """Returns the days that are left this year after these vacations. Overlapping ones count once, begun days count."""
    place = zone_of(zone)
    return max(0, VACATION_DAYS - _days_in(vacations, _day(now, place).year, place))


def _days_in(vacations: Iterable[Vacation], year: int, zone: tzinfo) -> int:
    first, last = (_midnight(date(when, 1, 1), zone) for when in (year, year + 1))
    spans = _joined((max(vacation.began, first), min(vacation.ends, last)) for vacation in vacations)
    return sum(max(1, -((COUNTED_DAY_MS - (end - begin)) // DAY)) for begin, end in spans)


def _span(vacation: Vacation) -> Span:
    return vacation.began, vacation.ends


def _as_vacations(spans: Iterable[Span]) -> tuple[Vacation, ...]:
    return tuple(Vacation(*span) for span in _joined(spans))


def with_vacation(rest: Rest, now: int, days: int, elsewhere: tuple[Vacation, ...] = ()) -> Rest:
    """Returns the rest of a player who starts a vacation of some days.

    `elsewhere` are the vacations of the player in other seats. Raises `PolyopolisError` if the player, or the seat with
    the players who had it before, has had all days of the year.
    """
    back, found, zone = with_vacation_ended(rest, now), Vacation(now, now + days * DAY), zone_of(rest.zone)
    wished = _as_vacations(map(_span, (*back.vacations, found)))
    for year in {_day(found.began, zone).year, _day(found.ends, zone).year}:
        for others in (elsewhere, back.inherited):
            if _days_in((*wished, *others), year, zone) > VACATION_DAYS:
                raise PolyopolisError(f"the vacation: there are {VACATION_DAYS} days in a year")
    return replace(back, vacations=wished)


def with_vacation_ended(rest: Rest, now: int) -> Rest:
    """Returns the rest of a player who is back from vacation. Vacations of two years ago are dropped."""
    kept = (vacation for vacation in rest.vacations if vacation.ends > now - 2 * 366 * DAY)
    ended = _as_vacations((vacation.began, min(vacation.ends, now)) for vacation in kept)
    inherited = tuple(vacation for vacation in rest.inherited if vacation.ends > now - 2 * 366 * DAY)
    return replace(rest, vacations=ended, inherited=inherited)
