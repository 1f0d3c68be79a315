"""Fair queueing for shared workers: bot processes, the review process, expensive requests.

The time of a job is charged to its address, person and table; the job whose accounts have used the least time is next.
IPv6 addresses are charged together with the wider networks that contain them.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Hashable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cached_property
from itertools import count
from time import monotonic
from typing import Any, Generic, TypeVar

from polyopolis.play.errors import Busy
from polyopolis.server.limits.client_addresses import networks_of

HALF_LIFE_SECONDS = 30.0
"""Half-life of the used time of an account."""
ASSUMED_JOB_SECONDS = 0.1
"""Charge of a running job, replaced by its actual time at the end."""
NEGLIGIBLE_SECONDS = ASSUMED_JOB_SECONDS / 10
"""Accounts with less used time are dropped; below `ASSUMED_JOB_SECONDS`, which must last until a job is done."""
MIN_PRUNED_ACCOUNTS = 1_000
"""Minimum number of accounts before negligible ones are dropped."""
IDLE_PRIORITY = 2
"""Priority of background jobs."""


@dataclass(frozen=True)
class FairShareKey:
    """The address, person and table to which a job is charged."""

    address: str
    person: str
    table: str = ""

    @cached_property
    def networks(self) -> tuple[tuple[Hashable, int], ...]:
        """The accounts of the address and of its wider networks, each with its multiple of the share of an address."""
        return tuple((("address", network), multiple) for network, multiple in networks_of(self.address))

    @cached_property
    def owners(self) -> tuple[Hashable, Hashable]:
        """The accounts of the person and the table."""
        return ("person", self.person), ("table", self.table)


class DecayingUsage:
    """Seconds used by each account, with exponential decay."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used: dict[Hashable, tuple[float, float]] = {}
        self._many = MIN_PRUNED_ACCOUNTS

    def charge(self, share: FairShareKey, seconds: float) -> None:
        now = self._clock()
        for account in (*(network for network, _ in share.networks), *share.owners):
            self._used[account] = max(self._left(account, now) + seconds, 0.0), now
        if len(self._used) > self._many:
            self.forget()
            self._many = MIN_PRUNED_ACCOUNTS + 2 * len(self._used)

    def now(self) -> Callable[[FairShareKey], tuple[float, float, float]]:
        """Returns a function to the current used seconds of the address, person and table of a key.

        The value of an address is the maximum over its networks, each divided by its multiple.
        """
        now, known = self._clock(), dict[Hashable, float]()

        def left(account: Hashable) -> float:
            if account not in known:
                known[account] = self._left(account, now)
            return known[account]

        def of(share: FairShareKey) -> tuple[float, float, float]:
            address = known.get(share.address)
            if address is None:
                address = max(left(network) / multiple for network, multiple in share.networks)
                known[share.address] = address
            person, table = share.owners
            return address, left(person), left(table)

        return of

    def forget(self) -> None:
        """Drops accounts with negligible used time."""
        now = self._clock()
        self._used = {
            account: used for account, used in self._used.items() if self._left(account, now) > NEGLIGIBLE_SECONDS
        }

    def _left(self, account: Hashable, now: float) -> float:
        used, since = self._used.get(account, (0.0, now))
        return float(used * 0.5 ** ((now - since) / HALF_LIFE_SECONDS))


@dataclass(eq=False)
class Job:
    """A job in a `FairQueue`."""

    share: FairShareKey
    answer: asyncio.Future[Any] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), kw_only=True
    )
    """The awaited result. A job leaves the queue when its answer is done or cancelled."""
    number: int = field(default=0, kw_only=True)
    """Sequence number, set by the queue."""
    begun: bool = field(default=False, kw_only=True)
    """Whether the job has run before. Such a job is never refused, and is displaced last."""
    since: float = field(default=0.0, kw_only=True)
    """Start of its last run."""

    @property
    def priority(self) -> int:
        """0 is the highest. A job displaces only jobs of the same or a lower priority."""
        return 0

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        """Returns the sort key, smallest first, for the used seconds of its accounts."""
        return round(address, 2), round(person, 2), self.number


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class QueueLimits:
    """Maximum number of queued jobs in total, per address and per person, and the error beyond it."""

    total: int
    of_address: int
    of_person: int
    refusal: str
    wait: int
    """Seconds after which the client should retry."""

    def busy(self) -> Busy:
        return Busy(self.refusal, self.wait)


