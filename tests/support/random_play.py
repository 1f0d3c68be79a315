"""Random play of any game, for property tests and comparisons of two programs."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Rng, derive_seed, seed_of

Mood = Literal["any", "kinds", "busy"]
MOODS: tuple[Mood, ...] = ("any", "kinds", "busy")
"""How a random player chooses: any action, a random kind of action first, or an action of the most frequent kind."""


def chosen(actions: Sequence[Any], mood: Mood, rng: Rng) -> Any:
    kinds = sorted({type(action).__name__ for action in actions})
    by_kind = {kind: [action for action in actions if type(action).__name__ == kind] for kind in kinds}
    if mood == "kinds":
        return rng.choice(by_kind[rng.choice(kinds)])
    if mood == "busy":
        return rng.choice(max(by_kind.values(), key=len))
    return rng.choice(actions)


def moments(game: AnyGame, setup: Any, seed: str, mood: Mood) -> Iterator[Match]:
    """Yields the states of a random match: after each round of decisions and after each chance event."""
    dealer, rng = Dealer(derive_seed(seed_of(seed), "match", 0)), Rng(seed_of(seed))
    match = Match.start(game, setup)
    yield match
    while not match.over:
        match = match.deal(dealer) if match.due == {CHANCE} else _round(match, mood, rng)
        yield match


def _round(match: Match, mood: Mood, rng: Rng) -> Match:
    for seat in sorted(match.due):
        match = match.decide(seat, chosen(match.game.legal(match.state, seat), mood, rng))
    return match


def finished(game: AnyGame, setup: Any, seed: str, mood: Mood) -> Match:
    """Returns the final state of the match that `moments` plays."""
    *_, last = moments(game, setup, seed, mood)
    return last
