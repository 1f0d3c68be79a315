"""Queue of notifications in the database: written with a move, claimed by one node, deleted after delivery."""

from collections.abc import Collection, Iterable
from typing import Any

from msgspec import Struct
from sqlalchemy import BindParameter, Connection, and_, bindparam, delete, insert, or_, select, tuple_, update

from polyopolis.play.entities import NoticeKind, PendingNotification
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import column_values
from polyopolis.server.storage.schema import nodes, outbox

MAX_TAKEN_ROWS = 100
"""Rows that a dispatcher claims at once."""


class QueuedNotification(Struct, frozen=True):
    """A notification for one receiver of a person."""

    id: str
    receiver: str
    person: str
    table: str
    match: int
    kind: NoticeKind
    again: bool
    """Whether it is the reminder of a notification that was sent."""
    tries: int
    look: int
    seat: int | None = None
    """The seat that it is about."""


class RescheduledNotification(Struct, frozen=True):
    """A notification that stays queued, with its next due time and its new state."""

    notification: QueuedNotification
    look: int
    again: bool
    tries: int


_busy: BindParameter[Any] = bindparam("busy", expanding=True)
_node: BindParameter[Any] = bindparam("node_")
_ready = outbox.c.look <= bindparam("now")
_free = or_(
    outbox.c.node.is_(None),
    outbox.c.node == _node,  # claimed by an attempt whose result was lost
    outbox.c.node.not_in(select(nodes.c.id)),
)
_claimable = and_(_ready, _free, outbox.c.person.not_in(_busy))
_columns = [outbox.c[name] for name in QueuedNotification.__struct_fields__]
_taken = (
    select(outbox.c.id, outbox.c.receiver)
    .where(_claimable)
    .order_by(outbox.c.look)
    .limit(MAX_TAKEN_ROWS)
    .with_for_update(skip_locked=True)
)
IS_ANY_READY = select(outbox.c.id).where(_claimable).limit(1)
TAKE = update(outbox).where(tuple_(outbox.c.id, outbox.c.receiver).in_(_taken)).values(node=_node).returning(*_columns)
"""Claims due rows, also those of dead nodes. Skips rows that another node is claiming."""
_same_row = and_(outbox.c.id == bindparam("id_"), outbox.c.receiver == bindparam("receiver_"))
DELETE_ROW = delete(outbox).where(_same_row)
RESCHEDULE = (
    update(outbox)
    .where(_same_row)
    .values(node=None, look=bindparam("look_"), again=bindparam("again_"), tries=bindparam("tries_"))
)


class Outbox:
    """The outbox of one node."""

    def __init__(self, store: DatabaseMatchRepository, node: str) -> None:
        self._writer, self._reader = store.threads
        self._node = node

    async def take(self, now: int, busy: Collection[str]) -> tuple[QueuedNotification, ...]:
        """Claims due notifications, except of people who are being served. Read-only when none is due."""
        about = {"now": now, "busy": sorted(busy), "node_": self._node}
        if not await self._reader.read(lambda db: db.execute(IS_ANY_READY, about).scalar()):
            return ()
        return await self._writer.write(lambda db: tuple(QueuedNotification(*row) for row in db.execute(TAKE, about)))

    async def add(self, receiver: str, notifications: Iterable[tuple[str, PendingNotification]]) -> None:
        """Queues notifications (with their tables) for one receiver, except those that a move has already queued for
        it."""
        written = select(outbox.c.table, outbox.c.kind, outbox.c.seat).where(outbox.c.receiver == receiver)

        def work(db: Connection) -> None:
            known = {tuple(row) for row in db.execute(written)}
            new = [(table, each) for table, each in notifications if (table, each.kind, each.seat) not in known]
            for table, each in new:
                db.execute(insert(outbox), {"receiver": receiver, "table": table, **column_values(each)})

        await self._writer.write(work)

    async def record(self, done: Iterable[QueuedNotification], later: Iterable[RescheduledNotification]) -> None:
        """Deletes delivered notifications and reschedules others. Superseded ones have been deleted already."""
        gone = [{"id_": each.id, "receiver_": each.receiver} for each in done]
        kept = [
            {
                "id_": each.notification.id,
                "receiver_": each.notification.receiver,
                "look_": each.look,
                "again_": each.again,
                "tries_": each.tries,
            }
            for each in later
        ]

        def work(db: Connection) -> None:
            if gone:
                db.execute(DELETE_ROW, gone)
            if kept:
                db.execute(RESCHEDULE, kept)

        await self._writer.write(work)
