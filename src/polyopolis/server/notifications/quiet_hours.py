"""When somebody wants to be told: not in their quiet hours, once a day if they like, and once more before time is up.

All times are milliseconds since 1970; hours are those of the zone in which somebody lives.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta, Struct

from polyopolis.engine import PolyopolisError

MINUTE, HOUR = 60_000, 3_600_000
EARLIEST = 12 * HOUR
"""The second notice comes at most so long before time is up."""
SHORTEST = 2 * HOUR
"""Whoever has less time than that in all is not told twice."""
Minute = Annotated[int, Meta(ge=0, lt=1440)]


class Manners(Struct, frozen=True, forbid_unknown_fields=True):
    """When somebody wants to be told."""

    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    quiet_from: Minute | None = None
    """Of the day, in minutes: from here on nothing is told."""
    quiet_to: Minute | None = None
    daily: Annotated[int, Meta(ge=0, lt=24)] | None = None
    """The hour at which all that waits is told at once; None: each when it comes."""

    @property
    def place(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise PolyopolisError("there is no such time zone") from None

    @property
    def quiet(self) -> tuple[int, int] | None:
        """From one minute of the day to another; None where every hour is good."""
        if self.quiet_from is None or self.quiet_to is None or self.quiet_from == self.quiet_to:
            return None
        return self.quiet_from, self.quiet_to

    def quiet_around(self, moment: int) -> tuple[int, int] | None:
        """The quiet hours in which a moment lies, from when to when."""
        if self.quiet is None:
            return None
        first, last = self.quiet
        today = self._local(moment).date()
        for day in (today - timedelta(1), today):
            start = self._at(day, first)
            end = self._at(day if last > first else day + timedelta(1), last)
            if start <= moment < end:
                return start, end
        return None

    def awake(self, moment: int) -> int:
        """This moment, or the end of the quiet hours in which it lies."""
        around = self.quiet_around(moment)
        return around[1] if around else moment

    def told_at(self, moment: int) -> int:
        """When something is told that is to be told from this moment on."""
        if self.daily is None:
            return self.awake(moment)
        today = self._local(moment).date()
        days = (self.awake(self._at(today + timedelta(more), 60 * self.daily)) for more in range(-1, 3))
        return next(at for at in days if at >= moment)

    def told_again_at(self, now: int, deadline: int | None) -> int | None:
        """When somebody who is told now is told once more; None: never."""
        if deadline is None or deadline - now < SHORTEST:
            return None
        moment = deadline - min(EARLIEST, (deadline - now) // 4)
        around = self.quiet_around(moment)
        if around is None:
            return moment
        before, after = around
        if after + HOUR // 4 <= deadline:
            return after
        return before - MINUTE if before - MINUTE > now + HOUR else None

    def _local(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment / 1000, UTC).astimezone(self.place)

    def _at(self, day: date, minute: int) -> int:
        return int(datetime.combine(day, time(minute // 60, minute % 60), self.place).timestamp() * 1000)
