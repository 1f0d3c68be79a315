"""Reviews and exercises from files."""

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
    monkeypatch.setattr(reviewer, "PLAIN", (Precision(4, 2),))


def test_a_review_in_the_terminal(run: Run) -> None:
    said = run("review", ALONE, TWO)
    assert (said.code, said.err) == (0, "")
    assert "rollwrite-01-alone.json: rollwrite, tried in 8 futures (± one standard error)" in said.out
    assert said.out.count("luck") == 2
    assert "to win" in said.out
    assert "Move " in said.out


def test_a_review_as_json_and_as_a_page(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    said = run("review", TWO, "--json", "--html", page)
    assert said.code == 0
    ((found,),) = [json.loads(said.out)]
    assert found["review"]["game"] == "mycity"
    (match,) = found["review"]["matches"]
    assert len(match["accounts"]) == 2
    assert match["decisions"][0]["best"]["value"]["points"]["error"] >= 0
    text = page.read_text("utf-8")
    assert text.count("<polyline") == 2
    assert "<script" not in text
    assert "http" not in text


def test_what_is_no_record_is_told_in_a_sentence(run: Run, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.json"
    wrong.write_text("{}")
    for path, what in ((wrong, "the format is None"), (tmp_path / "none.json", "no such file")):
        said = run("review", path)
        assert said.code == 2
        assert what in said.err
        assert said.err.count("\n") == 1


def test_exercises_out_of_records(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "TRIES", {"level-1": 2, "level-2": 1})
    folder, out = tmp_path / "records", tmp_path / "out.json"
    folder.mkdir()
    assert "no records" in run("puzzles", folder).err
    copy(TWO, folder)
    said = run("puzzles", folder, "--out", out)
    assert said.code == 0
    made = json.loads(out.read_bytes())
    assert made
    assert f"out of 1 record in {out}" in " ".join(said.out.split())
    assert [each["difficulty"] for each in made] == sorted(each["difficulty"] for each in made)
    for each in made:
        assert set(each["fails"]) == {"level-1", "level-2"}
        assert each["best"] != each["played"]
