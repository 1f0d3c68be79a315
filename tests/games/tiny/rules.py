"""The rules."""

from collections.abc import Sequence

from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Reason, Step, why_not_due
from tests.games.tiny.actions import Action, Keep, Kept, Leave, Left, Throw, Thrown
from tests.games.tiny.campaign_rules import alike, carried, onward, standings
from tests.games.tiny.content import NEWEST, content
from tests.games.tiny.scoring import scores
from tests.games.tiny.state import Setup, State
from tests.games.tiny.view import TableView, View

__all__ = [
    "Action", "Setup", "alike", "apply", "carried", "key", "legal", "odds", "onward", "scores", "seats", "standings",
    "start", "to_act", "version", "view", "why_not",
]  # fmt: skip

key = "tiny"
version = 1
seats = range(2, 4)


def start(setup: Setup) -> State:
    """An episode has as many rounds as its number."""
    if setup.seats not in seats:
        raise BadSetup("the tiny game is for 2 or 3")
    if setup.content != NEWEST or not 1 <= setup.episode <= content(setup.content).episodes:
        raise BadSetup(f"the tiny game has no episode {setup.episode} in content {setup.content}")
    carried = setup.carried or (0,) * setup.seats
    if len(carried) != setup.seats:
        raise BadSetup(f"pips of {len(carried)} are carried, but {setup.seats} play")
    return State(setup, carried, setup.episode, frozenset({CHANCE}))


def to_act(state: State) -> frozenset[int]:
    return state.acting


def legal(state: State, seat: int) -> Sequence[Action]:
    return [action for action in (Keep(), Leave()) if not why_not(state, seat, action)]


def odds(state: State) -> Sequence[tuple[Action, int]]:
    return [(Throw(pips), weight) for pips, weight in content(state.setup.content).odds.items()]


def apply(state: State, seat: int, action: Action) -> Step:
    if isinstance(action, Throw):
        players = frozenset(range(len(state.pips)))
        return Step(replace(state, thrown=action.pips, acting=players), (Thrown(action.pips),))
    gained = state.thrown if isinstance(action, Keep) else 0
    pips = tuple(own + gained * (other == seat) for other, own in enumerate(state.pips))
    events = (Kept(seat, gained) if gained else Left(seat),)
    if waiting := state.acting - {seat}:
        return Step(replace(state, pips=pips, acting=waiting), events)
    rounds = state.rounds - 1
    following = frozenset({CHANCE}) if rounds else frozenset[int]()
    return Step(State(state.setup, pips, rounds, following), events)


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    if reason := why_not_due(state.acting, seat):
        return reason
    if seat == CHANCE:
        return Reason("not-an-action")
    limit = content(state.setup.content).limit
    if isinstance(action, Keep) and state.pips[seat] > limit:
        return Reason("too-rich", {"pips": state.pips[seat], "limit": limit})
    return None if isinstance(action, Keep | Leave) else Reason("not-an-action")


def view(state: State, seat: int | None) -> View:
    acting = tuple(sorted(state.acting))
    table = TableView(state.setup, state.pips, state.thrown, state.rounds, acting, not state.acting, scores(state))
    return View(table, seat, tuple(legal(state, seat)) if seat is not None and seat in state.acting else ())
