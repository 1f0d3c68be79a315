"""What the terminal asks of a game: a module of functions, which the sign of the game names."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from rich.text import Text

from polyopolis.cli.phrases import Words
from polyopolis.cli.terminal.box_drawing import NO_MARKS, Marks
from polyopolis.engine import PolyopolisError
from polyopolis.games import spec_of


class Screen(Protocol):
    words: Words

    @property
    def verbs(self) -> Mapping[str, Any]:
        """The actions that one word says."""

    def place(self, cells: tuple[str, ...]) -> Any:
        """The action that covers these cells."""

    def page(self, view: Any, seat: int, names: Sequence[str], marks: Marks = NO_MARKS, width: int = 80) -> list[Text]:
        """The table as a seat sees it."""

    def board(self, view: Any, seat: int, marks: Marks = NO_MARKS) -> list[Text]:
        """The board of a seat in full."""

    def deck(self, view: Any) -> list[Text]:
        """What is still to come."""

    def preview(self, view: Any, seat: int, action: Any) -> Marks:
        """The cells of the board as the action would leave them."""

    def counts(self, covered: Counter[str]) -> Marks:
        """Numbers on cells."""

    def boards(self, version: int) -> Mapping[str, Any]:
        """The boards of the content, or what a game has in place of boards, by name."""

    def drawn(self, board: Any) -> list[Text]:
        """One of them."""

    def contents(self, version: int) -> Iterable[str]:
        """A line for each part of the content, once it has been read whole."""


class NoScreen(PolyopolisError):
    """The terminal cannot draw this game."""


def screen_of(key: str) -> Screen:
    sign = spec_of(key)
    if not sign.terminal:
        raise NoScreen(f"{key} is not drawn in the terminal")
    screen: Screen = sign.upstairs(sign.terminal)
    return screen
