"""The response cache."""

import asyncio

import pytest

from polyopolis.play.response_cache import FRESH_SECONDS, ResponseCache
from tests.play.in_memory_site import ManualClock, settle

pytestmark = pytest.mark.anyio


class Source:
    def __init__(self) -> None:
        self.clock = ManualClock()
        self.asked: list[str] = []
        self.may = asyncio.Event()
        self.may.set()
        self.breaks = False
        self.cache = ResponseCache(self.clock, self.find)

    async def find(self, key: str) -> str:
        self.asked.append(key)
        number = len(self.asked)
        await self.may.wait()
        if self.breaks:
            raise OSError("away")
        return f"{key}{number}"


async def test_concurrent_callers_share_an_answer() -> None:
    source = Source()
    source.may.clear()
    asking = [asyncio.create_task(source.cache.get(key)) for key in "aab"]
    await settle()
    asking[0].cancel()
    source.clock.advance(10)
    late = asyncio.create_task(source.cache.get("a"))
    await settle()
    source.may.set()
    assert [await task for task in (*asking[1:], late)] == ["a1", "b2", "a1"]
    assert source.asked == ["a", "b"]


async def test_an_answer_expires_after_a_second() -> None:
    source = Source()
    assert await source.cache.get("a") == "a1"
    source.clock.advance(FRESH_SECONDS - 0.1)
    assert await source.cache.get("a") == "a1"
    source.clock.advance(0.1)
    assert await source.cache.get("a") == "a2"


async def test_an_error_is_not_cached() -> None:
    source = Source()
    source.breaks = True
    for _ in range(2):
        with pytest.raises(OSError, match="away"):
            await source.cache.get("a")
    source.breaks = False
    assert await source.cache.get("a") == "a3"


async def test_dropping_a_key_reads_a_new_answer() -> None:
    source = Source()
    source.may.clear()
    before = asyncio.create_task(source.cache.get("a"))
    await settle()
    source.cache.drop("a")
    after = asyncio.create_task(source.cache.get("a"))
    await settle()
    source.may.set()
    assert [await before, await after] == ["a1", "a2"]
