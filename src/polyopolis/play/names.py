"""What people may call themselves and their cities: whatever can be read, and is not made to be taken for another."""

import unicodedata

from polyopolis.engine import PolyopolisError

HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of what is not seen: controls, marks that turn the direction of writing, what has no meaning."""
JOINERS = {"\u200c", "\u200d"}
"""Which some scripts and many pictures need."""
SCRIPTS = ("LATIN", "CYRILLIC", "GREEK")
"""Whose letters look alike: a name is written in one of them."""
ALIKE = str.maketrans("авекмнорстухіјѕԁԛԝɡαενικορτυχ01l|", "abekmhopctyxijsdqwgaevikoptuxoiii")  # noqa: RUF001
"""Letters of other scripts as Latin ones; zero as o, and all that is one stroke as one."""


SOMEBODY = "--"
"""What stands for the name of somebody who has gone for good: each page says it in its own language."""


def proper(name: str) -> str:
    """A name as it is kept; PolyopolisError says what is wrong with it."""
    found = readable("the name", name)
    if found == SOMEBODY:
        raise PolyopolisError("the name: there is nothing to be read in it")
    if len({script for sign in found for script in SCRIPTS if unicodedata.name(sign, "").startswith(script)}) > 1:
        raise PolyopolisError("the name: its letters are of several scripts that look alike")
    return found


def readable(what: str, text: str) -> str:
    """What somebody wrote, in one line; PolyopolisError if nothing of it, or not all of it, can be seen."""
    found = " ".join(unicodedata.normalize("NFC", text).split())
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in found):
        raise PolyopolisError(f"{what}: there is nothing to be read in it")
    if hidden := next((sign for sign in found if unicodedata.category(sign) in HIDDEN and sign not in JOINERS), None):
        raise PolyopolisError(f"{what}: it holds U+{ord(hidden):04X}, which nobody sees")
    return found


def look_alike(name: str, other: str) -> bool:
    """Whether two names that differ are hard to tell apart."""
    return name != other and _looks(name) == _looks(other)


def _looks(name: str) -> str:
    letters = unicodedata.normalize("NFKC", name).casefold().translate(ALIKE)
    return letters.replace("rn", "m").replace(" ", "")
