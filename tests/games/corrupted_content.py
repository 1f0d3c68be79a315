"""Content that is spoilt on purpose: a copy, one place changed, and what the loader says to it."""

import shutil
from collections.abc import Callable
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from polyopolis.games.content_loader import ContentError


def copied(key: str, into: Path) -> Path:
    """A copy of the content of a game that may be spoilt."""
    with as_file(files(f"polyopolis.games.{key}") / "content" / "v1") as original:
        return Path(shutil.copytree(original, into / "v1"))


def edit(file: Path, old: str, new: str) -> None:
    """One place of a file, which must be there, changed."""
    text = file.read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")


def refused_by(load: Callable[[Path], object], folder: Path) -> ContentError:
    with pytest.raises(ContentError) as refused:
        load(folder)
    error = refused.value
    assert str(error) == ": ".join(part for part in (error.file, error.key, error.reason) if part)
    return error
