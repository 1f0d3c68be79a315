"""The kernels as WebAssembly: not older than their sources, and the same numbers as in the two other ways."""

from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest

from polyopolis.bots.levels import LEVELS, seen
from polyopolis.engine import AnyGame, Dealer, Match, Rng, seed_of
from polyopolis.games import game
from polyopolis.games.placement import Stop
from polyopolis.kernels.city_beam import Prospect
from polyopolis.kernels.city_position import CityPosition
from polyopolis.kernels.placing.layout import BLOCK, FORM, NONE_LEFT, SHUT_RACE, TASKS, WAIT
from polyopolis.kernels.positions import Position, has_kernel
from polyopolis.kernels.runtime.jit import FAST, WAY, Floats
from polyopolis.kernels.runtime.rng import futures_of, luck_of
from polyopolis.kernels.runtime.wasm_calls import Rows, ints, slots_of, words
from polyopolis.kernels.wasm_manifest import stale
from tests.kernels.comparisons import WAYS, both_ways, printed
from tests.kernels.test_choice_estimates import early

HOUSE = Path(__file__).parents[2]
MODULES = HOUSE / "client" / "src" / "kernels"
CONSTRAINTS = (HOUSE / "constraints.txt").read_text("utf-8")


def test_the_modules_are_not_stale() -> None:
    assert stale(MODULES, CONSTRAINTS) == [], "run `make wasm`"


def test_what_is_stale_is_named(tmp_path: Path) -> None:
    copytree(MODULES, tmp_path, dirs_exist_ok=True)
    placing, note = tmp_path / "placing.wasm", tmp_path / "modules.json"
    placing.write_bytes(placing.read_bytes()[:-1])
    note.write_text(note.read_text().replace('"sources": "', '"sources": "0'))
    other = CONSTRAINTS.replace("ziglang==", "ziglang==0.0.")
    assert stale(tmp_path, other) == ["sources", "ziglang", "placing.wasm"]
    placing.unlink()
    assert "placing.wasm" in stale(tmp_path, CONSTRAINTS)


def test_slots_hold_numbers_arrays_rows_and_tuples() -> None:
    deck, masks, walk = ints([5, -6, 7]), words([2**64 - 1]), Rows("d", 3, 4)
    places = {id(deck): 800, id(masks): 1600, id(walk.flat): 2400}
    given = (-1, (deck, (masks, walk)), 9)
    assert list(slots_of(given, lambda numbers: places[id(numbers)])) == [-1, 800, 3, 1600, 1, 2400, 3, 4, 9]
    for strange in (1.5, [1], walk[1]):
        with pytest.raises(TypeError, match="whole numbers and arrays"):
            list(slots_of((strange,), lambda _: 0))


def test_rows_lie_one_behind_the_other() -> None:
    walk = Rows("q", 3, 2)
    walk[1][1] = 4
    assert walk.flat == array("q", [0, 0, 0, 4, 0, 0])
    assert [list(row) for row in walk] == [[0, 0], [0, 4], [0, 0]]
    assert Rows("q", 1, 5)[0] == ints([0] * 5)


mycity, rollwrite, pointcity = game("mycity"), game("rollwrite"), game("pointcity")
TABLES: list[tuple[AnyGame, Any]] = [
    (mycity, mycity.Setup(seats=2)),
    *((mycity, mycity.Setup(mode="episode", episode=number, seats=2)) for number in range(1, 25)),
    *((rollwrite, rollwrite.Setup(episode=number, seats=2)) for number in range(1, 13)),
    *((pointcity, pointcity.Setup(seats=seats)) for seats in (2, 3, 4)),
    *((pointcity, pointcity.Setup(seats=1, automa=level)) for level in ("easy", "medium", "hard")),
]
LATE = 70
"""Decisions after which nobody looks."""
FEW = 500
"""Ways to play on that are looked at one by one."""
MARK = "by machine code alone"


def any_position(rules: AnyGame, setup: Any, seed: str) -> tuple[Position, Floats]:
    """A decision anywhere in a game in which all decide anyhow."""
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
    return seen(rules.key, *found)


def exactly(values: Iterable[tuple[float, int]]) -> list[tuple[str, int]]:
    """To the last bit."""
    return [(value.hex(), choice) for value, choice in values]


def answer(position: Position, weights: Floats) -> Iterator[object]:
    """By every function that is a door of a module."""
    valued, ways = position.valued(weights), position.futures(FEW)
    yield exactly(valued)
    yield exactly(position.searched(weights, 6, 3, luck_of(1))[1])
    judgement = position.judged(weights, [choice for _, choice in valued[:2]], futures_of(2, 2))
    for rows in (judgement.points, judgement.hopes):
        yield [exactly((value, choice) for value in row) for choice, row in rows.items()]
    yield ways
    if ways < FEW:
        yield "solved", exactly(position.solved())
    if isinstance(position, CityPosition):
        yield "grown", *grown(position, weights)


def grown(position: CityPosition, weights: Floats) -> Iterator[object]:
    """The best city of a narrow beam, if a few tasks come that somebody can build."""
    law, tasks = position.site.ground.law, [position.task, WAIT, *position.deck] if len(position.deck) else range(4)
    asked = [task for task in map(int, tasks) if task == WAIT or law[TASKS + 8 * task + FORM] != NONE_LEFT]
    coming = [task for task in asked if task != law[BLOCK]][:4]
    prospect = Prospect(position.city, coming, [SHUT_RACE] * len(coming), weights, kiosks=1)
    yield prospect.score, prospect.bound
    search = prospect.grown(3, prospect.score)
    while True:
        try:
            yield next(search)
        except StopIteration as end:
            yield end.value
            return


def print_answers() -> None:
    """What kernels find in all games and episodes; and, where they are fast, a whole search of the strongest level in a
    position of each game."""
    print(WAY)
    for rules, setup in TABLES:
        print(rules.key, *answer(*any_position(rules, setup, repr(setup))))
    print(MARK)
    if FAST:
        strongest = LEVELS["level-5"]
        for table in ("mycity", "rollwrite", "pointcity"):
            position, weights = early(table)
            print(exactly(position.searched(weights, strongest.simulations, strongest.width, luck_of(3))[1]))


@pytest.mark.slow
@both_ways
def test_all_three_ways_find_the_same_to_the_last_bit() -> None:
    code = "from tests.kernels.test_wasm_modules import print_answers; print_answers()"
    found = {way: printed(code, way).partition("\n") for way in WAYS}
    assert [way for way, _, _ in found.values()] == list(WAYS), "each in its own way"
    plain, native, wasm = (found[way][2].partition(MARK) for way in ("plain", "native", "wasm"))
    assert plain[0].count("\n") == len(TABLES)
    assert plain[0].count("solved") > 3
    assert plain[0].count("grown") == len(TABLES) - 6
    assert plain[0] == native[0]
    assert native == wasm
    assert native[2].count("0x") > 20
