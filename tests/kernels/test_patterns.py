"""Patterns in the kernels: what a city comes to is the sum of all numbers that count for it, wherever it runs."""

import pytest

from polyopolis.bots.nets import STEP, BadNet, Provenance, judge_by, packed_patterns, unpacked_patterns
from polyopolis.games.rollwrite.content import content
from polyopolis.kernels.cities import City, CityPosition, new_eyes
from polyopolis.kernels.compiled import ints
from polyopolis.kernels.luck import below, luck_of
from polyopolis.kernels.placing import patterns
from polyopolis.kernels.placing.gazing import Judge
from polyopolis.kernels.placing.layout import PASS, STOP
from polyopolis.kernels.placing.patterns import NOTES, PATTERNS
from polyopolis.kernels.tables import land_of
from tests.kernels.sameness import WAYS, both_ways, printed

pytestmark = pytest.mark.slow
OF_PATTERNS = """
from polyopolis.kernels.cities import Consultation
from polyopolis.kernels.luck import luck_of
from tests.kernels.test_patterns import any_patterns, on_the_way
judge = any_patterns()
for episode, rolls in ((2, 3), (5, 8), (12, 11)):
    position = on_the_way(episode, rolls)
    print(position.gazed(judge))
    print(position.consulted(judge, Consultation(20, 2, 2), luck_of(5)))
"""
SOURCE = Provenance("rollwrite/episode-1", "none", "none", [])


def any_steps() -> list[int]:
    luck = luck_of(11)
    return [below(luck, STEP) - STEP // 2 for _ in range(PATTERNS)]


def any_patterns() -> Judge:
    return judge_by(any_steps())


def on_the_way(episode: int, rolls: int) -> CityPosition:
    """A city that was built anyhow for so many rolls, with the next one up."""
    site, luck = land_of("rollwrite", content().episodes[episode]), luck_of(3)
    city = City.laid_out(site)
    tasks = [below(luck, len(site.tasks)) for _ in range(rolls + 1)]
    for task in tasks[:-1]:
        places = city._places(task)
        if places:
            city.decide(task, places[below(luck, len(places))])
    return CityPosition(city, tasks[-1], ints([]))


@pytest.mark.parametrize(("episode", "rolls"), [(2, 0), (5, 4), (8, 9), (12, 12)])
def test_a_choice_comes_to_the_points_that_stand_and_all_numbers_that_count(episode: int, rolls: int) -> None:
    """What changes by a building alone is what is there once it stands."""
    judge, position = any_patterns(), on_the_way(episode, rolls)
    found = position.gazed(judge)
    assert found
    for value, choice in found[:: max(len(found) // 12, 1)]:
        after = on_the_way(episode, rolls)
        ground, town, out = after.site.ground, after.city.town, after.city.yard.out
        view, notes = new_eyes().scene, ints([-1] * NOTES)
        patterns.look_round(town.city, view)
        points = patterns.marked(*ground, *town, after.task, choice, out, view)
        patterns.noted(view, notes)
        assert len(set(map(int, notes))) == NOTES
        assert value == points + sum(judge.patterns[note] for note in notes)
        after.city.decide(after.task, choice)
        assert points == after.city.outcome


def test_windows_are_of_cells_that_are_free() -> None:
    position = on_the_way(1, 6)
    view, notes, free = new_eyes().scene, ints([0] * NOTES), position.city.free
    patterns.look_round(position.city.town.city, view)
    patterns.marked(*position.site.ground, *position.city.town, 0, PASS, position.city.yard.out, view)
    patterns.noted(view, notes)
    for y in range(patterns.DOWN):
        for x in range(patterns.ACROSS):
            cells = [free >> (patterns.WIDTH * (y + row) + x + column) & 1 for row in range(3) for column in range(3)]
            number = sum(cell << at for at, cell in enumerate(cells))
            window = y * patterns.ACROSS + x
            assert notes[patterns.MARK_COUNT + window] == window * patterns.WINDOW + number


@both_ways
def test_patterns_say_the_same_wherever_they_run() -> None:
    told = {way: printed(OF_PATTERNS, way) for way in WAYS}
    assert told["native"].strip()
    assert told["native"] == told["plain"] == told["wasm"]


def test_patterns_are_read_as_they_were_written() -> None:
    steps = any_steps()
    told, judge = unpacked_patterns(packed_patterns(SOURCE, steps))
    assert told == SOURCE
    assert list(judge.patterns) == [step / STEP for step in steps]
    with pytest.raises(BadNet, match="patterns of 2 numbers"):
        unpacked_patterns(packed_patterns(SOURCE, [0, 0]))


def test_who_stops_is_no_choice_of_theirs() -> None:
    assert STOP not in [choice for _, choice in on_the_way(5, 4).gazed(any_patterns())]
