"""Validates the names of players and cities, and detects look-alikes."""

import unicodedata

from polyopolis.engine import PolyopolisError
from polyopolis.play.visible_text import ALPHABETS, visible_line, without_invisible

LOOKALIKES = str.maketrans("авекмнорстухіјѕԁԛԝɡαενικορτυχ01l|", "abekmhopctyxijsdqwgaevikoptuxoiii")  # noqa: RUF001
"""Letters of other scripts and digits, with the Latin letters that they look like."""


DELETED_NAME = "--"
"""Stands for the name of a deleted player. Each client shows a translation."""


def validate_name(name: str) -> str:
    """The normalized name. Raises `PolyopolisError` for an invalid one."""
    found = visible_line("the name", name)
    if found == DELETED_NAME:
        raise PolyopolisError("the name: it has no visible character")
    if len({script for sign in found for script in ALPHABETS if unicodedata.name(sign, "").startswith(script)}) > 1:
        raise PolyopolisError("the name: its letters are of several scripts that look alike")
    return found


def are_confusable(name: str, other: str) -> bool:
    """Whether two different names are hard to tell apart."""
    return name != other and _looks(name) == _looks(other)


def _looks(name: str) -> str:
    letters = unicodedata.normalize("NFKC", without_invisible(name)).casefold().translate(LOOKALIKES)
    return letters.replace("rn", "m").replace(" ", "")
