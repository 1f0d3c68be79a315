"""RW-1, RW-18, RW-19, RW-29, RW-30: campaigns."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.bots.tournaments.arena import play_next
from polyopolis.engine import Campaign, Line, Match, Result
from polyopolis.games.rollwrite import rules
from polyopolis.games.rollwrite.campaign_rules import standings, title_rank
from polyopolis.games.rollwrite.content import content
from polyopolis.games.rollwrite.state import City, Setup, State
from polyopolis.records import CampaignRecord, campaign_record_of, read, record_of, verify_campaign, write
from tests.games.rollwrite.positions import EPISODES, begin, play, points, unbuilt_city

CAMPAIGN = tuple(range(1, 13))
MINI = (3, 6, 12)


def finished(setup: Setup) -> Match:
    """Returns a match in which all players stop at the first roll."""
    return play(Match.start(rules, setup), "i1", *["stop"] * setup.seats)


def through(plan: Sequence[int], seats: int = 1) -> Campaign:
    """Returns a campaign in which no player builds."""
    campaign = Campaign(rules, tuple(plan), Setup(seats=seats))
    while setup := campaign.next_setup():
        campaign = campaign.add(finished(setup))
    return campaign


def lines_of(result: Result, seat: int = 0) -> dict[str, tuple[int, int]]:
    return {line.line: (line.count, line.points) for line in result.sheets[seat]}


@pytest.mark.rule("RW-1")
def test_the_plans_of_several_episodes() -> None:
    assert rules.plans(1) == {
        "campaign": CAMPAIGN,
        "chapter-1": (1, 2, 3),
        "chapter-2": (4, 5, 6),
        "chapter-3": (7, 8, 9),
        "chapter-4": (10, 11, 12),
        "mini": MINI,
    }


@pytest.mark.rule("RW-1")
@pytest.mark.parametrize("plan", rules.plans(1).values(), ids=rules.plans(1).keys())
@pytest.mark.parametrize("seats", [1, 3])
def test_every_plan_is_played_to_its_end(plan: tuple[int, ...], seats: int) -> None:
    campaign = through(plan, seats)
    assert campaign.over
    assert [match.setup.episode for match in campaign.matches] == list(plan)
    result = campaign.standings()
    assert result.scores == tuple(sum(line.points for line in sheet) for sheet in result.sheets)


@pytest.mark.rule("RW-1")
def test_the_mini_campaign_is_the_sum_without_bandits_purses_and_titles() -> None:
    campaign = through(MINI)
    assert [match.setup.bandits for match in campaign.matches] == [UNSET] * 3
    scores = [match.result.scores[0] for match in campaign.matches]
    assert campaign.standings().sheets[0] == tuple(
        Line(f"episode-{number}", 1, score) for number, score in zip(MINI, scores, strict=True)
    )


@pytest.mark.rule("RW-1")
def test_all_have_the_same_sheet() -> None:
    assert len(set(begin(5, 12).state.cities)) == 1


@pytest.mark.rule("RW-18")
def test_the_highest_score_wins_and_ties_share() -> None:
    match = play(begin(seats=4), "i4", "d8 e8 f8 g8", "pass", "stop", "stop")
    match = play(match, "i1", "stop", "stop")
    assert match.result.scores == (-58, -64, -63, -63)
    assert match.result.ranks == (1, 4, 2, 2)


@pytest.mark.rule("RW-18")
def test_a_chapter_is_the_sum_of_its_episodes_and_the_campaign_of_its_chapters() -> None:
    campaign = through(CAMPAIGN, seats=2)
    scores = [match.result.scores[0] for match in campaign.matches]
    lines = lines_of(campaign.standings())
    assert [lines[f"chapter-{number}"] for number in (1, 2, 4)] == [
        (sum(scores[:3]), 0),
        (sum(scores[3:6]), 0),
        (sum(scores[9:]), 0),
    ]
    assert lines["chapter-3"] == (sum(scores[6:9]) + 20, 0)
    assert lines["campaign"] == (sum(scores) + 20, 0)
    assert campaign.standings().scores == (sum(scores) + 20,) * 2
    assert campaign.standings().ranks == (1, 1)


@pytest.mark.rule("RW-18")
def test_the_lines_of_a_campaign_stand_in_its_order() -> None:
    assert [line.line for line in through(CAMPAIGN).standings().sheets[0]] == [
        "episode-1", "episode-2", "episode-3", "chapter-1", "chapter-title-1",
        "episode-4", "episode-5", "episode-6", "chapter-2", "chapter-title-2",
        "episode-7", "episode-8", "episode-9", "purses", "chapter-3", "chapter-title-3",
        "episode-10", "episode-11", "episode-12", "chapter-4", "chapter-title-4",
        "campaign", "title",
    ]  # fmt: skip


@pytest.mark.rule("RW-18")
def test_a_chapter_that_is_not_complete_is_not_counted() -> None:
    campaign = through((7, 8))
    assert [line.line for line in campaign.standings().sheets[0]] == ["episode-7", "episode-8", "purses"]
    assert lines_of(campaign.standings())["purses"] == (2, 0)


LIMITS = {
    "chapter 1": (0, 10, 18, 26, 34, 42, 50, 60, 70),
    "chapter 2": (0, 10, 18, 26, 34, 42, 50, 60, 70),
    "chapter 3": (0, 20, 28, 36, 44, 52, 60, 70, 80),
    "chapter 4": (0, 40, 50, 60, 70, 80, 90, 105, 120),
    "campaign": (0, 80, 110, 140, 170, 200, 230, 260, 300),
}


@pytest.mark.rule("RW-19")
def test_the_limits_of_the_titles() -> None:
    campaign = content().campaign
    found = {f"chapter {number}": chapter.titles for number, chapter in enumerate(campaign.chapters, start=1)}
    assert found | {"campaign": campaign.total.titles} == LIMITS


@pytest.mark.rule("RW-19")
@pytest.mark.parametrize("limits", LIMITS.values(), ids=LIMITS.keys())
def test_a_title_begins_at_its_limit(limits: tuple[int, ...]) -> None:
    assert [title_rank(limits, limit) for limit in limits] == list(range(1, 10))
    assert [title_rank(limits, limit - 1) for limit in limits] == [1, *range(1, 9)]


@pytest.mark.rule("RW-19")
def test_titles_are_only_for_solo_games() -> None:
    assert {"chapter-title-1", "title"} <= lines_of(through(CAMPAIGN).standings()).keys()
    assert not {"chapter-title-1", "title"} & lines_of(through(CAMPAIGN, 2).standings()).keys()


@pytest.mark.rule("RW-35")
def test_below_0_is_title_1() -> None:
    campaign = through((1, 2, 3))
    assert campaign.standings().scores[0] < 0
    assert lines_of(campaign.standings())["chapter-title-1"] == (1, 0)


def chapter_3(*purses: int) -> list[State]:
    """Returns the final states of the three episodes of chapter 3, with these numbers of purses by seat."""
    return [_ended(number, [_share(each, number) for each in purses]) for number in (7, 8, 9)]


def _share(purses: int, number: int) -> int:
    """Returns the purses of a chapter that come from one episode: at most 2, 2 and 3."""
    before = {7: 0, 8: 2, 9: 4}[number]
    return min(max(purses - before, 0), 3 if number == 9 else 2)


def _ended(number: int, purses: Sequence[int]) -> State:
    land = EPISODES[number]
    cities = tuple(_with_purses(unbuilt_city(land), number, each) for each in purses)
    return State(Setup(episode=number, seats=len(purses)), land, cities, frozenset())


def _with_purses(sheet: City, number: int, purses: int) -> City:
    """Returns a city with these purses: one for never passing, 1 or 2 for the goal."""
    (goal,) = [sheet.site.goals[race.race] for race in EPISODES[number].rules.races]
    covered = {7: purses == 2, 8: purses == 2, 9: purses >= 2}[number]
    passed = purses in ((0, 2) if number == 9 else (0,))
    return replace(sheet, free=sheet.free & ~goal if covered else sheet.free, circles=int(passed))


def bonus(*purses: int) -> list[int]:
    result = standings(Setup(seats=len(purses)), chapter_3(*purses))
    assert [lines_of(result, seat)["purses"][0] for seat in range(len(purses))] == list(purses)
    return [lines_of(result, seat)["purses"][1] for seat in range(len(purses))]


@pytest.mark.rule("RW-29")
def test_most_purses_and_second_most() -> None:
    assert bonus(5, 3, 1) == [20, 10, 0]
    assert bonus(1, 3) == [10, 20]


@pytest.mark.rule("RW-29")
def test_ties_share_and_the_next_lower_number_is_second_even_after_a_tie() -> None:
    assert bonus(5, 5, 3, 3, 1) == [20, 20, 10, 10, 0]
    assert bonus(4, 4) == [20, 20]


@pytest.mark.rule("RW-29")
def test_zero_purses_can_be_the_second_most() -> None:
    assert bonus(0, 0, 2) == [10, 10, 20]
    assert bonus(0, 0) == [20, 20]


@pytest.mark.rule("RW-29")
@pytest.mark.parametrize(("purses", "points"), [(7, 20), (6, 10), (5, 0), (0, 0)])
def test_alone_7_purses_are_worth_20_and_6_are_worth_10(purses: int, points: int) -> None:
    assert bonus(purses) == [points]


@pytest.mark.rule("RW-29")
def test_the_points_for_purses_belong_to_the_chapter_and_not_to_an_episode() -> None:
    states = chapter_3(7)
    lines = lines_of(standings(Setup(seats=1), states))
    scores = [rules.scores(state).scores[0] for state in states]
    assert [lines[f"episode-{number}"][1] for number in (7, 8, 9)] == scores
    assert lines["chapter-3"] == (sum(scores) + 20, 0)
    assert [dict(lines_of(rules.scores(state)))["purses"] for state in states] == [(2, 0), (2, 0), (3, 0)]


@pytest.mark.rule("RW-30")
def test_free_bandits_are_carried_to_the_same_cell_for_their_player() -> None:
    # Seat 0 catches the bandit at f1: e1 across the river, f2 and g1.
    match = play(begin(10, 2), "i1", "e2", "stop")
    for rolled, cells in (("l3", "g1 f2 g2"), ("i1", "e1"), ("i1", "stop")):
        match = play(match, rolled, cells)
    assert points(match, "bandits", 0) == (5, -15)
    onward = rules.onward(match.setup, match.state)
    assert onward == Setup(
        episode=11,
        seats=2,
        bandits=(("i5", "k6", "j7", "c8", "g8"), ("f1", "i5", "k6", "j7", "c8", "g8")),
    )


@pytest.mark.rule("RW-30")
def test_bandits_are_carried_over_only_in_chapter_4() -> None:
    campaign = through(CAMPAIGN)
    carried = [match.setup.bandits for match in campaign.matches]
    assert carried[:10] == [UNSET] * 10
    assert carried[10] == (("f1", "i5", "k6", "j7", "c8", "g8"),)
    assert carried[11] == (("f1", "h1", "e2", "i5", "i6", "k6", "c7", "h7", "j7", "c8", "g8"),)
    assert points(campaign.matches[11], "bandits") == (13, -78)


@pytest.mark.rule("RW-30")
def test_a_single_episode_carries_none() -> None:
    assert begin(11).setup.bandits is UNSET
    assert rules.view(begin(11).state, None).table.cities[0].bandits == ("h1", "e2", "i6", "c7", "h7")


def test_no_episode_follows_the_last_one() -> None:
    match = finished(Setup(episode=12, seats=1))
    assert rules.onward(match.setup, match.state) is None


GO_ON = """
import sys
from pathlib import Path
from tests.games.rollwrite.test_campaign import go_on
go_on(Path(sys.argv[1]), int(sys.argv[2]))
"""
PLAYERS = ("random", "random")


def go_on(path: Path, episodes: int) -> None:
    """Continues the chapter in this file until this number of episodes is played."""
    record = read(path)
    assert isinstance(record, CampaignRecord)
    (campaign, playing), records = verify_campaign(record), record.records
    assert playing is None
    while len(campaign.matches) < episodes:
        match = play_next(campaign, PLAYERS, b"seed", b"bots")
        campaign, records = campaign.add(match), (*records, record_of(match, PLAYERS))
    write(campaign_record_of(campaign, records, PLAYERS), path)


def test_a_campaign_continues_in_another_process(tmp_path: Path) -> None:
    chapter = Campaign(rules, (10, 11, 12), Setup(episode=10, seats=2))
    first = play_next(chapter, PLAYERS, b"seed", b"bots")
    here, there = tmp_path / "here.json", tmp_path / "there.json"
    for path in (here, there):
        write(campaign_record_of(chapter.add(first), [record_of(first, PLAYERS)], PLAYERS), path)
    go_on(here, 3)
    for episodes in (2, 3):
        command = [sys.executable, "-c", GO_ON, str(there), str(episodes)]
        subprocess.run(command, check=True, cwd=Path(__file__).parents[3])
    assert there.read_text("utf-8") == here.read_text("utf-8")
    record = read(there)
    assert isinstance(record, CampaignRecord)
    campaign, _ = verify_campaign(record)
    assert campaign.over
    assert all(match.setup.bandits is not UNSET for match in campaign.matches[1:])
