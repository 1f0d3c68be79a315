"""Bots by name, their levels, and explanations of their choices. Bots see only public information."""

from typing import Any
from warnings import warn

from polyopolis.bots import greedy
from polyopolis.bots.bot_protocol import Bot, choose, rng_of
from polyopolis.bots.explainer_protocol import Explainer, Explanation
from polyopolis.bots.learned_level import GAZE, MASTER, MASTER_GAMES
from polyopolis.bots.levels import DEFAULT, LEVELS, NOVICE, SIGHT, BotLevel
from polyopolis.bots.random_bots import random, uniform
from polyopolis.engine import Match, PolyopolisError
from polyopolis.kernels.positions import find_kernel

BOTS: dict[str, Bot] = {
    "greedy": greedy.greedy,
    "random": random,
    "uniform": uniform,
    "sight": SIGHT,
    "novice": NOVICE,
    "gaze": GAZE,
    **LEVELS,
    "master": MASTER,
}

EXPLAINERS: dict[str, Explainer] = {
    "greedy": greedy.explain,
    "sight": SIGHT.explain,
    **{name: level.explain for name, level in LEVELS.items()},
}


def opponents(key: str) -> tuple[str, ...]:
    """Bots that are offered as opponents. Levels need a kernel of the game to search."""
    learned = ("master",) if key in MASTER_GAMES else ()
    return ("novice", *LEVELS, *learned, "greedy", "random") if find_kernel(key) else ("greedy", "random")


def default_opponent(key: str) -> str:
    """The preselected opponent."""
    return DEFAULT if DEFAULT in opponents(key) else "greedy"


def beginner_opponent(key: str) -> str:
    """The easy opponent that is offered to players who have not finished a match of the game yet."""
    return "novice" if "novice" in opponents(key) else "random"


class UnknownBot(PolyopolisError):
    """No bot has this name."""


def bot(name: str) -> Bot:
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return BOTS[name]


def effort(name: str) -> int:
    """Approximate cost of a decision in simulations; 0 for bots that do not search."""
    found = BOTS.get(name)
    return found.effort if isinstance(found, BotLevel) else 0


def explain(name: str, match: Match, seat: int, seed: bytes) -> Explanation:
    """Explains the choice that the bot would make now. Raises `UnknownBot` if the bot has no explanations."""
    if name not in EXPLAINERS:
        raise UnknownBot(f"there is no bot {name!r} that explains itself; there are {', '.join(sorted(EXPLAINERS))}")
    simulations, options = EXPLAINERS[name](match.game, match.state, seat, rng_of(match, seat, seed))
    kernel = find_kernel(match.game.key)
    return Explanation(name, simulations, kernel is not None and kernel.FINAL and simulations > 0, tuple(options))


__all__ = [
    "BOTS",
    "DEFAULT",
    "EXPLAINERS",
    "LEVELS",
    "Bot",
    "Explanation",
    "UnknownBot",
    "beginner_opponent",
    "bot",
    "choose",
    "default_opponent",
    "effort",
    "explain",
    "opponents",
]

_FORMER_NAMES = {"beatable": "beginner_opponent", "usual": "default_opponent"}
"""Names in version 0.2, still importable with a `DeprecationWarning` until version 0.4."""


def __getattr__(name: str) -> Any:
    if name not in _FORMER_NAMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    warn(f"polyopolis.bots.{name} is now {_FORMER_NAMES[name]}", DeprecationWarning, stacklevel=2)
    return globals()[_FORMER_NAMES[name]]
