"""Thinking is shared: nobody's bots wait because somebody else has many, and no thought is lost with a mind."""

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
from polyopolis.server.workers.bot_processes import THOUGHTS, BotProcessPool, Thought
from polyopolis.server.workers.worker_process import WorkerProcess
from tests.play.in_memory_site import until

pytestmark = pytest.mark.anyio
mycity = game("mycity")
MATCH = Match.start(mycity, mycity.Setup(seats=2)).deal(Dealer(seed_of("x")))


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def thought(name: str, effort: int = 0, watched: bool = True) -> Thought:
    """Named like `address/person/table`."""
    address, person, table = name.split("/")
    question = BotRequest(table, MATCH, 0, b"", (person,), lambda: watched)
    return Thought(FairShareKey(address, person, table), lambda: b"", "greedy", question, effort)


def order(queue: FairQueue[Thought], seconds: float = 1.0) -> Iterator[str]:
    """The tables whose thoughts are due, one after the other, each of so many seconds."""
    while found := queue.next():
        queue.done(found, seconds)
        yield found.question.place


async def test_whoever_has_many_tables_waits_for_whoever_has_one() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for number in range(20):
        queue.put(thought(f"far/crowd/{number}"))
    queue.put(thought("near/ada/hers"))
    assert list(order(queue)).index("hers") == 1


async def test_many_names_at_one_address_are_one() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for number in range(20):
        queue.put(thought(f"far/name {number}/{number}"))
    for number in range(2):
        queue.put(thought(f"near/ada/hers {number}"))
    turns = list(order(queue))
    assert turns.index("hers 0") == 1
    assert turns.index("hers 1") == 3


async def test_at_one_address_people_share_and_then_their_tables() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for name in ("a/ada/1", "a/ada/1", "a/ada/2", "a/ben/3"):
        queue.put(thought(name))
    assert list(order(queue)) == ["1", "3", "2", "1"]


async def test_what_is_quickly_thought_goes_first_and_then_what_came_first() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for name, effort in (("a/ada/slow", 2400), ("a/ada/first", 150), ("a/ada/second", 150), ("a/ada/quick", 0)):
        queue.put(thought(name, effort))
    assert list(order(queue, 0.0)) == ["quick", "first", "second", "slow"]


async def test_what_nobody_sees_goes_last() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    queue.put(thought("far/ben/left", watched=False))
    for number in range(3):
        queue.put(thought(f"near/ada/{number}"))
    assert list(order(queue))[-1] == "left"


async def test_what_was_used_is_forgotten_by_and_by() -> None:
    clock = Clock()
    queue = FairQueue[Thought](THOUGHTS, clock)
    queue.charge(FairShareKey("far", "ben", "his"), 8.0)
    queue.charge(FairShareKey("near", "ada", "hers"), 2.0)
    clock.now = 3 * HALF_LIFE_SECONDS
    queue.charge(FairShareKey("near", "ada", "hers"), 1.0)
    queue.put(thought("near/ada/hers"))
    queue.put(thought("far/ben/his"))
    assert list(order(queue)) == ["his", "hers"]


async def test_nobody_lets_any_number_wait() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for number in range(THOUGHTS.of_person):
        queue.put(thought(f"a/ada/{number}"))
    with pytest.raises(Busy):
        queue.put(thought("a/ada/more"))
    queue.put(thought("a/ben/his"))


def idle(name: str) -> Thought:
    found = thought(name)
    found.question = replace(found.question, idle=True)
    return found


