"""The search of level 6 on many games at once, for measurements; same algorithm as `kernels/placing/net_search.py`."""

import math
import time
from pathlib import Path
from typing import NamedTuple

import torch
from torch import Tensor

from polyopolis.confidence_intervals import t_quantile
from polyopolis.train.checkpoints import FINAL_SEED
from polyopolis.train.city_tensors import ChoiceTensors, CityBatch
from polyopolis.train.net_games import MAX_DECISIONS, MINUS_INFINITY, NetEvaluator, select_choices
from polyopolis.train.net_models import BitUnpacker
from polyopolis.train.net_training import load_evaluator

MAX_SIMULATIONS = 1536


class SearchSettings(NamedTuple):
    """Settings of a search, like `kernels.city_position.ModelSearchSettings`, which a training machine may lack.

    After `horizon` decisions (0: never) the net evaluates the position; playing to the end is stronger.
    """

    decisions: int
    width: int
    horizon: int = 0
    trust: int = 0

    def simulations(self, left: int) -> int:
        return min(self.decisions // max(min(self.horizon or left, left), 1), MAX_SIMULATIONS)


def top_choices(choices: ChoiceTensors, values: Tensor, games: int, width: int) -> Tensor:
    """Choices of each city with the highest values, except stopping: one row per city, padded with -1."""
    going = values.clone()
    going[choices.stops] = MINUS_INFINITY
    down = going.argsort(descending=True)
    down = down[choices.owners[down].argsort(stable=True)]
    firsts = torch.cat([choices.stops[:1] * 0, choices.stops[:-1] + 1])
    rank = torch.arange(len(down), device=values.device) - firsts[choices.owners[down]]
    kept = (rank < width) & (going[down] > MINUS_INFINITY / 2)
    rows = torch.full((games, width), -1, dtype=torch.int64, device=values.device)
    rows[choices.owners[down[kept]], rank[kept]] = down[kept]
    return rows


def simulate(cities: CityBatch, numbers: Tensor, evaluator: NetEvaluator, horizon: int) -> Tensor:
    """Results of these choices: the final scores, or the values of the net after `horizon` decisions."""
    results, over = cities.step(numbers)
    results, over = torch.where(over, results, 0.0), over.clone()
    for decision in range(1, MAX_DECISIONS):
        if bool(over.all()):
            break
        choices = cities.choices()
        found = select_choices(choices, evaluator(choices), cities.games, None)
        ends = ~over & (found.stopped | (decision == horizon))
        results = torch.where(ends, found.most, results)
        over |= ends
        rewards, overs = cities.step(choices.numbers[found.which])
        results = torch.where(overs & ~over, rewards, results)
        over |= overs
    return results


def search_choices(cities: CityBatch, evaluator: NetEvaluator, settings: SearchSettings, ahead: int) -> Tensor:
    """Selects a choice in each city by search, with at most `ahead` later decisions. Returns choice numbers."""
    choices = cities.choices()
    values = evaluator(choices)
    rows = top_choices(choices, values, cities.games, settings.width)
    there, picked = rows >= 0, rows.clamp(min=0)
    totals = torch.where(there, settings.trust * values[picked], MINUS_INFINITY)
    tried, left = settings.trust, settings.width
    rounds = max(1, math.ceil(math.log2(left)))
    for _ in range(rounds):
        each = max(1, settings.simulations(ahead) // rounds // max(left, 2))
        luck = torch.randint(-(2**63), 2**63 - 1, (cities.games, 1, each), device=cities.device)
        owners = torch.arange(cities.games, device=cities.device)[:, None, None].expand(-1, left, each)
        numbers = choices.numbers[torch.where(there, picked, choices.stops[:, None])]
        many = cities.copies(owners.reshape(-1), luck.expand(-1, left, each).reshape(-1))
        copied = numbers[:, :, None].expand(-1, -1, each).reshape(-1)
        found = simulate(many, copied, evaluator, settings.horizon).view(cities.games, left, each).sum(2)
        totals = torch.where(there, totals + found, MINUS_INFINITY)
        tried += each
        order = totals.argsort(1, descending=True)
        left = (left + 1) // 2
        order = order[:, :left]
        totals, there, picked = totals.gather(1, order), there.gather(1, order), picked.gather(1, order)
    best = torch.where(there[:, 0], totals[:, 0] / tried, MINUS_INFINITY)
    stops = choices.points[choices.stops]
    return choices.numbers[torch.where(stops >= best, choices.stops, picked[:, 0])]


@torch.no_grad()
def measure_search(prepared: Path, net: Path, games: int, settings: SearchSettings) -> dict[str, float | str]:
    """Measures the mean score over decks that were not used for training, with its 95 % interval."""
    torch.manual_seed(1)
    cities, start = CityBatch(prepared, games, FINAL_SEED), time.perf_counter()
    evaluator = load_evaluator(net, cities, BitUnpacker(cities.device))
    scores = torch.full((games,), float("nan"), device=cities.device)
    for number in range(MAX_DECISIONS):
        rewards, overs = cities.step(search_choices(cities, evaluator, settings, MAX_DECISIONS - 1 - number))
        scores = torch.where(overs & scores.isnan(), rewards, scores)
        if not bool(scores.isnan().any()):
            break
    mean, within = float(scores.mean()), t_quantile(games - 1) * float(scores.std()) / math.sqrt(games)
    seconds = round(time.perf_counter() - start, 1)
    return {**settings._asdict(), "net": net.name, "decks": games, "score": mean, "within": within, "seconds": seconds}
