"""Training of nets: the plan of a game is laid out once, then a net learns on whatever is here."""

from importlib import import_module
from pathlib import Path
from typing import Any

from polyopolis.engine import PolyopolisError
from polyopolis.train.files import KINDS, PLAN, WEIGHTS

TRAINED = {"mycity": "mycity-eternal-v0"}
"""What is learnt of each game."""


class NoTraining(PolyopolisError):
    """Nothing can be learnt here, or of this."""


def train(key: str, folder: Path, name: str, course: dict[str, Any]) -> None:
    """A net learns into a folder of its name; others that it learns from or goes on with lie beside it."""
    if key not in TRAINED:
        raise NoTraining(f"no net learns {key} yet; there is {', '.join(TRAINED)}")
    if course["net"] not in KINDS:
        raise NoTraining(f"there is no net {course['net']!r}; there is {' and '.join(KINDS)}")
    for what in ("teacher", "begun_with"):
        if what in course and not (Path(course[what]) / WEIGHTS).exists():
            raise NoTraining(f"no net has learnt in {course[what]} yet")
    try:
        learning = import_module("polyopolis.train.learning")
    except ImportError as error:
        raise NoTraining("training needs torch: install polyopolis[train]") from error
    prepared = folder / "prepared"
    if not (prepared / PLAN).exists():
        import_module("polyopolis.train.preparing").prepare(prepared, TRAINED[key])
    learning.Learner(prepared, folder / name, learning.Course(**course)).go()
