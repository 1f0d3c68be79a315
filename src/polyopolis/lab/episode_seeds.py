"""Seeds of environment episodes: a game has the same decks here as on the command line."""

import secrets

from polyopolis.engine import derive_seed, seed_of


class EpisodeSeeds:
    """A seed per game: after `begin(seed)` those of `polyopolis arena --seed SEED`, deck by deck."""

    def __init__(self) -> None:
        self._root, self._games = secrets.token_bytes(32), 0

    def begin(self, seed: int | None) -> None:
        """Restarts with the first game of this seed; without a seed the sequence continues."""
        if seed is not None:
            self._root, self._games = seed_of(str(seed)), 0

    def next(self) -> tuple[bytes, bytes]:
        """Returns the seeds of the next game for chance events and for bots."""
        number = self._games
        self._games += 1
        return derive_seed(self._root, "match", number), derive_seed(self._root, "bots", number)
