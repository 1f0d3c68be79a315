"""The games, each a folder with the same files, known by its sign."""

import os
from functools import cache

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.game_spec import Sign, looked_up

GUESTS = "POLYOPOLIS_GAMES"
"""In the environment: modules with signs of games from elsewhere, with commas, so that every process knows them."""


def _signs(*modules: str, by: str = "the house") -> tuple[Sign, ...]:
    return tuple(looked_up(module.strip(), by).SIGN for module in modules if module.strip())


HOUSE = _signs(
    "polyopolis.games.mycity.spec",
    "polyopolis.games.pointcity.spec",
    "polyopolis.games.rollwrite.spec",
)
SIGNS: dict[str, Sign] = {
    sign.key: sign for sign in (*HOUSE, *_signs(*os.environ.get(GUESTS, "").split(","), by=GUESTS))
}


class UnknownGame(PolyopolisError):
    """There is no game with this key."""


def sign_of(key: str) -> Sign:
    if key not in SIGNS:
        raise UnknownGame(f"there is no game {key!r}; there is {', '.join(sorted(SIGNS))}")
    return SIGNS[key]


def game(key: str) -> AnyGame:
    return sign_of(key).rules


@cache
def content_digest(key: str, version: int) -> str:
    """SHA-256 of the content of a game: the same as long as boards, cards and episodes are."""
    return sign_of(key).digest(version)
