"""Roll & Write: the rules, in the order of the rulebook. Rule ids are those of docs/games/rollwrite.md."""

from collections.abc import Collection, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import CHANCE, BadSetup, Reason, Step, Tagged, why_not_due
from polyopolis.games.rollwrite.actions import (
    Action,
    Built,
    Ended,
    Pass,
    Passed,
    Place,
    RaceWon,
    Roll,
    Rolled,
    Stop,
    Stopped,
)
from polyopolis.games.rollwrite.campaign_rules import alike, carried, onward, plans, standings
from polyopolis.games.rollwrite.content import NEWEST, TYPES, Episode, Faces, Race, content
from polyopolis.games.rollwrite.placement_rules import build, empty_city, places, why_not_place
from polyopolis.games.rollwrite.scoring import scores
from polyopolis.games.rollwrite.state import City, Setup, State
from polyopolis.games.rollwrite.view import View, view_of

__all__ = [
    "Action", "Setup", "alike", "apply", "carried", "key", "legal", "odds", "onward", "plans", "scores", "seats",
    "standings", "start", "to_act", "version", "view", "why_not",
]  # fmt: skip

key = "rollwrite"
version = 1
seats = range(1, 13)

_CHANCE = frozenset({CHANCE})
_NO_SEATS: frozenset[int] = frozenset()
_STOP = Stop()
_PASS = Pass()


def start(setup: Setup) -> State:
    """All players have the same sheet (RW-1), except for bandits carried over in a campaign (RW-30)."""
    episode = _episode(setup)
    bandits = [()] * setup.seats if setup.bandits is UNSET else setup.bandits
    return State(
        setup=setup,
        episode=episode,
        cities=tuple(empty_city(episode, episode.site.grid.mask(cells)) for cells in bandits),
        acting=_CHANCE,
        open_races=episode.rules.races,
    )


def _episode(setup: Setup) -> Episode:
    if setup.seats not in seats:
        raise BadSetup(f"Roll & Write is for {seats[0]} to {seats[-1]} seats, not for {setup.seats}")
    if not 1 <= setup.content <= NEWEST:
        raise BadSetup(f"Roll & Write has content 1 to {NEWEST}, not {setup.content}")
    material = content(setup.content)
    if setup.episode not in material.episodes:
        known = f"{min(material.episodes)} to {max(material.episodes)}"
        raise BadSetup(f"Roll & Write has episodes {known}, not {setup.episode}")
    episode = material.episodes[setup.episode]
    if setup.bandits is not UNSET:
        _check_bandits(episode, setup.bandits, setup.seats, material.bandits_before(setup.episode))
    return episode


def _check_bandits(episode: Episode, bandits: Sequence[Sequence[str]], seats: int, known: Collection[str]) -> None:
    """Bandits are carried over from the cells of bandits on earlier sheets to a sheet with bandits (RW-30)."""
    if len(bandits) != seats:
        raise BadSetup(f"the setup has bandits for {len(bandits)} seats, not for {seats}")
    if any(bandits) and not episode.has_bandits:
        raise BadSetup(f"there are no bandits in episode {episode.number}")
    for cells in bandits:
        for cell in cells:
            if cell not in known or cells.count(cell) > 1:
                raise BadSetup(f"no bandit can be carried over to {cell} in episode {episode.number}")


def to_act(state: State) -> frozenset[int]:
    """All players who have not stopped decide on the same roll simultaneously (RW-13)."""
    return state.acting


def odds(state: State) -> Sequence[tuple[Action, int]]:
    """All combinations of the sides of the two blue dice and the white one are equally likely (RW-2)."""
    return state.episode.dice.odds


def legal(state: State, seat: int) -> Sequence[Action]:
    """Build, pass or stop."""
    assert state.task
    city = state.cities[seat]
    actions: list[Action] = [*places(city, state.task)]
    if not why_not_pass(state, city):
        actions.append(_PASS)
    actions.append(_STOP)
    return actions


