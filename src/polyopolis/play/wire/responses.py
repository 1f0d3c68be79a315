"""Response bodies."""

from typing import Any, Literal

from msgspec import Struct

from polyopolis.engine import Result
from polyopolis.games.city_emblems import Animal
from polyopolis.play.entities import PracticeFor, Rated
from polyopolis.play.timing.pace import Pace
from polyopolis.play.wire.requests import Language, Luck


class Problem(Struct, frozen=True, gc=False):
    """An error message."""

    error: str


class TableCreated(Struct, frozen=True, gc=False):
    table: str


class SeatTaken(Struct, frozen=True, gc=False):
    table: str
    seat: int


class SeatCode(Struct, frozen=True, gc=False):
    """A code that moves a seat to another device or person, once."""

    code: str


class SeatInfo(Struct, frozen=True, gc=False):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    """The bot that plays, in a seat of its own or for a player."""
    online: bool
    replaceable: bool
    """Whether a bot may stand in for its player."""
    city: str | None
    """In campaigns where cities have names."""
    animal: Animal | None
    deadline: int | None = None
    """The deadline of the seat, in milliseconds since 1970; None while its clock does not run."""
    entrusted: bool = False
    """Whether the bot that stands in may make lasting decisions."""
    outside: bool = False
    """Whether its player is an external bot."""


class MatchInfo(Struct, frozen=True, gc=False):
    """A match of a table."""

    number: int
    setup: Any
    commitment: str | None
    """SHA-256 of the seed, published before the first draw; None if players enter the chance events."""
    practice: bool
    over: bool
    playable: bool
    """Whether its rules and content are installed. Otherwise it is shown but cannot be continued."""
    seed: str | None
    """Published when the match is over."""
    practice_for: PracticeFor | None = None
    """Why it is practice, if that was stored."""
    ended: bool = False
    """Whether it was given up. It counts for nothing."""
    imported: int | None = None
    """Number of its first moves that were imported from another site."""
    rated: Rated | None = None
    """Whether it is rated, or why not; None at tables that are not rated."""


class OwnRestHours(Struct, frozen=True, gc=False):
    """A player's rest hours."""

    nights: bool
    weekends: bool
    evening: int
    """The start and end of the night."""
    morning: int
    longest_night: int
    """Hours."""
    until: int | None
    """The end of the current vacation, in milliseconds since 1970."""
    since: int | None = None
    """When these hours start to hold, in milliseconds since 1970; None if they do already."""


class OwnVacation(Struct, frozen=True, gc=False):
    """The player's vacation."""

    days_left: int
    """Days left this year, at all tables and including previous players of this seat."""


class TableInfo(Struct, frozen=True, gc=False):
    table: str
    game: str
    chosen_seed: str | None
    seats: tuple[SeatInfo, ...]
    yours: tuple[int, ...]
    match: MatchInfo | None
    """The current match; None while seats are open."""
    due: tuple[int, ...]
    """The seats that are to decide."""
    matches: int
    """Number of matches started; of a campaign, number of episodes."""
    luck: Luck
    plan: tuple[int, ...]
    standings: Result | None
    """The standings of a campaign after the episodes that are over."""
    changed: int
    """The time of the last change, in seconds since 1970."""
    onlookers: int
    """Number of spectators."""
    maker: int | None
    """The seat of the creator of the table, who may turn players away and, before the first match, free seats."""
    pace: Pace
    """The pace of the current match and of the next one."""
    rest: OwnRestHours | None = None
    """The player's rest hours, in correspondence play."""
    daily: str | None = None
    """The day of a daily game."""
    rated: bool = False
    """Whether matches are rated. Players agree by taking a seat."""
    invites: Language | None = None
    """The language in which the list of open tables invites players."""
    talk: bool | None = None
    """Whether players may chat; None on a site without chat."""
    again: tuple[int, ...] = ()
    """The seats whose players are asked for another match."""
    outsiders: bool = False
    """Whether external bots may take seats."""
    asked: tuple[int, ...] = ()
    """The seats whose players have not answered the open request."""
    waiting: bool = False
    """Whether the player is to decide, in a seat where no bot stands in, or to answer a request."""
    own_deadline: int | None = None
    """The earliest deadline of the seats where the player is to decide, in milliseconds since 1970; None if no clock
    runs."""


class OpenTable(Struct, frozen=True, gc=False):
    """A table with a free seat that invites all players."""

    table: TableInfo
    setup: Any
    """The setup of its first match."""


class OpenTables(Struct, frozen=True, gc=False):
    tables: tuple[OpenTable, ...]


class ChatMessageView(Struct, frozen=True, gc=False):
    """A chat remark."""

    id: str
    seat: int | None
    """The seat of the author; None if they have left it."""
    name: str
    text: str
    time: int
    """Milliseconds since 1970."""
    yours: bool
    ignored: bool = False
    """Whether the reader ignores the author: the text is left out."""


class ChatHistory(Struct, frozen=True, gc=False):
    """The recent remarks of a table."""

    remarks: tuple[ChatMessageView, ...]
    ignored: tuple[int, ...]
    """The seats of players whom the reader ignores."""
    muted: bool
    """Whether the host has muted the reader."""


class UnreadableTable(Struct, frozen=True, gc=False):
    """A stored table that cannot be read."""

    table: str
    game: str
    problem: str


