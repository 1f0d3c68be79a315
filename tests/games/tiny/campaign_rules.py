"""Pips are carried over; the player with the most pips at the end wins."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from polyopolis.engine import Line, Result, ranks
from polyopolis.games.city_emblems import CityEmblem
from tests.games.tiny.content import content
from tests.games.tiny.scoring import scores
from tests.games.tiny.state import Setup, State


def plans(version: int) -> Mapping[str, tuple[int, ...]]:
    return {"campaign": tuple(range(1, content(version).episodes + 1))}


def onward(setup: Setup, state: State) -> Setup | None:
    """Returns the setup of the next episode; None after the last."""
    if setup.episode == content(setup.content).episodes:
        return None
    return replace(setup, episode=setup.episode + 1, carried=state.pips)


def carried(setup: Setup) -> bool:
    return bool(setup.carried)


def named(setup: Setup, arms: Sequence[CityEmblem]) -> Setup:
    return replace(setup, called=tuple(own.city for own in arms))


def alike(setup: Setup, other: Setup) -> bool:
    return named(setup, ()) == named(other, ())


def standings(first: Setup, played: Sequence[State]) -> Result:
    if played:
        return scores(played[-1])
    pips = first.carried or (0,) * first.seats
    return Result(pips, ranks([-own for own in pips]), tuple((Line("pips", own, own),) for own in pips))
