"""Writes the PTX code and reference runs of batches, to compare a GPU with this CPU.

python -m polyopolis.lab.gpu_test_cases out/card
"""

import argparse
from pathlib import Path
from typing import Any

import numpy

from polyopolis.lab.batch import batch_of, game_seeds
from polyopolis.lab.batch_plan import pack_plan
from polyopolis.lab.gpu.ptx_compiler import write_ptx

CASES: dict[str, tuple[str, int | None]] = {
    "mycity-eternal-v0": ("mycity-eternal-v0", None),
    "mycity-episode-12-v0": ("mycity-episode-12-v0", None),
    "mycity-episode-16-v0": ("mycity-episode-16-v0", None),
    "mycity-episode-22-v0": ("mycity-episode-22-v0", None),
    "rollwrite-episode-1-v0": ("rollwrite-episode-1-v0", None),
    "rollwrite-episode-12-v0": ("rollwrite-episode-12-v0", None),
    "pointcity-v0": ("pointcity-v0", 2),
    "pointcity-v0-for-4": ("pointcity-v0", 4),
    "pointcity-alone-hard-v0": ("pointcity-alone-hard-v0", 1),
}
GAMES, STEPS, SEED = 192, 60, 7


def write_case(path: Path, name: str, seats: int | None) -> None:
    """Writes a run of single steps, then as many in one call, and all arrays afterwards."""
    batch, rewards = batch_of(name, GAMES, seed=SEED, seats=seats), []
    for _ in range(STEPS):
        batch.step(batch.choose())
        rewards.append(batch.arrays["rewards"].copy())
    batch.wander(STEPS)
    plan = batch.plan
    case: dict[str, Any] = {
        **pack_plan(plan),
        "luck": game_seeds(SEED, GAMES),
        "step_rewards": numpy.array(rewards),
        **{f"after.{key}": array for key, array in batch.arrays.items()},
    }
    numpy.savez_compressed(path, **case)


def main(folder: Path) -> None:
    write_ptx(folder)
    for case, (name, seats) in CASES.items():
        write_case(folder / f"{case}.npz", name, seats)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="output folder")
    main(parser.parse_args().folder)
