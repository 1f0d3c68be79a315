"""Plays games by a net, and computes training targets for the cities in them."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from polyopolis.train.city_tensors import ChoiceTensors, CityBatch
from polyopolis.train.net_models import POINTS_PER_UNIT, BitUnpacker

EVALUATION_BATCH = 1 << 18
"""Choices that are evaluated at once."""
MINUS_INFINITY = -1e9
MAX_DECISIONS = 27
"""Maximum number of decisions of a game."""


class NetEvaluator:
    """Evaluates choices by a net, in half precision on a GPU."""

    def __init__(self, net: nn.Module, bits: BitUnpacker) -> None:
        self._net, self._bits = net, bits

    @torch.no_grad()
    def gains(self, sight: Tensor) -> Tensor:
        """Predicted further points, in units of `POINTS_PER_UNIT`."""
        return torch.cat([self._net(self._bits(part)) for part in sight.split(EVALUATION_BATCH)])

    def __call__(self, choices: ChoiceTensors) -> Tensor:
        """Predicted final points; stopping is worth the current score."""
        values = choices.points + POINTS_PER_UNIT * self.gains(choices.sight)
        values[choices.stops] = choices.points[choices.stops]
        return values


class SelectedChoices(NamedTuple):
    """For each city: index of the choice, value of the best one, whether another one was explored, whether it stops."""

    which: Tensor
    most: Tensor
    tried: Tensor
    stopped: Tensor


def select_choices(choices: ChoiceTensors, values: Tensor, games: int, noise: Tensor | None) -> SelectedChoices:
    """Selects the best choice of each city, with noise a nearly best one. Stopping is never chosen by noise."""
    low = torch.full((games,), MINUS_INFINITY, device=values.device)
    going = values.clone()
    going[choices.stops] = MINUS_INFINITY
    best = low.scatter_reduce(0, choices.owners, going, "amax")
    stop = choices.points[choices.stops]
    if noise is not None:
        luck = torch.rand(len(going), device=values.device).clamp(1e-9, 1 - 1e-7)
        going -= noise[choices.owners] * torch.log(-torch.log(luck))
    top = best if noise is None else low.scatter_reduce(0, choices.owners, going, "amax")
    stopped = stop >= best
    which = choices.stops.clone()
    hits = (going == top[choices.owners]).nonzero().squeeze(1)
    which[choices.owners[hits]] = hits
    which = torch.where(stopped, choices.stops, which)
    tried = ~stopped & (values[which] < best - 1e-6)
    return SelectedChoices(which, torch.maximum(best, stop), tried, stopped)


class Samples(NamedTuple):
    """Training samples: net inputs of a city, its target value, and its points at that time."""

    sight: Tensor
    worth: Tensor
    points: Tensor


@torch.no_grad()
def play_games(
    cities: CityBatch, evaluator: NetEvaluator, length: int, noise: Tensor, mix: float
) -> tuple[Samples, int, int]:
    """Plays `length` decisions in every city. Returns samples and the numbers of finished games and evaluated choices.

    Targets are TD(lambda) returns: `mix` is the weight of the later return against the value of the next decision.
    """
    seen, games, evaluated = [], 0, 0
    for number in range(length + 1):
        choices = cities.choices()
        found = select_choices(choices, evaluator(choices), cities.games, noise)
        evaluated += len(choices.owners)
        if number == length:
            following, value = found, found.most
            break
        which = found.which
        rewards, overs = cities.step(choices.numbers[which])
        seen.append((choices.sight[which], choices.points[which], found, rewards.clone(), overs.clone()))
    samples = []
    for sight, points, found, rewards, overs in reversed(seen):
        cut = following.tried | following.stopped
        mixed = torch.where(cut, following.most, (1 - mix) * following.most + mix * value)
        value = torch.where(overs, rewards, mixed)
        kept = ~found.stopped
        samples.append((sight[kept], value[kept], points[kept]))
        following, games = found, games + overs.sum()
    return Samples(*(torch.cat(column) for column in zip(*samples, strict=True))), int(games), evaluated


@torch.no_grad()
def final_scores(cities: CityBatch, evaluator: NetEvaluator, seed: int) -> Tensor:
    """Scores of one game in every city, always with the best choice. The decks depend only on the seed."""
    cities.restart(seed)
    scores = torch.full((cities.games,), float("nan"), device=cities.device)
    for _ in range(MAX_DECISIONS):
        choices = cities.choices()
        found = select_choices(choices, evaluator(choices), cities.games, None)
        rewards, overs = cities.step(choices.numbers[found.which])
        scores = torch.where(overs & scores.isnan(), rewards, scores)
        if not scores.isnan().any():
            break
    return scores
