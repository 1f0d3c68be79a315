"""Runs WebAssembly modules in Node for Python in another process (see `WasmRuntime` in
kernels/runtime/wasm_calls.py).

The memory of the modules is in Node, so arrays are copied before and after each run. Node measures the time of the
run itself.
"""

import json
import os
import struct
import subprocess
import sys
from array import array
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
STACK = 65536
"""Arrays lie behind the stack."""

_beside = {**os.environ, "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])}
_node = subprocess.Popen(["node", HERE / "node.mjs"], env=_beside, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
_placed: dict[int, tuple[int, "array[Any]"]] = {}
_end = STACK
times: list[tuple[str, float]] = []
"""Milliseconds of each run."""


def address(numbers: "array[Any]") -> int:
    global _end  # noqa: PLW0603 - a host is a module
    if id(numbers) not in _placed:
        _placed[id(numbers)] = _end, numbers
        _end += 8 * len(numbers)
    return _placed[id(numbers)][0]


def run(kernel: str, function: str, slots: int) -> None:
    """Copies all arrays with an address, runs the function and copies them back."""
    global _end  # noqa: PLW0603
    assert _node.stdin
    assert _node.stdout
    placed = [numbers for _, numbers in _placed.values()]
    asked = json.dumps([kernel, function, slots, _end - STACK]).encode()
    _node.stdin.write(struct.pack("<I", len(asked)) + asked + b"".join(map(memoryview, placed)))
    _node.stdin.flush()
    if not (head := _node.stdout.read(8)):
        raise RuntimeError(f"{kernel} {function} was aborted")
    times.append((f"{kernel} {function}", *struct.unpack("<d", head)))
    for numbers in placed:
        _node.stdout.readinto(memoryview(numbers).cast("B"))  # type: ignore[attr-defined]
    _placed.clear()
    _end = STACK
