"""A house in memory: a clock that is turned by hand, bots that do as they are told, pages that keep what they hear."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.play.in_memory import InMemoryChatRepository, InMemoryMatchRepository, NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.messages import Act
from polyopolis.play.protocols import BotDecision, BotRequest, MatchRepository
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.wire.explanation import Explanation
from polyopolis.play.wire.requests import BotSeat, CreateTable, Join, Me, Open

Message = dict[str, Any]
ABSENCE = 60.0
PATIENCE = 60.0
"""Seconds after which `until` fails."""


@dataclass(eq=False)
class HandAlarm:
    time: float
    what: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class HandClock:
    def __init__(self) -> None:
        self.time = 1_700_000_000_000
        self.pauses: list[float] = []
        self.held = True
        """Whoever pauses does so until somebody lets them go on."""
        self._go_on = asyncio.Event()
        self._run = 5_000.0
        self._alarms: list[HandAlarm] = []

    def now(self) -> int:
        return self.time

    def running(self) -> float:
        return self._run

    def later(self, seconds: float, what: Callable[[], None]) -> "HandAlarm":
        self._alarms.append(HandAlarm(self._run + seconds, what))
        return self._alarms[-1]

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if self.held:
            await self._go_on.wait()
        else:
            await asyncio.sleep(0)

    def go_on(self) -> None:
        self._go_on.set()
        self._go_on = asyncio.Event()

    def pass_by(self, seconds: float) -> None:
        """Whatever was to happen meanwhile happens."""
        end = self._run + seconds
        while due := [alarm for alarm in self._alarms if alarm.time <= end and not alarm.cancelled]:
            alarm = min(due, key=lambda alarm: alarm.time)
            self._alarms.remove(alarm)
            self.time += int((alarm.time - self._run) * 1000)
            self._run = alarm.time
            alarm.what()
        self.time += int((end - self._run) * 1000)
        self._run = end

    def jump(self, seconds: float) -> None:
        """Somebody sets the time of day; no time passes."""
        self.time += int(seconds * 1000)


class Obedient:
    """A thinker whose bots do what is legal and comes first, once they may."""

    stand_in = "first"

    def __init__(self) -> None:
        self.may = asyncio.Event()
        self.may.set()
        self.asked: list[BotRequest] = []
        self.decides = ""
        """Another bot, whichever is asked."""

    def opponents(self, game: str) -> tuple[str, ...]:
        return ("first", "last")

    def usual(self, game: str) -> str:
        return "first"

    def beatable(self, game: str) -> str:
        return "last"

    def check(self, bot: str) -> None:
        if bot != "first":
            raise PolyopolisError(f"there is no bot {bot!r}")

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        self.asked.append(question)
        await self.may.wait()
        return BotDecision(question.match.game.legal(question.match.state, question.seat)[0], self.decides or bot)

    async def explain(self, question: BotRequest) -> Explanation | None:
        await self.may.wait()
        return Explanation("first", 0, True, ())


class Page:
    """A guest who keeps what is told."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.told: list[bytes] = []

    def tell(self, message: bytes) -> None:
        self.told.append(message)

    @property
    def heard(self) -> list[Message]:
        return [json.loads(message) for message in self.told]

    @property
    def last(self) -> Message:
        return self.heard[-1]

    def forget(self) -> None:
        self.told.clear()


class House:
    """A lobby with all that it needs."""

    def __init__(self, keeper: MatchRepository | None = None) -> None:
        self.keeper = keeper or InMemoryMatchRepository()
        self.thinker = Obedient()
        self.clock = HandClock()
        self.notebook = InMemoryChatRepository()
        self.lobby = Lobby(
            SiteServices(
                self.keeper,
                self.thinker,
                self.clock,
                NoCluster(),
                ABSENCE,
                chat_repository=self.notebook,
                chat_enabled=True,
            )
        )

    async def table(self, *seats: str, **wish: Any) -> Table:
        """For Ada: `Ada` is a seat of hers, `bot` one of a bot, any other name one of somebody who joins."""
        wishes = [Me(name) if name == "Ada" else BotSeat("first") if name == "bot" else Open() for name in seats]
        fields = {"game": "mycity", "setup": {"mode": "eternal"}, **wish}
        table = await self.lobby.factory.create("Ada", CreateTable(**fields, seats=tuple(wishes)))
        for seat, name in enumerate(seats):
            if name not in ("Ada", "bot", "open"):
                await table.change_seat(name, seat, Join(name))
        return table

    async def arrived(self, table: Table, person: str | None) -> Page:
        page = Page(person)
        await table.arrive(page)
        return page


async def act(table: Table, page: Page, seat: int, choice: int = 0) -> None:
    """One of the choices of a seat."""
    assert table.session
    live = table.session.live
    action = live.game.legal(live.match.state, seat)[choice]
    await say(table, page, seat, action)


async def say(table: Table, page: Page, seat: int, action: Any) -> None:
    assert table.session
    turn = table.session.live.turns.get(seat, 0)
    await table.handle(page, Act(seat, turn, action if isinstance(action, dict) else as_dict(action)))


def as_dict(action: Any) -> Message:
    found: Message = msgspec.to_builtins(action)
    return found


async def settle(breaths: int = 20) -> None:
    """Whatever bots have begun comes to its end."""
    for _ in range(breaths):
        await asyncio.sleep(0)


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Returns as soon as `holds()` is true, also where threads work. Raises `TimeoutError` if it stays false."""
    async with asyncio.timeout(PATIENCE):
        while not (found if isinstance(found := holds(), bool) else await found):
            await asyncio.sleep(0.005)
