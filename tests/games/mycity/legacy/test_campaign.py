"""MC-30 to MC-33 and MC-E25 to MC-E28: a campaign as a whole."""

import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from polyopolis.bots.tournaments.arena import play as play_bots
from polyopolis.bots.tournaments.arena import play_next
from polyopolis.engine import BadSetup, Campaign, Line, Match, Reason, derive_seed, seed_of
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.actions import Ended, Gear, Lost, Received, Sticker, Stuck
from polyopolis.games.mycity.campaign_rules import circles
from polyopolis.games.mycity.content import Sticker as Kind
from polyopolis.games.mycity.content import content
from polyopolis.games.mycity.legacy.rewards import sticker_cells
from polyopolis.games.mycity.state import Legacy, Setup, State
from polyopolis.records import CampaignRecord, campaign_record_of, read, record_of, verify_campaign, write
from tests.games.mycity.positions import (
    city,
    episode,
    field,
    in_campaign,
    match_with_rewards,
    opened_match,
    play,
    table,
    unbuilt_city,
)

SEED = seed_of("campaign")


def first_setup(seats: int) -> Setup:
    return Setup(mode="episode", episode=1, seats=seats, play="campaign")


def campaign(seats: int, bot: str = "random", plan: tuple[int, ...] = content().numbers) -> Campaign:
    going = Campaign(rules, plan, first_setup(seats))
    while not going.over:
        going = going.add(play_next(going, (bot,) * seats, SEED, SEED))
    return going


@pytest.fixture(scope="module")
def played() -> Campaign:
    """Returns a campaign of all 24 episodes with three seats."""
    return campaign(3)


# MC-30


