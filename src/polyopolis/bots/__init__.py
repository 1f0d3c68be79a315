"""Players that are programs. They see what everybody sees."""

from polyopolis.bots import greedy
from polyopolis.bots.bot_protocol import Bot, choose, rng_of
from polyopolis.bots.explainer_protocol import Explainer, Explanation
from polyopolis.bots.learned_level import GAZE, MASTER, MASTERED
from polyopolis.bots.levels import DEFAULT, LEVELS, NOVICE, SIGHT, Level
from polyopolis.bots.random_bots import random, uniform
from polyopolis.engine import Match, PolyopolisError
from polyopolis.kernels.positions import kernel_of

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
    """Those that people may want to play with: levels where they search, which needs a kernel of the game."""
    learnt = ("master",) if key in MASTERED else ()
    return ("novice", *LEVELS, *learnt, "greedy", "random") if kernel_of(key) else ("greedy", "random")


def usual(key: str) -> str:
    """The opponent that is offered first."""
    return DEFAULT if DEFAULT in opponents(key) else "greedy"


def beatable(key: str) -> str:
    """The opponent that is offered to whoever has never finished a match of the game: one that can be beaten."""
    return "novice" if "novice" in opponents(key) else "random"


class UnknownBot(PolyopolisError):
    """There is no bot with this name."""


def bot(name: str) -> Bot:
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return BOTS[name]


def effort(name: str) -> int:
    """About how long a bot thinks, in simulations."""
    found = BOTS.get(name)
    return found.effort if isinstance(found, Level) else 0


def explain(name: str, match: Match, seat: int, seed: bytes) -> Explanation:
    """Why the bot does what it would choose now."""
    if name not in EXPLAINERS:
        raise UnknownBot(f"there is no bot {name!r} that explains itself; there are {', '.join(sorted(EXPLAINERS))}")
    simulations, options = EXPLAINERS[name](match.game, match.state, seat, rng_of(match, seat, seed))
    kernel = kernel_of(match.game.key)
    return Explanation(name, simulations, kernel is not None and kernel.FINAL and simulations > 0, tuple(options))


__all__ = [
    "BOTS",
    "DEFAULT",
    "EXPLAINERS",
    "LEVELS",
    "Bot",
    "Explanation",
    "UnknownBot",
    "beatable",
    "bot",
    "choose",
    "effort",
    "explain",
    "opponents",
    "usual",
]
