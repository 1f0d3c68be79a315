"""What a page asks and is told about outside bots. Only a server has them."""

from typing import Annotated

from msgspec import Meta, Struct

from polyopolis.play.seats.bot_ids import Scope
from polyopolis.play.wire.requests import Body, Name

# Wishes


class MakeBot(Body, frozen=True):
    """A bot of one's own, with this name."""

    name: Name


class MakeToken(Body, frozen=True):
    """A token for a bot, and how it is called in the list."""

    name: Name
    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=2)] = ("watch", "play")


# Answers


class TokenInfo(Struct, frozen=True, gc=False):
    id: str
    """Its digest."""
    name: str
    scopes: tuple[Scope, ...]
    made: int
    seen: int
    """In seconds since 1970, to the hour."""


class BotInfo(Struct, frozen=True, gc=False):
    id: str
    name: str
    made: int
    tables: int
    """At which it sits."""
    tokens: tuple[TokenInfo, ...]


class OwnBots(Struct, frozen=True, gc=False):
    bots: tuple[BotInfo, ...]
    most: int
    """That one may have."""


class TokenMade(Struct, frozen=True, gc=False):
    """Shown once."""

    token: str
    bots: OwnBots