class GameInfo(Struct, frozen=True, gc=False):
    game: str
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    usual: str
    """The default bot: it plays well but is not the best."""
    first: str
    """The bot that is offered first: a beatable one to newcomers."""
    plans: dict[str, tuple[int, ...]]
    """The plans of campaigns, by name."""
    measured: tuple[str, ...] = ()
    """The bots that can play rated matches."""


class SiteInfo(Struct, frozen=True, gc=False):
    """The data of the home page."""

    version: str
    address: str
    """The public address for invitations; empty for the address of the page."""
    games: tuple[GameInfo, ...]
    name: str | None
    """The last name of this person."""
    tables: tuple[TableInfo, ...]
    """The tables of this person, last changed first."""
    unreadable: tuple[UnreadableTable, ...]


class MatchStart(Struct, frozen=True, gc=False):
    """The setup and view of a match before its first move."""

    setup: Any
    view: Any


class ReplayFrame(Struct, frozen=True, gc=False):
    """One stop of a replay: the start, each move of chance and each closed round."""

    moves: int
    events: tuple[Any, ...]
    view: Any
    result: Result


class Replay(Struct, frozen=True, gc=False):
    """A replay with its first frames."""

    match: MatchInfo
    names: tuple[str, ...]
    stops: tuple[int, ...]
    """Number of moves at each stop."""
    frames: tuple[ReplayFrame, ...]


class ReplayFrameList(Struct, frozen=True, gc=False):
    """Consecutive frames."""

    first: int
    frames: tuple[ReplayFrame, ...]


class PastEvents(Struct, frozen=True, gc=False):
    """The events of a match up to `moves`, a group for each round with the chance events after it."""

    moves: int
    rounds: tuple[tuple[Any, ...], ...]


class ScoreHistory(Struct, frozen=True, gc=False):
    """The scores at each stop of a match."""

    moves: tuple[int, ...]
    scores: tuple[tuple[int, ...], ...]


class PersonalBest(Struct, frozen=True, gc=False):
    """A player's result, compared with their other matches of the same kind."""

    score: int
    best: int | None
    """The best score of the others; None without others, or if scores cannot be compared."""
    title: int | None
    """The number of the title, from 1, if the only person at the table earned one."""
    next: int | None
    """The score of the next title; None after the last one."""


class ReviewState(Struct, frozen=True, gc=False):
    """The state of a review."""

    done: float
    """Progress from 0 to 1."""
    answer: int
    """The number of the answer. Later answers are more precise."""
    final: bool
    """Whether this is the last answer."""
    review: Any = None
    """The answer; None if there is none yet or if the client has it already."""


class SolutionGrade(Struct, frozen=True, gc=False):
    """The value of an answer to an exercise."""

    right: bool
    """Whether it is as good as the best action within the error."""
    lacks: Any
    """The difference to the best action."""


class PlayedEpisode(Struct, frozen=True, gc=False):
    """A finished episode of a campaign."""

    number: int
    """The number of the match."""
    setup: Any
    practice: bool
    players: tuple[str, ...]
    result: Result
    standings: Result
    """The standings of the campaign after it."""
    events: tuple[Any, ...]
    """Its lasting events."""
    view: Any


class CampaignInfo(Struct, frozen=True, gc=False):
    """The finished episodes of a campaign."""

    episodes: tuple[PlayedEpisode, ...]


TryStatus = Literal["playing", "counted", "practice", "late", "refused"]
"""The state of a daily try: unfinished; on the leaderboard; practice, because of help; finished after the day; or
rejected."""


class OwnDailyTry(Struct, frozen=True, gc=False):
    """A player's try at a daily game."""

    day: str
    game: str
    status: TryStatus
    score: int | None
    table: str


class LeaderboardEntry(Struct, frozen=True, gc=False):
    """A line of a leaderboard."""

    rank: int
    name: str
    score: int
    percentile: int | None
    """Percentage of the other tries with a lower score."""
    above: float | None
    """Points above par."""
    yours: bool
    table: str | None
    """The table to watch; None while the reader may still play."""


class DailyGame(Struct, frozen=True, gc=False):
    """A daily game with its leaderboard."""

    game: str
    setup: Any
    bots: tuple[str, ...]
    commitment: str
    """SHA-256 of the seed."""
    drawn: int
    """When it was drawn, in milliseconds since 1970."""
    promised: bool
    """Whether it was drawn before the day began, so that the commitment was public."""
    seed: str | None
    """Published when the day is over."""
    par: float | None
    """The mean score of the best bot on the same deck; None until it is known."""
    counted: int
    """Number of tries on the leaderboard."""
    mine: OwnDailyTry | None
    lines: tuple[LeaderboardEntry, ...]
    """The best tries and the player's own."""


class SeedCommitment(Struct, frozen=True, gc=False):
    """The commitment of a future game."""

    game: str
    commitment: str
    drawn: int


class DailyInfo(Struct, frozen=True, gc=False):
    day: str
    today: str
    left: int
    """Milliseconds until the end of the day."""
    games: tuple[DailyGame, ...]
    tomorrow: tuple[SeedCommitment, ...]
    """Only for today."""


class DailyCalendar(Struct, frozen=True, gc=False):
    """A player's calendar."""

    today: str
    left: int
    """Milliseconds until the next day."""
    games: tuple[str, ...]
    """The games of today."""
    streak: int
    """Days in a row with a try that counts. One of any seven may be missed."""
    longest: int
    tries: tuple[OwnDailyTry, ...]
    days: tuple[str, ...]
    """All days that can be played, up to today."""
