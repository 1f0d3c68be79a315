"""A process pool with a single worker that exits with the server."""

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
    """One process, started with extra environment variables and an initial task. It runs tasks in order."""

    def __init__(self, environment: Mapping[str, str], task: Callable[[], None]) -> None:
        self.pool = ProcessPoolExecutor(1, get_context("spawn"), _init_worker)
        others = set(active_children())
        with _environment(environment):  # the pool starts its process with the first task
            self._first_task = self.pool.submit(task)
        self._processes = set(active_children()) - others

    @property
    def ready(self) -> bool:
        return self._first_task.done()

    @property
    def alive(self) -> bool:
        """Whether the process runs. `is_alive` may return True for a dead process while the pool waits for it."""
        return len(wait([process.sentinel for process in self._processes], 0)) < len(self._processes)

    async def begun(self) -> None:
        """Waits until the initial task is done."""
        await asyncio.shield(asyncio.wrap_future(self._first_task))

    def close(self) -> None:
        """Kills the process."""
        self.pool.shutdown(wait=False, cancel_futures=True)
        for process in self._processes:
            process.kill()  # a process that hangs does not react to SIGTERM

    def retire(self) -> None:
        """Lets the process finish its tasks and exit."""
        self.pool.shutdown(wait=False)


def _init_worker() -> None:
    """Worker initializer: the server ends the process, or the process exits when the server has died."""
    for number in (SIGINT, SIGTERM):  # these may be sent to the whole process group
        signal(number, SIG_IGN)
    end_with_parent()


@contextmanager
def _environment(values: Mapping[str, str]) -> Iterator[None]:
    """Sets environment variables for processes that are started meanwhile: their imports read them."""
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
