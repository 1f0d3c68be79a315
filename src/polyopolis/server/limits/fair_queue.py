"""Fair sharing of what is scarce: processes of bots, the reviewer, the scribe.

Jobs wait in a `FairQueue`. The time that they take is charged to the address, the person and the table that they are
for, and whoever has used least goes next. Addresses of IPv6 are charged with the wider networks that they belong to.
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
"""Seconds after which half of the time that somebody has used is forgotten."""
ASSUMED_JOB_SECONDS = 0.1
"""Seconds that a job is charged for until it is done."""
LITTLE = ASSUMED_JOB_SECONDS / 10
"""Seconds of used time that are as good as none. Less than a guess, which has to last until its job is done."""
FEW_ACCOUNTS = 1_000
"""Accounts of used time that are kept without looking whether they can be forgotten."""
IDLE = 2
"""The priority of jobs that nobody waits for."""


@dataclass(frozen=True)
class FairShareKey:
    """Who is charged for a job."""

    address: str
    person: str
    table: str = ""

    @cached_property
    def networks(self) -> tuple[tuple[Hashable, int], ...]:
        """The accounts of the address and of the networks around it, each with its multiple of an address' share."""
        return tuple((("address", network), multiple) for network, multiple in networks_of(self.address))

    @cached_property
    def owners(self) -> tuple[Hashable, Hashable]:
        """The accounts of the person and the table."""
        return ("person", self.person), ("table", self.table)


class DecayingUsage:
    """Seconds that somebody has had of what is shared, forgotten with time."""

    def __init__(self, clock: Callable[[], float] = monotonic) -> None:
        self._clock = clock
        self._used: dict[Hashable, tuple[float, float]] = {}
        self._many = FEW_ACCOUNTS

    def charge(self, share: FairShareKey, seconds: float) -> None:
        now = self._clock()
        for account in (*(network for network, _ in share.networks), *share.owners):
            self._used[account] = max(self._left(account, now) + seconds, 0.0), now
        if len(self._used) > self._many:
            self.forget()
            self._many = FEW_ACCOUNTS + 2 * len(self._used)

    def now(self) -> Callable[[FairShareKey], tuple[float, float, float]]:
        """Return what tells the seconds that the address, the person and the table of a share have used until now.

        For an address that is the network around it that has used most, measured by its multiple.
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
        """Drop the accounts on which hardly anything is left."""
        now = self._clock()
        self._used = {account: used for account, used in self._used.items() if self._left(account, now) > LITTLE}

    def _left(self, account: Hashable, now: float) -> float:
        used, since = self._used.get(account, (0.0, now))
        return float(used * 0.5 ** ((now - since) / HALF_LIFE_SECONDS))


@dataclass(eq=False)
class Job:
    """Something that waits for its turn."""

    share: FairShareKey
    answer: asyncio.Future[Any] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future(), kw_only=True
    )
    """What the job waits for. A job whose answer is done or cancelled leaves the queue."""
    number: int = field(default=0, kw_only=True)
    """Counts the jobs of a queue; set by it."""
    begun: bool = field(default=False, kw_only=True)
    """Whether it has had a turn. Such a job may wait again without being refused, and gives way last."""
    since: float = field(default=0.0, kw_only=True)
    """When its last turn began."""

    @property
    def priority(self) -> int:
        """0 comes first. A job displaces only jobs of its own priority and below."""
        return 0

    def rank(self, address: float, person: float, table: float) -> tuple[float, ...]:
        """Return what jobs are ordered by, the smallest first, given the seconds that its share has used."""
        return round(address, 2), round(person, 2), self.number


J = TypeVar("J", bound=Job)


@dataclass(frozen=True)
class Bounds:
    """How many jobs may wait: in all, of an address and of a person; and what is said of one more."""

    total: int
    of_address: int
    of_person: int
    refusal: str
    wait: int
    """Seconds after which to ask again."""

    def busy(self) -> Busy:
        return Busy(self.refusal, self.wait)


class FairQueue(Generic[J]):
    """Jobs that wait, at most as many as the bounds say.

    When no place is free a new job takes that of the newest one of the address, and there of the person, that has most
    jobs waiting, unless its own address would then have more. The answer of the displaced job is `Busy`.
    """

    def __init__(self, bounds: Bounds, clock: Callable[[], float] = monotonic) -> None:
        self._bounds = bounds
        self._waiting: dict[J, None] = {}
        self._counts = Counter[Hashable]()
        """How many of them each network and each person has."""
        self._numbers = count()
        self._used = DecayingUsage(clock)

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, job: J) -> None:
        """Let a job wait, or raise `Busy`. One that has begun keeps its number and is never refused."""
        self._drop_done()
        if not job.begun:
            if displaced := self._displaced_by(job):
                self._remove(displaced)
                displaced.answer.set_exception(self._bounds.busy())
                displaced.answer.exception()  # nobody may be left to retrieve it, which asyncio would log
            job.number = next(self._numbers)
        self._waiting[job] = None
        self._counts.update(_counted(job))

    def next(self) -> J | None:
        """Remove and return the job whose turn it is."""
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
        """Charge what a job took, in place of the guess."""
        self.charge(job.share, seconds - ASSUMED_JOB_SECONDS)

    def charge(self, share: FairShareKey, seconds: float) -> None:
        self._used.charge(share, seconds)

    def _drop_done(self) -> None:
        for job in [job for job in self._waiting if job.answer.done()]:
            self._remove(job)

    def _remove(self, job: J) -> None:
        del self._waiting[job]
        for account in _counted(job):
            self._counts[account] -= 1
            if not self._counts[account]:
                del self._counts[account]

    def _displaced_by(self, job: J) -> J | None:
        """Return the job that gives way to a new one, None if a place is free. Raise `Busy` if there is neither."""
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
        """Return what the job that gives way first has most of."""
        load = max(self._counts[network] / multiple for network, multiple in job.share.networks)
        return job.priority == IDLE, load, self._counts[job.share.owners[0]], not job.begun, job.number

    def _gives_way(self, old: J, new: J) -> bool:
        """Whether those of the new job would not have more waiting than those of the old one, once it has gone."""
        if old.priority == IDLE != new.priority:
            return True
        return self._load(new.share, old.share, 1) <= self._load(old.share, new.share, -1)

    def _load(self, share: FairShareKey, other: FairShareKey, change: int) -> tuple[float, int]:
        """By address and person. Networks that both belong to stay as they are."""
        load = max(
            (self._counts[network[0]] + (0 if network in other.networks else change)) / network[1]
            for network in share.networks
        )
        return load, self._counts[share.owners[0]] + change


def _counted(job: Job) -> tuple[Hashable, ...]:
    """The accounts that a waiting job counts for."""
    return (*(network for network, _ in job.share.networks), job.share.owners[0])


class Turns(Generic[J]):
    """Gives turns to jobs of a `FairQueue`, so many at a time."""

    def __init__(self, bounds: Bounds, places: int = 1, clock: Callable[[], float] = monotonic) -> None:
        self._queue = FairQueue[J](bounds, clock)
        self._free = places
        self._clock = clock
        self._left = 0.0
        """When the last turn ended."""

    async def take(self, job: J) -> None:
        """Wait for a turn, which ends with `leave`; `Busy` if the job must not wait."""
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
        """End a turn. While several ran, the time since the last one ended is charged: they shared one worker."""
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
