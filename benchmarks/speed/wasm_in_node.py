"""Compares a search of the strongest level as WebAssembly in Node with machine code in one run."""

import json
from collections.abc import Iterator
from importlib import import_module
from time import perf_counter

from benchmarks.speed.summaries import format_spread, ratios
from polyopolis.bots.levels import LEVELS
from polyopolis.kernels.runtime.jit import BACKEND, Backend
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.kernels.runtime.wasm_calls import HOST_MODULE
from tests.kernels.comparisons import printed
from tests.kernels.test_choice_estimates import TABLES, early

CODE = "from benchmarks.speed.wasm_in_node import print_times; print_times({number})"


def print_times(number: int) -> None:
    """Prints the milliseconds of the second search at each table.

    In Node, only the time inside the WebAssembly module counts, because a page does not copy arguments as the tests do.
    """
    level, results = LEVELS["level-5"], {}
    for table in TABLES:
        position, weights = early(table)
        for _ in range(2):
            start = perf_counter()
            position.search(weights, level.simulations, level.width, new_rng(number))
            results[table] = 1000 * (perf_counter() - start)
            if BACKEND == "wasm":
                results[table] = import_module(HOST_MODULE).times[-1][1]
    print(json.dumps(results))


def compare_with_native(rounds: int) -> Iterator[str]:
    backends: tuple[Backend, ...] = ("native", "wasm")
    results = [
        {backend: json.loads(printed(CODE.format(number=number), backend)) for backend in backends}
        for number in range(rounds)
    ]
    for table in TABLES:
        native, wasm = ([times[backend][table] for times in results] for backend in backends)
        yield f"{table:18}{format_spread(wasm, 0):>24} ms {format_spread(ratios(wasm, native)):>24} x machine code"
