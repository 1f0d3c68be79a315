"""What people write to each other at a table. It is read by whoever has a seat there, and is in no record.

Everybody may leave somebody else unheard, at all tables; and whoever runs the house may leave somebody unheard by all.
"""

import secrets

import msgspec

from polyopolis.play.entities import ChatMessage
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import Said
from polyopolis.play.protocols import ChatRepository
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.visible_text import visible_line
from polyopolis.play.wire.requests import Ignore
from polyopolis.play.wire.responses import Conversation, Remark

SAID = "said"
"""What other nodes are told, with the id of the remark."""
MAX_SHOWN_REMARKS = 200
"""Remarks that somebody who opens a table gets."""
MUTED = "the host of this site has muted you: you can play and read, and nobody hears you"


async def show(context: TableContext, person: str, *, muted: bool) -> Conversation:
    """What was written here lately. What somebody ignored wrote is left out, and that it was."""
    chat_repository = _chat_repository(context, person)
    ignored = await chat_repository.ignored_by(person)
    rows = (
        await chat_repository.remarks(context.table, MAX_SHOWN_REMARKS)
        if context.talk and context.services.chat_enabled
        else ()
    )
    seats = tuple(row.seat for row in context.seating.rows if row.person in ignored)
    return Conversation(tuple(_remark(context, row, person, row.person in ignored) for row in rows), seats, muted)


async def say(context: TableContext, person: str, text: str, *, muted: bool) -> Remark:
    """Kept first, then told."""
    chat_repository = _chat_repository(context, person)
    if not (context.talk and context.services.chat_enabled):
        raise Forbidden("nobody writes at this table")
    check_not_muted(muted)
    seat = context.seating.held_by(person)[0]
    row = ChatMessage(
        id=secrets.token_urlsafe(9),
        table=context.table,
        seat=seat,
        person=person,
        name=context.seating.row(seat).name,
        text=visible_line("what you write", text),
        time=context.services.clock.now(),
    )
    await chat_repository.write(row)
    await _tell(context, row)
    context.services.cluster.aside(context.table, f"{SAID}/{row.id}")
    return _remark(context, row, person)


async def receive(context: TableContext, remark: str) -> None:
    """It was written at another node."""
    row = await context.services.chat_repository.remark(remark) if context.services.chat_repository else None
    if row and row.table == context.table:
        await _tell(context, row)


async def _tell(context: TableContext, row: ChatMessage) -> None:
    deaf = (
        await context.services.chat_repository.ignoring(row.person) if context.services.chat_repository else frozenset()
    )
    own, others = (msgspec.json.encode(Said(_remark(context, row, reader))) for reader in (row.person, ""))

    def heard(person: str | None) -> bytes | None:
        if person in deaf or not context.seating.held_by(person):
            return None
        return own if person == row.person else others

    context.send_each(heard)


async def ignore(context: TableContext, person: str, wish: Ignore) -> None:
    """Somebody does not want to hear whoever sits there, or has written this; or wants to again."""
    chat_repository = _chat_repository(context, person)
    if wish.remark is not None:
        other: str | None = (await _found(chat_repository, context, wish.remark)).person
    else:
        other = context.seating.row(-1 if wish.seat is None else wish.seat).person
    if other is None or other == person:
        raise Forbidden("there is nobody else to be heard")
    await chat_repository.ignore(person, other, wish.ignored)


async def report(context: TableContext, person: str, remark: str) -> None:
    """Whoever runs the house is to read it."""
    chat_repository = _chat_repository(context, person)
    row = await _found(chat_repository, context, remark)
    if row.person == person:
        raise Forbidden("this is your own")
    await chat_repository.report(row, person, context.services.clock.now() // 1000)


def check_not_muted(muted: bool) -> None:
    if muted:
        raise Forbidden(MUTED)


async def _found(chat_repository: ChatRepository, context: TableContext, remark: str) -> ChatMessage:
    row = await chat_repository.remark(remark)
    if row is None or row.table != context.table:
        raise NotFound("nobody has written that here")
    return row


def _chat_repository(context: TableContext, person: str) -> ChatRepository:
    if context.services.chat_repository is None:
        raise NotFound("there is nobody else here")
    if not context.seating.held_by(person):
        raise Forbidden("only those who have a seat write and read here")
    return context.services.chat_repository


def _remark(context: TableContext, row: ChatMessage, reader: str, ignored: bool = False) -> Remark:
    """Where somebody else sits now nobody is to be taken for whoever wrote it."""
    sits = context.seating.row(row.seat).person == row.person
    text = "" if ignored else row.text
    return Remark(row.id, row.seat if sits else None, row.name, text, row.time, row.person == reader, ignored)