@pytest.mark.rule("MC-30")
def test_24_episodes_in_8_chapters_of_3() -> None:
    assert content().numbers == tuple(range(1, 25))
    assert [episode(number).rules.chapter for number in range(1, 25)] == [(number + 2) // 3 for number in range(1, 25)]
    assert rules.plans() == {
        "campaign": tuple(range(1, 25)),
        **{f"chapter-{number}": (3 * number - 2, 3 * number - 1, 3 * number) for number in range(1, 9)},
    }


@pytest.mark.rule("MC-30")
def test_boards_are_cleared_and_markers_go_back_and_stickers_stay(played: Campaign) -> None:
    for before, after in zip(played.matches, played.matches[1:], strict=False):
        state = rules.start(after.setup)
        assert after.setup.boards == before.state.boards
        assert all(not built.buildings and built.marker == state.episode.rules.marker for built in state.cities)
        for board, later in zip(before.state.boards, state.boards, strict=True):
            assert board.stickers.items() <= later.stickers.items()
            assert set(board.gears) <= set(later.gears)


@pytest.mark.rule("MC-30")
def test_most_circles_win(played: Campaign) -> None:
    standings = played.standings()
    boards = played.matches[-1].state.boards
    bonus = [sum(line.points for line in sheet[-3:]) for sheet in standings.sheets]
    assert standings.scores == tuple(board.circles + more for board, more in zip(boards, bonus, strict=True))
    assert standings.scores[standings.ranks.index(1)] == max(standings.scores)
    assert len(standings.sheets[0]) == 1 + 24 + 3


def with_boards(match: Match, *boards: Legacy) -> State:
    state: State = replace(match.state, boards=boards)
    return state


def last(*boards: Legacy) -> State:
    """Returns the end of episode 24 with these boards."""
    over = opened_match(24, len(boards), play="campaign", boards=boards)
    return with_boards(over, *boards)


@pytest.mark.rule("MC-30")
def test_a_tie_goes_to_more_nuggets_and_then_is_shared() -> None:
    first = replace(first_setup(3), episode=23)
    state = replace(last(*[Legacy()] * 3), setup=first)
    boards = (Legacy(circles=4, nuggets=1), Legacy(circles=4, nuggets=2), Legacy(circles=4, nuggets=1))
    standings = rules.standings(first, [replace(state, boards=boards)])
    assert standings.scores == (4, 4, 4)
    assert standings.ranks == (2, 1, 2)


@pytest.mark.rule("MC-30")
def test_later_envelopes_stay_hidden() -> None:
    for number in range(1, 25):
        seen = msgspec.json.encode(rules.view(opened_match(number, play="campaign").state, 0)).decode()
        assert ("church-4th" in seen) == (number >= 5)
        assert ('"investor":1' in seen) == (13 <= number <= 18)
        assert ("red-palace" in seen) == (number >= 22)


# MC-31


@pytest.mark.rule("MC-31")
def test_a_new_player_takes_over_a_seat_with_its_board_and_circles() -> None:
    kept, other = (Campaign(rules, (1, 2), first_setup(2)) for _ in range(2))
    kept = kept.add(play_next(kept, ("random", "random"), SEED, SEED))
    other = other.add(play_next(other, ("random", "random"), SEED, SEED))
    assert kept.next_setup() == other.next_setup()
    changed = other.add(play_next(other, ("greedy", "uniform"), SEED, SEED))
    assert changed.over
    assert changed.matches[1].setup.boards == kept.matches[0].state.boards


@pytest.mark.rule("MC-31")
@pytest.mark.parametrize("number", range(1, 25))
@pytest.mark.parametrize("seats", [2, 4])
def test_any_episode_may_be_played_on_its_own(number: int, seats: int) -> None:
    setup = Setup(mode="episode", episode=number, seats=seats)
    match = play_bots(rules, setup, ("random",) * seats, SEED, SEED)
    assert match.over
    assert rules.onward(setup, match.state) is None


def chapter(number: int, seats: int) -> Campaign:
    """Returns a chapter on its own, played by random bots."""
    plan = rules.plans()[f"chapter-{number}"]
    going = Campaign(rules, plan, Setup(mode="episode", episode=plan[0], seats=seats, play="campaign"))
    while not going.over:
        going = going.add(play_next(going, ("random",) * seats, SEED, SEED))
    return going


@pytest.mark.rule("MC-31")
@pytest.mark.parametrize("number", range(1, 9))
def test_a_chapter_on_its_own_starts_from_plain_boards_and_ends_with_its_third_episode(number: int) -> None:
    going = chapter(number, 2 + number % 3)
    first, second, third = going.matches
    alone = opened_match(first.setup.episode, first.setup.seats)
    assert rules.start(first.setup).boards == alone.state.boards
    assert (second.setup.boards, third.setup.boards) == (first.state.boards, second.state.boards)
    assert going.next_setup() is None


@pytest.mark.rule("MC-31")
def test_most_circles_win_a_chapter_on_its_own() -> None:
    going = chapter(2, 3)
    standings, boards = going.standings(), going.matches[-1].state.boards
    assert [line.line for line in standings.sheets[0]] == ["before", "episode-4", "episode-5", "episode-6"]
    assert standings.scores == tuple(board.circles for board in boards)
    kept = [(board.circles, board.nuggets) for board in boards]
    assert [rank == 1 for rank in standings.ranks] == [own == max(kept) for own in kept]


@pytest.mark.rule("MC-E26")
def test_the_last_chapter_on_its_own_ends_with_the_final_bonuses() -> None:
    lines = [line.line for line in chapter(8, 2).standings().sheets[0]]
    assert lines == ["before", *(f"episode-{n}" for n in (22, 23, 24)), "most-nuggets", "most-trees", "fewest-rocks"]


@pytest.mark.rule("MC-31")
def test_a_chapter_is_read_back_from_its_file(tmp_path: Path) -> None:
    going = chapter(5, 2)
    write(campaign_record_of(going, [record_of(match) for match in going.matches]), tmp_path / "chapter.json")
    record = read(tmp_path / "chapter.json")
    assert isinstance(record, CampaignRecord)
    again, playing = verify_campaign(record)
    assert (again.plan, playing, again.standings()) == ((13, 14, 15), None, going.standings())


# MC-32


@pytest.mark.rule("MC-32")
def test_the_view_of_an_episode_shows_score_lines_and_rewards() -> None:
    table_1 = rules.view(opened_match(1, 3).state, None).table.episode
    assert (table_1.chapter, table_1.passing, table_1.at_once) == (1, -1, {})
    assert table_1.counting == {"trees": 1, "rocks": -1, "empty": -1}
    assert {rank.rank: rank.rewards for rank in table_1.ranks} == {
        "first": ("circle", "circle", "rock"),
        "second": ("circle",),
        "others": ("tree",),
    }
    table_12 = rules.view(opened_match(12, 2).state, None).table.episode
    assert {name: (race.points, race.nuggets, race.later) for name, race in table_12.races.items()} == {
        "gold": (3, 2, 1),
        "forest": (3, 1, 0),
    }
    assert [rank.rank for rank in table_12.ranks] == ["first", "others"]  # two players have no second rank
    table_4 = rules.view(opened_match(4, 3).state, None).table.episode
    assert [rank.church.name for rank in table_4.ranks if rank.church] == ["z5", "p5", "l3"]
    assert rules.view(opened_match(19).state, None).table.episode.at_once == {"track": 1}


@pytest.mark.rule("MC-32")
@pytest.mark.parametrize("number", range(1, 25))
def test_in_every_episode_the_first_gets_2_circles_and_the_second_1(number: int) -> None:
    rewards = episode(number).rules.rewards
    assert [column.count("circle") for column in (rewards.first, rewards.second, rewards.others)] == [2, 1, 0]


# MC-33


@pytest.mark.rule("MC-33")
def test_a_sticker_goes_on_a_square() -> None:
    match = play(opened_match(1, play="campaign"), "red-i2", "stop", "stop")
    assert match.due == {0, 1}
    squares = ["g1", "i1", "g2", "h3", "i3", "g4", "h4", "j4", "f5", "i5", "f6", "g7", "f9", "g10"]
    assert rules.legal(match.state, 0) == [Sticker("rock", cell) for cell in squares]
    assert match.why_not(0, Sticker("rock", "a1")) == Reason("no-sticker-here", {"cells": ("a1",)})
    assert match.why_not(0, Sticker("tree", "g1")) == Reason("another-reward", {"reward": "rock"})
    assert match.why_not(0, Gear("i4")) == Reason("another-reward", {"reward": "rock"})
    match = match.decide(0, Sticker("rock", "g1")).decide(1, Sticker("rock", "g10"))
    assert match.over
    assert match.events[-3:] == (Stuck(0, "rock", ("g1",)), Stuck(1, "rock", ("g10",)), Ended())
    following = rules.onward(match.setup, match.state)
    assert following
    sites = [built.site for built in rules.start(following).cities]
    assert [site.board.rows[0][6] for site in sites] == ["r", "."]
    assert [site.board.rows[9][6] for site in sites] == [".", "r"]


@pytest.mark.rule("MC-33")
def test_a_tree_is_one_tree_and_a_rock_two_rocks() -> None:
    board = Legacy(stickers={"g1": "tree", "i1": "rock", "k3": "meadow", "k4": "forest-tree"})
    match = opened_match(10, play="campaign", boards=(board, Legacy()))
    lines = [{line.line: (line.count, line.points) for line in sheet} for sheet in match.result.sheets]
    assert (lines[1]["trees"], lines[0]["trees"]) == ((4, 8), (6, 10))
    assert (lines[1]["rocks"], lines[0]["rocks"]) == ((6, -12), (7, -14))
    assert (lines[1]["empty"], lines[0]["empty"]) == ((81, -81), (80, -80))
    ground = [built.site.ground.bit_count() for built in match.state.cities]
    assert ground == [97, 95]


@pytest.mark.rule("MC-33")
def test_without_a_marked_cell_a_sticker_goes_on_empty_meadow_except_reserved_cells() -> None:
    known = episode(1)
    full = Legacy(stickers=dict.fromkeys(known.site.grid.cells(known.squares), "tree"))
    cells = known.board.grid.cells(sticker_cells(known, full, "tree"))
    assert len(cells) == 83 - 14 - 5  # h6 c8 a11 e3 e6 are empty, too
    assert not {*cells} & {"k1", "a10", "h6", "c8", "h11", "a2", "b7", "a11", "e3", "e6"}
    assert "h11" not in known.board.grid.cells(sticker_cells(known, full, "meadow"))


@pytest.mark.rule("MC-33")
def test_forest_that_has_become_meadow_may_take_a_tree() -> None:
    known = episode(1)
    stickers: dict[str, Kind] = {"k3": "meadow", "k4": "forest-tree"}
    stickers |= dict.fromkeys(known.site.grid.cells(known.squares), "tree")
    cells = known.board.grid.cells(sticker_cells(known, Legacy(stickers=stickers), "tree"))
    assert "k3" in cells
    assert "k4" not in cells


@pytest.mark.rule("MC-33")
def test_a_sticker_without_any_place_is_lost() -> None:
    rocky = field("r r|r r", episode(1))
    match = match_with_rewards(1, rocky, unbuilt_city(rocky), unbuilt_city(rocky))
    assert match.over
    assert match.events[-3:] == (Lost(0, "rock"), Lost(1, "rock"), Ended())


# MC-E25


def ticked(*before: int, triangles: tuple[str, ...] = ()) -> Match:
    """Returns a match in which all players tick two boxes of the blue shaft, starting from these."""
    head = field("b . . . .|.\n. . . . .|.\n. . . . .|.", episode(16))
    two = city(head, "b A A . .|.\n. B B . .|.\n. . . . .|.", A="blue-i2", B="blue-i2")
    boards = [Legacy(shafts={"blue": number}) for number in before]
    return match_with_rewards(16, head, *[two] * len(before), boards=boards, triangles=triangles)


@pytest.mark.rule("MC-E25")
def test_boxes_give_their_reward_when_they_are_reached_or_passed() -> None:
    # Boxes 3 (tree), 6 (nugget, triangle), 9 (circle), 12 (nugget). Two seats share the first rank: two circles each.
    match = ticked(1, 2, 7, 10)
    assert [board.shafts["blue"] for board in match.state.boards] == [3, 4, 9, 12]
    assert [board.circles - 2 for board in match.state.boards] == [0, 0, 1, 0]
    assert [board.nuggets for board in match.state.boards] == [0, 0, 0, 1]
    assert list(match.state.rewards) == [("tree",), ("tree",), (), ()]


@pytest.mark.rule("MC-E25")
def test_a_triangle_is_won_by_all_who_reach_it_in_the_same_episode() -> None:
    match = ticked(4, 5, 1)
    assert [board.nuggets for board in match.state.boards] == [1, 1, 0]
    assert match.state.triangles == ("blue-6",)
    setup = rules.onward(match.setup, match.state)
    assert setup
    assert setup.triangles == ("blue-6",)
    later = ticked(4, 6, triangles=("blue-6",))
    assert [board.nuggets for board in later.state.boards] == [0, 0]
    assert later.state.triangles == ("blue-6",)


@pytest.mark.rule("MC-E25")
def test_ticks_beyond_the_last_box_are_lost() -> None:
    match = ticked(14, 15)
    assert [board.shafts["blue"] for board in match.state.boards] == [15, 15]
    assert [board.circles - 2 for board in match.state.boards] == [1, 0]
    assert match.state.triangles == ("blue-15",)


@pytest.mark.rule("MC-E25")
def test_the_boxes_of_the_three_shafts() -> None:
    shafts = content().campaign.shafts
    assert {colour: shaft.boxes for colour, shaft in shafts.items()} == {"blue": 15, "red": 10, "yellow": 6}
    boxes = {
        colour: [f"{box.box} {box.gives}{'*' * box.triangle}" for box in shaft.rewards]
        for colour, shaft in shafts.items()
    }
    assert boxes == {
        "blue": ["3 tree", "6 nugget*", "9 circle", "12 nugget", "15 circle*"],
        "red": ["3 tree", "5 nugget*", "8 circle", "10 circle*"],
        "yellow": ["3 nugget*", "5 circle", "6 circle*"],
    }


# MC-E26


@pytest.mark.rule("MC-E26")
def test_after_episode_24_circles_for_most_nuggets_most_trees_and_fewest_rocks() -> None:
    # Printed on the board: 4 cells with two trees; 5 cells with two rocks are left in episode 24.
    boards = (
        Legacy(circles=10, nuggets=3, stickers={"g1": "tree", "i1": "rock"}),
        Legacy(circles=9, nuggets=3),
        Legacy(circles=8, nuggets=0, stickers={"k3": "forest-tree", "g2": "tree"}),
    )
    standings = rules.standings(first_setup(3), [last(*boards)])
    assert [sheet[-3:] for sheet in standings.sheets] == [
        (Line("most-nuggets", 3, 2), Line("most-trees", 9, 0), Line("fewest-rocks", 10, 0)),
        (Line("most-nuggets", 3, 2), Line("most-trees", 8, 0), Line("fewest-rocks", 8, 2)),
        (Line("most-nuggets", 0, 0), Line("most-trees", 10, 2), Line("fewest-rocks", 8, 2)),
    ]
    assert standings.scores == (12, 13, 12)
    assert standings.ranks == (2, 1, 3)


@pytest.mark.rule("MC-E26")
def test_there_is_no_final_bonus_before_the_last_episode() -> None:
    begun = campaign(2, plan=(1, 2))
    assert [line.line for line in begun.standings().sheets[0]] == ["before", "episode-1", "episode-2"]


# MC-E27

ORDER = ["parks", "trees", "rocks", "dykes", "groups", "churches", "wells", "factories", "port", "chain", "empty"]


@pytest.mark.rule("MC-E27")
@pytest.mark.parametrize("number", range(1, 25))
def test_the_order_of_counting(number: int) -> None:
    lines = [counting.line for counting in episode(number).rules.counting]
    assert lines == [line for line in ORDER if line in lines]


@pytest.mark.rule("MC-E27")
def test_all_seats_place_one_reward_at_a_time_in_order() -> None:
    match = play(opened_match(3, 3, play="campaign"), "red-i2", "e1 e2", "e1 d1", "stop")
    match = play(match, "blue-i2", "stop", "stop")
    assert match.result.ranks == (2, 1, 3)
    assert match.state.rewards == (("tree",), ("rock",), ("tree", "tree"))
    assert match.due == {0, 1, 2}
    match = match.decide(2, Sticker("tree", "g1")).decide(0, Sticker("tree", "g1")).decide(1, Sticker("rock", "i1"))
    assert match.due == {2}
    assert not match.over
    assert match.decide(2, Sticker("tree", "i1")).over


@pytest.mark.rule("MC-E27")
def test_placing_a_sticker_changes_no_score() -> None:
    match = play(opened_match(1, play="campaign"), "red-i2", "stop", "stop")
    before = match.result
    after = match.decide(0, Sticker("rock", "g1")).decide(1, Sticker("rock", "g1"))
    assert after.result == before


@pytest.mark.rule("MC-E27")
def test_a_building_takes_one_gear_and_a_gear_too_many_is_lost() -> None:
    shapes = ("i4", "o4", "t4", "s4", "j4", "u5", "i2")
    park = field("\n".join([". . .|. .", ". . .|. ."]), episode(14))
    boards = [Legacy(gears=(*shapes, "l3")), Legacy()]
    match = match_with_rewards(14, park, unbuilt_city(park), unbuilt_city(park), boards=boards)
    assert match.events[-1] == Lost(0, "gear")
    assert match.due == {1}
    best = city(park, ". A A|. .\n. . .|. .", A="red-i2")
    last_one = match_with_rewards(14, park, unbuilt_city(park), best, boards=[Legacy(gears=shapes), Legacy()])
    assert rules.legal(last_one.state, 0) == [Gear("l3")]
    last_one = last_one.decide(0, Gear("l3")).decide(1, Gear("i4"))
    assert last_one.events[-3:] == (Lost(0, "gear"), Lost(0, "gear"), Ended())


@pytest.mark.rule("MC-E27")
def test_all_who_win_a_race_in_the_same_round_get_the_whole_reward() -> None:
    creek = field("g g|. .\n. .|. .", episode(10))
    match = in_campaign(10, table(creek, *[unbuilt_city(creek)] * 3, deck=["red-i2", "blue-i2"]))
    match = play(match, "red-i2", "a1 b1", "a1 b1", "pass")
    assert [board.nuggets for board in match.state.boards] == [2, 2, 0]
    assert Received(1, "nugget", 2) in match.events


@pytest.mark.rule("MC-E27")
def test_veins_after_episode_12_are_meadow_that_is_neither_empty_nor_rock() -> None:
    site = opened_match(13).state.cities[0].site
    assert site.veins & site.ground == site.veins
    assert not site.veins & (site.empty | site.stony)


@pytest.mark.rule("MC-17")
def test_the_stop_at_50_gives_a_circle_in_later_episodes_too() -> None:
    orchard = field("\n".join(["2 2 2 2 2|2 2 2 2 2"] * 3), episode(15))
    match = match_with_rewards(15, orchard, unbuilt_city(orchard), unbuilt_city(orchard))
    assert match.result.scores == (50, 50)
    assert circles(match.state) == (3, 3)
    assert [board.circles for board in match.state.boards] == [3, 3]


@pytest.mark.rule("MC-18")
def test_below_0_is_set_against_later_points_in_later_episodes_too() -> None:
    quarry = field("r r .|. .\nr . .|. .", episode(15))
    built = city(quarry, "r r A|. .\nr . A|. .", A="red-i2")
    match = match_with_rewards(15, quarry, built, unbuilt_city(quarry))
    assert match.result.scores == (-6, -6)
    assert match.result.ranks == (1, 2)


# MC-E28


@pytest.mark.rule("MC-E28")
@pytest.mark.parametrize("number", range(1, 25))
def test_the_board_of_an_episode_on_its_own(number: int) -> None:
    (board, _) = opened_match(number).state.boards
    assert board.stickers == ({"g1": "rock", "i1": "rock"} if number >= 13 else {})
    assert (board.church or None) == ("p5" if number >= 5 else None)
    assert board.gears == (("i4", "o4", "t4", "u5") if number >= 14 else ())
    assert board.shafts == {}


@pytest.mark.rule("MC-E28")
@pytest.mark.parametrize("number", [1, 4, 10, 16, 23])
def test_an_episode_on_its_own_has_no_rewards(number: int) -> None:
    setup = Setup(mode="episode", episode=number, seats=3, play="single")
    match = play_bots(rules, setup, ("greedy", "random", "random"), SEED, SEED)
    assert match.over
    assert match.state.asks != "reward"
    assert {(board.circles, board.nuggets) for board in match.state.boards} == {(0, 0)}
    assert not any(isinstance(event, Received | Stuck | Lost) for event in match.events)


@pytest.mark.rule("MC-E28")
def test_the_boards_of_a_campaign_as_json() -> None:
    board = Legacy(circles=3, nuggets=1, stickers={"g1": "tree"}, church="z5", gears=("i4",), shafts={"blue": 4})
    setup = Setup(mode="episode", episode=17, seats=2, play="campaign", boards=(board, Legacy()), triangles=("blue-6",))
    found = json.loads(msgspec.json.encode(setup))
    assert found["boards"][0] == {
        "circles": 3,
        "nuggets": 1,
        "stickers": {"g1": "tree"},
        "church": "z5",
        "gears": ["i4"],
        "shafts": {"blue": 4},
    }
    assert found["triangles"] == ["blue-6"]
    assert msgspec.json.decode(msgspec.json.encode(setup), type=Setup) == setup


@pytest.mark.rule("MC-E28")
@pytest.mark.parametrize(
    ("board", "wrong"),
    [
        (Legacy(stickers={"z9": "tree"}), "no tree can lie on z9"),
        (Legacy(stickers={"a3": "tree"}), "no tree can lie on a3"),
        (Legacy(stickers={"c1": "tree"}), "no tree can lie on c1"),
        (Legacy(stickers={"g1": "meadow"}), "no meadow can lie on g1"),
        (Legacy(church="t9"), "no player can have the church t9"),
        (Legacy(gears=("z4",)), "no gear can lie on z4"),
        (Legacy(gears=("i4", "i4")), "no gear can lie on i4"),
        (Legacy(shafts={"blue": 16}), "the blue shaft is not ticked to box 16"),
        (Legacy(circles=-1), "it has fewer than 0 circles or nuggets"),
    ],
)
def test_an_impossible_board_is_refused(board: Legacy, wrong: str) -> None:
    with pytest.raises(BadSetup, match=f"^the board of seat 1 cannot be before episode 16: {wrong}$"):
        opened_match(16, play="campaign", boards=(Legacy(), board))


@pytest.mark.rule("MC-E28")
def test_a_box_that_no_shaft_has_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"^no shaft has a triangle blue-7$"):
        opened_match(16, play="campaign", boards=(Legacy(), Legacy()), triangles=("blue-7",))


