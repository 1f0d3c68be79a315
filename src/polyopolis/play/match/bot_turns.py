"""Background turns of a match: the tasks in which bots choose and premoves are played."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Unwritable
from polyopolis.play.protocols import Clock

logger = logging.getLogger(__name__)

MIN_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.5, 60.0
"""Delay before a turn that could not be persisted is tried again: it doubles from one to the other."""

STAND_IN_DELAY_SECONDS = 1.5
"""Delay before each turn of a bot that stands in for a player, so that the player can follow what it does."""

Turn = Callable[[], Awaitable[None]]


class BotTurns:
    """Turns in the background, at most one per seat.

    The tasks hold the only strong references to the table: a table that is not in use is garbage collected.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._tasks: dict[int, asyncio.Task[None]] = {}

    def __bool__(self) -> bool:
        return bool(self._tasks)

    def start(self, seat: int, label: str, turn: Turn, done: Callable[[], None], delay: float = 0.0) -> None:
        """Runs `turn` until it succeeds, then `done`. Has no effect while a turn of this seat is running."""
        if seat not in self._tasks:
            self._tasks[seat] = asyncio.create_task(self._run(seat, label, turn, done, delay))

    def cancel(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        self._tasks.clear()

    async def _run(self, seat: int, label: str, turn: Turn, done: Callable[[], None], delay: float) -> None:
        if delay:
            await self._clock.pause(delay)
        pause = MIN_RETRY_SECONDS
        while not await _succeeds(label, turn):
            await asyncio.sleep(pause)
            pause = min(2 * pause, MAX_RETRY_SECONDS)
        self._tasks.pop(seat, None)
        done()


async def _succeeds(label: str, turn: Turn) -> bool:
    try:
        await turn()
    except Unwritable:  # logged by the repository
        return False
    except PolyopolisError as error:
        logger.warning("%s is retried: %s", label, error)
        return False
    except Exception:
        logger.exception("the turn of %s could not be persisted", label)
        return False
    return True
