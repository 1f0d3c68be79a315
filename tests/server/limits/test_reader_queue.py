"""Expensive requests are queued fairly by address and person."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from polyopolis.play.errors import Busy
from polyopolis.server.app import create_app
from polyopolis.server.limits import reader_queue
from polyopolis.server.limits.fair_queue import FairShareKey
from polyopolis.server.limits.reader_queue import CONCURRENT_REQUESTS, READER_LIMITS, ReaderQueueMiddleware
from polyopolis.server.options import Options
from polyopolis.server.web.dependencies import fair_share_key
from tests.play.in_memory_site import settle
from tests.server.support.server_process import ORIGIN, OWN_PAGE

anyio = pytest.mark.anyio


async def read_share(scope: Any) -> FairShareKey:
    return FairShareKey(scope["address"], scope["person"])


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> ReaderQueueMiddleware:
    return ReaderQueueMiddleware(read_share, clock)


class Reader:
    """A request in the queue."""

    def __init__(
        self, queue: ReaderQueueMiddleware, method: str = "GET", address: str = "far", person: str = "ben"
    ) -> None:
        self.said: asyncio.Queue[Any] = asyncio.Queue()
        self.work = asyncio.Event()
        self.begun = self.answered = False
        scope: Any = {"type": "http", "method": method, "address": address, "person": person}
        self.task = asyncio.create_task(queue.handle(scope, self.said.get, self._take, self._answer))

    async def _take(self, _: Any) -> None:
        self.answered = True

    async def _answer(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["method"] == "POST":
            while (await receive()).get("more_body"):
                pass
        self.begun = True
        await self.work.wait()
        await send({"type": "http.response.start"})

    def upload(self, more: bool) -> None:
        self.said.put_nowait({"type": "http.request", "body": b"{", "more_body": more})

    async def answer(self) -> None:
        self.work.set()
        await self.task


def crowd(queue: ReaderQueueMiddleware, size: int, address: str = "far") -> list[Reader]:
    """Creates readers at an address, each person with as many as may be queued."""
    return [Reader(queue, address=address, person=f"{address} {at // READER_LIMITS.of_person}") for at in range(size)]


@anyio
async def test_few_requests_are_handled_at_a_time(queue: ReaderQueueMiddleware) -> None:
    first = [Reader(queue) for _ in range(CONCURRENT_REQUESTS)]
    last = Reader(queue)
    last.work.set()
    await settle()
    assert not last.answered
    first[0].work.set()
    await settle()
    assert last.answered
    for each in first:
        await each.answer()


@anyio
async def test_slow_uploads_do_not_block_the_queue(queue: ReaderQueueMiddleware) -> None:
    slow = [Reader(queue, "POST") for _ in range(CONCURRENT_REQUESTS)]
    for each in slow:
        each.upload(more=True)
    quick = Reader(queue)
    quick.work.set()
    await settle()
    assert quick.answered
    for each in slow:
        each.upload(more=False)
    await settle()
    last = Reader(queue)
    last.work.set()
    await settle()
    assert not last.answered, "complete uploads are queued"
    for each in slow:
        await each.answer()
    await settle()
    assert last.answered


@anyio
async def test_incomplete_uploads_take_no_place(queue: ReaderQueueMiddleware) -> None:
    for _ in range(CONCURRENT_REQUESTS + 1):
        gone = Reader(queue, "POST")
        gone.said.put_nowait({"type": "http.disconnect"})
        await gone.answer()
    one = Reader(queue)
    one.work.set()
    await settle()
    assert one.answered


@anyio
async def test_a_new_address_waits_only_for_running_requests(queue: ReaderQueueMiddleware) -> None:
    far = [Reader(queue, person=f"guest {number}") for number in range(200)]
    await settle()
    running, refused = [each for each in far if each.begun], [each for each in far if each.task.done()]
    assert len(running) == CONCURRENT_REQUESTS
    assert len(refused) == 200 - CONCURRENT_REQUESTS - READER_LIMITS.of_address
    with pytest.raises(Busy):
        await refused[0].task
    ada = Reader(queue, address="near", person="ada")
    await settle()
    assert not ada.begun
    await running[0].answer()
    await settle()
    assert ada.begun, "her request is next"
    for each in [*far, ada]:
        each.work.set()
    await asyncio.gather(*(each.task for each in far), return_exceptions=True)


@anyio
async def test_a_new_address_displaces_a_request_of_a_full_queue(queue: ReaderQueueMiddleware, clock: Clock) -> None:
    addresses = READER_LIMITS.total // READER_LIMITS.of_address + 1
    far = [reader for number in range(addresses) for reader in crowd(queue, READER_LIMITS.of_address, f"far {number}")]
    await settle()
    full = [each for each in far if each.task.done()]
    ada = Reader(queue, address="near", person="ada")
    await settle()
    displaced = [each for each in far if each.task.done() and each not in full]
    assert len(displaced) == 1
    for each in full + displaced:
        with pytest.raises(Busy):
            await each.task
    answered = 0
    while not ada.begun:
        running = next(each for each in far if each.begun and not each.task.done())
        clock.now += 0.1
        await running.answer()
        await settle()
        answered += 1
    assert answered <= addresses, "one of each earlier address"
    for each in [*far, ada]:
        each.work.set()
    await asyncio.gather(*(each.task for each in far), return_exceptions=True)


@anyio
async def test_one_person_cannot_use_all_places_of_an_address(queue: ReaderQueueMiddleware) -> None:
    many = [Reader(queue) for _ in range(CONCURRENT_REQUESTS + READER_LIMITS.of_person + 1)]
    other = Reader(queue, person="ada")
    await settle()
    assert [each.task.done() for each in [*many, other]] == [False] * (len(many) - 1) + [True, False]
    await many[0].answer()
    await settle()
    assert other.begun
    for each in [*many, other]:
        each.work.set()
    await asyncio.gather(*(each.task for each in many), return_exceptions=True)


@anyio
async def test_a_long_request_costs_more_than_a_short_one(queue: ReaderQueueMiddleware, clock: Clock) -> None:
    long = Reader(queue, "POST", "far")
    long.upload(more=False)
    await settle()
    clock.now += 3.0
    await long.answer()
    short = [Reader(queue, address="near", person="ada") for _ in range(4)]
    for each in short:
        await settle()
        clock.now += 0.2
        await each.answer()
    blocking = [Reader(queue, address=f"other {number}") for number in range(CONCURRENT_REQUESTS)]
    await settle()
    his, hers = Reader(queue, address="far"), Reader(queue, address="near", person="ada")
    await settle()
    await blocking[0].answer()
    await settle()
    assert (his.begun, hers.begun) == (False, True)
    for each in [*blocking, his, hers]:
        await each.answer()


@anyio
async def test_cancelled_requests_leave_the_queue(queue: ReaderQueueMiddleware) -> None:
    running = [Reader(queue) for _ in range(CONCURRENT_REQUESTS)]
    gone, last = Reader(queue), Reader(queue)
    await settle()
    gone.task.cancel()
    running[0].task.cancel()
    await settle()
    assert last.begun
    for each in [running[1], last]:
        await each.answer()


# In the application


def application(folder: Path) -> TestClient[Litestar]:
    return TestClient(create_app(Options(folder)), base_url=ORIGIN)


def test_a_full_queue_is_429_with_retry_after(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader_queue, "READER_LIMITS", replace(READER_LIMITS, total=0, of_address=0))
    with application(tmp_path) as client:
        read = client.get("/api/tables/x/matches/0/replay")
        brought = client.post("/api/imports", json={"record": {}}, headers=OWN_PAGE)
    for answer in (read, brought):
        assert answer.status_code == 429
        assert answer.json() == {"error": READER_LIMITS.refusal}
        assert answer.headers["retry-after"] == str(READER_LIMITS.wait)


def test_only_valid_cookies_and_tokens_identify_a_person(tmp_path: Path) -> None:
    with application(tmp_path) as client:
        client.post("/api/me/code", json={}, headers=OWN_PAGE).raise_for_status()
        (bot,) = client.post("/api/me/bots", json={"name": "Deep"}, headers=OWN_PAGE).json()["bots"]
        wish = {"name": "laptop", "scopes": ["watch"]}
        token = client.post(f"/api/me/bots/{bot['id']}/tokens", json=wish, headers=OWN_PAGE).json()["token"]
        cookie = client.cookies["polyopolis"]
        person = cookie.split(".")[0]
        shown = {
            f"cookie: polyopolis={cookie}": person,
            f"cookie: polyopolis={cookie}0": "192.0.2.7",
            f"cookie: polyopolis=x{cookie}": "192.0.2.7",
            f"authorization: Bearer {token}": bot["id"],
            f"authorization: Bearer {token}0": "192.0.2.7",
            "accept: */*": "192.0.2.7",
        }
        for header, expected in shown.items():
            name, value = header.split(": ")
            scope: Any = {
                "type": "http",
                "litestar_app": client.app,
                "headers": [(name.encode(), value.encode())],
                "client": ("192.0.2.7", 1),
                "state": {},
            }
            with client.portal() as portal:
                assert portal.call(fair_share_key, scope) == FairShareKey("192.0.2.7", expected), header
