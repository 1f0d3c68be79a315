"""The games, each a folder with the same files."""

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games.mycity import rules as mycity

GAMES: dict[str, AnyGame] = {game.key: game for game in [mycity]}


class UnknownGame(PolyopolisError):
    """There is no game with this key."""


def game(key: str) -> AnyGame:
    if key not in GAMES:
        raise UnknownGame(f"there is no game {key!r}; there is {', '.join(sorted(GAMES))}")
    return GAMES[key]
