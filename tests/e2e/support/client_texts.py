"""Texts of the client, by the keys of its catalogues."""

import json
from functools import cache
from pathlib import Path
from typing import Any

CLIENT = Path(__file__).parents[3] / "client" / "src"
CHAPTERS = CLIENT / "games" / "mycity" / "chapters"
LANGUAGES = sorted(folder.name for folder in (CLIENT / "i18n").iterdir() if folder.is_dir())


def chapter_texts(chapter: int, language: str = "en") -> dict[str, Any]:
    """Returns the texts that are sealed in the envelope of a chapter."""
    return _read(CHAPTERS / str(chapter) / f"{language}.json")


def client_text(key: str, language: str, **gaps: object) -> str:
    return str(_catalogue(language)[key]).format(**gaps)


@cache
def _catalogue(language: str) -> dict[str, Any]:
    files = (CLIENT / "i18n" / language).rglob("*.json")
    return {key: message for file in files for key, message in _read(file).items()}


def _read(file: Path) -> dict[str, Any]:
    texts: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return texts
