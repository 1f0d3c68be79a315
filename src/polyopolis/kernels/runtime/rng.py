"""Luck: numbers of a generator whose state is an array of one word.

Whoever asks a kernel brings luck along, and so decides which futures are played.
"""

from polyopolis.kernels.runtime.jit import FULL, S, U, Words, jit, words


@jit
def drawn(luck: Words) -> int:
    """The next number of a generator (splitmix64)."""
    luck[0] = luck[0] + U(0x9E3779B97F4A7C15) & FULL
    mixed = luck[0]
    mixed = (mixed ^ mixed >> U(30)) * U(0xBF58476D1CE4E5B9) & FULL
    mixed = (mixed ^ mixed >> U(27)) * U(0x94D049BB133111EB) & FULL
    return mixed ^ mixed >> U(31)


@jit
def below(luck: Words, limit: int) -> int:
    """A number from 0 to limit - 1, by the upper 32 bits of a draw."""
    return S((drawn(luck) >> U(32)) * U(limit) >> U(32))


def luck_of(seed: int) -> Words:
    """A generator."""
    return words([seed % 2**64])


def futures_of(seed: int, number: int) -> Words:
    """So many futures: where the generator of each of them begins. More of them begin with the same ones."""
    luck = luck_of(seed)
    return words([int(drawn(luck)) for _ in range(number)])
