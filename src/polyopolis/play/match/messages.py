"""Everything that is said between a screen and its table. One change is one message."""

from typing import Any

from msgspec import Struct

from polyopolis.engine import Line, Reason, Result, Tagged
from polyopolis.play.integer_types import Int32, SafeInt
from polyopolis.play.match.consent_requests import Free, Wish
from polyopolis.play.match.premoves import Prepared
from polyopolis.play.timing.rest_hours import Why as Resting
from polyopolis.play.wire.explanation import Explanation
from polyopolis.play.wire.requests import Reaction
from polyopolis.play.wire.responses import MatchInfo, Remark, TableInfo

# From a screen


class Act(Tagged, frozen=True, tag="act"):
    """`turn` counts the accepted messages of this seat, so that a double click is harmless."""

    seat: Int32
    turn: Int32
    action: Any


class Retract(Tagged, frozen=True, tag="retract"):
    seat: Int32
    turn: Int32


class Why(Tagged, frozen=True, tag="why"):
    """Why is this not possible?"""

    ask: SafeInt
    seat: Int32
    action: Any


class Preview(Tagged, frozen=True, tag="preview"):
    """What would happen?"""

    ask: SafeInt
    seat: Int32
    action: Any


class AskTakeback(Tagged, frozen=True, tag="ask-takeback"):
    """Back to before the last decision of this seat."""

    seat: Int32


class AskFor(Tagged, frozen=True, tag="ask-for"):
    """Something that others have to agree to."""

    seat: Int32
    wish: Free


class GiveTime(Tagged, frozen=True, tag="give-time"):
    """Whoever plays this seat waits for another one whose time is up."""

    seat: Int32
    to: Int32


class Foresee(Tagged, frozen=True, tag="foresee"):
    """What may come next; or, given what comes, what could be done then?"""

    ask: SafeInt
    seat: Int32
    luck: Any = None


class Prepare(Tagged, frozen=True, tag="prepare"):
    """If this luck comes, this is decided."""

    seat: Int32
    luck: Any
    action: Any


class Forget(Tagged, frozen=True, tag="forget"):
    """What was prepared for this luck."""

    seat: Int32
    luck: Any


class Consent(Tagged, frozen=True, tag="consent"):
    yes: bool


class AskHint(Tagged, frozen=True, tag="ask-hint"):
    """What would a good bot do here, and why? Whoever asks plays for practice from then on."""

    ask: SafeInt
    seat: Int32


class Look(Tagged, frozen=True, tag="look"):
    """Whether the page is before somebody's eyes; it is until it says otherwise."""

    here: bool


OfSeat = Act | Retract | Why | Preview | AskTakeback | AskFor | GiveTime | AskHint | Foresee | Prepare | Forget
OfMatch = OfSeat | Consent
FromScreen = OfMatch | Look


# To a screen


class Scene(Struct, frozen=True, gc=False):
    """What everybody may know: events for the eye, the view for the truth. `number` counts what has happened."""

    match: MatchInfo
    number: int
    moves: int
    events: tuple[Any, ...]
    view: Any
    due: tuple[int, ...]
    """The seats that have not decided yet."""
    decided: tuple[int, ...]
    """Those that have, while others are due; nobody learns what."""
    result: Result
    """The score sheets as they stand; final when the match is over."""
    standings: Result | None
    """Of a campaign, after the episodes that are over."""
    lasting: bool
    """What is decided now stays for good: a bot that plays in for somebody leaves it to them."""
    back: bool = False
    """Something was taken back: the view is an earlier one."""


class Barred(Struct, frozen=True, gc=False):
    """Something that a seat might want to do at any time and cannot do now: to pass, to stop."""

    action: Any
    reason: Reason


class Mine(Struct, frozen=True, gc=False):
    """What only this seat may know: its choices, and its own decision while others are due.

    Where people type in the luck everybody with a seat gets this for chance, seat -1, too.
    """

    seat: int
    turn: int
    choices: tuple[Any, ...]
    staged: Any
    free: bool
    """Nothing has happened since its last decision, which can be taken back as if it had not been made."""
    played: bool
    """It has decided something in this match: there is something to go back to."""
    barred: tuple[Barred, ...]
    prepared: tuple[Prepared, ...] = ()
    """What it has decided for what may come."""
    foresees: bool = False
    """It may prepare something now."""


