"""Writes the kernels as WebAssembly, from numba's own output for the same functions: `make wasm`.

Numba writes LLVM's language. The same text with another target is optimised and translated by llvmlite; ziglang brings
the linker, and is needed for nothing else. A module imports the memory that it works on, and nothing more; it holds no
data, and whoever opens it says where its stack lies.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
import numba

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.runtime.jit import ENTRIES
from polyopolis.kernels.runtime.wasm_calls import export_name
from polyopolis.kernels.warmup import CACHE, warm
from polyopolis.kernels.wasm_manifest import TOOLS, written

PLAINLY = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
"""The environment in which numba writes the same for every machine, and leaves it to others to make it fast."""
TARGET = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""All browsers that the client is built for have these."""
STACK = "__stack_pointer"


types: Any = numba.types
"""Numba's own, of which it does not say what is in them."""


class NoModule(PolyopolisError):
    """Something that cannot become WebAssembly."""


class WasmExport:
    """A function of a module: it reads what it is given from slots (`calling.py`) and hands it to numba's function,
    which writes what it gives back to where the slots begin. An error of numba's ends it."""

    def __init__(self, name: str, numba_name: str) -> None:
        self.name, self._numba_name = name, numba_name
        self._lines: list[str] = []
        self._arguments = ["ptr %slots", "ptr %error"]
        self._slots = 0

    def _line(self, kind: str, code: str) -> str:
        """Something that is computed, and what it is called."""
        self._lines.append(f"%v{len(self._lines)} = {code}")
        return f"{kind} %v{len(self._lines) - 1}"

    def _number(self) -> str:
        """The number in the next slot."""
        at = self._line("ptr", f"getelementptr i64, ptr %slots, i32 {self._slots}")
        self._slots += 1
        return self._line("i64", f"load i64, {at}")

    def _address(self) -> str:
        return self._line("ptr", f"inttoptr {self._number()} to ptr")

    def _product(self, first: str, second: str) -> str:
        return self._line("i64", f"mul {first}, {second.removeprefix('i64 ')}")

    def take(self, given: Any) -> None:
        """An array is to numba: two owners, how many items, their bytes, the address, the shape, the strides."""
        nobody, eight = "ptr null", "i64 8"
        match given:
            case types.int64:
                self._arguments.append(self._number())
            case types.BaseTuple():
                for each in given:
                    self.take(each)
            case types.Array(ndim=1, layout="C"):
                address, length = self._address(), self._number()
                self._arguments += [nobody, nobody, length, eight, address, length, eight]
            case types.Array(ndim=2, layout="C"):
                address, rows, length = self._address(), self._number(), self._number()
                items, stride = self._product(rows, length), self._product(length, eight)
                self._arguments += [nobody, nobody, items, eight, address, rows, length, stride, eight]
            case _:
                raise NoModule(f"{self.name} takes {given}; a module is given whole numbers and arrays")

    def written(self) -> str:
        kinds = ", ".join(argument.split()[0] for argument in self._arguments)
        return "\n".join([
            f'declare i32 @"{self._numba_name}"({kinds})',
            f'define void @"{self.name}"(ptr %slots) {{',
            "%error = alloca ptr",
            *self._lines,
            f'%status = call i32 @"{self._numba_name}"({", ".join(self._arguments)})',
            "%failed = icmp ne i32 %status, 0",
            "br i1 %failed, label %failure, label %success",
            "failure: call void @llvm.trap()",
            "unreachable",
            "success: ret void",
            "}",
        ])  # fmt: skip


def door_to(entry: Any) -> tuple[WasmExport, str]:
    """The door to a compiled function, and its text with all that it calls."""
    (signature,) = entry.signatures
    door = WasmExport(export_name(entry.py_func)[1], entry.overloads[signature].fndesc.llvm_func_name)
    for given in signature:
        door.take(given)
    return door, entry.inspect_llvm(signature)


def translated(entries: Iterable[Any]) -> tuple[bytes, list[str]]:
    """A module, and what its functions are called."""
    doors = [door_to(entry) for entry in entries]
    machine = llvm.Target.from_triple(TARGET).create_target_machine(cpu="generic", features=FEATURES, opt=3)
    whole = llvm.parse_assembly("declare void @llvm.trap()\n" + "\n".join(door.written() for door, _ in doors))
    for _, text in doors:
        whole.link_in(llvm.parse_assembly(text))
    whole.triple, whole.data_layout = TARGET, str(machine.target_data)
    names = [door.name for door, _ in doors]
    optimise(whole, machine, names)
    return linked(machine.emit_object(whole), names), names


def optimise(whole: Any, machine: Any, names: list[str]) -> None:
    """Whatever is behind no door is left out, and with it all that is meant for Python: no data may remain."""
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name not in names:
            each.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    if left := [each.name for each in whole.global_variables]:
        raise NoModule(f"a module holds no data, but there is {left[0]}")


def linked(code: bytes, names: list[str]) -> bytes:
    """Without the names of what is inside."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernel.o", Path(folder) / "kernel.wasm"
        source.write_bytes(code)
        exports = [f"--export={name}" for name in (STACK, *names)]
        options = ["--no-entry", "--import-memory", "--strip-all", *exports]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, "-o", str(target), str(source)]
        subprocess.run(command, check=True)
        return target.read_bytes()


def write(folder: Path) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    warm()
    kernels = sorted({export_name(entry.py_func)[0] for entry in ENTRIES})
    made = {
        kernel: translated(entry for entry in ENTRIES if export_name(entry.py_func)[0] == kernel) for kernel in kernels
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in written(made, {tool: version(tool) for tool in TOOLS}).items():
        (folder / name).write_bytes(content)


def main(folder: Path) -> None:
    """In a process of its own, since numba looks at its environment when it is imported."""
    if all(os.environ.get(name) == value for name, value in PLAINLY.items()):
        write(folder)
        return
    with TemporaryDirectory() as cache:
        environment = {**os.environ, **PLAINLY, CACHE: cache, "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "polyopolis.kernels.wasm_build", str(folder)]
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="where the modules go")
    main(parser.parse_args().folder)
