"""Protocol of a game's terminal screen. A screen is a module, which the `GameSpec` of the game names."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from polyopolis.cli.phrases import GamePhrases
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks
from polyopolis.engine import PolyopolisError
from polyopolis.games import spec_of


class Screen(Protocol):
    words: GamePhrases

    @property
    def verbs(self) -> Mapping[str, Any]:
        """Actions by the command that names them, such as `pass`."""

    def place(self, cells: tuple[str, ...]) -> Any:
        """Returns the action that these words name; usually cells that a building covers."""

    def page(self, view: Any, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
        """Draws the table as seen by a seat."""

    def board(self, view: Any, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
        """Draws the board of a seat at full size."""

    def deck(self, view: Any) -> list[Text]:
        """Draws the cards or the odds that are still to come."""

    def preview(self, view: Any, seat: int, action: Any) -> Marks:
        """Returns the cells that an action would change."""

    def counts(self, covered: Counter[str]) -> Marks:
        """Returns tiles that show a number on each cell."""

    def boards(self, version: int) -> Mapping[str, Any]:
        """Returns the boards of the content by name, or a substitute such as lists of cards."""

    def drawn(self, board: Any) -> list[Text]:
        """Draws one of `boards`."""

    def contents(self, version: int) -> Iterable[str]:
        """Yields a line for each part of the content, after reading it completely."""


class NoScreen(PolyopolisError):
    """The game has no terminal screen."""


def screen_of(key: str) -> Screen:
    spec = spec_of(key)
    if not spec.terminal:
        raise NoScreen(f"{key} is not drawn in the terminal")
    screen: Screen = spec.load_module(spec.terminal)
    return screen
