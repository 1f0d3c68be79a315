"""What the house answers outside a match: tables, matches that were played, what there is to play."""

from typing import Any, Literal

from msgspec import Struct

from polyopolis.engine import Result
from polyopolis.games.city_emblems import Animal
from polyopolis.play.entities import PracticeFor, Rated
from polyopolis.play.timing.pace import Pace
from polyopolis.play.wire.requests import Language, Luck


class Problem(Struct, frozen=True, gc=False):
    """What is wrong, in one sentence."""

    error: str


class TableCreated(Struct, frozen=True, gc=False):
    table: str


class Seated(Struct, frozen=True, gc=False):
    table: str
    seat: int


class SeatCode(Struct, frozen=True, gc=False):
    """Brings a seat to another device or to another person, once."""

    code: str


class SeatInfo(Struct, frozen=True, gc=False):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    """The bot that plays here, for good or for somebody who is absent."""
    online: bool
    replaceable: bool
    """Somebody holds it who has been absent for so long that a bot may play in."""
    city: str | None
    """In a campaign with cities that have a name."""
    animal: Animal | None
    deadline: int | None = None
    """Until when whoever sits here has time to decide, in milliseconds since 1970; None without a clock that runs."""
    entrusted: bool = False
    """The bot that plays in may decide what stays for good, too."""
    outside: bool = False
    """Whoever holds it is an outside bot: a program with an account of its own."""


class MatchInfo(Struct, frozen=True, gc=False):
    """One match of a table's chain."""

    number: int
    setup: Any
    commitment: str | None
    """SHA-256 of the seed, published before the first draw; None if people type in the luck."""
    practice: bool
    over: bool
    playable: bool
    """Whether the rules and the content that it is played with are installed. If not it is shown, never played on."""
    seed: str | None
    """Opened when the match is over."""
    practice_for: PracticeFor | None = None
    """Why it is practice, where that was written down."""
    ended: bool = False
    """It was given up before its end, and counts for nothing."""
    imported: int | None = None
    """So many of its first moves were played in another house, with luck that was not promised here."""
    rated: Rated | None = None
    """Whether it is rated, or why it is not any more; None where nobody has asked for it."""


class OwnRest(Struct, frozen=True, gc=False):
    """The pauses that a player has asked for."""

    nights: bool
    weekends: bool
    evening: int
    """The hours between which it is night for them."""
    morning: int
    longest_night: int
    """Hours that it may last."""
    until: int | None
    """On vacation until then, in milliseconds since 1970."""
    since: int | None = None
    """When these hours begin to count, in milliseconds since 1970; None if they do already."""


class OwnVacation(Struct, frozen=True, gc=False):
    """Vacation of the player who asks."""

    days_left: int
    """In this year: at all tables together, and in this seat with the players who had it before."""


class TableInfo(Struct, frozen=True, gc=False):
    table: str
    game: str
    chosen_seed: str | None
    seats: tuple[SeatInfo, ...]
    yours: tuple[int, ...]
    match: MatchInfo | None
    """The current one; None while seats are open."""
    due: tuple[int, ...]
    """The seats that are to decide in it."""
    matches: int
    """How many were begun; of a campaign how many episodes."""
    luck: Luck
    plan: tuple[int, ...]
    standings: Result | None
    """Of a campaign, after the episodes that are over."""
    changed: int
    """When something happened here last, in seconds since 1970."""
    onlookers: int
    """How many are here who have no seat."""
    maker: int | None
    """The seat of whoever made the table: before the first match they may free those of others, and at any time turn
    somebody away."""
    pace: Pace
    """At which the match is played, and the next one."""
    rest: OwnRest | None = None
    """Of whoever is told, where the pace knows pauses."""
    daily: str | None = None
    """The day whose game is played here."""
    rated: bool = False
    """Whoever sits down here agrees that matches are rated."""
    invites: Language | None = None
    """In which language everybody is invited, on the list of open tables."""
    talk: bool | None = None
    """Whether its people may write to each other; None where nobody can."""
    again: tuple[int, ...] = ()
    """The seats whose people are asked whether they play another match."""
    outsiders: bool = False
    """Outside bots may sit down here."""
    asked: tuple[int, ...] = ()
    """The seats whose people have not answered what somebody asks: another match, or anything else."""


class OpenTable(Struct, frozen=True, gc=False):
    """Where everybody is invited and a seat is free."""

    table: TableInfo
    setup: Any
    """What its first match starts from."""


class OpenTables(Struct, frozen=True, gc=False):
    tables: tuple[OpenTable, ...]


class Remark(Struct, frozen=True, gc=False):
    """What somebody has written at a table."""

    id: str
    seat: int | None
    """Where they sit; None if they do not any more."""
    name: str
    text: str
    time: int
    """In milliseconds since 1970."""
    yours: bool
    ignored: bool = False
    """Whoever reads does not want to hear them: the text is left out."""


class Conversation(Struct, frozen=True, gc=False):
    """What was written at a table lately."""

    remarks: tuple[Remark, ...]
    ignored: tuple[int, ...]
    """The seats of those whom the reader does not want to hear."""
    muted: bool
    """The host wants the reader not to be heard."""


class UnreadableTable(Struct, frozen=True, gc=False):
    """A table that is kept but cannot be read here."""

    table: str
    game: str
    problem: str


