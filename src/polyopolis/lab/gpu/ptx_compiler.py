"""Compiles the functions of a batch to PTX for NVIDIA GPUs, from numba's LLVM output for the same functions.

Like `kernels/wasm_build.py` with another target: needs neither a GPU nor CUDA. A kernel is one function over all
games, with a thread per game. Arrays of games are columns: number k of all games is contiguous, so threads that read
the same number of their games read one line of memory.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Collection, Iterator
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import llvmlite.binding as llvm
import numba

from polyopolis.kernels.runtime.jit import sources_digest
from polyopolis.kernels.warmup import CACHE_ENV_VAR
from polyopolis.kernels.wasm_build import PORTABLE_ENVIRONMENT, optimise_module
from polyopolis.lab.batch_plan import CHOICE_ARRAYS, FLOATS, FUNCTIONS, SHARED_ARRAYS, WORDS, dtype_of
from polyopolis.lab.stepping import city_steps, draft_steps

TARGET = "nvptx64-nvidia-cuda"
GPU_ARCHITECTURE = "sm_75"
"""The oldest supported GPU. Drivers of newer ones compile PTX for it."""
DEFAULT_FUNCTIONS = ("begin", "step", "choose", "wander")
"""Functions that play a batch. Training of nets needs the others, too."""
PROGRAMS: dict[str, Any] = {"cities": city_steps, "drafts": draft_steps}
DECLARATIONS = """declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.trap()
"""

types: Any = numba.types
"""Untyped alias: numba does not declare its types."""


def numba_type(array: str) -> Any:
    """Returns the type of an array: contiguous, or with a stride."""
    kind = {WORDS: types.uint64, FLOATS: types.float64}.get(dtype_of(array), types.int64)
    return types.Array(kind, 1, "C" if array in SHARED_ARRAYS or array in CHOICE_ARRAYS else "A")


def signature_of(function: str, arrays: tuple[str, ...]) -> tuple[Any, ...]:
    return (
        *(numba_type(array) for array in arrays if array != "owners"),
        *([types.int64] if function == "wander" else []),
    )


class PtxKernel:
    """A function for one game as a kernel with a thread per game. An array is passed as address and length. An array
    of each game begins one number later for the next game, and its stride is the number of games.

    A function over choices has a thread per choice, with rows of its own, and reads the game of its choice from
    `owners`.
    """

    def __init__(self, name: str, numba_name: str, of_choices: bool = False) -> None:
        self.name, self._numba_name, self._of_choices = name, numba_name, of_choices
        self._given = ["i64 %threads", "i64 %games"]
        self._lines = list[str]()
        self._arguments = ["ptr %nothing", "ptr %error"]

    def add_array(self, array: str) -> None:
        at, address, stride = f"%{array}", f"%{array}.own", "8"
        self._given += [f"ptr {at}", f"i64 {at}.length"]
        if array == "owners":
            return
        if array in CHOICE_ARRAYS:
            self._lines += [
                f"{at}.before = mul i64 %thread, {at}.length",
                f"{at}.own = getelementptr i64, ptr {at}, i64 {at}.before",
            ]
        elif array in SHARED_ARRAYS:
            address = at
        else:
            self._lines.append(f"{at}.own = getelementptr i64, ptr {at}, i64 %game")
            stride = "%stride"
        self._arguments += [
            "ptr null", "ptr null", f"i64 {at}.length", "i64 8", f"ptr {address}", f"i64 {at}.length", f"i64 {stride}",
        ]  # fmt: skip

    def add_number(self, name: str) -> None:
        self._given.append(f"i64 %{name}")
        self._arguments.append(f"i64 %{name}")

    def llvm_text(self) -> str:
        owner = ["%game = add i64 %thread, 0"]
        if self._of_choices:
            owner = ["%owner = getelementptr i64, ptr %owners, i64 %thread", "%game = load i64, ptr %owner"]
        kinds = ", ".join(argument.split()[0] for argument in self._arguments)
        return "\n".join([
            f'declare i32 @"{self._numba_name}"({kinds})',
            f"define ptx_kernel void @{self.name}({', '.join(self._given)}) {{",
            "%nothing = alloca ptr",
            "%error = alloca ptr",
            "%place = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            "%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            "%size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
            "%before = mul i32 %block, %size",
            "%whole = add i32 %before, %place",
            "%thread = zext i32 %whole to i64",
            "%there = icmp ult i64 %thread, %threads",
            "br i1 %there, label %play, label %done",
            "play:",
            "%stride = mul i64 %games, 8",
            *owner,
            *self._lines,
            f'%status = call i32 @"{self._numba_name}"({", ".join(self._arguments)})',
            "%failed = icmp ne i32 %status, 0",
            "br i1 %failed, label %failure, label %done",
            "failure: call void @llvm.trap()",
            "unreachable",
            "done: ret void",
            "}",
        ])  # fmt: skip


def compile_kernels(program: str, names: Collection[str]) -> Iterator[tuple[PtxKernel, str]]:
    """Yields each kernel with the LLVM text of its function and all callees."""
    for name, arrays in FUNCTIONS[program].items():
        if name not in names:
            continue
        function, signature = getattr(PROGRAMS[program], name), signature_of(name, arrays)
        function.compile(signature)
        kernel = PtxKernel(name, function.overloads[signature].fndesc.llvm_func_name, "owners" in arrays)
        for array in arrays:
            kernel.add_array(array)
        if name == "wander":
            kernel.add_number("steps")
        yield kernel, function.inspect_llvm(signature)


def compile_program(program: str, names: Collection[str]) -> str:
    """Returns the PTX of these functions of a program."""
    machine = llvm.Target.from_triple(TARGET).create_target_machine(cpu=GPU_ARCHITECTURE, opt=3)
    made = list(compile_kernels(program, names))
    whole = llvm.parse_assembly(DECLARATIONS + "\n".join(kernel.llvm_text() for kernel, _ in made))
    for _, text in made:
        whole.link_in(llvm.parse_assembly(text))
    whole.triple, whole.data_layout = TARGET, str(machine.target_data)
    optimise_module(whole, machine, [kernel.name for kernel, _ in made])
    return str(machine.emit_assembly(whole))


def build_digest() -> str:
    """Returns a digest of all sources of the PTX."""
    lab = Path(__file__).parents[1]
    texts = [lab / "batch_plan.py", Path(__file__), *sorted((lab / "stepping").glob("*.py"))]
    sources = b"".join(text.read_bytes() for text in texts)
    return sha256(sources_digest(lab.parent / "kernels").encode() + sources).hexdigest()[:32]


def ptx_path(program: str) -> Path:
    """Returns the path of the PTX of a program. It is compiled once per version of the sources, and cached."""
    kept = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "polyopolis" / build_digest()
    if not (kept / f"{program}.ptx").exists():
        write_ptx(kept)
    return kept / f"{program}.ptx"


def write_ptx(
    folder: Path, programs: Collection[str] = tuple(PROGRAMS), names: Collection[str] = DEFAULT_FUNCTIONS
) -> None:
    """Compiles in a new process, because numba reads its environment when it is imported."""
    with TemporaryDirectory() as cache:
        environment = {**os.environ, **PORTABLE_ENVIRONMENT, CACHE_ENV_VAR: cache, "PYTHONWARNINGS": "ignore"}
        command = [
            sys.executable,
            "-m",
            "polyopolis.lab.gpu.ptx_compiler",
            str(folder),
            "--of",
            *programs,
            "--only",
            *names,
        ]
        subprocess.run(command, env=environment, check=True)


def main(folder: Path, programs: Collection[str], names: Collection[str]) -> None:
    if any(os.environ.get(name) != value for name, value in PORTABLE_ENVIRONMENT.items()):
        write_ptx(folder, programs, names)
        return
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        (folder / f"{program}.ptx").write_text(compile_program(program, names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Compile the functions of a batch to PTX.")
    parser.add_argument("folder", type=Path, help="output folder")
    parser.add_argument("--of", nargs="+", choices=[*PROGRAMS], default=[*PROGRAMS], help="programs to compile")
    parser.add_argument("--only", nargs="+", default=DEFAULT_FUNCTIONS, metavar="FUNCTION", help="functions to compile")
    asked = parser.parse_args()
    main(asked.folder, asked.of, asked.only)
