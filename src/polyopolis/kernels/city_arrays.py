"""The arrays of a placing game, made from the same content that its rules read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polyopolis.engine import PolyopolisError
from polyopolis.games.mycity import content
from polyopolis.games.placement import Place, Places
from polyopolis.games.rollwrite import content as rollwrite
from polyopolis.geometry import Board, Mask, Placement, Placements, Shape
from polyopolis.kernels.placing import layout
from polyopolis.kernels.placing.layout import Ground
from polyopolis.kernels.runtime.jit import Ints, ints, words

LOW = 2**64 - 1
PURSE = 250
"""Hundredths of a point that a purse is worth to whoever looks ahead: it counts at the end of a chapter (RW-29)."""
PURSE_LEARNT = 500
"""The same to whoever has learnt to get nearly all of them: then it is often one of the two that bring 10 points."""


KINDS: Mapping[str, int] = {
    **{kind: number for kinds in (content.COLOURS, rollwrite.TYPES) for number, kind in enumerate(kinds)},
    "church": layout.CHURCH,
    "fort": layout.OTHER,
    "sawmill": layout.OTHER,
}
"""The colours of one game and the types of the other are the same to a kernel."""


class NoKernel(PolyopolisError):
    """A content that the kernels cannot hold."""


@dataclass(frozen=True, eq=False)
class Land:
    """A board with the rules of an episode, as arrays, and the way back from numbers to words."""

    ground: Ground
    deck: Ints
    """All cards; nothing where dice are rolled."""
    tasks: Mapping[Any, int]
    """The number of each card or task."""
    choices: Mapping[int, Place]
    """What each place is called."""
    printed: Sequence[tuple[int, Placement[Place]]] = ()
    """What stands from the start, with its kind."""


def as_learnt(site: Land) -> Land:
    """The same, with what a purse is worth to those who have learnt."""
    law = ints(site.ground.law)
    law[layout.PURSE] = PURSE_LEARNT if law[layout.PURSE] else 0
    return replace(site, ground=Ground(site.ground.land, law))


def halves(mask: Mask) -> tuple[int, int]:
    """A mask in two words."""
    return mask & LOW, mask >> 64


class Writer:
    """Fills the arrays of one episode."""

    def __init__(self, board: Board, ground: Mask) -> None:
        self.board, self.grid = board, board.grid
        self.land: dict[int, int] = {}
        self.law = [0] * layout.LAW
        self.law[layout.WIDTH], self.law[layout.HEIGHT] = self.grid.width, self.grid.height
        self.law[layout.GROUND_CELLS] = ground.bit_count()
        self.law[layout.LIMIT] = layout.NEVER
        self.law[layout.BLOCK] = -1
        self.law[layout.WAYS] = layout.MOST_WAYS
        self.choices: dict[int, Place] = {}
        self._shapes: dict[int, tuple[int, int]] = {}
        self._ways = 0
        if self.grid.width * self.grid.height > layout.CELLS:
            raise NoKernel(f"a board of {self.grid.width} x {self.grid.height} cells is too large for two words")
        self._lines(ground)

    def mask(self, at: int, mask: Mask) -> None:
        self.land[at], self.land[at + 1] = halves(mask)

    def _lines(self, ground: Mask) -> None:
        """The borders, the river, and where blocks and bars lie on one bank."""
        grid = self.grid
        self.mask(layout.ALL, grid.all)
        self.mask(layout.NOT_LAST, grid.all & ~grid.columns[-1])
        self.mask(layout.NOT_FIRST, grid.all & ~grid.columns[0])
        self.mask(layout.GROUND, ground)
        self.mask(layout.EAST, self._anchors(ground, "##"))
        self.mask(layout.SOUTH, self._anchors(ground, "#/#"))
        self.mask(layout.SQUARE, self._anchors(ground, "##/##"))
        self.mask(layout.ACROSS, self._anchors(ground, "###"))
        self.mask(layout.DOWN, self._anchors(ground, "#/#/#"))

    def _anchors(self, ground: Mask, drawing: str) -> Mask:
        """The first cells of all places where a shape lies on one bank."""
        return sum(place.mask & -place.mask for place in Placements(self.board, ground, [Shape.drawn(drawing)], Place))

    def terrain(self, site: content.Site | rollwrite.Site, goal: Mask, start: Mask) -> None:
        lone, (trees, trees_each) = _lone(site.trees)
        rocks, rocks_each = _only(site.rocks)
        self.law[layout.TREES_EACH], self.law[layout.ROCKS_EACH] = trees_each, rocks_each
        self.mask(layout.EMPTY, site.empty)
        self.mask(layout.TREES, trees)
        self.mask(layout.LONE, lone)
        self.mask(layout.ROCKS, rocks)
        self.mask(layout.COST, site.empty | rocks)
        self.mask(layout.GOAL, goal)
        self.mask(layout.START, start)
        if len(site.wells) > layout.MOST_WELLS:
            raise NoKernel(f"a kernel holds {layout.MOST_WELLS} wells, not {len(site.wells)}")
        self.law[layout.WELL_COUNT] = len(site.wells)
        for number, (well, sides) in enumerate(site.wells):
            self.mask(layout.WELLS + 4 * number, well)
            self.mask(layout.WELLS + 4 * number + 2, sides)

    def lines(self, counting: Sequence[content.Counting | rollwrite.Counting]) -> None:
        if len(counting) > layout.MOST_LINES:
            raise NoKernel(f"a kernel counts {layout.MOST_LINES} lines, not {len(counting)}")
        for number, entry in enumerate(counting):
            line = layout.FEATURES.index(entry.line)
            self.law[layout.ORDER + number] = line
            self.law[layout.POINTS + line] = entry.points
            self.law[layout.LINE_COUNT] += 1

    def industry(self, site: content.Site, rules: content.EpisodeFile, forest: content.Race | None) -> None:
        """What comes with the later episodes: a race for the forest, points at once, factories, a port, parks."""
        at_once = {once.line: once.points for once in rules.at_once}
        lines = {counting.line for counting in rules.counting}
        self.law[layout.INVESTOR], self.law[layout.STATION] = at_once.get("investor", 0), at_once.get("track", 0)
        if forest:
            self.law[layout.FOREST], self.law[layout.FELLING] = forest.points, forest.goal
            self.mask(layout.WOODS, site.woods & site.ground)
        if "track" in at_once or "port" in lines:
            self.mask(layout.TRACK, site.track)
        if "port" in lines:
            self.law[layout.PORT] = 1
            self.mask(layout.AT_PORT, site.pieces["port"].at.halo)
        if "parks" in lines:
            self.law[layout.PARKS] = 1
            self.mask(layout.GARDEN, site.inland & (site.empty | site.stony))
        self.mask(layout.BESIDE, site.beside_pieces)
        self.law[layout.RED] = KINDS["red"]
        self.law[layout.CUSTOMERS] = 1 << KINDS["yellow"] | 1 << KINDS["red"]
        self.law[layout.INDUSTRY] = int(bool(forest or at_once or lines & {"factories", "port", "parks"}))

    def passing(self, points: Sequence[int]) -> None:
        """What the circles ticked cost, from none on."""
        self.law[layout.PASSING : layout.PASSING + len(points)] = points

    def task(self, number: int, places: Places, kind: int, price: int, anywhere: bool = False) -> None:
        """One building that can be asked for."""
        if number >= layout.MOST_TASKS:
            raise NoKernel(f"a kernel holds {layout.MOST_TASKS} tasks")
        at = layout.TASKS + 8 * number
        self.law[at : at + 5] = [*self._shape_of(places), kind, price, int(anywhere)]

    def _shape_of(self, places: Places) -> tuple[int, int]:
        """The number of a shape and of the first way in which it lies; written when it is first seen."""
        if id(places) not in self._shapes:
            number = len(self._shapes)
            self._shapes[id(places)] = number, self._ways
            if number >= layout.MOST_SHAPES or len(places.orientations) > layout.MOST_WAYS:
                raise NoKernel(f"a kernel holds {layout.MOST_SHAPES} shapes in {layout.MOST_WAYS} ways each")
            for way, shape in enumerate(places.orientations):
                self._way(layout.SHAPES + layout.SHAPE * number + way, places, shape)
        return self._shapes[id(places)]

    def _way(self, column: int, places: Places, shape: Shape) -> None:
        """One way in which a shape lies: its anchors, its squares, and every place."""
        if len(shape) > layout.MOST_SQUARES:
            raise NoKernel(f"a kernel holds shapes of {layout.MOST_SQUARES} squares at most")
        width, anchors = self.grid.width, 0
        shifts = [y * width + x for x, y in shape.squares]
        whole = sum(1 << shift for shift in shifts)
        by_mask = {place.mask: place for place in places}
        for cell in range(width * self.grid.height - max(shifts)):
            place = by_mask.get(whole << cell)
            if place and cell % width + shape.width <= width:
                anchors |= 1 << cell
                choice = self._ways * layout.CELLS + cell
                self.choices[choice] = place.choice
                self.mask(layout.PLACES + 4 * choice, place.mask)
                self.mask(layout.PLACES + 4 * choice + 2, place.halo)
        self.land[column + layout.LOWS], self.land[column + layout.HIGHS] = halves(anchors)
        for square in range(layout.MOST_SQUARES):
            at = column + layout.SHIFTS + layout.MOST_WAYS * square
            self.land[at] = shifts[min(square, len(shifts) - 1)]
        self._ways += 1

    def written(self) -> Ground:
        length = layout.PLACES + 4 * layout.CELLS * self._ways
        return Ground(words(self.land.get(at, 0) for at in range(length)), ints(self.law))


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


def mycity_land(episode: content.Episode, site: content.Site) -> Land:
    """A board of My City for one who plays alone and wins every race."""
    rules = episode.rules
    if unknown := _unknown_to_cities(episode, site):
        raise NoKernel(f"a kernel of My City knows no {unknown}")
    writer = Writer(site.board, site.ground)
    gold, forest = (_race_of(rules, name) for name in ("gold", "forest"))
    writer.terrain(site, site.veins if gold else 0, site.first_reach)
    writer.lines(rules.counting)
    if any(counting.line == "dykes" for counting in rules.counting):
        writer.mask(layout.SHORE, site.shore)
    writer.law[layout.BEGIN] = writer.law[layout.CIRCLES] = rules.marker
    writer.law[layout.RACE] = writer.law[layout.RACE_CIRCLES] = gold.points if gold else 0
    writer.passing([-passes for passes in range(_most_marked(episode) + 1)])
    writer.industry(site, rules, forest)
    writer.law[layout.CARDS] = len(episode.cards)
    writer.law[layout.LIMIT] = layout.NEVER if rules.limit is None else rules.limit
    for number, card in enumerate(episode.cards.values()):
        if card.kind == "block":
            writer.law[layout.BLOCK] = number
        elif card.name not in site.placements:
            writer.law[layout.TASKS + 8 * number + layout.FORM] = layout.NONE_LEFT
        else:
            price = 0 if card.kind in rules.must_build or rules.passing is None else 1
            writer.task(number, site.placements[card.name], KINDS[card.kind], price)
            writer.law[layout.TASKS + 8 * number + layout.GEAR] = int(card.name in site.gears)
    tasks = {card: number for number, card in enumerate(episode.cards.values())}
    pieces = [piece for name, piece in site.pieces.items() if name != "port"]
    printed = tuple((KINDS[piece.card.kind], piece.at) for piece in pieces)
    return Land(writer.written(), ints(range(len(tasks))), tasks, writer.choices, printed)


def _race_of(rules: content.EpisodeFile, name: str) -> content.Race | None:
    return next((race for race in rules.races if race.race == name), None)


def _most_marked(episode: content.Episode) -> int:
    """How far the marker may come before the counting."""
    rules = episode.rules
    at_once = sum(once.points for once in rules.at_once) * len(episode.cards)
    return rules.marker + sum(race.points for race in rules.races) + at_once


def _unknown_to_cities(episode: content.Episode, site: content.Site) -> str:
    """What an episode has that no kernel knows; nothing if all is known."""
    rules = episode.rules
    lines = [counting.line for counting in rules.counting if counting.line not in layout.LINES]
    races = [race.race for race in rules.races if race.race not in ("gold", "forest") and race.points]
    if strange := [*lines, *races]:
        return strange[0]
    if rules.passing not in (None, -1):
        return f"passing for {rules.passing}"
    if "port" in site.pieces and site.pieces["port"].at.mask & site.track:
        return "port on the track"
    most = layout.MOST_PASSED if rules.limit is None else rules.limit
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
    writer.mask(layout.BANDITS, site.bandits)
    writer.mask(layout.WILD, site.wild)
    writer.lines(rules.counting)
    writer.law[layout.CIRCLES] = len(rules.passing)
    writer.passing([0, *rules.passing])
    writer.law[layout.RACE] = sum(race.points for race in rules.races)
    for purse in rules.purses:
        writer.law[layout.NEVER_PURSES if purse.purse == "never-passed" else layout.GOAL_PURSES] = purse.purses
    writer.law[layout.PURSE] = PURSE
    tasks = _rollwrite_tasks(writer, episode)
    printed = tuple((KINDS[kind], at) for kind, at in site.printed)
    return Land(writer.written(), ints([]), tasks, writer.choices, printed)


def _rollwrite_tasks(writer: Writer, episode: rollwrite.Episode) -> dict[rollwrite.Task, int]:
    """What the dice ask, then the row of the compass, and which task each of 216 throws of three dice asks."""
    tasks = {task: number for number, task in enumerate(dict.fromkeys(episode.tasks.values()))}
    writer.law[layout.FIRST_OF_ROW], writer.law[layout.ROW] = len(tasks), len(episode.row_tasks)
    tasks |= {task: len(tasks) + number for number, task in enumerate(episode.row_tasks)}
    for task, number in tasks.items():
        writer.task(number, task.places, KINDS[task.kind], task.circles or 0, task.anywhere)
    slots = [
        tasks[episode.tasks[roll.faces]] + (layout.COMPASS if roll.faces[1] == rollwrite.COMPASS else 0)
        for roll, weight in episode.dice.odds
        for _ in range(weight)
    ]
    if len(slots) != layout.SLOT_COUNT:
        raise NoKernel(f"a kernel throws three dice of six sides, not {len(slots)} ways")
    writer.law[layout.SLOTS : layout.SLOTS + len(slots)] = slots
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
