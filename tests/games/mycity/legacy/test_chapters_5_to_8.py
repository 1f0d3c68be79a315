"""MC-E13 to MC-E24: from the factories to the jubilee."""

import dataclasses

import pytest
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Match, Reason
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import (
    Built,
    Gear,
    Kiosk,
    NoKiosk,
    Place,
    Planted,
    RaceWon,
    Scored,
    Sticker,
    Ticked,
)
from polyopolis.games.mycity.content import Episode
from polyopolis.games.mycity.scoring import ticking_buildings
from polyopolis.games.mycity.state import Legacy
from tests.games.mycity.positions import (
    city,
    episode,
    field,
    finished_match,
    in_campaign,
    match_with_rewards,
    opened_match,
    play,
    points,
    refusal,
    reveal,
    table,
    unbuilt_city,
)

PARK = """
    . . . .|. .
    . . . .|. .
    . . . .|. .
    . . . .|. .
"""


def without_port(number: int) -> Episode:
    """Returns an episode that does not count the port, for boards without one."""
    known = episode(number)
    counting = tuple(line for line in known.rules.counting if line.line not in ("port", "chain"))
    return dataclasses.replace(known, rules=replace(known.rules, counting=counting, terrain={}))


def lines(number: int) -> list[str]:
    return [line.line for line in opened_match(number).result.sheets[0]]


# Chapter 5: the factories.


@pytest.mark.rule("MC-E13")
@pytest.mark.parametrize("number", range(1, 25))
def test_the_marker_starts_at_10_and_from_episode_13_on_at_0(number: int) -> None:
    match = reveal(opened_match(number), "yellow-i4")
    assert match.state.cities[0].marker == (0 if number >= 13 else 10)
    if number >= 13:
        assert refusal(match, "pass") == Reason("marker-at-zero")


@pytest.mark.rule("MC-E13")
def test_a_point_of_the_investor_can_be_passed_away() -> None:
    match = play(play(opened_match(13), "red-i2", "e1 e2", "stop"), "blue-i2", "f1 f2")
    assert match.state.cities[0].marker == 1
    assert refusal(reveal(match, "yellow-i4"), "pass") is None


@pytest.mark.rule("MC-E13")
def test_factories_have_no_wells_sawmill_or_groups_and_start_at_the_river() -> None:
    match = reveal(opened_match(13), "red-i2")
    rows = match.state.cities[0].site.board.rows
    assert (rows[5][7], rows[7][2], rows[10][7]) == (".", ".", "#")
    assert lines(13) == ["start", "passes", "investor", "trees", "rocks", "churches", "empty"]
    assert refusal(match, "g10 h10") == Reason("not-at-river")
    assert refusal(match, "h10 i10") == Reason("not-meadow", {"cells": ("i10",)})


@pytest.mark.rule("MC-E13")
def test_two_rocks_come_on_the_first_two_free_squares_of_every_board() -> None:
    boards = (Legacy(), Legacy(stickers={"g1": "tree", "g2": "rock"}))
    match = opened_match(13, play="campaign", boards=boards)
    assert [board.stickers for board in match.state.boards] == [
        {"g1": "rock", "i1": "rock"},
        {"g1": "tree", "i1": "rock", "g2": "rock", "h3": "rock"},
    ]
    assert [built.site.board.rows[0] for built in match.state.cities] == ["..2...r.r.g", "..2...1.r.g"]


@pytest.mark.rule("MC-E13")
@pytest.mark.parametrize("number", range(1, 25))
def test_episodes_13_to_18_have_the_investor(number: int) -> None:
    assert ("investor" in lines(number)) == (13 <= number <= 18)


