"""Sheets of Roll & Write to print."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from polyopolis.cli import main
from polyopolis.cli.paper import SYMBOLS
from polyopolis.games.rollwrite.content import SIGNS, content

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("episode", sorted(content().episodes))
def test_a_sheet_shows_every_cell_the_scoring_box_and_the_rows(episode: int, tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    assert main(["sheet", "--episode", str(episode), "--out", str(file)]) == 0
    drawn = ElementTree.fromstring(file.read_text())
    played = content().episodes[episode]
    groups = drawn.findall(f"{SVG}g/{SVG}g")
    assert len(groups) == played.board.grid.width * played.board.grid.height
    said = [text.text for text in drawn.iter(f"{SVG}text")]
    assert said[0] == f"My City: Roll & Write, episode {episode}"
    assert "total" in said
    for points in played.rules.passing:
        assert str(points) in said
    assert len(said) == len(set(said))


def test_every_terrain_has_its_own_drawing() -> None:
    assert set(SYMBOLS) == set(SIGNS.values())
    drawings = [draw() for draw in SYMBOLS.values()]
    assert len(drawings) == len(set(drawings))


def test_an_episode_that_does_not_exist_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--episode", "13", "--out", str(tmp_path / "sheet.svg")]) == 2
    assert capsys.readouterr().err == "polyopolis: Roll & Write has episodes 1 to 12, not 13.\n"
    assert list(tmp_path.iterdir()) == []
