"""Observations of seats."""

from pathlib import Path

import numpy
from hypothesis import given, settings

from polyopolis.lab.docs_tables import updated_page
from polyopolis.lab.environment_ids import offer_of
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations import observer_of
from tests.lab.random_positions import tables, walked


@settings(deadline=None, max_examples=40, derandomize=True)
@given(tables())
def test_observations_are_within_bounds(table: GameTable) -> None:
    observer = observer_of(table.offer.key, table.seats)
    low, high = observer.bounds
    for seat in range(table.seats):
        found = observer.observe(table, seat)
        assert found.shape == (observer.size,)
        assert (low <= found).all()
        assert (found <= high).all()


def test_staged_decision_is_hidden() -> None:
    table = walked(offer_of("mycity-eternal-v0"), 3, "staged", 6)
    assert table.due == {0, 1, 2}
    observer = observer_of("mycity", 3)
    before = [observer.observe(table, seat) for seat in range(3)]
    staged = table.decide(0, table.legal(0)[0])
    assert all(numpy.array_equal(seen, observer.observe(staged, seat)) for seat, seen in enumerate(before))


def test_own_board_comes_first() -> None:
    table = walked(offer_of("mycity-eternal-v0"), 2, "order", 20)
    observer = observer_of("mycity", 2)
    at, shape = observer.slices["board"]
    boards = [observer.observe(table, seat)[at].reshape(shape) for seat in range(2)]
    assert numpy.array_equal(boards[0], boards[1][::-1])
    assert not numpy.array_equal(boards[0][0], boards[0][1])
    free = table.state.cities[0].free
    assert boards[0][0][0].sum() == free.bit_count()


def test_docs_are_up_to_date() -> None:
    """Written by python -m polyopolis.lab.docs_tables docs/lab.md."""
    page = (Path(__file__).parents[2] / "docs" / "lab.md").read_text("utf-8")
    assert updated_page(page) == page
    assert "`mycity-episode-1-v0` to `mycity-episode-24-v0`" in page