@pytest.mark.rule("MC-E13")
def test_a_building_next_to_the_last_one_is_worth_a_point_at_once() -> None:
    # . D D A|. .    B comes next to A, where the investor stands: a point. C touches B: a point. D touches only A
    # . . B A|. .    and B, and the investor stands on C: no point.
    # . . B .|. .
    # . C C C|. .    (the church covers c3 too)
    park = field(PARK, episode(13))
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["yellow-i2", "red-i2", "church-t4", "blue-i2"])
    match = play(match, "yellow-i2", "d1 d2", "stop")
    assert match.state.cities[0].marker == 0
    match = play(match, "red-i2", "c1 c2")
    assert match.state.cities[0].marker == 1
    assert Scored(0, "investor", 1) in match.events
    match = play(match, "church-t4", "c3 b4 c4 d4")
    assert match.state.cities[0].marker == 2
    match = play(match, "blue-i2", "a2 b2")
    assert match.state.cities[0].marker == 2
    assert points(match, "investor") == (2, 2)


@pytest.mark.rule("MC-E13")
def test_a_pass_leaves_the_investor_where_he_is() -> None:
    park = field(PARK, episode(13))
    cards = ["yellow-i2", "red-i2", "blue-i2", "red-l3"]
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=cards)
    match = play(play(match, "yellow-i2", "d1 d2", "stop"), "red-i2", "c1 c2")
    match = play(play(match, "blue-i2", "pass"), "red-l3", "b1 a2 b2")
    assert points(match, "investor") == (2, 2)
    assert match.state.cities[0].marker == 1


@pytest.mark.rule("MC-E13")
def test_gears_go_on_own_blue_buildings() -> None:
    park = field(PARK, episode(13))
    best = city(park, PARK.replace(". .|", "A A|", 1), A="red-i2")
    match = match_with_rewards(13, park, best, unbuilt_city(park), unbuilt_city(park))
    assert match.state.rewards == (("gear",), ("gear", "gear"), ("gear", "gear"))
    match = match_with_rewards(13, park, best, unbuilt_city(park))
    assert match.state.rewards == (("gear",), ("gear",) * 3)
    assert rules.legal(match.state, 0) == [Gear(shape) for shape in ["i4", "o4", "t4", "s4", "j4", "u5", "i2", "l3"]]
    assert match.why_not(0, Gear("z4")) == Reason("no-gear-there", {"shape": "z4"})
    assert match.why_not(0, Sticker("tree", "a1")) == Reason("another-reward", {"reward": "gear"})
    match = match.decide(0, Gear("i4")).decide(1, Gear("u5"))
    assert [board.gears for board in match.state.boards] == [("i4",), ("u5",)]
    assert match.due == {1}
    assert match.why_not(1, Gear("u5")) == Reason("no-gear-there", {"shape": "u5"})


FACTORY = """
    A A B B|. .
    C C D .|. .
    C C D .|. .
    . . . .|. .
"""


@pytest.mark.rule("MC-E14")
def test_a_factory_between_a_yellow_and_a_red_building_is_worth_2() -> None:
    park = field(PARK, episode(14), gears=["o4", "i2"])
    built = city(park, FACTORY, A="yellow-i2", B="red-i2", C="blue-o4", D="blue-i2")
    assert points(finished_match(park, built, built), "factories") == (0, 0)
    built = city(park, FACTORY, A="yellow-i2", B="red-i2", C="blue-o4", D="red-i2")
    assert points(finished_match(park, built, built), "factories") == (1, 2)


@pytest.mark.rule("MC-E14")
def test_a_blue_building_without_a_gear_is_no_factory() -> None:
    park = field(PARK, episode(14), gears=["i4"])
    built = city(park, FACTORY, A="yellow-i2", B="red-i2", C="blue-o4", D="red-i2")
    assert points(finished_match(park, built, built), "factories") == (0, 0)


@pytest.mark.rule("MC-E14")
def test_factories_count_from_episode_14_on() -> None:
    assert [number for number in range(1, 25) if "factories" in lines(number)] == list(range(14, 25))
    park = field(PARK, episode(14))
    match = match_with_rewards(14, park, city(park, PARK.replace(". .|", "A A|", 1), A="red-i2"), unbuilt_city(park))
    assert match.state.rewards == (("gear",), ("gear",) * 3)


