"""Reviews as one self-contained HTML page."""

from collections.abc import Iterator, Sequence
from html import escape
from io import StringIO

from rich.console import Console
from rich.text import Text

from polyopolis.analysis import Decision, MatchReview
from polyopolis.analysis.reviewer import matches_of
from polyopolis.cli.phrases import phrase
from polyopolis.cli.reports.review_text import (
    COLUMNS,
    ReviewedFile,
    account_cells,
    decision_sentence,
    moment_sentences,
    strength_sentences,
)
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import Match

CURVE_WIDTH, CURVE_HEIGHT = 900, 240
SEAT_COLOURS = (("#2563a8", "#7db4ee"), ("#b4472f", "#f0997f"), ("#3f7d4e", "#86cf98"), ("#8a5aa8", "#cda2e8"))
"""Colours of the seats in the light and the dark scheme. Lines also differ by their dashes."""
MAX_BOARDS = 10
"""Mistakes that are shown on boards, the most expensive first."""
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


def review_page(found: Sequence[ReviewedFile]) -> str:
    """Returns the page."""
    title = phrase("review", "title")
    body = "\n".join(line for each in found for line in _file(each))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>'
        f"<body><h1>{title}</h1>\n{body}\n</body></html>\n"
    )


def _file(found: ReviewedFile) -> Iterator[str]:
    matches = matches_of(found.record)
    for number, (match, review) in enumerate(zip(matches, found.review.matches, strict=True), 1):
        about = phrase("review", "episode", n=number, of=len(matches)) if len(matches) > 1 else ""
        line = phrase("review", "about", file=found.file, game=found.review.game, futures=found.review.futures)
        names = found.names(review)
        yield f"<h2>{escape(line + about)}</h2>"
        yield _account_table(review, names)
        yield _curve(review, names)
        sentences = *strength_sentences(found.review.game, review, names), *moment_sentences(review, names)
        yield "<ul>" + "".join(f"<li>{escape(sentence)}</li>" for sentence in sentences) + "</ul>"
        yield from _mistakes(match, review, names)


def _account_table(review: MatchReview, names: Sequence[str]) -> str:
    heads = "<th></th>" + "".join(f"<th>{escape(phrase('review', head))}</th>" for head in COLUMNS)
    rows = [[names[each.seat], *account_cells(each)] for each in review.accounts]
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><tr>{heads}</tr>{body}</table>"


def _curve(review: MatchReview, names: Sequence[str]) -> str:
    """Returns a chart of the expected points of each seat, from the first move to the last."""
    values = [seat.points.mean for point in review.curve for seat in point.seats]
    low, high = min(values), max(values) + 0.001
    last = max(review.curve[-1].moves, 1)
    lines, legend = [], []
    for seat, name in enumerate(names):
        path = " ".join(
            f"{CURVE_WIDTH * point.moves / last:.1f},"
            f"{CURVE_HEIGHT * (high - point.seats[seat].points.mean) / (high - low):.1f}"
            for point in review.curve
        )
        dash = "" if seat == 0 else f' stroke-dasharray="{2 + 3 * seat} 3"'
        colour = "light-dark({}, {})".format(*SEAT_COLOURS[seat % len(SEAT_COLOURS)])
        lines.append(f'<polyline points="{path}" fill="none" style="stroke: {colour}" stroke-width="2"{dash}/>')
        legend.append(f'<span style="color: {colour}">{escape(name)}</span>')
    label = escape(phrase("review", "curve", low=f"{low:.0f}", high=f"{high:.0f}"))
    drawn = (
        f'<svg viewBox="0 0 {CURVE_WIDTH} {CURVE_HEIGHT}" preserveAspectRatio="none" role="img" aria-label="{label}">'
    )
    return f"{drawn}{''.join(lines)}</svg><p>{label}: {', '.join(legend)}</p>"


def _mistakes(match: Match, review: MatchReview, names: Sequence[str]) -> Iterator[str]:
    wrong = [decision for decision in review.decisions if decision.grade != "good"]
    dearest = sorted(wrong, key=lambda decision: -decision.loss.points.mean)[:MAX_BOARDS]
    for decision in sorted(dearest, key=lambda decision: (decision.move, decision.seat)):
        about = {"n": decision.move + 1, "name": names[decision.seat], "points": f"{decision.loss.points.mean:.1f}"}
        sentence = decision_sentence("loss", decision, about)
        boards = "".join(_boards(match, decision))
        yield f'<figure><figcaption>{escape(sentence)}</figcaption><div class="boards">{boards}</div></figure>'


def _boards(match: Match, decision: Decision) -> Iterator[str]:
    """Yields the board after the played action and after the better one."""
    screen, before = screen_of(match.game.key), match.rewound(decision.move)
    view = match.game.view(before.state, decision.seat)
    for title, choice in (("played", decision.played), ("better", decision.best)):
        marks = screen.preview(view, decision.seat, choice.action)
        drawn = _drawn(screen.board(view, decision.seat, marks))
        yield f"<div>{escape(phrase('review', title))}<pre>{drawn}</pre></div>"


def _drawn(lines: Sequence[Text]) -> str:
    console = Console(record=True, file=StringIO(), width=120, force_terminal=True, highlight=False)
    for line in lines:
        console.print(line, soft_wrap=True)
    return console.export_html(inline_styles=True, code_format="{code}")
