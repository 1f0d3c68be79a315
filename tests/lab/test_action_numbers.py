"""Action numbers: one per action, in both directions."""

from itertools import combinations_with_replacement
from math import prod

import numpy
import pytest
from hypothesis import given, settings

from polyopolis.engine import seed_of
from polyopolis.games.mycity.actions import Gear, Kiosk, NoKiosk, Pass, Place, Sticker, Stop
from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.payment import joint_cost
from polyopolis.lab.action_numbers import NUMBERINGS, IllegalActionNumber, action_of, mask_of, numbering_of, pointcity
from polyopolis.lab.environment_ids import offer_of
from polyopolis.lab.game_table import GameTable
from tests.lab.random_positions import tables


def assert_one_number_for_each(table: GameTable, seat: int) -> None:
    numbers, state, legal = numbering_of(table.offer.key), table.state, table.legal(seat)
    found = [numbers.number(state, seat, action) for action in legal]
    assert len(set(found)) == len(legal) > 0
    assert [numbers.action(state, seat, number) for number in found] == list(legal)
    mask = mask_of(table, seat)
    assert sorted(found) == list(numpy.flatnonzero(mask))
    for number in numpy.flatnonzero(mask == 0)[::7]:
        with pytest.raises(IllegalActionNumber):
            action_of(table, seat, int(number))


@settings(deadline=None, max_examples=150, derandomize=True)
@given(tables())
def test_legal_actions_and_numbers_correspond(table: GameTable) -> None:
    for seat in range(table.seats):
        if seat in table.due:
            assert_one_number_for_each(table, seat)
        else:
            assert not mask_of(table, seat).any()


@settings(deadline=None, max_examples=30, derandomize=True)
@given(tables())
def test_chance_outcomes_have_numbers(table: GameTable) -> None:
    before = GameTable.begun(table.offer, table.seats)
    numbers = numbering_of(table.offer.key)
    found = [numbers.chance(before.state, luck) for luck, _ in table.rules.odds(before.state)]
    assert len(set(found)) == len(found)
    assert all(0 <= number < numbers.CHANCES for number in found)


def test_kiosks_stickers_and_gears_have_numbers() -> None:
    """A campaign in which one seat builds and the other stops."""
    luck, asked = seed_of("rewards"), set[type]()
    table = GameTable.begun(offer_of("mycity-campaign-v0"), 2).dealt(luck)
    while not table.over:
        for seat in sorted(table.due):
            legal, building = table.legal(seat), table.state.asks == "building"
            asked.update(map(type, legal))
            if not building:
                assert_one_number_for_each(table, seat)
            table = table.decide(seat, legal[-1] if building and seat else legal[0])
        table = table.dealt(luck)
    assert asked == {Place, Pass, Stop, Kiosk, NoKiosk, Sticker, Gear}


def test_ranges_are_consecutive() -> None:
    for numbers in NUMBERINGS.values():
        ranges = list(numbers.SECTIONS.values())
        assert [section.start for section in ranges] == [0, *(section.stop for section in ranges[:-1])]
        assert ranges[-1].stop == numbers.COUNT


def test_all_payments_have_numbers() -> None:
    def ways(amount: int) -> int:
        pairs = [(ones, twos) for twos in range((amount + 1) // 2 + 1) for ones in range(amount + 1)]
        return sum(ones + 2 * twos <= amount or (ones == 0 and 2 * twos == amount + 1) for ones, twos in pairs)

    costs = {joint_cost(first, second) for first, second in combinations_with_replacement(content().cards.values(), 2)}
    assert max(prod(ways(amount) for _, amount in cost) for cost in costs) <= pointcity.MAX_PAYMENTS
