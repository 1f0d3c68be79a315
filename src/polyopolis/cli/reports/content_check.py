"""The boards of the content, and whether all of it can be read."""

from collections.abc import Iterator

from rich.text import Text

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.games import GAME_SPECS, content_digest, spec_of


def drawing(name: str) -> list[Text]:
    """A board named as `mycity/eternal`, or without its game where no other has a board of that name."""
    screens = {key: screen_of(key) for key, sign in GAME_SPECS.items() if sign.terminal}
    boards = {
        f"{key}/{board}": (screen, drawn)
        for key, screen in screens.items()
        for board, drawn in screen.boards(GAME_SPECS[key].versions[-1]).items()
    }
    found = [full for full in boards if name in (full, full.partition("/")[2])]
    if len(found) != 1:
        problem = f"there is no board {name!r}" if not found else f"more than one game has a board {name!r}"
        raise BadOption(f"{problem}; there is {', '.join(boards)}")
    screen, board = boards[found[0]]
    return screen.drawn(board)


def contents(key: str | None) -> Iterator[str]:
    """What the content of one game or of all is, read whole in every version."""
    for sign in GAME_SPECS.values() if key is None else [spec_of(key)]:
        for version in sign.versions:
            sign.content(version)
            yield f"{sign.key} v{version}: {content_digest(sign.key, version)}"
            if sign.terminal:
                yield from screen_of(sign.key).contents(version)
