"""UTC days, their boundaries, and streaks."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

Day = str
"""A date such as `2026-11-16`. Dates sort as text."""
WEEK_DAYS = 7
DAY = timedelta(days=1)


class Streak(Struct, frozen=True, gc=False):
    """Days played in a row. One of any seven consecutive days may be missed."""

    current: int
    longest: int


def day_at(now: int) -> Day:
    """The day of a time in milliseconds since 1970."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def day_start(day: Day) -> int:
    """The first millisecond of a day."""
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def day_end(day: Day) -> int:
    """The first millisecond after a day."""
    return day_start(add_days(day))


def add_days(day: Day, days: int = 1) -> Day:
    return (date.fromisoformat(day) + days * DAY).isoformat()


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def streak_of(played: Collection[Day], today: Day) -> Streak:
    """The streak up to today, which is not missed before it is over."""
    days = {date.fromisoformat(day) for day in played}
    last = date.fromisoformat(today)
    runs = [_run(days, day) for day in days if day + DAY not in days]
    return Streak(_run(days, last if last in days else last - DAY), max(runs, default=0))


def _run(days: Collection[date], last: date) -> int:
    """Number of days played up to `last`, back to the second one that was missed within a week."""
    count, missed, day, first = 0, date.max, last, min(days, default=last)
    while day >= first:
        if day in days:
            count += 1
        elif missed < day + WEEK_DAYS * DAY:
            break
        else:
            missed = day
        day -= DAY
    return count