@pytest.mark.rule("MC-E15")
def test_empty_meadow_costs_nothing_from_episode_15_on_and_still_breaks_ties() -> None:
    assert [number for number in range(1, 25) if "empty" not in lines(number)] == list(range(15, 25))
    park = field(PARK, episode(15))
    top = city(park, PARK.replace(". .|", "A A|", 1), A="red-i2")
    match = finished_match(park, unbuilt_city(park), top)
    assert match.result.scores == (0, 0)
    assert match.result.ranks == (2, 1)


# Chapter 6: the mine.


@pytest.mark.rule("MC-E16")
@pytest.mark.rule("MC-E17")
@pytest.mark.rule("MC-E18")
@pytest.mark.parametrize("number", range(1, 25))
def test_entrances_come_one_by_one_and_stay(number: int) -> None:
    rows = opened_match(number).state.cities[0].site.board.rows
    found = {"blue": rows[1][0] == "b", "red": rows[6][1] == "d", "yellow": rows[10][0] == "y"}
    assert found == {"blue": number >= 16, "red": number >= 17, "yellow": number >= 18}
    ticking = {16: ("blue",), 17: ("blue", "red"), 18: ("blue", "red", "yellow")}
    assert episode(number).rules.shafts == ticking.get(number, ())


@pytest.mark.rule("MC-E16")
@pytest.mark.rule("MC-E27")
def test_an_entrance_is_neither_built_on_nor_rock_nor_empty_nor_a_building() -> None:
    match = reveal(opened_match(16), "red-i2")
    assert refusal(match, "a1 a2") == Reason("not-meadow", {"cells": ("a2",)})
    site = match.state.cities[0].site
    assert not site.grid.mask(["a2"]) & (site.stony | site.empty | site.ground)
    assert refusal(match, "a1 b1") == Reason("not-at-river")


MINE = """
    . . . . .|.
    b . . . .|.
    . . . . .|.
"""


@pytest.mark.rule("MC-E16")
def test_blue_buildings_connected_with_one_at_the_entrance_tick_the_shaft() -> None:
    # A lies beside the entrance, B touches A and D touches B; E is blue too and touches none of them.
    mine = field(MINE, episode(16))
    built = city(
        mine,
        """
        A A B B .|.
        b . . D D|.
        . E E . .|.
        """,
        A="blue-i2",
        B="blue-i2",
        D="blue-i2",
        E="blue-i2",
    )
    assert len(ticking_buildings(built, "blue")) == 3
    match = match_with_rewards(16, mine, built, unbuilt_city(mine))
    assert [board.shafts for board in match.state.boards] == [{"blue": 3}, {"blue": 0}]
    assert Ticked(0, "blue", 3, 3) in match.events
    assert match.state.rewards[0] == ("tree",)


@pytest.mark.rule("MC-E16")
def test_no_building_at_the_entrance_no_tick() -> None:
    mine = field(MINE, episode(16))
    red = city(mine, "A A B B .|.\nb . . . .|.\n. . . . .|.", A="red-i2", B="blue-i2")
    assert ticking_buildings(red, "blue") == []


@pytest.mark.rule("MC-E17")
def test_red_buildings_tick_the_red_shaft() -> None:
    mine = field(MINE.replace("b", "d"), episode(17))
    built = city(mine, "A A B B .|.\nd . . . .|.\n. . . . .|.", A="red-i2", B="red-i2")
    match = match_with_rewards(17, mine, built, unbuilt_city(mine))
    assert match.state.boards[0].shafts == {"blue": 0, "red": 2}


