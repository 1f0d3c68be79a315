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
    level, found = LEVELS["level-5"], {}
    for table in TABLES:
        position, weights = early(table)
        for _ in range(2):
            start = perf_counter()
            position.search(weights, level.simulations, level.width, new_rng(number))
            found[table] = 1000 * (perf_counter() - start)
            if BACKEND == "wasm":
                found[table] = import_module(HOST_MODULE).times[-1][1]
    print(json.dumps(found))


def compare_with_native(rounds: int) -> Iterator[str]:
    ways: tuple[Backend, ...] = ("native", "wasm")
    found = [{way: json.loads(printed(CODE.format(number=number), way)) for way in ways} for number in range(rounds)]
    for table in TABLES:
        native, wasm = ([times[way][table] for times in found] for way in ways)
        yield f"{table:18}{format_spread(wasm, 0):>24} ms {format_spread(ratios(wasm, native)):>24} x machine code"
