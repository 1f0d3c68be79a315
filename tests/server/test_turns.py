"""Reviews take turns: whoever has no answer yet goes first, and whoever leaves keeps nobody waiting."""

import asyncio

import pytest

from polyopolis.server.queueing import Share
from polyopolis.server.reviewing import MUCH, ProcessReviewer, Turns
from tests.tables.rooms import PATIENCE

pytestmark = pytest.mark.anyio


def own(name: int) -> Share:
    return Share(name, name, name)


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


async def test_the_least_served_go_first() -> None:
    turns, order = Turns(), list[str]()

    async def work(answers: int, name: int) -> None:
        async with turns.take(own(name), answers):
            order.append(f"{answers}-{name}")
            await asyncio.sleep(0)

    async with turns.take(own(0), 0):
        waiting = [asyncio.create_task(work(*each)) for each in ((2, 1), (0, 3), (0, 2), (1, 4))]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["0-2", "0-3", "1-4", "2-1"]
    await asyncio.wait_for(work(0, 9), PATIENCE)


async def test_whoever_leaves_passes_the_turn_on() -> None:
    turns = Turns()

    async def work(name: int) -> int:
        async with turns.take(own(name), 0):
            return name

    async with turns.take(own(0), 0):
        first, second, third = (asyncio.create_task(work(name)) for name in (1, 2, 3))
        await asyncio.sleep(0)
        second.cancel()
    first.cancel()  # whose turn it is, and who does not know it yet
    assert await asyncio.wait_for(third, PATIENCE) == 3
    assert first.cancelled()
    assert second.cancelled()
    assert await asyncio.wait_for(work(4), PATIENCE) == 4


async def test_who_leaves_together_with_whoever_has_the_turn_is_not_called() -> None:
    turns = Turns()
    took = asyncio.Event()

    async def work(name: int) -> None:
        async with turns.take(own(name), 0):
            took.set()
            await asyncio.Event().wait()

    works = [asyncio.create_task(work(name)) for name in range(2)]
    await took.wait()
    await asyncio.sleep(0)
    for each in works:
        each.cancel()
    ends = await asyncio.gather(*works, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    async with asyncio.timeout(PATIENCE), turns.take(own(2), 0):
        pass


async def test_whoever_has_had_much_goes_behind_whatever_names_they_take() -> None:
    clock = Clock()
    turns, order = Turns(clock), list[str]()

    async def work(address: str, person: str, name: int, answers: int) -> None:
        async with turns.take(Share(address, person, name), answers):
            order.append(person)
            clock.now += MUCH / 4

    async with turns.take(Share("far", "first", 0), 0):
        clock.now += 2 * MUCH
        many = [asyncio.create_task(work("far", f"far {number}", number, 0)) for number in (1, 2)]
        more = asyncio.create_task(work("near", "ada", 3, 1))
        await asyncio.sleep(0)
    await asyncio.gather(*many, more)
    assert order == ["ada", "far 1", "far 2"], "who waits for a better answer is not kept waiting by new names"


async def test_answers_to_exercises_take_turns_as_reviews_do(monkeypatch: pytest.MonkeyPatch) -> None:
    reviewer, going, most = ProcessReviewer(), 0, 0

    async def do(_: object) -> bytes:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await asyncio.sleep(0)
        going -= 1
        return b""

    monkeypatch.setattr(reviewer, "_do", do)
    solved = reviewer.solved
    await asyncio.gather(*(solved(f"far {number}", "mycity", None, None) for number in range(3)))  # type: ignore[arg-type]
    assert most == 1
