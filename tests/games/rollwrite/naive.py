"""Independent naive implementation of Roll & Write for differential tests, written from the rules page alone.

It shares only the drawings of the sheets and their rivers with the program; the rules of episodes, dice and rows are
written down again. Cells are (column, row) pairs in sets and dicts. It is slow and plain on purpose.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files

Cell = tuple[int, int]
Cells = frozenset[Cell]
Choice = Cells | str
"""A decision of a seat: the cells to build on, `pass` or `stop`."""
Faces = tuple[str, str, str]
SheetLine = tuple[str, int, int]
"""A line, its count, its points."""

FOLDER = files("polyopolis.games.rollwrite") / "content" / "v1"
TYPES = ("residential", "industrial", "administrative")
COLUMNS = "abcdefghijk"

DIE_1 = {"corner": ("X.", "XX"), "single": ("..", ".X"), "vertical": (".X", ".X"), "horizontal": ("..", "XX")}
DIE_2 = {
    "single": ("..", "X."),
    "horizontal": ("..", "XX"),
    "vertical": ("X.", "X."),
    "blank": ("..", ".."),
    "compass": ("..", ".."),
}
SIDES_1 = ["corner", "single", "single", "vertical", "vertical", "horizontal"]
SIDES_2 = ["single", "horizontal", "vertical", "vertical", "blank", "compass"]
SIDES_3 = [kind for kind in TYPES for _ in range(2)]
ROLLS = [(first, second, kind) for first in DIE_1 for second in DIE_2 for kind in TYPES]

PASS_ROW = [0, -1, -2, -3, -5, -7, -10]
I1, I2, L3, T4 = ("X",), ("XX",), ("X.", "XX"), (".X.", "XXX")
PLUS = (".X.", "XXX", ".X.")
CHURCHES: dict[int, list[tuple[str, ...]]] = {
    4: [I2, PLUS, L3, T4],
    5: [I2, PLUS, L3, T4],
    6: [I2, PLUS, L3, T4],
    7: [I1, I2, L3],
    8: [T4, PLUS],
}
GOALS = {7: ("plains", "h", 1), 8: ("forest", "#", 1), 9: ("gold", "g", 2)}
"""The race of an episode, its character, and the purses for covering all its cells by the end."""


def squares(rows: Sequence[str]) -> set[Cell]:
    return {(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "X"}


def of_dice(faces: Faces) -> set[Cell]:
    """RW-2: both blue dice side by side."""
    return squares([left + right for left, right in zip(DIE_1[faces[0]], DIE_2[faces[1]], strict=True)])


class Sheet:
    """The terrain by cell, and the pairs of cells on both sides of the river."""

    def __init__(self, episode: int) -> None:
        drawing = tomllib.loads((FOLDER / f"episode-{episode:02}.toml").read_text("utf-8"))
        rows = [line.replace(" ", "") for line in drawing["drawing"].strip("\n").split("\n")]
        self.terrain = {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}
        self.across: set[frozenset[Cell]] = set()
        corners = drawing["river"]
        for start, end in zip(corners, corners[1:]):  # noqa: B905, RUF007 one shorter than the other on purpose
            self._flow(start[0], start[1], end[0], end[1])
        self.riverside = {cell for pair in self.across for cell in pair}

    def _flow(self, x: int, y: int, to_x: int, to_y: int) -> None:
        for row in range(min(y, to_y), max(y, to_y)):
            self.across.add(frozenset({(x - 1, row), (x, row)}))
        for column in range(min(x, to_x), max(x, to_x)):
            self.across.add(frozenset({(column, y - 1), (column, y)}))

    def all(self, sign: str) -> set[Cell]:
        return {cell for cell, found in self.terrain.items() if found == sign}


SHEETS = {episode: Sheet(episode) for episode in range(1, 13)}


def sides(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def touch(building: Cells, other: Cells) -> bool:
    """RW-7, RW-8: a common side; the river between them does not matter, a corner does not count."""
    return any(side in other for cell in building for side in sides(cell))


def in_the_corner(cells: set[Cell]) -> Cells:
    """Returns the shape moved to the top left corner."""
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def ways_to_lie(shape: set[Cell]) -> set[Cells]:
    """RW-4: the four rotations of the shape and of its mirror image."""
    ways = [shape, {(-x, y) for x, y in shape}]
    for _ in range(3):
        ways += [{(-y, x) for x, y in way} for way in ways[-2:]]
    return {in_the_corner(way) for way in ways}


@dataclass
class Player:
    built: list[tuple[str, Cells]] = field(default_factory=list)
    bandits: set[Cell] = field(default_factory=set)
    circles: int = 0
    stopped: bool = False
    first: bool = False
    """Won the race of the episode."""

    def copy(self) -> "Player":
        return replace(self, built=list(self.built), bandits=set(self.bandits))

    def covered(self) -> set[Cell]:
        return {cell for _, cells in self.built for cell in cells}

    def of(self, kind: str) -> list[Cells]:
        return [cells for found, cells in self.built if found == kind]


class Game:
    """A mutable game in progress; `copy` returns an independent one."""

    def __init__(self, episode: int, seats: int, bandits: Sequence[Sequence[str]] = ()) -> None:
        self.episode = episode
        self.sheet_of_all = SHEETS[episode]
        self.players = [Player(self._printed()) for _ in range(seats)]
        for number, player in enumerate(self.players):
            carried = bandits[number] if bandits else ()
            player.bandits = self.sheet_of_all.all("x") | {cell_of(cell) for cell in carried}
        self.building = ""
        self.shape: set[Cell] = set()
        self.compasses = 0
        self.race_open = episode in GOALS
        self.waiting: set[int] = set()

    def _printed(self) -> list[tuple[str, Cells]]:
        """RW-24, RW-25, RW-32: the church is one building, the sawmill is one, each fort is one."""
        sheet = self.sheet_of_all
        whole = [(kind, frozenset(sheet.all(sign))) for kind, sign in (("church", "+"), ("sawmill", "s"))]
        return [(kind, cells) for kind, cells in whole if cells] + [("fort", frozenset({c})) for c in sheet.all("F")]

    def copy(self) -> "Game":
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.players, other.waiting = [player.copy() for player in self.players], set(self.waiting)
        return other

    def who(self) -> set[int]:
        """Returns the seats that decide, {-1} for the dice, none when all have stopped (RW-12)."""
        if self.waiting:
            return set(self.waiting)
        return set() if all(player.stopped for player in self.players) else {-1}

    def luck(self) -> list[Faces]:
        """Returns the possible rolls."""
        return ROLLS

    def roll(self, faces: Faces) -> None:
        """RW-3, RW-21, RW-32."""
        churches = CHURCHES.get(self.episode, [])
        if faces[1] == "compass" and self.compasses < len(churches):
            self.building, self.shape = "church", squares(churches[self.compasses])
            self.compasses += 1
        elif faces[1] == "compass" and self.episode in (11, 12) and self.compasses < 4:
            self.building, self.shape = "fort", {(0, 0)}
            self.compasses += 1
        else:
            self.building, self.shape = faces[2], of_dice(faces)
        self.waiting = {seat for seat, player in enumerate(self.players) if not player.stopped}

    def places(self, seat: int) -> set[Cells]:
        """Returns all sets of cells that the building may cover on this sheet."""
        player = self.players[seat]
        taken = player.covered() | player.bandits
        found = set()
        for way in ways_to_lie(self.shape):
            for dx, dy in self.sheet_of_all.terrain:
                cells = frozenset((x + dx, y + dy) for x, y in way)
                if self._lies_well(cells, taken) and self._connects(cells, player):
                    found.add(cells)
        return found

    def _lies_well(self, cells: Cells, taken: set[Cell]) -> bool:
        """RW-5 and RW-6."""
        ground = ".2rWhg" + ("#" if self.episode == 8 else "")
        terrain = self.sheet_of_all.terrain
        if not all(terrain.get(cell, "^") in ground and cell not in taken for cell in cells):
            return False
        return not any(pair <= cells for pair in self.sheet_of_all.across)

    def _connects(self, cells: Cells, player: Player) -> bool:
        """RW-7 and where an episode starts elsewhere; RW-32: forts anywhere."""
        if self.building == "fort":
            return True
        if not player.built:
            return bool(cells & self.sheet_of_all.riverside)
        return any(touch(cells, other) for _, other in player.built)

    def may_pass(self, seat: int) -> bool:
        """RW-10, RW-22, RW-24, RW-32."""
        if self.episode == 6 or self.building == "fort":
            return False
        return self.players[seat].circles + self._price() <= 6

    def _price(self) -> int:
        return 2 if self.building == "church" else 1

    def legal(self, seat: int) -> set[Choice]:
        choices: set[Choice] = {*self.places(seat), "stop"}
        return choices | {"pass"} if self.may_pass(seat) else choices

    def decide(self, seat: int, choice: Choice) -> None:
        player = self.players[seat]
        if choice == "pass":
            player.circles += self._price()
        elif choice == "stop":
            player.stopped = True
        else:
            assert isinstance(choice, frozenset)
            player.built.append((self.building, choice))
        self.waiting.remove(seat)
        if not self.waiting:
            self._close_round()

    def play(self, seat: int, choice: Choice | Faces) -> "Game":
        """Applies a move of a seat, or of the dice: -1 and their faces. Returns the game itself."""
        if isinstance(choice, tuple):
            self.roll(choice)
        else:
            self.decide(seat, choice)
        return self

    def _close_round(self) -> None:
        """RW-26 to RW-28: all players who cover all cells in the same round win the race."""
        first = [player for player in self.players if self._has_all(player)]
        if self.race_open and first:
            self.race_open = False
            for player in first:
                player.first = True

    def _has_all(self, player: Player) -> bool:
        return self.episode in GOALS and self.sheet_of_all.all(GOALS[self.episode][1]) <= player.covered()

    def purses(self, seat: int) -> int:
        """RW-25 to RW-28."""
        if self.episode not in GOALS:
            return 0
        player = self.players[seat]
        return (player.circles == 0) + GOALS[self.episode][2] * self._has_all(player)

    def free_bandits(self, seat: int) -> set[Cell]:
        """RW-30."""
        player = self.players[seat]
        fine = player.covered() | player.bandits | self.sheet_of_all.all("^")
        on_sheet = self.sheet_of_all.terrain
        return {
            bandit for bandit in player.bandits if not all(side in fine for side in sides(bandit) if side in on_sheet)
        }

    def sheet(self, seat: int) -> list[SheetLine]:
        """Returns all lines with a count above 0."""
        player = self.players[seat]
        lines = [("passes", player.circles, PASS_ROW[player.circles])]
        if player.first:
            lines.append((GOALS[self.episode][0], 1, 5))
        trees, rocks, empty = (self._visible(player, sign) for sign in "2r.")
        if self.episode == 7:
            empty += self._visible(player, "h")
        if self.episode == 8:
            empty += self._visible(player, "#")
        lines += [("trees", trees, 2 * trees), ("rocks", rocks, -2 * rocks), ("empty", empty, -empty)]
        lines += self._building_lines(player)
        if self.episode >= 10:
            free = len(self.free_bandits(seat))
            lines.append(("bandits", free, -free * (6 if self.episode == 12 else 3)))
        lines += self._last_lines(player, trees, rocks, empty)
        lines.append(("purses", self.purses(seat), 0))
        return [line for line in lines if line[1]]

    def _visible(self, player: Player, sign: str) -> int:
        return len(self.sheet_of_all.all(sign) - player.covered() - player.bandits)

    def _building_lines(self, player: Player) -> list[SheetLine]:
        """RW-16, RW-17, RW-23."""
        lines = []
        if self.episode >= 2:
            lines += [(f"group-{kind}", size, size) for kind in TYPES for size in [largest_group(player.of(kind))]]
        if 3 <= self.episode <= 6:
            wells = sum(self._surrounded(player, well) for well in self.sheet_of_all.all("W"))
            lines.append(("wells", wells, 4 * wells))
        if 5 <= self.episode <= 8:
            churches = sum(
                all(any(touch(church, other) for other in player.of(kind)) for kind in TYPES)
                for church in player.of("church")
            )
            lines.append(("churches", churches, 3 * churches))
        return lines

    def _surrounded(self, player: Player, well: Cell) -> bool:
        """RW-17: four different buildings, one on each side, and the well itself visible."""
        if well in player.covered():
            return False
        owners = [number for side in sides(well) for number, (_, cells) in enumerate(player.built) if side in cells]
        return len(owners) == 4 and len(set(owners)) == 4

    def _last_lines(self, player: Player, trees: int, rocks: int, empty: int) -> list[SheetLine]:
        """RW-33, RW-34."""
        if self.episode < 11:
            return []
        own = [player.of(kind) for kind in TYPES]
        complete = sum(len(buildings) > 0 and largest_group(buildings) == len(buildings) for buildings in own)
        if self.episode == 11:
            return [("complete", complete, 3 * complete)]
        return [
            ("complete", complete, 6 * complete),
            ("never-passed", int(player.circles == 0), 6),
            ("all-trees", int(trees == 7), 6),
            ("no-rocks", int(rocks == 0), 6),
            ("no-empty", int(empty == 0), 12),
        ]

    def scores(self) -> list[int]:
        return [sum(points for _, _, points in self.sheet(seat)) for seat in range(len(self.players))]

    def ranks(self) -> list[int]:
        """RW-18."""
        return [1 + sum(other > own for other in self.scores()) for own in self.scores()]


def largest_group(buildings: list[Cells]) -> int:
    """RW-16: the size of the largest group of connected buildings of one type."""
    largest = 0
    for start in buildings:
        group = [start]
        for member in group:
            group += [other for other in buildings if other not in group and touch(member, other)]
        largest = max(largest, len(group))
    return largest


def name(cell: Cell) -> str:
    return f"{COLUMNS[cell[0]]}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    return COLUMNS.index(text[0]), int(text[1:]) - 1
