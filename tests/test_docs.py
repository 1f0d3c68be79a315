"""Examples, test vectors and links in the documentation are correct."""

import doctest
import re
from pathlib import Path

import pytest

from polyopolis import engine

ROOT = Path(__file__).parents[1]
LUCK = (ROOT / "docs" / "decisions" / "0002-random-numbers.md").read_text()


@pytest.mark.parametrize(("document", "least"), [("README.md", 20), ("docs/lab.md", 8)])
def test_examples_in_documents_run(document: str, least: int) -> None:
    failed, tried = doctest.testfile(str(ROOT / document), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert tried > least
    assert failed == 0


def test_command_line_manual_shows_the_board_that_the_program_draws(capsys: pytest.CaptureFixture[str]) -> None:
    from polyopolis.cli import main  # noqa: PLC0415 - slow to import, and only this test needs it

    assert main(["show", "mycity/eternal"]) == 0
    drawn = [line.rstrip() for line in capsys.readouterr().out.strip("\n").split("\n")]
    shown = [line.rstrip() for line in (ROOT / "docs" / "cli.md").read_text().split("\n")]
    assert any(shown[at : at + len(drawn)] == drawn for at in range(len(shown)))


@pytest.mark.parametrize(("call", "value"), re.findall(r"^\| `(.+)` \| `(.+)` \|$", LUCK, re.MULTILINE))
def test_vectors_in_the_decision_on_random_numbers_are_correct(call: str, value: str) -> None:
    found = eval(call, vars(engine).copy())
    assert (found.hex() if isinstance(found, bytes) else str(found)) == value


@pytest.mark.parametrize(
    "document", sorted(ROOT.glob("*.md")) + sorted(ROOT.glob("docs/**/*.md")), ids=lambda p: p.name
)
def test_links_point_to_existing_files(document: Path) -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)", document.read_text()):
        assert (document.parent / target).exists(), target
