"""Manifest of the built WebAssembly modules: digests of sources and modules, versions of tools, exported functions."""

import re
from hashlib import sha256
from pathlib import Path

import msgspec

from polyopolis.kernels.runtime.jit import sources_digest

MANIFEST_FILE = "modules.json"
TOOLS = ("llvmlite", "numba", "ziglang")


class WasmModule(msgspec.Struct, frozen=True):
    bytes: int
    digest: str
    functions: list[str]


class WasmManifest(msgspec.Struct, frozen=True):
    """Describes all modules and what they were built from."""

    sources: str
    tools: dict[str, str]
    modules: dict[str, WasmModule]


def describe_module(code: bytes, functions: list[str]) -> WasmModule:
    return WasmModule(len(code), sha256(code).hexdigest(), functions)


def build_digest() -> str:
    """Returns a digest of the compiled sources and of the build script."""
    here = Path(__file__).parent
    return sha256(sources_digest(here).encode() + (here / "wasm_build.py").read_bytes()).hexdigest()


def manifest_files(made: dict[str, tuple[bytes, list[str]]], tools: dict[str, str]) -> dict[str, bytes]:
    """Returns the contents of all files by name, from the code and the exported functions of each kernel."""
    note = WasmManifest(build_digest(), tools, {kernel: describe_module(*each) for kernel, each in made.items()})
    files = {f"{kernel}.wasm": code for kernel, (code, _) in made.items()}
    return files | {MANIFEST_FILE: msgspec.json.format(msgspec.json.encode(note)) + b"\n"}


def stale_parts(folder: Path, constraints: str) -> list[str]:
    """Returns what has changed since the modules were built: the sources, pinned tools, or module files."""
    note = msgspec.json.decode((folder / MANIFEST_FILE).read_bytes(), type=WasmManifest)
    pinned = dict(re.findall(r"^([\w-]+)==(\S+)", constraints, re.MULTILINE))
    changed = ["sources"] if note.sources != build_digest() else []
    changed += [tool for tool in TOOLS if note.tools[tool] != pinned[tool]]
    for kernel, module in note.modules.items():
        path = folder / f"{kernel}.wasm"
        if not path.exists() or describe_module(path.read_bytes(), module.functions) != module:
            changed.append(path.name)
    return changed
