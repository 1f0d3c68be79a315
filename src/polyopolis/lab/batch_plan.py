"""What a batch is made of: arrays that all games share, and the arrays of each game. It knows no machine."""

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
"""The functions of `stepping/`, each with the arrays that it takes, in their order. `wander` takes a number more, and
`sight_of` goes over choices: whose each is say its owners, which only the call for all choices takes."""

WHOLE = frozenset((
    "land", "law", "first_city", "first_book", "deck", "sizes", "first", "numbers", "owners",
))  # fmt: skip
"""Arrays of which there is one for all."""
OF_CHOICES = frozenset(("number", "seen", "sight", "points"))
"""Arrays with a row for each choice, wherever the arrays of games are columns."""

WORDS, INTS, FLOATS = numpy.dtype(numpy.uint64), numpy.dtype(numpy.int64), numpy.dtype(numpy.float64)
KINDS: Mapping[str, numpy.dtype[Any]] = {
    **dict.fromkeys(("land", "first_city", "city", "luck", "whim", "masks", "sight"), WORDS),
    **dict.fromkeys(("rewards", "totals"), FLOATS),
}  # fmt: skip


def kind_of(array: str) -> numpy.dtype[Any]:
    """Of the numbers in an array."""
    return KINDS.get(array, INTS)


def whole_numbers(array: Any, name: str) -> Any:
    """The array, unless it holds fractions or no numbers at all: a rounded action would be another one."""
    if not numpy.can_cast(array.dtype, kind_of(name), "same_kind"):
        raise TypeError(f"{name} are whole numbers, not {array.dtype}")
    return array


LINE = 8
"""Numbers that a processor brings from memory together."""


def whole(length: int) -> int:
    """As many numbers as whole lines have: so rows lie in memory like the first."""
    return -(-length // LINE) * LINE


def in_lines(shape: tuple[int, ...], kind: numpy.dtype[Any], first: int = 0) -> Numbers:
    """Zeros, the first of which, or this one, lies where a line begins: numbers that are read together lie in one."""
    line, size = LINE * kind.itemsize, kind.itemsize * int(numpy.prod(shape))
    room = numpy.zeros(size + line, dtype=numpy.uint8)
    begin = (-room.ctypes.data - first * kind.itemsize) % line
    return room[begin : begin + size].view(kind).reshape(shape)


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
    choices: Mapping[str, int] = field(default_factory=dict)
    """Lengths of the arrays of each choice."""

    def begun(self, luck: Numbers) -> dict[str, Numbers]:
        """The arrays of all games before any begins; luck has two words for each. Masks begin with a line."""
        games, (masks, first, _) = len(luck) // 2, self.fits
        own = {
            name: in_lines((games, length), kind_of(name), first if name == masks else 0)
            for name, length in self.lengths.items()
        }
        own["luck"][:, 0], own["whim"][:, 0] = luck[:games], luck[games:]
        return own


def packed(plan: Plan) -> dict[str, Any]:
    """A plan as arrays with names, for a file."""
    return {
        "program": plan.program,
        "numbers": plan.numbers,
        **{f"shared.{key}": array for key, array in plan.shared.items()},
        **{f"length.{key}": length for key, length in plan.lengths.items()},
        **{f"choice.{key}": length for key, length in plan.choices.items()},
    }


def unpacked(arrays: Mapping[str, Numbers]) -> Plan:
    """The plan that was packed, but for where its masks lie."""
    parts: dict[str, dict[str, Numbers]] = {"shared": {}, "length": {}, "choice": {}}
    for key, value in arrays.items():
        part, _, name = key.partition(".")
        if part in parts:
            parts[part][name] = value
    lengths, choices = ({name: int(value) for name, value in parts[part].items()} for part in ("length", "choice"))
    program, numbers = str(arrays["program"]), int(arrays["numbers"])
    return Plan(program, numbers, parts["shared"], lengths, ("", 0, 0), choices)
