"""Checks of what people write for others to read: names and remarks."""

import re
import unicodedata

from polyopolis.engine import PolyopolisError

MAX_MARKS = 4
"""Combining marks on one character. Hebrew with vowels and accents needs four, the other scripts fewer."""
BLANK = re.compile("[\u2800\u3164\u115f\u1160\uffa0\U0001d159\U00013441\U00013442]")
"""Letters and symbols that look blank."""
HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of what is not seen: controls, bidirectional formatting, code points without a meaning."""
FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
"""The flag of a part of a country: a black flag, tags, and the end of them."""
JOINERS = "\u200c\u200d"
SELECTORS = "\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks, most of which select a variant of the character before them."""
INVISIBLE = re.compile(f"[{JOINERS}{SELECTORS}]")
ALONE = re.compile(f"(?:^|(?<=[ {JOINERS}]))[{JOINERS}{SELECTORS}]|(?<=[{SELECTORS}])[{SELECTORS}]")
"""An invisible character with nothing before it that it could join or select."""
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
"""Whose letters are neither joined nor selected by invisible characters."""


def visible_line(what: str, text: str) -> str:
    """Returns the text in one line, in normal form C and with single blanks.

    Raises `PolyopolisError` if nothing in it can be seen, if it holds a character that cannot, or if more than
    `MAX_MARKS` combining marks are on one character. Characters that look blank count as blanks. A joiner or a
    variation selector may follow what it has an effect on: an emoji, or a letter of another script than `ALPHABETS`.
    """
    line = " ".join(BLANK.sub(" ", unicodedata.normalize("NFC", text)).split())
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in line):
        raise PolyopolisError(f"{what}: there is nothing to be read in it")
    if hidden := _hidden(FLAG.sub("\U0001f3f4", line)):
        raise PolyopolisError(f"{what}: it holds U+{ord(hidden):04X}, which nobody sees")
    if _marks(line) > MAX_MARKS:
        raise PolyopolisError(f"{what}: there are more than {MAX_MARKS} marks on one letter")
    return line


def without_invisible(text: str) -> str:
    """Returns what is seen of a text that `visible_line` has returned."""
    return INVISIBLE.sub("", text)


def _hidden(line: str) -> str | None:
    """Returns the first character that has no effect that anybody could see."""
    if alone := ALONE.search(line):
        return alone[0]
    for before, sign in zip(f" {line}", line, strict=False):
        if INVISIBLE.match(sign):
            if unicodedata.name(before, "").startswith(ALPHABETS):
                return sign
        elif unicodedata.category(sign) in HIDDEN:
            return sign
    return None


def _marks(line: str) -> int:
    """Returns the largest number of combining marks that follow each other."""
    most = marks = 0
    for sign in line:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        most = max(most, marks)
    return most
