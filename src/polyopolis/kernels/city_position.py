"""Placing games: a city as arrays, and search, evaluation and playouts on it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Self

from msgspec import UNSET

from polyopolis.games.mycity import state as mycity
from polyopolis.games.mycity.content import content as mycity_content
from polyopolis.games.placement import Pass, Place, Stop
from polyopolis.games.rollwrite import state as rollwrite
from polyopolis.games.rollwrite.content import content as rollwrite_content
from polyopolis.kernels.choice_estimates import ChoiceEstimates, values_by_choice
from polyopolis.kernels.city_arrays import KINDS, CitySite, city_site, halves, with_learned_purses
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
from polyopolis.kernels.placing.layout import CityArrays, CityScratch, ExpectimaxStack
from polyopolis.kernels.placing.net_inference import ModelScratch, ValueModel
from polyopolis.kernels.placing.net_inputs import INPUT_WORDS
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, float_rows, floats, int_rows, ints, word_rows, words
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.kernels.runtime.sequential_halving import SearchResult

MAX_PLACEMENTS = 1024
"""More than any shape has on any board."""
ETERNAL_NET = "mycity-eternal"
"""Name of the value net for the eternal game of My City."""
EPISODE_NET_FORMAT = "{}-episode-{}"
"""Name of the pattern file for an episode of a game with its printed board."""
DICE_WIDTH_DIVISOR = 3
"""With dice: a level that tried as many choices as with cards was no better than one without search."""


def new_city_arrays() -> CityArrays:
    return CityArrays(word_rows(1, layout.CITY_SIZE)[0], int_rows(1, layout.BOOK_SIZE)[0])


def new_scratch() -> CityScratch:
    return CityScratch(
        arrays=new_city_arrays(),
        rng=new_rng(0),
        coming=int_rows(1, layout.MAX_ROLLS)[0],
        blend=float_rows(1, layout.FEATURE_COUNT)[0],
        out=int_rows(1, layout.FEATURE_COUNT)[0],
        choices=int_rows(1, MAX_PLACEMENTS)[0],
        values=float_rows(1, MAX_PLACEMENTS)[0],
    )


def new_stack() -> ExpectimaxStack:
    rows = layout.MAX_SOLVED_CARDS + 2
    return ExpectimaxStack(
        cities=word_rows(rows, layout.CITY_SIZE),
        books=int_rows(rows, layout.BOOK_SIZE),
        choices=int_rows(rows, MAX_PLACEMENTS),
        nodes=int_rows(rows, layout.NODE_SIZE),
        values=float_rows(rows, layout.NODE_VALUES_SIZE),
    )


def new_net_scratch() -> ModelScratch:
    return ModelScratch(
        before=word_rows(1, INPUT_WORDS)[0],
        after=word_rows(1, INPUT_WORDS)[0],
        sums=word_rows(1, net_inference.FIRST_LAYER_WORDS)[0],
        changed=word_rows(1, net_inference.FIRST_LAYER_WORDS)[0],
        inner=float_rows(1, net_inference.SECOND_LAYER_SIZE)[0],
        pattern_view=int_rows(1, pattern_values.VIEW_SIZE)[0],
    )


def new_result() -> SearchResult:
    return SearchResult(int_rows(1, MAX_PLACEMENTS)[0], float_rows(1, MAX_PLACEMENTS)[0])


@dataclass(frozen=True, eq=False)
class KernelCity:
    """One city. Its arrays change as it is built."""

    site: CitySite
    arrays: CityArrays = field(default_factory=new_city_arrays)
    scratch: CityScratch = field(default_factory=new_scratch)

    @classmethod
    def at_start(cls, site: CitySite, carried: int = 0) -> Self:
        """Returns a city before its first own building, with the printed buildings and the bandits carried over."""
        city, land = cls(site), site.arrays.land
        build_moves.init_city(*site.arrays, *city.arrays)
        for number, half in enumerate(words(halves(carried))):
            city.arrays.city[layout.FREE + number] &= ~half
            city.arrays.city[layout.CITY_BANDITS + number] |= half
        for kind, at in site.printed:
            city.add_building(kind, at.mask, at.halo)
        if land[layout.PIECE_NEIGHBOURS] | land[layout.PIECE_NEIGHBOURS + 1]:
            build_moves.reset_contact(land, *city.arrays)
        return city

    def add_building(self, kind: int, mask: int, halo: int, gear: int = 0) -> None:
        (low, high), (halo_low, halo_high) = halves(mask), halves(halo)
        cells = words([low, high, halo_low, halo_high])
        build_moves.add_building(*self.site.arrays, *self.arrays, kind, gear, *cells)

    def set_progress(self, passed: int, won: int, open_: int) -> None:
        book = self.arrays.book
        book[layout.PASSED_CIRCLES], book[layout.RACE_WON], book[layout.RACE_OPEN] = passed, won, open_

    def _placements(self, task: int) -> list[int]:
        number = build_moves.list_placements(*self.site.arrays, self.arrays.city, task, self.scratch.choices)
        return [int(choice) for choice in self.scratch.choices[:number]]

    def legal(self, task: int) -> list[Place | Pass | Stop]:
        """Returns all legal choices for a task as actions of the rules."""
        named: list[Place | Pass | Stop] = [self.site.choices[choice] for choice in self._placements(task)]
        if build_moves.can_pass(self.site.arrays.law, self.arrays.book, task):
            named.append(Pass())
        return [*named, Stop()]

    def choice(self, task: int, action: Place | Pass | Stop) -> int:
        """Returns the number of an action."""
        if isinstance(action, Stop):
            return layout.STOP
        if isinstance(action, Pass):
            return layout.PASS
        return next(choice for choice in self._placements(task) if self.site.choices[choice] == action)

    def decide(self, task: int, choice: int) -> None:
        build_moves.decide(*self.site.arrays, *self.arrays, task, choice)

    @property
    def score(self) -> int:
        return int(counting.score(*self.site.arrays, *self.arrays, self.scratch.out))

    @property
    def outcome(self) -> float:
        """The score plus the value of purses."""
        return float(counting.outcome(*self.site.arrays, *self.arrays, self.scratch.out))

    @property
    def features(self) -> dict[str, int]:
        counting.score(*self.site.arrays, *self.arrays, self.scratch.out)
        return {name: int(value) for name, value in zip(layout.FEATURES, self.scratch.out, strict=True)}

    @property
    def information_key(self) -> tuple[int, ...]:
        """The complete state as numbers."""
        return tuple(map(int, (*self.arrays.city[: layout.FIT_ANCHORS], *self.arrays.book)))

    @property
    def free(self) -> int:
        return self._mask(layout.FREE)

    @property
    def reach(self) -> int:
        return self._mask(layout.REACH)

    def _mask(self, at: int) -> int:
        return int(self.arrays.city[at]) | int(self.arrays.city[at + 1]) << 64


def random_scores(site: CitySite, games: int, rng: Words) -> tuple[Ints, int]:
    """Plays random games. Returns the scores and the number of decisions."""
    first, scores = KernelCity.at_start(site), ints([0] * games)
    return scores, int(playouts.random_playouts(site.arrays, first.arrays, site.deck, rng, first.scratch, scores))


def greedy_outcomes(site: CitySite, weights: Floats, seeds: Words) -> Floats:
    """Plays one greedy game per seed with these weights and returns the outcomes."""
    first, results = KernelCity.at_start(site), floats([0.0] * len(seeds))
    playouts.greedy_playouts(site.arrays, first.arrays, site.deck, seeds, weights, first.scratch, results)
    return results


CELLS_PER_ROLL = 3
"""Average number of cells that are covered per roll."""


class ModelSearchSettings(NamedTuple):
    """Settings of a search that is guided by a learned model."""

    decisions: int
    """Decisions in all simulations together: the sooner simulations end, the more are played."""
    width: int
    """Number of choices that are tried, by model value."""
    trust: int = 0
    """The model value of a choice counts like this number of simulations."""
    horizon: int = layout.MAX_ROLLS
    """Number of cards or rolls after which a simulation ends with the model value."""
    max_simulations: int = 1536
    """Maximum simulations of one decision; more did not improve it."""

    def simulations(self, left: int) -> int:
        """Returns the number of simulations with `left` cards or rolls to come."""
        return min(self.decisions // max(min(left, self.horizon), 1), self.max_simulations)


@dataclass(frozen=True, eq=False)
class CityPosition:
    """A decision of one seat: its city, the task and the remaining cards."""

    city: KernelCity
    task: int
    deck: Ints
    part: str = "all"
    """The part of a game whose weights apply: an episode, or the whole game."""
    net: str = ""
    """Name of the learned model for this position; empty if there is none."""
    width_divisor: int = 1
    """Divides the width of a search. Where results vary more, each choice needs more simulations."""

    @property
    def site(self) -> CitySite:
        return self.city.site

    @property
    def with_learned_purses(self) -> Self:
        """The position with the value of purses for learned models."""
        return replace(self, city=replace(self.city, site=with_learned_purses(self.site)))

    @property
    def information_key(self) -> tuple[int, ...]:
        return *self.city.information_key, self.task, *map(int, self.deck)

    @property
    def dice(self) -> bool:
        """Whether tasks are rolled, so that any task may come at any time."""
        return not len(self.site.deck)

    @property
    def _left(self) -> int:
        """Number of cards or estimated rolls to come."""
        return self.city.free.bit_count() // CELLS_PER_ROLL if self.dice else len(self.deck)

    @property
    def stop_values(self) -> list[tuple[float, int]]:
        """Stopping and its value."""
        return [(self.city.outcome, layout.STOP)]

    def action(self, choice: int) -> Place | Pass | Stop:
        if choice == layout.STOP:
            return Stop()
        return Pass() if choice == layout.PASS else self.site.choices[choice]

    def choice(self, action: Place | Pass | Stop) -> int:
        return self.city.choice(self.task, action)

    def choice_values(self, weights: Floats) -> list[tuple[float, int]]:
        """Returns every choice except stopping with its static value."""
        scratch = self.city.scratch
        number = evaluation.evaluate_choices(self.site.arrays, self.city.arrays, self.task, weights, scratch)
        return SearchResult(scratch.choices, scratch.values).best_first(number)

    def feature_values(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """Returns the static value of the city after a choice by feature; empty after stopping."""
        if choice == layout.STOP:
            return {}
        site, arrays, scratch = self.site.arrays, self.city.arrays, self.city.scratch
        evaluation.blend_weights(*site, *arrays, weights, scratch.blend)
        if choice is None:
            evaluation.features_now(*site, *arrays, scratch.out)
        else:
            evaluation.features_after(*site, *arrays, self.task, choice, scratch.out)
        counted = zip(layout.FEATURES, scratch.blend, scratch.out, strict=True)
        return {name: float(weight * count) for name, weight, count in counted if weight and count}

    def count_continuations(self, limit: int) -> int:
        """Returns roughly the number of ways to play on to the end, at most `limit`."""
        city = self.city
        return int(
            expectimax.count_continuations(
                *self.site.arrays, city.arrays.city, self.task, self.deck, limit, city.scratch.choices
            )
        )

    def solve(self) -> list[tuple[float, int]]:
        """Returns every choice with its expectimax value, best first."""
        city, found = self.city, new_result()
        number = expectimax.solve_choices(
            self.site.arrays, city.arrays, self.task, self.deck, city.scratch.out, new_stack(), found
        )
        return found.best_first(number)

    def search(self, weights: Floats, simulations: int, width: int, rng: Words) -> tuple[int, list[tuple[float, int]]]:
        """Returns the number of simulated games, and the best choices with their mean outcomes, best first."""
        found = new_result()
        number = search.search_choices(
            self.site.arrays, self.city.arrays, self.task, self.deck, simulations, max(width // self.width_divisor, 1),
            rng, weights, self.city.scratch, found,
        )  # fmt: skip
        return simulations, found.best_first(number)

    def model_values(self, model: ValueModel) -> list[tuple[float, int]]:
        """Returns every choice except stopping with its model value."""
        city, scratch = self.city, self.city.scratch
        number = net_search.model_values(
            self.site.arrays, city.arrays, self.task, self.deck, model, new_net_scratch(), scratch
        )
        return SearchResult(scratch.choices, scratch.values).best_first(number)

    def model_search(
        self, model: ValueModel, way: ModelSearchSettings, rng: Words
    ) -> tuple[int, list[tuple[float, int]]]:
        """Returns the number of simulated games, and the best choices with their values by a search with the model."""
        city, found, simulations = self.city, new_result(), way.simulations(self._left)
        number = net_search.search_by_model(
            self.site.arrays, city.arrays, self.task, self.deck, simulations, way.width, way.trust, way.horizon,
            rng, model, new_net_scratch(), city.scratch, found,
        )  # fmt: skip
        return simulations, found.best_first(number)

    def estimate_choices(self, weights: Floats, choices: Sequence[int], seeds: Words) -> ChoiceEstimates:
        """Plays these choices, possibly including stopping, greedily to the end in these futures."""
        results = float_rows(len(choices), len(seeds))
        search.estimate_choices(
            self.site.arrays, self.city.arrays, self.task, self.deck, ints(choices), seeds, weights, self.city.scratch,
            results,
        )  # fmt: skip
        points = values_by_choice(choices, results)
        return ChoiceEstimates(points, points)


def position_of(key: str, state: Any, seat: int) -> CityPosition:
    """Returns the decision of a seat. The game must have a kernel."""
    return POSITION_BUILDERS[key](city_site(key, state.episode, state.cities[seat].site), state, seat)


def _mycity(site: CitySite, state: mycity.State, seat: int) -> CityPosition:
    built, city = state.cities[seat], KernelCity.at_start(site)
    for building in built.buildings:
        gear = int(building.card.name in built.site.gears)
        city.add_building(KINDS[building.card.kind], building.at.mask, building.at.halo, gear)
    won, open_ = ({race.race for race in races} for races in (built.won, state.open_races))
    city.set_progress(passed=built.passes, won=int("gold" in won), open_=int("gold" in open_))
    book = city.arrays.book
    book[layout.FOREST_RACE_WON], book[layout.FOREST_RACE_OPEN] = int("forest" in won), int("forest" in open_)
    book[layout.REVEALED_TASKS], book[layout.NEXT_BLOCKED] = len(state.revealed), int(state.blocking)
    part, net = "all", ETERNAL_NET
    if (number := state.setup.episode) is not UNSET:
        part, net = (
            f"episode-{number}",
            _pattern_name("mycity", number, state.episode is mycity_content().episode(number)),
        )
    return CityPosition(city, site.tasks.get(state.card, 0), ints(site.tasks[card] for card in state.deck), part, net)


def _rollwrite(site: CitySite, state: rollwrite.State, seat: int) -> CityPosition:
    sheet = state.cities[seat]
    city = KernelCity.at_start(site, sheet.bandits & ~sheet.site.bandits)
    for building in sheet.buildings[len(site.printed) :]:
        city.add_building(KINDS[building.kind], building.at.mask, building.at.halo)
    city.set_progress(passed=sheet.circles, won=len(sheet.won), open_=len(state.open_races))
    city.arrays.book[layout.REVEALED_TASKS], city.arrays.book[layout.COMPASS_ROW_USED] = state.rolls, state.compasses
    number, task = state.episode.number, site.tasks.get(state.task, 0)
    net = _pattern_name("rollwrite", number, state.episode is rollwrite_content().episodes.get(number))
    return CityPosition(city, task, ints([]), f"episode-{number}", net, DICE_WIDTH_DIVISOR)


def _pattern_name(key: str, number: int, printed: bool) -> str:
    """Returns the name of the patterns of an episode. They depend on the printed board, so other boards have none."""
    return EPISODE_NET_FORMAT.format(key, number) if printed else ""


POSITION_BUILDERS: dict[str, Callable[[CitySite, Any, int], CityPosition]] = {
    "mycity": _mycity,
    "rollwrite": _rollwrite,
}
