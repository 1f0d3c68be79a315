"""Sequential halving: all candidates get the same number of simulations, then the better half of them, and so on."""

from typing import NamedTuple

from polyopolis.kernels.runtime.array_ops import partial_sort
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


class SearchResult(NamedTuple):
    """Choices of a search, and the mean value of each."""

    choices: Ints
    means: Floats

    def best_first(self, number: int) -> list[tuple[float, int]]:
        """Returns the first `number` choices with their means."""
        return [(float(self.means[at]), int(self.choices[at])) for at in range(number)]


@jit
def round_count(choices: int) -> int:
    """Returns the number of rounds that reduce `choices` to one; at least 1."""
    rounds = 1
    while 1 << rounds < choices:
        rounds += 1
    return rounds


@jit
def games_per_choice(simulations: int, rounds: int, left: int) -> int:
    """Returns the simulations of each remaining choice in a round. Every round gets the same share of all
    simulations."""
    return max(1, simulations // rounds // max(left, 2))


@jit
def half_of(left: int) -> int:
    return (left + 1) // 2


@jit
def keep_better_half(found: SearchResult, left: int, tried: int) -> int:
    """Moves the better half of the choices to the front and returns its size. The means of the others are replaced by
    their mean difference to the best."""
    partial_sort(found.choices, found.means, left, left)
    keep = half_of(left)
    for choice in range(keep, left):
        found.means[choice] = (found.means[choice] - found.means[0]) / tried
    return keep


@jit
def finish_means(found: SearchResult, width: int, tried: int) -> None:
    """Turns the sum of the best choice into its mean, and the differences of the others into means."""
    found.means[0] /= tried
    for choice in range(1, width):
        found.means[choice] += found.means[0]
