"""Sequential halving: all choices are tried equally often, then the better half of them, and so on."""

from typing import NamedTuple

from polyopolis.kernels.compiled import Floats, Ints, jit


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
