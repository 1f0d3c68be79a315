"""Any legal action, each as likely as the others. For tests: it goes where nobody would go."""

from typing import Any

from polyopolis.engine import AnyGame, Rng


def uniform(game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
    return rng.choice(game.legal(state, seat))
