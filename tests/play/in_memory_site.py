"""A site in memory for tests: a manual clock, predictable bots, pages that record messages."""

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
from polyopolis.play.wire.requests import BotSeat, CreateTable, Join, OpenSeat, OwnSeat

Message = dict[str, Any]
ABSENCE_SECONDS = 60.0
TIMEOUT_SECONDS = 60.0
"""Time after which `until` fails."""


@dataclass(eq=False)
class ManualTimer:
    time: float
    what: Callable[[], None]
    cancelled: bool = False

    def cancel(self) -> None:
        self.cancelled = True


class ManualClock:
    def __init__(self) -> None:
        self.time = 1_700_000_000_000
        self.pauses: list[float] = []
        self.held = True
        """Whether pauses last until `release` is called."""
        self._go_on = asyncio.Event()
        self._run = 5_000.0
        self._alarms: list[ManualTimer] = []

    def now(self) -> int:
        return self.time

    def running(self) -> float:
        return self._run

    def later(self, seconds: float, what: Callable[[], None]) -> "ManualTimer":
        self._alarms.append(ManualTimer(self._run + seconds, what))
        return self._alarms[-1]

    async def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        if self.held:
            await self._go_on.wait()
        else:
            await asyncio.sleep(0)

    def release(self) -> None:
        self._go_on.set()
        self._go_on = asyncio.Event()

    def advance(self, seconds: float) -> None:
        """Advances both clocks and runs the timers that are due."""
        end = self._run + seconds
        while due := [alarm for alarm in self._alarms if alarm.time <= end and not alarm.cancelled]:
            alarm = min(due, key=lambda alarm: alarm.time)
            self._alarms.remove(alarm)
            self.time += int((alarm.time - self._run) * 1000)
            self._run = alarm.time
            alarm.what()
        self.time += int((end - self._run) * 1000)
        self._run = end

    def shift(self, seconds: float) -> None:
        """Changes the system time only."""
        self.time += int(seconds * 1000)


class FirstActionBots:
    """Bots that choose the first legal action, once they may decide."""

    stand_in = "first"

    def __init__(self) -> None:
        self.may_decide = asyncio.Event()
        self.may_decide.set()
        self.asked: list[BotRequest] = []
        self.decides = ""
        """The bot that decides instead of the one that is asked, if not empty."""

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
        await self.may_decide.wait()
        return BotDecision(question.match.game.legal(question.match.state, question.seat)[0], self.decides or bot)

    async def explain(self, question: BotRequest) -> Explanation | None:
        await self.may_decide.wait()
        return Explanation("first", 0, True, ())


class Page:
    """A guest that records messages."""

    def __init__(self, person: str | None) -> None:
        self.person = person
        self.sent: list[bytes] = []

    def tell(self, message: bytes) -> None:
        self.sent.append(message)

    @property
    def messages(self) -> list[Message]:
        return [json.loads(message) for message in self.sent]

    @property
    def last(self) -> Message:
        return self.messages[-1]

    def clear(self) -> None:
        self.sent.clear()


class InMemorySite:
    """A site in memory."""

    def __init__(self, repository: MatchRepository | None = None) -> None:
        self.repository = repository or InMemoryMatchRepository()
        self.bot_service = FirstActionBots()
        self.clock = ManualClock()
        self.chat_repository = InMemoryChatRepository()
        self.lobby = Lobby(
            SiteServices(
                self.repository,
                self.bot_service,
                self.clock,
                NoCluster(),
                ABSENCE_SECONDS,
                chat_repository=self.chat_repository,
                chat_enabled=True,
            )
        )

    async def table(self, *seats: str, **wish: Any) -> Table:
        """Creates a table for Ada: `Ada` is a seat of hers, `bot` one of a bot, `open` stays open, other names join."""
        wishes = [
            OwnSeat(name) if name == "Ada" else BotSeat("first") if name == "bot" else OpenSeat() for name in seats
        ]
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
    """Plays a choice of a seat."""
    assert table.session
    live = table.session.live
    action = live.game.legal(live.match.state, seat)[choice]
    await send_action(table, page, seat, action)


async def send_action(table: Table, page: Page, seat: int, action: Any) -> None:
    assert table.session
    turn = table.session.live.turns.get(seat, 0)
    await table.handle(page, Act(seat, turn, action if isinstance(action, dict) else as_dict(action)))


def as_dict(action: Any) -> Message:
    found: Message = msgspec.to_builtins(action)
    return found


async def settle(breaths: int = 20) -> None:
    """Lets pending tasks run."""
    for _ in range(breaths):
        await asyncio.sleep(0)


async def until(holds: Callable[[], bool | Awaitable[bool]]) -> None:
    """Waits until `holds()` is true. Raises `TimeoutError` if it stays false."""
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while not (found if isinstance(found := holds(), bool) else await found):
            await asyncio.sleep(0.005)
