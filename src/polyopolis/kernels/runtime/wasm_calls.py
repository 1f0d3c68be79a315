"""Functions of WebAssembly modules, called from Python: the third way of `compiled.py`.

In a page there is neither numba nor an array library, so an array is one of the standard library: it has an address. A
function of a module takes one number, the address of a row of slots of 64 bits. What it is given stands there in order:
a number in one slot, an array in two (address, length), rows in three (address, rows, length), a tuple item by item.
What it gives back stands there afterwards, from the first slot on.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, Protocol, TypeVar, cast, get_args

Function = TypeVar("Function", bound=Callable[..., object])

HOST = "polyopolis_wasm"
"""Whoever runs the modules is imported by this name."""
WORD, INT, FLOAT = "Q", "q", "d"


class WasmRuntime(Protocol):
    """Runs the modules, all of them on one memory. Where that is the memory of Python itself nothing is copied."""

    def address(self, numbers: "array[Any]") -> int:
        """Where an array lies in that memory during the next run."""

    def run(self, kernel: str, function: str, slots: int) -> None: ...


class Rows(Sequence[Any]):
    """Arrays of one length, one behind the other. One alone is an array like any other."""

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


def word_rows(rows: int, length: int) -> Rows:
    return Rows(WORD, rows, length)


def int_rows(rows: int, length: int) -> Rows:
    return Rows(INT, rows, length)


def float_rows(rows: int, length: int) -> Rows:
    return Rows(FLOAT, rows, length)


def export_name(function: Callable[..., object]) -> tuple[str, str]:
    """The kernel of a function, which is a folder, and what it is called in the module of that."""
    *_, kernel, file = function.__module__.split(".")
    return kernel, f"{file}.{function.__name__}"


def slots_of(given: Any, address: Callable[["array[Any]"], int]) -> Iterator[int]:
    """What a function is given, as it stands in slots."""
    match given:
        case int():
            yield given
        case tuple():
            for each in given:
                yield from slots_of(each, address)
        case Rows():
            yield address(given.flat)
            yield from given.shape
        case array():
            yield address(given)
            yield len(given)
        case _:
            raise TypeError(f"a module is given whole numbers and arrays, not {type(given).__name__}")


def entry(function: Function) -> Function:
    """The function of the same name in the module of its kernel. It gives back nothing or whole numbers."""
    host = cast("WasmRuntime", import_module(HOST))
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
