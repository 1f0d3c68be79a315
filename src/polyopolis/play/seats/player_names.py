"""What people may call themselves and their cities: whatever can be read, and is not made to be taken for another."""

import unicodedata

from polyopolis.engine import PolyopolisError
from polyopolis.play.visible_text import ALPHABETS, visible_line, without_invisible

LOOKALIKES = str.maketrans("авекмнорстухіјѕԁԛԝɡαενικορτυχ01l|", "abekmhopctyxijsdqwgaevikoptuxoiii")  # noqa: RUF001
"""Letters of other scripts as Latin ones; zero as o, and all that is one stroke as one."""


DELETED_NAME = "--"
"""What stands for the name of somebody who has gone for good: each page says it in its own language."""


def validate_name(name: str) -> str:
    """A name as it is kept; PolyopolisError says what is wrong with it."""
    found = visible_line("the name", name)
    if found == DELETED_NAME:
        raise PolyopolisError("the name: there is nothing to be read in it")
    if len({script for sign in found for script in ALPHABETS if unicodedata.name(sign, "").startswith(script)}) > 1:
        raise PolyopolisError("the name: its letters are of several scripts that look alike")
    return found


def are_confusable(name: str, other: str) -> bool:
    """Whether two names that differ are hard to tell apart."""
    return name != other and _looks(name) == _looks(other)


def _looks(name: str) -> str:
    letters = unicodedata.normalize("NFKC", without_invisible(name)).casefold().translate(LOOKALIKES)
    return letters.replace("rn", "m").replace(" ", "")
