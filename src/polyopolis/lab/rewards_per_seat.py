"""Rewards of seats when a match of a table is finished."""

from collections.abc import Callable, Sequence

from polyopolis.engine import PolyopolisError
from polyopolis.lab.game_table import GameTable

Rewards = Sequence[float]
ILLEGAL_REWARD = -1.0
"""For an illegal action number, which ends the table; the other seats get 0."""


class UnknownReward(PolyopolisError):
    """Raised for the name of a reward that does not exist."""

    ...


def points(table: GameTable, before: Sequence[int]) -> Rewards:
    """Returns the points of the finished match; circles in a campaign of My City."""
    return [float(now - old) for now, old in zip(table.scores, before, strict=True)]


def lead(table: GameTable, before: Sequence[int]) -> Rewards:
    """Returns the lead over the best other seat; the points if there is only one seat."""
    gained = points(table, before)
    return [own - max([*gained[:seat], *gained[seat + 1 :]], default=0.0) for seat, own in enumerate(gained)]


def win(table: GameTable, before: Sequence[int]) -> Rewards:
    """Returns 1 for the winner, -1 for the others, and 0 for all seats that share the first rank. The Automa can win,
    too."""
    if not table.over:
        return [0.0] * table.seats
    shared = table.ranks.count(1) > 1
    return [(0.0 if shared else 1.0) if rank == 1 else -1.0 for rank in table.ranks[: table.seats]]


REWARDS: dict[str, Callable[[GameTable, Sequence[int]], Rewards]] = {"points": points, "lead": lead, "win": win}


def reward_function(name: str) -> Callable[[GameTable, Sequence[int]], Rewards]:
    if name not in REWARDS:
        raise UnknownReward(f"unknown reward {name!r}; available: {', '.join(REWARDS)}")
    return REWARDS[name]


def rewards_between(name: str, before: GameTable, after: GameTable) -> Rewards:
    """Returns the rewards between two moments: 0 unless a match was finished."""
    if after.finished == before.finished:
        return [0.0] * after.seats
    return reward_function(name)(after, before.scores if before.campaign else [0] * after.seats)
