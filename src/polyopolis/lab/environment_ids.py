"""Environment ids and what each one plays. Ids have a version: results of one id stay comparable."""

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
"""Prefix of ids in libraries with a global registry."""
ENVIRONMENT_VERSION = 0
"""Version of action numbers, observations and rewards. It is increased when any of them changes for a published id."""


class UnknownEnvironment(PolyopolisError):
    """Raised for an unknown id or an unsupported number of seats."""


@dataclass(frozen=True)
class EnvironmentId:
    """A match or a plan of episodes with its setup."""

    id: str
    key: str
    options: tuple[tuple[str, Any], ...] = ()
    """Options of the setup except the seats."""
    plan: tuple[int, ...] = ()
    seats: range = range(1, 2)

    @property
    def rules(self) -> AnyGame:
        return game(self.key)

    def setup(self, seats: int) -> Any:
        """Returns the setup of the match or of the first episode."""
        if seats not in self.seats:
            raise UnknownEnvironment(f"{self.id} is for {self.seats[0]} to {self.seats[-1]} seats, not for {seats}")
        return self.rules.Setup(seats=seats, **dict(self.options))


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
        for name, options, plan in ways:
            yield EnvironmentId(
                f"{key}-{name}-v{ENVIRONMENT_VERSION}", key, tuple(options.items()), plan, game(key).seats
            )
    yield EnvironmentId(f"pointcity-v{ENVIRONMENT_VERSION}", "pointcity", seats=range(2, game("pointcity").seats.stop))
    for level in get_args(LevelName):
        yield EnvironmentId(f"pointcity-alone-{level}-v{ENVIRONMENT_VERSION}", "pointcity", (("automa", level),))
        chosen = ("automa", level), ("tokens", "chosen")
        yield EnvironmentId(f"pointcity-chosen-{level}-v{ENVIRONMENT_VERSION}", "pointcity", chosen)


@cache
def offers() -> dict[str, EnvironmentId]:
    """Returns all environments by id."""
    return {offer.id: offer for offer in _offers()}


def offer_of(name: str) -> EnvironmentId:
    if name not in offers():
        raise UnknownEnvironment(f"unknown environment {name!r}; available: {', '.join(offers())}")
    return offers()[name]
