"""Many hands for the same work: what is handed out comes back in its order, whoever did it and however often.

Work is a function of a module and its tasks are values, so that every hand can do them, and do them again: a hand that
dies is replaced, and what it held is done by another one. Here hands are processes; `cluster.py` has those of Ray.
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
Errand = TypeVar("Errand")

AHEAD = 4
"""Batches that are out for each hand: enough that none is idle while the oldest one takes long, few enough to hold."""
TRIES = 3
"""How often work is done again that a hand died of."""


class WorkersLost(PolyopolisError):
    """There is nobody to do the work, or nobody who survives it."""


class Executor(ABC):
    """They are held for a while, `with here(4) as hands`; what they still do when they are let go is given up."""

    @abstractmethod
    def each(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], chunk: int = 1, weighed: bool = True
    ) -> Iterator[Done]:
        """What comes of each task, in the order of the tasks, as it is finished; so many at a time go to one hand.

        Work is weighed if it plays by the weights that are installed: then they must be the same wherever it is done.
        """

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        return None


def local_executor(jobs: int) -> Executor:
    """Hands on this machine."""
    return ProcessExecutor(jobs) if jobs > 1 else InlineExecutor()


class InlineExecutor(Executor):
    """One's own: a task is done when what comes of it is asked for."""

    def each(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], chunk: int = 1, weighed: bool = True
    ) -> Iterator[Done]:
        return map(work, tasks)


class ParallelExecutor(Executor, Generic[Errand]):
    """Hands that work side by side. An errand is a batch of tasks that is out."""

    def each(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], chunk: int = 1, weighed: bool = True
    ) -> Iterator[Done]:
        rest, out = iter(tasks), deque[Errand]()
        while batch := list(islice(rest, chunk)):
            out.append(self.send(work, batch, weighed))
            if len(out) >= AHEAD * self.count():
                yield from self.first_back(out)
        while out:
            yield from self.first_back(out)

    @abstractmethod
    def count(self) -> int:
        """How many hands there are now."""

    @abstractmethod
    def send(self, work: Callable[[Task], Done], tasks: list[Task], weighed: bool) -> Errand: ...

    @abstractmethod
    def first_back(self, out: deque[Errand]) -> Sequence[Any]:
        """Waits for the first of the errands that are out, and takes it from them: what came of each task."""


def do(work: Callable[[Task], Done], tasks: Iterable[Task]) -> list[Done]:
    """An errand, by whoever runs it."""
    return [work(task) for task in tasks]


class WorkerHandle:
    """A process that runs one errand at a time.

    Its pipe is its own, so that it ends wherever the process dies: one that processes share is held open by the others,
    and half an answer in it is waited for without end.
    """

    def __init__(self) -> None:
        self._lock, self._closed = Lock(), False
        self._process: BaseProcess | None = None
        self._pipe: Connection | None = None

    def run(self, work: Callable[[Task], Done], tasks: list[Task]) -> list[Done]:
        for _ in range(TRIES + 1):
            pipe = self._pipe or self._begin()
            try:
                pipe.send((work, tasks))
                found, error = pipe.recv()
            except (EOFError, OSError):  # it died
                self.bury()
                continue
            if error:
                raise error
            return cast("list[Done]", found)
        raise WorkersLost(f"processes died {TRIES + 1} times in a row of the same work")

    def close(self) -> None:
        """At once: nobody needs what it does, and whoever waits for it is told."""
        with self._lock:
            self._closed = True
            if self._process:
                self._process.kill()

    def bury(self) -> None:
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
                raise WorkersLost("the work was given up")
            context = get_context("spawn")
            self._pipe, theirs = context.Pipe()
            self._process = context.Process(target=_serve, args=(theirs,), daemon=True)
            self._process.start()
            theirs.close()
            return self._pipe


def end_with_parent() -> None:
    """Ends this process when the one that started it has ended, however that ended, and in the middle of its work."""
    if parent := parent_process():
        Thread(target=_end_after, args=(parent.sentinel,), daemon=True).start()


def _end_after(sentinel: int) -> None:
    wait([sentinel])
    os._exit(0)


def _serve(pipe: Connection) -> None:
    """In the process, for as long as there is somebody at the other end."""
    signal(SIGINT, SIG_IGN)  # Ctrl-C is for whoever handed it out
    end_with_parent()
    with suppress(EOFError, OSError):
        while True:
            work, tasks = pipe.recv()
            answer: tuple[list[Any] | None, Exception | None]
            try:
                answer = do(work, tasks), None
            except Exception as error:  # whatever it is, it is theirs
                answer = None, error
            pipe.send(answer)


class ProcessExecutor(ParallelExecutor["Future[list[Any]]"]):
    """So many processes on this machine, each with a thread that waits for it."""

    def __init__(self, jobs: int) -> None:
        self._hands = [WorkerHandle() for _ in range(jobs)]
        self._idle = SimpleQueue[WorkerHandle]()
        for hand in self._hands:
            self._idle.put(hand)
        self._threads = ThreadPoolExecutor(jobs)

    def count(self) -> int:
        return len(self._hands)

    def send(self, work: Callable[[Task], Done], tasks: list[Task], weighed: bool) -> "Future[list[Any]]":
        return self._threads.submit(self._run, work, tasks)

    def first_back(self, out: "deque[Future[list[Any]]]") -> Sequence[Any]:
        return out.popleft().result()

    def __exit__(self, *error: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for hand in self._hands:
            hand.close()
        self._threads.shutdown()
        for hand in self._hands:
            hand.bury()

    def _run(self, work: Callable[[Task], Done], tasks: list[Task]) -> list[Done]:
        hand = self._idle.get()
        try:
            return hand.run(work, tasks)
        finally:
            self._idle.put(hand)
