"""Measures the balance of My City's campaign: `python -m benchmarks.campaign_balance --campaigns 200 --seats 3`.

Greedy bots play whole campaigns; the table shows the mean score of each rank in each episode. Amounts that are our own
reconstruction are adjusted if the mean of all ranks is out of bounds. The share of campaigns won by the leader at
half-time shows whether a campaign stays open to its end.
"""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from statistics import fmean

from rich.console import Console
from rich.progress import track

from polyopolis.bots.tournaments.arena import Contest, PlayedGame, ShareEstimate, run_contest
from polyopolis.bots.tournaments.executors import local_executor
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.state import Setup
from polyopolis.records import CampaignRecord

MIN_MEAN_SCORE, MAX_MEAN_SCORE = -10, 45
"""Bounds for the mean score of an episode."""


def contest(campaigns: int, seats: int) -> Contest:
    setup = Setup(mode="episode", episode=1, seats=seats, play="campaign")
    return Contest("mycity", setup, ("greedy",), campaigns, "balance", rules.plans()["campaign"])


def by_episode(campaigns: Iterable[PlayedGame]) -> dict[int, dict[int, list[int]]]:
    """Returns all scores by episode and rank."""
    scores: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for played in campaigns:
        assert isinstance(played.record, CampaignRecord)
        for record in played.record.records:
            for score, rank in zip(record.scores or (), record.ranks or (), strict=True):
                scores[record.setup["episode"]][rank].append(score)
    return scores


def leader_wins(played: PlayedGame) -> float:
    """Returns 1 if the leader at half-time wins the campaign; with several leaders, the share of them that win."""
    assert isinstance(played.record, CampaignRecord)
    half = played.record.records[len(played.record.plan) // 2].setup["boards"]
    order = [(board.get("circles", 0), board.get("nuggets", 0)) for board in half]
    leaders = [seat for seat, lead in enumerate(order) if lead == max(order)]
    return fmean(played.ranks[seat] == 1 for seat in leaders)


def mean_of(ranked: dict[int, list[int]]) -> float:
    return fmean(score for scores in ranked.values() for score in scores)


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=200)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    with local_executor(options.jobs) as executor:
        games = run_contest(contest(options.campaigns, options.seats), executor)
        campaigns = list(track(games, "campaigns", options.campaigns, console=Console(stderr=True)))
    episodes = by_episode(campaigns)
    print("episode    mean" + "".join(f"   rank {rank}" for rank in range(1, options.seats + 1)))
    for number, ranked in sorted(episodes.items()):
        ranks = (fmean(ranked[rank]) if ranked[rank] else float("nan") for rank in range(1, options.seats + 1))
        warning = "" if MIN_MEAN_SCORE <= mean_of(ranked) <= MAX_MEAN_SCORE else "   out of bounds"
        print(f"{number:>7}  {mean_of(ranked):>6.1f}" + "".join(f"  {mean:>7.1f}" for mean in ranks) + warning)
    wins = ShareEstimate.of([[*map(leader_wins, deck)] for _, deck in groupby(campaigns, lambda played: played.deck)])
    print(f"the leader at half-time wins {wins.percent()} of {options.campaigns} campaigns")


if __name__ == "__main__":
    main()
