"""Seeds of environments: those of the house, so that a game here has the luck of the same game anywhere in it."""

import secrets

from polyopolis.engine import derive_seed, seed_of


class Seeds:
    """A seed for each game: after `begin(seed)` those of `polyopolis arena --seed SEED`, one deck after the other."""

    def __init__(self) -> None:
        self._root, self._games = secrets.token_bytes(32), 0

    def begin(self, seed: int | None) -> None:
        """From the first game of this seed on; without one the next game follows."""
        if seed is not None:
            self._root, self._games = seed_of(str(seed)), 0

    def next(self) -> tuple[bytes, bytes]:
        """Of the luck of the next game, and of the bots in it."""
        number = self._games
        self._games += 1
        return derive_seed(self._root, "match", number), derive_seed(self._root, "bots", number)
