"""Deterministic randomness from a seed, specified in docs/decisions/0002-random-numbers.md."""

from bisect import bisect_right
from collections.abc import Sequence
from hashlib import sha256
from itertools import accumulate
from typing import TypeVar

Item = TypeVar("Item")


def seed_of(text: str) -> bytes:
    """Returns the seed for a text that a person chose."""
    return sha256(b"polyopolis seed " + text.encode()).digest()


def derive_seed(seed: bytes, use: str, number: int) -> bytes:
    """Returns a seed for one use of another, such as match `number` of a campaign. It does not reveal that seed."""
    return sha256(b"polyopolis %s %d " % (use.encode(), number) + seed).digest()


def below(seed: bytes, number: int, limit: int) -> int:
    """Returns draw `number` of a seed: a uniformly distributed integer from 0 to `limit - 1`."""
    if not 0 < limit <= 2**64:
        raise ValueError(f"the limit of a draw is 1 to 2**64, not {limit}")
    top = 2**64 - 2**64 % limit
    attempt = 0
    while (word := _word(seed, number, attempt)) >= top:
        attempt += 1
    return word % limit


def _word(seed: bytes, number: int, attempt: int) -> int:
    return int.from_bytes(sha256(b"polyopolis draw %d %d " % (number, attempt) + seed).digest()[:8])


class Dealer:
    """Draws chance events from a seed. Draw `number` depends only on the seed, the number and the odds."""

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def pick(self, number: int, odds: Sequence[tuple[Item, int]]) -> Item:
        sums = list(accumulate(weight for _, weight in odds))
        return odds[bisect_right(sums, below(self.seed, number, sums[-1]))][0]


class Rng:
    """Consecutive draws from one seed, for bots and arenas; the same in every process and on every platform."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._drawn = 0

    def below(self, limit: int) -> int:
        self._drawn += 1
        return below(self._seed, self._drawn - 1, limit)

    def choice(self, items: Sequence[Item]) -> Item:
        return items[self.below(len(items))]
