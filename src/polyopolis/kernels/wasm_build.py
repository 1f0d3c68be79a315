"""Builds the WebAssembly modules from numba's LLVM output for the same functions: `make wasm`.

llvmlite optimises and compiles the LLVM text for another target; ziglang is needed only for its linker. A module
only imports its memory; it contains no data, and the caller sets its stack pointer.
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
from polyopolis.kernels.runtime.jit import ENTRY_POINTS
from polyopolis.kernels.runtime.wasm_calls import export_name
from polyopolis.kernels.warmup import CACHE_ENV_VAR, warm
from polyopolis.kernels.wasm_manifest import TOOLS, manifest_files

PORTABLE_ENVIRONMENT = {"NUMBA_OPT": "0", "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "PYTHONHASHSEED": "0"}
"""Environment in which numba writes the same unoptimised LLVM text on every machine."""
TARGET = "wasm32-unknown-unknown"
FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
"""Supported by all browsers that the client is built for."""
STACK_POINTER = "__stack_pointer"


types: Any = numba.types
"""Untyped alias: numba does not declare its types."""


class WasmBuildError(PolyopolisError):
    """A function cannot be compiled to WebAssembly."""


class WasmExport:
    """An exported function of a module. It reads its arguments from slots (`runtime/wasm_calls.py`) and calls numba's
    function, which writes its results to the first slots. An error status of numba's function traps."""

    def __init__(self, name: str, numba_name: str) -> None:
        self.name, self._numba_name = name, numba_name
        self._lines: list[str] = []
        self._arguments = ["ptr %slots", "ptr %error"]
        self._slots = 0

    def _line(self, kind: str, code: str) -> str:
        """Adds an instruction and returns its typed result name."""
        self._lines.append(f"%v{len(self._lines)} = {code}")
        return f"{kind} %v{len(self._lines) - 1}"

    def _number(self) -> str:
        """Loads the number in the next slot."""
        at = self._line("ptr", f"getelementptr i64, ptr %slots, i32 {self._slots}")
        self._slots += 1
        return self._line("i64", f"load i64, {at}")

    def _address(self) -> str:
        return self._line("ptr", f"inttoptr {self._number()} to ptr")

    def _product(self, first: str, second: str) -> str:
        return self._line("i64", f"mul {first}, {second.removeprefix('i64 ')}")

    def add_argument(self, given: Any) -> None:
        """Adds an argument. Numba passes an array as: two owners, item count, item size, address, shape, strides."""
        no_owner, eight = "ptr null", "i64 8"
        match given:
            case types.int64:
                self._arguments.append(self._number())
            case types.BaseTuple():
                for each in given:
                    self.add_argument(each)
            case types.Array(ndim=1, layout="C"):
                address, length = self._address(), self._number()
                self._arguments += [no_owner, no_owner, length, eight, address, length, eight]
            case types.Array(ndim=2, layout="C"):
                address, rows, length = self._address(), self._number(), self._number()
                items, stride = self._product(rows, length), self._product(length, eight)
                self._arguments += [no_owner, no_owner, items, eight, address, rows, length, stride, eight]
            case _:
                raise WasmBuildError(f"{self.name} takes {given}; a WebAssembly module takes whole numbers and arrays")

    def llvm_text(self) -> str:
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


def compile_export(entry: Any) -> tuple[WasmExport, str]:
    """Returns the export of a compiled function, and the LLVM text of the function with all its callees."""
    (signature,) = entry.signatures
    export = WasmExport(export_name(entry.py_func)[1], entry.overloads[signature].fndesc.llvm_func_name)
    for given in signature:
        export.add_argument(given)
    return export, entry.inspect_llvm(signature)


def build_module(entries: Iterable[Any]) -> tuple[bytes, list[str]]:
    """Returns the code of a module and the names of its functions."""
    exports = [compile_export(entry) for entry in entries]
    machine = llvm.Target.from_triple(TARGET).create_target_machine(cpu="generic", features=FEATURES, opt=3)
    whole = llvm.parse_assembly("declare void @llvm.trap()\n" + "\n".join(export.llvm_text() for export, _ in exports))
    for _, text in exports:
        whole.link_in(llvm.parse_assembly(text))
    whole.triple, whole.data_layout = TARGET, str(machine.target_data)
    names = [export.name for export, _ in exports]
    optimise_module(whole, machine, names)
    return link_module(machine.emit_object(whole), names), names


def optimise_module(whole: Any, machine: Any, names: list[str]) -> None:
    """Removes all functions that no export reaches, among them the wrappers for Python, and optimises the rest.
    Raises `WasmBuildError` if data remains."""
    for each in (*whole.functions, *whole.global_variables):
        if not each.is_declaration and each.name not in names:
            each.linkage = "internal"
    tuning = llvm.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.slp_vectorization = True
    passes = llvm.create_pass_builder(machine, tuning)
    passes.getModulePassManager().run(whole, passes)
    if left := [each.name for each in whole.global_variables]:
        raise WasmBuildError(f"a module must not contain data, but has {left[0]}")


def link_module(code: bytes, names: list[str]) -> bytes:
    """Links an object file and strips internal names."""
    with TemporaryDirectory() as folder:
        source, target = Path(folder) / "kernel.o", Path(folder) / "kernel.wasm"
        source.write_bytes(code)
        exports = [f"--export={name}" for name in (STACK_POINTER, *names)]
        options = ["--no-entry", "--import-memory", "--strip-all", *exports]
        command = [sys.executable, "-m", "ziglang", "wasm-ld", *options, "-o", str(target), str(source)]
        subprocess.run(command, check=True)
        return target.read_bytes()


def write_modules(folder: Path) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    warm()
    kernels = sorted({export_name(entry.py_func)[0] for entry in ENTRY_POINTS})
    made = {
        kernel: build_module(entry for entry in ENTRY_POINTS if export_name(entry.py_func)[0] == kernel)
        for kernel in kernels
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in manifest_files(made, {tool: version(tool) for tool in TOOLS}).items():
        (folder / name).write_bytes(content)


def main(folder: Path) -> None:
    """Builds in a new process, because numba reads its environment when it is imported."""
    if all(os.environ.get(name) == value for name, value in PORTABLE_ENVIRONMENT.items()):
        write_modules(folder)
        return
    with TemporaryDirectory() as cache:
        environment = {**os.environ, **PORTABLE_ENVIRONMENT, CACHE_ENV_VAR: cache, "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "polyopolis.kernels.wasm_build", str(folder)]
        sys.exit(subprocess.run(command, env=environment, check=False).returncode)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder")
    main(parser.parse_args().folder)
