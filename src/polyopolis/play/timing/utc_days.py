"""Days as people count them who play one game a day: from midnight to midnight, everywhere at once (UTC)."""

from collections.abc import Collection
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

Day = str
"""As `2026-11-16`; the order of the texts is that of the days."""
WEEK_DAYS = 7
DAY = timedelta(days=1)


class Streak(Struct, frozen=True, gc=False):
    """How many days somebody has played without a break. Of any seven days in a row one may be missed."""

    current: int
    longest: int


def day_at(now: int) -> Day:
    """The day of a moment, in milliseconds since 1970."""
    return datetime.fromtimestamp(now / 1000, UTC).date().isoformat()


def day_start(day: Day) -> int:
    """Its first moment, in milliseconds since 1970."""
    return int(datetime.combine(date.fromisoformat(day), datetime.min.time(), UTC).timestamp()) * 1000


def day_end(day: Day) -> int:
    """The first moment after it."""
    return day_start(add_days(day))


def add_days(day: Day, days: int = 1) -> Day:
    return (date.fromisoformat(day) + days * DAY).isoformat()


def is_day(text: str) -> bool:
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def streak_of(played: Collection[Day], today: Day) -> Streak:
    """A day that is not over is not missed yet."""
    days = {date.fromisoformat(day) for day in played}
    last = date.fromisoformat(today)
    runs = [_run(days, day) for day in days if day + DAY not in days]
    return Streak(_run(days, last if last in days else last - DAY), max(runs, default=0))


def _run(days: Collection[date], last: date) -> int:
    """The days played up to this one, back to the second that was missed within a week."""
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
