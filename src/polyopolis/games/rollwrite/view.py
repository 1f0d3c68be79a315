"""The view of a match for one seat, ready for JSON."""

from collections import Counter
from functools import cache
from typing import Literal, get_args

from msgspec import Struct

from polyopolis.engine import CHANCE, Result, Sheet
from polyopolis.games.par_scores import par_score
from polyopolis.games.placement import points_lost, shrinking_lines
from polyopolis.games.rollwrite.actions import Action
from polyopolis.games.rollwrite.content import COMPASS, ROCKS, SIGNS, TREES, TYPES, Episode, Faces, Kind, Type
from polyopolis.games.rollwrite.scoring import cells_counted, free_bandits, passing_points, purse_count, scores
from polyopolis.games.rollwrite.state import City, Setup, State
from polyopolis.geometry import Shape

Ground = Literal["meadow", "trees", "rocks", "well", "plains", "gold", "forest", "mountain", "flood"]
"""The terrain of a cell without the building or bandit on it."""
GROUNDS: tuple[Ground, ...] = get_args(Ground)


class BuildingView(Struct, frozen=True):
    kind: Kind
    cells: tuple[str, ...]
    printed: bool


class CityView(Struct, frozen=True):
    """One player's sheet, visible to all."""

    buildings: tuple[BuildingView, ...]
    circles: int
    """The number of circles ticked for passing."""
    price: int
    """The points for these circles."""
    next: int
    """The number of circles that a pass would tick now."""
    stopped: bool
    bandits: tuple[str, ...]
    caught: tuple[str, ...]
    """The bandits that are caught."""
    purses: int
    won: tuple[str, ...]
    covered: dict[str, int]
    """The number of cells of each race that are built over."""
    counted: dict[str, tuple[str, ...]]
    """The cells that each line of the score sheet counts."""
    open: int
    """The points of `TableView.open_lines`."""


class RollView(Struct, frozen=True):
    """The dice, and the building that all players build."""

    faces: Faces
    dice: tuple[str, str]
    """Drawings of the faces of the blue dice."""
    joined: str
    """A drawing of the grid that they form."""
    kind: Kind
    shape: str
    held: str
    """A drawing of the building in its initial orientation: that of the dice, or of the compass row."""
    compass: bool
    """Whether the building is that of a compass."""
    circles: int | None
    """The number of circles ticked for passing; None if it must be built."""


class CompassView(Struct, frozen=True):
    """The buildings that compasses build in order. When all are used, a compass is a blank face."""

    builds: Kind
    row: tuple[str, ...]
    """Drawings of the shapes."""
    used: int
    states: tuple[Literal["used", "now", "next"], ...]
    """The state of each building in the row; players build the one that is `now` in this round."""
    must_build: bool


class ChanceView(Struct, frozen=True):
    """A shape that the next roll may require, and the number of outcomes of the dice for it."""

    shape: str
    kind: Kind | None
    """The kind of building of a compass; None if the white die determines the type."""
    ways: int


class RaceView(Struct, frozen=True):
    race: str
    points: int
    cells: tuple[str, ...]
    open: bool


class PurseView(Struct, frozen=True):
    """A goal that gives purses at the end."""

    purse: str
    purses: int


class TableView(Struct, frozen=True):
    """The public part of the view."""

    setup: Setup
    rows: tuple[str, ...]
    """The terrain, a character for each cell."""
    signs: dict[str, Ground]
    """The meaning of the characters."""
    mirrors: bool
    """Whether buildings may be mirrored (RW-4)."""
    types: tuple[Type, ...]
    """The types of buildings on the white die."""
    river: tuple[tuple[int, int], ...]
    start: str
    """The first building starts at the river, or at printed buildings of this kind."""
    passing: tuple[int, ...]
    """The points of the circles for passing."""
    counting: dict[str, int]
    """The lines counted at the end, with the points per item."""
    in_sight: dict[str, dict[Ground, int]]
    """The points of a cell by ground, for each line that counts cells without a building."""
    builds_on: tuple[str, ...]
    """Land that can be built on in this episode, and in others cannot."""
    dice: tuple[dict[str, str], dict[str, str]]
    """Drawings of all faces of the blue dice."""
    chances: tuple[ChanceView, ...]
    """The outcomes of the next roll, the likeliest first."""
    rolls: int
    roll: RollView | None
    compass: CompassView | None
    races: tuple[RaceView, ...]
    purses: tuple[PurseView, ...]
    cities: tuple[CityView, ...]
    acting: tuple[int, ...]
    over: bool
    result: Result
    """The score sheets if the episode ended now; final when it is over."""
    open_lines: tuple[str, ...]
    """Lines with negative points, which count cells without a building: their losses shrink."""
    par: int | None
    """The score of a good player in this mode."""


class View(Struct, frozen=True):
    """The public table, and the legal actions of this seat."""

    table: TableView
    seat: int | None
    choices: tuple[Action, ...]


def view_of(state: State, seat: int | None, choices: tuple[Action, ...]) -> View:
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
        open_lines=shrinking_lines(episode.rules.counting),
        par=par_score("rollwrite", f"episode-{state.setup.episode}"),
    )


def _ground(name: str) -> Ground:
    """Returns the ground of a terrain. Buildings and bandits stand on meadow."""
    return next((ground for ground in GROUNDS if ground == name), "meadow")


@cache
def _in_sight(episode: Episode) -> dict[str, dict[Ground, int]]:
    """A cell counts once for each of its trees or rocks; empty cells and bandits count once (RW-15, RW-30)."""
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
        task = episode.task_of(roll.faces, compasses)
        ways[_flattest(task.shape), None if task.kind in TYPES else task.kind] += weight
    return tuple(ChanceView(str(shape), kind, number) for (shape, kind), number in ways.most_common())


def _flattest(shape: Shape) -> Shape:
    """Returns the same orientation for all orientations of a shape: the flattest one."""
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
    """Returns whether the task of this round is a building of the compass row (RW-21)."""
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
        price=passing_points(state, city),
        next=(task.circles or 0) if task else 0,
        stopped=city.stopped,
        bandits=cells(city.bandits),
        caught=cells(city.bandits & ~free_bandits(city)),
        purses=purse_count(state, city),
        won=tuple(race.race for race in city.won),
        covered={
            race.race: (city.site.goals[race.race] & ~city.free).bit_count() for race in state.episode.rules.races
        },
        counted={line: cells(where) for line, where in cells_counted(state, city).items()},
        open=points_lost(sheet, shrinking_lines(state.episode.rules.counting)),
    )
