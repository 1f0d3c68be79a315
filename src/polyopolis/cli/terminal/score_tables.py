"""Score sheets as tables."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from polyopolis.cli.phrases import GamePhrases, phrase
from polyopolis.engine import Line, Result, Sheet


def sheet_table(result: Result, names: Sequence[str], words: GamePhrases) -> Table:
    """Returns the score sheets of all seats side by side."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(phrase("table", "line"))
    for name in names:
        table.add_column(name, justify="right")
    by_seat = [{line.line: line for line in sheet} for sheet in result.sheets]
    for code in _codes(result.sheets):
        table.add_row(words.line(code), *(_cell(lines.get(code)) for lines in by_seat))
    table.add_section()
    table.add_row(phrase("table", "total"), *map(str, result.scores), style="bold")
    table.add_row(phrase("table", "rank"), *map(str, result.ranks))
    return table


def _codes(sheets: Sequence[Sheet]) -> list[str]:
    """Returns the codes of all lines in an order that fits all sheets: those of the longest sheet, with lines that only
    others have inserted after their predecessors."""
    codes: list[str] = []
    for sheet in sorted(sheets, key=len, reverse=True):
        at = 0
        for line in sheet:
            if line.line not in codes:
                codes.insert(at, line.line)
            at = codes.index(line.line) + 1
    return codes


def _cell(line: Line | None) -> str:
    return "" if line is None else f"({line.count}) {line.points:>3}"


def changes(before: Sheet, after: Sheet) -> Iterator[tuple[Line, Line]]:
    """Yields the lines that differ between two sheets, old and new."""
    old, new = ({line.line: line for line in sheet} for sheet in (before, after))
    for code in _codes([before, after]):
        pair = old.get(code, Line(code, 0, 0)), new.get(code, Line(code, 0, 0))
        if pair[0] != pair[1]:
            yield pair


def change_table(before: Sheet, after: Sheet, words: GamePhrases) -> Table | None:
    """Returns a table of the lines that change and of the total, or `None` if no line changes."""
    found = list(changes(before, after))
    if not found:
        return None
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for line, changed in found:
        counts = f"{line.count} → {changed.count}"
        table.add_row(words.line(changed.line), counts, f"{changed.points - line.points:+}")
    old, new = (sum(line.points for line in sheet) for sheet in (before, after))
    table.add_row(phrase("table", "total"), f"{old} → {new}", f"{new - old:+}", style="bold")
    return table
