"""The search of the sixth level on many games at once: what `kernels/placing/net_search.py` does, to be measured."""

import math
import time
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from polyopolis.confidence_intervals import t_quantile
from polyopolis.train.checkpoints import LAST_SEED
from polyopolis.train.city_tensors import Choices, Field
from polyopolis.train.net_games import LONGEST, NEVER, Judge, decided
from polyopolis.train.net_models import Bits
from polyopolis.train.net_training import learnt

MOST_SIMULATIONS = 1536


class Way(NamedTuple):
    """Like `Consultation` in `kernels/city_position.py`, which need not exist on a training machine.

    After `horizon` decisions the net values the position; playing to the end is stronger.
    """

    decisions: int
    width: int
    horizon: int = 0
    trust: int = 0

    def simulations(self, left: int) -> int:
        return min(self.decisions // max(min(self.horizon or left, left), 1), MOST_SIMULATIONS)


def ranked(choices: Choices, values: Tensor, games: int, width: int) -> Tensor:
    """The choices of each city of which most is said, but to stop: a row for each, -1 where there is none."""
    going = values.clone()
    going[choices.stops] = NEVER
    down = going.argsort(descending=True)
    down = down[choices.owners[down].argsort(stable=True)]
    firsts = torch.cat([choices.stops[:1] * 0, choices.stops[:-1] + 1])
    rank = torch.arange(len(down), device=values.device) - firsts[choices.owners[down]]
    kept = (rank < width) & (going[down] > NEVER / 2)
    rows = torch.full((games, width), -1, dtype=torch.int64, device=values.device)
    rows[choices.owners[down[kept]], rank[kept]] = down[kept]
    return rows


def simulated(field: Field, numbers: Tensor, judge: Judge, horizon: int) -> Tensor:
    """What comes of these choices in these cities, or what the net says after so many decisions."""
    results, over = field.step(numbers)
    results, over = torch.where(over, results, 0.0), over.clone()
    for decision in range(1, LONGEST):
        if bool(over.all()):
            break
        choices = field.choices()
        found = decided(choices, judge(choices), field.games, None)
        ends = ~over & (found.stopped | (decision == horizon))
        results = torch.where(ends, found.most, results)
        over |= ends
        rewards, overs = field.step(choices.numbers[found.which])
        results = torch.where(overs & ~over, rewards, results)
        over |= overs
    return results


def searched(field: Field, judge: Judge, way: Way, ahead: int) -> Tensor:
    """What is decided in each city, with so many decisions to come at most: numbers."""
    choices = field.choices()
    values = judge(choices)
    rows = ranked(choices, values, field.games, way.width)
    there, picked = rows >= 0, rows.clamp(min=0)
    totals = torch.where(there, way.trust * values[picked], NEVER)
    tried, left = way.trust, way.width
    rounds = max(1, math.ceil(math.log2(left)))
    for _ in range(rounds):
        each = max(1, way.simulations(ahead) // rounds // max(left, 2))
        luck = torch.randint(-(2**63), 2**63 - 1, (field.games, 1, each), device=field.device)
        owners = torch.arange(field.games, device=field.device)[:, None, None].expand(-1, left, each)
        numbers = choices.numbers[torch.where(there, picked, choices.stops[:, None])]
        many = field.copied(owners.reshape(-1), luck.expand(-1, left, each).reshape(-1))
        copied = numbers[:, :, None].expand(-1, -1, each).reshape(-1)
        found = simulated(many, copied, judge, way.horizon).view(field.games, left, each).sum(2)
        totals = torch.where(there, totals + found, NEVER)
        tried += each
        order = totals.argsort(1, descending=True)
        left = (left + 1) // 2
        order = order[:, :left]
        totals, there, picked = totals.gather(1, order), there.gather(1, order), picked.gather(1, order)
    best = torch.where(there[:, 0], totals[:, 0] / tried, NEVER)
    stops = choices.points[choices.stops]
    return choices.numbers[torch.where(stops >= best, choices.stops, picked[:, 0])]


@torch.no_grad()
def measured(prepared: Path, net: Path, games: int, way: Way) -> dict[str, float | str]:
    """The mean score over fresh decks, with its interval."""
    torch.manual_seed(1)
    field, start = Field(prepared, games, LAST_SEED), time.perf_counter()
    judge = learnt(net, field, Bits(field.device))
    scores = torch.full((games,), float("nan"), device=field.device)
    for number in range(LONGEST):
        rewards, overs = field.step(searched(field, judge, way, LONGEST - 1 - number))
        scores = torch.where(overs & scores.isnan(), rewards, scores)
        if not bool(scores.isnan().any()):
            break
    mean, within = float(scores.mean()), t_quantile(games - 1) * float(scores.std()) / math.sqrt(games)
    seconds = round(time.perf_counter() - start, 1)
    return {**way._asdict(), "net": net.name, "decks": games, "score": mean, "within": within, "seconds": seconds}
