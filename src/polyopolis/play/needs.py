"""What a table needs of the place where it lives: who keeps, thinks, writes out, is told, and what time it is."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from polyopolis.engine import Match
from polyopolis.play.explanation import Explanation
from polyopolis.play.rows import Happened, Kept, LogRow, MatchRow, ScoreRow, SeatRow, TableRow


class Keeper(Protocol):
    """Loses nothing: what a call has returned from is kept, as a whole or, if it fails, not at all."""

    async def create(self, row: TableRow) -> None: ...

    async def table(self, table: str) -> TableRow | None:
        """With all its seats and matches."""

    async def tables_of(self, person: str, most: int) -> tuple[TableRow, ...]:
        """Where somebody has a seat, the last changed first, each with its newest match alone. Those that they have
        taken off their list are left out."""

    async def unlist(self, person: str, table: str, now: int) -> None:
        """Somebody takes a table off their list, until something happens there. Nothing else changes."""

    async def relist(self, person: str, table: str) -> None:
        """It is on their list again."""

    async def scores_of(self, person: str, game: str) -> tuple[ScoreRow, ...]:
        """The finished matches of a game in the seats of somebody, without practice."""

    async def waiting_for_bots(self) -> tuple[str, ...]:
        """The tables where a bot is to decide."""

    async def seat(self, table: str, row: SeatRow, playing: MatchRow | None, now: int) -> None:
        """Who sits where now, and so who plays the match that is not over."""

    async def start(self, table: str, row: MatchRow, log: tuple[LogRow, ...], now: int) -> None:
        """A new match of the chain, with its first moves."""

    async def match(self, table: str, number: int) -> Kept | None: ...

    async def append(self, table: str, happened: Happened, now: int) -> None: ...

    async def remember(self, person: str, name: str) -> None:
        """How somebody was called last."""

    async def name_of(self, person: str) -> str | None: ...


@dataclass(frozen=True)
class Question:
    """What a bot is asked."""

    place: str
    """Names the match, so that whoever has thought about it before need not begin anew."""
    match: Match
    seat: int
    seed: bytes
    """The bot's own, never the dealer's."""
    people: tuple[str, ...] = ()
    """For whom it thinks: those who have a seat at the table, or else those who look on."""
    watched: Callable[[], bool] = lambda: True
    """Whether anybody looks on now."""


@dataclass(frozen=True)
class Choice:
    """What was decided, and by which bot: another one if the one that was asked could not."""

    action: Any
    bot: str


class Thinker(Protocol):
    """Asks bots. They know what everybody knows."""

    stand_in: str
    """The bot that plays in where nobody has named one."""

    def opponents(self, game: str) -> tuple[str, ...]:
        """The bots that people may want to play with, the one that is offered first at `usual`."""

    def usual(self, game: str) -> str: ...

    def beatable(self, game: str) -> str:
        """The bot that is offered to whoever has never finished a match of the game."""

    def check(self, bot: str) -> None:
        """PolyopolisError if there is no such bot."""

    async def choose(self, bot: str, question: Question) -> Choice:
        """A legal action."""

    async def explain(self, question: Question) -> Explanation | None:
        """What a good bot would do, and why."""


class Scribe(Protocol):
    """Writes out what may take a while, where nobody waits for it but the one who asked."""

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes: ...


class Guest(Protocol):
    """One open page."""

    @property
    def person(self) -> str | None: ...

    def tell(self, message: bytes) -> None:
        """Never waits."""


class Alarm(Protocol):
    """Something that is to happen later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970, for what is written down. Somebody may set it back or forth at any time: nothing is
        measured or put in order by it."""

    def running(self) -> float:
        """Seconds on a clock that only goes forward: how long something has lasted."""

    def later(self, seconds: float, what: Callable[[], None]) -> Alarm: ...

    async def pause(self, seconds: float) -> None:
        """So that people can follow."""
