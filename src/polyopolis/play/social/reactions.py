"""A few signs that people make to each other at a table. They are seen for a moment, and kept nowhere."""

from typing import cast, get_args

import msgspec

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import Reacted
from polyopolis.play.social.chat import demand_voice
from polyopolis.play.table.room import TableContext
from polyopolis.play.wire.requests import React, Reaction


async def react(room: TableContext, person: str, wish: React, *, muted: bool) -> None:
    """Everybody sees it who looks on, but whoever does not want to hear them."""
    if room.house.notebook is None:
        raise NotFound("there is nobody else here")
    if wish.seat not in room.seating.held_by(person):
        raise Forbidden("only those who have a seat make signs here")
    demand_voice(muted)
    await _tell(room, wish.seat, wish.reaction)
    room.house.neighbours.aside(room.table, f"{wish.reaction}/{wish.seat}")


async def overheard(room: TableContext, reaction: str, seat: str) -> None:
    """Somebody has made it at another node."""
    if reaction in get_args(Reaction) and seat.isdigit() and int(seat) < len(room.seating.rows):
        await _tell(room, int(seat), cast("Reaction", reaction))


async def _tell(room: TableContext, seat: int, reaction: Reaction) -> None:
    person, notebook = room.seating.row(seat).person, room.house.notebook
    deaf = await notebook.ignoring(person) if person and notebook else frozenset()
    said = msgspec.json.encode(Reacted(seat, reaction))
    room.tell_each(lambda each: None if each in deaf else said)
