"""The view of a seat and of a spectator."""

from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.actions import Stop
from polyopolis.games.rollwrite.view import ChanceView, CompassView, PurseView, RaceView, RollView
from tests.games.rollwrite.positions import EPISODES, begin, city, field, play, roll, table, unbuilt_city

SITUATIONS = {
    "before the first roll": begin(7, 3),
    "a roll lies": roll(begin(7, 3), "l4", "industrial"),
    "a church is due": roll(begin(7, 3), "compass"),
    "one has stopped": roll(play(begin(1, 3), "i2", "d1 e1", "stop", "pass"), "l3"),
    "no passing": roll(begin(6, 2), "i2"),
    "bandits": roll(begin(11, 2, bandits=(("f1",), ())), "compass"),
    "alone": roll(begin(12, 1), "i4"),
    "over": play(begin(8, 2), "i2", "stop", "stop"),
}


def test_staged_decisions_of_other_seats_are_hidden() -> None:
    match = roll(begin(), "i2")
    assert rules.view(match.decide(0, Stop()).state, 1) == rules.view(match.state, 1)


def test_the_table_contains_the_sheet_the_dice_and_the_roll() -> None:
    shown = rules.view(SITUATIONS["a roll lies"].state, 0).table
    assert shown.rows == EPISODES[7].board.rows
    assert shown.river == EPISODES[7].board.river
    assert (shown.start, shown.passing) == ("sawmill", (-1, -2, -3, -5, -7, -10))
    assert shown.dice[1]["vertical"] == "#.\n#."
    assert shown.rolls == 1
    assert shown.roll == RollView(
        faces=("vertical", "horizontal", "industrial"),
        dice=(".#\n.#", "..\n##"),
        joined=".#..\n.###",
        kind="industrial",
        shape="#..\n###",
        held=".#..\n.###",
        compass=False,
        circles=1,
    )


def test_the_table_contains_the_odds_of_each_shape() -> None:
    before, after = (rules.view(SITUATIONS[name].state, 0).table for name in ("a roll lies", "a church is due"))
    ways = [chance.ways for chance in before.chances]
    assert ways == sorted(ways, reverse=True)
    assert sum(ways) == sum(weight for _, weight in EPISODES[7].dice.odds)
    assert ChanceView("#", "church", 36) in before.chances
    assert ChanceView("##", "church", 36) in after.chances
    plain = rules.view(begin(1).state, 0).table.chances
    assert {chance.kind for chance in plain} == {None}
    assert {chance.shape for chance in plain} == {
        "#", "##", "###", "####", "##\n##", "#.\n##", "#..\n###", "#...\n####", "###\n#.#",
    }  # fmt: skip


def test_the_table_contains_the_row_of_the_compass() -> None:
    before, after = (rules.view(SITUATIONS[name].state, 0).table for name in ("a roll lies", "a church is due"))
    assert before.compass == CompassView("church", ("#", "##", "#.\n##"), 0, ("next",) * 3, False)
    assert after.compass == CompassView("church", ("#", "##", "#.\n##"), 1, ("now", "next", "next"), False)
    assert after.roll is not None
    assert (after.roll.kind, after.roll.shape, after.roll.circles) == ("church", "#", 2)
    assert (after.roll.compass, after.roll.held) == (True, "#")
    forts = rules.view(SITUATIONS["bandits"].state, 0).table
    assert forts.compass == CompassView("fort", ("#",) * 4, 1, ("now", "next", "next", "next"), True)
    assert forts.roll is not None
    assert forts.roll.circles is None
    assert rules.view(begin(1).state, 0).table.compass is None


def test_a_compass_builds_while_its_row_lasts() -> None:
    match = begin(7, 1)
    for _ in range(3):
        match = play(match, "compass", "pass")
    used = rules.view(match.state, 0).table
    assert used.compass is not None
    assert used.compass.states == ("used", "used", "used")
    blank = rules.view(roll(match, "compass").state, 0).table
    assert blank.roll is not None
    assert (blank.roll.compass, blank.roll.held) == (False, blank.roll.joined)


