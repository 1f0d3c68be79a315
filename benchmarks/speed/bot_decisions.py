"""Measures decision times of the levels, each in a game against itself on one core."""

from collections.abc import Iterator
from math import ceil
from time import perf_counter
from typing import Any

from polyopolis.bots import bot
from polyopolis.bots.bot_protocol import Bot
from polyopolis.bots.levels import DEFAULT, LEVELS
from polyopolis.bots.tournaments.arena import play_out
from polyopolis.engine import AnyGame, Rng, seed_of
from polyopolis.games import game

TABLES: dict[str, tuple[str, dict[str, Any]]] = {
    "mycity eternal, for 2": ("mycity", {"seats": 2}),
    "mycity episode 24, for 2": ("mycity", {"seats": 2, "mode": "episode", "episode": 24}),
    "rollwrite 1, for 2": ("rollwrite", {"seats": 2, "episode": 1}),
    "rollwrite 12, for 2": ("rollwrite", {"seats": 2, "episode": 12}),
    "pointcity, alone": ("pointcity", {"seats": 1, "automa": "hard"}),
    **{f"pointcity, for {seats}": ("pointcity", {"seats": seats}) for seats in (2, 3, 4)},
}
QUANTILE = 0.95


class TimedBot:
    """A bot that records the time of each decision."""

    def __init__(self, bot: Bot) -> None:
        self._bot = bot
        self.seconds: list[float] = []

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        start = perf_counter()
        action = self._bot(game, state, seat, rng)
        self.seconds.append(perf_counter() - start)
        return action


def quantile(seconds: list[float], share: float) -> float:
    """Returns the smallest time that at least this share of the decisions does not exceed."""
    return sorted(seconds)[ceil(share * len(seconds)) - 1]


def decision_times() -> Iterator[str]:
    """Measures the default and the strongest level."""
    for level in (DEFAULT, max(LEVELS)):
        for table, (key, setup) in TABLES.items():
            rules, timed = game(key), TimedBot(bot(level))
            play_out(rules, rules.Setup(**setup), [timed] * setup["seats"], seed_of("bench"), seed_of(level))
            high, longest = (1000 * quantile(timed.seconds, share) for share in (QUANTILE, 1))
            yield f"{level:10}{table:26}{QUANTILE:>16.0%} within {high:>6,.0f} ms, max {longest:>6,.0f} ms"
