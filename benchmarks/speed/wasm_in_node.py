"""Compares a search of the strongest level as WebAssembly in Node with machine code in one run."""

import json
from collections.abc import Iterator
from importlib import import_module
from time import perf_counter

from benchmarks.speed.summaries import ratios, spread
from polyopolis.bots.levels import LEVELS
from polyopolis.kernels.runtime.jit import WAY, Way
from polyopolis.kernels.runtime.rng import luck_of
from polyopolis.kernels.runtime.wasm_calls import HOST
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
            position.searched(weights, level.simulations, level.width, luck_of(number))
            found[table] = 1000 * (perf_counter() - start)
            if WAY == "wasm":
                found[table] = import_module(HOST).times[-1][1]
    print(json.dumps(found))


def beside_machine_code(rounds: int) -> Iterator[str]:
    ways: tuple[Way, ...] = ("native", "wasm")
    found = [{way: json.loads(printed(CODE.format(number=number), way)) for way in ways} for number in range(rounds)]
    for table in TABLES:
        native, wasm = ([times[way][table] for times in found] for way in ways)
        yield f"{table:18}{spread(wasm, 0):>24} ms {spread(ratios(wasm, native)):>24} x machine code"
