"""GPU batches on a stand-in: numpy replaces CuPy, and the CPU the GPU."""

from pathlib import Path
from typing import Any

import numpy
import pytest

from polyopolis.kernels import FAST
from polyopolis.lab import gpu_test_cases
from polyopolis.lab.batch_plan import FUNCTIONS, BatchPlan
from polyopolis.lab.gpu import cuda_batch
from polyopolis.lab.stepping import cpu_loops

pytestmark = [
    pytest.mark.skipif(not FAST, reason="batches run in machine code, and numba is not installed"),
    pytest.mark.slow,
]


class Held(numpy.ndarray):
    """An array with the `get` method of CuPy."""

    def get(self) -> Any:
        return numpy.array(self)


class StandIn:
    """The part of CuPy that `CudaRunner` uses. Functions get columns and run as on a CPU."""

    def __init__(self, plan: BatchPlan) -> None:
        self.plan = plan

    def asarray(self, array: Any, dtype: Any = None, order: str = "C") -> Any:
        return numpy.array(array, dtype=dtype, order="C").view(Held)

    def RawModule(self, path: str) -> "StandIn":  # noqa: N802 - as CuPy names it
        return self

    def get_function(self, name: str) -> Any:
        arrays = FUNCTIONS[self.plan.program][name]

        def launched(blocks: tuple[int], threads: tuple[int], given: tuple[Any, ...]) -> None:
            found = given[2 : 2 + 2 * len(arrays)]
            assert blocks[0] * threads[0] >= int(given[0]) == int(given[1])
            assert [len(array) for array in found[::2]] == [int(length) for length in found[1::2]]
            own = [array if key in self.plan.shared else numpy.ascontiguousarray(array.T)
                   for key, array in zip(arrays, found[::2], strict=True)]  # fmt: skip
            cpu_loops.LOOPS[self.plan.program][name](*map(numpy.asarray, own), *map(int, given[2 + 2 * len(arrays) :]))
            for key, array, row in zip(arrays, found[::2], own, strict=True):
                if key not in self.plan.shared:
                    array[:] = row.T

        return launched


@pytest.mark.parametrize("name", ["mycity-eternal-v0", "pointcity-v0"])
def test_case_is_identical_on_the_gpu(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu_test_cases.write_case(tmp_path / "case.npz", name, None)
    plan, case = cuda_batch.read_case(tmp_path / "case.npz")
    monkeypatch.setattr(cuda_batch, "load_cupy", lambda: StandIn(plan))
    assert cuda_batch.differing_arrays(plan, case, tmp_path) == []
    case["book" if name == "mycity-eternal-v0" else "draft"][0, 0] += 1
    case["step_rewards"][0] += 1
    assert cuda_batch.differing_arrays(plan, case, tmp_path) == [
        "rewards of single steps",
        "book" if name == "mycity-eternal-v0" else "draft",
    ]
