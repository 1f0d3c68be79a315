"""A bot's explanation of its choice, as data: the options, their expected scores, and arguments."""

from typing import Any, Literal

from msgspec import Struct

How = Literal["gains", "keeps", "loses", "misses"]
"""The effect of a choice on a feature, compared with the current position and with most other choices."""


class Argument(Struct, frozen=True):
    """An argument."""

    feature: str
    how: How


class ConsideredAction(Struct, frozen=True):
    """An action that the bot considered."""

    action: Any
    expected: float
    """The expected final score of the seat, or a value that only serves for comparison: see `final`."""
    features: dict[str, float]
    """The contribution of each feature in points, compared with the mean of all choices."""
    pro: tuple[Argument, ...]
    con: tuple[Argument, ...]
    """The arguments for and against, most important first."""


class Explanation(Struct, frozen=True):
    """The action that a bot would take, as the first option, and the others, best first."""

    bot: str
    simulations: int
    """Number of complete games that the bot simulated; 0 if it evaluates positions only."""
    final: bool
    """Whether `expected` is a final score. Otherwise it leaves out most terms that are the same for all options."""
    options: tuple[ConsideredAction, ...]
