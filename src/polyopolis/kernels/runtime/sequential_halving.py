"""Sequential halving: all choices are tried equally often, then the better half of them, and so on."""

from typing import NamedTuple

from polyopolis.kernels.runtime.array_ops import sort
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


class Found(NamedTuple):
    """What a search finds: choices, and what each comes to on average."""

    choices: Ints
    means: Floats

    def best_first(self, number: int) -> list[tuple[float, int]]:
        """So many of them, for whoever asked."""
        return [(float(self.means[at]), int(self.choices[at])) for at in range(number)]


@jit
def rounds_for(choices: int) -> int:
    """How often so many choices are halved until one is left; one alone is tried once, too."""
    rounds = 1
    while 1 << rounds < choices:
        rounds += 1
    return rounds


@jit
def games_of_each(simulations: int, rounds: int, left: int) -> int:
    """How often each choice that is left is tried in a round: the same share of all simulations for every round."""
    return max(1, simulations // rounds // max(left, 2))


@jit
def halved(left: int) -> int:
    return (left + 1) // 2


@jit
def narrowed(found: Found, left: int, tried: int) -> int:
    """The better half comes first and is left; of the others it is written what they lack to the best one."""
    sort(found.choices, found.means, left, left)
    keep = halved(left)
    for choice in range(keep, left):
        found.means[choice] = (found.means[choice] - found.means[0]) / tried
    return keep


@jit
def write_means(found: Found, width: int, tried: int) -> None:
    """What the best one comes to, and with that all others."""
    found.means[0] /= tried
    for choice in range(1, width):
        found.means[choice] += found.means[0]
