"""Patterns in the kernels: what a city comes to is the sum of all numbers that count for it, wherever it runs."""

import pytest

from polyopolis.bots.net_files import STEP, BadNet, Provenance, judge_by, packed_patterns, unpacked_patterns
from polyopolis.games import game
from polyopolis.kernels.city_arrays import land_of
from polyopolis.kernels.city_position import City, CityPosition, new_eyes
from polyopolis.kernels.placing import pattern_values
from polyopolis.kernels.placing.layout import BLOCK, FORM, HEIGHT, NONE_LEFT, PASS, STOP, TASKS
from polyopolis.kernels.placing.net_inference import Judge, bits_of
from polyopolis.kernels.placing.pattern_values import NOTES, PATTERNS
from polyopolis.kernels.runtime.jit import ints
from polyopolis.kernels.runtime.rng import below, luck_of
from tests.kernels.comparisons import WAYS, both_ways, printed

pytestmark = pytest.mark.slow
OF_PATTERNS = """
from polyopolis.kernels.city_position import Consultation
from polyopolis.kernels.runtime.rng import luck_of
from tests.kernels.test_pattern_values import WAYS_GONE, any_patterns, on_the_way
judge = any_patterns()
for way in WAYS_GONE:
    position = on_the_way(*way)
    print(position.gazed(judge))
    print(position.consulted(judge, Consultation(20, 2, 2), luck_of(5)))
"""
WAYS_GONE: list[tuple[str, int, int]] = [
    ("rollwrite", 2, 3),
    ("rollwrite", 5, 8),
    ("rollwrite", 12, 11),
    ("mycity", 5, 12),
    ("mycity", 22, 12),
]
"""Games, episodes, and how many tasks are gone."""
SOURCE = Provenance("rollwrite/episode-1", "none", "none", [])


def any_steps() -> list[int]:
    luck = luck_of(11)
    return [below(luck, STEP) - STEP // 2 for _ in range(PATTERNS)]


def any_patterns() -> Judge:
    return judge_by(any_steps())


def on_the_way(key: str, number: int, gone: int) -> CityPosition:
    """A city that was built anyhow for so many tasks, with the next one up."""
    rules, mode = game(key), {"mode": "episode"} if key == "mycity" else {}
    state = rules.start(rules.Setup(seats=2, episode=number, **mode))
    site, luck = land_of(key, state.episode, state.cities[0].site), luck_of(3)
    city, law = City.laid_out(site), site.ground.law
    blank = [int(card) for card in site.deck if card == law[BLOCK] or law[TASKS + 8 * card + FORM] == NONE_LEFT]
    deck = [int(card) for card in site.deck if card not in blank]
    cards = [deck.pop(below(luck, len(deck))) for _ in range(gone + 1)] if deck else []
    tasks = cards or [below(luck, len(site.tasks)) for _ in range(gone + 1)]
    for task in tasks[:-1]:
        if places := city._places(task):
            city.decide(task, places[below(luck, len(places))])
    return CityPosition(city, tasks[-1], ints([*deck, *blank]))


def looked_at(position: CityPosition, choice: int) -> tuple[float, list[int]]:
    """The points that stand once this is decided, and the numbers that then count."""
    ground, town, view, notes = position.site.ground, position.city.town, new_eyes().scene, ints([-1] * NOTES)
    pattern_values.look_round(ground.law, town.city, bits_of(position.deck, 0, len(position.deck)), view)
    points = pattern_values.marked(*ground, *town, position.task, choice, position.city.yard.out, view)
    return points, [int(note) for note in notes[: pattern_values.noted(ground.law, view, notes)]]


BEGINNINGS = [("rollwrite", 2, 0), ("rollwrite", 8, 9), ("mycity", 12, 0), ("mycity", 24, 6)]


@pytest.mark.parametrize(("key", "number", "gone"), [*WAYS_GONE, *BEGINNINGS])
def test_a_choice_comes_to_the_points_that_stand_and_all_numbers_that_count(key: str, number: int, gone: int) -> None:
    """What changes by a building alone is what is there once it stands."""
    judge, position = any_patterns(), on_the_way(key, number, gone)
    found = position.gazed(judge)
    assert found
    for value, choice in found[:: max(len(found) // 12, 1)]:
        after = on_the_way(key, number, gone)
        points, notes = looked_at(after, choice)
        assert len(notes) == len(set(notes)) == pattern_values.notes_of(after.site.ground.law)
        assert value == points + sum(judge.patterns[note] for note in notes)
        after.city.decide(after.task, choice)
        assert points == after.city.outcome


@pytest.mark.parametrize(("key", "number"), [("rollwrite", 1), ("mycity", 7)])
def test_windows_are_of_cells_that_are_free(key: str, number: int) -> None:
    position = on_the_way(key, number, 6)
    law, free = position.site.ground.law, position.city.free
    _, notes = looked_at(position, PASS)
    for y in range(law[HEIGHT] - 2):
        for x in range(pattern_values.ACROSS):
            cells = [
                free >> (pattern_values.WIDTH * (y + row) + x + column) & 1 for row in range(3) for column in range(3)
            ]
            free_ones = sum(cell << at for at, cell in enumerate(cells))
            window = y * pattern_values.ACROSS + x
            assert notes[pattern_values.marks(law) + window] == window * pattern_values.WINDOW + free_ones


def test_shapes_count_by_the_cards_that_are_left_and_where_they_fit() -> None:
    """A city as it is, with cards to come and with none: only shapes that come count by where they fit."""
    position = on_the_way("mycity", 5, 20)
    _, notes = looked_at(position, PASS)
    _, none = looked_at(CityPosition(position.city, position.task, ints([])), PASS)
    first, end = pattern_values.WITHOUT_FORMS, pattern_values.MARK_COUNT
    law = position.site.ground.law
    left = {law[TASKS + 8 * card + FORM] for card in position.deck if card != law[BLOCK]} - {NONE_LEFT}
    alike = [
        (note - pattern_values.OF_FORMS) // pattern_values.FITTING % pattern_values.ALIKE for note in notes[first:end]
    ]
    assert {form for form, number in enumerate(alike) if number} == left
    assert all(
        (note - pattern_values.OF_FORMS) % (pattern_values.ALIKE * pattern_values.FITTING) == 0
        for note in none[first:end]
    )


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
    assert STOP not in [choice for _, choice in on_the_way("rollwrite", 5, 4).gazed(any_patterns())]