class FairQueue(Generic[J]):
    """A bounded queue of jobs.

    When it is full, a new job displaces the newest job of the address, and there of the person, with the most queued
    jobs, unless the address of the new job would then have more. The answer of a displaced job is `Busy`.
    """

    def __init__(self, bounds: QueueLimits, clock: Callable[[], float] = monotonic) -> None:
        self._bounds = bounds
        self._waiting: dict[J, None] = {}
        self._counts = Counter[Hashable]()
        """Number of queued jobs of each network and each person."""
        self._numbers = count()
        self._used = DecayingUsage(clock)

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, job: J) -> None:
        """Adds a job, or raises `Busy`. A job that has begun keeps its number and is never refused."""
        self._drop_done()
        if not job.begun:
            if displaced := self._displaced_by(job):
                self._remove(displaced)
                displaced.answer.set_exception(self._bounds.busy())
                displaced.answer.exception()  # mark as retrieved, or asyncio would log it
            job.number = next(self._numbers)
        self._waiting[job] = None
        self._counts.update(_accounts(job))

    def next(self) -> J | None:
        """Removes and returns the next job."""
        self._drop_done()
        if not self._waiting:
            self._used.forget()
            return None
        used = self._used.now()
        found = min(self._waiting, key=lambda job: job.rank(*used(job.share)))
        self._remove(found)
        found.begun = True
        self.charge(found.share, ASSUMED_JOB_SECONDS)
        return found

    def done(self, job: J, seconds: float) -> None:
        """Replaces the assumed charge of a job by its actual time."""
        self.charge(job.share, seconds - ASSUMED_JOB_SECONDS)

    def charge(self, share: FairShareKey, seconds: float) -> None:
        self._used.charge(share, seconds)

    def _drop_done(self) -> None:
        for job in [job for job in self._waiting if job.answer.done()]:
            self._remove(job)

    def _remove(self, job: J) -> None:
        del self._waiting[job]
        for account in _accounts(job):
            self._counts[account] -= 1
            if not self._counts[account]:
                del self._counts[account]

    def _displaced_by(self, job: J) -> J | None:
        """Returns the job that a new one displaces, None if there is room; raises `Busy` if there is neither."""
        bounds, share = self._bounds, job.share
        if self._counts[share.owners[0]] >= bounds.of_person:
            raise bounds.busy()
        full = (each for each in share.networks if self._counts[each[0]] >= each[1] * bounds.of_address)
        network = next(full, None)
        if network is None and len(self._waiting) < bounds.total:
            return None
        near = (other for other in self._waiting if network is None or network in other.share.networks)
        found = max((other for other in near if other.priority >= job.priority), key=self._excess, default=None)
        if found is None or not self._gives_way(found, job):
            raise bounds.busy()
        return found

    def _excess(self, job: J) -> tuple[bool, float, int, bool, int]:
        """Returns the sort key by which the job with the largest key is displaced."""
        load = max(self._counts[network] / multiple for network, multiple in job.share.networks)
        return job.priority == IDLE_PRIORITY, load, self._counts[job.share.owners[0]], not job.begun, job.number

    def _gives_way(self, old: J, new: J) -> bool:
        """Whether the address and person of the new job would not have more queued jobs than those of the old one."""
        if old.priority == IDLE_PRIORITY != new.priority:
            return True
        return self._load(new.share, old.share, 1) <= self._load(old.share, new.share, -1)

    def _load(self, share: FairShareKey, other: FairShareKey, change: int) -> tuple[float, int]:
        """Returns the load of an address and a person after a change; shared networks do not change."""
        load = max(
            (self._counts[network[0]] + (0 if network in other.networks else change)) / network[1]
            for network in share.networks
        )
        return load, self._counts[share.owners[0]] + change


def _accounts(job: Job) -> tuple[Hashable, ...]:
    """Returns the accounts whose queued jobs are counted."""
    return (*(network for network, _ in job.share.networks), job.share.owners[0])


class FairScheduler(Generic[J]):
    """Runs a limited number of jobs of a `FairQueue` at a time."""

    def __init__(self, bounds: QueueLimits, places: int = 1, clock: Callable[[], float] = monotonic) -> None:
        self._queue = FairQueue[J](bounds, clock)
        self._free = places
        self._clock = clock
        self._left = 0.0
        """End of the last run."""

    async def take(self, job: J) -> None:
        """Waits until the job may run, or raises `Busy`; `leave` ends the run."""
        job.answer = asyncio.get_running_loop().create_future()
        self._queue.put(job)
        self._begin()
        try:
            await job.answer
        except asyncio.CancelledError:
            if not job.answer.cancelled() and not job.answer.exception():
                self.leave(job)
            raise

    def leave(self, job: J) -> None:
        """Ends a run. Of parallel runs, only the time since the last one ended is charged: they shared a worker."""
        now = self._clock()
        self._queue.done(job, now - max(job.since, self._left))
        self._left = now
        self._free += 1
        self._begin()

    @asynccontextmanager
    async def turn(self, job: J) -> AsyncIterator[None]:
        await self.take(job)
        try:
            yield
        finally:
            self.leave(job)

    def _begin(self) -> None:
        while self._free and (job := self._queue.next()):
            self._free -= 1
            job.since = self._clock()
            job.answer.set_result(None)