def why_not(state: State, seat: int, action: Action) -> Reason | None:
    if reason := why_not_due(state.acting, seat):
        return reason
    if seat == CHANCE:
        return Reason("not-an-action")
    assert state.task
    match action:
        case Place(cells):
            return why_not_place(state.cities[seat], state.task, cells)
        case Pass():
            return why_not_pass(state, state.cities[seat])
        case Stop():
            return None
    return Reason("not-an-action")


def why_not_pass(state: State, city: City) -> Reason | None:
    """Passing requires enough circles (RW-10); a church takes two (RW-22).

    Forts must be built (RW-32), and in some episodes all buildings (RW-24).
    """
    assert state.task
    row, circles = state.episode.rules.passing, state.task.circles
    if not row:
        return Reason("no-passing")
    if circles is None:
        return Reason("must-build", {"kind": state.task.kind})
    if city.circles + circles > len(row):
        return Reason("row-full", {"circles": circles})
    return None


def view(state: State, seat: int | None) -> View:
    """All information is public except staged decisions; a seat that decides sees its choices."""
    return view_of(state, seat, tuple(legal(state, seat)) if seat in state.acting and seat is not None else ())


def apply(state: State, seat: int, action: Action) -> Step:
    match action:
        case Place(cells):
            assert state.task
            city = build(state.cities[seat], state.task, cells)
            return _after_decision(state, seat, city, Built(seat, state.task.kind, cells))
        case Pass():
            assert state.task
            city = state.cities[seat]
            circles = city.circles + (state.task.circles or 0)
            return _after_decision(state, seat, replace(city, circles=circles), Passed(seat, circles))
        case Stop():
            return _after_decision(state, seat, replace(state.cities[seat], stopped=True), Stopped(seat))
        case Roll(faces):
            return _roll(state, faces)


def _roll(state: State, faces: Faces) -> Step:
    """All players who have not stopped build the roll. A compass builds the next of its row, if any (RW-21, RW-32)."""
    task = state.episode.task_of(faces, state.compasses)
    used = state.compasses + (task.kind not in TYPES)
    playing = frozenset([seat for seat, city in enumerate(state.cities) if not city.stopped])
    state = State(
        state.setup, state.episode, state.cities, playing, faces, task, state.rolls + 1, used, state.open_races
    )
    return Step(state, (Rolled(faces, task.kind),))


def _after_decision(state: State, seat: int, city: City, event: Tagged) -> Step:
    cities = (*state.cities[:seat], city, *state.cities[seat + 1 :])
    waiting = state.acting - {seat}
    state = State(
        state.setup, state.episode, cities, waiting, state.faces, state.task, state.rolls, state.compasses,
        state.open_races,
    )  # fmt: skip
    return Step(state, (event,)) if waiting else _close_round(state, event)


def _close_round(state: State, event: Tagged) -> Step:
    """Races are decided when all players have built (RW-26 to RW-28)."""
    events: tuple[Tagged, ...] = (event,)
    for race in state.open_races:
        if winners := [seat for seat, city in enumerate(state.cities) if not city.free & city.site.goals[race.race]]:
            state = _award_race(state, race, winners)
            events += tuple(RaceWon(seat, race.race, race.points) for seat in winners)
    return _next_roll(state, events)


def _award_race(state: State, race: Race, winners: Sequence[int]) -> State:
    """All players who finish a race in the same round get its points; later players do not."""
    cities = tuple(
        replace(city, won=(*city.won, race)) if seat in winners else city for seat, city in enumerate(state.cities)
    )
    return replace(state, cities=cities, open_races=tuple(other for other in state.open_races if other is not race))


def _next_roll(state: State, events: tuple[Tagged, ...]) -> Step:
    """The episode ends when all players have stopped (RW-12)."""
    if all(city.stopped for city in state.cities):
        return Step(replace(state, faces=None, task=None, acting=_NO_SEATS), (*events, Ended()))
    return Step(replace(state, faces=None, task=None, acting=_CHANCE), events)
