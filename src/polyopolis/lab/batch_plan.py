"""Arrays and functions of a batch, as data. It imports no other module of the package."""

from collections.abc import Mapping
from dataclasses import dataclass, field
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
        "count": ("city", "desk", "counts"),
        "spread": ("sizes", "city", "desk", "ends", "numbers"),
        "sight_of": (
            "land", "law", "sizes", "city", "book", "desk", "owners", "number", "seen", "sight", "points",
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
"""Functions in `stepping/` with their arrays, in order. `wander` also takes a number of steps. `sight_of` runs per
choice: `owners` holds the game of each choice and is only passed to the loop over all choices."""

SHARED_ARRAYS = frozenset((
    "land", "law", "first_city", "first_book", "deck", "sizes", "first", "numbers", "owners",
))  # fmt: skip
"""Arrays that all games share."""
CHOICE_ARRAYS = frozenset(("number", "seen", "sight", "points"))
"""Arrays with a row per choice, in every memory layout."""

WORDS, INTS, FLOATS = numpy.dtype(numpy.uint64), numpy.dtype(numpy.int64), numpy.dtype(numpy.float64)
DTYPES: Mapping[str, numpy.dtype[Any]] = {
    **dict.fromkeys(("land", "first_city", "city", "luck", "whim", "masks", "sight"), WORDS),
    **dict.fromkeys(("rewards", "totals"), FLOATS),
}  # fmt: skip


def dtype_of(array: str) -> numpy.dtype[Any]:
    return DTYPES.get(array, INTS)


def require_integers(array: Any, name: str) -> Any:
    """Returns the array. Raises `TypeError` if it does not hold integers: a rounded action would be another action."""
    if not numpy.can_cast(array.dtype, dtype_of(name), "same_kind"):
        raise TypeError(f"{name} must be whole numbers, not {array.dtype}")
    return array


CACHE_LINE_NUMBERS = 8
"""Numbers per cache line."""


def pad_to_line(length: int) -> int:
    """Rounds up to whole cache lines, so that all rows have the same alignment."""
    return -(-length // CACHE_LINE_NUMBERS) * CACHE_LINE_NUMBERS


def aligned_zeros(shape: tuple[int, ...], kind: numpy.dtype[Any], first: int = 0) -> Numbers:
    """Returns zeros of which number `first` lies at the start of a cache line, so that related numbers share lines."""
    line, size = CACHE_LINE_NUMBERS * kind.itemsize, kind.itemsize * int(numpy.prod(shape))
    room = numpy.zeros(size + line, dtype=numpy.uint8)
    begin = (-room.ctypes.data - first * kind.itemsize) % line
    return room[begin : begin + size].view(kind).reshape(shape)


@dataclass(frozen=True, eq=False)
class BatchPlan:
    """Layout of a batch, independent of devices."""

    program: str
    """Step functions: `cities` or `drafts`."""
    numbers: int
    """Number of action numbers."""
    shared: Mapping[str, Numbers]
    lengths: Mapping[str, int]
    """Lengths of the arrays of each game."""
    fits: tuple[str, int, int]
    """Location of the bits of legal actions: array, first word, number of words."""
    choices: Mapping[str, int] = field(default_factory=dict)
    """Lengths of the arrays of each choice."""

    def new_arrays(self, luck: Numbers) -> dict[str, Numbers]:
        """Allocates the arrays of all games. `luck` has two words per game. The bits of legal actions begin with a
        cache line."""
        games, (masks, first, _) = len(luck) // 2, self.fits
        own = {
            name: aligned_zeros((games, length), dtype_of(name), first if name == masks else 0)
            for name, length in self.lengths.items()
        }
        own["luck"][:, 0], own["whim"][:, 0] = luck[:games], luck[games:]
        return own


def pack_plan(plan: BatchPlan) -> dict[str, Any]:
    """Returns the plan as named arrays, for a file."""
    return {
        "program": plan.program,
        "numbers": plan.numbers,
        **{f"shared.{key}": array for key, array in plan.shared.items()},
        **{f"length.{key}": length for key, length in plan.lengths.items()},
        **{f"choice.{key}": length for key, length in plan.choices.items()},
    }


def unpack_plan(arrays: Mapping[str, Numbers]) -> BatchPlan:
    """Returns a packed plan. `fits` is not stored."""
    parts: dict[str, dict[str, Numbers]] = {"shared": {}, "length": {}, "choice": {}}
    for key, value in arrays.items():
        part, _, name = key.partition(".")
        if part in parts:
            parts[part][name] = value
    lengths, choices = ({name: int(value) for name, value in parts[part].items()} for part in ("length", "choice"))
    program, numbers = str(arrays["program"]), int(arrays["numbers"])
    return BatchPlan(program, numbers, parts["shared"], lengths, ("", 0, 0), choices)
