"""What takes a while to read or to write is done in a process of its own; what is handed on is packed there."""

import asyncio
import gzip
import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from polyopolis.play.errors import NotFound, Unreadable
from polyopolis.server.workers.worker_process import WorkerProcess

READER = 10
"""How far a scribe stands back where there are fewer cores than work."""
LEVEL = 5
"""Of packing: quick, and hardly larger than the best."""


class ExportProcess:
    """A `Scribe` who packs what is handed on."""

    def __init__(self) -> None:
        self._worker = WorkerProcess({}, _ready)

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes:
        return await self._done(_packed, work, about)

    async def read(self, work: Callable[..., bytes], *about: Any) -> bytes:
        return await self._done(work, *about)

    async def _done(self, work: Callable[..., bytes], *about: Any) -> bytes:
        worker = self._worker
        try:
            return await asyncio.get_running_loop().run_in_executor(worker.pool, partial(work, *about))
        except BrokenProcessPool:
            if worker is self._worker:  # once, whoever notices first
                worker.close()
                self._worker = WorkerProcess({}, _ready)
            raise

    def close(self) -> None:
        self._worker.close()


def _packed(work: Callable[..., bytes], about: tuple[Any, ...]) -> bytes:
    try:
        return gzip.compress(work(*about), LEVEL, mtime=0)
    except NotFound:
        raise
    except Exception as error:  # whatever rules say of moves that are not theirs, as what can travel between processes
        raise Unreadable(f"the match cannot be re-played: {error}") from None


def _ready() -> None:
    """Whatever a scribe needs is imported with these. Whoever plays goes before whoever reads."""
    if hasattr(os, "nice"):
        os.nice(READER)
    import polyopolis.play.history.match_exports  # noqa: F401, PLC0415
