"""Independent naive implementation of My City's eternal game and single episodes, for differential tests.

It is written from the rules pages alone and shares only the drawings of the content with the program. Cells are
(column, row) pairs in sets and dicts, and values are not computed in advance. It is slow and plain on purpose.
"""

import tomllib
from copy import deepcopy
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal

Cell = tuple[int, int]
Cells = frozenset[Cell]
Choice = Cells | str
"""A decision of a seat: the cells to build on, `pass` or `stop`."""
Mode = Literal["eternal", "episode"]
SheetLine = tuple[str, int, int]
"""A line, its count, its points."""

FOLDER = files("polyopolis.games.mycity") / "content" / "v1"
COLOURS = ("yellow", "red", "blue")
BLOCK = "block"
FOURTH = "church-4th"
FACTORIES = ("blue-i4", "blue-o4", "blue-t4", "blue-u5")
"""MC-E28: the gears in an episode on its own."""


def drawn_cells(text: str) -> dict[Cell, str]:
    """Returns the characters of a drawing by cell."""
    rows = [line.replace(" ", "") for line in text.strip("\n").split("\n")]
    return {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def read_shapes() -> dict[str, set[Cell]]:
    """Returns the squares of the building on each card (MC-1, MC-2)."""
    drawings = tomllib.loads((FOLDER / "buildings.toml").read_text("utf-8"))
    shapes = {f"{colour}-{name}": text for colour in COLOURS for name, text in drawings["buildings"].items()}
    shapes |= {f"church-{name}": text for name, text in drawings["churches"].items()}
    shapes[FOURTH] = drawings["fourth_churches"]["p5"]
    return {card: {cell for cell, sign in drawn_cells(text).items() if sign == "#"} for card, text in shapes.items()}


class Board:
    """The terrain by cell, and the pairs of cells on both sides of the river."""

    def __init__(self, name: str, episode: int = 0) -> None:
        drawing = tomllib.loads((FOLDER / f"board-{name}.toml").read_text("utf-8"))
        self.terrain = drawn_cells(drawing["drawing"])
        self.across: set[frozenset[Cell]] = set()
        corners = drawing["river"]
        for start, end in zip(corners, corners[1:]):  # noqa: B905, RUF007 one shorter than the other on purpose
            self._flow(start[0], start[1], end[0], end[1])
        self.riverside = {cell for pair in self.across for cell in pair}
        self.forest_open = episode in (11, 12)
        for cells, sign, first, last in CHANGES:
            if first <= episode <= last:
                self.terrain |= dict.fromkeys(map(cell_of, cells.split()), sign)
        if 7 <= episode <= 9:
            self.terrain |= dict.fromkeys(self.left_bank(), "~")

    def left_bank(self) -> set[Cell]:
        """Returns the cells that can be reached from the top left corner without crossing the river."""
        bank = [(0, 0)]
        for cell in bank:
            bank += [
                side
                for side in sides(cell)
                if side in self.terrain and side not in bank and frozenset({cell, side}) not in self.across
            ]
        return set(bank)

    def _flow(self, x: int, y: int, to_x: int, to_y: int) -> None:
        for row in range(min(y, to_y), max(y, to_y)):
            self.across.add(frozenset({(x - 1, row), (x, row)}))
        for column in range(min(x, to_x), max(x, to_x)):
            self.across.add(frozenset({(column, y - 1), (column, y)}))

    def meadow(self, cell: Cell) -> bool:
        """MC-6: neither mountain nor forest, and on the board."""
        sign = self.terrain.get(cell, "^")
        return sign in ".12rgW" or (sign == "#" and self.forest_open)


def sides(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def touch(building: Cells, other: Cells) -> bool:
    """MC-9: a common side; the river between them does not matter, a corner does not count."""
    return any(side in other for cell in building for side in sides(cell))


def in_the_corner(cells: set[Cell]) -> Cells:
    """Returns the shape moved to the top left corner."""
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return frozenset((x - left, y - top) for x, y in cells)


def ways_to_lie(squares: set[Cell]) -> set[Cells]:
    """Returns the four rotations; buildings are not mirrored (MC-1)."""
    ways = [squares]
    for _ in range(3):
        ways.append({(-y, x) for x, y in ways[-1]})
    return {in_the_corner(way) for way in ways}


CHANGES = [
    ("h6 c8", "W", 2, 12),
    ("k1 a10", "g", 10, 24),
    ("h11", "S", 11, 12),
    ("g1 i1", "r", 13, 24),
    ("a2", "E", 16, 24),
    ("b7", "E", 17, 24),
    ("a11", "E", 18, 24),
    ("e3", "P", 20, 24),
    ("e6", "H", 22, 24),
]
"""Terrain of a range of episodes: wells, gold, sawmill, rocks, entrances, port, palace."""


@dataclass
class Player:
    score: int = 10
    built: list[tuple[str, Cells]] = field(default_factory=list)
    passes: int = 0
    stopped: bool = False
    at_once: int = 0
    won: list[tuple[str, int]] = field(default_factory=list)
    kiosks: int = 0
    lying: list[tuple[str, Cells]] = field(default_factory=list)
    """Buildings that lie on the board before the first card."""

    def standing(self) -> list[tuple[str, Cells]]:
        return self.lying + self.built

    def covered(self) -> set[Cell]:
        return {cell for _, cells in self.built for cell in cells}

    def of(self, colour: str) -> list[Cells]:
        return [cells for card, cells in self.standing() if card.startswith(colour)]


class Game:
    """A mutable game in progress; `copy` returns an independent one."""

    def __init__(self, mode: Mode, seats: int, episode: int = 1) -> None:
        self.mode = mode
        self.number = 0 if mode == "eternal" else episode
        self.board = Board("eternal" if mode == "eternal" else "front", self.number)
        score = 10 if self.number < 13 else 0
        kiosks = 2 if self.number >= 23 else 0
        lying = [(LYING[sign], frozenset({cell})) for cell, sign in sorted(self.board.terrain.items()) if sign in LYING]
        self.players = [Player(score=score, kiosks=kiosks, lying=list(lying)) for _ in range(seats)]
        self.deck = {card for card in SHAPES if not card.startswith("church")}
        if mode == "eternal" or episode >= 4:
            self.deck |= {card for card in SHAPES if card.startswith("church") and card != FOURTH} | {BLOCK}
        if self.number >= 5:
            self.deck.add(FOURTH)
        self.card: str | None = None
        self.blocked = False
        self.races = [name for name, first, last in RACES if first <= self.number <= last]
        self.waiting: set[int] = set()
        self.builders: set[int] = set()
        self.kiosks_asked = False

    def copy(self) -> "Game":
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.players, other.deck, other.waiting = deepcopy(self.players), set(self.deck), set(self.waiting)
        other.races, other.builders = list(self.races), set(self.builders)
        return other

    def who(self) -> set[int]:
        """Returns the seats that decide, {-1} for the deck, none when the game is over (MC-5, MC-13)."""
        if self.waiting:
            return set(self.waiting)
        if not self.deck or all(player.stopped for player in self.players):
            return set()
        return {-1}

    def luck(self) -> set[str]:
        """Returns the cards that the deck may reveal."""
        return set(self.deck)

    def reveal(self, card: str) -> None:
        self.deck.remove(card)
        if self.blocked:  # MC-26: may not be built
            self.blocked = False
        elif card == BLOCK:
            self.blocked = True
        elif self.number < 22 or not card.startswith("blue") or card in FACTORIES:  # MC-E22: others have left
            self.card = card
            self.waiting = {seat for seat, player in enumerate(self.players) if not player.stopped}

    def places(self, seat: int) -> set[Cells]:
        """Returns all sets of cells that the building of the card may cover on this board."""
        assert self.card
        player = self.players[seat]
        covered = player.covered()
        found = set()
        for way in ways_to_lie(SHAPES[self.card]):
            for dx, dy in self.board.terrain:
                cells = frozenset((x + dx, y + dy) for x, y in way)
                if self._lies_well(cells, covered) and self._connects(cells, player):
                    found.add(cells)
        return found

    def _lies_well(self, cells: Cells, covered: set[Cell]) -> bool:
        """MC-6 and MC-7."""
        if not all(self.board.meadow(cell) and cell not in covered for cell in cells):
            return False
        return not any(pair <= cells for pair in self.board.across)

    def _connects(self, cells: Cells, player: Player) -> bool:
        """MC-8, MC-E11 and MC-E22 for the first building, MC-9 for the others."""
        if player.built:
            return any(touch(cells, other) for _, other in player.standing())
        if self.number in (11, 12):
            return touch(cells, frozenset({cell_of("h11")}))
        if self.number >= 22:
            return touch(cells, frozenset({cell_of("e6")}))
        return bool(cells & self.board.riverside)

    def may_pass(self, seat: int) -> bool:
        """MC-11; churches must be built (MC-25); some episodes do not allow passing (MC-E6, MC-E9)."""
        assert self.card
        if self.number in (6, 9):
            return False
        return self.players[seat].score > 0 and not self.card.startswith("church")

    def legal(self, seat: int) -> set[Choice]:
        if self.kiosks_asked:
            return {*self.stalls(seat), "no-kiosk"}
        choices: set[Choice] = {*self.places(seat), "stop"}
        return choices | {"pass"} if self.may_pass(seat) else choices

    def stalls(self, seat: int) -> set[Cells]:
        """MC-E23: any cell that can be built on and touches a building."""
        player = self.players[seat]
        free = [cell for cell in self.board.terrain if self.board.meadow(cell) and cell not in player.covered()]
        return {
            frozenset({cell})
            for cell in free
            if any(side in cells for side in sides(cell) for _, cells in player.standing())
        }

    def decide(self, seat: int, choice: Choice) -> None:
        assert self.card
        player = self.players[seat]
        if choice == "pass":
            player.score -= 1
            player.passes += 1
        elif choice == "stop":
            player.stopped = True
        elif choice != "no-kiosk":
            assert isinstance(choice, frozenset)
            self._build(player, choice)
            self.builders.add(seat)
        self.waiting.remove(seat)
        if not self.waiting:
            self._ask_for_kiosks()
        if not self.waiting:
            self._close_round()

    def _build(self, player: Player, cells: Cells) -> None:
        """With the points at once of MC-E13 and MC-E19."""
        assert self.card
        beside = bool(player.built) and touch(player.built[-1][1], cells)
        gained = beside if 13 <= self.number <= 18 else self.number >= 19 and any(y == 10 for _, y in cells)
        player.at_once += gained
        player.score += gained
        player.kiosks -= self.kiosks_asked
        player.built.append(("yellow-kiosk" if self.kiosks_asked else self.card, cells))

    def _ask_for_kiosks(self) -> None:
        if self.kiosks_asked:
            self.kiosks_asked = False
            return
        self.waiting = {seat for seat in self.builders if self.players[seat].kiosks and self.stalls(seat)}
        self.kiosks_asked = bool(self.waiting)

    def play(self, seat: int, choice: Choice) -> "Game":
        """Applies a move of a seat, or of the deck: -1 and the name of a card. Returns the game itself."""
        if seat == -1:
            assert isinstance(choice, str)
            self.reveal(choice)
        else:
            self.decide(seat, choice)
        return self

    def _close_round(self) -> None:
        """MC-28, MC-E12, MC-E19: all players who finish a race in the same round win it."""
        self.card = None
        self.builders = set()
        for race in list(self.races):
            first = [player for player in self.players if self._has_done(race, player)]
            if first:
                self.races.remove(race)
            for player in first:
                points = 0 if race == "stations" else 3
                player.score += points
                player.won.append((race, points))

    def _has_done(self, race: str, player: Player) -> bool:
        covered = player.covered()
        if race == "gold":
            return {cell for cell, sign in self.board.terrain.items() if sign == "g"} <= covered
        if race == "forest":
            return sum(self.board.terrain[cell] == "#" for cell in covered) >= 8
        return sum(any(y == 10 for _, y in cells) for _, cells in player.built) >= 3

    def sheet(self, seat: int) -> list[SheetLine]:
        """MC-14 to MC-18, MC-29 for the eternal game, MC-E27; lines with count 0 are left out."""
        player, number = self.players[seat], self.number
        lines = [("start", 1, 10 if number < 13 else 0), ("passes", player.passes, -player.passes)]
        lines.append(("investor" if number < 19 else "track", player.at_once, player.at_once))
        lines += [(race, 1, points) for race, points in player.won]
        parks = self._parks(player)
        trees, single, rocks, empty = (self._visible(player, sign) for sign in "21r.")
        single += len(parks)
        rocks -= sum(self.board.terrain[park] == "r" for park in parks)
        lines += [("parks", len(parks), 0), ("trees", trees + single, 2 * trees + single), ("rocks", rocks, -2 * rocks)]
        lines += self._later_lines(player)
        if number < 15:
            lines.append(("empty", empty, -empty))
        return [line for line in lines if line[1]] if self.mode == "eternal" else self._stopped_at_50(lines)

    def _visible(self, player: Player, sign: str) -> int:
        covered = player.covered()
        return sum(found == sign and cell not in covered for cell, found in self.board.terrain.items())

    def _parks(self, player: Player) -> set[Cell]:
        """MC-E22."""
        if self.number < 22:
            return set()
        red = {cell for cells in player.of("red") for cell in cells}
        bare = {cell for cell, sign in self.board.terrain.items() if sign in ".r"} - player.covered()
        return {cell for cell in bare if red.issuperset(sides(cell))}

    def _later_lines(self, player: Player) -> list[SheetLine]:
        """Returns the lines between rocks and empty meadow."""
        number = self.number
        lines: list[SheetLine] = []
        if number in (8, 9):
            open_bank = self.board.riverside - self.board.left_bank() - player.covered()
            lines.append(("dykes", len(open_bank), -len(open_bank)))
        if number in (0, *range(3, 13), 24):
            lines += [
                (f"group-{colour}", size, size) for colour in COLOURS for size in [largest_group(player.of(colour))]
            ]
        if number == 0 or number >= 5:
            lines.append(self._churches(player))
        if number <= 12:
            wells = sum(self._surrounded(player, cell) for cell, sign in self.board.terrain.items() if sign == "W")
            lines.append(("wells", wells, 4 * wells))
        if number >= 14:
            lines.append(self._factories(player))
        if number >= 20:
            lines += self._from_the_port(player)
        return lines

    def _factories(self, player: Player) -> SheetLine:
        """MC-E14."""
        good = sum(
            card in FACTORIES
            and any(touch(cells, other) for other in player.of("yellow"))
            and any(touch(cells, other) for other in player.of("red"))
            for card, cells in player.built
        )
        return "factories", good, 2 * good

    def _from_the_port(self, player: Player) -> list[SheetLine]:
        """MC-E20 and MC-E21."""
        line = [building for building in player.lying if building[0] == "port"]
        for _, cells in line:
            line += [other for other in player.standing() if other not in line and touch(cells, other[1])]
        if not any(y == 10 for _, cells in line for _, y in cells):
            return []
        factories = sum(card in FACTORIES for card, _ in line) if self.number >= 21 else 0
        return [("port", 1, 5), ("chain", factories, factories)]

    def _churches(self, player: Player) -> SheetLine:
        churches = sum(
            all(any(touch(church, other) for other in player.of(colour)) for colour in COLOURS)
            for church in player.of("church")
        )
        return "churches", churches, 3 * churches

    def _surrounded(self, player: Player, well: Cell) -> bool:
        """MC-27: four different buildings, one on each side, and the well itself visible."""
        if well in player.covered():
            return False
        owners = [
            number for side in sides(well) for number, (_, cells) in enumerate(player.standing()) if side in cells
        ]
        return len(owners) == 4 and len(set(owners)) == 4

    def _stopped_at_50(self, lines: list[SheetLine]) -> list[SheetLine]:
        """MC-17."""
        score = 0
        for number, line in enumerate(lines):
            score += line[2]
            if score >= 50:
                return [*(line for line in lines[: number + 1] if line[1]), ("limit", 1, 50 - score)]
        return [line for line in lines if line[1]]

    def scores(self) -> list[int]:
        return [sum(points for _, _, points in self.sheet(seat)) for seat in range(len(self.players))]

    def ranks(self) -> list[int]:
        """MC-19: by score, then by fewer empty meadow cells from the top row down; equals share."""
        standing = [
            [-score, *self._empty_by_row(player)] for score, player in zip(self.scores(), self.players, strict=True)
        ]
        return [1 + sum(other < own for other in standing) for own in standing]

    def _empty_by_row(self, player: Player) -> list[int]:
        covered = player.covered() | self._parks(player)
        empty = [cell for cell, sign in self.board.terrain.items() if sign == "." and cell not in covered]
        return [sum(y == row for _, y in empty) for row in range(11)]


def largest_group(buildings: list[Cells]) -> int:
    """MC-23: the size of the largest group of connected buildings of one colour."""
    largest = 0
    for start in buildings:
        group = [start]
        for member in group:
            group += [other for other in buildings if other not in group and touch(member, other)]
        largest = max(largest, len(group))
    return largest


SHAPES = read_shapes()
LYING = {"S": "sawmill", "P": "port", "H": "red-palace"}
RACES = [("gold", 0, 0), ("gold", 10, 12), ("forest", 12, 12), ("stations", 19, 24)]
"""The first and last episode of each race; 0 is the eternal game."""


def name(cell: Cell) -> str:
    return f"{'abcdefghijk'[cell[0]]}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    return "abcdefghijk".index(text[0]), int(text[1:]) - 1
