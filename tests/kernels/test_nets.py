"""Value nets in the kernels: equal to their definition, and identical in all backends."""

import pytest

from polyopolis.bots.net_files import INPUT_BITS, Provenance, load_model, pack_net, unpack_net
from polyopolis.games.mycity.content import content
from polyopolis.kernels.city_arrays import city_site
from polyopolis.kernels.city_position import ETERNAL_NET, CityPosition, KernelCity, new_net_scratch
from polyopolis.kernels.placing import net_inference, net_inputs
from polyopolis.kernels.placing.layout import PASS, RACE_WON
from polyopolis.kernels.placing.net_inference import (
    FIRST_LAYER_SIZE,
    FIRST_LAYER_WORDS,
    LAYERS_SIZE,
    OUTPUT_BIAS_AT,
    OUTPUT_WEIGHTS_AT,
    SECOND_LAYER_SIZE,
    SECOND_WEIGHTS_AT,
    ValueModel,
)
from polyopolis.kernels.runtime.jit import floats, ints, words
from polyopolis.kernels.runtime.rng import new_rng, next_word, random_below
from tests.kernels.comparisons import BACKENDS, needs_numba, printed

pytestmark = pytest.mark.slow
COVERED = words([15 << 55])[0]
"""Input bits of the covered cells of a race."""
OF_A_NET = """
from polyopolis.kernels.city_position import ModelSearchSettings
from polyopolis.kernels.runtime.rng import new_rng
from tests.kernels.test_nets import any_net, on_the_way
model = any_net()
for cards in (4, 14, 18):
    position = on_the_way(cards)
    print(position.model_values(model))
    print(position.model_search(model, ModelSearchSettings(40, 3, 2), new_rng(5)))
"""


def any_net() -> ValueModel:
    """Returns a random net whose sums fit into the lanes."""
    luck = new_rng(11)
    rows = [lanes_of([random_below(luck, 41) - 20 for _ in range(FIRST_LAYER_SIZE)]) for _ in range(INPUT_BITS + 1)]
    layers = [(random_below(luck, 2001) - 1000) / 65536 for _ in range(LAYERS_SIZE)]
    return ValueModel(words([word for row in rows for word in row]), floats(layers), floats([]))


def lanes_of(lanes: list[int]) -> list[int]:
    fours = [lanes[at : at + 4] for at in range(0, FIRST_LAYER_SIZE, 4)]
    return [sum(lane << 16 * place for place, lane in enumerate(four)) % 2**64 for four in fours]


def on_the_way(cards: int) -> CityPosition:
    """Returns a city after random placements of this number of cards, with the next one due."""
    site, luck = city_site("mycity", content().episodes["eternal"]), new_rng(3)
    city, deck = KernelCity.at_start(site), list(range(27))
    for _ in range(cards):
        task = deck.pop(random_below(luck, len(deck)))
        places = city._placements(task)
        city.decide(task, places[random_below(luck, len(places))] if places else PASS)
    return CityPosition(city, deck.pop(random_below(luck, len(deck))), ints(deck), "all")


def signed(word: int, lane: int) -> int:
    return ((int(word) + 0x8000800080008000) % 2**64 >> 16 * lane & 0xFFFF) - 0x8000


def net_output(model: ValueModel, sight: list[int]) -> float:
    """Returns the output of a net from its definition."""
    rows = [INPUT_BITS, *(bit for bit in range(INPUT_BITS) if sight[bit // 64] >> bit % 64 & 1)]
    first = [
        sum(signed(model.rows[FIRST_LAYER_WORDS * row + at // 4], at % 4) for row in rows)
        for at in range(FIRST_LAYER_SIZE)
    ]
    second = [
        model.layers[at]
        + sum(
            max(first[by], 0) * model.layers[SECOND_WEIGHTS_AT + SECOND_LAYER_SIZE * by + at]
            for by in range(FIRST_LAYER_SIZE)
        )
        for at in range(SECOND_LAYER_SIZE)
    ]
    third = sum(max(second[at], 0.0) * model.layers[OUTPUT_WEIGHTS_AT + at] for at in range(SECOND_LAYER_SIZE))
    return float(model.layers[OUTPUT_BIAS_AT] + third)


@pytest.mark.parametrize("model", [any_net(), load_model(ETERNAL_NET)], ids=["any", "shipped"])
def test_net_output_matches_its_definition(model: ValueModel) -> None:
    """Also proves that no sum overflows its lane."""
    model_scratch = new_net_scratch()
    for cards in (0, 8, 14, 18):
        position = on_the_way(cards)
        city, left = position.city, net_inference.card_bits(position.deck, 0, len(position.deck))
        shapes = net_inputs.count_shapes(position.site.arrays.law, left)
        found = position.model_values(model)
        assert found
        for value, choice in found[:: max(len(found) // 8, 1)]:
            points = net_inputs.write_inputs(
                *position.site.arrays,
                *city.arrays,
                position.task,
                choice,
                left,
                shapes,
                city.scratch.out,
                model_scratch.after,
            )
            assert abs(value - points - net_output(model, [int(word) for word in model_scratch.after])) < 1e-9


def test_inputs_of_a_choice_equal_inputs_after_it() -> None:
    before, after = new_net_scratch(), new_net_scratch()
    for cards in (1, 8, 14, 18):
        choices = [choice for _, choice in on_the_way(cards).model_values(any_net())]
        for choice in choices[:: max(len(choices) // 12, 1)]:
            position = on_the_way(cards)
            ground, arrays, out = position.site.arrays, position.city.arrays, position.city.scratch.out
            left = net_inference.card_bits(position.deck, 0, len(position.deck))
            shapes = net_inputs.count_shapes(ground.law, left)
            won = arrays.book[RACE_WON]
            points = net_inputs.write_inputs(*ground, *arrays, position.task, choice, left, shapes, out, before.after)
            position.city.decide(position.task, choice)
            assert points == position.city.score
            assert net_inputs.write_inputs(*ground, *arrays, 0, -2, left, shapes, out, after.after) == points
            if arrays.book[RACE_WON] and not won:  # covered race cells are an input only until the race is won
                before.after[net_inputs.GROUPS_WORD] &= ~COVERED
            assert list(before.after) == list(after.after)


@needs_numba
def test_net_is_identical_in_all_backends() -> None:
    output = {way: printed(OF_A_NET, way) for way in BACKENDS}
    assert output["native"].strip()
    assert output["native"] == output["plain"] == output["wasm"]


def test_net_file_round_trip() -> None:
    luck = new_rng(2)
    rows = {bit: [int(next_word(luck)) for _ in range(FIRST_LAYER_WORDS)] for bit in (0, 77, 4000, INPUT_BITS)}
    layers = [number / 1024 for number in range(LAYERS_SIZE)]
    source = Provenance("mycity-eternal-v0", "none", "none", [])
    output, model = unpack_net(pack_net(source, rows, layers))
    assert output == source
    assert list(model.layers) == layers
    for bit in (0, 1, 77, 4000, INPUT_BITS):
        row = [int(word) for word in model.rows[FIRST_LAYER_WORDS * bit : FIRST_LAYER_WORDS * (bit + 1)]]
        assert row == rows.get(bit, [0] * FIRST_LAYER_WORDS)