@pytest.mark.rule("MC-E18")
def test_yellow_buildings_tick_the_yellow_shaft_and_all_three_tick_together() -> None:
    mine = field(MINE.replace("b", "y"), episode(18))
    built = city(mine, "A A B B .|.\ny . . . .|.\n. . . . .|.", A="yellow-i2", B="yellow-i2")
    match = match_with_rewards(18, mine, built, unbuilt_city(mine), boards=[Legacy(shafts={"blue": 4}), Legacy()])
    assert [board.shafts for board in match.state.boards] == [
        {"blue": 4, "red": 0, "yellow": 2},
        {"blue": 0, "red": 0, "yellow": 0},
    ]


@pytest.mark.rule("MC-E18")
@pytest.mark.parametrize("number", [16, 17, 18])
def test_rewards_of_the_mine(number: int) -> None:
    mine = field(MINE.replace("b", "."), episode(number))
    single = city(mine, MINE.replace(". .|", "A A|", 1).replace("b", "."), A="red-i2")
    two = city(mine, MINE.replace("b . . . .|", ". . . A A|"), A="red-i2")
    match = match_with_rewards(number, mine, single, two, unbuilt_city(mine))
    assert [(board.circles, board.nuggets) for board in match.state.boards] == [(2, 0), (1, 1), (0, 1)]
    assert match.state.rewards == ((), (), ("tree",))


# Chapter 7: the railroad.


@pytest.mark.rule("MC-E19")
def test_the_investor_has_left_and_each_building_on_the_bottom_row_is_worth_a_point_at_once() -> None:
    assert [number for number in range(1, 25) if "track" in lines(number)] == list(range(19, 25))
    match = play(opened_match(19), "red-i2", "c11 d11", "b11 b10")
    assert [built.marker for built in match.state.cities] == [1, 1]
    assert Scored(0, "track", 1) in match.events
    match = play(match, "blue-i2", "e11 e10", "b9 a9")
    assert [built.marker for built in match.state.cities] == [2, 1]
    assert points(match, "track") == (2, 2)


@pytest.mark.rule("MC-E19")
def test_the_first_with_three_buildings_on_the_track_gets_a_nugget() -> None:
    park = field(PARK, episode(19))
    cards = ["red-i2", "blue-i2", "yellow-i2", "red-l3", "blue-l3"]
    match = in_campaign(19, table(park, unbuilt_city(park), unbuilt_city(park), deck=cards))
    match = play(match, "red-i2", "d3 d4", "d3 d4")
    match = play(match, "blue-i2", "c3 c4", "c3 c4")
    match = play(match, "yellow-i2", "b3 b4", "c1 c2")
    assert [board.nuggets for board in match.state.boards] == [1, 0]
    assert RaceWon(0, "stations", 0) in match.events
    match = play(match, "red-l3", "pass", "a3 a4 b4")
    assert [board.nuggets for board in match.state.boards] == [1, 0]
    assert [built.gained.count("track") for built in match.state.cities] == [3, 3]


@pytest.mark.rule("MC-E19")
@pytest.mark.parametrize("number", [19, 20, 21])
def test_rewards_of_the_railroad(number: int) -> None:
    land = field(PARK if number == 19 else PARK.replace(".|", "P|", 1), episode(number))
    text = "\n".join("".join(row[:4]) + "|" + "".join(row[4:]) for row in land.site.board.rows)
    first = text.replace("..", "AA", 1)
    second = "\n".join([text.split("\n")[0], text.split("\n")[1].replace("..", "AA", 1), *text.split("\n")[2:]])
    match = match_with_rewards(
        number, land, city(land, first, A="red-i2"), city(land, second, A="red-i2"), unbuilt_city(land)
    )
    assert match.state.rewards == ((), ("tree",), ("tree",))
    assert [(board.circles, board.nuggets) for board in match.state.boards] == [(2, 0), (1, 0), (0, 1)]


HARBOUR = """
    . . P .|. .
    . . . .|. .
    . . . .|. .
    . . . .|. .
"""


