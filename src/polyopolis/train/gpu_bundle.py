"""What a machine that trains needs of the house: the plan of a game, and its functions as PTX for a card."""

from pathlib import Path

import numpy

from polyopolis.lab.batch_plan import FUNCTIONS, packed
from polyopolis.lab.batch_plans import plan_of
from polyopolis.lab.gpu.ptx_compiler import write
from polyopolis.train.checkpoints import PLAN


def prepare(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan = plan_of(name)
    write(folder, [plan.program], tuple(FUNCTIONS[plan.program]))
    numpy.savez_compressed(folder / PLAN, **packed(plan))
