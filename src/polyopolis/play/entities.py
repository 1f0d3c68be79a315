"""What is kept of tables and matches, as values. A keeper writes them where it likes and reads them by their names."""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec import Struct

from polyopolis.engine import Move

PracticeFor = Literal["hint", "takeback", "position", "episode", "day", "import"]
"""Why a match is practice: a hint was given; a decision was taken back after something was seen; it began in the middle
of another one, or as an episode that was played before, or as the game of a day that is over or was tried before; or
it, or what it goes on from, was played in another house."""


Rated = Literal["yes", "takeback", "hint", "substitute", "guest", "owner"]
"""Whether a match is rated where all have agreed to that; or why it is not: a decision was taken back; a hint was
given; somebody else, or a bot, played for somebody; not all of them can be rated; or an outside bot plays with its
owner or with another bot of the same owner."""

NoticeKind = Literal["turn", "begun", "over", "late", "asked"]
"""Somebody is to decide; the table is full and they are not to decide yet; the match is over; another one's time is up;
somebody asks for their consent."""


class SeatEntity(Struct, frozen=True, gc=False):
    seat: int
    name: str
    person: str | None
    bot: str | None
    city: str | None = None
    """In a campaign with cities that have a name, and an animal."""
    animal: str | None = None
    rest: str | None = None
    """When whoever sits here wants no clock to run, as JSON."""
    entrusted: bool = False
    """The bot that plays in may decide what stays for good, too: all others have agreed."""


class MatchEntity(Struct, frozen=True, kw_only=True, gc=False):
    """A match of a table's chain. What follows from its moves stands beside them, so that lists need not re-play."""

    number: int
    setup: str
    seed: bytes
    bot_seed: bytes
    practice: bool
    practice_for: PracticeFor | None = None
    """None where it is not, and in matches from before that was written down."""
    players: str = "[]"
    """Who plays it: the names of the seats, as JSON. Whoever sits there when it ends has played it."""
    rules: int | None = None
    """The version of the rules; None until a match of the first days is stamped."""
    content: str | None = None
    """The digest of the content."""
    over: bool = False
    due: str = "[]"
    """The seats that are to decide, as JSON."""
    result: str | None = None
    """Of a match that is over, as JSON."""
    standings: str | None = None
    """Of the campaign, as JSON: after the match once it is over, before it until then."""
    asked: str | None = None
    """What somebody asks for and not all have agreed to, as JSON."""
    timing: str | None = None
    """Its pace, and what happened to its clocks beside the moves, as JSON; None without clocks."""
    deadlines: str | None = None
    """Until when seats that are due have time, as JSON: milliseconds since 1970 by seat. It follows from the log."""
    ended: bool = False
    """It was given up before its end, and counts for nothing."""
    imported: int | None = None
    """So many of its first moves were played in another house; None where all of it, and all that it goes on from, was
    played here."""
    rated: Rated | None = None
    """None where nobody has asked for it."""


class LogEntry(Struct, frozen=True, gc=False):
    """A move, or a takeback to so many moves."""

    seat: int | None
    action: str | None
    back_to: int | None
    time: int | None = None
    """In milliseconds since 1970; None in matches of the first days, and for what was played elsewhere."""
    thought: str | None = None
    """When the seat began to think, was done, and began again, as JSON; of a takeback by seat, for all who were still
    thinking. None where no clock runs."""


class SeatTurn(Struct, frozen=True, gc=False):
    """How many messages of a seat were accepted, and its decision that is not open yet."""

    seat: int
    turn: int
    staged: str | None
    by: str | None = None
    """The bot that decided last, if it was another one than sits there."""
    thought: str | None = None
    """When it began to think about this decision, was done, and began again, as JSON; None if it said nothing."""
    prepared: str | None = None
    """What it has decided for what may come, as JSON."""


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
    """How often the table, its seats or its matches were changed."""
    node: str | None = None
    """Where its bots think; None while none is to decide."""
    maker: str | None = None
    """Who made it; None for tables from before that was written down."""
    pace: str | None = None
    """The pace of its first match, as JSON; None: without clocks."""
    imported: bool = False
    """A campaign that goes on from what was played in another house: none of it counts."""
    daily: str | None = None
    """The day whose game is played here; what is dealt is kept secret until it is over."""
    rated: bool = False
    """Whoever sits down here has agreed that matches are rated."""
    invites: str | None = None
    """In which language everybody is invited, on the list of open tables; None: only whoever has the link."""
    talk: bool = True
    """Whether its people may write to each other."""
    outsiders: bool = False
    """Whether outside bots may sit down."""
    seats: tuple[SeatEntity, ...]
    matches: tuple[MatchEntity, ...] = ()


