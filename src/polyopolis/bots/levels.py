"""Five levels of play, from a beginner to one that is hard to beat. What a level does is limited by simulations, not by
time. A sixth one, `master`, has learnt: `master.py`.

Level 1 looks at what each choice is worth at sight, and overlooks some. The others play on from each choice, again and
again, with the same luck for all of them, and stop when even the best comes to less than they have.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from polyopolis.bots import greedy
from polyopolis.bots.explainer_protocol import MOST, Option, Parts, average, beside
from polyopolis.bots.explanation_phrases import sayings
from polyopolis.bots.feature_weights import flat, weights_for
from polyopolis.engine import AnyGame, Rng
from polyopolis.kernels import FAST
from polyopolis.kernels.positions import Position, features_of, has_kernel, position_of
from polyopolis.kernels.runtime.jit import Floats
from polyopolis.kernels.runtime.rng import luck_of

Ranked = list[tuple[float, int]]
"""Choices, each with what it is worth."""

FUTURES = 10
"""Ways to play on that are looked at in the time of one simulation."""
SLOWER = 40
"""In plain Python a level has so many times fewer simulations."""


@dataclass(frozen=True)
class Level:
    """A bot. Where a game has no kernel it plays as greedy does, as far as it sees."""

    simulations: int = 0
    width: int = 0
    """So many choices are tried, those that are worth most at sight."""
    sees: greedy.Share = greedy.ALL
    """Where it only looks it sees so many of so many choices."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        if not has_kernel(game.key, state, seat):
            return greedy.ranked(game, state, seat, rng, self.sees)[0][1]
        position, weights = seen(game.key, state, seat)
        return position.action(self.ranked(position, weights, rng)[1][0][1])

    def explain(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> tuple[int, Iterable[Option]]:
        """How many games it plays to find out, and what it thinks of; the first option is what it does."""
        if not has_kernel(game.key, state, seat):
            return greedy.explain(game, state, seat, rng, self.sees)
        position, weights = seen(game.key, state, seat)
        games, ranked = self.ranked(position, weights, rng)
        usual = average([position.parts(weights, choice) for _, choice in position.valued(weights)] or [{}])
        now = position.parts(weights, None)
        options = [
            _option(position.action(choice), expected, position.parts(weights, choice), usual, now)
            for expected, choice in ranked[:MOST]
        ]
        return games, options

    def ranked(self, position: Position, weights: Floats, rng: Rng) -> tuple[int, Ranked]:
        """How many games it plays to find out, and all choices that it thinks of, the best first.

        To stop, where one may, is worth what one has, and is chosen when even the best choice comes to less.
        """
        games, found = 0, Ranked()
        if self.simulations:
            games, found = self._searched(position, weights, rng.below(2**64))
        else:
            found = self._at_sight(position.valued(weights), rng)
        return games, sorted([*found, *position.stopping], key=lambda pair: -pair[0]) if position.stopping else found

    def _searched(self, position: Position, weights: Floats, seed: int) -> tuple[int, Ranked]:
        """Chance is left to chance until so little may come that all of it can be looked at."""
        ways = position.futures(self.limit)
        if ways < self.limit:
            return ways, position.solved()
        return position.searched(weights, self._affordable, self.width, luck_of(seed))

    @property
    def effort(self) -> int:
        """About how long it thinks, in simulations by what is worth most at sight."""
        return self.simulations

    @property
    def limit(self) -> int:
        """Ways to play on that it looks at, all of them, instead of searching."""
        return self._affordable * FUTURES

    @property
    def _affordable(self) -> int:
        return self.simulations if FAST else max(self.width, self.simulations // SLOWER)

    def _at_sight(self, valued: Ranked, rng: Rng) -> Ranked:
        """What it sees, and it sees something; one of those that are worth most is first."""
        found = [pair for pair in valued if rng.below(self.sees[1]) < self.sees[0]] or valued
        most = max((value for value, _ in found), default=0.0)
        ties = sorted(choice for value, choice in found if value == most)
        first = rng.choice(ties) if ties else None
        return sorted(found, key=lambda pair: (-pair[0], pair[1] != first))


def _option(action: Any, expected: float, parts: Parts, usual: Parts, now: Parts) -> Option:
    """To stop has no parts: nothing is left to be weighed."""
    why = (beside(parts, usual), *sayings(parts, usual, now)) if parts else ({}, (), ())
    return Option(action, round(expected, 2), *why)


def seen(key: str, state: Any, seat: int) -> tuple[Position, Floats]:
    """What a seat decides on, and the weights that hold there."""
    position = position_of(key, state, seat)
    return position, flat(weights_for(key, position.part, position.site), features_of(key))


LEVELS: dict[str, Level] = {
    "level-1": Level(sees=(3, 4)),
    "level-2": Level(simulations=8, width=3),
    "level-3": Level(simulations=150, width=12),
    "level-4": Level(simulations=600, width=16),
    "level-5": Level(simulations=2400, width=24),
}
DEFAULT = "level-3"
NOVICE = Level(sees=(1, 4))
"""For somebody's first games: it overlooks most of what it could do. It comes to about 10 points in the eternal game of
My City and to about 31 in Point City, where level-1 has 24 and 40."""
SIGHT = Level()
"""What the tuned values are worth without a search: a yardstick."""
