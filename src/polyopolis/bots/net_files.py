"""Nets and patterns that have learnt, each a file: a line that says where it comes from, and its numbers, packed.

The numbers of a net are a bit for each row of the first layer that is there, those rows as words of four whole numbers
each, and the layers behind as floats of 32 bits. Who writes such a file is `train/net_export.py`. Those of patterns are
whole numbers of 16 bits, parts of a point; `train/episode_courses.py` writes them.
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
from polyopolis.kernels.placing.net_inference import LAYERS, PACKED, Judge
from polyopolis.kernels.placing.net_inputs import SIGHT
from polyopolis.kernels.placing.pattern_values import PATTERNS
from polyopolis.kernels.runtime.jit import floats, words

SUFFIX, PATTERNED = ".net", ".patterns"
STEP = 256
"""Of a point: sums of such parts are exact, in any order."""
ROUND = 4
"""Patterns that are learnt are rounded to so many of them: a file is a quarter smaller, and says the same."""
BITS = 64 * SIGHT


class BadNet(PolyopolisError):
    """A file that is no net for these kernels."""


class Provenance(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where a net comes from."""

    game: str
    figures: str
    """What it scores, on luck that it did not learn from."""
    device: str
    courses: list[dict[str, Any]]
    """What it and its teachers learnt by, the last one last."""


def packed(provenance: Provenance, rows: dict[int, list[int]], layers: list[float]) -> bytes:
    """A net as a file: the rows of the first layer that are not nothing, by bit, as words."""
    there = sum(1 << bit for bit in rows).to_bytes(BITS // 8 + 8, "little")
    flat = array("Q", [word for bit in sorted(rows) for word in rows[bit]])
    behind = array("f", layers)
    if sys.byteorder == "big":
        flat.byteswap()
        behind.byteswap()
    body = zlib.compress(there + flat.tobytes() + behind.tobytes(), 9)
    return msgspec.json.encode(provenance) + b"\n" + body


def unpacked(file: bytes) -> tuple[Provenance, Judge]:
    line, _, body = file.partition(b"\n")
    numbers = zlib.decompress(body)
    head = BITS // 8 + 8
    there = int.from_bytes(numbers[:head], "little")
    bits = [bit for bit in range(BITS + 1) if there >> bit & 1]
    flat, behind = array("Q"), array("f")
    flat.frombytes(numbers[head : head + 8 * PACKED * len(bits)])
    behind.frombytes(numbers[head + 8 * PACKED * len(bits) :])
    if sys.byteorder == "big":
        flat.byteswap()
        behind.byteswap()
    if len(behind) != LAYERS:
        raise BadNet(f"a net with {len(behind)} numbers behind its first layer; these kernels take {LAYERS}")
    rows = array("Q", bytes(8 * PACKED * (BITS + 1)))
    for number, bit in enumerate(bits):
        rows[PACKED * bit : PACKED * (bit + 1)] = flat[PACKED * number : PACKED * (number + 1)]
    return msgspec.json.decode(line, type=Provenance), Judge(words(rows), floats(behind), floats([]))


def in_steps(numbers: Iterable[float]) -> list[int]:
    """Patterns as whole numbers."""
    return [ROUND * round(STEP / ROUND * number) for number in numbers]


def judge_by(steps: Iterable[int]) -> Judge:
    return Judge(words([]), floats([]), floats(step / STEP for step in steps))


def packed_patterns(provenance: Provenance, steps: Iterable[int]) -> bytes:
    """Patterns as a file."""
    numbers = array("h", steps)
    if sys.byteorder == "big":
        numbers.byteswap()
    return msgspec.json.encode(provenance) + b"\n" + zlib.compress(numbers.tobytes(), 9)


def unpacked_patterns(file: bytes) -> tuple[Provenance, Judge]:
    line, _, body = file.partition(b"\n")
    numbers = array("h", zlib.decompress(body))
    if sys.byteorder == "big":
        numbers.byteswap()
    if len(numbers) != PATTERNS:
        raise BadNet(f"patterns of {len(numbers)} numbers; these kernels take {PATTERNS}")
    return msgspec.json.decode(line, type=Provenance), judge_by(numbers)


@cache
def judge_of(name: str) -> Judge | None:
    """The net of this name or the patterns, where there are some."""
    for suffix, read in ((SUFFIX, unpacked), (PATTERNED, unpacked_patterns)):
        path = files("polyopolis.bots") / "nets" / f"{name}{suffix}"
        if path.is_file():
            return read(path.read_bytes())[1]
    return None
