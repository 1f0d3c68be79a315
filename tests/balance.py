"""Whether the episodes of My City's campaign are balanced: `python -m tests.balance --campaigns 200 --seats 3`.

Greedy bots play whole campaigns; the table shows the mean score of each rank in each episode. The amounts that are our
own reconstruction are adjusted where the mean of all ranks leaves the bounds.
"""

from argparse import ArgumentParser
from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean

from polyopolis.bots.arena import Contest, Played, run
from polyopolis.games.mycity import rules
from polyopolis.games.mycity.state import Setup
from polyopolis.records import CampaignRecord

LOWEST, HIGHEST = -10, 45
"""Bounds for the mean score of an episode."""


def contest(campaigns: int, seats: int) -> Contest:
    setup = Setup(mode="episode", episode=1, seats=seats, play="campaign")
    return Contest("mycity", setup, ("greedy",), campaigns, "balance", rules.plans()["campaign"])


def by_episode(campaigns: Iterable[Played]) -> dict[int, dict[int, list[int]]]:
    """All scores, by episode and rank."""
    found: dict[int, dict[int, list[int]]] = defaultdict(lambda: defaultdict(list))
    for played in campaigns:
        assert isinstance(played.record, CampaignRecord)
        for record in played.record.records:
            for score, rank in zip(record.scores or (), record.ranks or (), strict=True):
                found[record.setup["episode"]][rank].append(score)
    return found


def mean_of(ranked: dict[int, list[int]]) -> float:
    return fmean(score for scores in ranked.values() for score in scores)


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--campaigns", type=int, default=200)
    parser.add_argument("--seats", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    asked = parser.parse_args()
    found = by_episode(run(contest(asked.campaigns, asked.seats), asked.jobs))
    print("episode    mean" + "".join(f"   rank {rank}" for rank in range(1, asked.seats + 1)))
    for number, ranked in sorted(found.items()):
        ranks = (fmean(ranked[rank]) if ranked[rank] else float("nan") for rank in range(1, asked.seats + 1))
        warning = "" if LOWEST <= mean_of(ranked) <= HIGHEST else "   out of bounds"
        print(f"{number:>7}  {mean_of(ranked):>6.1f}" + "".join(f"  {mean:>7.1f}" for mean in ranks) + warning)


if __name__ == "__main__":
    main()
