"""Protocol of a game's rules, and the value types that all games share: steps, reasons, score sheets, errors."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

CHANCE = -1
"""The seat of dice and decks."""


class Tagged(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """Base of actions and events, which are encoded with the tag of their type."""


class PolyopolisError(Exception):
    """Base of errors that a user can cause. The message is one sentence for the user."""


class Reason(Struct, frozen=True):
    """Why an action is refused: a code and its arguments. Clients translate the code."""

    code: str
    about: dict[str, str | int | tuple[str, ...]] = {}

    def __str__(self) -> str:
        about = (f"{key} {' '.join(what) if isinstance(what, tuple) else what}" for key, what in self.about.items())
        return ", ".join([self.code, *about])


class BadSetup(PolyopolisError):
    """The rules do not accept this setup."""


class IllegalAction(PolyopolisError):
    """The rules do not allow this action in this state."""

    def __init__(self, seat: int, action: Struct, reason: Reason) -> None:
        self.seat, self.action, self.reason = seat, action, reason
        super().__init__(f"{seat_name(seat)} cannot {describe_action(action)}: {reason}")


class NotDue(IllegalAction):
    """Other seats are due."""


class GameOver(IllegalAction):
    """The match is over."""


class NothingStaged(PolyopolisError):
    """The seat has no staged decision to take back."""


class Line(Struct, frozen=True, gc=False):
    """One line of a score sheet."""

    line: str
    count: int
    points: int


Sheet = tuple[Line, ...]


class Result(Struct, frozen=True, gc=False):
    """Totals, ranks and score sheets of all seats. Equal seats share a rank, and the next rank is left out."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    sheets: tuple[Sheet, ...]


StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")
ActionT = TypeVar("ActionT")


class Step(Struct, frozen=True, gc=False):
    """The result of an action: the next state and its events."""

    state: Any
    events: tuple[Struct, ...]


class Game(Protocol[SetupT, StateT, ActionT]):
    """The rules of one game, implemented by a module of functions: `games/<key>/rules.py`."""

    key: str
    version: int
    """Version of the rules, which records contain."""
    seats: range
    """The possible numbers of seats."""
    Setup: Any
    """The type of a setup. Every setup has `seats` and `content`; one of a campaign has `episode` too."""
    Action: Any
    """The union of all actions, including those of chance."""

    def start(self, setup: SetupT) -> StateT:
        """Returns the first state. Raises `BadSetup` if the rules do not accept the setup."""

    def to_act(self, state: StateT) -> frozenset[int]:
        """Returns the seats that decide now: players, `{CHANCE}` alone, or none when the game is over."""

    def legal(self, state: StateT, seat: int) -> Sequence[ActionT]:
        """Returns all legal actions of a seat in `to_act`, each once."""

    def odds(self, state: StateT) -> Sequence[tuple[ActionT, int]]:
        """Returns the possible actions of chance with positive weights, in an order that the rules fix."""

    def apply(self, state: StateT, seat: int, action: ActionT) -> Step:
        """Returns the result of a legal action. Does not check that it is legal; `Match.decide` does."""

    def why_not(self, state: StateT, seat: int, action: ActionT) -> Reason | None:
        """Returns why an action is illegal; None exactly for the actions in `legal`.

        A seat that is not in `to_act` has no legal action.
        """

    def view(self, state: StateT, seat: int | None) -> Struct:
        """Returns the view of a seat, or of a spectator (None)."""

    def scores(self, state: StateT) -> Result:
        """Returns the score sheets if the game ended now; final when it is over."""

    def onward(self, setup: SetupT, state: StateT) -> SetupT | None:
        """Returns the setup of the next episode after a finished one; None after the last."""

    def alike(self, setup: SetupT, other: SetupT) -> bool:
        """Returns whether two setups start the same match: they are equal in all that the rules use."""

    def standings(self, first: SetupT, played: Sequence[StateT]) -> Result:
        """Returns the score sheets of a campaign with this first setup after these finished episodes."""

    def carried(self, setup: SetupT) -> bool:
        """Returns whether the setup contains the result of an earlier episode of a campaign."""


AnyGame = Game[Any, Any, Any]


def ranks(keys: Sequence[Any]) -> tuple[int, ...]:
    """Returns the rank of each key, starting at 1 for the smallest; equal keys share the better rank."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def why_not_due(acting: frozenset[int], seat: int) -> Reason | None:
    """Returns why a seat cannot act while the seats `acting` do; None if it is one of them."""
    if seat in acting:
        return None
    if not acting:
        return Reason("game-over")
    return Reason("not-due", {"due": tuple(seat_name(other) for other in sorted(acting))})


def seat_name(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"


def describe_action(action: Any) -> str:
    """Returns an action as one line of text: its tag and the values of its fields."""
    if not isinstance(action, Struct):
        return repr(action)
    values = (getattr(action, field) for field in action.__struct_fields__)
    words = (" ".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in values)
    return " ".join([str(action.__struct_config__.tag or type(action).__name__), *words])


MAX_SENTENCE_CHARACTERS = 300
"""Maximum length of an error sentence, including quoted input."""


def shorten(text: str, longest: int = MAX_SENTENCE_CHARACTERS) -> str:
    """Returns the text if it has at most `longest` characters, else its beginning and end around an ellipsis."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"
