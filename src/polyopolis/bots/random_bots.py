"""Random bots. `random` passes, turns, draws or stops only if it must; `uniform` chooses among all legal actions."""

from typing import Any

from polyopolis.bots.bot_protocol import tag_of
from polyopolis.engine import AnyGame, Rng

LAST_RESORTS = ("stop", "pass", "draw", "flip")
"""Tags of actions that `random` avoids, most avoided first."""


def random(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    legal = game.legal(state, seat)
    eager = max(map(_eagerness, legal))
    return rng.choice([action for action in legal if _eagerness(action) == eager])


def _eagerness(action: Any) -> int:
    tag = tag_of(action)
    return LAST_RESORTS.index(tag) if tag in LAST_RESORTS else len(LAST_RESORTS)


def uniform(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    return rng.choice(game.legal(state, seat))
