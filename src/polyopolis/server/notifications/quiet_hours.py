"""Delivery preferences of a person: quiet hours, daily digest, and a reminder before a deadline.

All times are milliseconds since 1970; hours are in the time zone of the person.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from msgspec import Meta, Struct

from polyopolis.engine import PolyopolisError

MINUTE_MS, HOUR_MS = 60_000, 3_600_000
MAX_REMINDER_LEAD_MS = 12 * HOUR_MS
"""A reminder is sent at most this long before the deadline."""
MIN_REMINDER_TIME_MS = 2 * HOUR_MS
"""No reminder is sent if less time than this is left when the notification is sent."""
Minute = Annotated[int, Meta(ge=0, lt=1440)]


class NotificationPreferences(Struct, frozen=True, forbid_unknown_fields=True):
    """When notifications are delivered."""

    zone: Annotated[str, Meta(max_length=64)] = "UTC"
    quiet_from: Minute | None = None
    """Start of the quiet hours, in minutes of the day."""
    quiet_to: Minute | None = None
    daily: Annotated[int, Meta(ge=0, lt=24)] | None = None
    """The hour of the daily digest; None: each notification is sent when it is due."""

    @property
    def timezone(self) -> ZoneInfo:
        try:
            return ZoneInfo(self.zone)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise PolyopolisError("unknown time zone") from None

    @property
    def quiet(self) -> tuple[int, int] | None:
        """Start and end of the quiet hours in minutes of the day, if there are any."""
        if self.quiet_from is None or self.quiet_to is None or self.quiet_from == self.quiet_to:
            return None
        return self.quiet_from, self.quiet_to

    def quiet_period_at(self, moment: int) -> tuple[int, int] | None:
        """Returns start and end of the quiet hours that contain a moment; None if there are none."""
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

    def after_quiet_hours(self, moment: int) -> int:
        """Returns this moment, or the end of the quiet hours that contain it."""
        around = self.quiet_period_at(moment)
        return around[1] if around else moment

    def delivery_time(self, moment: int) -> int:
        """Returns when a notification is sent that is due from this moment on."""
        if self.daily is None:
            return self.after_quiet_hours(moment)
        today = self._local(moment).date()
        days = (self.after_quiet_hours(self._at(today + timedelta(more), 60 * self.daily)) for more in range(-1, 3))
        return next(at for at in days if at >= moment)

    def reminder_time(self, now: int, deadline: int | None) -> int | None:
        """Returns when the reminder of a notification sent now is due; None for no reminder."""
        if deadline is None or deadline - now < MIN_REMINDER_TIME_MS:
            return None
        moment = deadline - min(MAX_REMINDER_LEAD_MS, (deadline - now) // 4)
        around = self.quiet_period_at(moment)
        if around is None:
            return moment
        before, after = around
        if after + HOUR_MS // 4 <= deadline:
            return after
        return before - MINUTE_MS if before - MINUTE_MS > now + HOUR_MS else None

    def _local(self, moment: int) -> datetime:
        return datetime.fromtimestamp(moment / 1000, UTC).astimezone(self.timezone)

    def _at(self, day: date, minute: int) -> int:
        return int(datetime.combine(day, time(minute // 60, minute % 60), self.timezone).timestamp() * 1000)
