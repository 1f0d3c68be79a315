"""Reviews take turns: whoever has no answer yet goes first, and whoever leaves keeps nobody waiting."""

import asyncio

import pytest

from polyopolis.server.reviewing import Turns

pytestmark = pytest.mark.anyio


async def test_the_least_served_go_first() -> None:
    turns, order = Turns(), list[str]()

    async def work(answers: int, name: int) -> None:
        async with turns.take(answers, name):
            order.append(f"{answers}-{name}")
            await asyncio.sleep(0)

    async with turns.take(0, 0):
        waiting = [asyncio.create_task(work(*each)) for each in ((2, 1), (0, 3), (0, 2), (1, 4))]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    assert order == ["0-2", "0-3", "1-4", "2-1"]
    await asyncio.wait_for(work(0, 9), 1)


async def test_whoever_leaves_passes_the_turn_on() -> None:
    turns = Turns()

    async def work(name: int) -> int:
        async with turns.take(0, name):
            return name

    async with turns.take(0, 0):
        first, second, third = (asyncio.create_task(work(name)) for name in (1, 2, 3))
        await asyncio.sleep(0)
        second.cancel()
    first.cancel()  # whose turn it is, and who does not know it yet
    assert await asyncio.wait_for(third, 1) == 3
    assert first.cancelled()
    assert second.cancelled()
    assert await asyncio.wait_for(work(4), 1) == 4


async def test_who_leaves_together_with_whoever_has_the_turn_is_not_called() -> None:
    turns = Turns()
    took = asyncio.Event()

    async def work(name: int) -> None:
        async with turns.take(0, name):
            took.set()
            await asyncio.Event().wait()

    works = [asyncio.create_task(work(name)) for name in range(2)]
    await took.wait()
    await asyncio.sleep(0)
    for each in works:
        each.cancel()
    ends = await asyncio.gather(*works, return_exceptions=True)
    assert all(isinstance(end, asyncio.CancelledError) for end in ends), ends
    async with asyncio.timeout(1), turns.take(0, 2):
        pass
