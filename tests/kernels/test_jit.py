"""Compiled functions: never older than their sources, without allocation and without Python objects."""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import polyopolis
from polyopolis import kernels
from polyopolis.kernels.drafting import layout
from polyopolis.kernels.placing import layout as placing
from polyopolis.kernels.runtime import jit as compiled
from polyopolis.kernels.runtime import sequential_halving
from polyopolis.kernels.runtime.jit import COMPILED_FUNCTIONS, FAST, SOURCE_PATTERNS, ints, jit, sources_digest
from polyopolis.kernels.warmup import CACHE_ENV_VAR
from tests.support.property_budget import SOAK

PACKAGE, KERNELS = Path(polyopolis.__file__).parent, Path(kernels.__file__).parent
SOURCES = {path for pattern in SOURCE_PATTERNS for path in KERNELS.glob(pattern)}
fast = pytest.mark.skipif(not FAST, reason="numba is not installed, so nothing is compiled")


def test_all_compiled_sources_are_in_the_digest() -> None:
    marked = re.compile("^@(jit|entry)$", re.MULTILINE)
    jitted = {path for path in KERNELS.rglob("*.py") if marked.search(path.read_text("utf-8"))}
    assert len(jitted) > 10
    assert jitted <= SOURCES


def test_compiled_sources_only_import_each_other() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("polyopolis"):
                assert PACKAGE.parent / f"{node.module.replace('.', '/')}.py" in SOURCES, (path.name, node.module)


def test_digest_depends_on_names_and_contents(tmp_path: Path) -> None:
    stamps = {sources_digest(tmp_path)}
    files = ("runtime/rng.py", "a"), ("runtime/rng.py", "b"), ("runtime/array_ops.py", "b"), ("placing/layout.py", "")
    for name, text in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        assert sources_digest(tmp_path) not in stamps
        stamps.add(sources_digest(tmp_path))
    (tmp_path / "city_arrays.py").write_text("not compiled")
    assert sources_digest(tmp_path) in stamps


SHUFFLED = """
from polyopolis.kernels.runtime.jit import ints
from polyopolis.kernels.drafting.chance import insert_shuffled
from polyopolis.kernels.runtime.rng import new_rng
coming, rng, number = ints([0] * 16), new_rng(1), 0
for what in range(16):
    number = insert_shuffled(coming, 0, number, what, rng)
print(sum(insert_shuffled.stats.cache_hits.values()), list(map(int, coming)))
"""


def shuffled(folder: Path) -> tuple[bool, str]:
    """Returns whether machine code was loaded from the cache, and the output."""
    environment = {name: value for name, value in os.environ.items() if name != CACHE_ENV_VAR} | {
        "PYTHONPATH": str(folder)
    }
    run = subprocess.run([sys.executable, "-c", SHUFFLED], env=environment, capture_output=True, check=True, text=True)
    hits, _, order = run.stdout.partition(" ")
    return hits != "0", order


@pytest.mark.slow
@fast
def test_changed_file_recompiles_its_callers(tmp_path: Path) -> None:
    """Numba alone checks only the function's own file; `chance.py` is unchanged here."""
    leave = shutil.ignore_patterns("__pycache__", "static")
    shutil.copytree(PACKAGE, tmp_path / "polyopolis", ignore=leave)
    first, again = shuffled(tmp_path), shuffled(tmp_path)
    assert (first[0], again) == (False, (True, first[1]))
    luck = tmp_path / "polyopolis" / "kernels" / "runtime" / "rng.py"
    luck.write_text(luck.read_text("utf-8").replace("U(27)", "U(25)"))
    kept, other = shuffled(tmp_path)
    assert not kept
    assert other != first[1]
    assert shuffled(tmp_path) == (True, other)


@fast
def test_allocating_function_does_not_compile() -> None:
    def allocating(length: int) -> int:
        return len([0] * length)

    refused: Any = jit(allocating)
    COMPILED_FUNCTIONS.remove(refused)
    with pytest.raises(
        Exception, match="NRT required but not enabled"
    ):  # numba is optional, so its error class is not imported
        refused(3)


@fast
def test_all_functions_are_compiled_without_the_runtime() -> None:
    assert len(COMPILED_FUNCTIONS) > 100
    for function in COMPILED_FUNCTIONS:
        assert function.targetoptions["_nrt"] is False
        assert function.targetoptions["nopython"] is True


INSPECTED = """
import re, sys
from polyopolis.kernels import warmup
from polyopolis.kernels.runtime.jit import COMPILED_FUNCTIONS
kernel, warm = sys.argv[1:]
getattr(warmup, warm)()
inspected = 0
for function in COMPILED_FUNCTIONS:
    name = f"{function.__module__}.{function.__name__}"
    assert function.signatures or kernel not in name, f"{name} was not called by the warm-up"
    for text in function.inspect_llvm().values():
        for head, body in re.findall(r"^(define [^\\n]*){\\n(.*?)^}$", text, re.MULTILINE | re.DOTALL):
            if "@_ZN7cpython" not in head and "@cfunc." not in head:
                calls = set(re.findall(r"@(NRT_\\w+|Py\\w+|numba_\\w+|malloc|calloc|free)\\b", body))
                assert not calls, f"{name} calls {calls}"
                inspected += 1
print(inspected)
"""


@fast
@pytest.mark.slow
@pytest.mark.skipif(
    SOAK == 1, reason="compiles all functions without a cache; WebAssembly modules have no such imports, either"
)
@pytest.mark.parametrize(("kernel", "warm"), [("placing", "warm_cities"), ("drafting", "warm_drafts")])
def test_no_function_calls_python_or_an_allocator(kernel: str, warm: str, tmp_path: Path) -> None:
    """Checks the LLVM text of all functions that the warm-up compiles, except the wrappers for Python."""
    command, environment = [sys.executable, "-c", INSPECTED, kernel, warm], {**os.environ, CACHE_ENV_VAR: str(tmp_path)}
    run = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert int(run.stdout) > sum(kernel in function.__module__ for function in COMPILED_FUNCTIONS)


def tuples(module: ModuleType) -> set[type]:
    return {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")
    }


def test_tuples_of_kernels_have_different_names() -> None:
    """Numba identifies a tuple by its name and types; equal ones would be looked up slowly on each call."""
    passed = set().union(*(tuples(module) for module in (sequential_halving, placing, layout))) - {NamedTuple}
    passed -= {placing.Features, layout.Features}  # never passed
    names = [each.__name__ for each in passed]
    assert len(names) > 6
    assert len(names) == len(set(names))


def test_plain_python_needs_no_array_library() -> None:
    plain = {**os.environ, compiled.PLAIN_ENV_VAR: "1"}
    code = "import sys; import polyopolis.kernels.positions; print('numpy' in sys.modules, 'numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, check=True, text=True)
    assert run.stdout.split() == ["False", "False"]


def test_ints_converts_values() -> None:
    assert [int(number) for number in ints([1, -2])] == [1, -2]
