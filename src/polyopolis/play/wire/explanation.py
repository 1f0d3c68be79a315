"""Why somebody advises what they advise, as data: what else was thought of, what is expected, what speaks for each."""

from typing import Any, Literal

from msgspec import Struct

How = Literal["gains", "keeps", "loses", "misses"]
"""What a choice does to something: beside the position as it is, and beside what most other choices do."""


class Saying(Struct, frozen=True):
    """Something that can be said in a few words."""

    feature: str
    how: How


class Option(Struct, frozen=True):
    """Something that a bot thought of doing."""

    action: Any
    expected: float
    """The final score of the seat, as the bot sees it, or what is only good for comparing: see `final`."""
    features: dict[str, float]
    """What speaks for it and against it: points by feature, beside what all choices come to on average."""
    pro: tuple[Saying, ...]
    con: tuple[Saying, ...]
    """The same as players say it, the weightiest first."""


class Explanation(Struct, frozen=True):
    """What a bot would do, the first option, and what else it thought of, the best first."""

    bot: str
    simulations: int
    """Whole games that it played to find out; none if it decides at sight."""
    final: bool
    """Whether it expects final scores, since it played to the end. Who looks less far leaves out much that is the same
    for all options."""
    options: tuple[Option, ...]
