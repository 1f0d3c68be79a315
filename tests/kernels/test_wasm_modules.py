"""The WebAssembly modules: up to date, and identical to the other backends."""

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from polyopolis.bots.levels import LEVELS, position_and_weights
from polyopolis.engine import AnyGame, Dealer, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_beam import BeamSearch
from polyopolis.kernels.city_position import CityPosition
from polyopolis.kernels.placing.layout import BLOCKING_CARD, CLOSE_RACE, NO_SHAPE, SHAPE_NUMBER, TASKS, WAIT
from polyopolis.kernels.positions import Position, has_kernel
from polyopolis.kernels.runtime.jit import BACKEND, FAST, Floats
from polyopolis.kernels.runtime.rng import future_seeds, new_rng
from polyopolis.kernels.runtime.wasm_calls import ArrayRows, ints, slots_of, words
from polyopolis.kernels.wasm_manifest import stale_parts
from tests.kernels.comparisons import BACKENDS, needs_numba, printed
from tests.kernels.test_choice_estimates import early

ROOT = Path(__file__).parents[2]
MODULES = ROOT / "client" / "src" / "kernels"
CONSTRAINTS = (ROOT / "constraints.txt").read_text("utf-8")


def test_modules_are_not_stale() -> None:
    assert stale_parts(MODULES, CONSTRAINTS) == [], "run `make wasm`"


def test_stale_parts_are_named(tmp_path: Path) -> None:
    copytree(MODULES, tmp_path, dirs_exist_ok=True)
    placing, note = tmp_path / "placing.wasm", tmp_path / "modules.json"
    placing.write_bytes(placing.read_bytes()[:-1])
    note.write_text(note.read_text().replace('"sources": "', '"sources": "0'))
    other = CONSTRAINTS.replace("ziglang==", "ziglang==0.0.")
    assert stale_parts(tmp_path, other) == ["sources", "ziglang", "placing.wasm"]
    placing.unlink()
    assert "placing.wasm" in stale_parts(tmp_path, CONSTRAINTS)


def test_slots_of_numbers_arrays_rows_and_tuples() -> None:
    deck, masks, walk = ints([5, -6, 7]), words([2**64 - 1]), ArrayRows("d", 3, 4)
    places = {id(deck): 800, id(masks): 1600, id(walk.flat): 2400}
    given = (-1, (deck, (masks, walk)), 9)
    assert list(slots_of(given, lambda numbers: places[id(numbers)])) == [-1, 800, 3, 1600, 1, 2400, 3, 4, 9]
    for strange in (1.5, [1], walk[1]):
        with pytest.raises(TypeError, match="whole numbers and arrays"):
            list(slots_of((strange,), lambda _: 0))


def test_rows_are_contiguous() -> None:
    walk = ArrayRows("q", 3, 2)
    walk[1][1] = 4
    assert walk.flat == array("q", [0, 0, 0, 4, 0, 0])
    assert [list(row) for row in walk] == [[0, 0], [0, 4], [0, 0]]
    assert ArrayRows("q", 1, 5)[0] == ints([0] * 5)


mycity, rollwrite, pointcity = game("mycity"), game("rollwrite"), game("pointcity")
TABLES: list[tuple[AnyGame, Any]] = [
    (mycity, mycity.Setup(seats=2)),
    *((mycity, mycity.Setup(mode="episode", episode=number, seats=2)) for number in range(1, 25)),
    *((rollwrite, rollwrite.Setup(episode=number, seats=2)) for number in range(1, 13)),
    *((pointcity, pointcity.Setup(seats=seats)) for seats in (2, 3, 4)),
    *((pointcity, pointcity.Setup(seats=1, automa=level)) for level in ("easy", "medium", "hard")),
]
LATE = 70
"""Maximum number of decisions before the tested one."""
FEW = 500
"""Number of continuations up to which positions are solved."""
MARK = "by machine code alone"


def any_position(rules: AnyGame, setup: Any, seed: str) -> tuple[Position, Floats]:
    """Returns a random decision of a random game."""
    dealer, rng = Dealer(seed_of(seed)), Rng(seed_of(seed))
    match, left, found = Match.start(rules, setup).deal(dealer), rng.below(LATE), None
    while not match.over and left >= 0:
        for seat in sorted(match.due):
            if has_kernel(rules.key, match.state, seat):
                found = match.state, seat
                left -= 1
            legal = rules.legal(match.state, seat)
            match = match.decide(seat, rng.choice([action for action in legal if action != Stop()] or legal))
        match = match.deal(dealer)
    assert found
    return position_and_weights(rules.key, *found)


def exactly(values: Iterable[tuple[float, int]]) -> list[tuple[str, int]]:
    """Returns values with all bits."""
    return [(value.hex(), choice) for value, choice in values]


def results(position: Position, weights: Floats) -> Iterator[object]:
    """Yields the results of every exported function."""
    valued, ways = position.choice_values(weights), position.count_continuations(FEW)
    yield exactly(valued)
    yield exactly(position.search(weights, 6, 3, new_rng(1))[1])
    estimates = position.estimate_choices(weights, [choice for _, choice in valued[:2]], future_seeds(2, 2))
    for rows in (estimates.points, estimates.utilities):
        yield [exactly((value, choice) for value in row) for choice, row in rows.items()]
    yield ways
    if ways < FEW:
        yield "solved", exactly(position.solve())
    if isinstance(position, CityPosition):
        yield "grown", *beam_steps(position, weights)


def beam_steps(position: CityPosition, weights: Floats) -> Iterator[object]:
    """Yields the steps of a narrow beam search over a few tasks that can be built."""
    law, tasks = position.site.arrays.law, [position.task, WAIT, *position.deck] if len(position.deck) else range(4)
    asked = [task for task in map(int, tasks) if task == WAIT or law[TASKS + 8 * task + SHAPE_NUMBER] != NO_SHAPE]
    coming = [task for task in asked if task != law[BLOCKING_CARD]][:4]
    search = BeamSearch(position.city, coming, [CLOSE_RACE] * len(coming), weights, kiosks=1)
    yield search.score, search.bound
    steps = search.run(3, search.score)
    while True:
        try:
            yield next(steps)
        except StopIteration as end:
            yield end.value
            return


def print_answers() -> None:
    """Prints results for all games and episodes and, with a fast backend, a whole search of the strongest level in
    one position of each game."""
    print(BACKEND)
    for rules, setup in TABLES:
        print(rules.key, *results(*any_position(rules, setup, repr(setup))))
    print(MARK)
    if FAST:
        strongest = LEVELS["level-5"]
        for table in ("mycity", "rollwrite", "pointcity"):
            position, weights = early(table)
            print(exactly(position.search(weights, strongest.simulations, strongest.width, new_rng(3))[1]))


@pytest.mark.slow
@needs_numba
def test_all_backends_are_bit_identical() -> None:
    code = "from tests.kernels.test_wasm_modules import print_answers; print_answers()"
    found = {way: printed(code, way).partition("\n") for way in BACKENDS}
    assert [way for way, _, _ in found.values()] == list(BACKENDS), "each process uses its backend"
    plain, native, wasm = (found[way][2].partition(MARK) for way in ("plain", "native", "wasm"))
    assert plain[0].count("\n") == len(TABLES)
    assert plain[0].count("solved") > 3
    assert plain[0].count("grown") == len(TABLES) - 6
    assert plain[0] == native[0]
    assert native == wasm
    assert native[2].count("0x") > 20
