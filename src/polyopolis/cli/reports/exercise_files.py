"""Exercises out of many records."""

import sys
from pathlib import Path

import msgspec
from rich.console import Console
from rich.progress import Progress

from polyopolis.analysis import Exercise, exercises_of, reviewed_matches, tried
from polyopolis.analysis.reviewer import matches_of
from polyopolis.cli.arguments import BadOption
from polyopolis.cli.phrases import count, say
from polyopolis.records import read


def write(folder: Path, out: Path) -> str:
    """Reviews all records of a folder and writes an exercise for each mistake, the easiest first; what was done."""
    paths = sorted(folder.rglob("*.json"))
    if not paths:
        raise BadOption(f"there are no records in {folder}")
    found = list[Exercise]()
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as progress:
        for path in progress.track(paths, description=folder.name):
            found += _of_file(path)
    found.sort(key=lambda exercise: exercise.difficulty)
    out.write_bytes(msgspec.json.encode(found))
    return say("puzzles", "found", puzzles=count("exercise", len(found)), records=count("record", len(paths)), file=out)


def _of_file(path: Path) -> list[Exercise]:
    matches, review = matches_of(read(path)), None
    for progress in reviewed_matches(matches, ""):
        review = progress.review or review
    assert review
    return [
        tried(before, exercise)
        for match, told in zip(matches, review.matches, strict=True)
        for before, _, exercise in exercises_of(match, told)
    ]
