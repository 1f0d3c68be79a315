"""Letters to people, in the language of the page from which they were asked for: a file of words for each language."""

import tomllib
from functools import cache
from pathlib import Path
from string import Formatter
from typing import NamedTuple

ENGLISH = "en"
FOLDER = Path(__file__).parent / "letters"


class LetterTemplate(NamedTuple):
    subject: str
    text: str


def letter(language: str, kind: str, **words: str | int) -> LetterTemplate:
    """In English if nobody here speaks that language."""
    found = _letters(language if language in languages() else ENGLISH)[kind]
    return LetterTemplate(found["subject"].format(**words), found["text"].format(**words))


@cache
def languages() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.toml"))


@cache
def _letters(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))


def gaps(language: str) -> dict[str, frozenset[str]]:
    """What each letter leaves to be filled in."""
    return {
        kind: frozenset(name for text in found.values() for _, name, _, _ in Formatter().parse(text) if name)
        for kind, found in _letters(language).items()
    }
