"""`ladder`."""

from pathlib import Path

import pytest

from polyopolis.bots.levels import BotLevel
from polyopolis.bots.tournaments import ladder
from tests.cli.conftest import Run


@pytest.fixture(autouse=True)
def two_levels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ladder, "LEVELS", {"level-1": BotLevel(visible=(1, 2)), "level-2": BotLevel()})


def test_a_ladder_is_printed_and_written_into_the_document(run: Run, tmp_path: Path) -> None:
    (tmp_path / "mycity.md").write_text("# My City\n")
    result = run("ladder", "mycity", "--decks", 1, "--data", tmp_path / "kept", "--docs", tmp_path)
    assert result.code == 0
    assert "Made by `polyopolis ladder mycity --seats 2 --decks 1 --seed ladder`" in result.out
    assert result.out.strip() in (tmp_path / "mycity.md").read_text()


def test_a_ladder_needs_its_document(run: Run, tmp_path: Path) -> None:
    result = run("ladder", "mycity", "--decks", 1, "--data", tmp_path / "kept", "--docs", tmp_path)
    assert result.code == 2
    assert "there is no document" in result.err
