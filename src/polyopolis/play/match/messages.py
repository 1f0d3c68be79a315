"""WebSocket messages between a page and its table. Each change is one message."""

from typing import Any

from msgspec import Struct

from polyopolis.engine import Line, Reason, Result, Tagged
from polyopolis.play.integer_types import Int32, SafeInt
from polyopolis.play.match.consent_requests import Free, Wish
from polyopolis.play.match.premoves import Premove
from polyopolis.play.timing.rest_hours import Why as Resting
from polyopolis.play.wire.explanation import Explanation
from polyopolis.play.wire.requests import Reaction
from polyopolis.play.wire.responses import ChatMessageView, MatchInfo, TableInfo

# From a page


class Act(Tagged, frozen=True, tag="act"):
    """Decide. `turn` counts the accepted messages of this seat, so that repeated messages are harmless."""

    seat: Int32
    turn: Int32
    action: Any


class Retract(Tagged, frozen=True, tag="retract"):
    seat: Int32
    turn: Int32


class AskReason(Tagged, frozen=True, tag="why"):
    """Ask why an action is not possible."""

    ask: SafeInt
    seat: Int32
    action: Any


class Preview(Tagged, frozen=True, tag="preview"):
    """Ask what an action would change."""

    ask: SafeInt
    seat: Int32
    action: Any


class AskTakeback(Tagged, frozen=True, tag="ask-takeback"):
    """Ask to go back to before the last decision of this seat."""

    seat: Int32


class AskFor(Tagged, frozen=True, tag="ask-for"):
    """Ask for a change that needs the consent of the other players."""

    seat: Int32
    wish: Free


class GiveTime(Tagged, frozen=True, tag="give-time"):
    """The player of `seat` gives time to the player of `to`, whose time is up."""

    seat: Int32
    to: Int32


class AskFuture(Tagged, frozen=True, tag="foresee"):
    """Ask for the possible chance events, or for the position and choices after one of them."""

    ask: SafeInt
    seat: Int32
    luck: Any = None


class PreparePremove(Tagged, frozen=True, tag="prepare"):
    """Prepare a decision for a chance event."""

    seat: Int32
    luck: Any
    action: Any


class DiscardPremove(Tagged, frozen=True, tag="forget"):
    """Discard the premove for a chance event."""

    seat: Int32
    luck: Any


class Consent(Tagged, frozen=True, tag="consent"):
    yes: bool


class AskHint(Tagged, frozen=True, tag="ask-hint"):
    """Ask what a good bot would do, and why. The match becomes practice."""

    ask: SafeInt
    seat: Int32


class PageVisibility(Tagged, frozen=True, tag="look"):
    """The page goes to the foreground or to the background. It starts in the foreground."""

    here: bool


OfSeat = (
    Act
    | Retract
    | AskReason
    | Preview
    | AskTakeback
    | AskFor
    | GiveTime
    | AskHint
    | AskFuture
    | PreparePremove
    | DiscardPremove
)
OfMatch = OfSeat | Consent
FromScreen = OfMatch | PageVisibility


# To a page


class Scene(Struct, frozen=True, gc=False):
    """The public state of a match: `events` to animate, `view` to show. `number` counts the log rows."""

    match: MatchInfo
    number: int
    moves: int
    events: tuple[Any, ...]
    view: Any
    due: tuple[int, ...]
    """The seats that have not decided yet."""
    decided: tuple[int, ...]
    """The seats that have decided while others are due. Their decisions are not sent."""
    result: Result
    """The current score sheets, which are final when the match is over."""
    standings: Result | None
    """The standings of a campaign after the episodes that are over."""
    lasting: bool
    """Whether the next decisions are lasting: bots leave them to the player for whom they stand in."""
    back: bool = False
    """Whether a move was taken back: the view is an earlier one."""


class BarredAction(Struct, frozen=True, gc=False):
    """An action without parameters, such as to pass, that is not possible now."""

    action: Any
    reason: Reason


class SeatState(Struct, frozen=True, gc=False):
    """The private state of a seat: its choices, and its own decision while others are due.

    Where players enter the chance events, all of them also get one for the seat of chance, -1.
    """

    seat: int
    turn: int
    choices: tuple[Any, ...]
    staged: Any
    free: bool
    """Its last decision can be retracted without consent: no other seat has acted since."""
    played: bool
    """It has decided in this match, so there is a decision to take back."""
    barred: tuple[BarredAction, ...]
    prepared: tuple[Premove, ...] = ()
    """Its premoves."""
    foresees: bool = False
    """Whether it can prepare a premove now."""


