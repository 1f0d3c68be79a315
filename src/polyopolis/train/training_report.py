"""Writes training reports into a page: the courses of a net and its predecessors with the results of its search, and
the courses of patterns, all episodes of a game together.

python -m polyopolis.train report data/train/slim2 docs/training.md
python -m polyopolis.train report data/train/rollwrite-episode-* docs/training.md
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from polyopolis.train.checkpoints import CURVE_SEED, FINAL_SEED, REPORT_FILE

START_MARK, END_MARK = "<!-- written by `python -m polyopolis.train report` -->", "<!-- end of what was written -->"
PATTERNS_MARK = "<!-- patterns of {}, written by `python -m polyopolis.train report` -->"
MAX_CURVE_POINTS = 8
"""Maximum number of points of a curve in the report."""


def lineage(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yields the reports of a net's predecessors (teacher and initial weights) in sibling folders, then its own."""
    report = json.loads((folder / REPORT_FILE).read_text())
    for key in ("teacher", "begun_with"):
        if report["course"][key]:
            yield from lineage(folder.parent / Path(report["course"][key]).name)
    yield folder.name, report


def report_blocks(folders: Sequence[Path], consulted: Path | None = None) -> Iterator[str]:
    """Yields the block of the net in these folders, and a block for the patterns of each game."""
    reports = [json.loads((folder / REPORT_FILE).read_text()) for folder in folders]
    nets = [folder for folder, report in zip(folders, reports, strict=True) if "net" in report["course"]]
    if len(nets) > 1:
        raise SystemExit(f"a page contains one net with its predecessors, not {len(nets)} nets")
    for net in nets:
        yield _net_block(net, consulted)
    for game in sorted({report["game"] for report in reports if "game" in report}):
        found = (report for report in reports if report.get("game") == game)
        yield _patterns_block(game, sorted(found, key=lambda report: report["episode"]))


def _patterns_block(game: str, reports: list[dict[str, Any]]) -> str:
    lines = [
        PATTERNS_MARK.format(game),
        "Without search: mean score of solo games that take the choice with the highest value by the patterns, on the",
        "board of the episode, over luck that was not used for training, with 95 % confidence intervals.",
        "",
        "| episode | minutes | games | seed | without search | games measured |",
        "|---|---|---|---|---|---|",
        *map(_pattern_row, reports),
        "",
        f"Device: {', '.join(sorted({report['device'] for report in reports}))};"
        f" {sum(report['seconds'] for report in reports) / 60:.1f} minutes in all.",
        "",
        "| episode | seconds: score without search |",
        "|---|---|",
        *(_row([report["episode"], _curve_text(report["curve"])]) for report in reports),
    ]
    return "\n".join([*lines, END_MARK])


def _pattern_row(report: dict[str, Any]) -> str:
    last, minutes = report["curve"][-1], f"{report['seconds'] / 60:.1f}"
    games, judged = f"{report['games']:,}", f"{last['judged']:,}"
    return _row([report["episode"], minutes, games, report["course"]["seed"], _score(last), judged])


def _curve_text(curve: list[dict[str, float]]) -> str:
    return ", ".join(f"{point['seconds']:.0f}: {_score(point)}" for point in _sampled(curve))


def _net_block(folder: Path, consulted: Path | None) -> str:
    reports = list(lineage(folder))
    lines = [
        START_MARK,
        "## Courses",
        "",
        "Scores are means of a solo city that takes the choice with the highest value by the net, over decks that were",
        "not used for training, with 95 % confidence intervals. The points of a curve use the decks of seed",
        f"{CURVE_SEED}, the last point those of seed {FINAL_SEED}.",
        "",
        "| net | weights | trained on | seed | minutes | games | steps | score | decks |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_course_row(name, report) for name, report in reports),
        "",
        f"Device: {', '.join(sorted({report['device'] for _, report in reports}))};"
        f" {sum(report['seconds'] for _, report in reports) / 60:.1f} minutes in all.",
        "",
        "## Curves",
        "",
        "| net | seconds | games | score |",
        "|---|---|---|---|",
        *(line for name, report in reports for line in _curve_rows(name, report["curve"])),
    ]
    if consulted is not None:
        lines += [
            "",
            "## The search",
            "",
            "Search with that net in many solo games at once (`python -m polyopolis.train consult`). Decisions:",
            "budget of simulated decisions per decision; width: number of choices that are tried; horizon: number of",
            "decisions after which the net evaluates the position; trust: the value of a choice by the net counts",
            "like this number of simulations.",
            "",
            "| decisions | width | horizon | trust | score | decks |",
            "|---|---|---|---|---|---|",
            *(_search_row(json.loads(line)) for line in consulted.read_text().splitlines()),
        ]
    return "\n".join([*lines, END_MARK])


def _course_row(name: str, report: dict[str, Any]) -> str:
    course, last = report["course"], report["curve"][-1]
    teacher, begun = (Path(course[key]).name for key in ("teacher", "begun_with"))
    source = f"values of {teacher}" if teacher else f"self-play from {begun}" if begun else "self-play from scratch"
    return _row(
        [
            f"{name} ({course['net']})",
            f"{report['weights']:,}",
            source,
            course["seed"],
            f"{report['seconds'] / 60:.1f}",
            f"{report['games']:,}",
            f"{report['steps']:,}",
            _score(last),
            f"{last['decks']:,}",
        ]
    )


def _sampled(curve: list[dict[str, float]]) -> list[dict[str, float]]:
    """The first and last point, and equally spaced points in between."""
    return [
        curve[at]
        for at in sorted(
            {round(number * (len(curve) - 1) / (MAX_CURVE_POINTS - 1)) for number in range(MAX_CURVE_POINTS)}
        )
    ]


def _curve_rows(name: str, curve: list[dict[str, float]]) -> Iterator[str]:
    for point in _sampled(curve):
        yield _row([name, point["seconds"], f"{point['games']:,}", _score(point)])


def _search_row(way: dict[str, Any]) -> str:
    horizon = way["horizon"] or "to the end"
    return _row([f"{way['decisions']:,}", way["width"], horizon, way["trust"], _score(way), f"{way['decks']:,}"])


def _score(measured: dict[str, Any]) -> str:
    return f"{measured['score']:.2f} ± {measured['within']:.2f}"


def _row(cells: list[Any]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def insert_block(page: Path, text: str) -> None:
    """Replaces the block between its marks in the page; appends it if the page has no such marks."""
    before, mark, rest = page.read_text("utf-8").partition(text.splitlines()[0])
    page.write_text(before + text + rest.partition(END_MARK)[2] if mark else f"{before.rstrip()}\n\n{text}\n", "utf-8")
