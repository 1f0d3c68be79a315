"""Validates text that players write for others: names and chat remarks."""

import re
import unicodedata

from polyopolis.engine import PolyopolisError

MAX_MARKS = 4
"""Combining marks on one character. Hebrew with vowels and accents needs four, other scripts fewer."""
BLANK = re.compile("[\u2800\u3164\u115f\u1160\uffa0\U0001d159\U00013441\U00013442]")
"""Letters and symbols that look blank."""
HIDDEN = {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
"""Categories of invisible characters: controls, bidirectional formatting, unassigned code points."""
FLAG = re.compile("\U0001f3f4[\U000e0030-\U000e0039\U000e0061-\U000e007a]{1,6}\U000e007f")
"""The flag of a region: a black flag, tags, and the end tag."""
JOINERS = "\u200c\u200d"
SELECTORS = "\u034f\u17b4\u17b5\u180b-\u180d\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef"
"""Invisible marks, most of which select a variant of the character before them."""
INVISIBLE = re.compile(f"[{JOINERS}{SELECTORS}]")
ALONE = re.compile(f"(?:^|(?<=[ {JOINERS}]))[{JOINERS}{SELECTORS}]|(?<=[{SELECTORS}])[{SELECTORS}]")
"""An invisible character without a preceding character that it could join or select."""
ALPHABETS = ("LATIN", "CYRILLIC", "GREEK")
"""Scripts whose letters are not affected by invisible characters."""


def visible_line(what: str, text: str) -> str:
    """Returns the text in one line, in normal form C and with single blanks.

    Raises `PolyopolisError` if it has no visible character, if it holds an invisible one, or if more than
    `MAX_MARKS` combining marks are on one character. Characters that look blank count as blanks. A joiner or a
    variation selector may follow what it has an effect on: an emoji, or a letter of another script than `ALPHABETS`.
    """
    line = " ".join(BLANK.sub(" ", unicodedata.normalize("NFC", text)).split())
    if not any(unicodedata.category(sign)[0] in "LNSP" for sign in line):
        raise PolyopolisError(f"{what}: it has no visible character")
    if hidden := _hidden(FLAG.sub("\U0001f3f4", line)):
        raise PolyopolisError(f"{what}: it holds U+{ord(hidden):04X}, which is invisible")
    if _marks(line) > MAX_MARKS:
        raise PolyopolisError(f"{what}: there are more than {MAX_MARKS} marks on one letter")
    return line


def without_invisible(text: str) -> str:
    """Returns the visible part of a text that `visible_line` has returned."""
    return INVISIBLE.sub("", text)


def _hidden(line: str) -> str | None:
    """Returns the first character that has no visible effect."""
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
    """Returns the largest number of consecutive combining marks."""
    most = marks = 0
    for sign in line:
        marks = marks + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        most = max(most, marks)
    return most
