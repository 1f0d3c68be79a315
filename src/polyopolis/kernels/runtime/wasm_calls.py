"""Calls functions of WebAssembly modules on Python arrays.

A page has neither numba nor an array library, so arrays are those of the standard library, which have an address. A
module function takes one argument: the address of a row of 64-bit slots. The arguments stand there in order: a number
takes one slot, an array two (address, length), rows three (address, rows, length); a tuple is passed item by item.
Results are written to the same slots, from the first one on.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast, get_args

Function = TypeVar("Function", bound=Callable[..., object])

HOST_MODULE = "polyopolis_wasm"
"""Name of the importable module that runs the WebAssembly modules."""
WORD, INT, FLOAT = "Q", "q", "d"


class WasmRuntime(Protocol):
    """Runs the modules, all in one memory. If that is the memory of Python itself, arrays are not copied."""

    def address(self, numbers: "array[Any]") -> int:
        """Returns the address of an array during the next run."""

    def run(self, kernel: str, function: str, slots: int) -> None: ...


class ArrayRows(Sequence[Any]):
    """Rows of equal length in one array. A single row is a plain array."""

    def __init__(self, kind: str, rows: int, length: int) -> None:
        self.flat = array(kind, bytes(8 * rows * length))
        self._rows, self._length = rows, length

    @property
    def shape(self) -> tuple[int, int]:
        return self._rows, self._length

    def __len__(self) -> int:
        return self._rows

    def __getitem__(self, row: Any) -> Any:
        if not 0 <= row < self._rows:
            raise IndexError(row)
        return self.flat if self._rows == 1 else memoryview(self.flat)[row * self._length : (row + 1) * self._length]


def words(values: Iterable[int]) -> "array[int]":
    return array(WORD, values)


def ints(values: Iterable[int]) -> "array[int]":
    return array(INT, values)


def floats(values: Iterable[float]) -> "array[float]":
    return array(FLOAT, values)


def word_rows(rows: int, length: int) -> ArrayRows:
    return ArrayRows(WORD, rows, length)


def int_rows(rows: int, length: int) -> ArrayRows:
    return ArrayRows(INT, rows, length)


def float_rows(rows: int, length: int) -> ArrayRows:
    return ArrayRows(FLOAT, rows, length)


def export_name(function: Callable[..., object]) -> tuple[str, str]:
    """Returns the kernel of a function, which is the name of its folder, and its name in the module of that kernel."""
    *_, kernel, file = function.__module__.split(".")
    return kernel, f"{file}.{function.__name__}"


def slots_of(given: Any, address: Callable[["array[Any]"], int]) -> Iterator[int]:
    """Yields the slots for an argument. Raises `TypeError` for other types than whole numbers and arrays."""
    match given:
        case int():
            yield given
        case tuple():
            for each in given:
                yield from slots_of(each, address)
        case ArrayRows():
            yield address(given.flat)
            yield from given.shape
        case array():
            yield address(given)
            yield len(given)
        case _:
            raise TypeError(f"a WebAssembly module takes whole numbers and arrays, not {type(given).__name__}")


def entry(function: Function) -> Function:
    """Returns a function that calls the function of the same name in the WebAssembly module of its kernel. It returns
    None, a whole number or a tuple of whole numbers."""
    host = cast("WasmRuntime", import_module(HOST_MODULE))
    kernel, name = export_name(function)
    result = function.__annotations__["return"]
    number = len(get_args(result)) or int(result is int)

    @wraps(function)
    def called(*given: Any) -> Any:
        slots = array(INT, slots_of(given, host.address))
        host.run(kernel, name, host.address(slots))
        found = tuple(slots[:number])
        return found if get_args(result) else found[0] if found else None

    return cast("Function", called)
