"""MC-E28: limits of the boards before an episode, and refused setups."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from polyopolis.engine import BadSetup
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.content import NEWEST, content
from polyopolis.games.mycity.content import Sticker as Kind
from polyopolis.games.mycity.legacy.carryover_limits import limits_before
from polyopolis.games.mycity.legacy.rewards import STICKERS, sticker_cells
from polyopolis.games.mycity.state import Legacy, Setup
from polyopolis.records import CampaignRecord, read
from tests.games.mycity.positions import episode, opened_match
from tests.support.property_budget import examples
from tests.support.random_play import MOODS, Mood, finished

RECORDED = sorted((Path(__file__).parents[3] / "records/campaigns").glob("mycity-*.json"))
SQUARES = episode(1).board.grid.cells(episode(1).squares)


def start(number: int, board: Legacy, **given: Any) -> None:
    opened_match(number, play="campaign", boards=(board, Legacy()), **given)


def refusal(number: int, board: Legacy, **given: Any) -> str:
    with pytest.raises(BadSetup) as refused:
        start(number, board, **given)
    return str(refused.value).removeprefix(f"the board of seat 0 cannot be before episode {number}: ")


# Circles and nuggets.


@pytest.mark.rule("MC-E28")
def test_a_board_has_no_more_circles_than_ranks_the_limit_and_shafts_can_have_given() -> None:
    # In each episode two for the first rank and one at 50; later four more in the shafts.
    assert limits_before(NEWEST, 1, 2).rewards["circle"] == 0
    start(3, Legacy(circles=6))
    assert refusal(3, Legacy(circles=7)) == "it has 7 times circle; the maximum is 6"
    assert refusal(1, Legacy(circles=1)).endswith("the maximum is 0")
    boxes = [box for shaft in content().campaign.shafts.values() for box in shaft.rewards]
    shafts = sum(box.gives == "circle" for box in boxes)
    assert limits_before(NEWEST, 24, 3).rewards["circle"] == 23 * 3 + shafts
    assert "the maximum is 75" in refusal(24, Legacy(circles=900))


@pytest.mark.rule("MC-E28")
def test_a_board_has_no_nuggets_before_there_is_gold() -> None:
    assert refusal(10, Legacy(nuggets=1)) == "it has 1 times nugget; the maximum is 0"
    # Two for the race; with three players, too, one for the last rank.
    start(11, Legacy(nuggets=3))
    assert refusal(11, Legacy(nuggets=4)) == "it has 4 times nugget; the maximum is 3"


# Churches, gears and shafts.


@pytest.mark.rule("MC-E28")
def test_no_board_has_a_fourth_church_before_episode_5() -> None:
    for number in range(1, 5):
        assert refusal(number, Legacy(church="z5")) == "no player can have the church z5"
    for church in ("z5", "p5", "l3"):
        start(5, Legacy(church=church))


@pytest.mark.rule("MC-E28")
def test_there_are_no_gears_before_episode_14_and_no_more_than_were_given() -> None:
    blue = ("i4", "o4", "t4", "s4", "j4", "u5", "i2", "l3")
    assert refusal(13, Legacy(gears=("i4",))) == "it has 1 times gear; the maximum is 0"
    start(14, Legacy(gears=blue[:4]))  # those that the board of an episode on its own has
    assert refusal(14, Legacy(gears=blue[:5])) == "it has 5 times gear; the maximum is 4"
    start(16, Legacy(gears=blue))


@pytest.mark.rule("MC-E28")
def test_a_shaft_is_ticked_once_for_each_building_of_its_colour() -> None:
    assert refusal(16, Legacy(shafts={"blue": 0})) == "the blue shaft is not ticked to box 0"
    start(17, Legacy(shafts={"blue": 8}), triangles=("blue-6",))
    assert refusal(17, Legacy(shafts={"blue": 9})) == "the blue shaft is not ticked to box 9"
    assert refusal(17, Legacy(shafts={"red": 1})) == "the red shaft is not ticked to box 1"
    start(18, Legacy(shafts={"blue": 15, "red": 8}), triangles=("blue-6", "red-5", "blue-15"))
    assert refusal(18, Legacy(shafts={"yellow": 1})) == "the yellow shaft is not ticked to box 1"
    start(19, Legacy(shafts={"yellow": 0}))


@pytest.mark.rule("MC-E25")
@pytest.mark.parametrize(
    ("triangles", "message"),
    [
        (("blue-9",), "no shaft has a triangle blue-9"),
        (("blue-6", "blue-6"), "the triangle blue-6 is won twice"),
        (("blue-6", "red-5"), "no player has reached the triangle red-5"),
        ((), "a player has reached the triangle blue-6, but it is not among those won"),
    ],
)
def test_triangles_are_won_once_by_the_players_who_reach_them(triangles: tuple[str, ...], message: str) -> None:
    assert refusal(18, Legacy(shafts={"blue": 7}), triangles=triangles) == message


@pytest.mark.rule("MC-E25")
def test_a_triangle_without_boards_is_refused() -> None:
    with pytest.raises(BadSetup, match=r"^no player has reached the triangle blue-6$"):
        opened_match(18, play="campaign", triangles=("blue-6",))


# Stickers.


def stuck(*cells: str, kind: Kind = "tree") -> Legacy:
    return Legacy(stickers=dict.fromkeys(cells, kind))


@pytest.mark.rule("MC-33")
def test_stickers_lie_on_squares_while_there_are_any() -> None:
    start(4, stuck("g1"))
    assert refusal(4, stuck("e5")) == "no tree can lie on e5"
    assert refusal(4, stuck("e5", kind="rock")) == "no rock can lie on e5"
    start(22, stuck(*SQUARES, "e5"))
    assert refusal(22, stuck(*SQUARES[1:], "e5")) == "no tree can lie on e5"


@pytest.mark.rule("MC-33")
@pytest.mark.parametrize("cell", episode(1).board.grid.cells(episode(1).reserved))
def test_a_cell_that_later_material_needs_has_no_sticker(cell: str) -> None:
    assert refusal(22, stuck(*SQUARES, cell)) == f"no tree can lie on {cell}"
    assert refusal(22, stuck(cell, kind="meadow")) == f"no meadow can lie on {cell}"


@pytest.mark.rule("MC-33")
def test_no_board_has_more_stickers_than_were_given() -> None:
    assert refusal(2, stuck("g1", "i1")) == "it has 2 times tree; the maximum is 1"
    assert refusal(2, stuck("g1", "i1", kind="rock")) == "it has 2 times rock; the maximum is 1"
    assert refusal(7, stuck("k3", kind="meadow")) == "it has 1 times meadow; the maximum is 0"
    start(8, stuck("k3", kind="meadow"))
    start(8, stuck("k3", kind="forest-tree"))


@pytest.mark.rule("MC-33")
def test_a_tree_in_the_forest_lies_on_a_meadow_that_came_before() -> None:
    full = stuck(*SQUARES).stickers
    start(22, Legacy(stickers={**full, "k3": "tree"}))
    forest = episode(1).board.grid.cells(sticker_cells(episode(1), Legacy(), "meadow"))
    many = stuck(*forest[:3]).stickers
    assert refusal(22, Legacy(stickers=full | many)) == "it has 3 times meadow; the maximum is 2"


@pytest.mark.rule("MC-E22")
def test_a_park_is_a_tree_on_any_meadow_or_rock_with_four_neighbours() -> None:
    for cell in ("e5", "h6", "i7"):  # empty, a well of old, a rock
        start(23, stuck(cell))
        assert refusal(22, stuck(cell)) == f"no tree can lie on {cell}"
    for cell in ("a1", "e3", "c1"):  # at the border, under the port, with trees on it
        assert refusal(23, stuck(cell)) == f"no tree can lie on {cell}"


# Boards of real campaigns.


@pytest.mark.rule("MC-E28")
def test_an_episode_on_its_own_has_no_boards() -> None:
    for brought in ({"boards": (Legacy(), Legacy())}, {"triangles": ()}, {"play": "single", "boards": (Legacy(),) * 2}):
        with pytest.raises(BadSetup, match=r"^only an episode of a campaign has boards and triangles in its setup$"):
            opened_match(16, **brought)


def test_carried_returns_whether_a_setup_continues_a_campaign() -> None:
    fresh = Setup(mode="episode", episode=3, seats=2, play="campaign")
    assert not rules.carried(fresh)
    assert not rules.carried(Setup(seats=2))
    assert rules.carried(replace(fresh, boards=(Legacy(), Legacy())))
    assert rules.carried(replace(fresh, triangles=("blue-6",)))


@pytest.mark.rule("MC-30")
@examples(6)
@given(
    number=st.sampled_from(content().numbers),
    seats=st.sampled_from(rules.seats),
    seed=st.integers(0, 10**9).map(str),
    mood=st.sampled_from(MOODS),
)
def test_the_result_of_every_episode_starts_the_next_one(number: int, seats: int, seed: str, mood: Mood) -> None:
    setup: Setup | None = Setup(mode="episode", episode=number, seats=seats, play="campaign")
    for _ in range(4):
        if setup is None:
            break
        match = finished(rules, setup, seed, mood)
        setup = rules.onward(match.setup, match.state)


@pytest.mark.rule("MC-30")
@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.stem)
def test_every_recorded_campaign_starts_each_of_its_episodes(path: Path) -> None:
    record = read(path)
    assert isinstance(record, CampaignRecord)
    for match in record.records:
        rules.start(msgspec.convert(match.setup, Setup))


@pytest.mark.rule("MC-E28")
@pytest.mark.parametrize("number", range(2, 25))
def test_a_board_at_all_limits_is_accepted(number: int) -> None:
    """Each limit by itself; stickers are on the first possible cells."""
    most = limits_before(NEWEST, number, 4)
    known = episode(number)
    board = Legacy(circles=most.rewards["circle"], nuggets=most.rewards["nugget"], shafts=dict(most.shafts))
    for kind in STICKERS:
        for _ in range(most.rewards[kind]):
            cells = known.board.grid.cells(sticker_cells(known, board, kind))
            board = replace(board, stickers={**board.stickers, cells[0]: kind})
    shafts = content().campaign.shafts
    won = [
        f"{colour}-{box.box}"
        for colour, boxes in most.shafts.items()
        for box in shafts[colour].rewards
        if box.triangle and box.box <= boxes
    ]
    opened_match(number, 4, play="campaign", boards=(board,) * 4, triangles=tuple(won))
