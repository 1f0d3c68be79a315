"""The screen of the tiny game in the terminal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from rich.text import Text

from polyopolis.cli.phrases import GamePhrases
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks
from tests.games.tiny.actions import Keep, Leave, Throw
from tests.games.tiny.content import Content, content
from tests.games.tiny.view import View

words = GamePhrases(files("tests.games.tiny") / "words.toml")
verbs: Mapping[str, Any] = {"keep": Keep(), "leave": Leave()}


def place(cells: tuple[str, ...]) -> Any:
    """Returns an action of chance, which is refused: the game has no cells."""
    return Throw(0)


def page(view: View, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
    pips = [Text(f"{name}: {own}") for name, own in zip(names, view.table.pips, strict=True)]
    return [Text(f"die {view.table.thrown}, {view.table.rounds} to come", "bold"), *pips]


def board(view: View, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
    return [Text(str(view.table.pips[seat]))]


def deck(view: View) -> list[Text]:
    return drawn(content(view.table.setup.content))


def preview(view: View, seat: int, action: Any) -> Marks:
    return {}


def counts(covered: Counter[str]) -> Marks:
    return {}


def boards(version: int) -> Mapping[str, Content]:
    return {"die": content(version)}


def drawn(board: Content) -> list[Text]:
    return [Text(" ".join(map(str, board.sides)))]


def contents(version: int) -> Iterator[str]:
    yield f"tiny v{version} die: {drawn(content(version))[0].plain}"
