"""Score sheets as tables."""

from collections.abc import Iterator, Sequence

from rich import box
from rich.table import Table

from polyopolis.cli.phrases import Words, say
from polyopolis.engine import Line, Result, Sheet


def side_by_side(result: Result, names: Sequence[str], words: Words) -> Table:
    """The sheets of all seats, a line for each code that one of them has."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(say("table", "line"))
    for name in names:
        table.add_column(name, justify="right")
    by_seat = [{line.line: line for line in sheet} for sheet in result.sheets]
    for code in _codes(result.sheets):
        table.add_row(words.line(code), *(_cell(lines.get(code)) for lines in by_seat))
    table.add_section()
    table.add_row(say("table", "total"), *map(str, result.scores), style="bold")
    table.add_row(say("table", "rank"), *map(str, result.ranks))
    return table


def _codes(sheets: Sequence[Sheet]) -> list[str]:
    """Every line once, in an order that fits all sheets: the longest first, the others where they meet it."""
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
    """The lines of a sheet that differ, as they are and as they would be."""
    old, new = ({line.line: line for line in sheet} for sheet in (before, after))
    for code in _codes([before, after]):
        was, would_be = old.get(code, Line(code, 0, 0)), new.get(code, Line(code, 0, 0))
        if was != would_be:
            yield was, would_be


def change_table(before: Sheet, after: Sheet, words: Words) -> Table | None:
    """What would change, line by line and in sum; nothing if no line changes."""
    found = list(changes(before, after))
    if not found:
        return None
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    for was, would_be in found:
        moved = f"{was.count} → {would_be.count}"
        table.add_row(words.line(would_be.line), moved, f"{would_be.points - was.points:+}")
    old, new = (sum(line.points for line in sheet) for sheet in (before, after))
    table.add_row(say("table", "total"), f"{old} → {new}", f"{new - old:+}", style="bold")
    return table
