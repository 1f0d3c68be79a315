"""Fair queueing by address and network, then by person."""

from dataclasses import replace

import pytest

from polyopolis.play.errors import Busy
from polyopolis.server.limits.fair_queue import FairQueue, FairScheduler, FairShareKey, Job, QueueLimits

pytestmark = pytest.mark.anyio
FEW = QueueLimits(total=8, of_address=6, of_person=4, refusal="too many wait", wait=7)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def job(name: str) -> Job:
    """Creates a job from `address/person`."""
    address, _, person = name.rpartition("/")
    return Job(FairShareKey(address, person))


def put(queue: FairQueue[Job], name: str) -> Job:
    queue.put(found := job(name))
    return found


def is_displaced(job: Job) -> bool:
    return job.answer.done() and isinstance(job.answer.exception(), Busy)


def queue_of(bounds: QueueLimits = FEW) -> FairQueue[Job]:
    return FairQueue[Job](bounds, Clock())


async def test_a_refused_job_gets_the_seconds_to_wait() -> None:
    queue = queue_of()
    for _ in range(FEW.of_person):
        put(queue, "far/ada")
    with pytest.raises(Busy, match="too many wait") as refused:
        put(queue, "far/ada")
    assert refused.value.wait == FEW.wait


async def test_a_new_address_displaces_the_newest_job_of_the_address_with_most() -> None:
    queue = queue_of()
    few, many = [put(queue, "a/ada") for _ in range(3)], [put(queue, f"b/{person}") for person in "bbcdd"]
    new = put(queue, "c/cleo")
    assert [is_displaced(each) for each in many] == [False, False, False, False, True], (
        "the newest of those people with two"
    )
    assert not any(map(is_displaced, [*few, new]))
    assert len(queue) == FEW.total


async def test_no_job_is_displaced_for_an_address_that_would_have_more() -> None:
    queue = queue_of()
    for name in ("a/ada", "a/ada", "a/ben", "b/cleo", "b/cleo", "b/dora", "c/eve", "c/eve"):
        put(queue, name)
    with pytest.raises(Busy):
        put(queue, "c/fay")
    put(queue, "d/gil")
    with pytest.raises(Busy):
        put(queue, "a/ada")


async def test_addresses_with_one_job_each_are_not_displaced() -> None:
    queue = queue_of()
    for number in range(FEW.total):
        put(queue, f"{number} at home/{number}")
    with pytest.raises(Busy):
        put(queue, "new/new")


async def test_people_at_one_address_share_its_limit() -> None:
    queue = queue_of()
    waiting = [put(queue, f"far/{person}") for person in "aabbbb"]
    put(queue, "far/c")
    assert [is_displaced(each) for each in waiting] == [False] * 5 + [True]
    with pytest.raises(Busy):
        put(queue, "far/b")


async def test_begun_jobs_are_displaced_last_and_never_refused() -> None:
    queue = queue_of()
    waiting = [put(queue, f"far {number % 2}/{number % 4}") for number in range(FEW.total)]
    for _ in range(4):
        found = queue.next()
        assert found
        queue.put(found)
    begun = [each for each in waiting if each.begun]
    assert len(begun) == 4
    put(queue, "near/ada")
    (displaced,) = filter(is_displaced, waiting)
    assert not displaced.begun
    put(queue, "next/ben")
    assert sum(map(is_displaced, waiting)) == 2
    assert len(queue) == FEW.total


async def test_cancelled_jobs_free_their_places() -> None:
    queue = queue_of()
    waiting = [put(queue, f"far {number % 2}/{number}") for number in range(FEW.total)]
    waiting[0].answer.cancel()
    put(queue, "near/ada")
    assert not any(map(is_displaced, waiting[1:]))


async def test_a_wide_network_has_a_multiple_of_the_limit_of_an_address() -> None:
    queue = queue_of(replace(FEW, total=1_000, of_address=2))
    waiting = 0
    for number in range(250):
        try:
            put(queue, f"2001:db8:1:{257 * number:x}::/64/guest {number}")
        except Busy:
            break
        waiting += 1
    assert waiting == 2 * 16


async def test_a_wide_network_does_not_displace_others() -> None:
    queue = queue_of(replace(FEW, total=64, of_address=60))
    for number in range(64):
        put(queue, f"2001:db8:1:{257 * number:x}::/64/guest {number}")
    for _ in range(2):
        put(queue, "192.0.2.7/ada")
    with pytest.raises(Busy):
        put(queue, "2001:db8:1:ffff::/64/guest")


async def test_a_wide_network_is_charged_for_all_its_addresses() -> None:
    clock = Clock()
    queue = FairQueue[Job](FEW, clock)
    for number in range(100):
        queue.charge(FairShareKey(f"2001:db8:1:{257 * number:x}::/64", f"guest {number}"), 1.0)
    queue.charge(FairShareKey("192.0.2.7", "ada"), 5.0)
    put(queue, "2001:db8:1:ffff::/64/new guest")
    hers = put(queue, "192.0.2.7/ada")
    assert queue.next() is hers, "5 seconds are less than a sixteenth of 100"


async def test_negligible_accounts_are_dropped() -> None:
    clock = Clock()
    queue = FairQueue[Job](FEW, clock)
    for number in range(10_000):
        clock.now += 1.0
        queue.charge(FairShareKey(f"address {number}", f"guest {number}"), 1.0)
    assert len(queue._used._used) < 5_000


async def test_time_of_parallel_runs_is_charged_once() -> None:
    clock = Clock()
    scheduler = FairScheduler[Job](FEW, places=2, clock=clock)
    first, second = job("a/ada"), job("b/ben")
    await scheduler.take(first)
    await scheduler.take(second)
    clock.now = 3.0
    scheduler.leave(first)
    clock.now = 3.5
    scheduler.leave(second)
    used = scheduler._queue._used.now()
    assert used(first.share)[0] == pytest.approx(3.0, rel=0.02)
    assert used(second.share)[0] == pytest.approx(0.5, rel=0.02)
