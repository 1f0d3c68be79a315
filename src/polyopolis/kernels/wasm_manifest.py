"""What is kept of the kernels as WebAssembly: a module for each, in the client, and a note of what it was made from."""

import re
from hashlib import sha256
from pathlib import Path

import msgspec

from polyopolis.kernels.runtime.jit import stamp_of

NOTE = "modules.json"
TOOLS = ("llvmlite", "numba", "ziglang")


class Module(msgspec.Struct, frozen=True):
    bytes: int
    digest: str
    functions: list[str]


class Modules(msgspec.Struct, frozen=True):
    """All of them, and what they were made from."""

    sources: str
    tools: dict[str, str]
    modules: dict[str, Module]


def module_of(code: bytes, functions: list[str]) -> Module:
    return Module(len(code), sha256(code).hexdigest(), functions)


def sources() -> str:
    """A digest of the functions and of what translates them."""
    here = Path(__file__).parent
    return sha256(stamp_of(here).encode() + (here / "wasm_build.py").read_bytes()).hexdigest()


def written(made: dict[str, tuple[bytes, list[str]]], tools: dict[str, str]) -> dict[str, bytes]:
    """The files of all modules, by name, from their code and what their functions are called."""
    note = Modules(sources(), tools, {kernel: module_of(*each) for kernel, each in made.items()})
    files = {f"{kernel}.wasm": code for kernel, (code, _) in made.items()}
    return files | {NOTE: msgspec.json.format(msgspec.json.encode(note)) + b"\n"}


def stale(folder: Path, constraints: str) -> list[str]:
    """What has changed since the modules were written: the sources, a tool that is pinned, a module itself."""
    note = msgspec.json.decode((folder / NOTE).read_bytes(), type=Modules)
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)", constraints, re.MULTILINE))
    changed = ["sources"] if note.sources != sources() else []
    changed += [tool for tool in TOOLS if note.tools[tool] != pinned[tool]]
    for kernel, module in note.modules.items():
        path = folder / f"{kernel}.wasm"
        if not path.exists() or module_of(path.read_bytes(), module.functions) != module:
            changed.append(path.name)
    return changed
