"""Durability: restarts, power failures at any moment, failing bots."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import anyio
import msgspec
import pytest
from websockets.exceptions import ConnectionClosed

from polyopolis.engine import Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.play.protocols import BotRequest
from polyopolis.records import Record, verify
from polyopolis.server.workers.bot_processes import BotProcessPool
from tests.server.auth.test_bot_api import keeps_its_decision
from tests.server.realtime.test_campaign_over_socket import keeps_its_campaign
from tests.server.realtime.test_hints_over_socket import stays_practice
from tests.server.support.server_process import Message, ServerProcess, Visitor, running_server
from tests.support.property_budget import IS_SOAK, SOAK

pytestmark = pytest.mark.anyio
KILLS, PLAYERS = (50, 4) if IS_SOAK else (2, 2)


@asynccontextmanager
async def keeps_a_seat(house: ServerProcess) -> AsyncIterator[None]:
    """Seats and staged decisions survive a power failure, and the match can be finished."""
    ada, ben = Visitor(house), Visitor(house)
    table = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    async with ada.at(table) as hers:
        choice = (await hers.turn(0))[3]
        await hers.act(0, choice)
        await hers.until(lambda: hers.mine[0]["staged"] == choice)
    yield
    async with ada.at(table) as hers, ben.at(table) as his:
        await hers.until(lambda: 0 in hers.mine)
        assert (hers.mine[0]["turn"], hers.mine[0]["staged"]) == (1, choice)
        assert his.info
        assert his.info["yours"] == [1]
        await asyncio.gather(hers.play(0), his.play(1))
        assert hers.over
    await ada.close()
    await ben.close()


@pytest.mark.slow
async def test_a_restart_after_a_power_failure_keeps_all_state(tmp_path: Path) -> None:
    """Seats, staged decisions, practice, campaigns, and tables of external bots."""
    with running_server(tmp_path) as house:
        async with AsyncExitStack() as stack:
            for keeps in (keeps_a_seat, stays_practice, keeps_its_campaign, keeps_its_decision):
                await stack.enter_async_context(keeps(house))
            house.kill()
            house.start()


class KillTrigger:
    """Fires after a number of received scenes, or when all matches are over."""

    def __init__(self, scenes: int, matches: int) -> None:
        self.fired = asyncio.Event()
        self._scenes, self._matches = scenes, matches

    def scene_received(self) -> None:
        self._scenes -= 1
        if self._scenes <= 0:
            self.fired.set()

    def over(self) -> None:
        self._matches -= 1
        if not self._matches:
            self.fired.set()


async def play_until_killed(
    trigger: KillTrigger, visitor: Visitor, table: str, received: list[Message], seen: dict[str, int]
) -> None:
    """Plays, and records all received events and the latest number."""
    try:
        async with visitor.at(table, f"since={seen['number']}" if seen else "") as screen:
            while not screen.over:
                before = len(screen.heard)
                choices = await screen.turn(0)
                if choices and screen.may(0):
                    await screen.act(0, random.Random(len(received)).choice(choices[:-1] or choices))
                await screen.until(lambda before=before: len(screen.heard) > before)  # type: ignore[misc]
                for scene in (message["scene"] for message in screen.heard[before:] if message.get("scene")):
                    received += scene["events"]
                    seen["number"] = scene["number"]
                    trigger.scene_received()
    except (ConnectionClosed, OSError):
        pass
    else:
        trigger.over()


@pytest.mark.slow
async def test_a_power_failure_at_any_moment_loses_no_broadcast_move(tmp_path: Path) -> None:
    random_source = random.Random(SOAK)
    house = ServerProcess(tmp_path)
    house.start()
    visitors = [Visitor(house) for _ in range(PLAYERS)]
    tables = [await visitor.table("Ada", "bot:random", "bot:greedy") for visitor in visitors]
    received: list[list[Message]] = [[] for _ in visitors]
    seen: list[dict[str, int]] = [{} for _ in visitors]
    games = list(zip(visitors, tables, received, seen, strict=True))
    try:
        for _ in range(KILLS):
            trigger = KillTrigger(random_source.randint(1, 5 * PLAYERS), PLAYERS)
            async with anyio.create_task_group() as playing:
                for game_ in games:
                    playing.start_soon(play_until_killed, trigger, *game_)
                await trigger.fired.wait()
                await anyio.to_thread.run_sync(house.kill)
            house.start()
            for visitor, table, events, number in games:
                match = verify(msgspec.convert(await visitor.get(f"/tables/{table}/matches/0/record"), Record))
                assert len(match.moves) >= number.get("number", 0), "a broadcast move is lost"
                kept = msgspec.json.decode(msgspec.json.encode(match.events))
                assert all(event in kept for event in events)
        for visitor, table, *_ in games:
            async with visitor.at(table) as screen:
                await screen.play(0)
            record = msgspec.convert(await visitor.get(f"/tables/{table}/matches/0/record"), Record)
            assert verify(record).over
            await visitor.close()
    finally:
        house.stop()


async def test_a_failing_bot_is_replaced_by_a_simpler_one() -> None:
    mycity = game("mycity")
    match = Match.start(mycity, mycity.Setup(seats=2)).deal(Dealer(seed_of("x")))
    thinker = BotProcessPool(1)
    try:
        choice = await thinker.choose("a bot that does not exist", BotRequest("t/0", match, 0, seed_of("x")))
        assert match.why_not(0, choice.action) is None
        assert choice == await thinker.choose("greedy", BotRequest("t/0", match, 0, seed_of("x")))
    finally:
        thinker.close()
