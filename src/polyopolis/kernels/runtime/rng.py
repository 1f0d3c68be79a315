"""Random numbers by splitmix64. A generator is an array of one word, which is passed to the kernels by the caller."""

from polyopolis.kernels.runtime.jit import ALL_BITS, S, U, Words, jit, words


@jit
def next_word(rng: Words) -> int:
    """Returns the next word of a generator (splitmix64)."""
    rng[0] = rng[0] + U(0x9E3779B97F4A7C15) & ALL_BITS
    mixed = rng[0]
    mixed = (mixed ^ mixed >> U(30)) * U(0xBF58476D1CE4E5B9) & ALL_BITS
    mixed = (mixed ^ mixed >> U(27)) * U(0x94D049BB133111EB) & ALL_BITS
    return mixed ^ mixed >> U(31)


@jit
def random_below(rng: Words, limit: int) -> int:
    """Returns a random number from 0 to `limit - 1`, from the upper 32 bits of a word."""
    return S((next_word(rng) >> U(32)) * U(limit) >> U(32))


def new_rng(seed: int) -> Words:
    return words([seed % 2**64])


def future_seeds(seed: int, number: int) -> Words:
    """Returns the generator states of `number` futures. A larger `number` begins with the same ones."""
    rng = new_rng(seed)
    return words([int(next_word(rng)) for _ in range(number)])
