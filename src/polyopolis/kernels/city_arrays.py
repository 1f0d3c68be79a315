"""Placing games: content and boards as arrays of the kernels."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from polyopolis.engine import PolyopolisError
from polyopolis.games.mycity import content
from polyopolis.games.placement import Place, Places
from polyopolis.games.rollwrite import content as rollwrite
from polyopolis.geometry import Board, Mask, Placement, Placements, Shape
from polyopolis.kernels.placing import layout
from polyopolis.kernels.placing.layout import SiteArrays
from polyopolis.kernels.runtime.jit import Ints, ints, words

LOW_WORD = 2**64 - 1
PURSE_HUNDREDTHS = 250
"""Value of a purse in hundredths of a point. Purses score at the end of a chapter (RW-29)."""
LEARNED_PURSE_HUNDREDTHS = 500
"""The same for learned models, which win nearly all purses: then a purse often completes a pair that brings 10
points."""


KINDS: Mapping[str, int] = {
    **{kind: number for kinds in (content.COLOURS, rollwrite.TYPES) for number, kind in enumerate(kinds)},
    "church": layout.CHURCH,
    "fort": layout.OTHER_KIND,
    "sawmill": layout.OTHER_KIND,
}
"""Number of each kind of building. The colours of My City and the types of Roll & Write share numbers."""


class NoKernel(PolyopolisError):
    """Raised for content or games that the kernels do not support."""


@dataclass(frozen=True, eq=False)
class CitySite:
    """A board with the rules of an episode as arrays, and the names of its numbers."""

    arrays: SiteArrays
    deck: Ints
    """Numbers of all cards; empty in games with dice."""
    tasks: Mapping[Any, int]
    """Number of each card or task."""
    choices: Mapping[int, Place]
    """Place of each placement number."""
    printed: Sequence[tuple[int, Placement[Place]]] = ()
    """Buildings on the board from the start, with their kinds."""


def with_learned_purses(site: CitySite) -> CitySite:
    """Returns the site with the value of purses for learned models."""
    law = ints(site.arrays.law)
    law[layout.PURSE_HUNDREDTHS] = LEARNED_PURSE_HUNDREDTHS if law[layout.PURSE_HUNDREDTHS] else 0
    return replace(site, arrays=SiteArrays(site.arrays.land, law))


def halves(mask: Mask) -> tuple[int, int]:
    """Splits a mask into two words."""
    return mask & LOW_WORD, mask >> 64


class SiteBuilder:
    """Fills the arrays of one episode."""

    def __init__(self, board: Board, ground: Mask) -> None:
        self.board, self.grid = board, board.grid
        self.land: dict[int, int] = {}
        self.law = [0] * layout.LAW_SIZE
        self.law[layout.WIDTH], self.law[layout.HEIGHT] = self.grid.width, self.grid.height
        self.law[layout.GROUND_CELL_COUNT] = ground.bit_count()
        self.law[layout.SCORE_LIMIT] = layout.NO_LIMIT
        self.law[layout.BLOCKING_CARD] = -1
        self.law[layout.ORIENTATION_COUNT] = layout.MAX_ORIENTATIONS
        self.choices: dict[int, Place] = {}
        self._shapes: dict[int, tuple[int, int]] = {}
        self._ways = 0
        if self.grid.width * self.grid.height > layout.MASK_CELLS:
            raise NoKernel(f"a board of {self.grid.width} x {self.grid.height} cells does not fit into two words")
        self._lines(ground)

    def mask(self, at: int, mask: Mask) -> None:
        self.land[at], self.land[at + 1] = halves(mask)

    def _lines(self, ground: Mask) -> None:
        """Writes borders, river sides, and the anchors of blocks and bars that lie on one bank."""
        grid = self.grid
        self.mask(layout.ALL_CELLS, grid.all)
        self.mask(layout.NOT_LAST_COLUMN, grid.all & ~grid.columns[-1])
        self.mask(layout.NOT_FIRST_COLUMN, grid.all & ~grid.columns[0])
        self.mask(layout.GROUND, ground)
        self.mask(layout.EAST_NEIGHBOUR, self._anchors(ground, "##"))
        self.mask(layout.SOUTH_NEIGHBOUR, self._anchors(ground, "#/#"))
        self.mask(layout.BLOCK_ANCHORS, self._anchors(ground, "##/##"))
        self.mask(layout.ROW_BAR_ANCHORS, self._anchors(ground, "###"))
        self.mask(layout.COLUMN_BAR_ANCHORS, self._anchors(ground, "#/#/#"))

    def _anchors(self, ground: Mask, drawing: str) -> Mask:
        """Returns the first cell of each place where a shape lies on one bank."""
        return sum(
            place.mask & -place.mask for place in Placements(self.board, ground, [Shape.from_text(drawing)], Place)
        )

    def terrain(self, site: content.Site | rollwrite.Site, goal: Mask, start: Mask) -> None:
        lone, (trees, trees_each) = _split_lone(site.trees)
        rocks, rocks_each = _single_sign(site.rocks)
        self.law[layout.TREES_PER_SIGN], self.law[layout.ROCKS_PER_SIGN] = trees_each, rocks_each
        self.mask(layout.EMPTY, site.empty)
        self.mask(layout.TREES, trees)
        self.mask(layout.LONE_TREES, lone)
        self.mask(layout.ROCKS, rocks)
        self.mask(layout.PENALTY_CELLS, site.empty | rocks)
        self.mask(layout.RACE_GOAL, goal)
        self.mask(layout.START_CELLS, start)
        if len(site.wells) > layout.MAX_WELLS:
            raise NoKernel(f"a kernel supports {layout.MAX_WELLS} wells, not {len(site.wells)}")
        self.law[layout.WELL_COUNT] = len(site.wells)
        for number, (well, sides) in enumerate(site.wells):
            self.mask(layout.WELLS + 4 * number, well)
            self.mask(layout.WELLS + 4 * number + 2, sides)

    def lines(self, counting: Sequence[content.Counting | rollwrite.Counting]) -> None:
        if len(counting) > layout.MAX_SCORE_LINES:
            raise NoKernel(f"a kernel supports {layout.MAX_SCORE_LINES} score lines, not {len(counting)}")
        for number, entry in enumerate(counting):
            line = layout.FEATURES.index(entry.line)
            self.law[layout.SCORE_ORDER + number] = line
            self.law[layout.LINE_POINTS + line] = entry.points
            self.law[layout.SCORE_LINE_COUNT] += 1

    def industry(self, site: content.Site, rules: content.EpisodeFile, forest: content.Race | None) -> None:
        """Writes the rules of the later episodes: forest race, immediate points, factories, port and parks."""
        at_once = {once.line: once.points for once in rules.at_once}
        lines = {counting.line for counting in rules.counting}
        self.law[layout.INVESTOR_POINTS], self.law[layout.TRACK_POINTS] = (
            at_once.get("investor", 0),
            at_once.get("track", 0),
        )
        if forest:
            self.law[layout.FOREST_POINTS], self.law[layout.FOREST_GOAL_CELLS] = forest.points, forest.goal
            self.mask(layout.WOODS, site.woods & site.ground)
        if "track" in at_once or "port" in lines:
            self.mask(layout.TRACK, site.track)
        if "port" in lines:
            self.law[layout.HAS_PORT] = 1
            self.mask(layout.PORT_NEIGHBOURS, site.pieces["port"].at.halo)
        if "parks" in lines:
            self.law[layout.HAS_PARKS] = 1
            self.mask(layout.PARK_CELLS, site.inland & (site.empty | site.stony))
        self.mask(layout.PIECE_NEIGHBOURS, site.beside_pieces)
        self.law[layout.PARK_COLOUR] = KINDS["red"]
        self.law[layout.NEEDED_COLOURS] = 1 << KINDS["yellow"] | 1 << KINDS["red"]
        self.law[layout.HAS_LATER_RULES] = int(bool(forest or at_once or lines & {"factories", "port", "parks"}))

    def passing(self, points: Sequence[int]) -> None:
        """Writes the points for each number of ticked circles, from 0."""
        self.law[layout.PASS_POINTS : layout.PASS_POINTS + len(points)] = points

    def task(self, number: int, places: Places, kind: int, price: int, anywhere: bool = False) -> None:
        """Writes one building that can be due."""
        if number >= layout.MAX_TASKS:
            raise NoKernel(f"a kernel supports {layout.MAX_TASKS} tasks")
        at = layout.TASKS + 8 * number
        self.law[at : at + 5] = [*self._shape_of(places), kind, price, int(anywhere)]

    def _shape_of(self, places: Places) -> tuple[int, int]:
        """Returns the number of a shape and of its first orientation. Writes the shape on first use."""
        if id(places) not in self._shapes:
            number = len(self._shapes)
            self._shapes[id(places)] = number, self._ways
            if number >= layout.MAX_SHAPES or len(places.orientations) > layout.MAX_ORIENTATIONS:
                raise NoKernel(
                    f"a kernel supports {layout.MAX_SHAPES} shapes in {layout.MAX_ORIENTATIONS} orientations each"
                )
            for way, shape in enumerate(places.orientations):
                self._way(layout.SHAPES + layout.SHAPE_SIZE * number + way, places, shape)
        return self._shapes[id(places)]

    def _way(self, column: int, places: Places, shape: Shape) -> None:
        """Writes one orientation of a shape: its anchors, its squares and all its placements."""
        if len(shape) > layout.MAX_SQUARES:
            raise NoKernel(f"a kernel supports shapes of at most {layout.MAX_SQUARES} squares")
        width, anchors = self.grid.width, 0
        shifts = [y * width + x for x, y in shape.squares]
        whole = sum(1 << shift for shift in shifts)
        by_mask = {place.mask: place for place in places}
        for cell in range(width * self.grid.height - max(shifts)):
            place = by_mask.get(whole << cell)
            if place and cell % width + shape.width <= width:
                anchors |= 1 << cell
                choice = self._ways * layout.MASK_CELLS + cell
                self.choices[choice] = place.choice
                self.mask(layout.PLACEMENTS + 4 * choice, place.mask)
                self.mask(layout.PLACEMENTS + 4 * choice + 2, place.halo)
        self.land[column + layout.ANCHORS_LOW], self.land[column + layout.ANCHORS_HIGH] = halves(anchors)
        for square in range(layout.MAX_SQUARES):
            at = column + layout.SQUARE_SHIFTS + layout.MAX_ORIENTATIONS * square
            self.land[at] = shifts[min(square, len(shifts) - 1)]
        self._ways += 1

    def build(self) -> SiteArrays:
        length = layout.PLACEMENTS + 4 * layout.MASK_CELLS * self._ways
        return SiteArrays(words(self.land.get(at, 0) for at in range(length)), ints(self.law))


SignCounts = Sequence[tuple[Mask, int]]
"""Cells of signs, and the number of trees or rocks that each sign counts for."""


def _split_lone(things: SignCounts) -> tuple[Mask, tuple[Mask, int]]:
    """Returns the cells of signs that count for one, and the other signs."""
    return sum(where for where, each in things if each == 1), _single_sign([thing for thing in things if thing[1] != 1])


def _single_sign(things: SignCounts) -> tuple[Mask, int]:
    found = [thing for thing in things if thing[0]]
    if len(found) > 1:
        raise NoKernel("a kernel supports one sign for several trees and one for rocks")
    return found[0] if found else (0, 1)


def mycity_site(episode: content.Episode, site: content.Site) -> CitySite:
    """Returns a board of My City for a city that is built alone and wins every race."""
    rules = episode.rules
    if unknown := _unsupported_rule(episode, site):
        raise NoKernel(f"the My City kernel does not support: {unknown}")
    builder = SiteBuilder(site.board, site.ground)
    gold, forest = (_race_of(rules, name) for name in ("gold", "forest"))
    builder.terrain(site, site.veins if gold else 0, site.first_reach)
    builder.lines(rules.counting)
    if any(counting.line == "dykes" for counting in rules.counting):
        builder.mask(layout.SHORE, site.shore)
    builder.law[layout.START_SCORE] = builder.law[layout.PASS_CIRCLES] = rules.marker
    builder.law[layout.RACE_POINTS] = builder.law[layout.RACE_EXTRA_CIRCLES] = gold.points if gold else 0
    builder.passing([-passes for passes in range(_max_marker(episode) + 1)])
    builder.industry(site, rules, forest)
    builder.law[layout.CARD_COUNT] = len(episode.cards)
    builder.law[layout.SCORE_LIMIT] = layout.NO_LIMIT if rules.limit is None else rules.limit
    for number, card in enumerate(episode.cards.values()):
        if card.kind == "block":
            builder.law[layout.BLOCKING_CARD] = number
        elif card.name not in site.placements:
            builder.law[layout.TASKS + 8 * number + layout.SHAPE_NUMBER] = layout.NO_SHAPE
        else:
            price = 0 if card.kind in rules.must_build or rules.passing is None else 1
            builder.task(number, site.placements[card.name], KINDS[card.kind], price)
            builder.law[layout.TASKS + 8 * number + layout.IS_FACTORY] = int(card.name in site.gears)
    tasks = {card: number for number, card in enumerate(episode.cards.values())}
    pieces = [piece for name, piece in site.pieces.items() if name != "port"]
    printed = tuple((KINDS[piece.card.kind], piece.at) for piece in pieces)
    return CitySite(builder.build(), ints(range(len(tasks))), tasks, builder.choices, printed)


def _race_of(rules: content.EpisodeFile, name: str) -> content.Race | None:
    return next((race for race in rules.races if race.race == name), None)


def _max_marker(episode: content.Episode) -> int:
    """Returns the highest position of the marker before the final scoring."""
    rules = episode.rules
    at_once = sum(once.points for once in rules.at_once) * len(episode.cards)
    return rules.marker + sum(race.points for race in rules.races) + at_once


def _unsupported_rule(episode: content.Episode, site: content.Site) -> str:
    """Returns a rule of an episode that the kernel does not support, or an empty string."""
    rules = episode.rules
    lines = [counting.line for counting in rules.counting if counting.line not in layout.SCORE_LINES]
    races = [race.race for race in rules.races if race.race not in ("gold", "forest") and race.points]
    if strange := [*lines, *races]:
        return strange[0]
    if rules.passing not in (None, -1):
        return f"passing for {rules.passing}"
    if "port" in site.pieces and site.pieces["port"].at.mask & site.track:
        return "port on the track"
    most = layout.MAX_PASSED_CIRCLES if rules.limit is None else rules.limit
    return "" if _max_marker(episode) < most else "limit that is reached before the end"


def rollwrite_site(episode: rollwrite.Episode, site: rollwrite.Site) -> CitySite:
    """Returns an episode of Roll & Write for a city that is built alone and wins every race."""
    rules = episode.rules
    goals = {site.goals[race.race] for race in rules.races}
    goals |= {site.goals[purse.purse] for purse in rules.purses if purse.purse != "never-passed"}
    if len(rules.races) > 1 or len(goals) > 1:
        raise NoKernel("the Roll & Write kernel supports only one race")
    builder = SiteBuilder(site.board, site.ground)
    start = site.board.riverside if rules.start == "river" else site.grid.neighbours(site.printed_cells)
    builder.terrain(site, sum(goals), start)
    builder.mask(layout.BANDITS, site.bandits)
    builder.mask(layout.WILD, site.wild)
    builder.lines(rules.counting)
    builder.law[layout.PASS_CIRCLES] = len(rules.passing)
    builder.passing([0, *rules.passing])
    builder.law[layout.RACE_POINTS] = sum(race.points for race in rules.races)
    for purse in rules.purses:
        builder.law[layout.NEVER_PASSED_PURSES if purse.purse == "never-passed" else layout.GOAL_PURSES] = purse.purses
    builder.law[layout.PURSE_HUNDREDTHS] = PURSE_HUNDREDTHS
    tasks = _rollwrite_tasks(builder, episode)
    printed = tuple((KINDS[kind], at) for kind, at in site.printed)
    return CitySite(builder.build(), ints([]), tasks, builder.choices, printed)


def _rollwrite_tasks(builder: SiteBuilder, episode: rollwrite.Episode) -> dict[rollwrite.Task, int]:
    """Numbers the tasks of the dice, then those of the compass row, and writes the task of each of the 216 outcomes
    of three dice."""
    tasks = {task: number for number, task in enumerate(dict.fromkeys(episode.tasks.values()))}
    builder.law[layout.COMPASS_ROW_START], builder.law[layout.COMPASS_ROW_LENGTH] = len(tasks), len(episode.row_tasks)
    tasks |= {task: len(tasks) + number for number, task in enumerate(episode.row_tasks)}
    for task, number in tasks.items():
        builder.task(number, task.places, KINDS[task.kind], task.circles or 0, task.anywhere)
    slots = [
        tasks[episode.tasks[roll.faces]] + (layout.COMPASS_FLAG if roll.faces[1] == rollwrite.COMPASS else 0)
        for roll, weight in episode.dice.odds
        for _ in range(weight)
    ]
    if len(slots) != layout.DICE_OUTCOMES:
        raise NoKernel(f"a kernel supports three dice of six sides, not {len(slots)} outcomes")
    builder.law[layout.DICE_TASKS : layout.DICE_TASKS + len(slots)] = slots
    return tasks


def has_kernel(key: str, state: Any, seat: int) -> bool:
    """Returns whether the kernel supports the decision of a seat: a placement in a supported episode."""
    if key not in SITE_BUILDERS or getattr(state, "asks", "building") != "building":
        return False
    try:
        city_site(key, state.episode, state.cities[seat].site)
    except NoKernel:
        return False
    return True


SITE_BUILDERS: dict[str, Callable[[Any, Any], CitySite]] = {"mycity": mycity_site, "rollwrite": rollwrite_site}
MAX_CACHED_SITES = 64
"""Every board of a campaign is a different site."""
_sites: dict[tuple[int, tuple[str, ...], Any], tuple[Any, CitySite]] = {}


def city_site(key: str, episode: Any, site: Any = None) -> CitySite:
    """Returns the site of an episode on a board, by default the printed one. Sites are cached.

    An episode is identified by identity, a board by its signs, the shapes of its owner's buildings and the factories.
    """
    if key not in SITE_BUILDERS:
        raise NoKernel(f"there is no city kernel for {key}; available: {', '.join(SITE_BUILDERS)}")
    site = site or episode.site
    owned = *getattr(site, "shapes", {}).items(), *sorted(getattr(site, "gears", ()))
    known = id(episode), site.board.rows, owned
    if known not in _sites:
        if len(_sites) >= MAX_CACHED_SITES:
            del _sites[next(iter(_sites))]
        _sites[known] = episode, SITE_BUILDERS[key](episode, site)
    return _sites[known][1]
