"""Corrupted content: a copy with one change, and the error of the loader."""

import shutil
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from polyopolis.games.content_loader import ContentError


def copy_content(key: str, into: Path) -> Path:
    """Copies the content of a game."""
    with as_file(files(f"polyopolis.games.{key}") / "content" / "v1") as original:
        return Path(shutil.copytree(original, into / "v1"))


def edit(file: Path, old: str, new: str) -> None:
    """Replaces the first occurrence of a text in a file, which must contain it."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def load_error(load: Callable[[Path], object], folder: Path) -> ContentError:
    with pytest.raises(ContentError) as refused:
        load(folder)
    error = refused.value
    assert str(error) == ": ".join(part for part in (error.file, error.key, error.reason) if part)
    return error
