"""`tune`."""

from pathlib import Path

import pytest

from polyopolis.bots import feature_weights
from polyopolis.bots.tournaments import weight_tuning
from tests.cli.conftest import Run


@pytest.mark.slow
def test_tuning_writes_weights_that_name_their_command(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feature_weights, "weights_folder", lambda: tmp_path)
    monkeypatch.setattr(weight_tuning, "FINAL_GAMES", 5)
    monkeypatch.setattr(weight_tuning, "FIRST_GAMES", 1)
    feature_weights.read_weights.cache_clear()
    result = run("tune", "rollwrite", "--part", "episode-3", "--seconds", 1, "--data", tmp_path / "kept")
    assert result.code == 0
    assert result.out.startswith("rollwrite episode-3: mean ")
    part = feature_weights.read_weights("rollwrite").parts["episode-3"]
    assert part.command.startswith("polyopolis tune rollwrite --part episode-3 --seconds")
    assert (tmp_path / "kept" / "rollwrite-episode-3.json").exists()
    feature_weights.read_weights.cache_clear()


def test_an_unknown_part_is_refused(run: Run) -> None:
    result = run("tune", "mycity", "--part", "front")
    assert result.code == 2
    assert "--part front: mycity has no such part; choose from all" in result.err