@pytest.mark.rule("MC-E20")
def test_the_port_lies_on_e3_and_the_first_building_is_still_at_the_river() -> None:
    assert [number for number in range(1, 25) if "port" in opened_match(number).state.cities[0].site.pieces] == [
        20, 21, 22, 23, 24,
    ]  # fmt: skip
    match = reveal(opened_match(20), "red-i2")
    assert refusal(match, "e3 e4") == Reason("not-meadow", {"cells": ("e3",)})
    assert refusal(match, "f3 g3") == Reason("not-at-river")
    match = reveal(play(opened_match(20), "red-i2", "f9 e9", "stop"), "blue-i2")
    assert refusal(match, "f3 g3") is None


@pytest.mark.rule("MC-E20")
def test_buildings_from_the_port_to_the_track_are_worth_5() -> None:
    harbour = field(HARBOUR, episode(20))
    joined = city(
        harbour,
        """
        . . P .|. .
        . . A A|. .
        . . . B|. .
        . . . B|. .
        """,
        A="red-i2",
        B="blue-i2",
    )
    apart = city(
        harbour,
        """
        . . P .|. .
        . A A .|. .
        . . . B|. .
        . . . B|. .
        """,
        B="blue-i2",
        A="red-i2",
    )
    short = city(harbour, HARBOUR.replace(". . . .|. .", ". . A A|. .", 1), A="red-i2")
    match = finished_match(harbour, joined, apart, short)
    assert [points(match, "port", seat) for seat in range(3)] == [(1, 5), (0, 0), (0, 0)]
    assert rules.view(match.state, None).table.cities[0].counted["port"] == ("c1", "c2", "d2", "d3", "d4")


@pytest.mark.rule("MC-E21")
def test_factories_between_port_and_track_are_worth_1_each() -> None:
    harbour = field(HARBOUR, episode(21), gears=["i2", "l3"])
    joined = city(
        harbour,
        """
        C . P .|. .
        C . A A|. .
        . . . B|. .
        . . B B|. .
        """,
        A="blue-i2",
        B="red-l3",
        C="blue-i2",
    )
    assert points(finished_match(harbour, joined, joined), "chain") == (1, 1)
    broken = city(harbour, HARBOUR.replace(". . . .|. .", ". . A A|. .", 1), A="blue-i2")
    assert points(finished_match(harbour, broken, broken), "chain") == (0, 0)
    assert [number for number in range(1, 25) if "chain" in lines(number)] == [21, 22, 23, 24]


# Chapter 8: prosperity.


@pytest.mark.rule("MC-E22")
def test_players_without_a_blue_building_do_not_decide_on_it() -> None:
    boards = (Legacy(gears=("i4",)), Legacy(), Legacy(gears=("i4", "o4")))
    match = opened_match(22, 3, play="campaign", boards=boards)
    assert reveal(match, "blue-i4").due == {0, 2}
    assert reveal(match, "blue-o4").due == {2}
    skipped = reveal(match, "blue-u5")
    assert skipped.due == {CHANCE}
    assert [built.marker for built in skipped.state.cities] == [0, 0, 0]
    assert reveal(match, "red-u5").due == {0, 1, 2}


@pytest.mark.rule("MC-E22")
def test_earlier_episodes_have_all_blue_buildings() -> None:
    assert reveal(opened_match(21, play="campaign", boards=(Legacy(), Legacy())), "blue-u5").due == {0, 1}


@pytest.mark.rule("MC-E22")
def test_the_first_building_that_is_built_touches_the_palace() -> None:
    match = reveal(opened_match(22), "red-i2")
    assert refusal(match, "e1 e2") == Reason("not-at-palace")
    assert refusal(match, "d6 e6") == Reason("not-meadow", {"cells": ("e6",)})
    assert refusal(match, "e7 d7") is None  # across the river
    assert refusal(match, "f6 f7") is None
    later = reveal(reveal(opened_match(22, play="campaign", boards=(Legacy(), Legacy())), "blue-u5"), "red-i2")
    assert refusal(later, "e1 e2") == Reason("not-at-palace")