class SeatClock(Struct, frozen=True, gc=False):
    """The time of a seat, in milliseconds."""

    seat: int
    left: int
    runs: bool
    """Whether the clock is running."""
    deadline: int | None
    """When the time is or was up, since 1970; None while the seat is not due."""
    rests: Resting | None
    """Why the clock stands although the seat is due."""


class Clocks(Struct, frozen=True, gc=False):
    """The clocks of a match."""

    now: int
    """The time of the server, in milliseconds since 1970."""
    seats: tuple[SeatClock, ...]
    """The seats that players decide for."""


class ConsentUpdate(Tagged, frozen=True, tag="asking"):
    """A request. `waiting` are the seats whose players have not answered; an empty one closes the request."""

    seat: int
    wish: Wish
    waiting: tuple[int, ...]


class Welcome(Tagged, frozen=True, tag="welcome"):
    """The complete state, sent when a page opens and to all pages when a match starts."""

    version: str
    table: TableInfo
    scene: Scene | None
    """None before the first match, and for a match that the installed rules cannot read."""
    mine: tuple[SeatState, ...]
    asked: ConsentUpdate | None
    clocks: Clocks | None = None


class MatchChanged(Tagged, frozen=True, tag="news"):
    """The match went on, or back."""

    scene: Scene
    mine: tuple[SeatState, ...]
    clocks: Clocks | None = None


class SeatDecided(Tagged, frozen=True, tag="decided"):
    """A seat has decided or retracted while others are due. `mine` is only sent to its player."""

    due: tuple[int, ...]
    decided: tuple[int, ...]
    mine: tuple[SeatState, ...]
    clocks: Clocks | None = None


class TableChanged(Tagged, frozen=True, tag="people"):
    """Seats, attendance or deadlines have changed."""

    table: TableInfo
    mine: tuple[SeatState, ...]
    clocks: Clocks | None = None


class OwnSeats(Tagged, frozen=True, tag="yours"):
    """The state of the player's own seats, after a message that was repeated or late."""

    mine: tuple[SeatState, ...]


class MessageRefused(Tagged, frozen=True, tag="refused"):
    seat: int
    reason: Reason
    mine: tuple[SeatState, ...]


class ReasonAnswer(Tagged, frozen=True, tag="because"):
    """The answer to `why`. Without a reason the action is possible."""

    ask: int
    reason: Reason | None


class ScoreChange(Struct, frozen=True, gc=False):
    """A line of the score sheet before and after."""

    line: str
    before: Line | None
    after: Line | None


class PreviewAnswer(Tagged, frozen=True, tag="previewed"):
    """The effect of an action if the seat alone acted now; empty if the action is not possible."""

    ask: int
    changes: tuple[ScoreChange, ...]
    events: tuple[Any, ...]
    view: Any


class Hint(Tagged, frozen=True, tag="hint"):
    """The answer to `ask-hint`: an explanation, or a reason for refusal; neither if the match went on meanwhile."""

    ask: int
    explanation: Explanation | None
    reason: Reason | None = None


class FutureAnswer(Tagged, frozen=True, tag="foreseen"):
    """The answer to `foresee`: the possible chance events, or the position and choices after one of them."""

    ask: int
    lucks: tuple[Any, ...]
    view: Any = None
    choices: tuple[Any, ...] = ()


class FallbackDecision(Tagged, frozen=True, tag="stood-in"):
    """Another bot has decided because the bot of a seat could not."""

    seat: int
    bot: str
    by: str


class ChatMessageAdded(Tagged, frozen=True, tag="said"):
    """A chat remark, sent to players only."""

    remark: ChatMessageView


class ReactionShown(Tagged, frozen=True, tag="reacted"):
    """A reaction of a player."""

    seat: int
    reaction: Reaction


class TurnedAway(Tagged, frozen=True, tag="turned-away"):
    """Sent to a person who may watch this table but not take a seat."""


ToScreen = (
    Welcome
    | MatchChanged
    | SeatDecided
    | TableChanged
    | OwnSeats
    | MessageRefused
    | ReasonAnswer
    | PreviewAnswer
    | ConsentUpdate
    | Hint
    | FutureAnswer
    | FallbackDecision
    | ChatMessageAdded
    | ReactionShown
    | TurnedAway
)
