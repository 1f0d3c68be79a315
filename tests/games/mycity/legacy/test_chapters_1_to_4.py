"""MC-E1 to MC-E12: from the new land to the gold rush."""

import pytest

from polyopolis.engine import Line, Match, Reason
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Place, RaceWon, Received, Sticker, TookChurch
from polyopolis.games.mycity.state import Legacy
from tests.games.mycity.positions import (
    begin,
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

LAWN = """
    . . .|. .
    . . .|. .
    g . .|. .
"""
BEST = """
    . A A|. .
    . A .|. .
    g . .|. .
"""
GOOD = """
    . A A|. .
    . . .|. .
    g . .|. .
"""


def ended(number: int, seats: int) -> Match:
    """Returns an episode of a campaign, ranked by seat, on a lawn with a visible vein."""
    land = field(LAWN, episode(number))
    cities = [city(land, BEST, A="red-l3"), city(land, GOOD, A="red-i2"), unbuilt_city(land)]
    match = match_with_rewards(number, land, *cities[:seats])
    assert match.result.ranks == (1, 2, 3)[:seats]
    return match


def ranked(number: int, seats: int) -> list[tuple[str, ...]]:
    """Returns the rewards that the ranks must still place."""
    return list(ended(number, seats).state.rewards)


def marked(number: int, seats: int) -> list[tuple[int, int]]:
    """Returns the circles and nuggets of the ranks."""
    return [(board.circles, board.nuggets) for board in ended(number, seats).state.boards]


@pytest.mark.rule("MC-E1")
def test_after_episode_1_the_first_puts_a_rock_and_the_others_a_tree() -> None:
    assert ranked(1, 3) == [("rock",), (), ("tree",)]
    assert marked(1, 3) == [(2, 0), (1, 0), (0, 0)]


@pytest.mark.rule("MC-E1")
def test_with_two_players_the_second_receives_the_reward_of_the_others() -> None:
    assert ranked(1, 2) == [("rock",), ("tree",)]
    assert marked(1, 2) == [(2, 0), (0, 0)]


@pytest.mark.rule("MC-E2")
@pytest.mark.parametrize("number", range(1, 25))
def test_wells_lie_on_the_board_in_episodes_2_to_12(number: int) -> None:
    site = opened_match(number).state.cities[0].site
    wells = [site.grid.cells(well)[0] for well, _ in site.wells]
    flooded = number in (7, 8, 9)
    assert wells == ([] if not 2 <= number <= 12 else ["h6"] if flooded else ["h6", "c8"])


@pytest.mark.rule("MC-E2")
def test_a_well_with_four_different_buildings_is_worth_4() -> None:
    pond = field(". . .|. .\n. W .|. .\n. . .|. .", episode(2))
    ringed = city(
        pond,
        """
        A A D|. .
        B W D|. .
        B C C|. .
        """,
        A="red-i2",
        B="blue-i2",
        C="yellow-i2",
        D="red-i2",
    )
    assert points(finished_match(pond, ringed, unbuilt_city(pond)), "wells") == (1, 4)
    assert ranked(2, 3) == [("rock",), (), ("tree",)]


@pytest.mark.rule("MC-E3")
@pytest.mark.parametrize("number", range(1, 25))
def test_groups_count_in_episodes_3_to_12_and_in_the_last(number: int) -> None:
    lines = {line.line for line in opened_match(number).result.sheets[0]}
    assert ("group-red" in lines) == (3 <= number <= 12 or number == 24)


@pytest.mark.rule("MC-E3")
def test_after_episode_3_trees_go_to_the_second_and_the_others() -> None:
    assert ranked(3, 3) == [("rock",), ("tree",), ("tree", "tree")]


@pytest.mark.rule("MC-E4")
def test_three_churches_and_the_blocking_card_join_and_do_not_score() -> None:
    match = opened_match(4)
    kinds = [card.kind for card in match.state.deck]
    assert (kinds.count("church"), kinds.count("block"), len(kinds)) == (3, 1, 28)
    assert "churches" not in {line.line for line in match.result.sheets[0]}


@pytest.mark.rule("MC-E4")
def test_churches_must_be_built_and_the_blocked_card_may_not() -> None:
    match = reveal(opened_match(4), "church-t4")
    assert refusal(match, "pass") == Reason("must-build", {"card": "church-t4"})
    blocked = reveal(reveal(opened_match(4), "block"), "church-t4")
    assert blocked.due == {-1}


@pytest.mark.rule("MC-E4")
@pytest.mark.parametrize(("seats", "churches"), [(2, ["z5", "l3"]), (3, ["z5", "p5", "l3"])])
def test_each_player_takes_a_fourth_church_by_rank(seats: int, churches: list[str]) -> None:
    match = ended(4, seats)
    assert [board.church for board in match.state.boards] == churches
    assert [event.church for event in match.events if isinstance(event, TookChurch)] == churches
    assert match.over


@pytest.mark.rule("MC-E4")
def test_players_with_the_same_rank_take_the_same_church() -> None:
    land = field(LAWN, episode(4))
    match = match_with_rewards(4, land, *[unbuilt_city(land)] * 3)
    assert [board.church for board in match.state.boards] == ["z5", "z5", "z5"]


@pytest.mark.rule("MC-E5")
@pytest.mark.parametrize("number", range(1, 25))
def test_the_deck_has_the_fourth_church_from_episode_5_on(number: int) -> None:
    match = opened_match(number)
    assert ("church-4th" in {card.name for card in match.state.deck}) == (number >= 5)
    assert ("churches" in {line.line for line in match.result.sheets[0]}) == (number >= 5)


@pytest.mark.rule("MC-E5")
def test_each_player_builds_their_own_church() -> None:
    # z5 ##.   p5 ##   l3 #.
    #    .#.      ##      ##
    #    .##      #.
    boards = (Legacy(church="z5"), Legacy(church="p5"), Legacy(church="l3"))
    match = reveal(opened_match(5, 3, play="campaign", boards=boards), "church-4th")
    assert refusal(match, "c1 d1 d2 d3 e3", 0) == Reason("both-banks")
    assert refusal(match, "c3 d3 d4 d5 c5", 0) == Reason("not-the-shape")
    assert refusal(match, "b3 c3 c4 c5 d5", 0) is None
    assert refusal(match, "c3 d3 c4 d4 c5", 1) is None
    assert refusal(match, "c3 d3 c4 d4 c5", 2) == Reason("not-the-shape")
    assert refusal(match, "c3 c4 d4", 2) is None
    sizes = [
        {len(choice.cells) for choice in rules.legal(match.state, seat) if isinstance(choice, Place)}
        for seat in range(3)
    ]
    assert sizes == [{5}, {5}, {3}]


@pytest.mark.rule("MC-E5")
def test_the_fourth_church_must_be_built_and_is_worth_3_like_the_others() -> None:
    match = reveal(opened_match(5), "church-4th")
    assert refusal(match, "pass") == Reason("must-build", {"card": "church-4th"})
    land = field("\n".join([". . . .|. ."] * 4), episode(5))
    built = city(
        land,
        """
        A A B B|. .
        C C D .|. .
        C C D .|. .
        C . . .|. .
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-4th",
        D="blue-i2",
    )
    assert points(finished_match(land, built, built), "churches") == (0, 0)
    beside = city(
        land,
        """
        A A B .|. .
        C C B .|. .
        C C D .|. .
        C . D .|. .
        """,
        A="yellow-i2",
        B="red-i2",
        C="church-4th",
        D="blue-i2",
    )
    assert points(finished_match(land, beside, beside), "churches") == (1, 3)
    assert ranked(5, 3) == [("rock",), ("tree",), ("tree", "tree")]


@pytest.mark.rule("MC-E6")
@pytest.mark.rule("MC-E9")
@pytest.mark.parametrize("number", range(1, 25))
def test_episodes_6_and_9_do_not_allow_passing(number: int) -> None:
    match = reveal(opened_match(number), "red-i2")
    reason = refusal(match, "pass")
    assert reason == (Reason("no-passing") if number in (6, 9) else Reason("marker-at-zero") if number > 12 else None)
    lines = {line.line for line in match.result.sheets[0]}
    assert ("passes" in lines) == (number not in (6, 9))


@pytest.mark.rule("MC-E6")
def test_after_episode_6_trees_go_to_the_second_and_the_others() -> None:
    assert ranked(6, 3) == [(), ("tree",), ("tree", "tree")]


@pytest.mark.rule("MC-E7")
@pytest.mark.parametrize("number", [7, 8, 9])
def test_only_the_right_bank_is_built_on_during_the_flood(number: int) -> None:
    match = reveal(opened_match(number), "red-i2")
    assert refusal(match, "e1 e2") == Reason("flooded", {"cells": ("e1", "e2")})
    assert refusal(match, "f1 f2") is None
    right = set(match.state.cities[0].site.grid.cells(match.state.cities[0].site.bare.banks[1]))
    assert all({*choice.cells} <= right for choice in rules.legal(match.state, 0) if isinstance(choice, Place))


@pytest.mark.rule("MC-E7")
def test_flooded_cells_are_not_counted() -> None:
    # Right of the river: 3 cells with trees, 5 with rocks, one well, 49 empty cells.
    sheet = {line.line: (line.count, line.points) for line in opened_match(7).result.sheets[0]}
    assert (sheet["trees"], sheet["rocks"], sheet["empty"]) == ((3, 6), (5, -10), (49, -49))


@pytest.mark.rule("MC-E7")
def test_the_water_has_gone_in_episode_10() -> None:
    assert refusal(reveal(opened_match(10), "red-i2"), "e1 e2") is None
    assert refusal(reveal(opened_match(6), "red-i2"), "e1 e2") is None


@pytest.mark.rule("MC-E7")
@pytest.mark.parametrize(
    ("number", "rewards"),
    [
        (7, [(), ("meadow",), ("meadow", "forest-tree")]),
        (8, [(), ("meadow",), ("meadow", "forest-tree")]),
        (9, [(), ("forest-tree",), ("forest-tree", "forest-tree")]),
    ],
)
def test_meadow_and_trees_go_on_forest(number: int, rewards: list[tuple[str, ...]]) -> None:
    wooded = field(LAWN.replace("|. .", "|. #"), episode(number))
    best = city(wooded, BEST.replace("|. .", "|. #"), A="red-l3")
    good = city(wooded, GOOD.replace("|. .", "|. #"), A="red-i2")
    match = match_with_rewards(number, wooded, best, good, unbuilt_city(wooded))
    assert list(match.state.rewards) == rewards
    kind = rewards[2][0]
    assert rules.legal(match.state, 2) == [Sticker(kind, cell) for cell in ("e1", "e2", "e3")]


@pytest.mark.rule("MC-E8")
@pytest.mark.parametrize("number", range(1, 25))
def test_dykes_count_in_episodes_8_and_9(number: int) -> None:
    assert ("dykes" in {line.line for line in opened_match(number).result.sheets[0]}) == (number in (8, 9))


@pytest.mark.rule("MC-E8")
def test_each_open_cell_along_the_river_on_the_right_bank_costs_1() -> None:
    # ~ ~ ~|A A .    Of four cells along the river two are open, one of them a rock: it costs on top of the rock.
    # ~ ~ ~|A . .
    # ~ ~ ~|r . .
    # ~ ~ ~|. . .
    shore = field("~ ~ ~|. . .\n~ ~ ~|. . .\n~ ~ ~|r . .\n~ ~ ~|. . .", episode(8))
    built = city(shore, "~ ~ ~|A A .\n~ ~ ~|A . .\n~ ~ ~|r . .\n~ ~ ~|. . .", A="red-l3")
    match = finished_match(shore, built, unbuilt_city(shore))
    assert points(match, "dykes") == (2, -2)
    assert points(match, "dykes", seat=1) == (4, -4)
    assert points(match, "rocks") == (1, -2)


@pytest.mark.rule("MC-E9")
def test_the_last_episode_of_the_flood_keeps_water_and_dykes() -> None:
    match = opened_match(9)
    assert points(match, "dykes") is not None
    assert refusal(reveal(match, "red-i2"), "d1 e1") == Reason("flooded", {"cells": ("d1", "e1")})


@pytest.mark.rule("MC-E10")
def test_veins_lie_over_two_rocks_from_episode_10_on() -> None:
    for number in range(1, 25):
        site = opened_match(number).state.cities[0].site
        assert site.grid.cells(site.veins) == (("k1", "a10") if number >= 10 else ())
        assert bool(site.grid.mask(["k1"]) & site.stony) == (number < 10)
        races = [race.race for race in opened_match(number).state.open_races]
        assert ("gold" in races) == (10 <= number <= 12)


CREEK = "g g|. .\n. .|. .\n. .|. ."


@pytest.mark.rule("MC-E10")
def test_the_first_at_both_veins_gets_3_points_and_2_nuggets_others_1_nugget_at_the_end() -> None:
    creek = field(CREEK, episode(10))
    start = [unbuilt_city(creek)] * 3
    match = in_campaign(10, table(creek, *start, deck=["red-i2", "blue-i2", "red-l3"]))
    match = play(match, "red-i2", "a1 b1", "b2 b3", "b2 b3")
    assert [built.marker for built in match.state.cities] == [13, 10, 10]
    assert [board.nuggets for board in match.state.boards] == [2, 0, 0]
    assert match.events[-2:] == (RaceWon(0, "gold", 3), Received(0, "nugget", 2))
    match = play(match, "blue-i2", "pass", "a1 b1", "pass")
    assert [built.marker for built in match.state.cities] == [12, 10, 9]
    match = play(match, "red-l3", "stop", "stop", "stop")
    assert match.result.ranks == (2, 1, 3)  # the third gets another one for the rank
    assert [board.nuggets for board in match.state.boards] == [2, 1, 0 + 1]


@pytest.mark.rule("MC-E10")
def test_players_who_reach_both_veins_in_the_same_round_get_the_whole_reward() -> None:
    creek = field(CREEK, episode(10))
    match = in_campaign(10, table(creek, unbuilt_city(creek), unbuilt_city(creek), deck=["red-i2", "blue-i2"]))
    match = play(match, "red-i2", "a1 b1", "a1 b1")
    assert [board.nuggets for board in match.state.boards] == [2, 2]
    assert [built.marker for built in match.state.cities] == [13, 13]


@pytest.mark.rule("MC-E10")
def test_rewards_of_the_gold_rush() -> None:
    assert ranked(10, 3) == [(), ("tree",), ("tree",)]
    assert marked(10, 3) == [(2, 0), (1, 0), (0, 1)]


@pytest.mark.rule("MC-E11")
def test_the_first_building_lies_next_to_the_sawmill_and_not_at_the_river() -> None:
    match = reveal(opened_match(11), "red-i2")
    assert refusal(match, "e1 e2") == Reason("not-at-sawmill")
    assert refusal(match, "g10 h10") is None
    assert refusal(match, "i11 j11") is None
    assert refusal(match, "h11 i11") == Reason("not-meadow", {"cells": ("h11",)})


@pytest.mark.rule("MC-E11")
def test_a_later_building_may_touch_the_sawmill_alone() -> None:
    match = reveal(play(opened_match(11), "red-i2", "i11 j11", "stop"), "blue-i2")
    assert refusal(match, "g11 g10") is None
    assert refusal(match, "e1 e2") == Reason("not-touching")


@pytest.mark.rule("MC-E11")
def test_forest_may_be_built_on_and_visible_forest_scores_nothing() -> None:
    for number in range(1, 25):
        site = opened_match(number).state.cities[0].site
        assert bool(site.ground & site.woods) == (number in (11, 12))
    before, after = (opened_match(number).result.sheets[0] for number in (10, 11))
    assert before == after


@pytest.mark.rule("MC-E11")
def test_rewards_after_the_sawmill() -> None:
    mill = field(LAWN.replace("|. .", "|. S", 1), episode(11))
    best = city(
        mill,
        """
        . . .|. S
        . . .|. A
        g . .|. A
        """,
        A="red-i2",
    )
    match = match_with_rewards(11, mill, best, unbuilt_city(mill), unbuilt_city(mill))
    assert match.result.ranks == (1, 2, 2)
    assert list(match.state.rewards) == [(), ("tree",), ("tree",)]
    match = match_with_rewards(11, mill, best, unbuilt_city(mill))
    assert [(board.circles, board.nuggets) for board in match.state.boards] == [(2, 0), (0, 1)]
    assert list(match.state.rewards) == [(), ()]


WOODS = """
    g . .|. S # # #
    . . .|. # # # #
    g . .|. # # # #
"""


@pytest.mark.rule("MC-E12")
def test_the_first_over_8_cells_of_forest_gets_3_points_and_a_nugget() -> None:
    woods = field(WOODS, episode(12))
    almost = city(
        woods,
        """
        g . .|. S A A #
        . . .|. B B B #
        g . .|. B # B #
        """,
        A="red-i2",
        B="blue-u5",
    )
    match = in_campaign(12, table(woods, almost, unbuilt_city(woods), deck=["yellow-i2", "red-l3"]))
    assert match.state.cities[0].marker == 10
    match = play(match, "yellow-i2", "h1 h2", "pass")
    assert RaceWon(0, "forest", 3) in match.events
    assert [built.marker for built in match.state.cities] == [13, 9]
    assert [board.nuggets for board in match.state.boards] == [1, 0]
    assert points(match, "forest") == (1, 3)
    assert [race.race for race in match.state.open_races] == ["gold"]


@pytest.mark.rule("MC-E12")
def test_7_cells_of_forest_are_not_8() -> None:
    woods = field(WOODS, episode(12))
    built = city(
        woods,
        """
        g . .|. S A A #
        . . .|. B B B #
        g . .|. B # B #
        """,
        A="red-i2",
        B="blue-u5",
    )
    match = play(table(woods, built, built, card=None, deck=["yellow-i2"]), "yellow-i2", "pass", "pass")
    assert match.state.cities[0].won == ()


@pytest.mark.rule("MC-E12")
def test_the_score_sheet_of_episode_12() -> None:
    assert [line.line for line in opened_match(12).result.sheets[0]] == [
        "start", "passes", "trees", "rocks", "group-yellow", "group-red", "group-blue", "churches", "wells", "empty",
    ]  # fmt: skip
    assert begin().result.sheets[0][0] == Line("start", 1, 10)
