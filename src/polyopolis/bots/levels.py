"""Levels 1 to 5: bots whose strength is set by the number of simulations, not by time.

Level 1 takes the choice with the best evaluation and overlooks some choices. The others simulate the rest of the game
after each choice with common random numbers, and stop when even the best choice has a lower mean than the current
score. Level 6 is in `learned_level.py`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from polyopolis.bots import greedy
from polyopolis.bots.explainer_protocol import (
    MAX_OPTIONS,
    ConsideredAction,
    FeaturePoints,
    feature_differences,
    mean_features,
)
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.bots.feature_weights import flat_weights, weights_for
from polyopolis.engine import AnyGame, Rng
from polyopolis.kernels import FAST
from polyopolis.kernels.positions import Position, features_of, has_kernel, position_of
from polyopolis.kernels.runtime.jit import Floats
from polyopolis.kernels.runtime.rng import new_rng

RankedChoices = list[tuple[float, int]]
"""Choices with their values, best first."""

FUTURES_PER_SIMULATION = 10
"""Number of complete continuations that can be enumerated in the time of one simulation."""
PLAIN_PYTHON_SLOWDOWN = 40
"""Factor by which the number of simulations is reduced in plain Python."""


@dataclass(frozen=True)
class BotLevel:
    """A bot of limited strength. In a game without a kernel it plays like greedy with the same `visible`."""

    simulations: int = 0
    width: int = 0
    """Number of choices that are simulated: those with the best evaluation."""
    visible: greedy.VisibleShare = greedy.ALL_VISIBLE
    """Probability that a choice is considered when the bot does not search."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        if not has_kernel(game.key, state, seat):
            return greedy.ranked_actions(game, state, seat, rng, self.visible)[0][1]
        position, weights = position_and_weights(game.key, state, seat)
        return position.action(self.ranked(position, weights, rng)[1][0][1])

    def explain(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> tuple[int, Iterable[ConsideredAction]]:
        """Returns the number of simulations and the best options; the first one is the choice of the bot."""
        if not has_kernel(game.key, state, seat):
            return greedy.explain(game, state, seat, rng, self.visible)
        position, weights = position_and_weights(game.key, state, seat)
        games, ranked = self.ranked(position, weights, rng)
        usual = mean_features(
            [position.feature_values(weights, choice) for _, choice in position.choice_values(weights)] or [{}]
        )
        now = position.feature_values(weights, None)
        options = [
            _option(position.action(choice), expected, position.feature_values(weights, choice), usual, now)
            for expected, choice in ranked[:MAX_OPTIONS]
        ]
        return games, options

    def ranked(self, position: Position, weights: Floats, rng: Rng) -> tuple[int, RankedChoices]:
        """Returns the number of simulations and the considered choices, best first.

        Stopping, where allowed, is worth the current score, so it comes first if every other choice has a lower value.
        """
        games, found = 0, RankedChoices()
        if self.simulations:
            games, found = self._search(position, weights, rng.below(2**64))
        else:
            found = self._without_search(position.choice_values(weights), rng)
        return games, sorted(
            [*found, *position.stop_values], key=lambda pair: -pair[0]
        ) if position.stop_values else found

    def _search(self, position: Position, weights: Floats, seed: int) -> tuple[int, RankedChoices]:
        """Searches by simulation, or exactly once all continuations can be enumerated."""
        ways = position.count_continuations(self.solve_limit)
        if ways < self.solve_limit:
            return ways, position.solve()
        return position.search(weights, self._simulation_budget, self.width, new_rng(seed))

    @property
    def effort(self) -> int:
        """Approximate cost of a decision in simulations."""
        return self.simulations

    @property
    def solve_limit(self) -> int:
        """Number of continuations below which it enumerates all of them instead of simulating."""
        return self._simulation_budget * FUTURES_PER_SIMULATION

    @property
    def _simulation_budget(self) -> int:
        return self.simulations if FAST else max(self.width, self.simulations // PLAIN_PYTHON_SLOWDOWN)

    def _without_search(self, valued: RankedChoices, rng: Rng) -> RankedChoices:
        """Returns the considered choices (at least one), best first; ties for the first place are broken at random."""
        found = [pair for pair in valued if rng.below(self.visible[1]) < self.visible[0]] or valued
        most = max((value for value, _ in found), default=0.0)
        ties = sorted(choice for value, choice in found if value == most)
        first = rng.choice(ties) if ties else None
        return sorted(found, key=lambda pair: (-pair[0], pair[1] != first))


def _option(
    action: Any, expected: float, parts: FeaturePoints, usual: FeaturePoints, now: FeaturePoints
) -> ConsideredAction:
    """An option of an explanation. Stopping has no features, so it gets no phrases."""
    why = (feature_differences(parts, usual), *sayings(parts, usual, now)) if parts else ({}, (), ())
    return ConsideredAction(action, round(expected, 2), *why)


def position_and_weights(key: str, state: Any, seat: int) -> tuple[Position, Floats]:
    """Returns the position of a seat and the feature weights of its part of the game."""
    position = position_of(key, state, seat)
    return position, flat_weights(weights_for(key, position.part, position.site), features_of(key))


LEVELS: dict[str, BotLevel] = {
    "level-1": BotLevel(visible=(3, 4)),
    "level-2": BotLevel(simulations=8, width=3),
    "level-3": BotLevel(simulations=150, width=12),
    "level-4": BotLevel(simulations=600, width=16),
    "level-5": BotLevel(simulations=2400, width=24),
}
DEFAULT = "level-3"
NOVICE = BotLevel(visible=(1, 4))
"""Opponent for a first game: overlooks three of four choices. Scores about 10 points in the eternal game of My City and
about 31 in Point City; level-1 scores 24 and 40."""
SIGHT = BotLevel()
"""The tuned weights without search, for comparisons."""
