"""Evaluated choices of city positions compared with the rules."""

from itertools import pairwise

import numpy
import pytest

from polyopolis.bots.tournaments.arena import Contest
from polyopolis.engine import seed_of
from polyopolis.kernels import FAST
from polyopolis.kernels.placing.layout import AT
from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.batch_plans import UnsupportedBatch
from polyopolis.lab.datasets.decision_dataset import play_game, positions
from polyopolis.lab.environment_ids import offer_of
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.position_batch import Cities

pytestmark = [
    pytest.mark.skipif(not FAST, reason="batches run in machine code, and numba is not installed"),
    pytest.mark.slow,
]


@pytest.mark.parametrize("name", ["mycity-eternal-v0", "rollwrite-episode-4-v0"])
def test_evaluated_choices_match_the_rules(name: str) -> None:
    """All choices, and the score after each one that ends the round."""
    offer = offer_of(name)
    contest = Contest(offer.key, offer.setup(2), ("greedy", "greedy"), 1, "sights")
    game = play_game((contest, 0))
    tables = list(positions(offer, game.records[0]))
    assert [seat for _, seat in tables] == [decision.seat for decision in game.decisions]
    found = Cities.of(tables).choices()
    borders = [*found.firsts, len(found.numbers)]
    for (first, end), decision in zip(pairwise(borders), game.decisions, strict=True):
        assert found.numbers[first:end].tolist() == decision.seen.legal
    compared = 0
    for (table, seat), (first, end) in list(zip(tables, pairwise(borders), strict=True))[::5]:
        if table.due != {seat}:
            continue
        for at in range(first, end, 3):
            action = numbering_of(offer.key).action(table.state, seat, int(found.numbers[at]))
            assert table.decide(seat, action).match.result.scores[seat] == found.points[at]
            compared += 1
    assert compared > 10
    assert numpy.ptp(found.features[:, AT.empty]) > 10
    assert found.sight.any()


def test_copies_of_a_city_are_independent() -> None:
    """Equal seeds give equal games, other seeds different ones; the original is not changed."""
    offer = offer_of("mycity-eternal-v0")
    game = play_game((Contest(offer.key, offer.setup(2), ("greedy", "greedy"), 1, "sights"), 0))
    city = Cities.of(list(positions(offer, game.records[0]))[6:7])
    before = city.choices()
    copies = city.copied([0, 0, 0], [5, 5, 6])
    scores = numpy.full(3, numpy.nan)
    while numpy.isnan(scores).any():
        found = copies.choices()
        rewards, overs = copies.step(found.numbers[found.firsts])
        scores = numpy.where(numpy.isnan(scores) & (overs == 1), rewards, scores)
    assert scores[0] == scores[1] != scores[2]
    assert all(numpy.array_equal(old, new) for old, new in zip(before, city.choices(), strict=True))


def test_positions_must_be_due_cities_of_one_id() -> None:
    def table(name: str) -> GameTable:
        return GameTable.begun(offer_of(name), 2).dealt(seed_of("sights"))

    eternal = table("mycity-eternal-v0")
    for positions_, message in (
        ([], "of one id, not of 0"),
        ([(eternal, 0), (table("mycity-episode-16-v0"), 0)], "of one id, not of 2"),
        ([(table("pointcity-v0"), 0)], "pointcity-v0 has no cities"),
        ([(eternal, 2)], "seat 2 has no decision"),
        ([(eternal, -1)], "seat -1 has no decision"),
        ([(GameTable.begun(eternal.offer, 2), 0)], "seat 0 has no decision"),
    ):
        with pytest.raises(UnsupportedBatch, match=message):
            Cities.of(positions_)


def test_number_and_type_of_actions_are_checked() -> None:
    """Kernels do not check bounds, so missing actions would be read from other memory."""
    offer = offer_of("mycity-eternal-v0")
    table = GameTable.begun(offer, 2).dealt(seed_of("sights"))
    cities = Cities.of([(table, 0), (table, 1)])
    for numbers in ([485], [485, 485, 485]):
        with pytest.raises(ValueError, match="reshape"):
            cities.step(numpy.array(numbers))
    with pytest.raises(TypeError, match="actions must be whole numbers"):
        cities.step(numpy.array([0.5, 0.5]))
    _, overs = cities.step(numpy.array([485, 485]))
    assert overs.all()
