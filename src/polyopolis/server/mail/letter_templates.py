"""Localized templates of account mails (`letters/*.toml`)."""

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


def render_letter(language: str, kind: str, **words: str | int) -> LetterTemplate:
    """Returns subject and text of a mail; in English if there is no file for the language."""
    found = _load_letters(language if language in languages() else ENGLISH)[kind]
    return LetterTemplate(found["subject"].format(**words), found["text"].format(**words))


@cache
def languages() -> frozenset[str]:
    return frozenset(path.stem for path in FOLDER.glob("*.toml"))


@cache
def _load_letters(language: str) -> dict[str, dict[str, str]]:
    return tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))


def placeholders(language: str) -> dict[str, frozenset[str]]:
    """Returns the names of the placeholders of each mail."""
    return {
        kind: frozenset(name for text in found.values() for _, name, _, _ in Formatter().parse(text) if name)
        for kind, found in _load_letters(language).items()
    }
