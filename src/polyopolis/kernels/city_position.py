"""Cities of the kernels: from a state of a game to arrays and back, and what the kernels do with them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from msgspec import UNSET

from polyopolis.games.mycity import state as mycity
from polyopolis.games.mycity.content import content as mycity_content
from polyopolis.games.placement import Pass, Place, Stop
from polyopolis.games.rollwrite import state as rollwrite
from polyopolis.games.rollwrite.content import content as rollwrite_content
from polyopolis.kernels.choice_estimates import ChoiceEstimates, rows_of
from polyopolis.kernels.city_arrays import KINDS, Land, as_learnt, halves, land_of
from polyopolis.kernels.placing import (
    build_moves,
    evaluation,
    expectimax,
    layout,
    net_inference,
    net_search,
    pattern_values,
    playouts,
    search,
)
from polyopolis.kernels.placing import (
    features as counting,
)
from polyopolis.kernels.placing.layout import Town, Walk, Yard
from polyopolis.kernels.placing.net_inference import Eyes, Judge
from polyopolis.kernels.placing.net_inputs import SIGHT
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, float_rows, floats, int_rows, ints, word_rows, words
from polyopolis.kernels.runtime.rng import luck_of
from polyopolis.kernels.runtime.sequential_halving import Found

MOST_PLACES = 1024
"""More than any shape has on any board."""
ETERNAL = "mycity-eternal"
"""The net for My City's eternal game."""
EPISODES = "{}-episode-{}"
"""The patterns for an episode of a game, as it is printed today."""
FOCUS = 3
"""With dice: a level that tried as many choices as with cards was no better than one that only looks."""


def new_town() -> Town:
    return Town(word_rows(1, layout.CITY)[0], int_rows(1, layout.BOOK)[0])


def new_yard() -> Yard:
    return Yard(
        town=new_town(),
        luck=luck_of(0),
        coming=int_rows(1, layout.MOST_LUCK)[0],
        blend=float_rows(1, layout.FEATURE_COUNT)[0],
        out=int_rows(1, layout.FEATURE_COUNT)[0],
        choices=int_rows(1, MOST_PLACES)[0],
        values=float_rows(1, MOST_PLACES)[0],
    )


def new_walk() -> Walk:
    rows = layout.MOST_AHEAD + 2
    return Walk(
        cities=word_rows(rows, layout.CITY),
        books=int_rows(rows, layout.BOOK),
        choices=int_rows(rows, MOST_PLACES),
        nodes=int_rows(rows, layout.NODE),
        hopes=float_rows(rows, layout.HOPES),
    )


def new_eyes() -> Eyes:
    return Eyes(
        before=word_rows(1, SIGHT)[0],
        after=word_rows(1, SIGHT)[0],
        sums=word_rows(1, net_inference.PACKED)[0],
        changed=word_rows(1, net_inference.PACKED)[0],
        inner=float_rows(1, net_inference.INNER)[0],
        scene=int_rows(1, pattern_values.VIEW)[0],
    )


def new_found() -> Found:
    return Found(int_rows(1, MOST_PLACES)[0], float_rows(1, MOST_PLACES)[0])


@dataclass(frozen=True, eq=False)
class City:
    """One city: its masks and its numbers. It changes as it is built."""

    site: Land
    town: Town = field(default_factory=new_town)
    yard: Yard = field(default_factory=new_yard)

    @classmethod
    def laid_out(cls, site: Land, carried: int = 0) -> Self:
        """Before the first building, but for what is printed; with the bandits that were carried over."""
        city, land = cls(site), site.ground.land
        build_moves.lay_out(*site.ground, *city.town)
        for number, half in enumerate(words(halves(carried))):
            city.town.city[layout.FREE + number] &= ~half
            city.town.city[layout.OUTLAWS + number] |= half
        for kind, at in site.printed:
            city.erect(kind, at.mask, at.halo)
        if land[layout.BESIDE] | land[layout.BESIDE + 1]:
            build_moves.begin(land, *city.town)
        return city

    def erect(self, kind: int, mask: int, halo: int, gear: int = 0) -> None:
        (low, high), (halo_low, halo_high) = halves(mask), halves(halo)
        cells = words([low, high, halo_low, halo_high])
        build_moves.erect(*self.site.ground, *self.town, kind, gear, *cells)

    def note(self, passed: int, won: int, open_: int) -> None:
        book = self.town.book
        book[layout.PASSED], book[layout.WON], book[layout.OPEN] = passed, won, open_

    def _places(self, task: int) -> list[int]:
        number = build_moves.listed(*self.site.ground, self.town.city, task, self.yard.choices)
        return [int(choice) for choice in self.yard.choices[:number]]

    def legal(self, task: int) -> list[Place | Pass | Stop]:
        """Every choice for a task, as the rules name it."""
        named: list[Place | Pass | Stop] = [self.site.choices[choice] for choice in self._places(task)]
        if build_moves.can_pass(self.site.ground.law, self.town.book, task):
            named.append(Pass())
        return [*named, Stop()]

    def choice(self, task: int, action: Place | Pass | Stop) -> int:
        """The number of a choice."""
        if isinstance(action, Stop):
            return layout.STOP
        if isinstance(action, Pass):
            return layout.PASS
        return next(choice for choice in self._places(task) if self.site.choices[choice] == action)

    def decide(self, task: int, choice: int) -> None:
        build_moves.decide(*self.site.ground, *self.town, task, choice)

    @property
    def score(self) -> int:
        return int(counting.score(*self.site.ground, *self.town, self.yard.out))

    @property
    def outcome(self) -> float:
        """The score, and what purses are worth later."""
        return float(counting.outcome(*self.site.ground, *self.town, self.yard.out))

    @property
    def features(self) -> dict[str, int]:
        counting.score(*self.site.ground, *self.town, self.yard.out)
        return {name: int(value) for name, value in zip(layout.FEATURES, self.yard.out, strict=True)}

    @property
    def sight(self) -> tuple[int, ...]:
        """All that is known of it, as numbers."""
        return tuple(map(int, (*self.town.city[: layout.FIT], *self.town.book)))

    @property
    def free(self) -> int:
        return self._mask(layout.FREE)

    @property
    def reach(self) -> int:
        return self._mask(layout.REACH)

    def _mask(self, at: int) -> int:
        return int(self.town.city[at]) | int(self.town.city[at + 1]) << 64


