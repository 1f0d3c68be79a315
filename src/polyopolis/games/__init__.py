"""The games, each a folder with the same files, known by its sign."""

import os
from functools import cache
from importlib import import_module

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.mycity.sign import SIGN as MYCITY
from polyopolis.games.pointcity.sign import SIGN as POINTCITY
from polyopolis.games.rollwrite.sign import SIGN as ROLLWRITE
from polyopolis.games.sign import Sign

HOUSE = (MYCITY, POINTCITY, ROLLWRITE)
"""Those of this house."""
GUESTS = "POLYOPOLIS_GAMES"
"""In the environment: modules with signs of games from elsewhere, with commas, so that every process knows them."""


def _guests(names: str) -> tuple[Sign, ...]:
    return tuple(import_module(name.strip()).SIGN for name in names.split(",") if name.strip())


SIGNS: dict[str, Sign] = {sign.key: sign for sign in (*HOUSE, *_guests(os.environ.get(GUESTS, "")))}


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
