"""The boards of the content, and whether all of it can be read."""

from collections.abc import Iterator

from rich.text import Text

from polyopolis.cli.options import BadOption
from polyopolis.cli.screens import SCREENS
from polyopolis.games import SIGNS, sign_of


def drawing(name: str) -> list[Text]:
    """A board named as `mycity/eternal`, or without its game where no other has a board of that name."""
    boards = {f"{key}/{board}": (key, board) for key in SCREENS for board in SCREENS[key].boards(_newest(key))}
    found = [full for full in boards if name in (full, full.partition("/")[2])]
    if len(found) != 1:
        problem = f"there is no board {name!r}" if not found else f"more than one game has a board {name!r}"
        raise BadOption(f"{problem}; there is {', '.join(boards)}")
    key, board = boards[found[0]]
    return SCREENS[key].drawn(SCREENS[key].boards(_newest(key))[board])


def _newest(key: str) -> int:
    return SCREENS[key].versions[-1]


def contents(key: str | None) -> Iterator[str]:
    """A line for each part of the content of one game or of all, read whole in every version."""
    for name in SIGNS if key is None else [sign_of(key).key]:
        for version in SCREENS[name].versions:
            yield from SCREENS[name].contents(version)
