"""Text rendering of a table for `render()`."""

from collections.abc import Callable, Iterable
from itertools import zip_longest
from typing import Any

from polyopolis.engine import seat_name
from polyopolis.games.pointcity.content import MARKET, Card
from polyopolis.geometry import Board, Mask
from polyopolis.lab.game_table import GameTable

GAP = "   "


def _cities(table: GameTable) -> list[str]:
    """Renders boards side by side: buildings by the initial of their kind, other cells by their printed sign."""
    boards = [[f"seat {seat}", *_city(city)] for seat, city in enumerate(table.state.cities)]
    width = max(len(line) for board in boards for line in board)
    return [GAP.join(line.ljust(width) for line in row).rstrip() for row in zip_longest(*boards, fillvalue="")]


def _city(city: Any) -> Iterable[str]:
    board: Board = city.site.board
    built = [(_kind(building), building.at.mask) for building in city.buildings]
    for top, row in enumerate(board.rows):
        yield " ".join(_cell_text(sign, board.grid.at(left, top), built) for left, sign in enumerate(row))


def _kind(building: Any) -> str:
    kind: str = building.card.kind if hasattr(building, "card") else building.kind
    return kind[0].upper()


def _cell_text(printed: str, cell: Mask, built: list[tuple[str, Mask]]) -> str:
    return next((kind for kind, mask in built if mask & cell), printed)


def _mycity(table: GameTable) -> list[str]:
    card = table.state.card
    return [f"{table.state.asks}: {card.name if card else '-'}, {len(table.state.deck)} cards left", *_cities(table)]


def _rollwrite(table: GameTable) -> list[str]:
    task = table.state.task
    return [f"roll {table.state.rolls}: {task.kind if task else '-'}", *_cities(table)]


def _pointcity(table: GameTable) -> list[str]:
    state = table.state
    shown = [card.name if isinstance(card, Card) else card.face if card else "-" for card in state.market]
    width, rows = max(map(len, shown)), range(0, len(shown), MARKET.width)
    tokens = ", ".join(token.name for token in state.tokens)
    return [
        f"{state.phase}, turn {state.turns + 1}, tokens: {tokens}",
        *(GAP.join(name.ljust(width) for name in shown[at : at + MARKET.width]).rstrip() for at in rows),
        *(f"player {at}: {' '.join(map(str, player.stock))}" for at, player in enumerate(state.players)),
    ]


RENDERERS: dict[str, Callable[[GameTable], list[str]]] = {
    "mycity": _mycity,
    "pointcity": _pointcity,
    "rollwrite": _rollwrite,
}


def render_table(table: GameTable) -> str:
    due = ", ".join(seat_name(seat) for seat in sorted(table.due)) or "none"
    scores = " ".join(map(str, table.match.result.scores))
    return "\n".join([*RENDERERS[table.offer.key](table), f"due: {due}; scores: {scores}"])
