"""A review as a page that can be sent to somebody: one file, nothing is fetched."""

from collections.abc import Iterator, Sequence
from html import escape
from io import StringIO

from rich.console import Console
from rich.text import Text

from polyopolis.analysis import Decision, MatchReview
from polyopolis.analysis.reviewer import matches_of
from polyopolis.cli.phrases import say
from polyopolis.cli.reports.review_text import COLUMNS, ReviewedFile, cells, lost_or_found, sentences, strengths
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import Match

WIDE, HIGH = 900, 240
COLOURS = (("#2563a8", "#7db4ee"), ("#b4472f", "#f0997f"), ("#3f7d4e", "#86cf98"), ("#8a5aa8", "#cda2e8"))
"""Of the seats, by day and by night; lines are dashed otherwise, too."""
MOST_BOARDS = 10
"""Mistakes that are shown on a board, the dearest first."""
STYLE = """
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto; }
th, td { padding: .3rem .7rem; text-align: right; border-bottom: 1px solid #8884; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
h2 { font-size: 1.1rem; overflow-wrap: anywhere; }
svg { width: 100%; height: 13rem; margin-top: 1rem; } polyline { vector-effect: non-scaling-stroke; }
pre { overflow-x: auto; line-height: 1.1; }
figure { margin: 2rem 0; } figcaption { font-weight: 600; }
.boards { display: flex; flex-wrap: wrap; gap: 2rem; }
"""


def html(found: Sequence[ReviewedFile]) -> str:
    title = say("review", "title")
    body = "\n".join(line for each in found for line in _file(each))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def _file(found: ReviewedFile) -> Iterator[str]:
    matches = matches_of(found.record)
    for number, (match, review) in enumerate(zip(matches, found.review.matches, strict=True), 1):
        about = say("review", "episode", n=number, of=len(matches)) if len(matches) > 1 else ""
        line = say("review", "about", file=found.file, game=found.review.game, futures=found.review.futures)
        names = found.names(review)
        yield f"<h2>{escape(line + about)}</h2>"
        yield _table(review, names)
        yield _curve(review, names)
        told = *strengths(found.review.game, review, names), *sentences(review, names)
        yield "<ul>" + "".join(f"<li>{escape(line)}</li>" for line in told) + "</ul>"
        yield from _mistakes(match, review, names)


def _table(review: MatchReview, names: Sequence[str]) -> str:
    heads = "<th></th>" + "".join(f"<th>{escape(say('review', head))}</th>" for head in COLUMNS)
    rows = [[names[each.seat], *cells(each)] for each in review.accounts]
    told = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{heads}</tr>{told}</table>"


def _curve(review: MatchReview, names: Sequence[str]) -> str:
    """What each seat could expect, from the first move to the last."""
    values = [seat.points.mean for point in review.curve for seat in point.seats]
    low, high = min(values), max(values) + 0.001
    last = max(review.curve[-1].moves, 1)
    lines, legend = [], []
    for seat, name in enumerate(names):
        path = " ".join(
            f"{WIDE * point.moves / last:.1f},{HIGH * (high - point.seats[seat].points.mean) / (high - low):.1f}"
            for point in review.curve
        )
        dash = "" if seat == 0 else f' stroke-dasharray="{2 + 3 * seat} 3"'
        colour = "light-dark({}, {})".format(*COLOURS[seat % len(COLOURS)])
        lines.append(f'<polyline points="{path}" fill="none" style="stroke: {colour}" stroke-width="2"{dash}/>')
        legend.append(f'<span style="color: {colour}">{escape(name)}</span>')
    label = escape(say("review", "curve", low=f"{low:.0f}", high=f"{high:.0f}"))
    drawn = f'<svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" role="img" aria-label="{label}">'
    return f"{drawn}{''.join(lines)}</svg><p>{label}: {', '.join(legend)}</p>"


def _mistakes(match: Match, review: MatchReview, names: Sequence[str]) -> Iterator[str]:
    wrong = [decision for decision in review.decisions if decision.grade != "good"]
    dearest = sorted(wrong, key=lambda decision: -decision.loss.points.mean)[:MOST_BOARDS]
    for decision in sorted(dearest, key=lambda decision: (decision.move, decision.seat)):
        about = {"n": decision.move + 1, "name": names[decision.seat], "points": f"{decision.loss.points.mean:.1f}"}
        told = lost_or_found("loss", decision, about)
        boards = "".join(_boards(match, decision, names))
        yield f'<figure><figcaption>{escape(told)}</figcaption><div class="boards">{boards}</div></figure>'


def _boards(match: Match, decision: Decision, names: Sequence[str]) -> Iterator[str]:
    """The board with what was played, and with what was better."""
    screen, before = screen_of(match.game.key), match.rewound(decision.move)
    view = match.game.view(before.state, decision.seat)
    for title, choice in (("played", decision.played), ("better", decision.best)):
        marks = screen.preview(view, decision.seat, choice.action)
        drawn = _drawn(screen.board(view, decision.seat, marks))
        yield f"<div>{escape(say('review', title))}<pre>{drawn}</pre></div>"


def _drawn(lines: Sequence[Text]) -> str:
    console = Console(record=True, file=StringIO(), width=120, force_terminal=True, highlight=False)
    for line in lines:
        console.print(line, soft_wrap=True)
    return console.export_html(inline_styles=True, code_format="{code}")
