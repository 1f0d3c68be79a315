"""The sixth level: a net that ships, the same decisions wherever it runs; and the five others as they were."""

from dataclasses import replace
from typing import Any

import pytest

from polyopolis.bots import LEVELS, bot, choose, effort, opponents
from polyopolis.bots.learned_level import MASTER, MASTERED
from polyopolis.bots.levels import Level
from polyopolis.bots.net_files import judge_of
from polyopolis.bots.tournaments.arena import play_out
from polyopolis.engine import Dealer, Match, describe_action, seed_of
from polyopolis.games import GAME_SPECS, game
from polyopolis.games.mycity.state import Legacy
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_position import EPISODES, ETERNAL, Consultation, position_of
from tests.games.rollwrite.positions import city, field, roll, table
from tests.kernels.comparisons import both_ways, printed

pytestmark = pytest.mark.slow
SETUPS: dict[str, dict[str, Any]] = {
    "mycity": {},
    "mycity episode": {"mode": "episode", "episode": 8},
    "rollwrite": {"episode": 5},
    "pointcity": {},
}
OF_MASTER = """
from polyopolis.bots import bot, choose
from polyopolis.engine import seed_of
from tests.bots.test_learned_level import on_the_way
for name, rounds in (("mycity", 2), ("mycity", 14), ("mycity episode", 8), ("rollwrite", 4), ("rollwrite", 10)):
    print(choose(bot("{name}"), on_the_way(name, rounds), 0, seed_of("x")))
"""
OF_DRAFTING = """
from polyopolis.bots import bot, choose
from polyopolis.engine import seed_of
from tests.bots.test_learned_level import on_the_way
for rounds in (1, 20, 34):
    match = on_the_way("pointcity", rounds)
    print(choose(bot("master"), match, min(match.due), seed_of("x")))
"""
KEPT = {
    "mycity": ["place c9 d9", "place c9 d9", "place c6 c7", "place c9 d9", "place e3 f3"],
    "rollwrite": ["place g1", "place g1", "place f3", "place i7", "place f3"],
    "pointcity": ["flip d3", "flip c3", "flip a3", "take a3 a4", "flip a3"],
}
"""What levels 1 to 5 decided when people learnt to know them."""


def on_the_way(name: str, rounds: int) -> Match:
    """After so many decisions of each of two at sight."""
    rules, dealer, sight = game(name.split(maxsplit=1)[0]), Dealer(seed_of("on the way")), bot("sight")
    match = Match.start(rules, rules.Setup(seats=2, **SETUPS[name])).deal(dealer)
    for _ in range(rounds):
        for seat in sorted(match.due):
            match = match.decide(seat, choose(sight, match, seat, seed_of("sight")))
        match = match.deal(dealer)
    return match


@both_ways
@pytest.mark.parametrize("key", KEPT)
def test_levels_decide_as_they_always_did(key: str) -> None:
    match = on_the_way(key, 6)
    seat = min(match.due)
    assert [describe_action(choose(level, match, seat, seed_of("kept"))) for level in LEVELS.values()] == KEPT[key]


def test_a_master_is_offered_where_it_has_learnt() -> None:
    assert {key for key in GAME_SPECS if "master" in opponents(key)} == {*MASTERED}
    assert all(opponents(key)[5:7] == ("level-5", "master") for key in MASTERED)
    learnt = [("rollwrite", number) for number in range(1, 13)] + [("mycity", number) for number in range(1, 25)]
    assert all(judge_of(net) for net in (ETERNAL, *(EPISODES.format(*episode) for episode in learnt)))
    assert effort("master") > effort("level-5"), "others are served before it"


def test_boards_of_a_campaign_have_the_patterns_of_their_episode() -> None:
    rules = game("mycity")
    boards = (Legacy(stickers={"g1": "rock"}, circles=1), Legacy(stickers={"g1": "tree"}))
    setup = rules.Setup(mode="episode", play="campaign", episode=3, seats=2, boards=boards)
    match = Match.start(rules, setup).deal(Dealer(seed_of("campaign")))
    found = [position_of("mycity", match.state, seat) for seat in range(2)]
    assert [position.net for position in found] == [EPISODES.format("mycity", 3)] * 2
    assert choose(bot("master"), match, 0, seed_of("x"))


def test_a_sheet_that_is_not_the_printed_one_was_never_learnt() -> None:
    """Patterns are of cells where they lie."""
    match = roll(table(small := field(". .|. ."), city(small, ". .|. .")), "i1")
    assert choose(bot("master"), match, 0, seed_of("x")) == choose(bot("level-5"), match, 0, seed_of("x"))


def test_a_purse_is_worth_more_to_whoever_has_learnt() -> None:
    """To levels it is worth what it always was."""
    rules = game("rollwrite")
    position = position_of("rollwrite", rules.start(rules.Setup(seats=2, episode=9)), 0)
    learnt = position.as_learnt
    assert position.city.features == learnt.city.features
    assert position.city.features["purses"] == 1, "who has built nothing has never passed"
    assert (position.city.outcome, learnt.city.outcome) == (position.city.score + 2.5, position.city.score + 5.0)


def test_simulations_are_more_the_sooner_they_end() -> None:
    way = Consultation(decisions=1200, width=8)
    assert [way.simulations(left) for left in (24, 12, 1, 0)] == [50, 100, 1200, 1200]
    assert way._replace(horizon=4).simulations(24) == 300, "or are cut short"
    assert way._replace(decisions=10**6).simulations(3) == way.most


@both_ways
def test_a_master_decides_the_same_in_machine_code_and_in_a_page() -> None:
    native, wasm = (printed(OF_MASTER.format(name="master"), way) for way in ("native", "wasm"))
    assert native.count("Place") == 5
    assert native == wasm


@both_ways
def test_a_master_drafts_the_same_in_machine_code_and_in_a_page() -> None:
    native, wasm = (printed(OF_DRAFTING, way) for way in ("native", "wasm"))
    assert len(native.splitlines()) == 3
    assert native == wasm


@both_ways
def test_at_one_table_a_master_plays_on_more_often_and_settles_later() -> None:
    for seats in (1, 2, 4):
        rules = game("pointcity")
        setup = rules.Setup(seats=seats, **({"automa": "hard"} if seats == 1 else {}))
        match = Match.start(rules, setup).deal(Dealer(seed_of("table")))
        position = draft_position.position_of(match.state)
        own, fifth = (position.effort(level.simulations) for level in (MASTER.drafting, LEVELS["level-5"]))
        assert own.nodes > fifth.nodes
        assert own.alike < fifth.alike
        assert own.times * MASTER.drafting.simulations > 2 * fifth.times * LEVELS["level-5"].simulations


@both_ways
def test_a_master_finishes_a_draft() -> None:
    """With the fewest simulations that make it search as it does."""
    quick = replace(MASTER, drafting=Level(simulations=10_000, width=3))
    rules = game("pointcity")
    match = play_out(rules, rules.Setup(seats=2), [quick, bot("sight")], seed_of("draft"), seed_of("bots"))
    assert match.over


@both_ways
def test_in_plain_python_a_master_does_what_its_net_says() -> None:
    assert printed(OF_MASTER.format(name="master"), "plain") == printed(OF_MASTER.format(name="gaze"), "native")
