"""Protocol of bots: a function that chooses a legal action of a seat from the public state of a game."""

from typing import Any, Protocol

from msgspec import Struct

from polyopolis.engine import AnyGame, Match, Rng, derive_seed


class Bot(Protocol):
    """Chooses an action. Ties must be broken by `rng`, never by the order of the legal actions."""

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any: ...


def choose(bot: Bot, match: Match, seat: int, seed: bytes) -> Any:
    """Returns the action of the bot. It depends only on the match, the seat and the seed, not on earlier calls."""
    return bot(match.game, match.state, seat, rng_of(match, seat, seed))


def rng_of(match: Match, seat: int, seed: bytes) -> Rng:
    return Rng(derive_seed(derive_seed(seed, "seat", seat), "turn", len(match.moves)))


def tag_of(action: Struct) -> str:
    return str(action.__struct_config__.tag)
