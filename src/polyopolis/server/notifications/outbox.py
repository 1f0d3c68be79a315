"""What is still to be told: rows that moves have written, taken by one postman and taken away when it is told."""

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct
from sqlalchemy import BindParameter, Connection, and_, bindparam, delete, insert, or_, select, tuple_, update

from polyopolis.play.entities import NoticeKind, PendingNotification
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import fields
from polyopolis.server.storage.schema import nodes, outbox

AT_ONCE = 100
"""Rows that a postman takes."""


class QueuedNotification(Struct, frozen=True):
    """Something that one receiver of somebody is to be told."""

    id: str
    receiver: str
    person: str
    table: str
    match: int
    kind: NoticeKind
    again: bool
    """It was told once, and time is nearly up."""
    tries: int
    look: int
    seat: int | None = None
    """Whom it is about."""


class RescheduledNotification(Struct, frozen=True):
    """A letter that stays: when to see to it, and how it stands with it."""

    letter: QueuedNotification
    look: int
    again: bool
    tries: int


_busy: BindParameter[Any] = bindparam("busy", expanding=True)
_node: BindParameter[Any] = bindparam("node_")
_ready = outbox.c.look <= bindparam("now")
_free = or_(
    outbox.c.node.is_(None),
    outbox.c.node == _node,  # taken before, and the answer was lost
    outbox.c.node.not_in(select(nodes.c.id)),
)
_open = and_(_ready, _free, outbox.c.person.not_in(_busy))
_columns = [outbox.c[name] for name in QueuedNotification.__struct_fields__]
_taken = (
    select(outbox.c.id, outbox.c.receiver)
    .where(_open)
    .order_by(outbox.c.look)
    .limit(AT_ONCE)
    .with_for_update(skip_locked=True)
)
ANY = select(outbox.c.id).where(_open).limit(1)
TAKE = update(outbox).where(tuple_(outbox.c.id, outbox.c.receiver).in_(_taken)).values(node=_node).returning(*_columns)
"""Those of dead nodes, too; what another node is about to take is left to it."""
_this = and_(outbox.c.id == bindparam("id_"), outbox.c.receiver == bindparam("receiver_"))
DONE = delete(outbox).where(_this)
LATER = (
    update(outbox)
    .where(_this)
    .values(node=None, look=bindparam("look_"), again=bindparam("again_"), tries=bindparam("tries_"))
)


class Outbox:
    def __init__(self, store: DatabaseMatchRepository, node: str) -> None:
        self._writer, self._reader = store.desks
        self._node = node

    async def take(self, now: int, busy: Collection[str]) -> tuple[QueuedNotification, ...]:
        """What is to be seen to, but for those whom somebody here is at. Nothing is written where there is nothing."""
        about = {"now": now, "busy": sorted(busy), "node_": self._node}
        if not await self._reader.read(lambda db: db.execute(ANY, about).scalar()):
            return ()
        return await self._writer.write(lambda db: tuple(QueuedNotification(*row) for row in db.execute(TAKE, about)))

    async def owe(self, receiver: str, owed: Iterable[tuple[str, PendingNotification]]) -> None:
        """What one receiver alone is to be told, by table; but for what a move has written for it meanwhile."""
        written = select(outbox.c.table, outbox.c.kind, outbox.c.seat).where(outbox.c.receiver == receiver)

        def work(db: Connection) -> None:
            known = {tuple(row) for row in db.execute(written)}
            new = [(table, each) for table, each in owed if (table, each.kind, each.seat) not in known]
            for table, each in new:
                db.execute(insert(outbox), {"receiver": receiver, "table": table, **fields(each)})

        await self._writer.write(work)

    async def settle(self, done: Iterable[QueuedNotification], later: Iterable[RescheduledNotification]) -> None:
        """How it stands now. What has been replaced by something newer is gone already."""
        gone = [{"id_": each.id, "receiver_": each.receiver} for each in done]
        kept = [
            {
                "id_": each.letter.id,
                "receiver_": each.letter.receiver,
                "look_": each.look,
                "again_": each.again,
                "tries_": each.tries,
            }
            for each in later
        ]

        def work(db: Connection) -> None:
            if gone:
                db.execute(DONE, gone)
            if kept:
                db.execute(LATER, kept)

        await self._writer.write(work)
