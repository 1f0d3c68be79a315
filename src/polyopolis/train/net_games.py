"""Games by a net: the best of all choices each time, or nearly, and what each city on the way was worth."""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from polyopolis.train.city_tensors import Choices, Field
from polyopolis.train.net_models import SCALE, Bits

CHUNK = 1 << 18
NEVER = -1e9
LONGEST = 27
"""Decisions of a game."""


class Judge:
    """What choices come to by a net, in half precision on a card."""

    def __init__(self, net: nn.Module, bits: Bits) -> None:
        self._net, self._bits = net, bits

    @torch.no_grad()
    def gains(self, sight: Tensor) -> Tensor:
        """What is still to come, in tens of points."""
        return torch.cat([self._net(self._bits(part)) for part in sight.split(CHUNK)])

    def __call__(self, choices: Choices) -> Tensor:
        """Points in the end; to stop comes to what there is."""
        values = choices.points + SCALE * self.gains(choices.sight)
        values[choices.stops] = choices.points[choices.stops]
        return values


class Decided(NamedTuple):
    """Of each city: which choice, what the best comes to, whether another was tried, whether it stops."""

    which: Tensor
    most: Tensor
    tried: Tensor
    stopped: Tensor


def decided(choices: Choices, values: Tensor, games: int, noise: Tensor | None) -> Decided:
    """The best; with noise nearly the best, but nobody stops unless that is best."""
    low = torch.full((games,), NEVER, device=values.device)
    going = values.clone()
    going[choices.stops] = NEVER
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
    return Decided(which, torch.maximum(best, stop), tried, stopped)


class Samples(NamedTuple):
    """Cities that were come to: what is seen of them, what they were worth, and their points then."""

    sight: Tensor
    worth: Tensor
    points: Tensor


@torch.no_grad()
def games_on(field: Field, judge: Judge, length: int, noise: Tensor, mix: float) -> tuple[Samples, int, int]:
    """So many decisions in every city, and what the cities on the way were worth as far as the games tell (TD of
    lambda): what the net says of the next best is mixed with what came of it. Games that were finished, and choices."""
    seen, games, evaluated = [], 0, 0
    for number in range(length + 1):
        choices = field.choices()
        found = decided(choices, judge(choices), field.games, noise)
        evaluated += len(choices.owners)
        if number == length:
            following, value = found, found.most
            break
        which = found.which
        rewards, overs = field.step(choices.numbers[which])
        seen.append((choices.sight[which], choices.points[which], found, rewards.clone(), overs.clone()))
    samples = []
    for sight, points, found, rewards, overs in reversed(seen):
        told = following.tried | following.stopped
        mixed = torch.where(told, following.most, (1 - mix) * following.most + mix * value)
        value = torch.where(overs, rewards, mixed)
        kept = ~found.stopped
        samples.append((sight[kept], value[kept], points[kept]))
        following, games = found, games + overs.sum()
    return Samples(*(torch.cat(column) for column in zip(*samples, strict=True))), int(games), evaluated


@torch.no_grad()
def final_scores(field: Field, judge: Judge, seed: int) -> Tensor:
    """Of one game in every city, each decision the best: always the same decks for a seed."""
    field.begin(seed)
    scores = torch.full((field.games,), float("nan"), device=field.device)
    for _ in range(LONGEST):
        choices = field.choices()
        found = decided(choices, judge(choices), field.games, None)
        rewards, overs = field.step(choices.numbers[found.which])
        scores = torch.where(overs & scores.isnan(), rewards, scores)
        if not scores.isnan().any():
            break
    return scores
