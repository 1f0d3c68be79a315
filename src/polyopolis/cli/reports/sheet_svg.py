"""`sheet`: draws a printable sheet of Roll & Write as SVG, with all parts needed to play and score it."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Annotated
from xml.sax.saxutils import escape

import typer

from polyopolis.cli.phrases import phrase
from polyopolis.cli.terminal.rollwrite import words
from polyopolis.games.rollwrite.content import NEWEST, SIGNS, Episode, content
from polyopolis.games.rollwrite.printable_sheet import Paper, PaperLine, paper_of
from polyopolis.games.rollwrite.rules import Setup, start
from polyopolis.geometry import Shape

CELL_SIZE = 48
MARGIN = 40
TOP = 60
BOX_WIDTH = 330
LINE_HEIGHT = 30
INK = "#2c2a29"
LINE_COLOUR = "#8d8572"
STRIP_HEIGHT = 82


def sheet(
    episode: Annotated[int, typer.Option(help="Episode, 1 to 12.")],
    out: Annotated[Path, typer.Option(metavar="FILE", help="SVG file to write.")],
) -> None:
    """Draw a printable sheet of Roll & Write."""
    out.write_text(_draw_sheet(episode), encoding="utf-8")


def _draw_sheet(episode: int) -> str:
    """Returns the SVG. Raises `BadSetup` if there is no such episode."""
    start(Setup(episode=episode, seats=1))
    material = content(NEWEST)
    played, written = material.episodes[episode], paper_of(material, episode)
    width, height = played.board.grid.width * CELL_SIZE, played.board.grid.height * CELL_SIZE
    below = TOP + max(height + 110, (len(written.lines) + 2) * LINE_HEIGHT)
    strips = list(_strips(played, written))
    parts = [
        *_board(played),
        *_bandit_marks(written),
        *_scoring_box(width + 2 * MARGIN, written.lines),
        *_task_rows(played, TOP + height),
        *(part for number, strip in enumerate(strips) for part in _strip(strip, below + number * STRIP_HEIGHT)),
    ]
    title = words("title", "episode", episode=episode, number="").rpartition(":")[0]
    size = f"{width + BOX_WIDTH + 3 * MARGIN} {below + len(strips) * STRIP_HEIGHT}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size}" font-family="sans-serif" fill="{INK}">',
            f"<title>{escape(title)}</title>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            _text(MARGIN, 26, title, 18),
            *parts,
            "</svg>\n",
        ]
    )


def _board(episode: Episode) -> Iterator[str]:
    yield f'<g transform="translate({MARGIN} {TOP})" stroke-linejoin="round" stroke-linecap="round">'
    for y, row in enumerate(episode.board.rows):
        for x, sign in enumerate(row):
            yield f'<g transform="translate({x * CELL_SIZE} {y * CELL_SIZE})">{_cell(SIGNS[sign])}</g>'
    corners = " ".join(f"{x * CELL_SIZE},{y * CELL_SIZE}" for x, y in episode.board.river)
    for colour, wide in (("#3b7ea1", 11), ("#bfe0f2", 8)):
        yield f'<polyline points="{corners}" fill="none" stroke="{colour}" stroke-width="{wide}"/>'
    yield "</g>"
    for x, name in enumerate("abcdefghijklmnopqrstuvwxyz"[: episode.board.grid.width]):
        yield _text(MARGIN + x * CELL_SIZE + CELL_SIZE / 2 - 4, TOP - 6, name, 12)
    for y in range(episode.board.grid.height):
        yield _text(MARGIN - 18, TOP + y * CELL_SIZE + CELL_SIZE / 2 + 5, str(y + 1), 12)


def _cell(terrain: str) -> str:
    fill = {"forest": "#d3e4c5", "mountain": "#dcdcdf", "flood": "#d8ebf6"}.get(terrain, "#fff")
    square = f'<rect width="{CELL_SIZE}" height="{CELL_SIZE}" fill="{fill}" stroke="#bbb3a2"/>'
    return square + SYMBOLS[terrain]()


def _pen(path: str, fill: str = "none") -> str:
    return f'<path d="{path}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'


def _ring(x: int, y: int, radius: int, fill: str = "none") -> str:
    return f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{fill}" stroke="{INK}" stroke-width="1.6"/>'


SYMBOLS: dict[str, Callable[[], str]] = {
    "empty": lambda: "",
    "trees": lambda: _pen("M17 28v10M32 34v8") + _ring(17, 19, 10, "#cfe6bd") + _ring(32, 27, 8, "#cfe6bd"),
    "rocks": lambda: _pen("M7 34l4-14 10-4 7 9-3 11z", "#e3e1dc") + _pen("M27 40l3-8 8-2 5 7-4 5z", "#e3e1dc"),
    "well": lambda: _ring(24, 24, 16, "#e3e1dc") + _ring(24, 24, 9, "#bfe0f2") + _pen("M6 24h36"),
    "plains": lambda: _pen("M6 38h36M10 30h28M15 22h18M19 14h10"),
    "gold": lambda: _ring(17, 19, 7, "#f3d56b") + _ring(31, 22, 6, "#f3d56b") + _ring(22, 33, 6, "#f3d56b"),
    "forest": lambda: _ring(15, 16, 9, "#a9cc91") + _ring(33, 19, 9, "#a9cc91") + _ring(22, 34, 9, "#a9cc91"),
    "mountain": lambda: _pen("M5 40l15-28 8 14 5-7 11 21z", "#f4f4f6") + _pen("M20 12l-4 12 6-3 4 5"),
    "flood": lambda: _pen("M6 16q6-6 12 0t12 0 12 0M6 28q6-6 12 0t12 0 12 0M6 40q6-6 12 0t12 0 12 0"),
    "bandit": lambda: _ring(24, 26, 13, "#fff") + _pen("M9 22h30M16 26h5M27 26h5M14 16q10-10 20 0", INK),
    "church": lambda: _pen("M12 42V26l12-9 12 9v16zM24 17V6M20 10h8M21 42v-9h6v9", "#e5dcf0"),
    "sawmill": lambda: (
        _ring(24, 24, 13, "#efe3cf") + _ring(24, 24, 4) + _pen("M24 11l4-5M37 24l5 4M24 37l-4 5M11 24l-5-4")
    ),
    "fort": lambda: _pen("M9 41V15h6v5h6v-5h6v5h6v-5h6v26zM20 41v-9h8v9", "#e3e1dc"),
}


def _bandit_marks(written: Paper) -> Iterator[str]:
    """Draws the cells where bandits of earlier sheets can be. Players from whom one has escaped ring its cell."""
    for cell in written.bandits:
        x, y = MARGIN + (ord(cell[0]) - ord("a")) * CELL_SIZE, TOP + (int(cell[1:]) - 1) * CELL_SIZE
        yield (
            f'<circle class="earlier" cx="{x + CELL_SIZE - 10}" cy="{y + 10}" r="6" fill="#fff" stroke="{INK}" '
            'stroke-dasharray="2.500 2"/>'
        )


def _scoring_box(left: int, lines: Iterable[PaperLine]) -> Iterator[str]:
    """Draws the scoring box: for each line its name, the points of each, the number and the total."""
    rows = [*((_line_name(line), _points(line), line.once) for line in lines), (phrase("table", "total"), "", True)]
    for number, (name, worth, once) in enumerate(rows):
        top = TOP + number * LINE_HEIGHT
        down = f"v{LINE_HEIGHT}"
        yield (
            f'<rect x="{left}" y="{top}" width="{BOX_WIDTH}" height="{LINE_HEIGHT}" fill="none" '
            f'stroke="{LINE_COLOUR}"/>'
        )
        yield f'<path d="M{left + BOX_WIDTH - 56} {top}{down}" stroke="{LINE_COLOUR}"/>'
        if not once:
            yield (
                f'<path class="count" d="M{left + BOX_WIDTH - 100} {top}{down}" stroke="{LINE_COLOUR}" '
                'stroke-dasharray="3 3"/>'
            )
        yield _text(left + 10, top + 20, name, 13)
        if worth:
            yield _text(left + BOX_WIDTH - 140, top + 20, worth, 13)


def _line_name(line: PaperLine) -> str:
    """Returns the name of a line. On paper trees and rocks are counted one by one, not by cells."""
    return words("paper" if line.line in ("trees", "rocks") else "line", line.line)


def _points(line: PaperLine) -> str:
    return "" if line.each is None else f"{line.each:+d}"


Strip = tuple[str, list[str], str]
"""A name, a label for each box, and a note."""


def _strips(episode: Episode, written: Paper) -> Iterator[Strip]:
    """Yields the strips for results that span several episodes: bandits, purses, the chapter, the campaign."""
    yield from filter(None, (_bandits(written), _purses(episode, written), _chapter(written), _campaign(written)))


def _bandits(written: Paper) -> Strip | None:
    if not written.bandits:
        return None
    return words("paper", "bandits"), [words("paper", "escaped")], words("paper", "earlier")


def _purses(episode: Episode, written: Paper) -> Strip | None:
    """Returns the strip for purses: each source in this episode, the earlier ones of the chapter, and their sum."""
    if not episode.rules.purses or not written.bonus:
        return None
    gives = [words("paper", f"purse-{purse.purse}", purses=purse.purses) for purse in episode.rules.purses]
    bonus = written.bonus
    alone = ", ".join(f"{purses}: {points:+d}" for purses, points in bonus.alone.items())
    note = words("paper", "bonus", most=bonus.most, second=bonus.second, alone=alone)
    return words("paper", "purses"), [*gives, words("paper", "before"), words("paper", "purses-in-all")], note


def _chapter(written: Paper) -> Strip:
    boxes = [words("line", "episode", n=episode) for episode in written.episodes]
    if written.bonus:
        boxes.append(words("paper", "for-purses"))
    return _summed(words("line", "chapter", n=written.chapter), boxes, written.titles)


def _campaign(written: Paper) -> Strip | None:
    if not written.chapters:
        return None
    boxes = [words("paper", "chapter", n=number) for number in range(1, written.chapters + 1)]
    return _summed(words("line", "campaign"), boxes, written.campaign)


def _summed(name: str, boxes: list[str], titles: Iterable[int]) -> Strip:
    limits = ", ".join(f"{limit}: {words('rank', str(rank))}" for rank, limit in enumerate(titles, start=1) if limit)
    return name, [*boxes, words("paper", "in-all", name=name)], words("paper", "titles", titles=limits)


def _strip(strip: Strip, top: int) -> Iterator[str]:
    name, boxes, note = strip
    yield _text(MARGIN, top + 18, name, 14)
    for number, box in enumerate(boxes):
        left = MARGIN + 170 + number * 128
        yield f'<rect x="{left}" y="{top}" width="56" height="30" fill="none" stroke="{LINE_COLOUR}"/>'
        yield _text(left, top + 44, box, 11)
    yield _text(MARGIN, top + 62, note, 10)


def _task_rows(episode: Episode, top: int) -> Iterator[str]:
    """Draws the circles for passing and the buildings of the compass."""
    for number, points in enumerate(episode.rules.passing):
        x = MARGIN + 24 + number * 56
        yield f'<circle cx="{x}" cy="{top + 40}" r="20" fill="none" stroke="{INK}"/>'
        yield _text(x - 10, top + 45, str(points), 14)
    left = MARGIN + 24 + len(episode.rules.passing) * 56 + 20
    for task in episode.row_tasks:
        yield from _small_shape(task.shape, left, top + 20)
        yield f'<rect class="tick" x="{left}" y="{top + 72}" width="12" height="12" fill="none" stroke="{INK}"/>'
        left += max(task.shape.width * 16, 16) + 24
    if episode.row_tasks:
        yield _text(left, top + 82, words("paper", "ticked"), 10)


def _small_shape(shape: Shape, left: int, top: int) -> Iterator[str]:
    for x, y in shape.squares:
        yield f'<rect x="{left + x * 16}" y="{top + y * 16}" width="16" height="16" fill="#fff" stroke="{INK}"/>'


def _text(x: float, y: float, words: str, size: int) -> str:
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}">{escape(words)}</text>'
