"""Hints: they make a match practice permanently and are refused among people."""

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
from tests.server.support.server_process import ServerProcess, Visitor

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]


async def test_a_hint_contains_the_options_of_the_default_bot_with_reasons(visit: Visit) -> None:
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
async def stays_practice(house: ServerProcess) -> AsyncIterator[None]:
    """A match that a hint has made practice is still practice after a power failure."""
    ada = Visitor(house)
    table = await ada.table("Ada", "bot:random")
    async with ada.at(table) as screen:
        await screen.turn(0)
        assert (await screen.ask(type="ask-hint", seat=0))["explanation"]
    yield
    assert (await ada.get(f"/tables/{table}"))["match"]["practice"]
    await ada.close()


async def test_hints_are_refused_among_people(visit: Visit) -> None:
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


async def test_a_hint_is_available_only_to_the_seat_whose_turn_it_is(visit: Visit) -> None:
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
    """A warm-up that never ends."""
    threading.Event().wait()


@pytest.fixture(autouse=True)
def without_timeout(monkeypatch: pytest.MonkeyPatch) -> None:
    """Disables the timeout of decisions, which slow machines might reach."""
    monkeypatch.setattr(bot_processes, "DECISION_TIMEOUT_SECONDS", 600.0)


@pytest.mark.skipif(not FAST, reason="requires numba")
async def test_bots_play_while_kernels_are_compiled() -> None:
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


@pytest.mark.skipif(not FAST, reason="requires numba")
async def test_bots_search_at_full_depth_with_compiled_kernels() -> None:
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


def test_compiled_kernels_are_cached_in_the_data_folder_if_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(warmup.CACHE_ENV_VAR, raising=False)
    assert warmup.cache_environment(tmp_path) == {}
    monkeypatch.setattr("os.access", lambda *_: False)
    assert warmup.cache_environment(tmp_path) == {"NUMBA_CACHE_DIR": str(tmp_path)}
    monkeypatch.setenv(warmup.CACHE_ENV_VAR, "/elsewhere")
    assert warmup.cache_environment(tmp_path) == {}
