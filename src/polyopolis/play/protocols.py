"""Protocols of the infrastructure that tables depend on: repositories, bots, workers, cluster, clock."""

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
    """Stores tables and matches. Writes are atomic and durable: they are on disk when the call returns."""

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        """Creates a table with imported matches and their logs. Has no effect if the table exists."""

    async def table(self, table: str) -> TableEntity | None:
        """The table with all its seats and matches."""

    async def tables_of(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """The listed tables where a person has a seat, last changed first, each with its newest match only."""

    async def tables_with_others(self, person: str, most: int) -> tuple[TableEntity, ...]:
        """Those of them with another player and an unfinished match or an open request, first changed first."""

    async def unlist(self, person: str, table: str, changed: int) -> None:
        """Takes a table off a person's list until it changes after `changed`, the time of its last change."""

    async def relist(self, person: str, table: str) -> None:
        """Puts a table back on a person's list."""

    async def rests_of(self, person: str) -> Mapping[tuple[str, int], str]:
        """The rest hours of a person as JSON, by table and seat."""

    async def best_score(self, person: str, game: str, kind: str, but: tuple[str, int]) -> int | None:
        """A person's best score in finished matches of a kind, without practice and without the match `but` (table,
        number)."""

    async def open_tables(self, since: int, most: int) -> tuple[TableEntity, ...]:
        """Tables that invite all players, with a free seat and without a match, changed since `since` (seconds since
        1970), last changed first."""

    async def is_turned_away(self, table: str, person: str) -> bool:
        """Whether a person may not take a seat at a table."""

    async def turned_away_from(self, tables: Sequence[str], person: str) -> frozenset[str]:
        """Those of the tables where a person may not take a seat."""

    # Changes of a table. Each raises `Conflict` if the table is not at `entry.version` any more.

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        """Changes a seat, the players of an unfinished match, and who is turned away."""

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        """Changes who is invited, and whether players may chat."""

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        """Adds a match with its first moves."""

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None: ...

    # Changes by other nodes

    async def match(self, table: str, number: int) -> StoredMatch | None: ...

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        """The table now, with the log rows of this match from `number` on, or with all rows of a newer match."""

    async def versions(self, tables: Sequence[str]) -> Mapping[str, int]:
        """The number of changes of each table."""

    # Bots

    async def adopt(self, node: str) -> tuple[str, ...]:
        """Assigns to this node the tables with bots that are due and run at no living node."""

    async def rest(self, table: str, node: str) -> None:
        """Records that no bot of this node is due at a table."""

    # Time

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        """Records that the site is up, and an outage if the last heartbeat is older than `silence` milliseconds.
        Returns all outages that can affect a clock."""

    async def outage(self, outage: Outage) -> None:
        """Adds an outage."""

    async def clocked(self) -> tuple[str, ...]:
        """The tables with a running clock."""

    # People

    async def remember(self, person: str, name: str) -> None:
        """Stores the last name of a person."""

    async def name_of(self, person: str) -> str | None: ...


class ChatRepository(Protocol):
    """Stores chat remarks, and which people ignore each other."""

    async def write(self, row: ChatMessage) -> None: ...

    async def remark(self, remark: str) -> ChatMessage | None: ...

    async def remarks(self, table: str, most: int) -> tuple[ChatMessage, ...]:
        """The last remarks, oldest first."""

    async def ignore(self, person: str, other: str, ignored: bool) -> None: ...

    async def ignored_by(self, person: str) -> frozenset[str]: ...

    async def ignoring(self, other: str) -> frozenset[str]:
        """The people who ignore a person."""

    async def report(self, remark: ChatMessage, by: str, now: int) -> None:
        """Reports a remark to the host, once for each person who reports it."""


class DailyRepository(Protocol):
    """Stores daily games and tries. Existing rows are never overwritten: the first writer wins."""

    async def draw(self, rows: Sequence[DailyDeck]) -> None:
        """Adds games for days that have none."""

    async def day(self, *days: Day) -> tuple[DailyDeck, ...]:
        """The games of one or several days."""

    async def days(self, until: Day) -> tuple[Day, ...]:
        """All days with a game, up to this one."""

    async def begin(self, row: DailyTry) -> DailyTry:
        """Stores a try unless the person has one already. Returns the one that counts."""

    async def own_tries(self, day: Day, games: Sequence[str], person: str) -> tuple[DailyTryStatus, ...]:
        """A person's tries at games of a day."""

    async def unjudged(self, day: Day, game: str, rules: int, content: str) -> tuple[DailyTryStatus, ...]:
        """The finished tries without a verdict that count, played with these rules and this content."""

    async def standing(self, day: Day, game: str, most: int) -> Standing:
        """The results of all tries that count, with the best `most` of them."""

    async def tries_of(self, person: str) -> tuple[DailyTryStatus, ...]: ...

    async def judge(self, row: DailyTry) -> None:
        """Stores the verdict on a try unless it has one."""

    async def has_played(self, day: Day, game: str, person: str) -> bool:
        """Whether a person's try is over."""

    async def pars(self, day: Day, game: str) -> Mapping[str, Mapping[int, int]]:
        """The scores of the par games, by version and number."""

    async def add_par(self, day: Day, game: str, version: str, number: int, score: int) -> None: ...


class RatingEligibility(Protocol):
    """Decides which players and bots can be rated."""

    async def have_accounts(self, people: Collection[str]) -> bool:
        """Whether all of these people have accounts."""

    async def are_independent(self, people: Collection[str]) -> bool:
        """Whether no external bot among them plays with its owner or with another bot of its owner."""

    def know(self, game: str, bot: str) -> bool:
        """Whether the strength of a bot has been measured."""


class Quotas(Protocol):
    """Limits storage by person and by client address, and records which tables are in use."""

    async def check_table(self, person: str) -> None:
        """Counts a new table. Raises an error if the person may not create it now."""

    async def check_import(self, person: str, size: int) -> None:
        """Counts an import of this size. Raises an error if the person may not make it now."""

    def note_opened(self, table: str, changed: int) -> None:
        """Records that a table was opened whose last change was at `changed`, in seconds since 1970. Does not block."""


@dataclass(frozen=True)
class BotRequest:
    """A question to a bot."""

    place: str
    """Identifies the match, so that a bot process can reuse its state."""
    match: Match
    seat: int
    seed: bytes
    """The seed of the bot, not of the dealer."""
    people: tuple[str, ...] = ()
    """The people on whose behalf it computes: the players, or the spectators of a table without players."""
    watched: Callable[[], bool] = lambda: True
    """Whether there is a spectator now."""
    idle: bool = False
    """Whether it has the lowest priority, because no client waits for it."""


@dataclass(frozen=True)
class BotDecision:
    """The decision of a bot. It may be another bot if the one that was asked could not decide."""

    action: Any
    bot: str


class BotService(Protocol):
    """Runs bots, which know only public information."""

    stand_in: str
    """The bot that stands in where none is chosen."""

    def opponents(self, game: str) -> tuple[str, ...]:
        """The bots that can be chosen as opponents, first offered: `usual`."""

    def usual(self, game: str) -> str: ...

    def beatable(self, game: str) -> str:
        """The bot that is offered to players who have never finished a match of the game."""

    def check(self, bot: str) -> None:
        """Raises `PolyopolisError` if there is no such bot."""

    async def choose(self, bot: str, question: BotRequest) -> BotDecision:
        """Returns a legal action."""

    async def explain(self, question: BotRequest) -> Explanation | None:
        """What a good bot would do, and why."""


class ExportWorker(Protocol):
    """Runs expensive reads and writes of records without blocking other requests."""

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes:
        """Runs a function that builds a response."""

    async def read(self, work: Callable[..., bytes], *about: Any) -> bytes:
        """Runs a function that parses an upload. It raises `RecordError` for invalid ones."""


@dataclass(frozen=True)
class ReviewProgress:
    """The progress of a review."""

    done: float
    """From 0 to 1."""
    review: bytes | None = None
    """The newest version as JSON, if there is a more precise one."""
    final: bool = False


class ReviewEngine(Protocol):
    """Computes reviews at a lower priority than live matches. Raises `Busy` if too many are queued."""

    @property
    def evaluator(self) -> str:
        """Its version. Other versions may give other results for the same match."""

    def reviewed(self, person: str, key: str, game: str, kept: StoredMatch) -> AsyncGenerator[ReviewProgress, None]:
        """Reviews a match with increasing precision, for a person, under the cache key. Closing the generator cancels
        it."""

    def looks_back(self, person: str, game: str, kept: StoredMatch, seat: int) -> AsyncGenerator[ReviewProgress, None]:
        """Searches the best city of a seat given the actual deck, and par, with increasing precision."""

    async def solved(self, person: str, game: str, kept: StoredMatch, solution: Solution) -> bytes:
        """The value of another decision, as JSON."""


class ReviewCache(Protocol):
    """Cache of finished reviews. Entries may be evicted; reviews can be recomputed."""

    async def review(self, key: str) -> bytes | None: ...

    async def shelve(self, key: str, review: bytes) -> None: ...


@dataclass(frozen=True)
class TableAttendance:
    """The guests of a table at some node."""

    people: frozenset[str] = frozenset()
    unknown: int = 0
    """Number of pages of unidentified guests."""
    watching: frozenset[str] = frozenset()
    """The people with a page in the foreground."""


class ClusterLink(Protocol):
    """The link to other nodes that serve the same tables."""

    node: str
    """The name of this node."""

    @property
    def any(self) -> bool:
        """Whether there can be other nodes."""

    def changed(self, table: str, version: int) -> None:
        """Announces a persisted change. Does not block."""

    def aside(self, table: str, word: str) -> None:
        """Sends a message that is not stored with the table; it contains no spaces. Does not block."""

    def present(self, table: str, crowd: TableAttendance) -> None:
        """Announces the guests at this node. Does not block."""

    async def crowd(self, table: str) -> TableAttendance:
        """The guests of a table at other nodes."""


class Subscriber(Protocol):
    """An open page, or the stream of an external bot."""

    @property
    def person(self) -> str | None: ...

    def tell(self, message: bytes) -> None:
        """Queues a message. Does not block."""


class TimerHandle(Protocol):
    """A scheduled call."""

    def cancel(self) -> None: ...


class Clock(Protocol):
    def now(self) -> int:
        """Milliseconds since 1970, for stored times only: the system clock may be set at any time."""

    def running(self) -> float:
        """Seconds on a monotonic clock, for durations."""

    def later(self, seconds: float, what: Callable[[], None]) -> TimerHandle: ...

    async def pause(self, seconds: float) -> None:
        """Waits so that players can follow."""
