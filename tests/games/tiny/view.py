"""The view of a match for one seat."""

from msgspec import Struct

from polyopolis.engine import Result
from tests.games.tiny.actions import Action
from tests.games.tiny.state import Setup


class TableView(Struct, frozen=True):
    setup: Setup
    pips: tuple[int, ...]
    thrown: int
    rounds: int
    acting: tuple[int, ...]
    over: bool
    result: Result


class View(Struct, frozen=True):
    table: TableView
    seat: int | None
    choices: tuple[Action, ...]