class GameInfo(Struct, frozen=True, gc=False):
    game: str
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    usual: str
    """The bot that plays well without being the best."""
    first: str
    """The bot that is offered to this guest first: to a newcomer one that can be beaten."""
    plans: dict[str, tuple[int, ...]]
    """The ways to play several episodes in a row, by name."""
    measured: tuple[str, ...] = ()
    """The bots that matches can be rated with; none where nobody is rated."""


class Hello(Struct, frozen=True, gc=False):
    """What the home page needs."""

    version: str
    address: str
    """The address that people use, for invitations; empty: the one of the page."""
    games: tuple[GameInfo, ...]
    name: str | None
    """How this guest was called last."""
    tables: tuple[TableInfo, ...]
    """Where this guest has a seat, the last changed first."""
    unreadable: tuple[UnreadableTable, ...]


class Beginning(Struct, frozen=True, gc=False):
    """A match before its first move: what it starts from, and how it looks."""

    setup: Any
    view: Any


class Frame(Struct, frozen=True, gc=False):
    """One stop of a replay: at the start, and after every move of chance and every closed round."""

    moves: int
    events: tuple[Any, ...]
    view: Any
    result: Result


class Replay(Struct, frozen=True, gc=False):
    """A match to be looked at, with the first of its frames."""

    match: MatchInfo
    names: tuple[str, ...]
    stops: tuple[int, ...]
    """The moves at each stop."""
    frames: tuple[Frame, ...]


class Frames(Struct, frozen=True, gc=False):
    """Some frames in a row."""

    first: int
    frames: tuple[Frame, ...]


class Heard(Struct, frozen=True, gc=False):
    """The events of a match from some move on, up to so many moves: a group for each round and the luck after it."""

    moves: int
    rounds: tuple[tuple[Any, ...], ...]


class Course(Struct, frozen=True, gc=False):
    """The scores of all at each stop of a match."""

    moves: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]


class Best(Struct, frozen=True, gc=False):
    """What a finished match is to one who played it, beside their other matches of the same kind."""

    score: int
    best: int | None
    """Of the others; None if this is the first, or where scores cannot be compared."""
    title: int | None
    """From 1 up, for somebody who was the only person there, where the game has titles for such a match."""
    next: int | None
    """The score at which the next title begins; None after the last one."""


class Reviewed(Struct, frozen=True, gc=False):
    """How far the review of a match is."""

    done: float
    """From 0 to 1."""
    answer: int
    """Which answer this is, for whoever asks for the next one: each is more precise than the one before."""
    final: bool
    """There is none after this one."""
    review: Any = None
    """The answer; None where there is none yet, and for whoever has it already."""


class Solved(Struct, frozen=True, gc=False):
    """What another decision would have been worth."""

    right: bool
    """Whether it cannot be told from the best."""
    lacks: Any
    """How far it is behind the best."""


class Played(Struct, frozen=True, gc=False):
    """An episode of a campaign that is over."""

    number: int
    """Of the match."""
    setup: Any
    practice: bool
    players: tuple[str, ...]
    result: Result
    standings: Result
    """Of the campaign, after it."""
    events: tuple[Any, ...]
    """What it left for good, and for what."""
    view: Any


class CampaignInfo(Struct, frozen=True, gc=False):
    """What has become of a campaign so far."""

    episodes: tuple[Played, ...]


TryStatus = Literal["playing", "counted", "practice", "late", "refused"]
"""A try at the game of a day: not over; on the board; practice, because help was asked for; finished after the day; not
what can have been played."""


class MyDay(Struct, frozen=True, gc=False):
    """One's own try at the game of a day."""

    day: str
    game: str
    status: TryStatus
    score: int | None
    table: str


class BoardLine(Struct, frozen=True, gc=False):
    """What somebody has come to on a day."""

    rank: int
    name: str
    score: int
    percentile: int | None
    """Of a hundred others so many have fewer points."""
    above: float | None
    """Points above par."""
    yours: bool
    table: str | None
    """Where it can be looked at; nowhere for whoever may still play."""


class DayGame(Struct, frozen=True, gc=False):
    """One of the games of a day, and what all have come to."""

    game: str
    setup: Any
    bots: tuple[str, ...]
    commitment: str
    """SHA-256 of the seed."""
    drawn: int
    """When, in milliseconds since 1970."""
    promised: bool
    """It was drawn, and this told, before the day began."""
    seed: str | None
    """Opened when the day is over."""
    par: float | None
    """The mean of the best bot on the same deck; None until it has played."""
    counted: int
    """How many are on the board."""
    mine: MyDay | None
    lines: tuple[BoardLine, ...]
    """The best of them, and one's own."""


class Promise(Struct, frozen=True, gc=False):
    """What is known of a game that is to come."""

    game: str
    commitment: str
    drawn: int


class DayInfo(Struct, frozen=True, gc=False):
    day: str
    today: str
    left: int
    """Milliseconds until it is over."""
    games: tuple[DayGame, ...]
    tomorrow: tuple[Promise, ...]
    """On the page of today."""


class MyDays(Struct, frozen=True, gc=False):
    """Somebody's calendar."""

    today: str
    left: int
    """Milliseconds until the next day."""
    games: tuple[str, ...]
    """Those of today."""
    streak: int
    """Days in a row with a game that counts; of any seven one may be missed."""
    longest: int
    tries: tuple[MyDay, ...]
    days: tuple[str, ...]
    """All that can be played, up to today."""
