"""A net in the kernels: it says what its numbers say, and the same wherever it runs."""

import pytest

from polyopolis.bots.net_files import BITS, Provenance, judge_of, packed, unpacked
from polyopolis.games.mycity.content import content
from polyopolis.kernels.city_arrays import land_of
from polyopolis.kernels.city_position import ETERNAL, City, CityPosition, new_eyes
from polyopolis.kernels.placing import net_inference, net_inputs
from polyopolis.kernels.placing.layout import PASS, WON
from polyopolis.kernels.placing.net_inference import INNER, LAST_OF_ALL, LAYERS, PACKED, SECOND, THIRD, WIDE, Judge
from polyopolis.kernels.runtime.jit import floats, ints, words
from polyopolis.kernels.runtime.rng import below, drawn, luck_of
from tests.kernels.comparisons import WAYS, both_ways, printed

pytestmark = pytest.mark.slow
COVERED = words([15 << 55])[0]
"""What is seen of the cells that a race is about."""
OF_A_NET = """
from polyopolis.kernels.city_position import Consultation
from polyopolis.kernels.runtime.rng import luck_of
from tests.kernels.test_nets import any_net, on_the_way
judge = any_net()
for cards in (4, 14, 18):
    position = on_the_way(cards)
    print(position.gazed(judge))
    print(position.consulted(judge, Consultation(40, 3, 2), luck_of(5)))
"""


def any_net() -> Judge:
    """Numbers by chance, small enough for the lanes."""
    luck = luck_of(11)
    rows = [lanes_of([below(luck, 41) - 20 for _ in range(WIDE)]) for _ in range(BITS + 1)]
    layers = [(below(luck, 2001) - 1000) / 65536 for _ in range(LAYERS)]
    return Judge(words([word for row in rows for word in row]), floats(layers), floats([]))


def lanes_of(lanes: list[int]) -> list[int]:
    fours = [lanes[at : at + 4] for at in range(0, WIDE, 4)]
    return [sum(lane << 16 * place for place, lane in enumerate(four)) % 2**64 for four in fours]


def on_the_way(cards: int) -> CityPosition:
    """A city that was built anyhow for so many cards, with the next one up."""
    site, luck = land_of("mycity", content().episodes["eternal"]), luck_of(3)
    city, deck = City.laid_out(site), list(range(27))
    for _ in range(cards):
        task = deck.pop(below(luck, len(deck)))
        places = city._places(task)
        city.decide(task, places[below(luck, len(places))] if places else PASS)
    return CityPosition(city, deck.pop(below(luck, len(deck))), ints(deck), "all")


def signed(word: int, lane: int) -> int:
    return ((int(word) + 0x8000800080008000) % 2**64 >> 16 * lane & 0xFFFF) - 0x8000


def said(judge: Judge, sight: list[int]) -> float:
    """What a net says of what is seen, from its definition."""
    rows = [BITS, *(bit for bit in range(BITS) if sight[bit // 64] >> bit % 64 & 1)]
    first = [sum(signed(judge.rows[PACKED * row + at // 4], at % 4) for row in rows) for at in range(WIDE)]
    second = [
        judge.layers[at] + sum(max(first[by], 0) * judge.layers[SECOND + INNER * by + at] for by in range(WIDE))
        for at in range(INNER)
    ]
    third = sum(max(second[at], 0.0) * judge.layers[THIRD + at] for at in range(INNER))
    return float(judge.layers[LAST_OF_ALL] + third)


@pytest.mark.parametrize("judge", [any_net(), judge_of(ETERNAL)], ids=["any", "shipped"])
def test_a_net_says_what_its_numbers_say(judge: Judge) -> None:
    """No sum is too large for its place, either."""
    eyes = new_eyes()
    for cards in (0, 8, 14, 18):
        position = on_the_way(cards)
        city, left = position.city, net_inference.bits_of(position.deck, 0, len(position.deck))
        shapes = net_inputs.held(position.site.ground.law, left)
        found = position.gazed(judge)
        assert found
        for value, choice in found[:: max(len(found) // 8, 1)]:
            points = net_inputs.see(
                *position.site.ground, *city.town, position.task, choice, left, shapes, city.yard.out, eyes.after
            )
            assert abs(value - points - said(judge, [int(word) for word in eyes.after])) < 1e-9


def test_what_is_seen_of_a_choice_is_what_is_seen_once_it_is_done() -> None:
    before, after = new_eyes(), new_eyes()
    for cards in (1, 8, 14, 18):
        choices = [choice for _, choice in on_the_way(cards).gazed(any_net())]
        for choice in choices[:: max(len(choices) // 12, 1)]:
            position = on_the_way(cards)
            ground, town, out = position.site.ground, position.city.town, position.city.yard.out
            left = net_inference.bits_of(position.deck, 0, len(position.deck))
            shapes = net_inputs.held(ground.law, left)
            won = town.book[WON]
            points = net_inputs.see(*ground, *town, position.task, choice, left, shapes, out, before.after)
            position.city.decide(position.task, choice)
            assert points == position.city.score
            assert net_inputs.see(*ground, *town, 0, -2, left, shapes, out, after.after) == points
            if town.book[WON] and not won:  # what was covered for a race is seen until it is won, and no longer
                before.after[net_inputs.STANDING] &= ~COVERED
            assert list(before.after) == list(after.after)


@both_ways
def test_a_net_says_the_same_wherever_it_runs() -> None:
    told = {way: printed(OF_A_NET, way) for way in WAYS}
    assert told["native"].strip()
    assert told["native"] == told["plain"] == told["wasm"]


def test_a_net_is_read_as_it_was_written() -> None:
    luck = luck_of(2)
    rows = {bit: [int(drawn(luck)) for _ in range(PACKED)] for bit in (0, 77, 4000, BITS)}
    layers = [number / 1024 for number in range(LAYERS)]
    source = Provenance("mycity-eternal-v0", "none", "none", [])
    told, judge = unpacked(packed(source, rows, layers))
    assert told == source
    assert list(judge.layers) == layers
    for bit in (0, 1, 77, 4000, BITS):
        row = [int(word) for word in judge.rows[PACKED * bit : PACKED * (bit + 1)]]
        assert row == rows.get(bit, [0] * PACKED)