def random_scores(site: Land, games: int, luck: Words) -> tuple[Ints, int]:
    """Whole games by one who builds anywhere: the scores, and how many decisions they took."""
    first, scores = City.laid_out(site), ints([0] * games)
    return scores, int(playouts.random_games(site.ground, first.town, site.deck, luck, first.yard, scores))


def good_outcomes(site: Land, weights: Floats, luck: Words) -> Floats:
    """What comes of whole games by what is worth most with these weights, one for each future."""
    first, results = City.laid_out(site), floats([0.0] * len(luck))
    playouts.good_games(site.ground, first.town, site.deck, luck, weights, first.yard, results)
    return results


CELLS_OF_ROLL = 3
"""About so many are built on with a roll."""


class Consultation(NamedTuple):
    """How a net is asked in a search."""

    decisions: int
    """So many are played in all simulations together: there are more of them the sooner each ends."""
    width: int
    """So many choices are tried, those of which it says most."""
    trust: int = 0
    """What it says of a choice counts as much as so many simulations."""
    horizon: int = layout.MOST_LUCK
    """After so many cards or rolls it says the rest."""
    most: int = 1536
    """Simulations of one decision: more tell nothing new."""

    def simulations(self, left: int) -> int:
        """With so many cards or rolls to come."""
        return min(self.decisions // max(min(left, self.horizon), 1), self.most)


@dataclass(frozen=True, eq=False)
class CityPosition:
    """What one seat decides on: its city, the task, and the cards that are left."""

    city: City
    task: int
    deck: Ints
    part: str = "all"
    """The part of a game whose weights hold: an episode by its number, or the whole game."""
    net: str = ""
    """The name of the net that may judge it; nothing where no net can."""
    focus: int = 1
    """A search tries so many times fewer choices: where luck says less of each, more of it is needed."""

    @property
    def site(self) -> Land:
        return self.city.site

    @property
    def as_learnt(self) -> Self:
        """The same to whoever has learnt."""
        return replace(self, city=replace(self.city, site=as_learnt(self.site)))

    @property
    def sight(self) -> tuple[int, ...]:
        return *self.city.sight, self.task, *map(int, self.deck)

    @property
    def dice(self) -> bool:
        """Whether what comes is thrown: anything, at any time."""
        return not len(self.site.deck)

    @property
    def _left(self) -> int:
        """How many cards or rolls may still come."""
        return self.city.free.bit_count() // CELLS_OF_ROLL if self.dice else len(self.deck)

    @property
    def stopping(self) -> list[tuple[float, int]]:
        """To stop, and what that is worth."""
        return [(self.city.outcome, layout.STOP)]

    def action(self, choice: int) -> Place | Pass | Stop:
        if choice == layout.STOP:
            return Stop()
        return Pass() if choice == layout.PASS else self.site.choices[choice]

    def choice(self, action: Place | Pass | Stop) -> int:
        return self.city.choice(self.task, action)

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice but to stop, with what it is worth at sight."""
        yard = self.city.yard
        number = evaluation.valued(self.site.ground, self.city.town, self.task, weights, yard)
        return Found(yard.choices, yard.values).best_first(number)

    def parts(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """What the city is worth at sight once this is decided, feature by feature; nothing more once it stops."""
        if choice == layout.STOP:
            return {}
        ground, town, yard = self.site.ground, self.city.town, self.city.yard
        evaluation.blended(*ground, *town, weights, yard.blend)
        if choice is None:
            evaluation.look(*ground, *town, yard.out)
        else:
            evaluation.foresee(*ground, *town, self.task, choice, yard.out)
        counted = zip(layout.FEATURES, yard.blend, yard.out, strict=True)
        return {name: float(weight * count) for name, weight, count in counted if weight and count}

    def futures(self, limit: int) -> int:
        """About how many ways there are to play on to the end, if they are fewer than this."""
        city = self.city
        return int(
            expectimax.futures(*self.site.ground, city.town.city, self.task, self.deck, limit, city.yard.choices)
        )

    def solved(self) -> list[tuple[float, int]]:
        """Every choice with what it comes to if all goes as well as it can, the best first."""
        city, found = self.city, new_found()
        number = expectimax.solved(self.site.ground, city.town, self.task, self.deck, city.yard.out, new_walk(), found)
        return found.best_first(number)

    def searched(
        self, weights: Floats, simulations: int, width: int, luck: Words
    ) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with what it comes to on average, the best first."""
        found = new_found()
        number = search.searched(
            self.site.ground, self.city.town, self.task, self.deck, simulations, max(width // self.focus, 1), luck,
            weights, self.city.yard, found,
        )  # fmt: skip
        return simulations, found.best_first(number)

    def gazed(self, judge: Judge) -> list[tuple[float, int]]:
        """Every choice but to stop, with what a net says that it comes to."""
        city, yard = self.city, self.city.yard
        number = net_search.at_a_gaze(self.site.ground, city.town, self.task, self.deck, judge, new_eyes(), yard)
        return Found(yard.choices, yard.values).best_first(number)

    def consulted(self, judge: Judge, way: Consultation, luck: Words) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with what it comes to by a search with a net."""
        city, found, simulations = self.city, new_found(), way.simulations(self._left)
        number = net_search.consulted(
            self.site.ground, city.town, self.task, self.deck, simulations, way.width, way.trust, way.horizon,
            luck, judge, new_eyes(), city.yard, found,
        )  # fmt: skip
        return simulations, found.best_first(number)

    def judged(self, weights: Floats, choices: Sequence[int], luck: Words) -> ChoiceEstimates:
        """What these choices come to in these futures, played to the end by what is worth most; to stop is one, too."""
        results = float_rows(len(choices), len(luck))
        search.judged(
            self.site.ground, self.city.town, self.task, self.deck, ints(choices), luck, weights, self.city.yard,
            results,
        )  # fmt: skip
        points = rows_of(choices, results)
        return ChoiceEstimates(points, points)


def position_of(key: str, state: Any, seat: int) -> CityPosition:
    """The city of a seat that decides, in a state of a game with a kernel."""
    return POSITIONS[key](land_of(key, state.episode, state.cities[seat].site), state, seat)


def _mycity(site: Land, state: mycity.State, seat: int) -> CityPosition:
    built, city = state.cities[seat], City.laid_out(site)
    for house in built.buildings:
        gear = int(house.card.name in built.site.gears)
        city.erect(KINDS[house.card.kind], house.at.mask, house.at.halo, gear)
    won, open_ = ({race.race for race in races} for races in (built.won, state.open_races))
    city.note(passed=built.passes, won=int("gold" in won), open_=int("gold" in open_))
    book = city.town.book
    book[layout.WON_FOREST], book[layout.OPEN_FOREST] = int("forest" in won), int("forest" in open_)
    book[layout.GONE], book[layout.BLOCKING] = len(state.revealed), int(state.blocking)
    part, net = "all", ETERNAL
    if (number := state.setup.episode) is not UNSET:
        part, net = f"episode-{number}", _learnt("mycity", number, state.episode is mycity_content().episode(number))
    return CityPosition(city, site.tasks.get(state.card, 0), ints(site.tasks[card] for card in state.deck), part, net)


def _rollwrite(site: Land, state: rollwrite.State, seat: int) -> CityPosition:
    sheet = state.cities[seat]
    city = City.laid_out(site, sheet.bandits & ~sheet.site.bandits)
    for house in sheet.buildings[len(site.printed) :]:
        city.erect(KINDS[house.kind], house.at.mask, house.at.halo)
    city.note(passed=sheet.circles, won=len(sheet.won), open_=len(state.open_races))
    city.town.book[layout.GONE], city.town.book[layout.USED] = state.rolls, state.compasses
    number, task = state.episode.number, site.tasks.get(state.task, 0)
    net = _learnt("rollwrite", number, state.episode is rollwrite_content().episodes.get(number))
    return CityPosition(city, task, ints([]), f"episode-{number}", net, FOCUS)


def _learnt(key: str, number: int, printed: bool) -> str:
    """The patterns of an episode: of cells where they lie, so there are none for any other one."""
    return EPISODES.format(key, number) if printed else ""


POSITIONS: dict[str, Callable[[Land, Any, int], CityPosition]] = {"mycity": _mycity, "rollwrite": _rollwrite}
