"""What came of training, as a page: the courses of a net and of those that it learnt from, and what its search came to;
those of patterns, all episodes of a game together.

python -m polyopolis.train report data/train/slim2 docs/training.md
python -m polyopolis.train report data/train/rollwrite-episode-* docs/training.md
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from polyopolis.train.checkpoints import CURVE_SEED, LAST_SEED, REPORT

FIRST, LAST = "<!-- written by `python -m polyopolis.train report` -->", "<!-- end of what was written -->"
OF_PATTERNS = "<!-- patterns of {}, written by `python -m polyopolis.train report` -->"
POINTS = 8
"""Of a curve, so many are told."""


def lineage(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """The reports of a net and, before it, of its teacher and of what it began with; they lie beside it."""
    report = json.loads((folder / REPORT).read_text())
    for key in ("teacher", "begun_with"):
        if report["course"][key]:
            yield from lineage(folder.parent / Path(report["course"][key]).name)
    yield folder.name, report


def told(folders: Sequence[Path], consulted: Path | None = None) -> Iterator[str]:
    """A net, and the patterns of each game that these folders hold."""
    reports = [json.loads((folder / REPORT).read_text()) for folder in folders]
    nets = [folder for folder, report in zip(folders, reports, strict=True) if "net" in report["course"]]
    if len(nets) > 1:
        raise SystemExit(f"a page tells one net and those that it comes from, not {len(nets)}")
    for net in nets:
        yield _net(net, consulted)
    for game in sorted({report["game"] for report in reports if "game" in report}):
        found = (report for report in reports if report.get("game") == game)
        yield _patterns(game, sorted(found, key=lambda report: report["episode"]))


def _patterns(game: str, reports: list[dict[str, Any]]) -> str:
    lines = [
        OF_PATTERNS.format(game),
        "At sight: what comes on average of games alone that do what patterns say comes to most, on the board of the",
        "episode, over luck that nothing was learnt from, with 95 % intervals.",
        "",
        "| episode | minutes | games | seed | at sight | over |",
        "|---|---|---|---|---|---|",
        *map(_learnt, reports),
        "",
        f"Device: {', '.join(sorted({report['device'] for report in reports}))};"
        f" {sum(report['seconds'] for report in reports) / 60:.1f} minutes in all.",
        "",
        "| episode | at sight, after so many seconds |",
        "|---|---|",
        *(_line([report["episode"], _way_there(report["curve"])]) for report in reports),
    ]
    return "\n".join([*lines, LAST])


def _learnt(report: dict[str, Any]) -> str:
    last, minutes = report["curve"][-1], f"{report['seconds'] / 60:.1f}"
    games, judged = f"{report['games']:,}", f"{last['judged']:,}"
    return _line([report["episode"], minutes, games, report["course"]["seed"], _score(last), judged])


def _way_there(curve: list[dict[str, float]]) -> str:
    return ", ".join(f"{point['seconds']:.0f}: {_score(point)}" for point in _some(curve))


def _net(folder: Path, consulted: Path | None) -> str:
    reports = list(lineage(folder))
    lines = [
        FIRST,
        "## Courses",
        "",
        "Scores are of one city alone that does what the net says comes to most, over decks that no net has learnt",
        f"from, with 95 % intervals: those of a curve have the seed {CURVE_SEED}, those of its last point {LAST_SEED}.",
        "",
        "| net | weights | learnt from | seed | minutes | games | steps | score | decks |",
        "|---|---|---|---|---|---|---|---|---|",
        *(_course(name, report) for name, report in reports),
        "",
        f"Device: {', '.join(sorted({report['device'] for _, report in reports}))};"
        f" {sum(report['seconds'] for _, report in reports) / 60:.1f} minutes in all.",
        "",
        "## Curves",
        "",
        "| net | seconds | games | score |",
        "|---|---|---|---|",
        *(line for name, report in reports for line in _curve(name, report["curve"])),
    ]
    if consulted is not None:
        lines += [
            "",
            "## The search",
            "",
            "By that net, on many games at once (`python -m polyopolis.train consult`), one city alone. Decisions: so",
            "many are played in all simulations of one decision together; width: so many choices are tried; horizon:",
            "after so many decisions the net says the rest; trust: what it says of a choice counts as much as so many",
            "simulations.",
            "",
            "| decisions | width | horizon | trust | score | decks |",
            "|---|---|---|---|---|---|",
            *(_way(json.loads(line)) for line in consulted.read_text().splitlines()),
        ]
    return "\n".join([*lines, LAST])


def _course(name: str, report: dict[str, Any]) -> str:
    course, last = report["course"], report["curve"][-1]
    teacher, begun = (Path(course[key]).name for key in ("teacher", "begun_with"))
    source = f"what {teacher} says" if teacher else f"own games, from {begun}" if begun else "own games, from nothing"
    return _line(
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


def _some(curve: list[dict[str, float]]) -> list[dict[str, float]]:
    """The first point, the last, and some between them, as far apart as they can be."""
    return [curve[at] for at in sorted({round(number * (len(curve) - 1) / (POINTS - 1)) for number in range(POINTS)})]


def _curve(name: str, curve: list[dict[str, float]]) -> Iterator[str]:
    for point in _some(curve):
        yield _line([name, point["seconds"], f"{point['games']:,}", _score(point)])


def _way(way: dict[str, Any]) -> str:
    horizon = way["horizon"] or "to the end"
    return _line([f"{way['decisions']:,}", way["width"], horizon, way["trust"], _score(way), f"{way['decks']:,}"])


def _score(measured: dict[str, Any]) -> str:
    return f"{measured['score']:.2f} ± {measured['within']:.2f}"


def _line(cells: list[Any]) -> str:
    return "| " + " | ".join(map(str, cells)) + " |"


def put(page: Path, text: str) -> None:
    """Between the marks of the page, or at its end."""
    before, mark, rest = page.read_text("utf-8").partition(text.splitlines()[0])
    page.write_text(before + text + rest.partition(LAST)[2] if mark else f"{before.rstrip()}\n\n{text}\n", "utf-8")