class PendingNotification(Struct, frozen=True, gc=False):
    """What somebody is to be told wherever they are. A keeper who knows nobody's receivers need not keep it."""

    id: str
    """Of this turn and this person: whoever is told twice can know it by that."""
    person: str
    kind: NoticeKind
    match: int
    look: int
    """When to see whether it has to be told, in milliseconds since 1970."""
    seat: int | None = None
    """Whose time is up, or who asks."""


class Outage(Struct, frozen=True, gc=False):
    """No server was there, in milliseconds since 1970."""

    began: int
    ended: int


class TableChange(Struct, frozen=True, gc=False):
    """A change of a table: whoever writes it knows the table as it was after so many others."""

    version: int
    now: int
    node: str | None
    """Where bots think now that it is so; None if none is to decide."""
    before: str | None = None
    """Where they thought until now, as far as is known."""
    notices: tuple[PendingNotification, ...] = ()
    """What it makes somebody owe or know, kept with it."""
    turned_away: str | None = None
    """Who may not sit down there any more, kept with it."""


class MatchUpdate(Struct, frozen=True):
    """What one message led to: log rows from a number on, turns, and the match as it is now."""

    number: int
    rows: Sequence[LogEntry]
    turns: Sequence[SeatTurn]
    match: MatchEntity


class CatchUp(Struct, frozen=True):
    """What was kept of a table since: its row with the newest match alone, log rows of that, and its turns."""

    row: TableEntity
    log: tuple[LogEntry, ...]
    turns: tuple[SeatTurn, ...]


class StoredMatch(Struct, frozen=True):
    """All that is kept of one match."""

    row: MatchEntity
    log: tuple[LogEntry, ...]
    turns: tuple[SeatTurn, ...]


class ChatMessage(Struct, frozen=True, kw_only=True, gc=False):
    """What somebody has written at a table. It is in no record."""

    id: str
    table: str
    seat: int
    """Where they sat then, and as whom."""
    person: str
    name: str
    text: str
    time: int
    """In milliseconds since 1970."""


class DailyDeck(Struct, frozen=True, kw_only=True, gc=False):
    """The game of a day, the same for everybody."""

    day: str
    game: str
    setup: str
    bots: str
    """Who sits in the other seats, as JSON."""
    seed: bytes
    drawn: int
    """When, in milliseconds since 1970."""


Verdict = Literal["counted", "late", "refused"]
"""What a finished try is: on the board, played to its end after the day, or not what can have been played."""


class DailyTry(Struct, frozen=True, kw_only=True, gc=False):
    """The one try of somebody at the game of a day that counts: the first that was begun."""

    day: str
    game: str
    person: str
    table: str
    """Where it is played; the first match there."""
    verdict: Verdict | None = None
    """Once it was re-played."""
    score: int | None = None
    name: str | None = None
    """Who played it, as they called themselves then."""


class DailyTryStatus(DailyTry, frozen=True, kw_only=True, gc=False):
    """With what is so of its match now; nothing if that is not begun, or gone."""

    over: bool | None = None
    practice: bool | None = None
    """Or ended before its end: it counts for nothing."""


class Standing(Struct, frozen=True, gc=False):
    """What all have come to whose try at the game of a day counts."""

    scores: Mapping[int, int]
    """By score how many tries have come to it."""
    best: tuple[DailyTry, ...]
    """The first of them by score, the highest first; by name among equals."""


def as_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def log_entry(move: Move, time: int | None) -> LogEntry:
    return LogEntry(move.seat, as_json(move.action), None, time)
