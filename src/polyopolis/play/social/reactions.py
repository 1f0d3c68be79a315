"""Reactions of players, which are shown for a moment and not stored."""

from typing import cast, get_args

import msgspec

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import ReactionShown
from polyopolis.play.social.chat import check_not_muted
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.requests import Reaction, SendReaction


async def react(context: TableContext, person: str, wish: SendReaction, *, muted: bool) -> None:
    """Sends a reaction to all guests, except those who ignore the player."""
    if context.services.chat_repository is None:
        raise NotFound("this site has no chat")
    if wish.seat not in context.seating.held_by(person):
        raise Forbidden("only players can react")
    check_not_muted(muted)
    await _tell(context, wish.seat, wish.reaction)
    context.services.cluster.aside(context.table, f"{wish.reaction}/{wish.seat}")


async def receive(context: TableContext, reaction: str, seat: str) -> None:
    """Sends a reaction of another node."""
    if reaction in get_args(Reaction) and seat.isdigit() and int(seat) < len(context.seating.rows):
        await _tell(context, int(seat), cast("Reaction", reaction))


async def _tell(context: TableContext, seat: int, reaction: Reaction) -> None:
    person, chat_repository = context.seating.row(seat).person, context.services.chat_repository
    deaf = await chat_repository.ignoring(person) if person and chat_repository else frozenset()
    said = msgspec.json.encode(ReactionShown(seat, reaction))
    context.send_each(lambda each: None if each in deaf else said)
