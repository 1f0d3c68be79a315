"""Chat at a table: read by its players only, and not part of any record.

A person can ignore another person at all tables. The host of the site can mute a person for all.
"""

import secrets

import msgspec

from polyopolis.play.entities import ChatMessage
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.match.messages import ChatMessageAdded
from polyopolis.play.protocols import ChatRepository
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.visible_text import visible_line
from polyopolis.play.wire.requests import Ignore
from polyopolis.play.wire.responses import ChatHistory, ChatMessageView

SAID = "said"
"""The message to other nodes about a new remark; its id follows."""
MAX_SHOWN_REMARKS = 200
"""Number of remarks sent to a player who opens the table."""
MUTED = "the host of this site has muted you: you can play and read, but not write"


async def show(context: TableContext, person: str, *, muted: bool) -> ChatHistory:
    """The recent remarks. Those of ignored people are included without their text."""
    chat_repository = _chat_repository(context, person)
    ignored = await chat_repository.ignored_by(person)
    rows = (
        await chat_repository.remarks(context.table, MAX_SHOWN_REMARKS)
        if context.talk and context.services.chat_enabled
        else ()
    )
    seats = tuple(row.seat for row in context.seating.rows if row.person in ignored)
    return ChatHistory(tuple(_remark(context, row, person, row.person in ignored) for row in rows), seats, muted)


async def say(context: TableContext, person: str, text: str, *, muted: bool) -> ChatMessageView:
    """Persists a remark, then sends it to the players."""
    chat_repository = _chat_repository(context, person)
    if not (context.talk and context.services.chat_enabled):
        raise Forbidden("chat is off at this table")
    check_not_muted(muted)
    seat = context.seating.held_by(person)[0]
    row = ChatMessage(
        id=secrets.token_urlsafe(9),
        table=context.table,
        seat=seat,
        person=person,
        name=context.seating.row(seat).name,
        text=visible_line("the remark", text),
        time=context.services.clock.now(),
    )
    await chat_repository.write(row)
    await _tell(context, row)
    context.services.cluster.aside(context.table, f"{SAID}/{row.id}")
    return _remark(context, row, person)


async def receive(context: TableContext, remark: str) -> None:
    """Sends a remark that was written at another node."""
    row = await context.services.chat_repository.remark(remark) if context.services.chat_repository else None
    if row and row.table == context.table:
        await _tell(context, row)


async def _tell(context: TableContext, row: ChatMessage) -> None:
    deaf = (
        await context.services.chat_repository.ignoring(row.person) if context.services.chat_repository else frozenset()
    )
    own, others = (msgspec.json.encode(ChatMessageAdded(_remark(context, row, reader))) for reader in (row.person, ""))

    def message(person: str | None) -> bytes | None:
        if person in deaf or not context.seating.held_by(person):
            return None
        return own if person == row.person else others

    context.send_each(message)


async def ignore(context: TableContext, person: str, wish: Ignore) -> None:
    """Ignores, or stops ignoring, the player of a seat or the author of a remark."""
    chat_repository = _chat_repository(context, person)
    if wish.remark is not None:
        other: str | None = (await _found(chat_repository, context, wish.remark)).person
    else:
        other = context.seating.row(-1 if wish.seat is None else wish.seat).person
    if other is None or other == person:
        raise Forbidden("there is no other player to ignore")
    await chat_repository.ignore(person, other, wish.ignored)


async def report(context: TableContext, person: str, remark: str) -> None:
    """Reports a remark to the host of the site."""
    chat_repository = _chat_repository(context, person)
    row = await _found(chat_repository, context, remark)
    if row.person == person:
        raise Forbidden("this remark is your own")
    await chat_repository.report(row, person, context.services.clock.now() // 1000)


def check_not_muted(muted: bool) -> None:
    if muted:
        raise Forbidden(MUTED)


async def _found(chat_repository: ChatRepository, context: TableContext, remark: str) -> ChatMessage:
    row = await chat_repository.remark(remark)
    if row is None or row.table != context.table:
        raise NotFound("there is no such remark at this table")
    return row


def _chat_repository(context: TableContext, person: str) -> ChatRepository:
    if context.services.chat_repository is None:
        raise NotFound("this site has no chat")
    if not context.seating.held_by(person):
        raise Forbidden("only players can read and write chat")
    return context.services.chat_repository


def _remark(context: TableContext, row: ChatMessage, reader: str, ignored: bool = False) -> ChatMessageView:
    """The remark as `reader` sees it. Its seat is left out if its author has left that seat."""
    sits = context.seating.row(row.seat).person == row.person
    text = "" if ignored else row.text
    return ChatMessageView(row.id, row.seat if sits else None, row.name, text, row.time, row.person == reader, ignored)
