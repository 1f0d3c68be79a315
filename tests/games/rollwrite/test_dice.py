"""RW-2 to RW-4: the dice, their shapes, and the orientations of buildings."""

from collections import Counter
from itertools import product

import pytest

from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Roll, Rolled
from polyopolis.games.rollwrite.content import content
from polyopolis.geometry import Shape
from tests.games.rollwrite import naive
from tests.games.rollwrite.positions import EPISODES, begin, field, offered_places, refusal, roll, table, unbuilt_city

SHAPES = {
    "I1": "#",
    "I2": "##",
    "I3": "###",
    "L3": "#./##",
    "O4": "##/##",
    "L4": "#../###",
    "I4": "####",
    "U5": "#.#/###",
    "L5": "#.../####",
}


def name_of(shape: Shape) -> str:
    return next(name for name, text in SHAPES.items() if shape in Shape.from_text(text).orientations())


@pytest.mark.rule("RW-2")
def test_the_faces_of_the_blue_dice() -> None:
    first, second = content().dice.faces
    assert first == {"corner": "#.\n##", "single": "..\n.#", "vertical": ".#\n.#", "horizontal": "..\n##"}
    assert second == {
        "single": "..\n#.",
        "horizontal": "..\n##",
        "vertical": "#.\n#.",
        "blank": "..\n..",
        "compass": "..\n..",
    }


@pytest.mark.rule("RW-2")
def test_each_roll_is_as_likely_as_its_sides() -> None:
    sides = Counter(product(naive.SIDES_1, naive.SIDES_2, naive.SIDES_3))
    odds = rules.odds(begin().state)
    assert {luck.faces: weight for luck, weight in odds if isinstance(luck, Roll)} == sides
    assert sum(weight for _, weight in odds) == 216


@pytest.mark.rule("RW-2")
def test_the_order_of_the_odds_is_fixed() -> None:
    assert [luck for luck, _ in rules.odds(begin().state)] == [Roll(faces) for faces in naive.ROLLS]
    assert len(naive.ROLLS) == 4 * 5 * 3


@pytest.mark.rule("RW-2")
@pytest.mark.parametrize(
    ("first", "second", "joined"),
    [
        ("corner", "vertical", "#.#.\n###."),
        ("corner", "horizontal", "#...\n####"),
        ("single", "single", "....\n.##."),
        ("vertical", "vertical", ".##.\n.##."),
        ("vertical", "horizontal", ".#..\n.###"),
        ("horizontal", "single", "....\n###."),
    ],
)
def test_two_dice_join_into_a_grid(first: str, second: str, joined: str) -> None:
    dice = content().dice
    assert dice.joined(first, second) == joined
    assert dice.shapes[first, second] == Shape.from_text(joined)


@pytest.mark.rule("RW-2")
@pytest.mark.parametrize("kind", ["residential", "industrial", "administrative"])
def test_the_white_die_determines_the_type(kind: str) -> None:
    match = roll(begin(), "i2", kind)
    assert match.state.task.kind == kind
    assert match.events == (Rolled(("vertical", "blank", kind), kind),)


@pytest.mark.rule("RW-2")
def test_the_same_roll_may_come_again() -> None:
    match = begin(seats=1)
    for _ in range(3):
        match = roll(match, "i2").decide(0, rules.legal(roll(match, "i2").state, 0)[0])
    assert rules.odds(match.state) == rules.odds(begin().state)


def counted(number: int) -> Counter[str]:
    """Counts the buildings of the 36 pairs of sides in an episode."""
    pairs: Counter[str] = Counter()
    for first, second in product(naive.SIDES_1, naive.SIDES_2):
        match = begin(number, 1).decide(-1, Roll((first, second, "industrial")))
        own = match.state.task.kind == "industrial"
        pairs[name_of(match.state.task.shape) if own else "compass"] += 1
    return pairs


@pytest.mark.rule("RW-3")
@pytest.mark.parametrize("number", [1, 2, 3, 9, 10])
def test_of_36_pairs_while_the_compass_is_a_blank(number: int) -> None:
    assert counted(number) == {"I2": 8, "L3": 8, "L4": 5, "I1": 4, "O4": 4, "I3": 3, "U5": 2, "I4": 1, "L5": 1}


@pytest.mark.rule("RW-3")
@pytest.mark.parametrize("number", [4, 5, 6, 7, 8, 11, 12])
def test_of_36_pairs_while_the_compass_builds(number: int) -> None:
    shapes = {"I2": 5, "L3": 7, "L4": 5, "I1": 2, "O4": 4, "I3": 3, "U5": 2, "I4": 1, "L5": 1}
    assert counted(number) == {**shapes, "compass": 6}


@pytest.mark.rule("RW-3")
@pytest.mark.parametrize("second", ["blank", "compass"])
def test_with_a_blank_only_the_first_die_counts(second: str) -> None:
    match = begin().decide(-1, Roll(("corner", second, "industrial")))
    assert match.state.task.shape == Shape.from_text("#./##")


@pytest.mark.rule("RW-4")
@pytest.mark.parametrize(
    ("name", "ways"), [("i1", 1), ("i2", 2), ("l3", 4), ("o4", 1), ("l4", 8), ("u5", 4), ("l5", 8)]
)
def test_a_building_may_be_rotated_and_mirrored(name: str, ways: int) -> None:
    meadow = field("\n".join([". . . . .|. . . . ."] * 5))
    match = roll(table(meadow, unbuilt_city(meadow)), name)
    lying = {
        Shape(tuple(("abcdefghij".index(cell[0]), int(cell[1])) for cell in placement.cells))
        for placement in match.state.task.places
    }
    assert len(lying) == ways
    assert match.state.task.shape in lying


@pytest.mark.rule("RW-4")
@pytest.mark.parametrize("cells", ["b1 b2 c2 d2", "d1 b2 c2 d2"])
def test_an_l_may_be_flipped(cells: str) -> None:
    meadow = field("\n".join([". . . .|. ."] * 3))
    match = roll(table(meadow, unbuilt_city(meadow)), "l4")
    assert refusal(match, cells) is None
    assert cells in offered_places(match)


@pytest.mark.rule("RW-4")
@pytest.mark.parametrize("cells", ["e1", "e1 d1", "f1 f2 f3", "e1 d2 c3", "f1 f2 f2"])
def test_other_cells_than_those_of_the_building_are_refused(cells: str) -> None:
    reason = refusal(roll(begin(), "l3"), cells)
    assert reason is not None
    assert reason.code == "not-the-shape"


def test_every_episode_has_the_same_dice() -> None:
    assert {id(episode.dice) for episode in EPISODES.values()} == {id(content().dice)}
