"""Files of trained nets and patterns (`nets/`): a JSON line with their provenance, then compressed numbers.

A net contains a bit mask of the non-zero rows of the first layer, those rows as words of four 16-bit integers each, and
the other layers as 32-bit floats; `train/net_export.py` writes it. Patterns are 16-bit integers in units of
1 / `STEPS_PER_POINT`; `train/episode_courses.py` writes them.
"""

import sys
import zlib
from array import array
from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.placing.net_inference import FIRST_LAYER_WORDS, LAYERS_SIZE, ValueModel
from polyopolis.kernels.placing.net_inputs import INPUT_WORDS
from polyopolis.kernels.placing.pattern_values import PATTERN_COUNT
from polyopolis.kernels.runtime.jit import floats, words

NET_SUFFIX, PATTERNS_SUFFIX = ".net", ".patterns"
STEPS_PER_POINT = 256
"""Unit of pattern values. A power of two, so that sums are exact in any order."""
STEPS_PER_ROUNDING = 4
"""Trained values are rounded to multiples of this, which makes files a quarter smaller at the same strength."""
INPUT_BITS = 64 * INPUT_WORDS


class BadNet(PolyopolisError):
    """The file does not contain a net or patterns for these kernels."""


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a net or patterns were trained."""

    game: str
    figures: str
    """Measured score, on luck that was not used for training."""
    device: str
    courses: list[dict[str, Any]]
    """Training courses of the net and of its predecessors, in order."""


def pack_net(provenance: Provenance, rows: dict[int, list[int]], layers: list[float]) -> bytes:
    """Contents of a net file. `rows` are the non-zero rows of the first layer by input bit."""
    there = sum(1 << bit for bit in rows).to_bytes(INPUT_BITS // 8 + 8, "little")
    flat = array("Q", [word for bit in sorted(rows) for word in rows[bit]])
    behind = array("f", layers)
    if sys.byteorder == "big":
        flat.byteswap()
        behind.byteswap()
    body = zlib.compress(there + flat.tobytes() + behind.tobytes(), 9)
    return msgspec.json.encode(provenance) + b"\n" + body


def unpack_net(file: bytes) -> tuple[Provenance, ValueModel]:
    line, _, body = file.partition(b"\n")
    numbers = zlib.decompress(body)
    head = INPUT_BITS // 8 + 8
    there = int.from_bytes(numbers[:head], "little")
    bits = [bit for bit in range(INPUT_BITS + 1) if there >> bit & 1]
    flat, behind = array("Q"), array("f")
    flat.frombytes(numbers[head : head + 8 * FIRST_LAYER_WORDS * len(bits)])
    behind.frombytes(numbers[head + 8 * FIRST_LAYER_WORDS * len(bits) :])
    if sys.byteorder == "big":
        flat.byteswap()
        behind.byteswap()
    if len(behind) != LAYERS_SIZE:
        raise BadNet(f"the net has {len(behind)} numbers after its first layer; these kernels need {LAYERS_SIZE}")
    rows = array("Q", bytes(8 * FIRST_LAYER_WORDS * (INPUT_BITS + 1)))
    for number, bit in enumerate(bits):
        rows[FIRST_LAYER_WORDS * bit : FIRST_LAYER_WORDS * (bit + 1)] = flat[
            FIRST_LAYER_WORDS * number : FIRST_LAYER_WORDS * (number + 1)
        ]
    return msgspec.json.decode(line, type=Provenance), ValueModel(words(rows), floats(behind), floats([]))


def quantise_patterns(numbers: Iterable[float]) -> list[int]:
    """Pattern values as integers, rounded to multiples of `STEPS_PER_ROUNDING`."""
    return [STEPS_PER_ROUNDING * round(STEPS_PER_POINT / STEPS_PER_ROUNDING * number) for number in numbers]


def pattern_model(steps: Iterable[int]) -> ValueModel:
    return ValueModel(words([]), floats([]), floats(step / STEPS_PER_POINT for step in steps))


def pack_patterns(provenance: Provenance, steps: Iterable[int]) -> bytes:
    """Contents of a patterns file."""
    numbers = array("h", steps)
    if sys.byteorder == "big":
        numbers.byteswap()
    return msgspec.json.encode(provenance) + b"\n" + zlib.compress(numbers.tobytes(), 9)


def unpack_patterns(file: bytes) -> tuple[Provenance, ValueModel]:
    line, _, body = file.partition(b"\n")
    numbers = array("h", zlib.decompress(body))
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != PATTERN_COUNT:
        raise BadNet(f"the file has {len(numbers)} pattern values; these kernels need {PATTERN_COUNT}")
    return msgspec.json.decode(line, type=Provenance), pattern_model(numbers)


@cache
def load_model(name: str) -> ValueModel | None:
    """Loads the net or the patterns of this name; None if there is no file."""
    for suffix, read in ((NET_SUFFIX, unpack_net), (PATTERNS_SUFFIX, unpack_patterns)):
        path = files("polyopolis.bots") / "nets" / f"{name}{suffix}"
        if path.is_file():
            return read(path.read_bytes())[1]
    return None
