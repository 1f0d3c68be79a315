"""Players that are programs. They see what everybody sees."""

from polyopolis.bots.bot import Bot, choose
from polyopolis.bots.greedy import greedy
from polyopolis.bots.levels import DEFAULT, LEVELS
from polyopolis.bots.random import random
from polyopolis.bots.uniform import uniform
from polyopolis.engine import PolyopolisError
from polyopolis.kernels import LANDS

BOTS: dict[str, Bot] = {"greedy": greedy, "random": random, "uniform": uniform, **LEVELS}


def opponents(key: str) -> tuple[str, ...]:
    """Those that people may want to play with: levels where they search, which needs a kernel of the game."""
    return (*LEVELS, "greedy", "random") if key in LANDS else ("greedy", "random")


def usual(key: str) -> str:
    """The opponent that is offered first."""
    return DEFAULT if DEFAULT in opponents(key) else "greedy"


class UnknownBot(PolyopolisError):
    """There is no bot with this name."""


def bot(name: str) -> Bot:
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return BOTS[name]


__all__ = ["BOTS", "DEFAULT", "LEVELS", "Bot", "UnknownBot", "bot", "choose", "opponents", "usual"]
