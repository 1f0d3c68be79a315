"""Compiles step functions for batches, with all kernel functions inlined."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from polyopolis.kernels.runtime import jit as kernels

Function = TypeVar("Function", bound=Callable[..., object])
Array = TypeVar("Array")

SOURCES = sorted(Path(__file__).parent.glob("*.py"))
SOURCES_DIGEST = sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()
"""Digest of all compiled sources here. Machine code contains its callees, so the code of every file is stale when one
changes."""


if TYPE_CHECKING or kernels.BACKEND != "native":
    njit: Any = None
    Dispatcher: Any = None

    def prefetch(rows: Any, row: int, at: int) -> None:
        """Does not prefetch."""

    def prefetch_word(words: Any, at: int) -> None:
        """Does not prefetch."""

    def unchecked(array: Array) -> Array:
        """Returns the array unchanged."""
        return array

else:
    from llvmlite import ir
    from numba import njit, types
    from numba.core import cgutils
    from numba.core.dispatcher import Dispatcher
    from numba.extending import intrinsic

    def _prefetch_code(context, builder, kind, array, at):
        found = context.make_array(kind)(context, builder, array)
        there = cgutils.get_item_pointer(context, builder, kind, found, at)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(prefetch, [builder.bitcast(there, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    @intrinsic
    def prefetch(_, rows, row, at):
        """Prefetches a number of a row into the cache."""

        def code(context, builder, signature, args):
            return _prefetch_code(context, builder, signature.args[0], args[0], args[1:])

        return types.void(rows, types.int64, types.int64), code

    @intrinsic
    def prefetch_word(_, words, at):
        """Prefetches a number of an array without rows."""

        def code(context, builder, signature, args):
            return _prefetch_code(context, builder, signature.args[0], args[0], args[1:])

        return types.void(words, types.int64), code

    @intrinsic
    def unchecked(_, array):
        """Returns the array without a length: then the compiler does not check for negative indexes, which do not occur
        here and take a tenth of the time."""

        def code(context, builder, signature, args):
            found = context.make_array(signature.args[0])(context, builder, args[0])
            found.shape = cgutils.pack_array(builder, [context.get_constant(types.intp, 0)])
            return found._getvalue()

        return array(array), code


def jit(function: Function) -> Function:
    """Compiles a function that is called from Python and caches it like those of the kernels."""
    compiled: Any = kernels.jit(function)
    if kernels.BACKEND == "native":
        compiled._cache._cache_file._version += f" {SOURCES_DIGEST}"
    return cast("Function", compiled)


def inlined(function: Function) -> Function:
    """Compiles a function that is inlined into its callers: a call passes seven words per array, which takes longer
    than most of these functions. Kernel functions are inlined with all callees; left to the compiler, inlining would
    depend on what was compiled before."""
    if kernels.BACKEND != "native":
        return function
    plain = with_inlined_kernels(function.py_func) if isinstance(function, Dispatcher) else function
    return cast("Function", njit(forceinline=True, nogil=True, error_model="numpy", _nrt=False)(plain))


def as_call(function: Function) -> Function:
    """Compiles an inlined function as a call, for rare branches that would only make a loop longer."""
    if kernels.BACKEND != "native":
        return function
    plain: Any = function
    return cast("Function", njit(nogil=True, error_model="numpy", _nrt=False)(plain.py_func))


def with_inlined_kernels(plain: FunctionType) -> FunctionType:
    """Returns the same function with its kernel functions inlined."""
    found = {name: plain.__globals__.get(name) for name in plain.__code__.co_names}
    kernel = {name: inlined(each) for name, each in found.items() if isinstance(each, Dispatcher)}
    return FunctionType(plain.__code__, {**plain.__globals__, **kernel}, plain.__name__, plain.__defaults__)
