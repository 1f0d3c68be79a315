"""The games, each a folder with the same files, known by its sign."""

import os
from functools import cache

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.game_spec import GameSpec, looked_up

EXTRA_GAMES_VARIABLE = "POLYOPOLIS_GAMES"
"""In the environment: modules with signs of games from elsewhere, with commas, so that every process knows them."""


def _signs(*modules: str, by: str = "the house") -> tuple[GameSpec, ...]:
    return tuple(looked_up(module.strip(), by).SIGN for module in modules if module.strip())


BUILTIN_SPECS = _signs(
    "polyopolis.games.mycity.spec",
    "polyopolis.games.pointcity.spec",
    "polyopolis.games.rollwrite.spec",
)
GAME_SPECS: dict[str, GameSpec] = {
    sign.key: sign
    for sign in (*BUILTIN_SPECS, *_signs(*os.environ.get(EXTRA_GAMES_VARIABLE, "").split(","), by=EXTRA_GAMES_VARIABLE))
}


class UnknownGame(PolyopolisError):
    """There is no game with this key."""


def spec_of(key: str) -> GameSpec:
    if key not in GAME_SPECS:
        raise UnknownGame(f"there is no game {key!r}; there is {', '.join(sorted(GAME_SPECS))}")
    return GAME_SPECS[key]


def game(key: str) -> AnyGame:
    return spec_of(key).rules


@cache
def content_digest(key: str, version: int) -> str:
    """SHA-256 of the content of a game: the same as long as boards, cards and episodes are."""
    return spec_of(key).digest(version)
