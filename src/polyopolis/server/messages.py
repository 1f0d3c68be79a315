"""Everything that travels between a screen and the server. The client's types are generated from here."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from polyopolis.bots.explaining import Explanation
from polyopolis.engine import Line, Reason, Result, Tagged
from polyopolis.games.arms import Animal, CityName

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Key = Annotated[str, Meta(max_length=24)]


Luck = Literal["dealt", "typed"]
"""The server deals, or people around real dice or cards type in what they see."""


class Body(Struct, frozen=True, forbid_unknown_fields=True):
    """What a request says: exactly these fields."""


class Problem(Struct, frozen=True):
    """What is wrong, in one sentence."""

    error: str


class Me(Tagged, frozen=True, tag="me"):
    """A seat for whoever creates the table. Several of them make a hot-seat."""

    name: Name


class Open(Tagged, frozen=True, tag="open"):
    """A seat for a friend."""


class BotSeat(Tagged, frozen=True, tag="bot"):
    bot: Key


class CreateTable(Body, frozen=True):
    game: Key
    setup: dict[str, Any]
    """Without the seats: they are counted."""
    seats: Annotated[tuple[Me | Open | BotSeat, ...], Meta(min_length=1, max_length=12)]
    seed: Annotated[str, Meta(max_length=64)] | None = None
    """A chosen seed; the table says so. Without one nobody can know the luck."""
    plan: Annotated[tuple[int, ...], Meta(max_length=24)] = ()
    """The episodes of a campaign, in order; none for single matches."""
    luck: Luck = "dealt"


class TableCreated(Struct, frozen=True):
    table: str


class Join(Tagged, frozen=True, tag="join"):
    """Take an open seat."""

    name: Name


class Leave(Tagged, frozen=True, tag="leave"):
    """Give up one's seat, or send a bot away: the seat is open again."""


class PutBot(Tagged, frozen=True, tag="put-bot"):
    """Let a bot play: in an open seat, in one's own, or in for somebody who is absent."""

    bot: Key


class Return(Tagged, frozen=True, tag="return"):
    """Take one's seat back from the bot that played in."""


class HandOver(Tagged, frozen=True, tag="hand-over"):
    """Somebody else plays one's seat from now on, on the same device."""

    name: Name


class NameCity(Tagged, frozen=True, tag="name-city"):
    """What one's city is called in a campaign, and its animal, which no other city has."""

    city: CityName
    animal: Animal


SeatChange = Join | Leave | PutBot | Return | HandOver | NameCity


class Seated(Struct, frozen=True):
    table: str
    seat: int


class SeatCode(Struct, frozen=True):
    """Brings a seat to another device or to another person, once."""

    code: str


class UseCode(Body, frozen=True):
    code: Annotated[str, Meta(max_length=32)]
    name: Name | None = None
    """The name of the one who takes over; None keeps the name of the seat."""


class Branch(Body, frozen=True):
    """Play on from after these moves of a match that is finished or practice."""

    moves: Annotated[int, Meta(ge=0)]
    seat: int


class Fork(Body, frozen=True):
    """Play on from the start of a finished episode: that episode alone, or the rest of the campaign."""

    play: Literal["practice", "campaign"]
    seat: int
    """Whose city is played by one who has none at the table."""


class SeatInfo(Struct, frozen=True):
    seat: int
    name: str
    kind: Literal["open", "person", "bot"]
    bot: str | None
    """The bot that plays here, for good or for somebody who is absent."""
    online: bool
    city: str | None
    """In a campaign with cities that have a name."""
    animal: Animal | None


class MatchInfo(Struct, frozen=True):
    """One match of a table's chain."""

    number: int
    setup: Any
    commitment: str | None
    """SHA-256 of the seed, published before the first draw; None if people type in the luck."""
    practice: bool
    over: bool
    seed: str | None
    """Opened when the match is over."""


class TableInfo(Struct, frozen=True):
    table: str
    game: str
    chosen_seed: str | None
    seats: tuple[SeatInfo, ...]
    yours: tuple[int, ...]
    match: MatchInfo | None
    """The current one; None while seats are open."""
    matches: int
    luck: Luck
    plan: tuple[int, ...]
    standings: Result | None
    """Of a campaign, after the episodes that are over."""