@pytest.mark.rule("MC-E22")
def test_later_buildings_may_touch_the_port_or_the_palace() -> None:
    match = reveal(play(opened_match(22), "red-i2", "f6 f7", "stop"), "yellow-i2")
    assert refusal(match, "f3 g3") is None
    assert refusal(match, "e5 d5") == Reason("both-banks")
    assert refusal(match, "e4 e5") is None


GARDEN = """
    . . . . .|. .
    . . P . .|. H
    . . . r .|. .
    . . . . .|. .
    . . . . .|. .
"""


@pytest.mark.rule("MC-E22")
def test_a_cell_with_red_on_four_sides_becomes_a_park_before_anything_is_counted() -> None:
    # d3, a rock, has red on all four sides: a tree instead. No other cell is closed.
    garden = field(GARDEN.replace("P", "."), without_port(22))
    built = city(
        garden,
        """
        . . . A .|. .
        . . . A B|. H
        . . D r B|. .
        . . D C .|. .
        . . . C .|. .
        """,
        A="red-i2",
        B="red-i2",
        C="red-i2",
        D="red-i2",
    )
    match = finished_match(garden, built, unbuilt_city(garden))
    assert (points(match, "parks"), points(match, "trees"), points(match, "rocks")) == ((1, 0), (1, 1), (0, 0))
    assert (points(match, "parks", 1), points(match, "rocks", 1)) == ((0, 0), (1, -2))


@pytest.mark.rule("MC-E22")
def test_the_palace_is_red_and_closes_a_park_too() -> None:
    # c2 lies between A, B, C and the palace.
    garden = field(". . . .|.\n. . . .|.\n. . H .|.\n. . . .|.", without_port(22))
    built = city(
        garden,
        """
        . A A .|.
        . B . C|.
        . B H C|.
        . . . .|.
        """,
        A="red-i2",
        B="red-i2",
        C="red-i2",
    )
    match = finished_match(garden, built, built)
    assert points(match, "parks") == (1, 0)
    assert points(match, "trees") == (1, 1)


@pytest.mark.rule("MC-E22")
def test_borders_mountains_and_other_colours_do_not_close_a_park() -> None:
    # a2 lies at the border and c2 beside a mountain.
    garden = field(". . . .|H\n. . . ^|.\n. . . .|.", without_port(23))
    at_border = city(
        garden,
        """
        A A C C|H
        . B . ^|.
        D B E E|.
        """,
        A="red-i2",
        B="red-i2",
        C="red-i2",
        E="red-i2",
        D="yellow-kiosk",
    )
    assert points(finished_match(garden, at_border, at_border), "parks") == (0, 0)
    meadow = field(GARDEN.replace("P", "."), without_port(22))
    yellow = city(
        meadow,
        """
        . . . A .|. .
        . . . A B|. H
        . . D r B|. .
        . . D C .|. .
        . . . C .|. .
        """,
        A="red-i2",
        B="red-i2",
        C="yellow-i2",
        D="red-i2",
    )
    assert points(finished_match(meadow, yellow, yellow), "parks") == (0, 0)


@pytest.mark.rule("MC-E22")
def test_a_park_is_permanent_and_counts_for_ties() -> None:
    garden = field("\n".join([". . . .|.", ". . . .|.", ". . H .|.", ". . . .|."]), without_port(22))
    built = city(garden, ". A A .|.\n. B . C|.\n. B H C|.\n. . . .|.", A="red-i2", B="red-i2", C="red-i2")
    match = match_with_rewards(22, garden, built, unbuilt_city(garden))
    assert match.state.boards[0].stickers == {"c2": "tree"}
    assert Planted(0, ("c2",)) in match.events
    assert match.state.rewards == ((), ("tree", "tree"))


