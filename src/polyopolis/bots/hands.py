"""Many hands for the same work: what is handed out comes back in its order, whoever did it and however often.

Work is a function of a module and its tasks are values, so that every hand can do them, and do them again: a hand that
dies is replaced, and what it held is done by another one. Here hands are processes; `cluster.py` has those of Ray.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from multiprocessing import active_children, get_context
from signal import SIG_IGN, SIGINT, signal
from typing import Any, Generic, Self, TypeVar

from polyopolis.engine import PolyopolisError

Task = TypeVar("Task")
Done = TypeVar("Done")
Errand = TypeVar("Errand")

AHEAD = 4
"""Batches that are out for each hand: enough that none is idle while the oldest one takes long, few enough to hold."""
TRIES = 3
"""How often work is done again that a hand died of."""


class LostHands(PolyopolisError):
    """There is nobody to do the work, or nobody who survives it."""


class Hands(ABC):
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


def here(jobs: int) -> Hands:
    """Hands on this machine."""
    return Processes(jobs) if jobs > 1 else Alone()


class Alone(Hands):
    """One's own: a task is done when what comes of it is asked for."""

    def each(
        self, work: Callable[[Task], Done], tasks: Iterable[Task], chunk: int = 1, weighed: bool = True
    ) -> Iterator[Done]:
        return map(work, tasks)


class Others(Hands, Generic[Errand]):
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


class Sent:
    """An errand of processes. They all die together, so it may have to be sent again before it is asked for."""

    def __init__(self, work: Callable[[Any], Any], tasks: list[Any]) -> None:
        self._work, self._tasks = work, tasks
        self.back = Future[list[Any]]()

    def go(self, pool: ProcessPoolExecutor) -> None:
        try:
            self.back = pool.submit(do, self._work, self._tasks)
        except BrokenProcessPool as error:  # it is found out when it is asked for
            self.back = Future()
            self.back.set_exception(error)

    @property
    def lost(self) -> bool:
        return self.back.done() and isinstance(self.back.exception(), BrokenProcessPool)


class Processes(Others[Sent]):
    """So many processes on this machine."""

    def __init__(self, jobs: int) -> None:
        self._jobs, self._deaths = jobs, 0
        self._before = set(active_children())
        self._pool = self._new_pool()

    def count(self) -> int:
        return self._jobs

    def send(self, work: Callable[[Task], Done], tasks: list[Task], weighed: bool) -> Sent:
        sent = Sent(work, tasks)
        sent.go(self._pool)
        return sent

    def first_back(self, out: deque[Sent]) -> Sequence[Any]:
        while True:
            try:
                found = out[0].back.result()
            except BrokenProcessPool as error:
                self._replace(out, error)
            else:
                self._deaths = 0
                out.popleft()
                return found

    def __exit__(self, *error: object) -> None:
        for process in set(active_children()) - self._before:
            process.kill()  # nobody waits for what it does
        self._pool.shutdown(cancel_futures=True)

    def _new_pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._jobs, get_context("spawn"), signal, (SIGINT, SIG_IGN))  # Ctrl-C is for us

    def _replace(self, out: Iterable[Sent], error: BrokenProcessPool) -> None:
        self._deaths += 1
        if self._deaths > TRIES:
            raise LostHands(f"processes died {self._deaths} times in a row of the same work") from error
        self._pool.shutdown()
        self._pool = self._new_pool()
        for sent in out:
            if sent.lost:
                sent.go(self._pool)
