"""What a bot is: it looks at a state, which holds no secret, and chooses a legal action for its seat."""

from typing import Any, Protocol

from msgspec import Struct

from polyopolis.engine import AnyGame, Match, Rng, derive_seed


class Bot(Protocol):
    """Ties are broken by the rng, never by the order of a list."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any: ...


def choose(bot: Bot, match: Match, seat: int, seed: bytes) -> Any:
    """What the bot does now. It depends on the match, its seat and its seed, not on what it was asked before."""
    return bot(match.game, match.state, seat, rng_of(match, seat, seed))


def rng_of(match: Match, seat: int, seed: bytes) -> Rng:
    return Rng(derive_seed(derive_seed(seed, "seat", seat), "turn", len(match.moves)))


def tag_of(action: Struct) -> str:
    return str(action.__struct_config__.tag)