@pytest.mark.rule("MC-E23")
def test_players_who_have_built_may_add_a_kiosk_after_the_round() -> None:
    match = play(opened_match(23, 3), "red-i2", "f6 f7", "stop", "f6 g6")
    assert match.due == {0, 2}
    assert match.state.asks == "kiosk"
    kiosks = [choice.cell for choice in rules.legal(match.state, 0) if isinstance(choice, Kiosk)]
    assert {"e5", "d6", "e7", "g6", "f5", "f8", "f3"} <= {*kiosks}  # beside f6 f7, the palace and the port
    assert rules.legal(match.state, 0)[-1] == NoKiosk()
    assert match.why_not(0, Kiosk("a9")) == Reason("not-touching")
    assert match.why_not(0, Kiosk("f6")) == Reason("built-over", {"cells": ("f6",)})
    assert match.why_not(0, Kiosk("e6")) == Reason("not-meadow", {"cells": ("e6",)})
    assert match.why_not(0, Place(("f8", "f9"))) == Reason("not-now")
    match = match.decide(0, Kiosk("f5")).decide(2, NoKiosk())
    assert match.due == {CHANCE}
    assert [built.kiosks for built in match.state.cities] == [1, 2, 2]
    assert Built(0, "yellow-kiosk", ("f5",)) in match.events


def kiosk_round(match: Match, card: str, cells: str, kiosk: str) -> Match:
    match = play(match, card, cells)
    return match.decide(0, Kiosk(kiosk))


@pytest.mark.rule("MC-E23")
def test_each_kiosk_is_added_once_and_is_a_yellow_building() -> None:
    match = play(opened_match(23), "red-i2", "f6 f7", "stop").decide(0, Kiosk("f5"))
    match = kiosk_round(match, "yellow-i2", "f3 f4", "g5")
    assert match.state.cities[0].kiosks == 0
    match = play(match, "yellow-l3", "g3 g4 h4")
    assert match.due == {CHANCE}
    kinds = [building.card.kind for building in match.state.cities[0].buildings]
    assert kinds == ["red", "yellow", "yellow", "yellow", "yellow"]


@pytest.mark.rule("MC-E23")
def test_players_who_pass_may_not_add_a_kiosk() -> None:
    park = field("\n".join([". . . H|. .", ". . . .|. ."]), without_port(23))
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["red-i2", "blue-i2", "yellow-i2"])
    match = play(match, "red-i2", "d2 c2", "stop").decide(0, NoKiosk())
    assert match.state.cities[0].marker == 1
    match = play(match, "yellow-i2", "pass")
    assert match.due == {CHANCE}


@pytest.mark.rule("MC-E23")
def test_a_kiosk_on_the_bottom_row_is_on_the_track() -> None:
    park = field("\n".join([". . . H|. .", ". . . .|. ."]), without_port(23))
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["red-i2", "blue-i2"])
    match = play(match, "red-i2", "c1 b1", "stop").decide(0, Kiosk("c2"))
    assert points(match, "track") == (1, 1)
    assert match.state.cities[0].marker == 1


@pytest.mark.rule("MC-E23")
def test_there_are_two_kiosks_in_the_last_two_episodes() -> None:
    kiosks = [opened_match(number).state.cities[0].kiosks for number in range(1, 25)]
    assert kiosks == [0] * 22 + [2, 2]


@pytest.mark.rule("MC-E24")
def test_at_the_jubilee_groups_count_again_with_palace_and_kiosks() -> None:
    park = field(PARK.replace(".|", "H|", 1), without_port(24))
    match = table(park, unbuilt_city(park), unbuilt_city(park), deck=["red-i2", "yellow-i2"])
    match = play(match, "red-i2", "d2 c2", "stop").decide(0, NoKiosk())
    match = play(match, "yellow-i2", "c3 d3").decide(0, Kiosk("b3"))
    assert points(match, "group-red") == (2, 2)
    assert points(match, "group-yellow") == (2, 2)
    over = match_with_rewards(24, park, unbuilt_city(park), unbuilt_city(park))
    assert over.over
    assert [board.circles for board in over.state.boards] == [2, 2]
