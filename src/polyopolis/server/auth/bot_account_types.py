"""Request and response bodies of the external bot API (server only)."""

from typing import Annotated

from msgspec import Meta, Struct

from polyopolis.play.seats.bot_ids import Scope
from polyopolis.play.wire.requests import Body, Name

# Requests


class CreateBot(Body, frozen=True):
    """Create a bot with this name."""

    name: Name


class CreateToken(Body, frozen=True):
    """Create a token for a bot, with a name for the list."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=2)] = ("watch", "play")


# Responses


class TokenInfo(Struct, frozen=True, gc=False):
    id: str
    """The digest of the token."""
    name: str
    scopes: tuple[Scope, ...]
    made: int
    seen: int
    """In seconds since 1970, with a precision of an hour."""


class BotInfo(Struct, frozen=True, gc=False):
    id: str
    name: str
    made: int
    tables: int
    """The number of tables where it has a seat."""
    tokens: tuple[TokenInfo, ...]


class OwnBots(Struct, frozen=True, gc=False):
    bots: tuple[BotInfo, ...]
    most: int
    """The number of bots that a person may have."""


class CreatedToken(Struct, frozen=True, gc=False):
    """A new token, which is shown once."""

    token: str
    bots: OwnBots
