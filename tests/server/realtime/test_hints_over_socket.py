"""A hint makes a match practice, for good; it is refused where people play in earnest, and never comes too late."""

import asyncio
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from polyopolis.bots import DEFAULT, LEVELS
from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.kernels import FAST, warmup
from polyopolis.play.protocols import BotRequest
from polyopolis.server.workers import bot_processes
from polyopolis.server.workers.bot_processes import BotProcessPool
from tests.server.support.server_process import House, Visitor

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]


async def test_a_hint_is_what_a_good_bot_would_do_and_why(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "bot:greedy")
    async with ada.at(table) as screen:
        choices = await screen.turn(0)
        assert screen.info
        assert not screen.info["match"]["practice"]
        found = (await screen.ask(type="ask-hint", seat=0))["explanation"]
        assert screen.info["match"]["practice"]
        assert found["bot"] == "level-3"
        assert 2 <= len(found["options"]) <= 5
        assert all(option["action"] in choices for option in found["options"])
        assert any(option["features"] for option in found["options"])
        await screen.act(0, found["options"][0]["action"])
        await screen.until(lambda: screen.moves > 2)


@asynccontextmanager
async def stays_practice(house: House) -> AsyncIterator[None]:
    """Before a power failure a hint makes a match practice, and after it the match still is."""
    ada = Visitor(house)
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.turn(0)
        assert (await screen.ask(type="ask-hint", seat=0))["explanation"]
    yield
    assert (await ada.get(f"/tables/{table}"))["match"]["practice"]
    await ada.close()


async def test_a_hint_is_refused_where_people_play_in_earnest(visit: Visit) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers:
        await hers.turn(0)
        refused = await hers.ask(type="ask-hint", seat=0)
        assert (refused["explanation"], refused["reason"]["code"]) == (None, "hint-among-people")
        await hers.until(lambda: bool(hers.info and hers.info["seats"][1]["replaceable"]))
        await ada.post(f"/tables/{table}/seats/1", {"type": "put-bot", "bot": "random"})
        refused = await hers.ask(type="ask-hint", seat=0)
        assert refused["reason"]["code"] == "hint-among-people", "Ben may come back"
        assert hers.info
        assert not hers.info["match"]["practice"]


async def test_a_hint_for_one_seat_is_for_its_own_people_while_they_decide(visit: Visit) -> None:
    ada, eve = visit(), visit()
    table = await ada.table("Ada", "Ben", "bot:random")
    async with ada.at(table) as hers, eve.at(table) as watching:
        choices = await hers.turn(0)
        await watching.say(type="ask-hint", ask=1, seat=0)
        assert (await watching.heard_of("refused"))["reason"]["code"] == "not-your-seat"
        await hers.act(0, choices[0])
        await hers.until(lambda: hers.mine[0]["staged"] is not None)
        assert (await hers.ask(type="ask-hint", seat=0))["reason"]["code"] == "not-due"
        assert (await hers.ask(type="ask-hint", seat=1))["explanation"]["options"]


def slow_warm_up() -> None:
    """A compiler that is not done before its process is killed."""
    threading.Event().wait()


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """No mind counts as lost because the machine is slow."""
    monkeypatch.setattr(bot_processes, "DECISION_TIMEOUT_SECONDS", 600.0)


@pytest.mark.skipif(not FAST, reason="without numba there is nothing to wait for")
async def test_nobody_waits_for_the_compiler() -> None:
    mycity = game("mycity")
    match = Match.start(mycity, mycity.Setup(seats=2)).deal(Dealer(seed_of("x")))
    thinker = BotProcessPool(1, warm=slow_warm_up)
    try:
        action = (await thinker.choose("level-3", BotRequest("t/0", match, 0, seed_of("x")))).action
        assert not thinker.ready
        assert match.why_not(0, action) is None
        found = await thinker.explain(BotRequest("t/0", match, 0, seed_of("x")))
        assert found
        assert 0 < found.simulations < 100, "in plain Python a level searches less"
    finally:
        thinker.close()


@pytest.mark.skipif(not FAST, reason="without numba there is nothing to wait for")
async def test_once_the_kernels_are_ready_levels_search_at_full_depth() -> None:
    mycity = game("mycity")
    match = Match.start(mycity, mycity.Setup(seats=2)).deal(Dealer(seed_of("x")))
    thinker = BotProcessPool(1)
    try:
        while not thinker.ready:
            await asyncio.sleep(0.05)
        found = await thinker.explain(BotRequest("t/0", match, 0, seed_of("x")))
        assert found
        assert found.simulations == LEVELS[DEFAULT].simulations
    finally:
        thinker.close()


def test_machine_code_is_kept_with_the_data_where_the_kernels_lie_out_of_reach(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(warmup.CACHE, raising=False)
    assert warmup.cache_in(tmp_path) == {}
    monkeypatch.setattr("os.access", lambda *_: False)
    assert warmup.cache_in(tmp_path) == {"NUMBA_CACHE_DIR": str(tmp_path)}
    monkeypatch.setenv(warmup.CACHE, "/elsewhere")
    assert warmup.cache_in(tmp_path) == {}
