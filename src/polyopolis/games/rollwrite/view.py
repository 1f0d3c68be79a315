"""What the screen of one seat needs, ready for JSON."""

from collections import Counter
from functools import cache
from typing import Literal, get_args

from msgspec import Struct

from polyopolis.engine import CHANCE, Result, Sheet
from polyopolis.games.par_scores import par
from polyopolis.games.placement import lost_by, shrinking
from polyopolis.games.rollwrite.actions import Action
from polyopolis.games.rollwrite.content import COMPASS, ROCKS, SIGNS, TREES, TYPES, Episode, Faces, Kind, Type
from polyopolis.games.rollwrite.scoring import cells_counted, free_bandits, passed, purses, scores
from polyopolis.games.rollwrite.state import City, Setup, State
from polyopolis.geometry import Shape

Ground = Literal["meadow", "trees", "rocks", "well", "plains", "gold", "forest", "mountain", "flood"]
"""What a cell is without what stands on it."""
GROUNDS: tuple[Ground, ...] = get_args(Ground)


class BuildingView(Struct, frozen=True):
    kind: Kind
    cells: tuple[str, ...]
    printed: bool


class CityView(Struct, frozen=True):
    """One player's sheet, open to all."""

    buildings: tuple[BuildingView, ...]
    circles: int
    """Ticked for passing."""
    price: int
    """What they cost so far."""
    next: int
    """How many a pass would tick now."""
    stopped: bool
    bandits: tuple[str, ...]
    caught: tuple[str, ...]
    """Those of the bandits that are caught."""
    purses: int
    won: tuple[str, ...]
    covered: dict[str, int]
    """How many cells of each race are built over."""
    counted: dict[str, tuple[str, ...]]
    """The cells that each line of the score sheet speaks of."""
    open: int
    """What it loses so far by ground that is not built on yet."""


class RollView(Struct, frozen=True):
    """The dice, and what they tell all to build."""

    faces: Faces
    dice: tuple[str, str]
    """The blue dice as they show, drawn."""
    joined: str
    """The grid that they make, drawn."""
    kind: Kind
    shape: str
    held: str
    """The same as it comes to the hand: as the dice show it, or the row of the compass."""
    compass: bool
    """The compass has named it, not the dice."""
    circles: int | None
    """How many circles are ticked for passing; null where it must be built."""


class CompassView(Struct, frozen=True):
    """What the compass builds, one after the other; when all are used it is a blank."""

    builds: Kind
    row: tuple[str, ...]
    """The shapes, drawn."""
    used: int
    states: tuple[Literal["used", "now", "next"], ...]
    """Of each in the row; now: all build it in this round."""
    must_build: bool


class ChanceView(Struct, frozen=True):
    """A shape that the next roll may ask for, and in how many ways the dice can fall for it."""

    shape: str
    kind: Kind | None
    """What the compass builds; null where the white die names the type."""
    ways: int


class RaceView(Struct, frozen=True):
    race: str
    points: int
    cells: tuple[str, ...]
    open: bool


class PurseView(Struct, frozen=True):
    """What gives purses at the end."""

    purse: str
    purses: int


class TableView(Struct, frozen=True):
    """What everybody sees."""

    setup: Setup
    rows: tuple[str, ...]
    """The terrain, a sign for each cell."""
    signs: dict[str, Ground]
    """What the signs stand for."""
    mirrors: bool
    """Buildings may be turned over (RW-4)."""
    types: tuple[Type, ...]
    """The types of buildings that the white die names."""
    river: tuple[tuple[int, int], ...]
    start: str
    """What the first building lies at."""
    passing: tuple[int, ...]
    """The row of circles with their points."""
    counting: dict[str, int]
    """What is counted at the end, with the points for each."""
    in_sight: dict[str, dict[Ground, int]]
    """Of the lines that count cells without a building: what a cell of a ground brings or costs."""
    builds_on: tuple[str, ...]
    """Wild land that is open in this episode."""
    dice: tuple[dict[str, str], dict[str, str]]
    """The faces of the blue dice, drawn."""
    chances: tuple[ChanceView, ...]
    """Of the next roll, the likeliest first."""
    rolls: int
    roll: RollView | None
    compass: CompassView | None
    races: tuple[RaceView, ...]
    purses: tuple[PurseView, ...]
    cities: tuple[CityView, ...]
    acting: tuple[int, ...]
    over: bool
    result: Result
    """Final when it is over; until then what the sheets would be if it ended now."""
    open_lines: tuple[str, ...]
    """Lines of the score sheet that count what is not built on yet: they shrink while one builds."""
    par: int | None
    """What a good player comes to here."""


