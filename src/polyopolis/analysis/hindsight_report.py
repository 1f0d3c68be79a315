"""Hindsight report of a seat, in steps: best city with the luck as it came, upper bound, and par."""

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from polyopolis.analysis.estimates import Estimate
from polyopolis.analysis.hindsight import BEAM_WIDTHS, BeamProgress, Hindsight, HindsightSearch
from polyopolis.engine import CHANCE, Dealer, Match, seed_of
from polyopolis.kernels.runtime.jit import BACKEND, Backend

PAR_GAMES: dict[Backend, int] = {"native": 6, "wasm": 2, "plain": 0}
"""Number of games of level 5 for par. Each takes as long as the search."""
ROUGH_STEPS = 2
"""Number of beam widths, and of games, of a rough report."""
SEED = seed_of("par")


class HindsightCard(Struct, frozen=True):
    """The best city after a card or roll."""

    luck: Any
    """The card or roll; None before the first one."""
    action: Any
    """The action of the seat; None if it had no decision."""
    score: int
    view: Any
    """View of the table with that city in the seat."""


class HindsightReport(Struct, frozen=True, kw_only=True):
    """Hindsight report of a seat."""

    seat: int
    score: int
    """Score of the seat in the match."""
    best: int
    """Score of the best city found."""
    bound: int
    """No city can exceed it."""
    proven: bool
    """Whether `best` and `bound` are equal, so that no city is better."""
    cards: tuple[HindsightCard, ...] = ()
    """That city card by card, beginning with the empty one. Empty until the search is finished."""
    par: Estimate | None = None
    """Mean score of level 5 with this luck, which it does not know."""
    games: int = 0
    """Number of games of `par`."""
    final: bool = False


class HindsightProgress(Struct, frozen=True):
    """Progress from 0 to 1, and the report if it has changed."""

    done: float
    back: HindsightReport | None = None


def look_back(match: Match, seat: int, dealer: Dealer | None, rough: bool = False) -> Iterator[HindsightProgress]:
    """Yields the report in steps: first the city, then par. Closing the generator cancels the work."""
    widths, games = (
        BEAM_WIDTHS[:ROUGH_STEPS] if rough else BEAM_WIDTHS,
        min(PAR_GAMES[BACKEND], ROUGH_STEPS) if rough else PAR_GAMES[BACKEND],
    )
    search, steps = HindsightSearch(match, seat, dealer), 1 + games
    found = search.best_played()
    for each in search.search(widths):
        if isinstance(each, BeamProgress):
            yield HindsightProgress(_share(each, widths) / steps)
        elif each.width:
            found = each
            yield HindsightProgress(_share_through(each.width, widths) / steps, _summary(match, seat, found))
    cards = tuple(cards_of(search.match_with(found), seat))
    back = replace(_summary(match, seat, found), cards=cards, final=not games)
    yield HindsightProgress(1 / steps, back)
    scores = list[int]()
    for score in search.counterfactual.par(games, SEED):
        scores += [] if score is None else [score]
        if len(scores) < games:
            yield HindsightProgress((1 + len(scores)) / steps)
    if games:
        yield HindsightProgress(1.0, replace(back, par=_mean(scores), games=games, final=True))


def _summary(match: Match, seat: int, found: Hindsight) -> HindsightReport:
    score = match.result.scores[seat]
    return HindsightReport(seat=seat, score=score, best=found.score, bound=found.bound, proven=found.proven)


def _mean(scores: Sequence[int]) -> Estimate:
    return Estimate(round(fmean(scores), 4), round(stdev(scores) / sqrt(len(scores)), 4) if len(scores) > 1 else 0.0)


def _share_through(width: int, widths: Sequence[int]) -> float:
    """Share of the search that is done after this width. The time is proportional to the width."""
    return sum(each for each in widths if each <= width) / sum(widths)


def _share(progress: BeamProgress, widths: Sequence[int]) -> float:
    return _share_through(progress.width, widths) - (1 - progress.share) * progress.width / sum(widths)


def cards_of(match: Match, seat: int) -> Iterator[HindsightCard]:
    """The city of a seat at the start, before each following card or roll, and at the end of the match."""
    now, luck, action = Match.start(match.game, match.setup), None, None
    for move in match.moves:
        if move.seat == CHANCE:
            yield _card(now, seat, luck, action)
            luck, action = move.action, None
        elif move.seat == seat and action is None:
            action = move.action
        now = now.decide(move.seat, move.action)
    yield _card(now, seat, luck, action)


def _card(now: Match, seat: int, luck: Any, action: Any) -> HindsightCard:
    return HindsightCard(luck, action, now.result.scores[seat], now.game.view(now.state, None))
