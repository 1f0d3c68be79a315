"""My City's eternal game and episode 1 once more, written from the rules page alone.

Cells are (column, row) pairs in sets and dicts; nothing is computed ahead and nothing is shared with the program but
the drawings of the content. It is slow and plain on purpose: it is what the real rules are compared with.
"""

import tomllib
from copy import deepcopy
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Literal

Cell = tuple[int, int]
Cells = frozenset[Cell]
Choice = Cells | str
"""What a seat does: the cells to build on, `pass` or `stop`."""
Mode = Literal["eternal", "episode"]
SheetLine = tuple[str, int, int]
"""A line, how many it counts, its points."""

FOLDER = files("polyopolis.games.mycity") / "content" / "v1"
COLOURS = ("yellow", "red", "blue")
BLOCK = "block"


def drawn_cells(text: str) -> dict[Cell, str]:
    """A drawing as its signs by cell."""
    rows = [line.replace(" ", "") for line in text.strip("\n").split("\n")]
    return {(x, y): sign for y, row in enumerate(rows) for x, sign in enumerate(row)}


def read_shapes() -> dict[str, set[Cell]]:
    """The squares of the building on each card (MC-1, MC-2)."""
    drawings = tomllib.loads((FOLDER / "buildings.toml").read_text("utf-8"))
    shapes = {f"{colour}-{name}": text for colour in COLOURS for name, text in drawings["buildings"].items()}
    shapes |= {f"church-{name}": text for name, text in drawings["churches"].items()}
    return {card: {cell for cell, sign in drawn_cells(text).items() if sign == "#"} for card, text in shapes.items()}


class Board:
    """The terrain by cell, and the pairs of cells that look at each other over the river."""

    def __init__(self, name: str) -> None:
        drawing = tomllib.loads((FOLDER / f"board-{name}.toml").read_text("utf-8"))
        self.terrain = drawn_cells(drawing["drawing"])
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

    def meadow(self, cell: Cell) -> bool:
        """MC-6: neither mountain nor forest, and on the board."""
        return self.terrain.get(cell, "#") not in ("^", "#")


BOARDS = {"eternal": Board("eternal"), "episode": Board("front")}
SHAPES = read_shapes()


def sides(cell: Cell) -> list[Cell]:
    x, y = cell
    return [(x, y - 1), (x + 1, y), (x, y + 1), (x - 1, y)]


def touch(one: Cells, other: Cells) -> bool:
    """MC-9: a common side; the river between them does not matter, a corner does not count."""
    return any(side in other for cell in one for side in sides(cell))


def ways_to_lie(squares: set[Cell]) -> list[set[Cell]]:
    """The four quarter turns. Nothing is flipped (MC-1)."""
    ways = [squares]
    for _ in range(3):
        ways.append({(-y, x) for x, y in ways[-1]})
    return ways


@dataclass
class Player:
    score: int = 10
    built: list[tuple[str, Cells]] = field(default_factory=list)
    passes: int = 0
    stopped: bool = False
    gold: bool = False

    def covered(self) -> set[Cell]:
        return {cell for _, cells in self.built for cell in cells}

    def of(self, colour: str) -> list[Cells]:
        return [cells for card, cells in self.built if card.startswith(colour)]


