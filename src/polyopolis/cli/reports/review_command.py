"""`review`: analyses records and prints the reviews, or writes them as HTML or JSON."""

from pathlib import Path
from typing import Annotated

import typer

from polyopolis.cli.arguments import JsonFlag
from polyopolis.cli.console import stdout_console, warn_if_slow
from polyopolis.cli.reports.replay_check import RecordFiles
from polyopolis.cli.reports.review_html import review_page
from polyopolis.cli.reports.review_text import report_lines, review_files, reviews_json


def review(
    files: RecordFiles,
    as_json: JsonFlag = False,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="HTML page with boards to write.")] = None,
) -> None:
    """Separate luck from skill in records.

    Lists what each decision lost, what each chance event was worth, and the moments that mattered most.
    """
    warn_if_slow()
    found, console = [], stdout_console()
    for reviewed in review_files(files):
        found.append(reviewed)
        if not as_json:
            for line in report_lines(reviewed):
                console.print(line, soft_wrap=isinstance(line, str))
    if as_json:
        typer.echo(reviews_json(found))
    if html:
        html.write_text(review_page(found), encoding="utf-8")
