"""Processes that are born in an environment of their own and begin with a task."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from multiprocessing.connection import wait
from signal import SIG_IGN, SIGINT, SIGTERM, signal

from polyopolis.bots.tournaments.executors import end_with_parent


class WorkerProcess:
    """One process: what it is asked it does in order."""

    def __init__(self, environment: Mapping[str, str], task: Callable[[], None]) -> None:
        self.pool = ProcessPoolExecutor(1, get_context("spawn"), _settle_in)
        others = set(active_children())
        with _environment(environment):  # a pool bears a process with each task that finds none idle
            self._begun = self.pool.submit(task)
        self._processes = set(active_children()) - others

    @property
    def ready(self) -> bool:
        return self._begun.done()

    @property
    def alive(self) -> bool:
        """Whether it runs. `is_alive` may return True for a dead process while the thread of the pool waits for it."""
        return len(wait([process.sentinel for process in self._processes], 0)) < len(self._processes)

    async def begun(self) -> None:
        """Until it is there and has done its first task."""
        await asyncio.shield(asyncio.wrap_future(self._begun))

    def close(self) -> None:
        """At once: nobody needs what it does any more."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()  # one that hangs hears nothing else

    def retire(self) -> None:
        """It does to the end what it was asked."""
        self.pool.shutdown(wait=False)


def _settle_in() -> None:
    """In the process: whoever ends the server ends it, too, and it outlives no server that was killed."""
    for told in (SIGINT, SIGTERM):  # a whole group of processes may be told at once
        signal(told, SIG_IGN)
    end_with_parent()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """For processes that are born meanwhile: what they import looks there."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
