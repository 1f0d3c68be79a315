"""Backends of the kernels: machine code with numba, WebAssembly in a page, plain Python elsewhere.

In plain Python a word is an int and an array is a list, so no array library is needed. A kernel may only use
operations that mean the same in all three: words are combined with words only, a left shift is cut to 64 bits by `&
ALL_BITS`, and of mathematical functions only those with one correct result are used (a square root, not a logarithm).
"""

import os
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from polyopolis.kernels.runtime.wasm_calls import HOST_MODULE

Function = TypeVar("Function", bound=Callable[..., object])

Words = MutableSequence[int]
Ints = MutableSequence[int]
Floats = MutableSequence[float]

PLAIN_ENV_VAR = "POLYOPOLIS_PLAIN"
"""Environment variable; 1 selects plain Python even if numba is installed."""


Backend = Literal["native", "wasm", "plain"]


def _detect_backend() -> Backend:
    if os.environ.get(PLAIN_ENV_VAR) == "1":
        return "plain"
    if _is_importable(HOST_MODULE):
        return "wasm"
    return "native" if _is_importable("numba") else "plain"


def _is_importable(module: str) -> bool:
    try:
        import_module(module)
    except ImportError:
        return False
    return True


BACKEND = _detect_backend()
FAST = BACKEND != "plain"
"""Whether kernels are machine code or WebAssembly."""
NOTICE = "" if FAST else "levels search in plain Python, with fewer simulations; install polyopolis[fast] for more"
"""A hint for users when kernels are slow; empty otherwise."""

COMPILED_FUNCTIONS: list[Any] = []
"""All compiled functions, in the order of their definition."""
ENTRY_POINTS: list[Any] = []
"""The compiled functions that are called from Python and take long: the exports of the WebAssembly modules."""
SOURCE_PATTERNS = ("drafting/*.py", "placing/*.py", "runtime/*.py")
"""Sources of compiled functions. They import no other module of this package."""


def sources_digest(folder: Path) -> str:
    """Returns a digest of the sources of compiled functions. Compiled code with another digest is stale."""
    digest = sha256()
    for path in sorted(path for pattern in SOURCE_PATTERNS for path in folder.glob(pattern)):
        digest.update(b"%s\0%s\0" % (path.relative_to(folder).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


if TYPE_CHECKING or BACKEND != "native":
    U = int
    S = int

    def jit(function: Function) -> Function:
        return function

    def popcount(word: int) -> int:
        """Returns the number of bits that are set."""
        return word.bit_count()

    def lowest_bit(word: int) -> int:
        """Returns the number of the lowest bit that is set. `word` must not be 0."""
        return (word & -word).bit_length() - 1


if TYPE_CHECKING or BACKEND == "plain":

    def entry(function: Function) -> Function:
        """Marks a function that is called from Python and takes long."""
        return function

    def words(values: Iterable[int]) -> Words:
        return list(values)

    def ints(values: Iterable[int]) -> Ints:
        return list(values)

    def floats(values: Iterable[float]) -> Floats:
        return list(values)

    def word_rows(rows: int, length: int) -> Sequence[Words]:
        return [[0] * length for _ in range(rows)]

    def int_rows(rows: int, length: int) -> Sequence[Ints]:
        return [[0] * length for _ in range(rows)]

    def float_rows(rows: int, length: int) -> Sequence[Floats]:
        return [[0.0] * length for _ in range(rows)]

elif BACKEND == "wasm":
    from polyopolis.kernels.runtime.wasm_calls import entry, float_rows, floats, int_rows, ints, word_rows, words

else:
    import numba
    import numpy
    from numba import types
    from numba.extending import intrinsic

    U = numpy.uint64
    S = numpy.int64
    SOURCES_DIGEST = sources_digest(Path(__file__).parents[1])

    def jit(function):
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
        compiled._cache._cache_file._version += f" {SOURCES_DIGEST}"
        COMPILED_FUNCTIONS.append(compiled)
        return compiled

    def entry(function):
        """Marks a function that is called from Python and takes long."""
        compiled = jit(function)
        ENTRY_POINTS.append(compiled)
        return compiled

    @intrinsic
    def popcount(_, word):
        """Returns the number of bits that are set."""
        return types.int64(types.uint64), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    @intrinsic
    def lowest_bit(_, word):
        """Returns the number of the lowest bit that is set. `word` must not be 0."""

        def code(context, builder, _signature, args):
            return builder.cttz(args[0], context.get_constant(types.boolean, False))

        return types.int64(types.uint64), code

    def words(values):
        return numpy.array(list(values), dtype=numpy.uint64)

    def ints(values):
        return numpy.array(list(values), dtype=numpy.int64)

    def floats(values):
        return numpy.array(list(values), dtype=numpy.float64)

    def word_rows(rows, length):
        return numpy.zeros((rows, length), dtype=numpy.uint64)

    def int_rows(rows, length):
        return numpy.zeros((rows, length), dtype=numpy.int64)

    def float_rows(rows, length):
        return numpy.zeros((rows, length), dtype=numpy.float64)


ALL_BITS = U(2**64 - 1)
"""A word with all bits set."""
