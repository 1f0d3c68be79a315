"""Whether the house is there: time in which it was not is nobody's, and neither is time that only the clock has seen.

Signs of life are kept. Whoever opens the house sees how old the last one is; where several servers share a keeper, a
last one that is old says that none of them was there. A clock that is set forth, or a machine that has slept, looks the
same from inside: the time of day has gone further than the clock that only goes forward.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from polyopolis.play.entities import Outage
from polyopolis.play.protocols import Clock, MatchRepository

logger = logging.getLogger(__name__)

OUTAGE_HEARTBEAT_SECONDS = 10.0
"""Seconds between two signs of life."""
OUTAGE_AFTER_MS = 30_000
"""Milliseconds without a sign after which none of several servers was there."""
CLOCK_SKEW_MS = 2_000
"""Milliseconds that two clocks may differ by."""


CLOCK_SET_BACK_MS = 3_600_000
"""A last sign that is so many milliseconds ahead is of a clock that was set back since."""


def outage_since(last: int | None, now: int, silence: int) -> Outage | None:
    """What a last sign says: nobody was there since, if it is older than that."""
    return Outage(last, now) if last is not None and now - last > silence else None


def latest_heartbeat(last: int | None, now: int) -> int:
    """With this one. The clocks of several servers differ a little."""
    return now if last is None or last - now > CLOCK_SET_BACK_MS else max(last, now)


@dataclass
class OutageTracker:
    """The outages that are known here."""

    outages: tuple[Outage, ...] = ()
    _seen: tuple[int, float] | None = field(default=None)

    async def sign(self, repository: MatchRepository, clock: Clock, silence: int = OUTAGE_AFTER_MS) -> bool:
        """The house is there; whether there is an outage that nobody knew of."""
        if jump := self.jump(clock):
            await repository.outage(jump)
        now = clock.now()
        self._seen = now, clock.running()
        known, self.outages = self.outages, await repository.alive(now, silence)
        return known != self.outages

    def jump(self, clock: Clock) -> Outage | None:
        """What the time of day has gone further since the last sign than the clock that only goes forward."""
        if self._seen is None:
            return None
        awake = self._seen[0] + int((clock.running() - self._seen[1]) * 1000)
        return Outage(awake, clock.now()) if clock.now() - awake > CLOCK_SKEW_MS else None

    async def go_on(self, repository: MatchRepository, clock: Clock, changed: Callable[[], Awaitable[None]]) -> None:
        """For ever. Whatever fails is tried again: a keeper that cannot be reached is an outage, too."""
        while True:
            await asyncio.sleep(OUTAGE_HEARTBEAT_SECONDS)
            try:
                if await self.sign(repository, clock):
                    await changed()
            except Exception as error:
                logger.warning("no sign of life could be kept: %s: %s", type(error).__name__, error)
