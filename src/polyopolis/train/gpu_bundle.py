"""Writes the files that a training machine needs: the plan of a game, and its functions as PTX code."""

from pathlib import Path

import numpy

from polyopolis.lab.batch_plan import FUNCTIONS, pack_plan
from polyopolis.lab.batch_plans import plan_of
from polyopolis.lab.gpu.ptx_compiler import write_ptx
from polyopolis.train.checkpoints import PLAN_FILE


def prepare(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan = plan_of(name)
    write_ptx(folder, [plan.program], tuple(FUNCTIONS[plan.program]))
    numpy.savez_compressed(folder / PLAN_FILE, **pack_plan(plan))
