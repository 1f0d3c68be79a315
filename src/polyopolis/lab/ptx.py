"""The functions of a batch as PTX, the language of NVIDIA's cards, from numba's own output for the same functions.

As `kernels/translating.py` does it for WebAssembly, with another target: neither a card nor CUDA is needed here. A
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

from polyopolis.kernels.compiled import stamp_of
from polyopolis.kernels.translating import PLAINLY, optimise
from polyopolis.kernels.warming import CACHE
from polyopolis.lab.plan import FLOATS, FUNCTIONS, WORDS, kind_of
from polyopolis.lab.stepping import cities, drafts

TARGET = "nvptx64-nvidia-cuda"
CARD = "sm_75"
"""The oldest card that it runs on; the driver of a newer one translates it for that."""
SHARED = ("land", "law", "first_city", "first_book", "deck", "sizes", "first")
NAMES = ("begin", "step", "choose", "wander")
PROGRAMS: dict[str, Any] = {"cities": cities, "drafts": drafts}
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
    return types.Array(kind, 1, "C" if array in SHARED else "A")


def signature_of(function: str, arrays: tuple[str, ...]) -> tuple[Any, ...]:
    return (*(type_of(array) for array in arrays), *([types.int64] if function == "wander" else []))


class Kernel:
    """A function for one game, called by as many threads as there are games. An array is an address and a length. One
    that each game has begins a number later for the next, and its numbers are as far apart as there are games."""

    def __init__(self, name: str, numba_name: str) -> None:
        self.name, self._numba_name = name, numba_name
        self._given = ["i64 %games"]
        self._lines = list[str]()
        self._arguments = ["ptr %nothing", "ptr %error"]

    def take(self, array: str) -> None:
        own, at = array not in SHARED, f"%{array}"
        self._given += [f"ptr {at}", f"i64 {at}.length"]
        if own:
            self._lines += [f"{at}.own = getelementptr i64, ptr {at}, i64 %game"]
        address, stride = (f"{at}.own", "%stride") if own else (at, "8")
        self._arguments += [
            "ptr null", "ptr null", f"i64 {at}.length", "i64 8", f"ptr {address}", f"i64 {at}.length", f"i64 {stride}",
        ]  # fmt: skip

    def take_number(self, name: str) -> None:
        self._given.append(f"i64 %{name}")
        self._arguments.append(f"i64 %{name}")

    def written(self) -> str:
        kinds = ", ".join(argument.split()[0] for argument in self._arguments)
        return "\n".join([
            f'declare i32 @"{self._numba_name}"({kinds})',
            f"define ptx_kernel void @{self.name}({', '.join(self._given)}) {{",
            "%nothing = alloca ptr",
            "%error = alloca ptr",
            "%thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
            "%block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()",
            "%size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()",
            "%before = mul i32 %block, %size",
            "%number = add i32 %before, %thread",
            "%game = zext i32 %number to i64",
            "%there = icmp ult i64 %game, %games",
            "br i1 %there, label %play, label %nobody",
            "play:",
            "%stride = mul i64 %games, 8",
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
        kernel = Kernel(name, function.overloads[signature].fndesc.llvm_func_name)
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
    here = Path(__file__).parent
    texts = [here / "plan.py", here / "ptx.py", *sorted((here / "stepping").glob("*.py"))]
    sources = b"".join(text.read_bytes() for text in texts)
    return sha256(stamp_of(here.parent / "kernels").encode() + sources).hexdigest()[:32]


def code_of(program: str) -> Path:
    """Where the PTX of a program lies: made once for these sources, and kept in the folder for caches."""
    kept = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "polyopolis" / stamp()
    if not (kept / f"{program}.ptx").exists():
        write(kept)
    return kept / f"{program}.ptx"


def write(folder: Path, names: Collection[str] = NAMES) -> None:
    """In a process of its own, since numba looks at its environment when it is imported."""
    with TemporaryDirectory() as cache:
        environment = {**os.environ, **PLAINLY, CACHE: cache, "PYTHONWARNINGS": "ignore"}
        command = [sys.executable, "-m", "polyopolis.lab.ptx", str(folder), "--only", *names]
        subprocess.run(command, env=environment, check=True)


def main(folder: Path, names: Collection[str]) -> None:
    if any(os.environ.get(name) != value for name, value in PLAINLY.items()):
        write(folder, names)
        return
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    folder.mkdir(parents=True, exist_ok=True)
    for program in PROGRAMS:
        (folder / f"{program}.ptx").write_text(translated(program, names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Writes the functions of a batch as PTX.")
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--only", nargs="+", choices=NAMES, default=NAMES, help="these functions")
    asked = parser.parse_args()
    main(asked.folder, asked.only)
