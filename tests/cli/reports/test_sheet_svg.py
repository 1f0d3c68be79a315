"""`sheet`: printable sheets of Roll & Write."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from polyopolis.cli import main
from polyopolis.cli.reports.sheet_svg import SYMBOLS
from polyopolis.games.rollwrite.content import SIGNS, content
from polyopolis.games.rollwrite.printable_sheet import paper_of
from polyopolis.games.rollwrite.rules import Setup, scores, start

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("episode", sorted(content().episodes))
def test_a_sheet_shows_every_cell_the_scoring_box_and_the_task_rows(episode: int, tmp_path: Path) -> None:
    file = tmp_path / "sheet.svg"
    assert main(["sheet", "--episode", str(episode), "--out", str(file)]) == 0
    drawn = ElementTree.fromstring(file.read_text())
    played = content().episodes[episode]
    groups = drawn.findall(f"{SVG}g/{SVG}g")
    assert len(groups) == played.board.grid.width * played.board.grid.height
    result = [text.text for text in drawn.iter(f"{SVG}text")]
    assert result[0] == f"My City: Roll & Write, episode {episode}"
    assert "total" in result
    for points in played.rules.passing:
        assert str(points) in result
    written = paper_of(content(), episode)
    worth = [f"{line.each:+d}" for line in written.lines if line.each is not None]
    assert [text for text in result if text and text[0] in "+-" and text in worth][: len(worth)] == worth
    assert len(drawn.findall(f"{SVG}path[@class='count']")) == sum(not line.once for line in written.lines)
    assert len(drawn.findall(f"{SVG}rect[@class='tick']")) == len(played.row_tasks)
    assert len(drawn.findall(f"{SVG}circle[@class='earlier']")) == len(written.bandits)
    for other in written.episodes:
        assert f"episode {other}" in result
    assert ("Purses" in result) == (episode in (7, 8, 9))
    assert ("chapter 4" in result) == (episode == 12)
    assert ("Earlier bandits" in result) == (episode in (11, 12))


@pytest.mark.parametrize("episode", sorted(content().episodes))
def test_the_scoring_box_has_every_line_of_the_score_sheet(episode: int) -> None:
    written = [line.line for line in paper_of(content(), episode).lines]
    state = start(Setup(episode=episode, seats=1))
    counted = [line.line for line in scores(state).sheets[0] if line.line != "purses"]
    races = [race.race for race in content().episodes[episode].rules.races]
    assert sorted(written) == sorted([*races, *counted])


def test_bandits_of_earlier_sheets_are_those_that_can_escape() -> None:
    found = paper_of(content(), 12).bandits
    assert set(found) | {"i4", "d5"} >= content().bandits_before(12)
    assert not set(found) & set(content().episodes[12].site.grid.cells(content().episodes[12].site.bandits))
    assert paper_of(content(), 10).bandits == ()


def test_every_terrain_has_its_own_drawing() -> None:
    assert set(SYMBOLS) == set(SIGNS.values())
    drawings = [draw() for draw in SYMBOLS.values()]
    assert len(drawings) == len(set(drawings))


def test_an_unknown_episode_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sheet", "--episode", "13", "--out", str(tmp_path / "sheet.svg")]) == 2
    assert capsys.readouterr().err == "polyopolis: Roll & Write has episodes 1 to 12, not 13.\n"
    assert list(tmp_path.iterdir()) == []
