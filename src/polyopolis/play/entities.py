"""The stored values of tables, matches, logs and notifications. Repositories store their fields by name."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from polyopolis.engine import Move

PracticeFor = Literal["hint", "takeback", "position", "episode", "day", "import"]
"""Why a match is practice: a hint was given; a decision was taken back after a reveal; it is a branch of another
match, a repeated episode, or a daily game that is over or was tried before; or it was imported or continues an
import."""


Rated = Literal["yes", "takeback", "hint", "substitute", "guest", "owner"]
"""Whether a match at a rated table is rated, or why not: a decision was taken back; a hint was given; another person
or a bot played for a player; a player cannot be rated; or an external bot plays with its owner or with another bot
of the same owner."""

NoticeKind = Literal["turn", "begun", "over", "late", "asked"]
"""The player is to decide; the table is full and another player decides first; the match is over; the time of another
player is up; another player asks for consent."""


class SeatEntity(Struct, frozen=True, gc=False):
    seat: int
    name: str
    person: str | None
    bot: str | None
    city: str | None = None
    """The name of the city, in campaigns where cities have a name and an animal."""
    animal: str | None = None
    rest: str | None = None
    """The rest hours of the player, as JSON."""
    entrusted: bool = False
    """Whether the bot that stands in may make lasting decisions, to which all other players have agreed."""


class MatchEntity(Struct, frozen=True, kw_only=True, gc=False):
    """A match of a table. Columns that follow from its moves are stored with it, so that lists need no replay."""

    number: int
    setup: str
    seed: bytes
    bot_seed: bytes
    practice: bool
    practice_for: PracticeFor | None = None
    """None for other matches, and for matches that were stored before this column existed."""
    players: str = "[]"
    """The names of the players, as JSON: those who have the seats when the match ends."""
    rules: int | None = None
    """The version of the rules; None in the oldest matches until a migration fills it."""
    content: str | None = None
    """The digest of the content."""
    over: bool = False
    due: str = "[]"
    """The seats that are to decide, as JSON."""
    result: str | None = None
    """The result of a finished match, as JSON."""
    standings: str | None = None
    """The standings of the campaign, as JSON: after a finished match, before an unfinished one."""
    asked: str | None = None
    """The open request for consent, as JSON."""
    timing: str | None = None
    """The pace and the events that affect the clocks apart from moves, as JSON; None without clocks."""
    deadlines: str | None = None
    """The deadlines of the seats that are due, as JSON: milliseconds since 1970 by seat. They follow from the log."""
    ended: bool = False
    """Whether it was given up. It counts for nothing."""
    imported: int | None = None
    """Number of its first moves that were imported; None for a match without any relation to an import."""
    rated: Rated | None = None
    """None at tables that are not rated."""


class LogEntry(Struct, frozen=True, gc=False):
    """A move, or a takeback to a number of moves."""

    seat: int | None
    action: str | None
    back_to: int | None
    time: int | None = None
    """Milliseconds since 1970; None in the oldest matches and for imported moves."""
    thought: str | None = None
    """When the seat started and stopped thinking, as JSON; of a takeback by seat, for all seats that were thinking.
    None without clocks."""


class SeatTurn(Struct, frozen=True, gc=False):
    """The number of accepted messages of a seat, and its staged decision."""

    seat: int
    turn: int
    staged: str | None
    by: str | None = None
    """The bot that made the last decision, if it was not the one in the seat."""
    thought: str | None = None
    """When it started and stopped thinking about this decision, as JSON; None before its first message."""
    prepared: str | None = None
    """Its premoves, as JSON."""


class TableEntity(Struct, frozen=True, kw_only=True):
    id: str
    game: str
    setup: str
    chosen_seed: str | None = None
    plan: str = "[]"
    typed: bool = False
    created: int
    changed: int
    version: int = 0
    """Number of changes of the table, its seats and its matches."""
    node: str | None = None
    """The node where its bots run; None while none is due."""
    maker: str | None = None
    """The person who created it; None for tables that were stored before this column existed."""
    pace: str | None = None
    """The pace of the first match, as JSON; None without clocks."""
    imported: bool = False
    """Whether it continues an imported campaign, so that none of it counts."""
    daily: str | None = None
    """The day of a daily game, whose deck stays secret until the day is over."""
    rated: bool = False
    """Whether matches are rated. All players agree by taking a seat."""
    invites: str | None = None
    """The language in which the list of open tables invites players; None if the table is not on the list."""
    talk: bool = True
    """Whether players may chat."""
    outsiders: bool = False
    """Whether external bots may take seats."""
    seats: tuple[SeatEntity, ...]
    matches: tuple[MatchEntity, ...] = ()


class PendingNotification(Struct, frozen=True, gc=False):
    """A notification that is stored with the change that causes it. Repositories without notifications ignore it."""

    id: str
    """Identifies the occasion and the person, so that a repeated delivery can be recognized."""
    person: str
    kind: NoticeKind
    match: int
    look: int
    """When to check whether it still has to be sent, in milliseconds since 1970."""
    seat: int | None = None
    """The seat whose time is up, or whose player asks."""


class Outage(Struct, frozen=True, gc=False):
    """A time in which no server ran, in milliseconds since 1970."""

    began: int
    ended: int


class TableChange(Struct, frozen=True, gc=False):
    """The common part of all changes of a table. `version` is the one that the writer has read."""

    version: int
    now: int
    node: str | None
    """The node where bots run after the change; None if none is due."""
    before: str | None = None
    """The node where they ran before, as far as the writer knows."""
    notices: tuple[PendingNotification, ...] = ()
    """Stored in the same transaction."""
    turned_away: str | None = None
    """A person who may not take a seat any more; stored in the same transaction."""


class MatchUpdate(Struct, frozen=True):
    """The result of one message: log rows from `number` on, turns, and the match after it."""

    number: int
    rows: Sequence[LogEntry]
    turns: Sequence[SeatTurn]
    match: MatchEntity


class CatchUp(Struct, frozen=True):
    """The newer state of a table: the table with its newest match only, and the log rows and turns of that."""

    row: TableEntity
    log: tuple[LogEntry, ...]
    turns: tuple[SeatTurn, ...]


class StoredMatch(Struct, frozen=True):
    """A match with its log and turns."""

    row: MatchEntity
    log: tuple[LogEntry, ...]
    turns: tuple[SeatTurn, ...]


class ChatMessage(Struct, frozen=True, kw_only=True, gc=False):
    """A chat remark. It is not part of any record."""

    id: str
    table: str
    seat: int
    """The seat of the author at that time."""
    person: str
    name: str
    text: str
    time: int
    """Milliseconds since 1970."""


class DailyDeck(Struct, frozen=True, kw_only=True, gc=False):
    """The daily game of a day, the same for all players."""

    day: str
    game: str
    setup: str
    bots: str
    """The bots in the other seats, as JSON."""
    seed: bytes
    drawn: int
    """When it was drawn, in milliseconds since 1970."""


Verdict = Literal["counted", "late", "refused"]
"""The verdict on a finished try: it counts; it was finished after the day; or it cannot have been played like this."""


class DailyTry(Struct, frozen=True, kw_only=True, gc=False):
    """A player's first try at a daily game, the only one that counts."""

    day: str
    game: str
    person: str
    table: str
    """The table, whose first match is the try."""
    verdict: Verdict | None = None
    """None until it is verified."""
    score: int | None = None
    name: str | None = None
    """The name of the player at that time."""


class DailyTryStatus(DailyTry, frozen=True, kw_only=True, gc=False):
    """A try with the state of its match, which is None if the match does not exist."""

    over: bool | None = None
    practice: bool | None = None
    """Also true for a match that was given up."""


class Standing(Struct, frozen=True, gc=False):
    """The results of all tries that count."""

    scores: Mapping[int, int]
    """Number of tries by score."""
    best: tuple[DailyTry, ...]
    """The best tries, highest score first, then by name."""


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def log_entry(move: Move, time: int | None) -> LogEntry:
    return LogEntry(move.seat, as_json(move.action), None, time)
