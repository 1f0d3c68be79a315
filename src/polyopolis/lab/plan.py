"""What a batch is made of: arrays that all games share, and the arrays of each game. It knows no machine."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

Numbers = NDArray[Any]

FUNCTIONS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "cities": {
        "begin": ("land", "law", "first_city", "first_book", "deck", "city", "book", "desk", "luck"),
        "step": (
            "land", "law", "first_city", "first_book", "deck", "sizes", "city", "book", "desk", "luck", "out",
            "actions", "rewards", "overs",
        ),
        "choose": ("sizes", "city", "desk", "whim", "actions"),
        "wander": (
            "land", "law", "first_city", "first_book", "deck", "sizes", "city", "book", "desk", "luck", "whim", "out",
            "actions", "rewards", "overs", "totals",
        ),
    },
    "drafts": {
        "begin": ("law", "first", "draft", "luck", "found", "masks"),
        "step": ("law", "first", "draft", "luck", "found", "masks", "actions", "rewards", "overs"),
        "choose": ("masks", "whim", "actions"),
        "wander": (
            "law", "first", "draft", "luck", "whim", "found", "masks", "actions", "rewards", "overs", "totals",
        ),
    },
}  # fmt: skip
"""The functions of `stepping/`, each with the arrays that it takes, in their order. `wander` takes a number more."""

WORDS, INTS, FLOATS = numpy.dtype(numpy.uint64), numpy.dtype(numpy.int64), numpy.dtype(numpy.float64)
KINDS: Mapping[str, numpy.dtype[Any]] = {
    **dict.fromkeys(("land", "first_city", "city", "luck", "whim", "masks"), WORDS),
    **dict.fromkeys(("rewards", "totals"), FLOATS),
}  # fmt: skip


def kind_of(array: str) -> numpy.dtype[Any]:
    """Of the numbers in an array."""
    return KINDS.get(array, INTS)


@dataclass(frozen=True, eq=False)
class Plan:
    """A batch before it is laid out anywhere."""

    program: str
    """Whose functions step it: cities, or drafts."""
    numbers: int
    """What can be decided has a number below this."""
    shared: Mapping[str, Numbers]
    lengths: Mapping[str, int]
    """Of the arrays of each game."""
    fits: tuple[str, int, int]
    """Where the bits of what is allowed stand: in which array, from where, how many words."""

    def begun(self, luck: Numbers) -> dict[str, Numbers]:
        """The arrays of all games before any begins; luck has two words for each."""
        games = len(luck) // 2
        own = {name: numpy.zeros((games, length), dtype=kind_of(name)) for name, length in self.lengths.items()}
        own["luck"][:, 0], own["whim"][:, 0] = luck[:games], luck[games:]
        return own
