"""Runs exports and imports in a worker process, which also compresses the output."""

import asyncio
import gzip
import os
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from typing import Any

from polyopolis.play.errors import NotFound, Unreadable
from polyopolis.server.workers.worker_process import WorkerProcess

NICENESS = 10
"""Scheduling priority: bots go first where cores are scarce."""
GZIP_LEVEL = 5
"""Fast, and the output is hardly larger than at level 9."""


class ExportProcess:
    """An `ExportWorker` on a worker process. What it writes is compressed."""

    def __init__(self) -> None:
        self._worker = WorkerProcess({}, _init_worker)

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes:
        return await self._run(_compressed, work, about)

    async def read(self, work: Callable[..., bytes], *about: Any) -> bytes:
        return await self._run(work, *about)

    async def _run(self, work: Callable[..., bytes], *about: Any) -> bytes:
        worker = self._worker
        try:
            return await asyncio.get_running_loop().run_in_executor(worker.pool, partial(work, *about))
        except BrokenProcessPool:
            if worker is self._worker:  # several callers may notice it
                worker.close()
                self._worker = WorkerProcess({}, _init_worker)
            raise

    def close(self) -> None:
        self._worker.close()


def _compressed(work: Callable[..., bytes], about: tuple[Any, ...]) -> bytes:
    try:
        return gzip.compress(work(*about), GZIP_LEVEL, mtime=0)
    except NotFound:
        raise
    except Exception as error:  # rules raise any error for illegal moves, and not all can be pickled
        raise Unreadable(f"the match cannot be re-played: {error}") from None


def _init_worker() -> None:
    """Worker initializer: lowers the process priority and imports everything that exports need."""
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    import polyopolis.play.history.match_exports  # noqa: F401, PLC0415
