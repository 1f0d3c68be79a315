"""Pattern values in the kernels: the sum of all values of a city, identical in all backends."""

import pytest

from polyopolis.bots.net_files import (
    STEPS_PER_POINT,
    BadNet,
    Provenance,
    pack_patterns,
    pattern_model,
    unpack_patterns,
)
from polyopolis.games import game
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import CityPosition, KernelCity, new_net_scratch
from polyopolis.kernels.placing import pattern_values
from polyopolis.kernels.placing.layout import BLOCKING_CARD, HEIGHT, NO_SHAPE, PASS, SHAPE_NUMBER, STOP, TASKS
from polyopolis.kernels.placing.net_inference import ValueModel, card_bits
from polyopolis.kernels.placing.pattern_values import MAX_INDEXES, PATTERN_COUNT
from polyopolis.kernels.runtime.jit import ints
from polyopolis.kernels.runtime.rng import new_rng, random_below
from tests.kernels.comparisons import BACKENDS, needs_numba, printed

pytestmark = pytest.mark.slow
OF_PATTERNS = """
from polyopolis.kernels.city_position import ModelSearchSettings
from polyopolis.kernels.runtime.rng import new_rng
from tests.kernels.test_pattern_values import PLAYED_TASKS, any_patterns, on_the_way
model = any_patterns()
for way in PLAYED_TASKS:
    position = on_the_way(*way)
    print(position.model_values(model))
    print(position.model_search(model, ModelSearchSettings(20, 2, 2), new_rng(5)))
"""
PLAYED_TASKS: list[tuple[str, int, int]] = [
    ("rollwrite", 2, 3),
    ("rollwrite", 5, 8),
    ("rollwrite", 12, 11),
    ("mycity", 5, 12),
    ("mycity", 22, 12),
]
"""Games, episodes, and number of tasks played."""
SOURCE = Provenance("rollwrite/episode-1", "none", "none", [])


def any_steps() -> list[int]:
    luck = new_rng(11)
    return [random_below(luck, STEPS_PER_POINT) - STEPS_PER_POINT // 2 for _ in range(PATTERN_COUNT)]


def any_patterns() -> ValueModel:
    return pattern_model(any_steps())


def on_the_way(key: str, number: int, gone: int) -> CityPosition:
    """Returns a city after random placements of this number of tasks, with the next one due."""
    rules, mode = game(key), {"mode": "episode"} if key == "mycity" else {}
    state = rules.start(rules.Setup(seats=2, episode=number, **mode))
    site, luck = city_site(key, state.episode, state.cities[0].site), new_rng(3)
    city, law = KernelCity.at_start(site), site.arrays.law
    blank = [
        int(card)
        for card in site.deck
        if card == law[BLOCKING_CARD] or law[TASKS + 8 * card + SHAPE_NUMBER] == NO_SHAPE
    ]
    deck = [int(card) for card in site.deck if card not in blank]
    cards = [deck.pop(random_below(luck, len(deck))) for _ in range(gone + 1)] if deck else []
    tasks = cards or [random_below(luck, len(site.tasks)) for _ in range(gone + 1)]
    for task in tasks[:-1]:
        if places := city._placements(task):
            city.decide(task, places[random_below(luck, len(places))])
    return CityPosition(city, tasks[-1], ints([*deck, *blank]))


def indexes_after(position: CityPosition, choice: int) -> tuple[float, list[int]]:
    """Returns the outcome after a choice, and its indexes."""
    ground, arrays, view, indexes = (
        position.site.arrays,
        position.city.arrays,
        new_net_scratch().pattern_view,
        ints([-1] * MAX_INDEXES),
    )
    pattern_values.write_view(ground.law, arrays.city, card_bits(position.deck, 0, len(position.deck)), view)
    points = pattern_values.write_indexes(*ground, *arrays, position.task, choice, position.city.scratch.out, view)
    return points, [int(index) for index in indexes[: pattern_values.list_indexes(ground.law, view, indexes)]]


BEGINNINGS = [("rollwrite", 2, 0), ("rollwrite", 8, 9), ("mycity", 12, 0), ("mycity", 24, 6)]


@pytest.mark.parametrize(("key", "number", "gone"), [*PLAYED_TASKS, *BEGINNINGS])
def test_pattern_value_is_the_outcome_plus_all_values(key: str, number: int, gone: int) -> None:
    """The incremental sum equals the sum of the city after the choice."""
    model, position = any_patterns(), on_the_way(key, number, gone)
    found = position.model_values(model)
    assert found
    for value, choice in found[:: max(len(found) // 12, 1)]:
        after = on_the_way(key, number, gone)
        points, indexes = indexes_after(after, choice)
        assert len(indexes) == len(set(indexes)) == pattern_values.all_index_count(after.site.arrays.law)
        assert value == points + sum(model.patterns[index] for index in indexes)
        after.city.decide(after.task, choice)
        assert points == after.city.outcome


@pytest.mark.parametrize(("key", "number"), [("rollwrite", 1), ("mycity", 7)])
def test_windows_describe_free_cells(key: str, number: int) -> None:
    position = on_the_way(key, number, 6)
    law, free = position.site.arrays.law, position.city.free
    _, indexes = indexes_after(position, PASS)
    for y in range(law[HEIGHT] - 2):
        for x in range(pattern_values.WINDOWS_PER_ROW):
            cells = [
                free >> (pattern_values.WIDTH * (y + row) + x + column) & 1 for row in range(3) for column in range(3)
            ]
            free_ones = sum(cell << at for at, cell in enumerate(cells))
            window = y * pattern_values.WINDOWS_PER_ROW + x
            assert (
                indexes[pattern_values.index_count(law) + window] == window * pattern_values.WINDOW_STATES + free_ones
            )


def test_shape_indexes_depend_on_remaining_cards_and_placements() -> None:
    """The same city with cards to come and without: only coming shapes have indexes by placements."""
    position = on_the_way("mycity", 5, 20)
    _, indexes = indexes_after(position, PASS)
    _, none = indexes_after(CityPosition(position.city, position.task, ints([])), PASS)
    first, end = pattern_values.INDEXES_WITHOUT_SHAPES, pattern_values.INDEX_COUNT
    law = position.site.arrays.law
    left = {law[TASKS + 8 * card + SHAPE_NUMBER] for card in position.deck if card != law[BLOCKING_CARD]} - {NO_SHAPE}
    alike = [
        (index - pattern_values.SHAPES_AT) // pattern_values.FIT_STEPS % pattern_values.SHAPE_CARD_STEPS
        for index in indexes[first:end]
    ]
    assert {form for form, number in enumerate(alike) if number} == left
    assert all(
        (index - pattern_values.SHAPES_AT) % (pattern_values.SHAPE_CARD_STEPS * pattern_values.FIT_STEPS) == 0
        for index in none[first:end]
    )


@needs_numba
def test_patterns_are_identical_in_all_backends() -> None:
    output = {way: printed(OF_PATTERNS, way) for way in BACKENDS}
    assert output["native"].strip()
    assert output["native"] == output["plain"] == output["wasm"]


def test_pattern_file_round_trip() -> None:
    steps = any_steps()
    output, model = unpack_patterns(pack_patterns(SOURCE, steps))
    assert output == SOURCE
    assert list(model.patterns) == [step / STEPS_PER_POINT for step in steps]
    with pytest.raises(BadNet, match="2 pattern values"):
        unpack_patterns(pack_patterns(SOURCE, [0, 0]))


def test_stopping_is_not_evaluated() -> None:
    assert STOP not in [choice for _, choice in on_the_way("rollwrite", 5, 4).model_values(any_patterns())]
