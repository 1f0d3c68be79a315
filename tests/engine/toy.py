"""A toy game that only the tests know: whatever works with it owes nothing to a game of the house.

In each round chance throws a die, and all seats at once keep its pips or leave them. Who has more than the limit of
five pips keeps no more. The pips of an episode are carried to the next one.
"""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Line, Reason, Result, Step, Tagged, ranks

key = "toy"
version = 1
seats = range(2, 4)
LIMIT = 5
DIE = {1: 1, 2: 2, 3: 3}
"""How likely each number is, as a weight."""


class Throw(Tagged, frozen=True, tag="throw"):
    pips: int


class Keep(Tagged, frozen=True, tag="keep"):
    pass


class Leave(Tagged, frozen=True, tag="leave"):
    pass


class Told(Tagged, frozen=True, tag="told"):
    seat: int
    what: str


Action = Throw | Keep | Leave


class Setup(Struct, frozen=True, kw_only=True):
    seats: int = 2
    episode: int = 1
    content: int = 1
    carried: tuple[int, ...] = (0, 0, 0)


class State(Struct, frozen=True):
    pips: tuple[int, ...]
    rounds: int
    acting: frozenset[int]
    thrown: int = 0


class View(Struct, frozen=True):
    pips: tuple[int, ...]


def start(setup: Setup) -> State:
    """An episode has as many rounds as its number."""
    if setup.seats not in seats:
        raise BadSetup("the toy is for 2 or 3")
    return State(setup.carried[: setup.seats], setup.episode, frozenset({CHANCE}))


def to_act(state: State) -> frozenset[int]:
    return state.acting


def legal(state: State, seat: int) -> Sequence[Action]:
    return [action for action in (Keep(), Leave()) if not why_not(state, seat, action)]


def odds(state: State) -> Sequence[tuple[Action, int]]:
    return [(Throw(pips), weight) for pips, weight in DIE.items()]


def apply(state: State, seat: int, action: Action) -> Step:
    if isinstance(action, Throw):
        everyone = frozenset(range(len(state.pips)))
        return Step(replace(state, thrown=action.pips, acting=everyone), (Told(seat, f"throws {action.pips}"),))
    gained = state.thrown if isinstance(action, Keep) else 0
    pips = tuple(own + gained * (other == seat) for other, own in enumerate(state.pips))
    told = (Told(seat, "keeps" if gained else "leaves"),)
    if waiting := state.acting - {seat}:
        return Step(replace(state, pips=pips, acting=waiting), told)
    rounds = state.rounds - 1
    following = frozenset({CHANCE}) if rounds else frozenset[int]()
    return Step(State(pips, rounds, following), told)


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    if isinstance(action, Keep) and state.pips[seat] > LIMIT:
        return Reason("too-rich", {"pips": state.pips[seat], "limit": LIMIT})
    return None if isinstance(action, Keep | Leave) else Reason("not-an-action")


def view(state: State, seat: int | None) -> View:
    return View(state.pips)


def scores(state: State) -> Result:
    sheets = tuple((Line("pips", own, own),) for own in state.pips)
    return Result(state.pips, ranks([-own for own in state.pips]), sheets)


def onward(setup: Setup, state: State) -> Setup | None:
    """Nothing follows episode 3."""
    return None if setup.episode == 3 else replace(setup, episode=setup.episode + 1, carried=state.pips)


def alike(setup: Setup, other: Setup) -> bool:
    return setup == other


def standings(first: Setup, played: Sequence[State]) -> Result:
    return scores(played[-1] if played else start(first))