async def test_nine_addresses_do_not_fill_the_queue() -> None:
    queue, crowd = FairQueue[Thought](THOUGHTS, Clock()), list[Thought]()
    while len(queue) < THOUGHTS.total:
        crowd.append(thought(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
        queue.put(crowd[-1])
    queue.put(thought("near/ada/hers"))
    assert len(queue) == THOUGHTS.total
    (displaced,) = [each for each in crowd if each.answer.done()]
    assert isinstance(displaced.answer.exception(), Busy)
    assert next(order(queue)) in {"0", "hers"}
    assert "hers" in list(islice(order(queue), 9))


async def test_what_nobody_waits_for_displaces_nothing_and_gives_way_first() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    while len(queue) < THOUGHTS.total - 1:
        queue.put(thought(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
    par = idle("par/par/par")
    queue.put(par)
    with pytest.raises(Busy):
        queue.put(idle("near/ada/hers"))
    queue.put(thought("far 1/crowd 1/one more"))
    assert isinstance(par.answer.exception(), Busy), "although the address of the new one has most waiting"


async def test_what_nobody_sees_does_not_displace_what_somebody_sees() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    while len(queue) < THOUGHTS.total:
        queue.put(thought(f"far {len(queue) % 9}/crowd {len(queue) % 90}/{len(queue)}"))
    with pytest.raises(Busy):
        queue.put(thought("near/ada/hers", watched=False))


async def test_one_address_does_not_fill_the_queue_by_taking_many_names() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    for number in range(THOUGHTS.of_address):
        queue.put(thought(f"far/name {number}/{number}"))
    with pytest.raises(Busy):
        queue.put(thought("far/one more/his"))
    queue.put(thought("near/ada/hers"))


@pytest.mark.parametrize("provide", [provide_visit, provide_bot])
async def test_outside_bots_of_one_address_are_one(provide: Any) -> None:
    addresses = ClientAddressBook()
    for bot in ("one", "other"):
        visit = Visit(SessionCookie(bot, "token"), scopes=frozenset({"play"}))
        told = {"client": ("192.0.2.7", 1), "state": {BEARER: visit}}
        app = SimpleNamespace(state=SimpleNamespace(services=SimpleNamespace(addresses=addresses)))
        await provide(SimpleNamespace(scope=told, client=SimpleNamespace(host="192.0.2.7"), app=app))
    assert addresses.of("one") == addresses.of("other") == "192.0.2.7"


async def test_what_nobody_waits_for_any_more_is_not_thought() -> None:
    queue = FairQueue[Thought](THOUGHTS, Clock())
    dropped, kept = thought("a/ada/1"), thought("a/ada/2")
    queue.put(dropped)
    queue.put(kept)
    dropped.answer.cancel()
    assert list(order(queue)) == ["2"]


def test_of_addresses_the_last_are_remembered() -> None:
    addresses = ClientAddressBook()
    addresses.seen("ada", "here")
    assert (addresses.of("ada"), addresses.of("ben")) == ("here", "ben")
    for number in range(MOST_ADDRESSES):
        addresses.seen(f"guest {number}", "there")
    assert addresses.of("ada") == "ada"


def test_whoever_is_asked_for_is_not_forgotten_for_those_who_come_and_go() -> None:
    """Nobody gets more of what is shared by sending crowds through the door."""
    addresses = ClientAddressBook()
    addresses.seen("busy", "far")
    for number in range(2 * MOST_ADDRESSES):
        addresses.seen(f"guest {number}", "far")
        if not number % 1_000:
            assert addresses.of("busy") == "far"


# Minds


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch) -> Iterator[BotProcessPool]:
    """No mind counts as lost because the machine is slow."""
    monkeypatch.setattr(bot_processes, "DECISION_TIMEOUT_SECONDS", 600.0)
    found = BotProcessPool(1, warm=nothing)
    yield found
    found.close()


def nothing() -> None:
    """Kernels are read when they are needed."""


def question(table: str = "t/0", *people: str) -> BotRequest:
    return BotRequest(table, MATCH, 0, seed_of("x"), people)


def pid(*_: Any) -> bytes:
    return str(os.getpid()).encode()


def die_once(path: str, *_: Any) -> bytes:
    """The first mind that thinks this dies of it."""
    if not os.path.exists(path):
        Path(path).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return b"thought"


def hang_once(path: str, *_: Any) -> bytes:
    if not os.path.exists(path):
        Path(path).touch()
        time.sleep(600)
    return b"thought"


@pytest.mark.slow
@pytest.mark.parametrize("loss", [die_once, hang_once])
async def test_a_thought_that_a_mind_was_lost_over_is_thought_again(
    thinker: BotProcessPool, tmp_path: Path, loss: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    lost, given_up = tmp_path / "lost", list[float]()

    async def wait_for(asked: asyncio.Future[bytes], seconds: float) -> bytes:
        """The time is up as soon as the mind hangs."""
        while not asked.done():
            if loss is hang_once and lost.exists() and not given_up:
                given_up.append(seconds)
                raise TimeoutError
            await asyncio.sleep(0.01)
        return await asked

    before = await thinker._ask(pid, "greedy", question())
    monkeypatch.setattr("polyopolis.server.workers.bot_processes.asyncio.wait_for", wait_for)
    assert await thinker._ask(loss, str(lost), question()) == b"thought"
    after = await thinker._ask(pid, "greedy", question())
    assert before != after
    assert given_up == ([bot_processes.DECISION_TIMEOUT_SECONDS] if loss is hang_once else [])
    await until(lambda: int(before) not in {child.pid for child in active_children()})


class DyingWorker:
    """Its process dies of everything that it is asked."""

    ready = alive = True
    born = 0

    def __init__(self, *_: Any) -> None:
        DyingWorker.born += 1
        self.pool = self

    async def begun(self) -> None:
        """It is there at once."""

    def submit(self, *_: Any) -> Future[bytes]:
        broken = Future[bytes]()
        broken.set_exception(BrokenProcessPool())
        return broken

    def close(self) -> None:
        """There is no process."""


async def test_one_that_every_mind_dies_of_is_given_up_and_another_bot_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_processes, "WorkerProcess", DyingWorker)
    monkeypatch.setattr(DyingWorker, "born", 0)
    thinker = BotProcessPool(1, warm=nothing)
    choice = await thinker.choose("level-3", question())
    assert choice.bot == "random"
    assert MATCH.why_not(0, choice.action) is None
    assert DyingWorker.born == 1 + 2 * bot_processes.TRIES, "two bots were tried, each as often as that"
    thinker.close()


async def test_one_table_goes_before_the_many_of_somebody_else(thinker: BotProcessPool) -> None:
    done = list[str]()

    async def think(bot: str, table: str, person: str) -> None:
        await thinker.choose(bot, question(table, person))
        done.append(table)

    crowd = [asyncio.create_task(think("level-5", f"{number}/0", "crowd")) for number in range(30)]
    await asyncio.sleep(0)
    await think("level-1", "hers/0", "ada")
    assert done.index("hers/0") <= 2
    for task in crowd:
        task.cancel()


SERVER = """
import sys, time
from tests.server.workers.test_bot_processes import nothing, pid
from polyopolis.server.workers.worker_process import WorkerProcess
worker = WorkerProcess({}, nothing)
print(int(worker.pool.submit(pid).result()), flush=True)
time.sleep(600)
"""


@pytest.mark.slow
async def test_minds_end_with_the_server_however_it_ends() -> None:
    with subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout
        mind = int(server.stdout.readline())
        assert is_running(mind)
        server.kill()
    await until(lambda: not is_running(mind))


async def test_a_worker_whose_process_has_died_is_not_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = WorkerProcess({}, nothing)
    await worker.begun()
    assert worker.alive
    # As in the moment between two steps of the pool: it has fetched the exit code, and not stored it yet.
    monkeypatch.setattr("multiprocessing.popen_fork.Popen.poll", lambda *_: None)
    worker.close()
    await until(lambda: not worker.alive)


def is_running(pid: int) -> bool:
    """Whether a process has not ended; it may have ended although nobody has waited for it."""
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, check=False, text=True).stdout
    return bool(state.strip()) and "Z" not in state
