"""What a seat is rewarded with, whenever a match of a table is finished."""

from collections.abc import Callable, Sequence

from polyopolis.engine import PolyopolisError
from polyopolis.lab.game_table import GameTable

Rewards = Sequence[float]
ILLEGAL = -1.0
"""For a number that is not allowed: it ends the table, and the others get nothing."""


class UnknownReward(PolyopolisError):
    """Nothing is rewarded like this."""


def points(table: GameTable, before: Sequence[int]) -> Rewards:
    """The points of what was finished; in a campaign of My City those are circles."""
    return [float(now - old) for now, old in zip(table.scores, before, strict=True)]


def lead(table: GameTable, before: Sequence[int]) -> Rewards:
    """By how many points one is ahead of the best other seat; alone, the points."""
    gained = points(table, before)
    return [own - max([*gained[:seat], *gained[seat + 1 :]], default=0.0) for seat, own in enumerate(gained)]


def win(table: GameTable, before: Sequence[int]) -> Rewards:
    """At the end 1 for who wins, -1 for who does not, 0 for all who share the first rank. The Automa can win, too."""
    if not table.over:
        return [0.0] * table.seats
    shared = table.ranks.count(1) > 1
    return [(0.0 if shared else 1.0) if rank == 1 else -1.0 for rank in table.ranks[: table.seats]]


REWARDS: dict[str, Callable[[GameTable, Sequence[int]], Rewards]] = {"points": points, "lead": lead, "win": win}


def rewarding(name: str) -> Callable[[GameTable, Sequence[int]], Rewards]:
    if name not in REWARDS:
        raise UnknownReward(f"nothing is rewarded by {name!r}; there is {', '.join(REWARDS)}")
    return REWARDS[name]


def rewards_of(name: str, before: GameTable, after: GameTable) -> Rewards:
    """Of what happened between two moments: nothing unless a match was finished."""
    if after.finished == before.finished:
        return [0.0] * after.seats
    return rewarding(name)(after, before.scores if before.campaign else [0] * after.seats)
