"""Reviews take turns: whoever has no answer yet goes first, and whoever leaves keeps nobody waiting."""

import asyncio
from collections.abc import AsyncGenerator, Callable
from typing import Any, cast

import pytest

from polyopolis.play.errors import Busy
from polyopolis.play.protocols import ReviewProgress
from polyopolis.server.limits.fair_queue import FairScheduler, FairShareKey
from polyopolis.server.workers.review_process import MUCH, REVIEWS, Review, ReviewProcess
from tests.play.in_memory_site import PATIENCE, settle

pytestmark = pytest.mark.anyio


def own(name: int, answers: int = 0) -> Review:
    return Review(FairShareKey(str(name), str(name)), answers)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_least_served_go_first() -> None:
    turns, order = FairScheduler[Review](REVIEWS), list[str]()

    async def work(answers: int, name: int) -> None:
        async with turns.turn(own(name, answers)):
            order.append(f"{answers}-{name}")
            await asyncio.sleep(0)

    async with turns.turn(own(0)):
        waiting = [asyncio.create_task(work(*each)) for each in ((2, 1), (0, 2), (0, 3), (1, 4))]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["0-2", "0-3", "1-4", "2-1"]
    await asyncio.wait_for(work(0, 9), PATIENCE)


async def test_whoever_leaves_passes_the_turn_on() -> None:
    turns = FairScheduler[Review](REVIEWS)

    async def work(name: int) -> int:
        async with turns.turn(own(name)):
            return name

    async with turns.turn(own(0)):
        first, second, third = (asyncio.create_task(work(name)) for name in (1, 2, 3))
        await asyncio.sleep(0)
        second.cancel()
    first.cancel()  # whose turn it is, and who does not know it yet
    assert await asyncio.wait_for(third, PATIENCE) == 3
    assert first.cancelled()
    assert second.cancelled()
    assert await asyncio.wait_for(work(4), PATIENCE) == 4


async def test_who_leaves_together_with_whoever_has_the_turn_is_not_called() -> None:
    turns = FairScheduler[Review](REVIEWS)
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
    async with asyncio.timeout(PATIENCE), turns.turn(own(2)):
        pass


async def test_whoever_has_had_much_goes_behind_whatever_names_they_take() -> None:
    clock = Clock()
    turns, order = FairScheduler[Review](REVIEWS, clock=clock), list[str]()

    async def work(address: str, person: str, answers: int) -> None:
        async with turns.turn(Review(FairShareKey(address, person), answers)):
            order.append(person)
            clock.now += MUCH / 4

    async with turns.turn(Review(FairShareKey("far", "first"))):
        clock.now += 2 * MUCH
        many = [asyncio.create_task(work("far", f"far {number}", 0)) for number in (1, 2)]
        more = asyncio.create_task(work("near", "ada", 1))
        await asyncio.sleep(0)
    await asyncio.gather(*many, more)
    assert order == ["ada", "far 1", "far 2"], "who waits for a better answer is not kept waiting by new names"


class HandReviewer(ReviewProcess):
    """Does nothing in its process; a slice ends when it is let."""

    def __init__(self) -> None:
        super().__init__(address_of=lambda person: person.split()[0])
        self.may_go_on = asyncio.Semaphore(0)
        self.going = self.most = 0

    async def _do(self, work: Callable[[], Any]) -> Any:
        self.going += 1
        self.most = max(self.most, self.going)
        try:
            await self.may_go_on.acquire()
        finally:
            self.going -= 1
        return ReviewProgress(0.5, b"{}")

    def begin(self, person: str) -> "asyncio.Task[ReviewProgress]":
        return asyncio.create_task(first_stage(self.reviewed(person, "", "mycity", cast("Any", None))))

    def solve(self, person: str) -> "asyncio.Task[bytes]":
        return asyncio.create_task(self.solved(person, "mycity", cast("Any", None), cast("Any", None)))


async def first_stage(stages: AsyncGenerator[ReviewProgress, None]) -> ReviewProgress:
    return await anext(stages)


async def test_answers_to_exercises_take_turns_as_reviews_do() -> None:
    reviewer = HandReviewer()
    works = [reviewer.solve("far 1"), reviewer.begin("far 2"), reviewer.solve("far 3")]
    for _ in works:
        reviewer.may_go_on.release()
    await asyncio.gather(*works)
    assert reviewer.most == 1


@pytest.mark.parametrize("name", ["begin", "solve"])
async def test_one_person_does_not_have_all_that_may_wait(name: str) -> None:
    reviewer = HandReviewer()
    ask = getattr(reviewer, name)
    running, *_ = [ask("far 1") for _ in range(1 + REVIEWS.of_person)]
    await settle()
    with pytest.raises(Busy) as refused:
        await ask("far 1")
    assert refused.value.wait == REVIEWS.wait
    other = ask("far 2")
    await settle()
    assert not other.done()
    assert not running.done()


async def test_many_names_at_one_address_do_not_have_all_that_may_wait() -> None:
    """A guest is a cookie: a browser that throws it away is a new person."""
    reviewer = HandReviewer()
    works = [reviewer.begin(f"far {number}") for number in range(1 + REVIEWS.of_address)]
    await settle()
    with pytest.raises(Busy):
        await reviewer.begin("far away")
    works.append(reviewer.begin("near"))
    await settle()
    assert not any(work.done() for work in works)


async def test_four_addresses_do_not_keep_others_waiting_for_minutes() -> None:
    reviewer = HandReviewer()
    running = reviewer.begin("far0 guest")
    crowd = [reviewer.begin(f"far{number % 4} {number % 16}") for number in range(REVIEWS.total)]
    await settle()
    hers = reviewer.begin("near ada")
    await settle()
    (displaced,) = [work for work in crowd if work.done()]
    with pytest.raises(Busy):
        await displaced
    reviewer.may_go_on.release()
    await running
    for _ in range(REVIEWS.total):
        reviewer.may_go_on.release()
    assert (await hers).review == b"{}"
