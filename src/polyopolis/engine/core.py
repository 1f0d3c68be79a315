"""The words every game shares: what a game is, what a step gives, what can go wrong."""

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from msgspec import Struct

CHANCE = -1
"""The seat of dice and decks."""


class Tagged(Struct, frozen=True, tag_field="type", forbid_unknown_fields=True, gc=False):
    """An action or an event: a value that says its type when it travels."""


class PolyopolisError(Exception):
    """Anything that a user did wrong; its message is one sentence that says what."""


class Reason(Struct, frozen=True):
    """Why something is not possible: a code, and what it speaks of. Words live in the catalogues of the screens."""

    code: str
    about: dict[str, str | int | tuple[str, ...]] = {}

    def __str__(self) -> str:
        about = (f"{key} {' '.join(what) if isinstance(what, tuple) else what}" for key, what in self.about.items())
        return ", ".join([self.code, *about])


class BadSetup(PolyopolisError):
    """A game cannot start like this."""


class IllegalAction(PolyopolisError):
    """The rules do not allow this action now."""

    def __init__(self, seat: int, action: Struct, reason: Reason) -> None:
        self.seat, self.action, self.reason = seat, action, reason
        super().__init__(f"{name_of(seat)} cannot {describe_action(action)}: {reason}")


class NotDue(IllegalAction):
    """Somebody else is to decide."""


class GameOver(IllegalAction):
    """Nobody is to decide any more."""


class NothingStaged(PolyopolisError):
    """There is no decision of this seat to take back."""


class Line(Struct, frozen=True, gc=False):
    """One line of a score sheet."""

    line: str
    count: int
    points: int


Sheet = tuple[Line, ...]


class Result(Struct, frozen=True, gc=False):
    """The score sheets of all seats and what follows from them. A shared rank leaves out the next one."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    sheets: tuple[Sheet, ...]


StateT = TypeVar("StateT")
SetupT = TypeVar("SetupT")
ActionT = TypeVar("ActionT")


class Step(Struct, frozen=True, gc=False):
    """What came of an action: the next state, and the events to tell."""

    state: Any
    events: tuple[Struct, ...]


class Game(Protocol[SetupT, StateT, ActionT]):
    """The rules of one game. A module of functions is enough: `games/<key>/rules.py` is one."""

    key: str
    version: int
    """Of the rules, as records name it."""
    seats: range
    """How many can play."""
    Setup: Any
    """The type of a setup. Every setup has `seats` and `content`; one of a campaign has `episode` too."""
    Action: Any
    """The union of all actions, those of chance included."""

    def start(self, setup: SetupT) -> StateT:
        """The first state; BadSetup if there is no such game."""

    def to_act(self, state: StateT) -> frozenset[int]:
        """The seats that decide now, {CHANCE} alone, or nobody when the game is over."""

    def legal(self, state: StateT, seat: int) -> Sequence[ActionT]:
        """Everything that a seat in `to_act` may do, each action once."""

    def odds(self, state: StateT) -> Sequence[tuple[ActionT, int]]:
        """What chance may do, in an order that the rules fix, each with a positive weight."""

    def apply(self, state: StateT, seat: int, action: ActionT) -> Step:
        """What comes of an action. It trusts that the action is legal; a match checks."""

    def why_not(self, state: StateT, seat: int, action: ActionT) -> Reason | None:
        """Why a seat may not do this; None exactly for what is in `legal`. A seat not in `to_act` may do nothing."""

    def view(self, state: StateT, seat: int | None) -> Struct:
        """What the screen of a seat, or of a spectator, needs."""

    def scores(self, state: StateT) -> Result:
        """The score sheets as they stand; final when the game is over."""

    def onward(self, setup: SetupT, state: StateT) -> SetupT | None:
        """The setup of the next episode after a finished one; None when nothing follows."""

    def alike(self, setup: SetupT, other: SetupT) -> bool:
        """Whether two setups start the same match: they agree in all that a rule asks for."""

    def standings(self, first: SetupT, played: Sequence[StateT]) -> Result:
        """The score sheets of a campaign with this first setup after these finished episodes."""

    def carried(self, setup: SetupT) -> bool:
        """Whether the setup brings anything from an earlier episode of a campaign."""


AnyGame = Game[Any, Any, Any]


def ranks(keys: Sequence[Any]) -> tuple[int, ...]:
    """The rank of each key, the smallest first; equals share the better rank."""
    return tuple(1 + sum(other < key for other in keys) for key in keys)


def why_not_due(acting: frozenset[int], seat: int) -> Reason | None:
    """Why a seat may do nothing while these act; None if it is one of them."""
    if seat in acting:
        return None
    if not acting:
        return Reason("game-over")
    return Reason("not-due", {"due": tuple(name_of(other) for other in sorted(acting))})


def name_of(seat: int) -> str:
    return "chance" if seat == CHANCE else f"seat {seat}"


def describe_action(action: Any) -> str:
    """An action in one line: its type and what its fields say."""
    if not isinstance(action, Struct):
        return repr(action)
    values = (getattr(action, field) for field in action.__struct_fields__)
    words = (" ".join(map(str, value)) if isinstance(value, tuple) else str(value) for value in values)
    return " ".join([str(action.__struct_config__.tag or type(action).__name__), *words])


LONGEST_SENTENCE = 300
"""Characters of a sentence about an error, whatever it quotes."""


def shortened(text: str, longest: int = LONGEST_SENTENCE) -> str:
    """Returns a text of at most so many characters: the beginning and the end, with an ellipsis between them."""
    if len(text) <= longest:
        return text
    end = longest // 3
    return f"{text[: longest - end - 1]}…{text[-end:]}"