class Game:
    """A game in progress. It changes with every move; `copy` keeps what was."""

    def __init__(self, mode: Mode, seats: int) -> None:
        self.mode = mode
        self.board = BOARDS[mode]
        self.players = [Player() for _ in range(seats)]
        self.deck = {card for card in SHAPES if mode == "eternal" or not card.startswith("church")}
        if mode == "eternal":
            self.deck.add(BLOCK)
        self.card: str | None = None
        self.blocked = False
        self.gold_open = mode == "eternal"
        self.waiting: set[int] = set()

    def copy(self) -> "Game":
        other = object.__new__(Game)
        other.__dict__.update(self.__dict__)
        other.players, other.deck, other.waiting = deepcopy(self.players), set(self.deck), set(self.waiting)
        return other

    def who(self) -> set[int]:
        """The seats that decide, {-1} for the deck, nobody when it is over (MC-5, MC-13)."""
        if self.waiting:
            return set(self.waiting)
        if not self.deck or all(player.stopped for player in self.players):
            return set()
        return {-1}

    def luck(self) -> set[str]:
        """What the deck may do."""
        return set(self.deck)

    def reveal(self, card: str) -> None:
        self.deck.remove(card)
        if self.blocked:  # MC-26: may be built by nobody
            self.blocked = False
        elif card == BLOCK:
            self.blocked = True
        else:
            self.card = card
            self.waiting = {seat for seat, player in enumerate(self.players) if not player.stopped}

    def places(self, seat: int) -> set[Cells]:
        """Every set of cells that the building of the card may cover on this board."""
        assert self.card
        player = self.players[seat]
        covered = player.covered()
        found = set()
        for way in ways_to_lie(SHAPES[self.card]):
            for dx in range(-4, 15):
                for dy in range(-4, 15):
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
        """MC-8 for the first building, MC-9 for the others."""
        if not player.built:
            return bool(cells & self.board.riverside)
        return any(touch(cells, other) for _, other in player.built)

    def may_pass(self, seat: int) -> bool:
        """MC-11; churches must be built (MC-25)."""
        assert self.card
        return self.players[seat].score > 0 and not self.card.startswith("church")

    def legal(self, seat: int) -> set[Choice]:
        choices: set[Choice] = {*self.places(seat), "stop"}
        return choices | {"pass"} if self.may_pass(seat) else choices

    def decide(self, seat: int, choice: Choice) -> None:
        assert self.card
        player = self.players[seat]
        if choice == "pass":
            player.score -= 1
            player.passes += 1
        elif choice == "stop":
            player.stopped = True
        else:
            assert isinstance(choice, frozenset)
            player.built.append((self.card, choice))
        self.waiting.remove(seat)
        if not self.waiting:
            self._close_round()

    def play(self, seat: int, choice: Choice) -> "Game":
        """A move of a seat, or of the deck: -1 and the name of a card. The game itself, for the next move."""
        if seat == -1:
            assert isinstance(choice, str)
            self.reveal(choice)
        else:
            self.decide(seat, choice)
        return self

    def _close_round(self) -> None:
        """MC-28: the first to have built over both veins, all of the same round."""
        self.card = None
        veins = {cell for cell, sign in self.board.terrain.items() if sign == "g"}
        first = [player for player in self.players if veins <= player.covered()]
        if self.gold_open and first:
            self.gold_open = False
            for player in first:
                player.score += 3
                player.gold = True

    def sheet(self, seat: int) -> list[SheetLine]:
        """MC-14 to MC-18, and MC-29 for the eternal game; lines that count nothing are left out."""
        player = self.players[seat]
        lines = [("start", 1, 10), ("passes", player.passes, -player.passes)]
        if player.gold:
            lines.append(("gold", 1, 3))
        trees, rocks, empty = (self._visible(player, sign) for sign in "2r.")
        lines += [("trees", trees, 2 * trees), ("rocks", rocks, -2 * rocks)]
        if self.mode == "eternal":
            lines += self._eternal_lines(player)
        lines.append(("empty", empty, -empty))
        return [line for line in lines if line[1]] if self.mode == "eternal" else self._stopped_at_50(lines)

    def _visible(self, player: Player, sign: str) -> int:
        covered = player.covered()
        return sum(found == sign and cell not in covered for cell, found in self.board.terrain.items())

    def _eternal_lines(self, player: Player) -> list[SheetLine]:
        lines = [(f"group-{colour}", size, size) for colour in COLOURS for size in [largest_group(player.of(colour))]]
        churches = sum(
            all(any(touch(church, other) for other in player.of(colour)) for colour in COLOURS)
            for church in player.of("church")
        )
        wells = sum(self._surrounded(player, cell) for cell, sign in self.board.terrain.items() if sign == "W")
        return [*lines, ("churches", churches, 3 * churches), ("wells", wells, 4 * wells)]

    def _surrounded(self, player: Player, well: Cell) -> bool:
        """MC-27: four different buildings, one on each side, and the well itself in sight."""
        if well in player.covered():
            return False
        owners = [number for side in sides(well) for number, (_, cells) in enumerate(player.built) if side in cells]
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
        covered = player.covered()
        empty = [cell for cell, sign in self.board.terrain.items() if sign == "." and cell not in covered]
        return [sum(y == row for _, y in empty) for row in range(11)]


def largest_group(buildings: list[Cells]) -> int:
    """MC-23: how many buildings of one colour hang together at most."""
    largest = 0
    for start in buildings:
        group = [start]
        for one in group:
            group += [other for other in buildings if other not in group and touch(one, other)]
        largest = max(largest, len(group))
    return largest


def name(cell: Cell) -> str:
    return f"{'abcdefghijk'[cell[0]]}{cell[1] + 1}"


def cell_of(text: str) -> Cell:
    return "abcdefghijk".index(text[0]), int(text[1:]) - 1
