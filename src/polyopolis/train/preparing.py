"""What a machine that trains needs of the house: the plan of a game, and its functions as PTX for a card."""

from pathlib import Path

import numpy

from polyopolis.lab.plan import FUNCTIONS, packed
from polyopolis.lab.plans import plan_of
from polyopolis.lab.ptx import write
from polyopolis.train.files import PLAN


def prepare(folder: Path, name: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    plan = plan_of(name)
    write(folder, [plan.program], tuple(FUNCTIONS[plan.program]))
    numpy.savez_compressed(folder / PLAN, **packed(plan))
