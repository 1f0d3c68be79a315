"""Five levels of play, from a beginner to the best there is. What a level does is limited by simulations, not by time.

Levels 1 and 2 look at what each choice is worth at sight; level 1 overlooks most of them. Levels 3 to 5 play choices to
the end, again and again, with the same luck for all of them, and stop when even the best comes to less than they have.
"""

from dataclasses import dataclass
from typing import Any

from polyopolis.bots.greedy import greedy
from polyopolis.bots.random import random
from polyopolis.bots.weighing import flat, weights_for
from polyopolis.engine import AnyGame, Rng
from polyopolis.kernels import FAST
from polyopolis.kernels.cities import Position, position_of
from polyopolis.kernels.compiled import Floats
from polyopolis.kernels.placing import STOP
from polyopolis.kernels.tables import has_kernel

SLOWER = 40
"""In plain Python a level has so many times fewer simulations."""


@dataclass(frozen=True)
class Level:
    """A bot. Where a game has no kernel it plays as greedy or, if it overlooks much, as random."""

    simulations: int = 0
    width: int = 0
    """So many choices are tried, those that are worth most at sight."""
    sees: int = 1
    """It sees one choice in so many."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        if not has_kernel(game.key, state, seat):
            return (greedy if self.sees == 1 else random)(game, state, seat, rng)
        position = position_of(game.key, state, seat)
        weights = flat(weights_for(game.key, part_of(state), position.city.site))
        if self.simulations:
            choice = position.searched(weights, self._affordable, self.width, rng.below(2**64))
        else:
            choice = self._at_sight(position, weights, rng)
        return position.action(choice)

    @property
    def _affordable(self) -> int:
        return self.simulations if FAST else max(self.width, self.simulations // SLOWER)

    def _at_sight(self, position: Position, weights: Floats, rng: Rng) -> int:
        """What is worth most of what it sees, and it sees something."""
        valued = position.valued(weights)
        seen = [pair for pair in valued if rng.below(self.sees) == 0] or valued
        most = max((value for value, _ in seen), default=0.0)
        if not seen or most < position.outcome:
            return STOP
        return rng.choice(sorted(choice for value, choice in seen if value == most))


def part_of(state: Any) -> str:
    """The part of a game whose weights hold: an episode by its number, or the whole game."""
    episode = getattr(state.episode, "number", None)
    return "all" if episode is None else f"episode-{episode}"


LEVELS: dict[str, Level] = {
    "level-1": Level(sees=6),
    "level-2": Level(),
    "level-3": Level(simulations=500, width=16),
    "level-4": Level(simulations=2000, width=24),
    "level-5": Level(simulations=8000, width=32),
}
DEFAULT = "level-3"
