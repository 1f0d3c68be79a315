"""Bot jobs: fair sharing of processing time, limits of the queue, and lost worker processes."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from itertools import islice
from multiprocessing import active_children
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.play.errors import Busy
from polyopolis.play.protocols import BotRequest
from polyopolis.server.auth.bearer_auth import BEARER
from polyopolis.server.auth.session_cookies import SessionCookie
from polyopolis.server.auth.visitors import Visit
from polyopolis.server.limits.client_addresses import MAX_PEOPLE as MOST_ADDRESSES
from polyopolis.server.limits.client_addresses import ClientAddressBook
from polyopolis.server.limits.fair_queue import HALF_LIFE_SECONDS, FairQueue, FairShareKey
from polyopolis.server.web.dependencies import provide_bot, provide_visit
from polyopolis.server.workers import bot_processes
from polyopolis.server.workers.bot_processes import BOT_QUEUE_BOUNDS, BotJob, BotProcessPool
from polyopolis.server.workers.worker_process import WorkerProcess
from tests.play.in_memory_site import until

pytestmark = pytest.mark.anyio
mycity = game("mycity")
MATCH = Match.start(mycity, mycity.Setup(seats=2)).deal(Dealer(seed_of("x")))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def job(name: str, effort: int = 0, watched: bool = True) -> BotJob:
    """Returns a job; its name is `address/person/table`."""
    address, person, table = name.split("/")
    request = BotRequest(table, MATCH, 0, b"", (person,), lambda: watched)
    return BotJob(FairShareKey(address, person, table), lambda: b"", "greedy", request, effort)


def order(queue: FairQueue[BotJob], seconds: float = 1.0) -> Iterator[str]:
    """Yields the tables of the jobs in the order of the queue; each job takes this many seconds."""
    while found := queue.next():
        queue.done(found, seconds)
        yield found.request.place


async def test_a_person_with_many_tables_does_not_delay_others() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for number in range(20):
        queue.put(job(f"far/crowd/{number}"))
    queue.put(job("near/ada/hers"))
    assert list(order(queue)).index("hers") == 1


async def test_guests_of_one_address_share_its_time() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for number in range(20):
        queue.put(job(f"far/name {number}/{number}"))
    for number in range(2):
        queue.put(job(f"near/ada/hers {number}"))
    turns = list(order(queue))
    assert turns.index("hers 0") == 1
    assert turns.index("hers 1") == 3


async def test_time_of_an_address_is_shared_by_person_and_table() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for name in ("a/ada/1", "a/ada/1", "a/ada/2", "a/ben/3"):
        queue.put(job(name))
    assert list(order(queue)) == ["1", "3", "2", "1"]


async def test_quick_jobs_go_first_then_older_ones() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for name, effort in (("a/ada/slow", 2400), ("a/ada/first", 150), ("a/ada/second", 150), ("a/ada/quick", 0)):
        queue.put(job(name, effort))
    assert list(order(queue, 0.0)) == ["quick", "first", "second", "slow"]


async def test_unwatched_jobs_go_last() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    queue.put(job("far/ben/left", watched=False))
    for number in range(3):
        queue.put(job(f"near/ada/{number}"))
    assert list(order(queue))[-1] == "left"


async def test_usage_decays() -> None:
    clock = Clock()
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, clock)
    queue.charge(FairShareKey("far", "ben", "his"), 8.0)
    queue.charge(FairShareKey("near", "ada", "hers"), 2.0)
    clock.now = 3 * HALF_LIFE_SECONDS
    queue.charge(FairShareKey("near", "ada", "hers"), 1.0)
    queue.put(job("near/ada/hers"))
    queue.put(job("far/ben/his"))
    assert list(order(queue)) == ["his", "hers"]


async def test_a_person_can_queue_a_limited_number_of_jobs() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for number in range(BOT_QUEUE_BOUNDS.of_person):
        queue.put(job(f"a/ada/{number}"))
    with pytest.raises(Busy):
        queue.put(job("a/ada/more"))
    queue.put(job("a/ben/his"))


def idle(name: str) -> BotJob:
    found = job(name)
    found.request = replace(found.request, idle=True)
    return found


async def test_a_full_queue_displaces_a_job_of_the_largest_user() -> None:
    queue, crowd = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock()), list[BotJob]()
    while len(queue) < BOT_QUEUE_BOUNDS.total:
        crowd.append(job(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
        queue.put(crowd[-1])
    queue.put(job("near/ada/hers"))
    assert len(queue) == BOT_QUEUE_BOUNDS.total
    (displaced,) = [each for each in crowd if each.answer.done()]
    assert isinstance(displaced.answer.exception(), Busy)
    assert next(order(queue)) in {"0", "hers"}
    assert "hers" in list(islice(order(queue), 9))


async def test_idle_jobs_displace_none_and_are_displaced_first() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    while len(queue) < BOT_QUEUE_BOUNDS.total - 1:
        queue.put(job(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
    par = idle("par/par/par")
    queue.put(par)
    with pytest.raises(Busy):
        queue.put(idle("near/ada/hers"))
    queue.put(job("far 1/crowd 1/one more"))
    assert isinstance(par.answer.exception(), Busy), "although another address has most queued jobs"


async def test_unwatched_jobs_do_not_displace_watched_ones() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    while len(queue) < BOT_QUEUE_BOUNDS.total:
        queue.put(job(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
    with pytest.raises(Busy):
        queue.put(job("near/ada/hers", watched=False))


async def test_an_address_can_queue_a_limited_number_of_jobs() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    for number in range(BOT_QUEUE_BOUNDS.of_address):
        queue.put(job(f"far/name {number}/{number}"))
    with pytest.raises(Busy):
        queue.put(job("far/one more/his"))
    queue.put(job("near/ada/hers"))


@pytest.mark.parametrize("provide", [provide_visit, provide_bot])
async def test_external_bots_of_one_address_share_its_time(provide: Any) -> None:
    addresses = ClientAddressBook()
    for bot in ("one", "other"):
        visit = Visit(SessionCookie(bot, "token"), scopes=frozenset({"play"}))
        told = {"client": ("192.0.2.7", 1), "state": {BEARER: visit}}
        app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(addresses=addresses)))
        await provide(SimpleNamespace(scope=told, client=SimpleNamespace(host="192.0.2.7"), app=app))
    assert addresses.of("one") == addresses.of("other") == "192.0.2.7"


async def test_cancelled_jobs_are_skipped() -> None:
    queue = FairQueue[BotJob](BOT_QUEUE_BOUNDS, Clock())
    dropped, kept = job("a/ada/1"), job("a/ada/2")
    queue.put(dropped)
    queue.put(kept)
    dropped.answer.cancel()
    assert list(order(queue)) == ["2"]


def test_the_address_book_keeps_the_latest_people() -> None:
    addresses = ClientAddressBook()
    addresses.seen("ada", "here")
    assert (addresses.of("ada"), addresses.of("ben")) == ("here", "ben")
    for number in range(MOST_ADDRESSES):
        addresses.seen(f"guest {number}", "there")
    assert addresses.of("ada") == "ada"


def test_people_in_use_stay_in_the_address_book() -> None:
    """Many short-lived guests must not evict a person and so reset their share."""
    addresses = ClientAddressBook()
    addresses.seen("busy", "far")
    for number in range(2 * MOST_ADDRESSES):
        addresses.seen(f"guest {number}", "far")
        if not number % 1_000:
            assert addresses.of("busy") == "far"


# Worker processes


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Iterator[BotProcessPool]:
    """Without the timeout, which a slow machine might reach."""
    monkeypatch.setattr(bot_processes, "DECISION_TIMEOUT_SECONDS", 600.0)
    found = BotProcessPool(1, warm=no_warmup)
    yield found
    found.close()


def no_warmup() -> None:
    """A warm-up that compiles no kernels."""


def bot_request(table: str = "t/0", *people: str) -> BotRequest:
    return BotRequest(table, MATCH, 0, seed_of("x"), people)


def pid(*_: Any) -> bytes:
    return str(os.getpid()).encode()


def die_once(path: str, *_: Any) -> bytes:
    """Kills the first process that runs it."""
    if not os.path.exists(path):
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return b"done"


def hang_once(path: str, *_: Any) -> bytes:
    if not os.path.exists(path):
        Path(path).touch()
        time.sleep(600)
    return b"done"


@pytest.mark.slow
@pytest.mark.parametrize("loss", [die_once, hang_once])
async def test_a_job_is_repeated_after_its_process_was_lost(
    thinker: BotProcessPool, tmp_path: Path, loss: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, timeouts = tmp_path / "lost", list[float]()

    async def wait_for(asked: asyncio.Future[bytes], seconds: float) -> bytes:
        """Times out as soon as the process hangs."""
        while not asked.done():
            if loss is hang_once and lost.exists() and not timeouts:
                timeouts.append(seconds)
                raise TimeoutError
            await asyncio.sleep(0.01)
        return await asked

    before = await thinker._submit(pid, "greedy", bot_request())
    monkeypatch.setattr("polyopolis.server.workers.bot_processes.asyncio.wait_for", wait_for)
    assert await thinker._submit(loss, str(lost), bot_request()) == b"done"
    after = await thinker._submit(pid, "greedy", bot_request())
    assert before != after
    assert timeouts == ([bot_processes.DECISION_TIMEOUT_SECONDS] if loss is hang_once else [])
    await until(lambda: int(before) not in {child.pid for child in active_children()})


class DyingWorker:
    """A worker whose process dies of every task."""

    ready = alive = True
    started = 0

    def __init__(self, *_: Any) -> None:
        DyingWorker.started += 1
        self.pool = self

    async def begun(self) -> None:
        """Ready at once."""

    def submit(self, *_: Any) -> Future[bytes]:
        broken = Future[bytes]()
        broken.set_exception(BrokenProcessPool())
        return broken

    def close(self) -> None:
        """Without a process."""


async def test_a_simpler_bot_plays_when_all_processes_die(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "WorkerProcess", DyingWorker)
    monkeypatch.setattr(DyingWorker, "started", 0)
    thinker = BotProcessPool(1, warm=no_warmup)
    choice = await thinker.choose("level-3", bot_request())
    assert choice.bot == "random"
    assert MATCH.why_not(0, choice.action) is None
    assert DyingWorker.started == 1 + 2 * bot_processes.MAX_TRIES, "two bots were tried `MAX_TRIES` times each"
    thinker.close()


async def test_one_table_goes_before_many_tables_of_another_person(thinker: BotProcessPool) -> None:
    done = list[str]()

    async def think(bot: str, table: str, person: str) -> None:
        await thinker.choose(bot, bot_request(table, person))
        done.append(table)

    crowd = [asyncio.create_task(think("level-5", f"{number}/0", "crowd")) for number in range(30)]
    await asyncio.sleep(0)
    await think("level-1", "hers/0", "ada")
    assert done.index("hers/0") <= 2
    for task in crowd:
        task.cancel()


SERVER = """
import sys, time
from tests.server.workers.test_bot_processes import no_warmup, pid
from polyopolis.server.workers.worker_process import WorkerProcess
worker = WorkerProcess({}, no_warmup)
print(int(worker.pool.submit(pid).result()), flush=True)
time.sleep(600)
"""


@pytest.mark.slow
async def test_worker_processes_exit_with_the_server() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        process = int(server.stdout.readline())
        assert is_running(process)
        server.kill()
    await until(lambda: not is_running(process))


async def test_a_worker_whose_process_has_died_is_not_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = WorkerProcess({}, no_warmup)
    await worker.begun()
    assert worker.alive
    # Simulates the moment in which the pool has fetched the exit code and not stored it yet.
    monkeypatch.setattr("multiprocessing.popen_fork.Popen.poll", lambda *_: None)
    worker.close()
    await until(lambda: not worker.alive)


def is_running(pid: int) -> bool:
    """Whether a process runs and is not a zombie."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False, text=True).stdout
    return bool(state.strip()) and "Z" not in state
