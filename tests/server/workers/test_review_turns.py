"""Scheduling of reviews: order, cancellation, limits of the queue."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

import pytest

from polyopolis.play.errors import Busy
from polyopolis.play.protocols import ReviewProgress
from polyopolis.server.limits.fair_queue import FairScheduler, FairShareKey
from polyopolis.server.workers.review_process import (
    FAIRNESS_SECONDS,
    REVIEW_QUEUE_BOUNDS,
    ReviewProcess,
    ReviewSliceJob,
)
from tests.play.in_memory_site import TIMEOUT_SECONDS, settle

pytestmark = pytest.mark.anyio


def own(name: int, answers: int = 0) -> ReviewSliceJob:
    return ReviewSliceJob(FairShareKey(str(name), str(name)), answers)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_jobs_with_fewer_results_go_first() -> None:
    turns, order = FairScheduler[ReviewSliceJob](REVIEW_QUEUE_BOUNDS), list[str]()

    async def work(answers: int, name: int) -> None:
        async with turns.turn(own(name, answers)):
            order.append(f"{answers}-{name}")
            await asyncio.sleep(0)

    async with turns.turn(own(0)):
        waiting = [asyncio.create_task(work(*each)) for each in ((2, 1), (0, 2), (0, 3), (1, 4))]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["0-2", "0-3", "1-4", "2-1"]
    await asyncio.wait_for(work(0, 9), TIMEOUT_SECONDS)


async def test_a_cancelled_job_passes_its_turn_on() -> None:
    turns = FairScheduler[ReviewSliceJob](REVIEW_QUEUE_BOUNDS)

    async def work(name: int) -> int:
        async with turns.turn(own(name)):
            return name

    async with turns.turn(own(0)):
        first, second, third = (asyncio.create_task(work(name)) for name in (1, 2, 3))
        await asyncio.sleep(0)
        second.cancel()
    first.cancel()  # it has the turn, but has not resumed yet
    assert await asyncio.wait_for(third, TIMEOUT_SECONDS) == 3
    assert first.cancelled()
    assert second.cancelled()
    assert await asyncio.wait_for(work(4), TIMEOUT_SECONDS) == 4


async def test_jobs_cancelled_together_leave_the_queue_usable() -> None:
    turns = FairScheduler[ReviewSliceJob](REVIEW_QUEUE_BOUNDS)
    took = asyncio.Event()

    async def work(name: int) -> None:
        async with turns.turn(own(name)):
            took.set()
            await asyncio.Event().wait()

    works = [asyncio.create_task(work(name)) for name in range(2)]
    await took.wait()
    await asyncio.sleep(0)
    for each in works:
        each.cancel()
    ends = await asyncio.gather(*works, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    async with asyncio.timeout(TIMEOUT_SECONDS), turns.turn(own(2)):
        pass


async def test_heavy_users_go_last_also_under_new_names() -> None:
    clock = Clock()
    turns, order = FairScheduler[ReviewSliceJob](REVIEW_QUEUE_BOUNDS, clock=clock), list[str]()

    async def work(address: str, person: str, answers: int) -> None:
        async with turns.turn(ReviewSliceJob(FairShareKey(address, person), answers)):
            order.append(person)
            clock.now += FAIRNESS_SECONDS / 4

    async with turns.turn(ReviewSliceJob(FairShareKey("far", "first"))):
        clock.now += 2 * FAIRNESS_SECONDS
        many = [asyncio.create_task(work("far", f"far {number}", 0)) for number in (1, 2)]
        more = asyncio.create_task(work("near", "ada", 1))
        await asyncio.sleep(0)
    await asyncio.gather(*many, more)
    assert order == ["ada", "far 1", "far 2"], "refinements of a light user go before first results of a heavy user"


class ManualReviewer(ReviewProcess):
    """Runs no process; a slice ends when the test releases it."""

    def __init__(self) -> None:
        super().__init__(address_of=lambda person: person.split()[0])
        self.released = asyncio.Semaphore(0)
        self.active = self.max_active = 0

    async def _run(self, work: Callable[[], Any]) -> Any:
        self.active += 1
        self.max_active = max(self.max_active, self.active)
        try:
            await self.released.acquire()
        finally:
            self.active -= 1
        return ReviewProgress(0.5, b"{}")

    def begin(self, person: str) -> "asyncio.Task[ReviewProgress]":
        return asyncio.create_task(first_stage(self.reviewed(person, "", "mycity", cast("Any", None))))

    def solve(self, person: str) -> "asyncio.Task[bytes]":
        return asyncio.create_task(self.solved(person, "mycity", cast("Any", None), cast("Any", None)))


async def first_stage(stages: AsyncGenerator[ReviewProgress, None]) -> ReviewProgress:
    return await anext(stages)


async def test_exercises_and_reviews_share_one_queue() -> None:
    reviewer = ManualReviewer()
    works = [reviewer.solve("far 1"), reviewer.begin("far 2"), reviewer.solve("far 3")]
    for _ in works:
        reviewer.released.release()
    await asyncio.gather(*works)
    assert reviewer.max_active == 1


@pytest.mark.parametrize("name", ["begin", "solve"])
async def test_a_person_can_queue_a_limited_number_of_reviews(name: str) -> None:
    reviewer = ManualReviewer()
    ask = getattr(reviewer, name)
    running, *_ = [ask("far 1") for _ in range(1 + REVIEW_QUEUE_BOUNDS.of_person)]
    await settle()
    with pytest.raises(Busy) as refused:
        await ask("far 1")
    assert refused.value.wait == REVIEW_QUEUE_BOUNDS.wait
    other = ask("far 2")
    await settle()
    assert not other.done()
    assert not running.done()


async def test_an_address_can_queue_a_limited_number_of_reviews() -> None:
    """A browser without a cookie is a new guest, so guests of one address share its limit."""
    reviewer = ManualReviewer()
    works = [reviewer.begin(f"far {number}") for number in range(1 + REVIEW_QUEUE_BOUNDS.of_address)]
    await settle()
    with pytest.raises(Busy):
        await reviewer.begin("far away")
    works.append(reviewer.begin("near"))
    await settle()
    assert not any(work.done() for work in works)


async def test_a_few_addresses_cannot_block_others() -> None:
    reviewer = ManualReviewer()
    running = reviewer.begin("far0 guest")
    crowd = [reviewer.begin(f"far{number % 4} {number % 16}") for number in range(REVIEW_QUEUE_BOUNDS.total)]
    await settle()
    hers = reviewer.begin("near ada")
    await settle()
    (displaced,) = [work for work in crowd if work.done()]
    with pytest.raises(Busy):
        await displaced
    reviewer.released.release()
    await running
    for _ in range(REVIEW_QUEUE_BOUNDS.total):
        reviewer.released.release()
    assert (await hers).review == b"{}"
