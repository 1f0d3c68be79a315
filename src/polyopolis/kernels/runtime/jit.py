"""Three ways to run the same functions over the same numbers: machine code where numba is installed, WebAssembly in a
page, plain Python elsewhere.

In plain Python a word is an int and an array is a list, so nothing needs an array library. Whoever writes a kernel
keeps to what means the same in all three: words meet words only, a left shift is cut to 64 bits by `& FULL`, and of
mathematics there is what has one right answer (a square root, not a logarithm).
"""

import os
from collections.abc import Callable, Iterable, MutableSequence, Sequence
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from polyopolis.kernels.runtime.wasm_calls import HOST

Function = TypeVar("Function", bound=Callable[..., object])

Words = MutableSequence[int]
Ints = MutableSequence[int]
Floats = MutableSequence[float]

PLAIN = "POLYOPOLIS_PLAIN"
"""Set to 1 in the environment: plain Python even where numba is installed."""


Way = Literal["native", "wasm", "plain"]


def _way() -> Way:
    if os.environ.get(PLAIN) == "1":
        return "plain"
    if _there(HOST):
        return "wasm"
    return "native" if _there("numba") else "plain"


def _there(module: str) -> bool:
    """Asked for, not required."""
    try:
        import_module(module)
    except ImportError:
        return False
    return True


WAY = _way()
FAST = WAY != "plain"
"""Whether kernels are machine code, of this machine or of WebAssembly."""
NOTICE = "" if FAST else "levels search in plain Python, with fewer simulations; install polyopolis[fast] for more"
"""What to tell whoever waits."""

COMPILED: list[Any] = []
"""All functions that are machine code, as they were read."""
ENTRIES: list[Any] = []
"""Those of them that are asked from outside and take long: the doors of WebAssembly modules."""
MACHINE = ("drafting/*.py", "placing/*.py", "runtime/*.py")
"""The sources of machine code; they import none of the others."""


def stamp_of(folder: Path) -> str:
    """A digest of the sources of machine code: what was made from others is stale."""
    digest = sha256()
    for path in sorted(path for pattern in MACHINE for path in folder.glob(pattern)):
        digest.update(b"%s\0%s\0" % (path.relative_to(folder).as_posix().encode(), path.read_bytes()))
    return digest.hexdigest()


if TYPE_CHECKING or WAY != "native":
    U = int
    S = int

    def jit(function: Function) -> Function:
        """As it is."""
        return function

    def ones(word: int) -> int:
        """How many bits are set."""
        return word.bit_count()

    def lowest(word: int) -> int:
        """The number of the lowest bit that is set; there is one."""
        return (word & -word).bit_length() - 1


if TYPE_CHECKING or WAY == "plain":

    def entry(function: Function) -> Function:
        """A function that is asked from outside and takes long. As it is."""
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

elif WAY == "wasm":
    from polyopolis.kernels.runtime.wasm_calls import entry, float_rows, floats, int_rows, ints, word_rows, words

else:
    import numba
    import numpy
    from numba import types
    from numba.extending import intrinsic

    U = numpy.uint64
    S = numpy.int64
    STAMP = stamp_of(Path(__file__).parents[1])

    def jit(function):
        """Compiled at the first call and kept on disk, in NUMBA_CACHE_DIR if that is set, else beside the module.

        Without numba's runtime (`_nrt`) references to arrays are not counted, which would take a quarter of the time,
        and what would allocate does not compile.

        Machine code holds all that a function calls, and numbers of other files, but numba looks at the function's own
        file to see whether it is stale. So the stamp of all files goes into the version of what is kept, which numba
        reads before anything else: the rest may name tuples that are no more.
        """
        compiled = numba.njit(cache=True, nogil=True, error_model="numpy", _nrt=False)(function)
        compiled._cache._cache_file._version += f" {STAMP}"
        COMPILED.append(compiled)
        return compiled

    def entry(function):
        """Compiled like the others, and a door of the WebAssembly module of its kernel."""
        compiled = jit(function)
        ENTRIES.append(compiled)
        return compiled

    @intrinsic
    def ones(_, word):
        return types.int64(types.uint64), lambda _context, builder, _signature, args: builder.ctpop(args[0])

    @intrinsic
    def lowest(_, word):
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


FULL = U(2**64 - 1)
"""All bits of a word."""
