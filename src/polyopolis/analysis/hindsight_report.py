"""Looking back at a match, as it is told: the best city with the luck as it came, what none can exceed, and par."""

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from polyopolis.analysis.estimates import Figure
from polyopolis.analysis.hindsight import WIDTHS, Hindsight, HindsightSearch, Progress
from polyopolis.engine import CHANCE, Dealer, Match, seed_of
from polyopolis.kernels.runtime.jit import WAY, Way

GAMES: dict[Way, int] = {"native": 6, "wasm": 2, "plain": 0}
"""Of level 5, for par: each takes as long as the search."""
ROUGH = 2
"""Widths, and games, for whoever wants it quicker."""
SEED = seed_of("par")


class Card(Struct, frozen=True):
    """The best city after a card or roll."""

    luck: Any
    """What came; None before the first."""
    action: Any
    """What is built with it; None if nothing is asked."""
    score: int
    view: Any
    """The table with that city in the seat."""


class LookBack(Struct, frozen=True, kw_only=True):
    """What is known of a seat afterwards."""

    seat: int
    score: int
    """As it was played."""
    best: int
    """Of the best city that was found."""
    bound: int
    """No city can exceed it."""
    proven: bool
    """Whether the two meet, so that no city is better."""
    cards: tuple[Card, ...] = ()
    """That city card by card, once the search is over; the first is the empty one."""
    par: Figure | None = None
    """The mean of level 5 with this luck, which it does not know."""
    games: int = 0
    """How many that is the mean of."""
    final: bool = False


class Looked(Struct, frozen=True):
    """How far it is, from 0 to 1, and what is known whenever that is more than before."""

    done: float
    back: LookBack | None = None


def looked_back(match: Match, seat: int, dealer: Dealer | None, rough: bool = False) -> Iterator[Looked]:
    """First the city, then par. Whoever does not go on asking cancels it."""
    widths, games = WIDTHS[:ROUGH] if rough else WIDTHS, min(GAMES[WAY], ROUGH) if rough else GAMES[WAY]
    afterwards, steps = HindsightSearch(match, seat, dealer), 1 + games
    search, found = afterwards.found(widths), afterwards.known()
    for each in search:
        if isinstance(each, Progress):
            yield Looked(_share(each, widths) / steps)
        elif each.width:
            found = each
            yield Looked(_through(each.width, widths) / steps, _told(match, seat, found))
    cards = tuple(cards_of(afterwards.built(found), seat))
    back = replace(_told(match, seat, found), cards=cards, final=not games)
    yield Looked(1 / steps, back)
    scores = list[int]()
    for score in afterwards.again.par(games, SEED):
        scores += [] if score is None else [score]
        if len(scores) < games:
            yield Looked((1 + len(scores)) / steps)
    if games:
        yield Looked(1.0, replace(back, par=_mean(scores), games=games, final=True))


def _told(match: Match, seat: int, found: Hindsight) -> LookBack:
    score = match.result.scores[seat]
    return LookBack(seat=seat, score=score, best=found.score, bound=found.bound, proven=found.proven)


def _mean(scores: Sequence[int]) -> Figure:
    return Figure(round(fmean(scores), 4), round(stdev(scores) / sqrt(len(scores)), 4) if len(scores) > 1 else 0.0)


def _through(width: int, widths: Sequence[int]) -> float:
    """How much of a search is done after this width: what it takes grows with it."""
    return sum(each for each in widths if each <= width) / sum(widths)


def _share(progress: Progress, widths: Sequence[int]) -> float:
    return _through(progress.width, widths) - (1 - progress.share) * progress.width / sum(widths)


def cards_of(match: Match, seat: int) -> Iterator[Card]:
    """A match at its start and before every next card, and at its end."""
    now, luck, action = Match.start(match.game, match.setup), None, None
    for move in match.moves:
        if move.seat == CHANCE:
            yield _card(now, seat, luck, action)
            luck, action = move.action, None
        elif move.seat == seat and action is None:
            action = move.action
        now = now.decide(move.seat, move.action)
    yield _card(now, seat, luck, action)


def _card(now: Match, seat: int, luck: Any, action: Any) -> Card:
    return Card(luck, action, now.result.scores[seat], now.game.view(now.state, None))
