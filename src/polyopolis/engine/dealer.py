"""The random generator of all games; docs/decisions/0002-random-numbers.md specifies it."""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from typing import TypeVar

Item = TypeVar("Item")


def seed_of(text: str) -> bytes:
    """The seed that a person names by a word or a number."""
    return sha256(b"polyopolis seed " + text.encode()).digest()


def derive_seed(seed: bytes, use: str, number: int) -> bytes:
    """The seed for one use of a seed, as for match number k of a campaign. The way back is closed."""
    return sha256(b"polyopolis %s %d " % (use.encode(), number) + seed).digest()


def below(seed: bytes, number: int, limit: int) -> int:
    """Draw number `number` of a seed: a whole number from 0 to limit - 1, each as likely as the others."""
    if not 0 < limit <= 2**64:
        raise ValueError(f"a draw is below a limit of 1 to 2**64, not {limit}")
    top = 2**64 - 2**64 % limit
    attempt = 0
    while (word := _word(seed, number, attempt)) >= top:
        attempt += 1
    return word % limit


def _word(seed: bytes, number: int, attempt: int) -> int:
    return int.from_bytes(sha256(b"polyopolis draw %d %d " % (number, attempt) + seed).digest()[:8])


class Dealer:
    """Deals from a seed: what it deals as number n depends on the seed, n and the odds alone."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def pick(self, number: int, odds: Sequence[tuple[Item, int]]) -> Item:
        sums = list(accumulate(weight for _, weight in odds))
        return odds[bisect_right(sums, below(self.seed, number, sums[-1]))][0]


class Rng:
    """Draws in a row from one seed, for bots and arenas; the same in every process and on every platform."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        self._drawn += 1
        return below(self._seed, self._drawn - 1, limit)

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]