class GameInfo(Struct, frozen=True):
    game: str
    seats: tuple[int, ...]
    bots: tuple[str, ...]
    usual: str
    """The bot that is offered first."""


class Hello(Struct, frozen=True):
    """What the home page needs."""

    version: str
    address: str
    """The address that people use, for invitations; empty: the one of the page."""
    games: tuple[GameInfo, ...]
    name: str | None
    """How this guest was called last."""
    tables: tuple[TableInfo, ...]
    """Where this guest has a seat."""


class Frame(Struct, frozen=True):
    """One stop of a replay."""

    moves: int
    events: tuple[Any, ...]
    view: Any


class Beginning(Struct, frozen=True):
    """A match before its first move: what it starts from, and how it looks."""

    setup: Any
    view: Any


class Replay(Struct, frozen=True):
    match: MatchInfo
    names: tuple[str, ...]
    frames: tuple[Frame, ...]


class Played(Struct, frozen=True):
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


class CampaignInfo(Struct, frozen=True):
    """What has become of a campaign so far."""

    episodes: tuple[Played, ...]


# From a screen, over the socket.


class Act(Tagged, frozen=True, tag="act"):
    """`turn` counts the accepted messages of this seat, so that a double click is harmless."""

    seat: int
    turn: int
    action: Any


class Retract(Tagged, frozen=True, tag="retract"):
    seat: int
    turn: int


class Why(Tagged, frozen=True, tag="why"):
    """Why is this not possible?"""

    ask: int
    seat: int
    action: Any


class Preview(Tagged, frozen=True, tag="preview"):
    """Which lines of the score sheet would change?"""

    ask: int
    seat: int
    action: Any


class AskTakeback(Tagged, frozen=True, tag="ask-takeback"):
    """Back to before the last decision of this seat."""

    seat: int


class Consent(Tagged, frozen=True, tag="consent"):
    yes: bool


class AskHint(Tagged, frozen=True, tag="ask-hint"):
    """What would a good bot do here, and why? Whoever asks plays for practice from then on."""

    ask: int
    seat: int


FromScreen = Act | Retract | Why | Preview | AskTakeback | Consent | AskHint


# To a screen, over the socket.


class Welcome(Tagged, frozen=True, tag="welcome"):
    version: str
    table: TableInfo


class People(Tagged, frozen=True, tag="people"):
    """The seats have changed."""

    table: TableInfo


class News(Tagged, frozen=True, tag="news"):
    """Events for the eye, the view for the truth. `number` counts what happened in the match."""

    match: MatchInfo
    number: int
    moves: int
    events: tuple[Any, ...]
    view: Any
    decided: tuple[int, ...]
    takeback: bool = False
    """Something was taken back: the view is an earlier one."""


class Decided(Tagged, frozen=True, tag="decided"):
    """The seats that have decided; nobody learns what."""

    seats: tuple[int, ...]


class Mine(Tagged, frozen=True, tag="mine"):
    """What only this seat may know: its choices, and its own decision while others are due.

    Where people type in the luck everybody with a seat gets this for chance, seat -1, too.
    """

    seat: int
    turn: int
    choices: tuple[Any, ...]
    staged: Any
    free: bool
    """Nothing has happened since its last decision, which can be taken back as if it had not been made."""


class Because(Tagged, frozen=True, tag="because"):
    """The answer to `why`; no reason means that it is possible."""

    ask: int
    reason: Reason | None


class Change(Struct, frozen=True):
    """A line of the score sheet before and after."""

    line: str
    before: Line | None
    after: Line | None


class Previewed(Tagged, frozen=True, tag="previewed"):
    ask: int
    changes: tuple[Change, ...]


class Hint(Tagged, frozen=True, tag="hint"):
    """The answer to `ask-hint`; nothing if it was refused, or if the match went on meanwhile."""

    ask: int
    explanation: Explanation | None


class Refused(Tagged, frozen=True, tag="refused"):
    seat: int
    reason: Reason


class TakebackAsked(Tagged, frozen=True, tag="takeback-asked"):
    """Somebody wants to go back. `waiting` are the seats whose people have not answered; without any it is settled."""

    seat: int
    waiting: tuple[int, ...]


ToScreen = Welcome | People | News | Decided | Mine | Because | Previewed | Refused | TakebackAsked | Hint
