"""`review` and `puzzles`."""

import json
from pathlib import Path
from shutil import copy

import pytest

from polyopolis.analysis import Precision, exercises, reviewer
from tests.cli.conftest import Run

GAMES = Path(__file__).parents[2] / "records" / "games"
ALONE, TWO = GAMES / "rollwrite-01-alone.json", GAMES / "mycity-eternal-all-stopped.json"


@pytest.fixture(autouse=True)
def roughly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reviewer, "PRECISIONS", (Precision(4, 2), Precision(8, 2)))
    monkeypatch.setattr(reviewer, "PLAIN_PRECISIONS", (Precision(4, 2),))


def test_a_review_in_the_terminal(run: Run) -> None:
    result = run("review", ALONE, TWO)
    assert (result.code, result.err) == (0, "")
    assert "rollwrite-01-alone.json: rollwrite, evaluated in 8 futures (± one standard error)" in result.out
    assert result.out.count("luck") == 2
    assert "win chance" in result.out
    assert "Move " in result.out


def test_a_review_as_json_and_as_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    result = run("review", TWO, "--json", "--html", page)
    assert result.code == 0
    ((found,),) = [json.loads(result.out)]
    assert found["review"]["game"] == "mycity"
    (match,) = found["review"]["matches"]
    assert len(match["accounts"]) == 2
    assert match["decisions"][0]["best"]["value"]["points"]["error"] >= 0
    text = page.read_text("utf-8")
    assert text.count("<polyline") == 2
    assert "<script" not in text
    assert "http" not in text


def test_a_file_that_is_not_a_record_is_refused(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    for path, reason in ((wrong, "the format is None"), (tmp_path / "none.json", "no such file")):
        result = run("review", path)
        assert result.code == 2
        assert reason in result.err
        assert result.err.count("\n") == 1


def test_exercises_from_records(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "ATTEMPTS_BY_LEVEL", {"level-1": 2, "level-2": 1})
    folder, out = tmp_path / "records", tmp_path / "out.json"
    folder.mkdir()
    assert "no records" in run("puzzles", folder).err
    copy(TWO, folder)
    result = run("puzzles", folder, "--out", out)
    assert result.code == 0
    made = json.loads(out.read_bytes())
    assert made
    assert f"from 1 record to {out}" in " ".join(result.out.split())
    assert [each["difficulty"] for each in made] == sorted(each["difficulty"] for each in made)
    for each in made:
        assert set(each["fails"]) == {"level-1", "level-2"}
        assert each["best"] != each["played"]
