"""Contests: common random numbers, identical records in every process, means with confidence intervals."""

import subprocess
import sys
from pathlib import Path

import pytest

from polyopolis.bots.tournaments.arena import (
    Contest,
    IntervalEstimate,
    PlayedGame,
    ShareEstimate,
    bot_summaries,
    run_contest,
)
from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.engine import Result
from polyopolis.games import game
from polyopolis.records import CampaignRecord, Record, record_text, verify, verify_campaign

mycity = game("mycity")


def contest(*bots: str, games: int, seats: int | None = None) -> Contest:
    return Contest("mycity", mycity.Setup(seats=seats or len(bots)), bots, games, "7")


def cards(played: PlayedGame) -> list[str]:
    return [move["action"]["card"] for move in record_in(played).moves if move["action"]["type"] == "reveal"]


def record_in(played: PlayedGame) -> Record:
    assert isinstance(played.record, Record)
    return played.record


def test_each_deck_is_played_once_in_every_seating_order() -> None:
    games = list(run_contest(contest("random", "uniform", "random", games=6)))
    assert [played.players for played in games[:3]] == [
        ("random", "uniform", "random"),
        ("uniform", "random", "random"),
        ("random", "random", "uniform"),
    ]
    assert [played.deck for played in games] == [0, 0, 0, 1, 1, 1]
    for this, other in [(0, 1), (1, 2), (3, 4)]:
        assert all(a == b for a, b in zip(cards(games[this]), cards(games[other]), strict=False))
    assert cards(games[0])[:5] != cards(games[3])[:5]


def test_a_shorter_list_of_bots_repeats() -> None:
    assert contest("greedy", "random", games=1, seats=4).players(0) == ("greedy", "random", "greedy", "random")


def test_every_record_verifies() -> None:
    for played in run_contest(contest("random", "uniform", games=6)):
        assert verify(record_in(played)).result.scores == played.scores


def test_more_jobs_give_the_same_games() -> None:
    short = contest("random", "random", games=6)
    with local_executor(2) as hands:
        assert [record_text(played.record) for played in run_contest(short, hands)] == [
            record_text(played.record) for played in run_contest(short)
        ]


SAVE = """
import sys
from polyopolis.bots.tournaments.arena import Contest, run_contest
from polyopolis.games import game
from polyopolis.records import record_text
contest = Contest("mycity", game("mycity").Setup(seats=2), ("greedy", "uniform"), 2, "7")
sys.stdout.write("".join(record_text(played.record) for played in run_contest(contest)))
"""


@pytest.mark.parametrize("hash_seed", ["0", "4711"])
def test_another_process_with_another_hash_seed_writes_the_same_bytes(hash_seed: str) -> None:
    environment = {"PYTHONHASHSEED": hash_seed, "PATH": str(Path(sys.executable).parent)}
    written = subprocess.run([sys.executable, "-c", SAVE], env=environment, capture_output=True, check=True, text=True)
    assert written.stdout == "".join(
        record_text(played.record) for played in run_contest(contest("greedy", "uniform", games=2))
    )


def game_with(number: int, players: tuple[str, ...], scores: tuple[int, ...], ranks: tuple[int, ...]) -> PlayedGame:
    record = Record(game="mycity", rules=1, content=1, setup={}, moves=(), players=players)
    return PlayedGame(number, number // 2, record, Result(scores, ranks, ()))


def test_games_with_the_same_deck_are_one_observation() -> None:
    first, second = bot_summaries(
        [
            game_with(0, ("a", "b"), (30, 10), (1, 2)),
            game_with(1, ("b", "a"), (20, 20), (1, 1)),
            game_with(2, ("a", "b"), (11, 1), (1, 2)),
            game_with(3, ("b", "a"), (9, 19), (2, 1)),
        ]
    )
    assert (first.bot, first.seats, first.score.mean, first.lowest, first.wins.mean) == ("a", 4, 20.0, 11, 0.875)
    assert first.lead == IntervalEstimate.of([(30 + 20) / 2 - (10 + 20) / 2, (11 + 19) / 2 - (1 + 9) / 2])
    assert (second.bot, second.score.mean, second.wins.mean) == ("b", 10.0, 0.125)
    assert first.wins == ShareEstimate.of([[1.0, 0.5], [1.0, 1.0]])


def test_a_bot_without_opponents_has_no_lead() -> None:
    (only,) = bot_summaries([game_with(0, ("a", "a"), (3, 5), (2, 1))])
    assert only.lead is None
    assert only.wins.mean == 1
    assert only.score == IntervalEstimate(4.0, None)


def test_an_interval_of_a_mean_uses_student_t() -> None:
    estimate = IntervalEstimate.of([1.0, 2.0, 3.0, 4.0])
    assert estimate.mean == 2.5
    assert estimate.margin == pytest.approx(3.18245 * (5 / 3) ** 0.5 / 2, rel=1e-5)


def test_an_interval_of_a_share_stays_between_0_and_1() -> None:
    """Wilson's interval: after 10 of 10 decks the lower limit is 72 %."""
    always = ShareEstimate.of([[1.0, 1.0]] * 10)
    assert (always.percent(), always.percent(1)) == ("100 % (72-100 %)", "100.0 % (72.2-100.0 %)")
    assert ShareEstimate.of([[0.0]] * 10).percent() == "0 % (0-28 %)"
    assert ShareEstimate.of([[1.0, 0.0]] * 50).percent() == "50 % (40-60 %)"


@pytest.mark.soak
def test_greedy_is_clearly_ahead_of_random() -> None:
    with local_executor(2) as hands:
        first, second = bot_summaries(run_contest(contest("greedy", "random", games=100), hands))
    assert (first.bot, second.bot) == ("greedy", "random")
    assert first.lead
    assert first.lead.margin
    assert first.lead.mean - first.lead.margin > 20


def test_a_contest_with_a_plan_plays_campaigns_with_common_random_numbers() -> None:
    rollwrite = game("rollwrite")
    plan = Contest("rollwrite", rollwrite.Setup(seats=2), ("random", "uniform"), 4, "7", plan=(10, 11))
    games = list(run_contest(plan))
    assert [played.deck for played in games] == [0, 0, 1, 1]
    for played in games:
        assert isinstance(played.record, CampaignRecord)
        campaign, playing = verify_campaign(played.record)
        assert campaign.over
        assert playing is None
        assert campaign.standings() == played.result
    first, second = (rolls(played) for played in games[:2])
    for this, other in zip(first, second, strict=True):
        assert all(a == b for a, b in zip(this, other, strict=False))


def rolls(played: PlayedGame) -> list[list[list[str]]]:
    """The dice of each episode of a campaign."""
    assert isinstance(played.record, CampaignRecord)
    return [
        [move["action"]["faces"] for move in record.moves if move["action"]["type"] == "roll"]
        for record in played.record.records
    ]