class View(Struct, frozen=True):
    """The table, and what this seat may choose now."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def seen(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
    return View(_table(state), seat, choices)


def _table(state: State) -> TableView:
    episode, result = state.episode, scores(state)
    return TableView(
        setup=state.setup,
        rows=episode.board.rows,
        signs={sign: _ground(SIGNS[sign]) for sign in sorted(episode.board.signs)},
        mirrors=True,
        types=TYPES,
        river=episode.board.river,
        start=episode.rules.start,
        passing=episode.rules.passing,
        counting={counting.line: counting.points for counting in episode.rules.counting},
        in_sight=_in_sight(episode),
        builds_on=episode.rules.builds_on,
        dice=(dict(episode.dice.faces[0]), dict(episode.dice.faces[1])),
        chances=_chances(episode, state.compasses),
        rolls=state.rolls,
        roll=_roll(state),
        compass=_compass(state),
        races=tuple(_races(state)),
        purses=tuple(PurseView(purse.purse, purse.purses) for purse in episode.rules.purses),
        cities=tuple(_city(state, *own) for own in zip(state.cities, result.sheets, strict=True)),
        acting=tuple(sorted(state.acting - {CHANCE})),
        over=not state.acting,
        result=result,
        open_lines=shrinking(episode.rules.counting),
        par=par("rollwrite", f"episode-{state.setup.episode}"),
    )


def _ground(name: str) -> Ground:
    """What stands on a cell stands on bare paper."""
    return next((ground for ground in GROUNDS if ground == name), "meadow")


@cache
def _in_sight(episode: Episode) -> dict[str, dict[Ground, int]]:
    """A cell of trees or rocks counts for each of them, an empty one or a bandit for itself (RW-15, RW-30)."""
    signs, empty = episode.board.signs, episode.site.empty
    cells = {
        "trees": TREES,
        "rocks": ROCKS,
        "empty": dict.fromkeys([sign for sign in signs if episode.board.where(sign) & empty], 1),
        "bandits": {"x": 1},
    }
    return {
        counting.line: {_ground(SIGNS[sign]): each * counting.points for sign, each in cells[counting.line].items()}
        for counting in episode.rules.counting
        if counting.line in cells
    }


@cache
def _chances(episode: Episode, compasses: int) -> tuple[ChanceView, ...]:
    ways = Counter[tuple[Shape, Kind | None]]()
    for roll, weight in episode.dice.odds:
        task = episode.asked(roll.faces, compasses)
        ways[_flattest(task.shape), None if task.kind in TYPES else task.kind] += weight
    return tuple(ChanceView(str(shape), kind, number) for (shape, kind), number in ways.most_common())


def _flattest(shape: Shape) -> Shape:
    """One drawing for all the ways a shape can lie."""
    return min(shape.orientations(), key=lambda way: (way.height, way.squares))


def _roll(state: State) -> RollView | None:
    if state.faces is None or state.task is None:
        return None
    first, second, _ = state.faces
    dice, task, compass = state.episode.dice, state.task, _compass_builds(state)
    joined = dice.joined(first, second)
    return RollView(
        faces=state.faces,
        dice=(dice.faces[0][first], dice.faces[1][second]),
        joined=joined,
        kind=task.kind,
        shape=str(task.shape),
        held=str(task.shape) if compass else joined,
        compass=compass,
        circles=task.circles if state.episode.rules.passing else None,
    )


def _compass_builds(state: State) -> bool:
    """What all build in this round is the last of its row that was used (RW-21)."""
    return state.faces is not None and state.faces[1] == COMPASS and state.task in state.episode.row_tasks


def _compass(state: State) -> CompassView | None:
    compass, used = state.episode.rules.compass, state.compasses
    if compass is None:
        return None
    now = used - 1 if _compass_builds(state) else None
    return CompassView(
        builds=compass.builds,
        row=tuple(str(shape) for shape in state.episode.row),
        used=used,
        states=tuple(
            "now" if number == now else "used" if number < used else "next" for number in range(len(state.episode.row))
        ),
        must_build=compass.circles is None,
    )


def _races(state: State) -> list[RaceView]:
    site = state.episode.site
    return [
        RaceView(race.race, race.points, site.grid.cells(site.goals[race.race]), race in state.open_races)
        for race in state.episode.rules.races
    ]


def _city(state: State, city: City, sheet: Sheet) -> CityView:
    cells = city.site.grid.cells
    printed = len(city.site.printed)
    task = state.task if state.acting and not city.stopped else None
    return CityView(
        buildings=tuple(
            BuildingView(building.kind, building.at.cells, number < printed)
            for number, building in enumerate(city.buildings)
        ),
        circles=city.circles,
        price=passed(state, city),
        next=(task.circles or 0) if task else 0,
        stopped=city.stopped,
        bandits=cells(city.bandits),
        caught=cells(city.bandits & ~free_bandits(city)),
        purses=purses(state, city),
        won=tuple(race.race for race in city.won),
        covered={
            race.race: (city.site.goals[race.race] & ~city.free).bit_count() for race in state.episode.rules.races
        },
        counted={line: cells(where) for line, where in cells_counted(state, city).items()},
        open=lost_by(sheet, shrinking(state.episode.rules.counting)),
    )
