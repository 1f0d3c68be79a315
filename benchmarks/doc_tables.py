"""Writes generated tables into pages of docs/, each between its marks."""

from pathlib import Path

DOCS = Path(__file__).parents[1] / "docs"


def replace_block(document: str, marks: tuple[str, str], text: str, title: str) -> str:
    """Returns the document with `text` between the marks; appends title and block if the document has no marks."""
    first, last = marks
    block = f"{first}\n{text}\n{last}"
    if first in document:
        before, _, rest = document.partition(first)
        return before + block + rest.partition(last)[2]
    return f"{document.rstrip()}\n\n{title}\n\n{block}\n"


def write_block(path: Path, marks: tuple[str, str], text: str, title: str) -> None:
    path.write_text(replace_block(path.read_text("utf-8"), marks, text, title), "utf-8")
