"""Executors: run tasks in parallel and yield their results in submission order.

The work is a module-level function and tasks are values, so every worker can run them, also repeatedly: when a worker
dies it is replaced, and its tasks run again. Workers are processes on this machine; `ray_executor.py` uses a Ray
cluster.
"""

import os
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from queue import SimpleQueue
from signal import SIG_IGN, SIGINT, signal
from threading import Lock, Thread
from typing import Any, Generic, Self, TypeVar, cast

from polyopolis.engine import PolyopolisError

Task = TypeVar("Task")
Done = TypeVar("Done")
Batch = TypeVar("Batch")

BATCHES_PER_WORKER = 4
"""Batches in flight per worker. More would use more memory; fewer would leave workers idle behind a slow batch."""
MAX_RETRIES = 3
"""Number of times a batch is repeated after its worker has died."""


class WorkersLost(PolyopolisError):
    """No worker is available, or workers died repeatedly of the same batch."""


class Executor(ABC):
    """Runs tasks. A context manager: leaving it cancels the remaining work."""

    @abstractmethod
    def map(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], batch_size: int = 1, uses_weights: bool = True
    ) -> Iterator[Done]:
        """Yields the result of each task in order. Tasks are sent to workers in batches of `batch_size`.

        With `uses_weights` the work depends on the installed weights and nets; they must be the same on all workers.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def local_executor(jobs: int) -> Executor:
    """Executor with this number of processes; a single job runs in this process."""
    return ProcessExecutor(jobs) if jobs > 1 else InlineExecutor()


class InlineExecutor(Executor):
    """Runs each task in this process when its result is requested."""

    def map(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], batch_size: int = 1, uses_weights: bool = True
    ) -> Iterator[Done]:
        return map(work, tasks)


class ParallelExecutor(Executor, Generic[Batch]):
    """Base class of executors with several workers. `Batch` is the type of a pending batch."""

    def map(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], batch_size: int = 1, uses_weights: bool = True
    ) -> Iterator[Done]:
        rest, out = iter(tasks), deque[Batch]()
        while batch := list(islice(rest, batch_size)):
            out.append(self.submit(work, batch, uses_weights))
            if len(out) >= BATCHES_PER_WORKER * self.worker_count():
                yield from self.take_first(out)
        while out:
            yield from self.take_first(out)

    @abstractmethod
    def worker_count(self) -> int:
        """Current number of workers."""

    @abstractmethod
    def submit(self, work: Callable[[Task], Done], tasks: list[Task], uses_weights: bool) -> Batch: ...

    @abstractmethod
    def take_first(self, out: deque[Batch]) -> Sequence[Any]:
        """Waits for the first pending batch, removes it from `out` and returns its results."""


def run_batch(work: Callable[[Task], Done], tasks: Iterable[Task]) -> list[Done]:
    """Runs a batch in this process."""
    return [work(task) for task in tasks]


class WorkerHandle:
    """A process that runs one batch at a time.

    Each process has its own pipe, so that reading it fails when the process dies. A shared pipe would be kept open by
    the other processes, and reading half an answer from it would block forever.
    """

    def __init__(self) -> None:
        self._lock, self._closed = Lock(), False
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def run(self, work: Callable[[Task], Done], tasks: list[Task]) -> list[Done]:
        for _ in range(MAX_RETRIES + 1):
            pipe = self._pipe or self._begin()
            try:
                pipe.send((work, tasks))
                found, error = pipe.recv()
            except (EOFError, OSError):  # the process died
                self.discard()
                continue
            if error:
                raise error
            return cast("list[Done]", found)
        raise WorkersLost(f"worker processes died {MAX_RETRIES + 1} times in a row while running the same batch")

    def close(self) -> None:
        """Kills the process. A waiting `run` raises `WorkersLost`."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def discard(self) -> None:
        """Kills the process and closes its pipe; the next `run` starts a new process."""
        with self._lock:
            if self._process:
                self._process.kill()
                self._process.join()
            if self._pipe:
                self._pipe.close()
            self._process = self._pipe = None

    def _begin(self) -> Connection:
        with self._lock:
            if self._closed:
                raise WorkersLost("the work was cancelled")
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve_batches, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            return self._pipe


def end_with_parent() -> None:
    """Exits this process as soon as its parent process has ended for any reason, even during work."""
    if parent := parent_process():
        Thread(target=_exit_after, args=(parent.sentinel,), daemon=True).start()


def _exit_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _serve_batches(pipe: Connection) -> None:
    """Main function of a worker process: runs batches until the pipe is closed."""
    signal(SIGINT, SIG_IGN)  # Ctrl-C is handled by the parent process
    end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            work, tasks = pipe.recv()
            answer: tuple[list[Any] | None, Exception | None]
            try:
                answer = run_batch(work, tasks), None
            except Exception as error:  # raised again in the parent process
                answer = None, error
            pipe.send(answer)


class ProcessExecutor(ParallelExecutor["Future[list[Any]]"]):
    """Runs batches in processes on this machine, each with a thread that waits for its results."""

    def __init__(self, jobs: int) -> None:
        self._workers = [WorkerHandle() for _ in range(jobs)]
        self._idle = SimpleQueue[WorkerHandle]()
        for worker in self._workers:
            self._idle.put(worker)
        self._threads = ThreadPoolExecutor(jobs)

    def worker_count(self) -> int:
        return len(self._workers)

    def submit(self, work: Callable[[Task], Done], tasks: list[Task], uses_weights: bool) -> "Future[list[Any]]":
        return self._threads.submit(self._run, work, tasks)

    def take_first(self, out: "deque[Future[list[Any]]]") -> Sequence[Any]:
        return out.popleft().result()

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for worker in self._workers:
            worker.close()
        self._threads.shutdown()
        for worker in self._workers:
            worker.discard()

    def _run(self, work: Callable[[Task], Done], tasks: list[Task]) -> list[Done]:
        worker = self._idle.get()
        try:
            return worker.run(work, tasks)
        finally:
            self._idle.put(worker)
