"""Bots in Roll & Write."""

import pytest

from polyopolis.bots import BOTS, bot, choose
from polyopolis.bots.tournaments.arena import Contest, bot_summaries, play, run_contest
from polyopolis.engine import Match, seed_of
from polyopolis.games import game
from polyopolis.games.rollwrite.actions import Place, Stop
from tests.games.rollwrite.positions import EPISODES, begin, city, field, roll, table
from tests.games.rollwrite.positions import play as turn

rollwrite = game("rollwrite")


@pytest.mark.parametrize("name", sorted(BOTS.keys() - {"level-3", "level-4", "level-5", "master"}))
@pytest.mark.parametrize("seats", [1, 2, 12])
@pytest.mark.parametrize("episode", [1, 6, 8, 12])
def test_every_bot_plays_with_any_number_of_seats(name: str, seats: int, episode: int) -> None:
    setup = rollwrite.Setup(episode=episode, seats=seats)
    assert play(rollwrite, setup, (name,) * seats, seed_of("play"), seed_of("bots")).over


@pytest.mark.parametrize("episode", EPISODES)
def test_greedy_is_far_better_than_random(episode: int) -> None:
    contest = Contest("rollwrite", rollwrite.Setup(episode=episode, seats=2), ("greedy", "random"), 6, "better")
    first, second = bot_summaries(run_contest(contest))
    assert (first.bot, second.bot) == ("greedy", "random")
    assert first.score.mean > second.score.mean + 10


def test_greedy_builds_while_there_is_room() -> None:
    assert isinstance(choose(bot("greedy"), roll(begin(), "i4"), 0, seed_of("x")), Place)


def test_greedy_stops_when_no_points_are_left() -> None:
    full = field(". .|. .")
    match = roll(table(full, city(full, "A A|B B", A="residential", B="industrial")), "i1")
    assert choose(bot("greedy"), match, 0, seed_of("x")) == Stop()


def test_greedy_catches_a_bandit_with_a_fort() -> None:
    match: Match = begin(12, 1)
    for rolled, cells in (("i1", "d4"), ("i1", "c4"), ("i1", "c5"), ("i1", "e4"), ("i1", "e5")):
        match = turn(match, rolled, cells)
    assert choose(bot("greedy"), roll(match, "compass"), 0, seed_of("x")) == Place(("d6",))
