"""What a table needs of the place where it lives: who keeps, thinks, writes out, is told, and what time it is."""

from collections.abc import AsyncGenerator, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from polyopolis.engine import Match
from polyopolis.play.entities import (
    CatchUp,
    ChatMessage,
    DailyDeck,
    DailyTry,
    DailyTryStatus,
    LogEntry,
    MatchEntity,
    MatchUpdate,
    Outage,
    SeatEntity,
    Standing,
    StoredMatch,
    TableChange,
    TableEntity,
)
from polyopolis.play.timing.utc_days import Day
from polyopolis.play.wire.explanation import Explanation
from polyopolis.play.wire.requests import Solution


class MatchRepository(Protocol):
    """Loses nothing: what a call has returned from is kept, as a whole or, if it fails, not at all."""

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        """With the matches that were played elsewhere, and what happened in each. Nothing happens if it is there."""

    async def table(self, table: str) -> TableEntity | None:
        """With all its seats and matches."""

    async def tables_of(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Where somebody has a seat, the last changed first, each with its newest match alone. Those that they have
        taken off their list are left out."""

    async def tables_with_others(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Of these, where somebody else has a seat, too, and the newest match is not over or something is asked after
        it; what was changed longest ago first."""

    async def unlist(self, person: str, table: str, changed: int) -> None:
        """Somebody takes a table that was changed last then off their list, until something happens there. Nothing else
        changes."""

    async def relist(self, person: str, table: str) -> None:
        """It is on their list again."""

    async def rests_of(self, person: str) -> Mapping[tuple[str, int], str]:
        """When somebody wants no clock to run, as JSON, by the tables and seats where they have said so."""

    async def best_score(self, person: str, game: str, kind: str, but: tuple[str, int]) -> int | None:
        """Returns the best score of somebody in finished matches of this kind, without practice and without one match,
        which is named by its table and number."""

    async def open_tables(self, since: int, most: int) -> tuple[TableEntity, ...]:
        """Where everybody is invited, a seat is free and nothing was played yet; changed since then, in seconds since
        1970, the last first."""

    async def is_turned_away(self, table: str, person: str) -> bool:
        """Whether somebody may not sit down there."""

    async def turned_away_from(self, tables: Sequence[str], person: str) -> frozenset[str]:
        """Returns those of these tables where somebody may not sit down."""

    # Changes of a table. Each is a `Conflict` if somebody else has changed the table in the meantime.

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        """Who sits where now, and so who plays the match that is not over; whoever is turned away with it."""

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        """Who is invited, and whether people may write to each other."""

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        """A new match of the chain, with its first moves."""

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None: ...

    # What others have changed

    async def match(self, table: str, number: int) -> StoredMatch | None: ...

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        """As it is now: of this match what came after so many log rows, of a newer one everything."""

    async def versions(self, tables: Sequence[str]) -> Mapping[str, int]:
        """How often each of these was changed."""

    # Who thinks

    async def adopt(self, node: str) -> tuple[str, ...]:
        """The tables where bots are to decide that think nowhere any more. From now on they think at this node."""

    async def rest(self, table: str, node: str) -> None:
        """Bots of this node have nothing to think about there."""

    # Time

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        """The house is there. If the last sign of that is older than so many milliseconds it was not, meanwhile. All
        the times when it was not, as far back as any clock goes."""

    async def outage(self, outage: Outage) -> None:
        """One more."""

    async def clocked(self) -> tuple[str, ...]:
        """The tables where somebody is to decide and a clock runs."""

    # People

    async def remember(self, person: str, name: str) -> None:
        """How somebody was called last."""

    async def name_of(self, person: str) -> str | None: ...


class ChatRepository(Protocol):
    """Keeps what people write to each other, and whom each of them does not want to hear."""

    async def write(self, row: ChatMessage) -> None: ...

    async def remark(self, remark: str) -> ChatMessage | None: ...

    async def remarks(self, table: str, most: int) -> tuple[ChatMessage, ...]:
        """The last ones, in the order in which they were written."""

    async def ignore(self, person: str, other: str, ignored: bool) -> None: ...

    async def ignored_by(self, person: str) -> frozenset[str]: ...

    async def ignoring(self, other: str) -> frozenset[str]:
        """Those who do not want to hear somebody."""

    async def report(self, remark: ChatMessage, by: str, now: int) -> None:
        """Whoever runs the house is to read it. Once for each who reports it."""


class DailyRepository(Protocol):
    """Keeps the games of the days, and who has tried them. What is there already stays: whoever is first is right."""

    async def draw(self, rows: Sequence[DailyDeck]) -> None:
        """Those that nobody has drawn yet."""

    async def day(self, *days: Day) -> tuple[DailyDeck, ...]:
        """The games of a day, or of several."""

    async def days(self, until: Day) -> tuple[Day, ...]:
        """All that were drawn, up to this one."""

    async def begin(self, row: DailyTry) -> DailyTry:
        """The try of this person that counts: this one, or the one that was begun before."""

    async def own_tries(self, day: Day, games: Sequence[str], person: str) -> tuple[DailyTryStatus, ...]:
        """Returns the tries of one person at games of a day."""

    async def unjudged(self, day: Day, game: str, rules: int, content: str) -> tuple[DailyTryStatus, ...]:
        """Returns tries that are over, count and have no verdict, and were played with these rules and this content."""

    async def standing(self, day: Day, game: str, most: int) -> Standing:
        """Returns how all tries stand that count, with at most so many of the best."""

    async def tries_of(self, person: str) -> tuple[DailyTryStatus, ...]: ...

    async def judge(self, row: DailyTry) -> None:
        """What a try has come to; nothing happens if that was found before."""

    async def has_played(self, day: Day, game: str, person: str) -> bool:
        """Whether their one try is over."""

    async def pars(self, day: Day, game: str) -> Mapping[str, Mapping[int, int]]:
        """What a bot has come to on a day's deck, by its version and the numbers of its games."""

    async def add_par(self, day: Day, game: str, version: str, number: int, score: int) -> None: ...


class RatingEligibility(Protocol):
    """Know who can be rated."""

    async def have_accounts(self, people: Collection[str]) -> bool:
        """All of these."""

    async def are_independent(self, people: Collection[str]) -> bool:
        """Whether no outside bot among them has its owner, or another bot of its owner, beside it."""

    def know(self, game: str, bot: str) -> bool:
        """Whether it was measured how well a bot plays."""


class Quotas(Protocol):
    """Limits how much is kept for one person and for one address, and knows which tables are still opened."""

    async def check_table(self, person: str) -> None:
        """Raises an error if somebody may not make another table now. Counts one more otherwise."""

    async def check_import(self, person: str, size: int) -> None:
        """Raises an error if somebody may not bring so many bytes from elsewhere now. Counts them otherwise."""

    def note_opened(self, table: str, changed: int) -> None:
        """Somebody has opened a table that was changed last then, in seconds since 1970. Never waits."""


@dataclass(frozen=True)
class BotRequest:
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
    idle: bool = False
    """Nobody waits for it: whatever else is asked goes before."""


@dataclass(frozen=True)
class BotDecision:
    """What was decided, and by which bot: another one if the one that was asked could not."""

    action: Any
    bot: str


class BotService(Protocol):
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

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        """A legal action."""

    async def explain(self, question: BotRequest) -> Explanation | None:
        """What a good bot would do, and why."""


class ExportWorker(Protocol):
    """Reads and writes what may take a while, where nobody waits for it but the one who asked."""

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes:
        """To be handed on."""

    async def read(self, work: Callable[..., bytes], *about: Any) -> bytes:
        """Looks through what somebody brings; what is wrong with it is a RecordError."""


@dataclass(frozen=True)
class ReviewProgress:
    """How far somebody is who works out a review."""

    done: float
    """From 0 to 1."""
    review: bytes | None = None
    """As JSON, whenever there is a more precise one."""
    final: bool = False


class ReviewEngine(Protocol):
    """Works out what there is to learn from a match, after everything that is live. `Busy` if too many wait for it."""

    @property
    def evaluator(self) -> str:
        """Its version: another one may say something else of the same match."""

    def reviewed(self, person: str, key: str, game: str, kept: StoredMatch) -> AsyncGenerator[ReviewProgress, None]:
        """For somebody, more and more precise, under the name by which it is kept. Whoever closes it cancels it."""

    def looks_back(self, person: str, game: str, kept: StoredMatch, seat: int) -> AsyncGenerator[ReviewProgress, None]:
        """The best city of a seat, now that the luck is known, and par: better and better, likewise."""

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        """What another decision would have been worth, as JSON."""


class ReviewCache(Protocol):
    """Where reviews lie that were worked out. They can be worked out again: nobody misses one that is gone."""

    async def review(self, key: str) -> bytes | None: ...

    async def shelve(self, key: str, review: bytes) -> None: ...


@dataclass(frozen=True)
class TableAttendance:
    """Who is at a table at some node."""

    people: frozenset[str] = frozenset()
    unknown: int = 0
    """Pages of people whom nobody knows."""
    watching: frozenset[str] = frozenset()
    """Those of the people who have it before their eyes."""


class ClusterLink(Protocol):
    """Other nodes, where the same tables are played."""

    node: str
    """What this one is called among them."""

    @property
    def any(self) -> bool:
        """Whether somebody else may change what is kept."""

    def changed(self, table: str, version: int) -> None:
        """They are told once it is kept. Never waits."""

    def aside(self, table: str, word: str) -> None:
        """They are told something that is not kept with the table; a word without spaces. Never waits."""

    def present(self, table: str, crowd: TableAttendance) -> None:
        """They are told who is there, here. Never waits."""

    async def crowd(self, table: str) -> TableAttendance:
        """Who is there, at other nodes."""


class Subscriber(Protocol):
    """One open page."""

    @property
    def person(self) -> str | None: ...

    def tell(self, message: bytes) -> None:
        """Never waits."""


class TimerHandle(Protocol):
    """Something that is to happen later."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970, for what is written down. Somebody may set it back or forth at any time: nothing is
        measured or put in order by it."""

    def running(self) -> float:
        """Seconds on a clock that only goes forward: how long something has lasted."""

    def later(self, seconds: float, what: Callable[[], None]) -> TimerHandle: ...

    async def pause(self, seconds: float) -> None:
        """So that people can follow."""
