"""`puzzles`: exercises made from the mistakes in many records."""

from pathlib import Path
from typing import Annotated

import msgspec
import typer

from polyopolis.analysis import Exercise, exercises_of, measure_difficulty, review_matches
from polyopolis.analysis.reviewer import matches_of
from polyopolis.cli.arguments import BadOption
from polyopolis.cli.console import progress_bar
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.records import read


def puzzles(
    folder: Annotated[
        Path, typer.Argument(metavar="DIR", help="Folder of records, with its subfolders.", show_default=False)
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="JSON file to write.")] = Path("puzzles.json"),
) -> None:
    """Make exercises from the mistakes in records.

    The easiest come first; each states how often each level fails it.
    """
    paths = sorted(folder.rglob("*.json"))
    if not paths:
        raise BadOption(f"there are no records in {folder}")
    found = list[Exercise]()
    with progress_bar() as progress:
        for path in progress.track(paths, description=folder.name):
            found += _exercises(path)
    found.sort(key=lambda exercise: exercise.difficulty)
    out.write_bytes(msgspec.json.encode(found))
    exercises, records = quantity("exercise", len(found)), quantity("record", len(paths))
    typer.echo(phrase("puzzles", "found", puzzles=exercises, records=records, file=out))


def _exercises(path: Path) -> list[Exercise]:
    """Reviews a record and makes an exercise of each mistake."""
    matches, review = matches_of(read(path)), None
    for progress in review_matches(matches, ""):
        review = progress.review or review
    assert review
    return [
        measure_difficulty(before, exercise)
        for match, match_review in zip(matches, review.matches, strict=True)
        for before, _, exercise in exercises_of(match, match_review)
    ]
