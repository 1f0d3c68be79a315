"""Loads the material of Roll & Write from `content/`: dice, sheets and the rules of each episode."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from itertools import combinations, pairwise, product
from typing import Literal, get_args

from polyopolis.games.content_loader import ContentError, ContentStruct, parse_board, parse_shape, read, require
from polyopolis.games.placement import Place, Places
from polyopolis.games.rollwrite.actions import Roll
from polyopolis.geometry import Board, Mask, Placement, Placements, Shape, bits

NEWEST = 1

SIGNS = {
    ".": "empty", "2": "trees", "r": "rocks", "W": "well", "h": "plains", "g": "gold", "#": "forest",
    "^": "mountain", "~": "flood", "x": "bandit", "+": "church", "s": "sawmill", "F": "fort",
}  # fmt: skip
GROUND = ".2rWhg"
TREES = {"2": 2}
ROCKS = {"r": 2}
"""The number of rocks on a cell, by character; `TREES` likewise."""
PRINTED: dict[str, "Kind"] = {"+": "church", "s": "sawmill", "F": "fort"}

Type = Literal["residential", "industrial", "administrative"]
Kind = Literal[Type, "church", "fort", "sawmill"]
TYPES: tuple[Type, ...] = get_args(Type)
Goal = Literal["plains", "forest", "gold"]
"""The kinds of cells that players race to cover."""
COMPASS = "compass"
Faces = tuple[str, str, str]


class Face(ContentStruct, frozen=True):
    """A face of a blue die: half of the grid, and the number of sides with it."""

    sides: int
    drawing: str


class Types(ContentStruct, frozen=True):
    """The number of sides of the white die for each type."""

    residential: int
    industrial: int
    administrative: int


class DiceFile(ContentStruct, frozen=True):
    first: dict[str, Face]
    second: dict[str, Face]
    types: Types


class BuildingsFile(ContentStruct, frozen=True):
    shapes: dict[str, str]


class Compass(ContentStruct, frozen=True):
    """The buildings that compasses build in order, until the row is used up."""

    builds: Literal["church", "fort"]
    row: tuple[str, ...]
    circles: int | None = None
    """The number of circles ticked for passing; None if the building must be built."""
    anywhere: bool = False
    """Whether the building need not touch another one."""


class Race(ContentStruct, frozen=True):
    """Points at once for the first players to cover all cells of a kind."""

    race: Goal
    points: int


class Purse(ContentStruct, frozen=True):
    """Purses at the end for all players who have reached a goal or never passed."""

    purse: Literal[Goal, "never-passed"]
    purses: int


class Counting(ContentStruct, frozen=True):
    """A line of the score sheet that is counted at the end, with the points per item."""

    line: Literal[
        "trees", "rocks", "empty", "groups", "wells", "churches", "bandits", "complete", "never-passed", "all-trees",
        "no-rocks", "no-empty",
    ]  # fmt: skip
    points: int


class EpisodeFile(ContentStruct, frozen=True):
    """The rules of an episode."""

    drawing: str
    river: tuple[tuple[int, int], ...]
    start: Literal["river", "church", "sawmill", "fort"]
    """The first building starts at the river, or at printed buildings of this kind."""
    passing: tuple[int, ...]
    """The points of the circles for passing; without any, players may not pass."""
    counting: tuple[Counting, ...]
    builds_on: tuple[Literal["forest"], ...] = ()
    compass: Compass | None = None
    races: tuple[Race, ...] = ()
    purses: tuple[Purse, ...] = ()


class SoloBonus(ContentStruct, frozen=True):
    """Points in a solo game for at least `purses` purses."""

    purses: int
    points: int


class Bonus(ContentStruct, frozen=True):
    """Points for purses at the end of a chapter."""

    most: int
    second: int
    alone: tuple[SoloBonus, ...]


class Chapter(ContentStruct, frozen=True):
    """Episodes that are scored together, and the lowest scores for its titles."""

    episodes: tuple[int, ...]
    titles: tuple[int, ...]
    bonus: Bonus | None = None


class Total(ContentStruct, frozen=True):
    titles: tuple[int, ...]


class CampaignFile(ContentStruct, frozen=True):
    plans: dict[str, tuple[int, ...]]
    total: Total
    chapters: tuple[Chapter, ...]


@dataclass(frozen=True, eq=False)
class Dice:
    """Drawings of the faces of the blue dice, the shapes of their combinations, and the odds of each roll."""

    faces: tuple[Mapping[str, str], Mapping[str, str]]
    shapes: Mapping[tuple[str, str], Shape]
    odds: tuple[tuple[Roll, int], ...]

    def joined(self, first: str, second: str) -> str:
        """Returns a drawing of the grid of both dice."""
        return _joined(self.faces[0][first], self.faces[1][second])


class Site:
    """A sheet compiled to bit masks: its terrain, printed buildings, and all placements of all shapes."""

    def __init__(self, board: Board, builds_on: Iterable[str], shapes: Iterable[Shape]) -> None:
        self.board = board
        self.grid = board.grid
        opened = "".join(sign for sign, name in SIGNS.items() if name in builds_on)
        self.ground: Mask = board.where(GROUND + opened)
        self.empty: Mask = board.where(".h" + opened)
        self.trees = tuple((board.where(sign), each) for sign, each in TREES.items())
        self.rocks = tuple((board.where(sign), each) for sign, each in ROCKS.items())
        self.wells = tuple((well, self.grid.neighbours(well)) for well in bits(board.where("W")))
        self.goals: Mapping[Goal, Mask] = {
            "plains": board.where("h"),
            "forest": board.where("#"),
            "gold": board.where("g"),
        }
        self.bandits: Mask = board.where("x")
        self.wild: Mask = board.where("#~") & ~self.ground
        """Cells that cannot be built on, so that a bandit beside them stays free."""
        self.printed = tuple(self._printed())
        self.printed_cells: Mask = board.where("".join(PRINTED))
        self.places = {shape: Placements(board, self.ground, shape.orientations(), Place) for shape in shapes}

    def _printed(self) -> Iterable[tuple[Kind, Placement[Place]]]:
        for sign, kind in PRINTED.items():
            for mask in self.grid.groups(self.board.where(sign)):
                cells = self.grid.cells(mask)
                yield kind, Placement(cells, mask, self.grid.neighbours(mask), Place(cells))


@dataclass(frozen=True, eq=False)
class Task:
    """The building that all players build after a roll."""

    kind: Kind
    shape: Shape
    places: Places = field(repr=False)
    circles: int | None = 1
    """The number of circles ticked for passing; None if the building must be built."""
    anywhere: bool = False


@dataclass(frozen=True, eq=False)
class Episode:
    """The rules of an episode with its sheet and the tasks of all rolls."""

    number: int
    rules: EpisodeFile = field(repr=False)
    board: Board = field(repr=False)
    dice: Dice = field(repr=False)
    row: tuple[Shape, ...] = field(repr=False)
    """The shapes that compasses build, in their order."""

    @cached_property
    def site(self) -> Site:
        return Site(self.board, self.rules.builds_on, dict.fromkeys((*self.dice.shapes.values(), *self.row)))

    @cached_property
    def tasks(self) -> Mapping[Faces, Task]:
        """The task of each roll when compasses build no building of their own (RW-3)."""
        known = {
            (shape, kind): Task(kind, shape, self.site.places[shape]) for shape in self.site.places for kind in TYPES
        }
        return {
            (first, second, kind): known[shape, kind]
            for (first, second), shape in self.dice.shapes.items()
            for kind in TYPES
        }

    @cached_property
    def row_tasks(self) -> tuple[Task, ...]:
        """The tasks of compasses in their order (RW-21, RW-32)."""
        compass = self.rules.compass
        if compass is None:
            return ()
        return tuple(
            Task(compass.builds, shape, self.site.places[shape], compass.circles, compass.anywhere)
            for shape in self.row
        )

    def task_of(self, faces: Faces, compasses: int) -> Task:
        """Returns the task of a roll after a number of compasses. A compass builds the next of its row, if any."""
        builds = faces[1] == COMPASS and compasses < len(self.row_tasks)
        return self.row_tasks[compasses] if builds else self.tasks[faces]

    @property
    def has_bandits(self) -> bool:
        return any(counting.line == "bandits" for counting in self.rules.counting)


@dataclass(frozen=True)
class Content:
    """One version of all material. A released version is never edited."""

    version: int
    dice: Dice
    episodes: Mapping[int, Episode]
    campaign: CampaignFile

    def bandits_before(self, number: int) -> frozenset[str]:
        """Returns the cells of bandits in earlier episodes, from which they can be carried over (RW-30)."""
        earlier = (episode.board for known, episode in self.episodes.items() if known < number and episode.has_bandits)
        return frozenset(cell for board in earlier for cell in board.grid.cells(board.where("x")))


def content(version: int = NEWEST) -> Content:
    return _content(version)


@cache
def _content(version: int) -> Content:
    return load(files("polyopolis.games.rollwrite") / "content" / f"v{version}", version)


def load(folder: Traversable, version: int = NEWEST) -> Content:
    """Loads the material of a folder. Raises `ContentError` if it is invalid."""
    if not folder.is_dir():
        raise ContentError(folder.name, "", "there is no content of this version")
    dice = _dice(folder / "dice.toml")
    shapes = _shapes(folder / "buildings.toml")
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    episodes = {}
    for name in names:
        number = name.removeprefix("episode-")
        if number.isdecimal() and name == f"episode-{int(number):02}":
            episodes[int(number)] = _episode(folder / f"{name}.toml", int(number), dice, shapes)
        else:
            require(name in ("dice", "buildings", "campaign"), f"{name}.toml", "", "unknown file")
    _check_bandits(episodes)
    return Content(version, dice, episodes, _campaign(folder / "campaign.toml", episodes))


def _dice(file: Traversable) -> Dice:
    """Returns the dice. Every pair of faces of the blue dice forms a shape (RW-2)."""
    found = read(file, DiceFile)
    require(COMPASS in found.second, file.name, "second", "no side is the compass")
    types: dict[str, int] = {kind: getattr(found.types, kind) for kind in TYPES}
    _check_sides(file.name, "first", {name: face.sides for name, face in found.first.items()})
    _check_sides(file.name, "second", {name: face.sides for name, face in found.second.items()})
    _check_sides(file.name, "types", types)
    halves = _halves(file.name, "first", found.first), _halves(file.name, "second", found.second)
    shapes = {
        (first, second): parse_shape(file.name, f"second.{second}", _joined(halves[0][first], halves[1][second]))
        for first, second in product(found.first, found.second)
    }
    odds = tuple(
        (Roll((first, second, kind)), found.first[first].sides * found.second[second].sides * types[kind])
        for first, second, kind in product(found.first, found.second, TYPES)
    )
    return Dice(halves, shapes, odds)


def _check_sides(file: str, die: str, sides: Mapping[str, int]) -> None:
    for name, number in sides.items():
        require(number > 0, file, f"{die}.{name}", "a face is on at least one side")
    require(sum(sides.values()) == 6, file, die, "a die has six sides")


def _halves(file: str, die: str, faces: Mapping[str, Face]) -> dict[str, str]:
    for name, face in faces.items():
        rows = face.drawing.split()
        square = [len(row) for row in rows] == [2, 2] and set("".join(rows)) <= set("#.")
        require(square, file, f"{die}.{name}.drawing", "a face is two rows of two signs, '#' or '.'")
    return {name: "\n".join(face.drawing.split()) for name, face in faces.items()}


def _joined(first: str, second: str) -> str:
    """Returns a drawing of two halves of the grid side by side."""
    return "\n".join(map("".join, zip(first.split(), second.split(), strict=True)))


def _shapes(file: Traversable) -> dict[str, Shape]:
    return {
        name: parse_shape(file.name, f"shapes.{name}", text) for name, text in read(file, BuildingsFile).shapes.items()
    }


def _episode(file: Traversable, number: int, dice: Dice, shapes: Mapping[str, Shape]) -> Episode:
    rules = read(file, EpisodeFile)
    board = parse_board(file.name, rules.drawing, rules.river, SIGNS)
    _check_row(file.name, rules)
    _check_goals(file.name, rules, board)
    _check_start(file.name, rules, board)
    lines = [counting.line for counting in rules.counting]
    require(len(set(lines)) == len(lines), file.name, "counting", "a line is named twice")
    row = rules.compass.row if rules.compass else ()
    for name in row:
        require(name in shapes, file.name, "compass.row", f"there is no shape {name!r}")
    return Episode(number, rules, board, dice, tuple(shapes[name] for name in row))


def _check_start(file: str, rules: EpisodeFile, board: Board) -> None:
    """Checks that the first building starts at the printed buildings, or at the river if none are printed."""
    printed = {kind for sign, kind in PRINTED.items() if sign in board.signs}
    others = sorted(printed - {rules.start})
    require(not others, file, "start", f"a {others and others[0]} is printed, but is not the start")
    require(rules.start in printed | {"river"}, file, "start", f"no {rules.start} is printed")


def _check_row(file: str, rules: EpisodeFile) -> None:
    """Checks that each circle costs more than the one before, and that there are enough to pass a compass."""
    falling = all(before > circle for before, circle in pairwise((0, *rules.passing)))
    require(falling, file, "passing", "every circle costs more than the one before")
    if compass := rules.compass:
        require(bool(compass.row), file, "compass.row", "a row has at least one building")
        fits = compass.circles is None or 0 < compass.circles <= len(rules.passing)
        require(fits, file, "compass.circles", f"there are only {len(rules.passing)} circles")


def _check_goals(file: str, rules: EpisodeFile, board: Board) -> None:
    names = {SIGNS[sign] for sign in board.signs}
    named: dict[str, Sequence[str]] = {
        "races": [race.race for race in rules.races],
        "purses": [purse.purse for purse in rules.purses],
    }
    for key, goals in named.items():
        require(len(set(goals)) == len(goals), file, key, "one is named twice")
        for goal in goals:
            open_to_all = goal in names | {"never-passed"} and (goal != "forest" or goal in rules.builds_on)
            require(open_to_all, file, key, f"the sheet has no {goal} to build on")


def _check_bandits(episodes: Mapping[int, Episode]) -> None:
    """Checks that the cells of bandits are empty on later sheets, to which they may be carried over (RW-30)."""
    outlaws = {number: episode.board for number, episode in episodes.items() if episode.has_bandits}
    for (number, board), (later, next_board) in combinations(sorted(outlaws.items()), 2):
        taken = board.grid.cells(board.where("x") & ~next_board.where("."))
        reason = f"{' '.join(taken)} is not empty, but a bandit can be carried over there from episode {number}"
        require(not taken, f"episode-{later:02}.toml", "drawing", reason)


def _campaign(file: Traversable, episodes: Mapping[int, Episode]) -> CampaignFile:
    """Reads the campaign. Checks that its episodes exist and that the limits of titles rise."""
    found = read(file, CampaignFile)
    named = {f"plans.{name}": plan for name, plan in found.plans.items()}
    named |= {f"chapters[{number}].episodes": chapter.episodes for number, chapter in enumerate(found.chapters)}
    for key, numbers in named.items():
        unknown = [number for number in numbers if number not in episodes]
        require(not unknown, file.name, key, f"there is no episode {unknown and unknown[0]}")
        require(bool(numbers), file.name, key, "it names at least one episode")
    chapters = [number for chapter in found.chapters for number in chapter.episodes]
    require(len(set(chapters)) == len(chapters), file.name, "chapters", "an episode is in two chapters")
    titles = {"total.titles": found.total.titles}
    titles |= {f"chapters[{number}].titles": chapter.titles for number, chapter in enumerate(found.chapters)}
    for key, limits in titles.items():
        require(
            bool(limits) and sorted(set(limits)) == list(limits),
            file.name,
            key,
            "every title is higher than the one before",
        )
        require(len(limits) == len(found.total.titles), file.name, key, "all lists of titles have the same length")
    return found
