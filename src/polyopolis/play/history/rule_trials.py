"""Example positions of the rules pages, with the answers to all actions."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from polyopolis.engine import AnyGame, Reason
from polyopolis.games import GAME_SPECS
from polyopolis.games.rule_examples import Example
from polyopolis.play.match.messages import ScoreChange
from polyopolis.play.match.projections import sheet_changes


class TrialAction(Struct, frozen=True, omit_defaults=True):
    """An action: why it is not possible, or the score lines that it would change."""

    action: Any
    reason: Reason | None = None
    changes: tuple[ScoreChange, ...] = ()


class Trial(Struct, frozen=True):
    """A position with all actions."""

    name: str
    seat: int
    view: Any
    tries: tuple[TrialAction, ...]


class Trials(Struct, frozen=True):
    trials: tuple[Trial, ...]


@cache
def trials(key: str, version: int) -> Trials:
    """Depends on the content only, so it is computed once."""
    spec = GAME_SPECS[key]
    return Trials(tuple(trial_of(spec.rules, example) for example in spec.examples(version)))


def trial_of(game: AnyGame, example: Example) -> Trial:
    return Trial(example.name, example.seat, game.view(example.state, example.seat), tuple(_tries(game, example)))


def _tries(game: AnyGame, example: Example) -> Iterator[TrialAction]:
    state, seat = example.state, example.seat
    before = game.scores(state).sheets[seat]
    for action in example.actions:
        if reason := game.why_not(state, seat, action):
            yield TrialAction(action, reason)
        else:
            after = game.scores(game.apply(state, seat, action).state).sheets[seat]
            yield TrialAction(action, changes=sheet_changes(before, after))