class SeatClock(Struct, frozen=True, gc=False):
    """The time of a seat, in milliseconds."""

    seat: int
    left: int
    runs: bool
    """It gets less now."""
    deadline: int | None
    """When it is up, or was, since 1970; None while there is nothing to decide."""
    rests: Resting | None
    """Why it stands though there is something to decide."""


class Clocks(Struct, frozen=True, gc=False):
    """How much time all have."""

    now: int
    """By the clock of the house, in milliseconds since 1970."""
    seats: tuple[SeatClock, ...]
    """Those that people play."""


class Asking(Tagged, frozen=True, tag="asking"):
    """Somebody asks for something. `waiting` are the seats whose people have not answered; without any it is over."""

    seat: int
    wish: Wish
    waiting: tuple[int, ...]


class Welcome(Tagged, frozen=True, tag="welcome"):
    """To whoever opens a page, and to all when a match begins."""

    version: str
    table: TableInfo
    scene: Scene | None
    """None before the first match, and where the match cannot be read with what is installed."""
    mine: tuple[Mine, ...]
    asked: Asking | None
    clocks: Clocks | None = None


class News(Tagged, frozen=True, tag="news"):
    """The match went on, or back."""

    scene: Scene
    mine: tuple[Mine, ...]
    clocks: Clocks | None = None


class Decided(Tagged, frozen=True, tag="decided"):
    """A seat has decided, or thinks again, while others are due. `mine` is there for its own people."""

    due: tuple[int, ...]
    decided: tuple[int, ...]
    mine: tuple[Mine, ...]
    clocks: Clocks | None = None


class People(Tagged, frozen=True, tag="people"):
    """Who sits where, who is here, and whose time is up."""

    table: TableInfo
    mine: tuple[Mine, ...]
    clocks: Clocks | None = None


class Yours(Tagged, frozen=True, tag="yours"):
    """How it stands with one's own seats, after a message that came twice or too late."""

    mine: tuple[Mine, ...]


class Refused(Tagged, frozen=True, tag="refused"):
    seat: int
    reason: Reason
    mine: tuple[Mine, ...]


class Because(Tagged, frozen=True, tag="because"):
    """The answer to `why`; no reason means that it is possible."""

    ask: int
    reason: Reason | None


class Change(Struct, frozen=True, gc=False):
    """A line of the score sheet before and after."""

    line: str
    before: Line | None
    after: Line | None


class Previewed(Tagged, frozen=True, tag="previewed"):
    """What would happen if the seat alone did this now: nothing if it is not possible."""

    ask: int
    changes: tuple[Change, ...]
    events: tuple[Any, ...]
    view: Any


class Hint(Tagged, frozen=True, tag="hint"):
    """The answer to `ask-hint`; nothing if it is refused, for a reason, or if the match went on meanwhile."""

    ask: int
    explanation: Explanation | None
    reason: Reason | None = None


class Foreseen(Tagged, frozen=True, tag="foreseen"):
    """The answer to `foresee`: what may come, or how it would look then and what could be done."""

    ask: int
    lucks: tuple[Any, ...]
    view: Any = None
    choices: tuple[Any, ...] = ()


class StoodIn(Tagged, frozen=True, tag="stood-in"):
    """The bot of a seat could not decide: another one has."""

    seat: int
    bot: str
    by: str


class Said(Tagged, frozen=True, tag="said"):
    """Somebody has written something; only those who have a seat are told."""

    remark: Remark


class Reacted(Tagged, frozen=True, tag="reacted"):
    """Somebody makes a sign."""

    seat: int
    reaction: Reaction


class TurnedAway(Tagged, frozen=True, tag="turned-away"):
    """To whoever may look on and not sit down here."""


ToScreen = (
    Welcome
    | News
    | Decided
    | People
    | Yours
    | Refused
    | Because
    | Previewed
    | Asking
    | Hint
    | Foreseen
    | StoodIn
    | Said
    | Reacted
    | TurnedAway
)
