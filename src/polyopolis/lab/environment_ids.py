"""What can be played here, by ids with a version: whoever measured on one finds the same under it."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, get_args

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games import game, spec_of
from polyopolis.games.mycity.content import content as mycity_content
from polyopolis.games.pointcity.content import LevelName
from polyopolis.games.rollwrite.content import content as rollwrite_content

NAMESPACE = "polyopolis"
"""Before ids, where a library keeps those of everybody."""
VERSION = 0
"""Of numbers, observations and rewards: another one when any of them changes for an id that is out."""


class UnknownOffer(PolyopolisError):
    """There is nothing with this id, or not for so many."""


@dataclass(frozen=True)
class EnvironmentId:
    """A way to play: a match, or a plan of episodes."""

    id: str
    key: str
    said: tuple[tuple[str, Any], ...] = ()
    """What the setup says besides the seats."""
    plan: tuple[int, ...] = ()
    seats: range = range(1, 2)

    @property
    def rules(self) -> AnyGame:
        return game(self.key)

    def setup(self, seats: int) -> Any:
        """Of the match, or of the first episode."""
        if seats not in self.seats:
            raise UnknownOffer(f"{self.id} is for {self.seats[0]} to {self.seats[-1]} seats, not for {seats}")
        return self.rules.Setup(seats=seats, **dict(self.said))


def _mycity() -> Iterator[tuple[str, dict[str, Any], tuple[int, ...]]]:
    yield "eternal", {"mode": "eternal"}, ()
    for number in mycity_content().numbers:
        yield f"episode-{number}", {"mode": "episode", "episode": number}, ()
    for name, plan in spec_of("mycity").plans(mycity_content().version).items():
        yield name, {**spec_of("mycity").planned, "episode": plan[0]}, plan


def _rollwrite() -> Iterator[tuple[str, dict[str, Any], tuple[int, ...]]]:
    for number in rollwrite_content().episodes:
        yield f"episode-{number}", {"episode": number}, ()
    for name, plan in spec_of("rollwrite").plans(rollwrite_content().version).items():
        yield name, {"episode": plan[0]}, plan


def _offers() -> Iterator[EnvironmentId]:
    for key, ways in (("mycity", _mycity()), ("rollwrite", _rollwrite())):
        for name, said, plan in ways:
            yield EnvironmentId(f"{key}-{name}-v{VERSION}", key, tuple(said.items()), plan, game(key).seats)
    yield EnvironmentId(f"pointcity-v{VERSION}", "pointcity", seats=range(2, game("pointcity").seats.stop))
    for level in get_args(LevelName):
        yield EnvironmentId(f"pointcity-alone-{level}-v{VERSION}", "pointcity", (("automa", level),))
        chosen = ("automa", level), ("tokens", "chosen")
        yield EnvironmentId(f"pointcity-chosen-{level}-v{VERSION}", "pointcity", chosen)


@cache
def offers() -> dict[str, EnvironmentId]:
    """All of them by id."""
    return {offer.id: offer for offer in _offers()}


def offer_of(name: str) -> EnvironmentId:
    if name not in offers():
        raise UnknownOffer(f"there is no {name!r} in the laboratory; there is {', '.join(offers())}")
    return offers()[name]
