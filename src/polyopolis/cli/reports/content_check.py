"""`check-content` validates the content of games, and `show` draws its boards."""

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text

from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import stdout_console
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.games import GAME_SPECS, content_digest, spec_of


def show(
    board: Annotated[str, typer.Argument(metavar="BOARD", help="Such as mycity/eternal, or eternal if unambiguous.")],
) -> None:
    """Draw a board, or list the cards of a tier."""
    console = stdout_console()
    for line in _draw(board):
        console.print(line, soft_wrap=True)


def _draw(name: str) -> list[Text]:
    screens = {key: screen_of(key) for key, spec in GAME_SPECS.items() if spec.terminal}
    boards = {
        f"{key}/{board}": (screen, drawn)
        for key, screen in screens.items()
        for board, drawn in screen.boards(GAME_SPECS[key].versions[-1]).items()
    }
    found = [full for full in boards if name in (full, full.partition("/")[2])]
    if len(found) != 1:
        problem = f"there is no board {name!r}" if not found else f"several games have a board {name!r}"
        raise BadOption(f"{problem}; choose from {', '.join(boards)}")
    screen, board = boards[found[0]]
    return screen.drawn(board)


def check_content(
    key: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Key of a game; default: all.", show_default=False)
    ] = None,
) -> None:
    """Validate all boards, cards and episodes in all versions."""
    for line in _content_lines(key):
        typer.echo(line)


def _content_lines(key: str | None) -> Iterator[str]:
    """Yields the digest of each version and a line for each part of it, after reading it completely."""
    for spec in GAME_SPECS.values() if key is None else [spec_of(key)]:
        for version in spec.versions:
            spec.content(version)
            yield f"{spec.key} v{version}: {content_digest(spec.key, version)}"
            if spec.terminal:
                yield from screen_of(spec.key).contents(version)