def test_the_table_explains_the_signs_and_printed_things_stand_on_meadow() -> None:
    shown = rules.view(SITUATIONS["bandits"].state, 0).table
    assert set(shown.signs) == set("".join(shown.rows))
    assert (shown.signs["."], shown.signs["x"], shown.signs["F"]) == ("meadow", "meadow", "meadow")
    assert rules.view(begin(7).state, 0).table.signs["h"] == "plains"
    assert (shown.mirrors, shown.types) == (True, ("residential", "industrial", "administrative"))


def test_a_sheet_shows_the_points_and_circles_of_passing() -> None:
    before, after = (rules.view(SITUATIONS[name].state, 0).table for name in ("a roll lies", "one has stopped"))
    assert [(city.price, city.next) for city in before.cities] == [(0, 1)] * 3
    assert [(city.price, city.next) for city in after.cities] == [(0, 1), (0, 0), (-1, 1)]
    assert rules.view(SITUATIONS["a church is due"].state, 0).table.cities[0].next == 2
    assert rules.view(SITUATIONS["over"].state, 0).table.cities[0].next == 0


def test_a_sheet_shows_its_progress_in_a_race() -> None:
    land = field(". s .|. .\n. h .|. h", 7)
    shown = rules.view(play(table(land, unbuilt_city(land)), "i1", "b2").state, None).table
    assert shown.cities[0].covered == {"plains": 1}
    assert rules.view(SITUATIONS["before the first roll"].state, None).table.cities[0].covered == {"plains": 0}


def test_the_table_contains_the_race_and_the_purses() -> None:
    shown = rules.view(SITUATIONS["before the first roll"].state, None).table
    assert shown.races == (RaceView("plains", 5, ("a2", "b3", "b5", "a6"), True),)
    assert shown.purses == (PurseView("never-passed", 1), PurseView("plains", 1))
    assert [city.purses for city in shown.cities] == [1, 1, 1]
    assert shown.roll is None


def test_a_race_that_was_won_is_closed() -> None:
    land = field(". s .|. .\n. h .|. .", 7)
    match = play(table(land, unbuilt_city(land)), "i1", "b2")
    shown = rules.view(match.state, None).table
    assert [race.open for race in shown.races] == [False]
    assert shown.cities[0].won == ("plains",)


def test_the_table_contains_the_cities() -> None:
    shown = rules.view(SITUATIONS["one has stopped"].state, 0).table
    assert [(building.kind, building.cells, building.printed) for building in shown.cities[0].buildings] == [
        ("residential", ("d1", "e1"), False)
    ]
    assert [(city.circles, city.stopped) for city in shown.cities] == [(0, False), (0, True), (1, False)]
    assert shown.acting == (0, 2)
    assert shown.result == rules.scores(SITUATIONS["one has stopped"].state)


def test_printed_buildings_are_among_the_buildings() -> None:
    shown = rules.view(SITUATIONS["bandits"].state, 0).table
    assert [(building.kind, building.cells, building.printed) for building in shown.cities[0].buildings] == [
        ("fort", ("d3",), True),
        ("fort", ("e7",), True),
    ]
    assert shown.cities[0].bandits == ("f1", "h1", "e2", "i6", "c7", "h7")
    assert shown.cities[1].bandits == ("h1", "e2", "i6", "c7", "h7")


def test_episodes_without_passing_have_an_empty_row() -> None:
    shown = rules.view(SITUATIONS["no passing"].state, 0).table
    assert shown.passing == ()
    assert shown.roll is not None
    assert shown.roll.circles is None


def test_the_table_shows_when_the_match_is_over() -> None:
    assert rules.view(SITUATIONS["over"].state, 0).table.over
    assert not rules.view(SITUATIONS["alone"].state, 0).table.over


def test_each_line_of_the_sheet_shows_its_cells() -> None:
    land = field("F . x r|2 .\n. . . .|. .", 11)
    built = city(land, "F A x B|2 .\n. A C B|. .", A="residential", B="industrial", C="residential")
    assert rules.view(table(land, built).state, None).table.cities[0].counted == {
        "trees": ("e1",),
        "rocks": (),
        "empty": ("f1", "a2", "e2", "f2"),
        "group-residential": ("b1", "b2", "c2"),
        "group-industrial": ("d1", "d2"),
        "group-administrative": (),
        "bandits": (),
        "complete": ("b1", "d1", "b2", "c2", "d2"),
    }
