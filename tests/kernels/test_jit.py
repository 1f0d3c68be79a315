"""Machine code: never older than its sources, free of allocation and of Python objects."""

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
from polyopolis.kernels.runtime.jit import COMPILED, FAST, MACHINE, ints, jit, stamp_of
from polyopolis.kernels.warmup import CACHE
from tests.support.property_budget import SOAK

HOUSE, HERE = Path(polyopolis.__file__).parent, Path(kernels.__file__).parent
SOURCES = {path for pattern in MACHINE for path in HERE.glob(pattern)}
fast = pytest.mark.skipif(not FAST, reason="numba is not installed, so nothing is compiled")


def test_all_that_is_compiled_is_stamped() -> None:
    marked = re.compile("^@(jit|entry)$", re.MULTILINE)
    jitted = {path for path in HERE.rglob("*.py") if marked.search(path.read_text("utf-8"))}
    assert len(jitted) > 10
    assert jitted <= SOURCES


def test_what_is_stamped_imports_nothing_else_of_the_house() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("polyopolis"):
                assert HOUSE.parent / f"{node.module.replace('.', '/')}.py" in SOURCES, (path.name, node.module)


def test_a_stamp_is_of_names_and_contents(tmp_path: Path) -> None:
    stamps = {stamp_of(tmp_path)}
    files = ("runtime/rng.py", "a"), ("runtime/rng.py", "b"), ("runtime/array_ops.py", "b"), ("placing/layout.py", "")
    for name, text in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
        assert stamp_of(tmp_path) not in stamps
        stamps.add(stamp_of(tmp_path))
    (tmp_path / "city_arrays.py").write_text("not compiled")
    assert stamp_of(tmp_path) in stamps


SHUFFLED = """
from polyopolis.kernels.runtime.jit import ints
from polyopolis.kernels.drafting.chance import shuffled_in
from polyopolis.kernels.runtime.rng import luck_of
coming, luck, number = ints([0] * 16), luck_of(1), 0
for what in range(16):
    number = shuffled_in(coming, 0, number, what, luck)
print(sum(shuffled_in.stats.cache_hits.values()), list(map(int, coming)))
"""


def shuffled(house: Path) -> tuple[bool, str]:
    """Whether machine code came from the disk, and what it does."""
    environment = {name: value for name, value in os.environ.items() if name != CACHE} | {"PYTHONPATH": str(house)}
    run = subprocess.run([sys.executable, "-c", SHUFFLED], env=environment, capture_output=True, check=True, text=True)
    hits, _, order = run.stdout.partition(" ")
    return hits != "0", order


@pytest.mark.slow
@fast
def test_a_change_in_one_file_compiles_anew_what_calls_it(tmp_path: Path) -> None:
    """Numba itself looks at a function's own file alone: `chance.py` is unchanged."""
    leave = shutil.ignore_patterns("__pycache__", "static")
    shutil.copytree(HOUSE, tmp_path / "polyopolis", ignore=leave)
    first, again = shuffled(tmp_path), shuffled(tmp_path)
    assert (first[0], again) == (False, (True, first[1]))
    luck = tmp_path / "polyopolis" / "kernels" / "runtime" / "rng.py"
    luck.write_text(luck.read_text("utf-8").replace("U(27)", "U(25)"))
    kept, other = shuffled(tmp_path)
    assert not kept
    assert other != first[1]
    assert shuffled(tmp_path) == (True, other)


@fast
def test_what_would_allocate_does_not_compile() -> None:
    def allocating(length: int) -> int:
        return len([0] * length)

    refused: Any = jit(allocating)
    COMPILED.remove(refused)
    with pytest.raises(Exception, match="NRT required but not enabled"):  # an error of numba's, which is an extra
        refused(3)


@fast
def test_every_function_is_compiled_so() -> None:
    assert len(COMPILED) > 100
    for function in COMPILED:
        assert function.targetoptions["_nrt"] is False
        assert function.targetoptions["nopython"] is True


INSPECTED = """
import re, sys
from polyopolis.kernels import warming
from polyopolis.kernels.runtime.jit import COMPILED
kernel, warm = sys.argv[1:]
getattr(warming, warm)()
inspected = 0
for function in COMPILED:
    name = f"{function.__module__}.{function.__name__}"
    assert function.signatures or kernel not in name, f"{name} was not asked by the warm-up"
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
@pytest.mark.skipif(SOAK == 1, reason="it compiles everything anew; a module of WebAssembly has nobody to ask, either")
@pytest.mark.parametrize(("kernel", "warm"), [("placing", "warm_cities"), ("drafting", "warm_drafts")])
def test_no_function_asks_python_or_an_allocator_for_anything(kernel: str, warm: str, tmp_path: Path) -> None:
    """Read from the text that LLVM gets, of everything that the warm-up compiles; the wrappers for Python aside."""
    command, environment = [sys.executable, "-c", INSPECTED, kernel, warm], {**os.environ, CACHE: str(tmp_path)}
    run = subprocess.run(command, env=environment, capture_output=True, check=False, text=True)
    assert run.returncode == 0, run.stderr[-2000:]
    assert int(run.stdout) > sum(kernel in function.__module__ for function in COMPILED)


def tuples(module: ModuleType) -> set[type]:
    return {
        value
        for value in vars(module).values()
        if isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields")
    }


def test_no_two_tuples_of_kernels_have_the_same_name() -> None:
    """Numba knows a tuple by its name and what is in it: of two that look alike it would find one slowly each time."""
    passed = set().union(*(tuples(module) for module in (sequential_halving, placing, layout))) - {NamedTuple}
    passed -= {placing.Features, layout.Features}  # never passed
    names = [each.__name__ for each in passed]
    assert len(names) > 6
    assert len(names) == len(set(names))


def test_plain_python_needs_no_array_library() -> None:
    plain = {**os.environ, compiled.PLAIN: "1"}
    code = "import sys; import polyopolis.kernels.positions; print('numpy' in sys.modules, 'numba' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], env=plain, capture_output=True, check=True, text=True)
    assert run.stdout.split() == ["False", "False"]


def test_arrays_are_what_kernels_read() -> None:
    assert [int(number) for number in ints([1, -2])] == [1, -2]
