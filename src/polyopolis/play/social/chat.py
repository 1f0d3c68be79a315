"""What people write to each other at a table. It is read by whoever has a seat there, and is in no record.

Everybody may leave somebody else unheard, at all tables; and whoever runs the house may leave somebody unheard by all.
"""

import secrets

import msgspec

from polyopolis.play.entities import ChatMessage
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import Said
from polyopolis.play.protocols import ChatRepository
from polyopolis.play.table.room import TableContext
from polyopolis.play.visible_text import visible_line
from polyopolis.play.wire.requests import Ignore
from polyopolis.play.wire.responses import Conversation, Remark

SAID = "said"
"""What other nodes are told, with the id of the remark."""
SHOWN = 200
"""Remarks that somebody who opens a table gets."""
MUTED = "the host of this site has muted you: you can play and read, and nobody hears you"


async def show(room: TableContext, person: str, *, muted: bool) -> Conversation:
    """What was written here lately. What somebody ignored wrote is left out, and that it was."""
    notebook = _notebook(room, person)
    ignored = await notebook.ignored_by(person)
    rows = await notebook.remarks(room.table, SHOWN) if room.talk and room.house.talks else ()
    seats = tuple(row.seat for row in room.seating.rows if row.person in ignored)
    return Conversation(tuple(_remark(room, row, person, row.person in ignored) for row in rows), seats, muted)


async def say(room: TableContext, person: str, text: str, *, muted: bool) -> Remark:
    """Kept first, then told."""
    notebook = _notebook(room, person)
    if not (room.talk and room.house.talks):
        raise Forbidden("nobody writes at this table")
    demand_voice(muted)
    seat = room.seating.held_by(person)[0]
    row = ChatMessage(
        id=secrets.token_urlsafe(9),
        table=room.table,
        seat=seat,
        person=person,
        name=room.seating.row(seat).name,
        text=visible_line("what you write", text),
        time=room.house.clock.now(),
    )
    await notebook.write(row)
    await _tell(room, row)
    room.house.neighbours.aside(room.table, f"{SAID}/{row.id}")
    return _remark(room, row, person)


async def overheard(room: TableContext, remark: str) -> None:
    """It was written at another node."""
    row = await room.house.notebook.remark(remark) if room.house.notebook else None
    if row and row.table == room.table:
        await _tell(room, row)


async def _tell(room: TableContext, row: ChatMessage) -> None:
    deaf = await room.house.notebook.ignoring(row.person) if room.house.notebook else frozenset()
    own, others = (msgspec.json.encode(Said(_remark(room, row, reader))) for reader in (row.person, ""))

    def heard(person: str | None) -> bytes | None:
        if person in deaf or not room.seating.held_by(person):
            return None
        return own if person == row.person else others

    room.tell_each(heard)


async def ignore(room: TableContext, person: str, wish: Ignore) -> None:
    """Somebody does not want to hear whoever sits there, or has written this; or wants to again."""
    notebook = _notebook(room, person)
    if wish.remark is not None:
        other: str | None = (await _found(notebook, room, wish.remark)).person
    else:
        other = room.seating.row(-1 if wish.seat is None else wish.seat).person
    if other is None or other == person:
        raise Forbidden("there is nobody else to be heard")
    await notebook.ignore(person, other, wish.ignored)


async def report(room: TableContext, person: str, remark: str) -> None:
    """Whoever runs the house is to read it."""
    notebook = _notebook(room, person)
    row = await _found(notebook, room, remark)
    if row.person == person:
        raise Forbidden("this is your own")
    await notebook.report(row, person, room.house.clock.now() // 1000)


def demand_voice(muted: bool) -> None:
    if muted:
        raise Forbidden(MUTED)


async def _found(notebook: ChatRepository, room: TableContext, remark: str) -> ChatMessage:
    row = await notebook.remark(remark)
    if row is None or row.table != room.table:
        raise NotFound("nobody has written that here")
    return row


def _notebook(room: TableContext, person: str) -> ChatRepository:
    if room.house.notebook is None:
        raise NotFound("there is nobody else here")
    if not room.seating.held_by(person):
        raise Forbidden("only those who have a seat write and read here")
    return room.house.notebook


def _remark(room: TableContext, row: ChatMessage, reader: str, ignored: bool = False) -> Remark:
    """Where somebody else sits now nobody is to be taken for whoever wrote it."""
    sits = room.seating.row(row.seat).person == row.person
    text = "" if ignored else row.text
    return Remark(row.id, row.seat if sits else None, row.name, text, row.time, row.person == reader, ignored)