def test_the_name_of_a_city_and_its_animal_stay_with_the_board() -> None:
    boards = (Legacy(city="Lyonesse", animal="owl"), Legacy())
    match = play(opened_match(4, play="campaign", boards=boards), "red-i2", "stop", "stop")
    assert (match.state.boards[0].city, match.state.boards[0].animal) == ("Lyonesse", "owl")


# Files.


def half(path: Path) -> None:
    """Writes the first episodes of a campaign to a file."""
    going, records = Campaign(rules, (1, 2, 3, 4), first_setup(2)), []
    for number in range(2):
        match = play_next(going, ("random", "random"), SEED, SEED)
        records.append(record_of(match, seed=derive_seed(SEED, "match", number)))
        going = going.add(match)
    write(campaign_record_of(going, records), path)


RESUME = """
import sys
from pathlib import Path
from polyopolis.bots.tournaments.arena import play_next
from polyopolis.engine import seed_of
from polyopolis.records import read, verify_campaign
going, _ = verify_campaign(read(Path(sys.argv[1])))
while not going.over:
    going = going.add(play_next(going, ("random", "random"), seed_of("campaign"), seed_of("campaign")))
print(going.standings().scores, going.matches[-1].state.boards)
"""


def test_a_campaign_resumed_in_another_process_ends_the_same(tmp_path: Path) -> None:
    half(tmp_path / "half.json")
    found = subprocess.run(
        [sys.executable, "-c", RESUME, str(tmp_path / "half.json")], capture_output=True, check=True, text=True
    )
    whole = campaign(2, plan=(1, 2, 3, 4))
    assert found.stdout.strip() == f"{whole.standings().scores} {whole.matches[-1].state.boards}"


def test_a_whole_campaign_is_read_back_from_its_file(played: Campaign, tmp_path: Path) -> None:
    write(campaign_record_of(played, [record_of(match) for match in played.matches]), tmp_path / "campaign.json")
    record = read(tmp_path / "campaign.json")
    assert isinstance(record, CampaignRecord)
    again, playing = verify_campaign(record)
    assert playing is None
    assert again.standings() == played.standings()
