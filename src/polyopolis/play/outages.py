"""Records when no server was running, so that clocks stand still meanwhile.

Heartbeats are stored. A gap before the first heartbeat of a server, or between those of several servers that share a
repository, was an outage. A system clock that is set forward and a machine that was suspended are detected by comparing
the system clock with the monotonic clock.
"""

from dataclasses import dataclass, field

from polyopolis.play.entities import Outage
from polyopolis.play.protocols import Clock, MatchRepository

OUTAGE_HEARTBEAT_SECONDS = 10.0
OUTAGE_AFTER_MS = 30_000
"""Without a heartbeat for this long the site was down."""
CLOCK_SKEW_MS = 2_000
"""Allowed difference between two clocks."""
CLOCK_SET_BACK_MS = 3_600_000
"""A stored heartbeat that is further in the future means that the clock was set back since."""


def outage_since(last: int | None, now: int, silence: int) -> Outage | None:
    """The outage since the last heartbeat, if that is older than `silence` milliseconds."""
    return Outage(last, now) if last is not None and now - last > silence else None


def latest_heartbeat(last: int | None, now: int) -> int:
    """The heartbeat to store, since the clocks of several servers differ a little."""
    return now if last is None or last - now > CLOCK_SET_BACK_MS else max(last, now)


@dataclass
class OutageTracker:
    """The outages that this node knows."""

    outages: tuple[Outage, ...] = ()
    _last: tuple[int, float] | None = field(default=None)

    async def record_heartbeat(self, repository: MatchRepository, clock: Clock, silence: int = OUTAGE_AFTER_MS) -> bool:
        """Stores a heartbeat, and an outage if the clock has jumped. Returns whether there are new outages."""
        if jump := self.clock_jump(clock):
            await repository.outage(jump)
        now = clock.now()
        self._last = now, clock.running()
        known, self.outages = self.outages, await repository.alive(now, silence)
        return known != self.outages

    def clock_jump(self, clock: Clock) -> Outage | None:
        """The time since the last heartbeat that the system clock has gained on the monotonic clock."""
        if self._last is None:
            return None
        awake = self._last[0] + int((clock.running() - self._last[1]) * 1000)
        return Outage(awake, clock.now()) if clock.now() - awake > CLOCK_SKEW_MS else None
