"""The functions of a batch as PTX, the language of NVIDIA's cards, from numba's own output for the same functions.

As `kernels/wasm_build.py` does it for WebAssembly, with another target: neither a card nor CUDA is needed here. A
kernel is one function over all games, a thread for each. Arrays of a game are columns: number k of all games lie side
by side, so that threads which read the same number of their games read one line of the memory.
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

from polyopolis.kernels.runtime.jit import stamp_of
from polyopolis.kernels.warmup import CACHE
from polyopolis.kernels.wasm_build import PLAINLY, optimise
from polyopolis.lab.batch_plan import FLOATS, FUNCTIONS, OF_CHOICES, WHOLE, WORDS, kind_of
from polyopolis.lab.stepping import city_steps, draft_steps

TARGET = "nvptx64-nvidia-cuda"
CARD = "sm_75"
"""The oldest card that it runs on; the driver of a newer one translates it for that."""
NAMES = ("begin", "step", "choose", "wander")
"""What a batch is played by; a net that learns from it needs what else there is."""
PROGRAMS: dict[str, Any] = {"cities": city_steps, "drafts": draft_steps}
PLACE = """declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.trap()
"""

types: Any = numba.types
"""Numba's own, of which it does not say what is in them."""


def type_of(array: str) -> Any:
    """What numba is told of an array: numbers side by side, or with a stride."""
    kind = {WORDS: types.uint64, FLOATS: types.float64}.get(kind_of(array), types.int64)
    return types.Array(kind, 1, "C" if array in WHOLE or array in OF_CHOICES else "A")


def signature_of(function: str, arrays: tuple[str, ...]) -> tuple[Any, ...]:
    return (
        *(type_of(array) for array in arrays if array != "owners"),
        *([types.int64] if function == "wander" else []),
    )


class Kernel:
    """A function for one game, called by as many threads as there are games. An array is an address and a length. One
    that each game has begins a number later for the next, and its numbers are as far apart as there are games.

    A function over choices is called by as many threads as there are of those; each has rows of its own, and looks up
    whose choice it is."""

    def __init__(self, name: str, numba_name: str, of_choices: bool = False) -> None:
        self.name, self._numba_name, self._of_choices = name, numba_name, of_choices
        self._given = ["i64 %threads", "i64 %games"]
        self._lines = list[str]()
        self._arguments = ["ptr %nothing", "ptr %error"]

    def take(self, array: str) -> None:
        at, address, stride = f"%{array}", f"%{array}.own", "8"
        self._given += [f"ptr {at}", f"i64 {at}.length"]
        if array == "owners":
            return
        if array in OF_CHOICES:
            self._lines += [
                f"{at}.before = mul i64 %thread, {at}.length",
                f"{at}.own = getelementptr i64, ptr {at}, i64 {at}.before",
            ]
        elif array in WHOLE:
            address = at
        else:
            self._lines.append(f"{at}.own = getelementptr i64, ptr {at}, i64 %game")
            stride = "%stride"
        self._arguments += [
            "ptr null", "ptr null", f"i64 {at}.length", "i64 8", f"ptr {address}", f"i64 {at}.length", f"i64 {stride}",
        ]  # fmt: skip

    def take_number(self, name: str) -> None:
        self._given.append(f"i64 %{name}")
        self._arguments.append(f"i64 %{name}")

    def written(self) -> str:
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
            "br i1 %there, label %play, label %nobody",
            "play:",
            "%stride = mul i64 %games, 8",
            *owner,
            *self._lines,
            f'%status = call i32 @"{self._numba_name}"({", ".join(self._arguments)})',
            "%failed = icmp ne i32 %status, 0",
            "br i1 %failed, label %failure, label %nobody",
            "failure: call void @llvm.trap()",
            "unreachable",
            "nobody: ret void",
            "}",
        ])  # fmt: skip


def kernels(program: str, names: Collection[str]) -> Iterator[tuple[Kernel, str]]:
    """Each with the text of the function and of all that it calls."""
    for name, arrays in FUNCTIONS[program].items():
        if name not in names:
            continue
        function, signature = getattr(PROGRAMS[program], name), signature_of(name, arrays)
        function.compile(signature)
        kernel = Kernel(name, function.overloads[signature].fndesc.llvm_func_name, "owners" in arrays)
        for array in arrays:
            kernel.take(array)
        if name == "wander":
            kernel.take_number("steps")
        yield kernel, function.inspect_llvm(signature)


def translated(program: str, names: Collection[str]) -> str:
    """These functions of a program."""
    machine = llvm.Target.from_triple(TARGET).create_target_machine(cpu=CARD, opt=3)
    made = list(kernels(program, names))
    whole = llvm.parse_assembly(PLACE + "\n".join(kernel.written() for kernel, _ in made))
    for _, text in made:
        whole.link_in(llvm.parse_assembly(text))
    whole.triple, whole.data_layout = TARGET, str(machine.target_data)
    optimise(whole, machine, [kernel.name for kernel, _ in made])
    return str(machine.emit_assembly(whole))


def stamp() -> str:
    """Of all that PTX is made from."""
    lab = Path(__file__).parents[1]
    texts = [lab / "batch_plan.py", Path(__file__), *sorted((lab / "stepping").glob("*.py"))]
    sources = b"".join(text.read_bytes() for text in texts)
    return sha256(stamp_of(lab.parent / "kernels").encode() + sources).hexdigest()[:32]


def code_of(program: str) -> Path:
    """Where the PTX of a program lies: made once for these sources, and kept in the folder for caches."""
    kept = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "polyopolis" / stamp()
    if not (kept / f"{program}.ptx").exists():
        write(kept)
    return kept / f"{program}.ptx"


def write(folder: Path, programs: Collection[str] = tuple(PROGRAMS), names: Collection[str] = NAMES) -> None:
    """In a process of its own, since numba looks at its environment when it is imported."""
    with TemporaryDirectory() as cache:
        environment = {**os.environ, **PLAINLY, CACHE: cache, "PYTHONWARNINGS": "ignore"}
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
    if any(os.environ.get(name) != value for name, value in PLAINLY.items()):
        write(folder, programs, names)
        return
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    folder.mkdir(parents=True, exist_ok=True)
    for program in programs:
        (folder / f"{program}.ptx").write_text(translated(program, names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the functions of a batch as PTX.")
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--of", nargs="+", choices=[*PROGRAMS], default=[*PROGRAMS], help="these programs")
    parser.add_argument("--only", nargs="+", default=NAMES, metavar="FUNCTION", help="these functions")
    asked = parser.parse_args()
    main(asked.folder, asked.of, asked.only)
