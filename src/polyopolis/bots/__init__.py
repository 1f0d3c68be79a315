"""Players that are programs. They see what everybody sees."""

from polyopolis.bots.bot import Bot, choose
from polyopolis.bots.greedy import greedy
from polyopolis.bots.levels import DEFAULT, LEVELS
from polyopolis.bots.random import random
from polyopolis.bots.uniform import uniform
from polyopolis.engine import PolyopolisError

BOTS: dict[str, Bot] = {"greedy": greedy, "random": random, "uniform": uniform, **LEVELS}
OPPONENTS = (*LEVELS, "greedy", "random")
"""Those that people may want to play with."""


class UnknownBot(PolyopolisError):
    """There is no bot with this name."""


def bot(name: str) -> Bot:
    if name not in BOTS:
        raise UnknownBot(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return BOTS[name]


__all__ = ["BOTS", "DEFAULT", "LEVELS", "OPPONENTS", "Bot", "UnknownBot", "bot", "choose"]
