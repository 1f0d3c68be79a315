"""How functions of batches become machine code: as those of the kernels do, and without calls among them."""

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar, cast

from polyopolis.kernels.runtime import jit as kernels

Function = TypeVar("Function", bound=Callable[..., object])
Array = TypeVar("Array")

SOURCES = sorted(Path(__file__).parent.glob("*.py"))
STAMP = sha256(b"".join(path.read_bytes() for path in SOURCES)).hexdigest()
"""Of all that is compiled here: machine code holds what it calls, so that of one file is stale with the others."""


if TYPE_CHECKING or kernels.WAY != "native":
    njit: Any = None
    Dispatcher: Any = None

    def fetch(rows: Any, row: int, at: int) -> None:
        """Nothing."""

    def fetch_word(words: Any, at: int) -> None:
        """Nothing."""

    def bare(array: Array) -> Array:
        """As it is."""
        return array

else:
    from llvmlite import ir
    from numba import njit, types
    from numba.core import cgutils
    from numba.core.dispatcher import Dispatcher
    from numba.extending import intrinsic

    def _prefetch(context, builder, kind, array, at):
        found = context.make_array(kind)(context, builder, array)
        there = cgutils.get_item_pointer(context, builder, kind, found, at)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        hint = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        prefetch = cgutils.get_or_insert_function(builder.module, hint, "llvm.prefetch.p0")
        builder.call(prefetch, [builder.bitcast(there, byte), number(0), number(3), number(1)])
        return context.get_dummy_value()

    @intrinsic
    def fetch(_, rows, row, at):
        """Brings a number of a row into the cache, without waiting for it."""

        def code(context, builder, signature, args):
            return _prefetch(context, builder, signature.args[0], args[0], args[1:])

        return types.void(rows, types.int64, types.int64), code

    @intrinsic
    def fetch_word(_, words, at):
        """Likewise of an array without rows."""

        def code(context, builder, signature, args):
            return _prefetch(context, builder, signature.args[0], args[0], args[1:])

        return types.void(words, types.int64), code

    @intrinsic
    def bare(_, array):
        """The same array without a length: so the compiler need not ask at each number whether it counts from the end,
        which none does here, and which takes a tenth of the time."""

        def code(context, builder, signature, args):
            found = context.make_array(signature.args[0])(context, builder, args[0])
            found.shape = cgutils.pack_array(builder, [context.get_constant(types.intp, 0)])
            return found._getvalue()

        return array(array), code


def jit(function: Function) -> Function:
    """A function that is called from outside, and kept on disk like those of the kernels."""
    compiled: Any = kernels.jit(function)
    if kernels.WAY == "native":
        compiled._cache._cache_file._version += f" {STAMP}"
    return cast("Function", compiled)


def inlined(function: Function) -> Function:
    """One that becomes part of whoever calls it: a call hands on seven words for each array, and with a dozen arrays
    that takes longer than what most of these functions do. A function of the kernels does so with all that it calls;
    left to the compiler, that depends on what it has compiled before."""
    if kernels.WAY != "native":
        return function
    plain = whole(function.py_func) if isinstance(function, Dispatcher) else function
    return cast("Function", njit(forceinline=True, nogil=True, error_model="numpy", _nrt=False)(plain))


def apart(function: Function) -> Function:
    """One that is inlined elsewhere, as a call: what seldom happens would only make a loop longer."""
    if kernels.WAY != "native":
        return function
    plain: Any = function
    return cast("Function", njit(nogil=True, error_model="numpy", _nrt=False)(plain.py_func))


def whole(plain: FunctionType) -> FunctionType:
    """The same function, whose kernels are inlined."""
    found = {name: plain.__globals__.get(name) for name in plain.__code__.co_names}
    kernel = {name: inlined(each) for name, each in found.items() if isinstance(each, Dispatcher)}
    return FunctionType(plain.__code__, {**plain.__globals__, **kernel}, plain.__name__, plain.__defaults__)
