"""The arrays of a placing game, made from the same content that its rules read."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from polyopolis.engine import PolyopolisError
from polyopolis.games.building import Place, Places
from polyopolis.games.mycity import content as mycity
from polyopolis.games.rollwrite import content as rollwrite
from polyopolis.geometry import Board, Mask, Placement, Placements, Shape
from polyopolis.kernels import placing as kernel
from polyopolis.kernels.compiled import Ints, Words, ints, words

NEVER = 10**6
"""A limit that nobody reaches."""
LOW = 2**64 - 1
PURSE = 250
"""Hundredths of a point that a purse is worth to whoever looks ahead: it counts at the end of a chapter (RW-29)."""


KINDS: Mapping[str, int] = {
    **{kind: number for kinds in (mycity.COLOURS, rollwrite.TYPES) for number, kind in enumerate(kinds)},
    "church": kernel.CHURCH,
    "fort": kernel.OTHER,
    "sawmill": kernel.OTHER,
}
"""The colours of one game and the types of the other are the same to a kernel."""


class NoKernel(PolyopolisError):
    """A content that the kernels cannot hold."""


@dataclass(frozen=True, eq=False)
class Land:
    """A board with the rules of an episode, as arrays, and the way back from numbers to words."""

    land: Words
    law: Ints
    deck: Ints
    """All cards; nothing where dice are rolled."""
    tasks: Mapping[Any, int]
    """The number of each card or task."""
    choices: Mapping[int, Place]
    """What each place is called."""
    printed: Sequence[tuple[int, Placement[Place]]] = ()
    """What stands from the start, with its kind."""


def halves(mask: Mask) -> tuple[int, int]:
    """A mask in two words."""
    return mask & LOW, mask >> 64


class Writer:
    """Fills the arrays of one episode."""

    def __init__(self, board: Board, ground: Mask) -> None:
        self.board, self.grid = board, board.grid
        self.land: dict[int, int] = {}
        self.law = [0] * kernel.LAW
        self.law[kernel.WIDTH] = self.grid.width
        self.law[kernel.GROUND_CELLS] = ground.bit_count()
        self.law[kernel.LIMIT] = NEVER
        self.law[kernel.BLOCK] = -1
        self.law[kernel.WAYS] = kernel.MOST_WAYS
        self.choices: dict[int, Place] = {}
        self._shapes: dict[int, tuple[int, int]] = {}
        self._ways = 0
        if self.grid.width * self.grid.height > kernel.CELLS:
            raise NoKernel(f"a board of {self.grid.width} x {self.grid.height} cells is too large for two words")
        self._lines(ground)

    def mask(self, at: int, mask: Mask) -> None:
        self.land[at], self.land[at + 1] = halves(mask)

    def _lines(self, ground: Mask) -> None:
        """The borders, the river, and where blocks and bars lie on one bank."""
        grid = self.grid
        self.mask(kernel.ALL, grid.all)
        self.mask(kernel.NOT_LAST, grid.all & ~grid.columns[-1])
        self.mask(kernel.NOT_FIRST, grid.all & ~grid.columns[0])
        self.mask(kernel.GROUND, ground)
        self.mask(kernel.EAST, self._anchors(ground, "##"))
        self.mask(kernel.SOUTH, self._anchors(ground, "#/#"))
        self.mask(kernel.SQUARE, self._anchors(ground, "##/##"))
        self.mask(kernel.ACROSS, self._anchors(ground, "###"))
        self.mask(kernel.DOWN, self._anchors(ground, "#/#/#"))

    def _anchors(self, ground: Mask, drawing: str) -> Mask:
        """The first cells of all places where a shape lies on one bank."""
        return sum(place.mask & -place.mask for place in Placements(self.board, ground, [Shape.drawn(drawing)], Place))

    def terrain(self, site: mycity.Site | rollwrite.Site, goal: Mask, start: Mask) -> None:
        lone, (trees, trees_each) = _lone(site.trees)
        rocks, rocks_each = _only(site.rocks)
        self.law[kernel.TREES_EACH], self.law[kernel.ROCKS_EACH] = trees_each, rocks_each
        self.mask(kernel.EMPTY, site.empty)
        self.mask(kernel.TREES, trees)
        self.mask(kernel.LONE, lone)
        self.mask(kernel.ROCKS, rocks)
        self.mask(kernel.COST, site.empty | rocks)
        self.mask(kernel.GOAL, goal)
        self.mask(kernel.START, start)
        if len(site.wells) > kernel.MOST_WELLS:
            raise NoKernel(f"a kernel holds {kernel.MOST_WELLS} wells, not {len(site.wells)}")
        self.law[kernel.WELL_COUNT] = len(site.wells)
        for number, (well, sides) in enumerate(site.wells):
            self.mask(kernel.WELLS + 4 * number, well)
            self.mask(kernel.WELLS + 4 * number + 2, sides)

    def lines(self, counting: Iterable[mycity.Counting | rollwrite.Counting]) -> None:
        for number, entry in enumerate(counting):
            line = kernel.FEATURES.index(entry.line)
            self.law[kernel.ORDER + number] = line
            self.law[kernel.POINTS + line] = entry.points
            self.law[kernel.LINE_COUNT] += 1

    def industry(self, site: mycity.Site, rules: mycity.EpisodeFile, forest: mycity.Race | None) -> None:
        """What comes with the later episodes: a race for the forest, points at once, factories, a port, parks."""
        at_once = {once.line: once.points for once in rules.at_once}
        lines = {counting.line for counting in rules.counting}
        self.law[kernel.INVESTOR], self.law[kernel.STATION] = at_once.get("investor", 0), at_once.get("track", 0)
        if forest:
            self.law[kernel.FOREST], self.law[kernel.FELLING] = forest.points, forest.goal
            self.mask(kernel.WOODS, site.woods & site.ground)
        if "track" in at_once or "port" in lines:
            self.mask(kernel.TRACK, site.track)
        if "port" in lines:
            self.law[kernel.PORT] = 1
            self.mask(kernel.AT_PORT, site.pieces["port"].at.halo)
        if "parks" in lines:
            self.law[kernel.PARKS] = 1
            self.mask(kernel.GARDEN, site.inland & (site.empty | site.stony))
        self.mask(kernel.BESIDE, site.beside_pieces)
        self.law[kernel.RED] = KINDS["red"]
        self.law[kernel.CUSTOMERS] = 1 << KINDS["yellow"] | 1 << KINDS["red"]
        self.law[kernel.INDUSTRY] = int(bool(forest or at_once or lines & {"factories", "port", "parks"}))

    def passing(self, points: Sequence[int]) -> None:
        """What the circles ticked cost, from none on."""
        self.law[kernel.PASSING : kernel.PASSING + len(points)] = points

    def task(self, number: int, places: Places, kind: int, price: int, anywhere: bool = False) -> None:
        """One building that can be asked for."""
        if number >= kernel.MOST_TASKS:
            raise NoKernel(f"a kernel holds {kernel.MOST_TASKS} tasks")
        at = kernel.TASKS + 8 * number
        self.law[at : at + 5] = [*self._shape_of(places), kind, price, int(anywhere)]

    def _shape_of(self, places: Places) -> tuple[int, int]:
        """The number of a shape and of the first way in which it lies; written when it is first seen."""
        if id(places) not in self._shapes:
            number = len(self._shapes)
            self._shapes[id(places)] = number, self._ways
            if number >= kernel.MOST_SHAPES or len(places.orientations) > kernel.MOST_WAYS:
                raise NoKernel(f"a kernel holds {kernel.MOST_SHAPES} shapes in {kernel.MOST_WAYS} ways each")
            for way, shape in enumerate(places.orientations):
                self._way(kernel.SHAPES + kernel.SHAPE * number + way, places, shape)
        return self._shapes[id(places)]

    def _way(self, column: int, places: Places, shape: Shape) -> None:
        """One way in which a shape lies: its anchors, its squares, and every place."""
        if len(shape) > kernel.MOST_SQUARES:
            raise NoKernel(f"a kernel holds shapes of {kernel.MOST_SQUARES} squares at most")
        width, anchors = self.grid.width, 0
        shifts = [y * width + x for x, y in shape.squares]
        whole = sum(1 << shift for shift in shifts)
        by_mask = {place.mask: place for place in places}
        for cell in range(width * self.grid.height - max(shifts)):
            place = by_mask.get(whole << cell)
            if place and cell % width + shape.width <= width:
                anchors |= 1 << cell
                choice = self._ways * kernel.CELLS + cell
                self.choices[choice] = place.choice
                self.mask(kernel.PLACES + 4 * choice, place.mask)
                self.mask(kernel.PLACES + 4 * choice + 2, place.halo)
        self.land[column + kernel.LOWS], self.land[column + kernel.HIGHS] = halves(anchors)
        for square in range(kernel.MOST_SQUARES):
            at = column + kernel.SHIFTS + kernel.MOST_WAYS * square
            self.land[at] = shifts[min(square, len(shifts) - 1)]
        self._ways += 1

    def written(self) -> tuple[Words, Ints]:
        length = kernel.PLACES + 4 * kernel.CELLS * self._ways
        return words(self.land.get(at, 0) for at in range(length)), ints(self.law)


Things = Sequence[tuple[Mask, int]]
"""Where signs are, and for how many trees or rocks each of them stands."""


def _lone(things: Things) -> tuple[Mask, tuple[Mask, int]]:
    """Signs that stand for one, and the others."""
    return sum(where for where, each in things if each == 1), _only([thing for thing in things if thing[1] != 1])


def _only(things: Things) -> tuple[Mask, int]:
    found = [thing for thing in things if thing[0]]
    if len(found) > 1:
        raise NoKernel("a kernel knows one sign for several trees and one for rocks")
    return found[0] if found else (0, 1)


def mycity_land(episode: mycity.Episode, site: mycity.Site) -> Land:
    """A board of My City for one who plays alone and wins every race."""
    rules = episode.rules
    if unknown := _unknown_to_cities(episode, site):
        raise NoKernel(f"a kernel of My City knows no {unknown}")
    writer = Writer(site.board, site.ground)
    gold, forest = (_race_of(rules, name) for name in ("gold", "forest"))
    writer.terrain(site, site.veins if gold else 0, site.first_reach)
    writer.lines(rules.counting)
    if any(counting.line == "dykes" for counting in rules.counting):
        writer.mask(kernel.SHORE, site.shore)
    writer.law[kernel.BEGIN] = writer.law[kernel.CIRCLES] = rules.marker
    writer.law[kernel.RACE] = writer.law[kernel.RACE_CIRCLES] = gold.points if gold else 0
    writer.passing([-passes for passes in range(_most_marked(episode) + 1)])
    writer.industry(site, rules, forest)
    writer.law[kernel.CARDS] = len(episode.cards)
    writer.law[kernel.LIMIT] = NEVER if rules.limit is None else rules.limit
    for number, card in enumerate(episode.cards.values()):
        if card.kind == "block":
            writer.law[kernel.BLOCK] = number
        elif card.name not in site.placements:
            writer.law[kernel.TASKS + 8 * number + kernel.FORM] = kernel.NONE_LEFT
        else:
            price = 0 if card.kind in rules.must_build or rules.passing is None else 1
            writer.task(number, site.placements[card.name], KINDS[card.kind], price)
            writer.law[kernel.TASKS + 8 * number + kernel.GEAR] = int(card.name in site.gears)
    land, law = writer.written()
    tasks = {card: number for number, card in enumerate(episode.cards.values())}
    pieces = [piece for name, piece in site.pieces.items() if name != "port"]
    printed = tuple((KINDS[piece.card.kind], piece.at) for piece in pieces)
    return Land(land, law, ints(range(len(tasks))), tasks, writer.choices, printed)


def _race_of(rules: mycity.EpisodeFile, name: str) -> mycity.Race | None:
    return next((race for race in rules.races if race.race == name), None)


def _most_marked(episode: mycity.Episode) -> int:
    """How far the marker may come before the counting."""
    rules = episode.rules
    at_once = sum(once.points for once in rules.at_once) * len(episode.cards)
    return rules.marker + sum(race.points for race in rules.races) + at_once


def _unknown_to_cities(episode: mycity.Episode, site: mycity.Site) -> str:
    """What an episode has that no kernel knows; nothing if all is known."""
    rules = episode.rules
    lines = [counting.line for counting in rules.counting if counting.line not in kernel.LINES]
    races = [race.race for race in rules.races if race.race not in ("gold", "forest") and race.points]
    if strange := [*lines, *races]:
        return strange[0]
    if rules.passing not in (None, -1):
        return f"passing for {rules.passing}"
    if "port" in site.pieces and site.pieces["port"].at.mask & site.track:
        return "port on the track"
    most = kernel.TASKS - kernel.PASSING if rules.limit is None else rules.limit
    return "" if _most_marked(episode) < most else "limit that is reached before the end"


def rollwrite_land(episode: rollwrite.Episode, site: rollwrite.Site) -> Land:
    """An episode of Roll & Write for one who plays alone and wins every race."""
    rules = episode.rules
    goals = {site.goals[race.race] for race in rules.races}
    goals |= {site.goals[purse.purse] for purse in rules.purses if purse.purse != "never-passed"}
    if len(rules.races) > 1 or len(goals) > 1:
        raise NoKernel("a kernel of Roll & Write knows one race")
    writer = Writer(site.board, site.ground)
    start = site.board.riverside if rules.start == "river" else site.grid.neighbours(site.printed_cells)
    writer.terrain(site, sum(goals), start)
    writer.mask(kernel.BANDITS, site.bandits)
    writer.mask(kernel.WILD, site.wild)
    writer.lines(rules.counting)
    writer.law[kernel.CIRCLES] = len(rules.passing)
    writer.passing([0, *rules.passing])
    writer.law[kernel.RACE] = sum(race.points for race in rules.races)
    for purse in rules.purses:
        writer.law[kernel.NEVER_PURSES if purse.purse == "never-passed" else kernel.GOAL_PURSES] = purse.purses
    writer.law[kernel.PURSE] = PURSE
    tasks = _rollwrite_tasks(writer, episode)
    land, law = writer.written()
    printed = tuple((KINDS[kind], at) for kind, at in site.printed)
    return Land(land, law, ints([]), tasks, writer.choices, printed)


def _rollwrite_tasks(writer: Writer, episode: rollwrite.Episode) -> dict[rollwrite.Task, int]:
    """What the dice ask, then the row of the compass, and which task each of 216 throws of three dice asks."""
    tasks = {task: number for number, task in enumerate(dict.fromkeys(episode.tasks.values()))}
    writer.law[kernel.FIRST_OF_ROW], writer.law[kernel.ROW] = len(tasks), len(episode.row_tasks)
    tasks |= {task: len(tasks) + number for number, task in enumerate(episode.row_tasks)}
    for task, number in tasks.items():
        writer.task(number, task.places, KINDS[task.kind], task.circles or 0, task.anywhere)
    slots = [
        tasks[episode.tasks[roll.faces]] + (kernel.COMPASS if roll.faces[1] == rollwrite.COMPASS else 0)
        for roll, weight in episode.dice.odds
        for _ in range(weight)
    ]
    if len(slots) != kernel.SLOT_COUNT:
        raise NoKernel(f"a kernel throws three dice of six sides, not {len(slots)} ways")
    writer.law[kernel.SLOTS : kernel.SLOTS + len(slots)] = slots
    return tasks


def has_kernel(key: str, state: Any, seat: int) -> bool:
    """Whether a kernel can decide for a seat: about a building, in an episode that it knows."""
    if key not in LANDS or getattr(state, "asks", "building") != "building":
        return False
    try:
        land_of(key, state.episode, state.cities[seat].site)
    except NoKernel:
        return False
    return True


LANDS: dict[str, Callable[[Any, Any], Land]] = {"mycity": mycity_land, "rollwrite": rollwrite_land}
MOST_LANDS = 64
"""So many are kept: every board of a campaign is another one."""
_made: dict[tuple[int, tuple[str, ...], Any], tuple[Any, Land]] = {}


def land_of(key: str, episode: Any, site: Any = None) -> Land:
    """The land of an episode on a board of it, the printed one if none is named; made once.

    An episode is known by what it is, a board by its signs, the shapes of its owner's buildings and the factories.
    """
    if key not in LANDS:
        raise NoKernel(f"no city of {key} is built in a kernel; there are those of {', '.join(LANDS)}")
    site = site or episode.site
    owned = *getattr(site, "shapes", {}).items(), *sorted(getattr(site, "gears", ()))
    known = id(episode), site.board.rows, owned
    if known not in _made:
        if len(_made) >= MOST_LANDS:
            del _made[next(iter(_made))]
        _made[known] = episode, LANDS[key](episode, site)
    return _made[known][1]
