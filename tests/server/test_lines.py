"""Whoever reads much waits in a line, and nobody stands in it who has not said yet what they want."""

import asyncio
from typing import Any

import pytest

from polyopolis.server.lines import READERS, ReadersLine

pytestmark = pytest.mark.anyio


class Reader:
    """Somebody in the line: what they want is read, and then answered."""

    def __init__(self, line: ReadersLine, method: str = "GET") -> None:
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        self.work = asyncio.Event()
        self.answered = False
        scope: Any = {"type": "http", "method": method}
        self.task = asyncio.create_task(line.handle(scope, self.said.get, self._take, self._answer))

    async def _take(self, _: Any) -> None:
        self.answered = True

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            while (await receive()).get("more_body"):
                pass
        await self.work.wait()
        await send({"type": "http.response.start"})

    def bring(self, more: bool) -> None:
        self.said.put_nowait({"type": "http.request", "body": b"{", "more_body": more})


async def settled() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


async def test_so_many_are_answered_at_a_time() -> None:
    line = ReadersLine()
    first = [Reader(line) for _ in range(READERS)]
    last = Reader(line)
    last.work.set()
    await settled()
    assert not last.answered
    first[0].work.set()
    await settled()
    assert last.answered
    for each in first:
        each.work.set()
        await each.task


async def test_whoever_brings_something_slowly_keeps_nobody_waiting() -> None:
    line = ReadersLine()
    slow = [Reader(line, "POST") for _ in range(READERS)]
    for each in slow:
        each.bring(more=True)
    quick = Reader(line)
    quick.work.set()
    await settled()
    assert quick.answered
    for each in slow:
        each.bring(more=False)
    await settled()
    last = Reader(line)
    last.work.set()
    await settled()
    assert not last.answered, "once all of it is there they stand in the line"
    for each in slow:
        each.work.set()
        await each.task
    await settled()
    assert last.answered


async def test_whoever_leaves_before_it_was_brought_takes_no_place() -> None:
    line = ReadersLine()
    for _ in range(READERS + 1):
        gone = Reader(line, "POST")
        gone.said.put_nowait({"type": "http.disconnect"})
        gone.work.set()
        await gone.task
    one = Reader(line)
    one.work.set()
    await settled()
    assert one.answered
