"""Delivers queued notifications: claims rows of the outbox, checks that they still apply, sends them, records results.

Delivery is at least once: only a crash between sending and recording repeats a notification, with the same id. Failed
deliveries are retried with exponential backoff and finally given up with a log message.
"""

import asyncio
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import TypeVar

from polyopolis.play.entities import TableEntity
from polyopolis.play.errors import ROW_ERRORS
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.protocols import Clock
from polyopolis.server.notifications import message_texts
from polyopolis.server.notifications.delivery_policy import DeliveryContext, Drop, Postpone, SendNow, decide_delivery
from polyopolis.server.notifications.message_texts import NotificationContent
from polyopolis.server.notifications.outbox import Outbox, QueuedNotification, RescheduledNotification
from polyopolis.server.notifications.receivers import ReceiverRow, Receivers
from polyopolis.server.notifications.senders import DeliveryResult, NotificationBatch, Senders
from polyopolis.server.ops.metrics import NOTIFICATIONS
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""Interval of outbox polls."""
MAX_CONCURRENT_PEOPLE = 16
"""People served at the same time, each with one delivery round at a time. Slow people have the same number of slots of
their own."""
SLOW_SECONDS, MAX_SLOW_PEOPLE = 3.0, 2_000
"""A person whose round took longer counts as slow in the next one; the number of slow people that are remembered."""
FIRST_RETRY_SECONDS, BACKOFF_FACTOR, MAX_RETRY_SECONDS = 30.0, 4, 8 * 3600.0
"""Pause before the first retry, its factor for each further retry, and its maximum."""
MAX_TRIES = 7
Item = TypeVar("Item")

SHUTDOWN_SECONDS = 5.0
"""Deliveries in progress have this long to finish when the server stops."""


@dataclass(frozen=True)
class DispatcherStores:
    """The repositories of the dispatcher."""

    store: DatabaseMatchRepository
    receivers: Receivers
    outbox: Outbox
    pause: float
    """Seconds after which it is checked again whether a person still watches a table."""


@dataclass
class _Round:
    """One delivery round of a person: rows that are done, rescheduled, and to be sent."""

    done: list[QueuedNotification] = field(default_factory=list)
    later: list[RescheduledNotification] = field(default_factory=list)
    to_send: list[tuple[QueuedNotification, SendNow]] = field(default_factory=list)


class NotificationDispatcher:
    """Polls the outbox and delivers notifications, concurrently for several people."""

    def __init__(self, stores: DispatcherStores, lobby: Lobby, senders: Senders, clock: Clock) -> None:
        self._store, self._receivers, self._outbox = stores.store, stores.receivers, stores.outbox
        self._lobby = lobby
        self._senders = senders
        self._clock = clock
        self._watch_pause_ms = int(1000 * max(POLL_SECONDS, stores.pause))
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._slow: OrderedDict[str, None] = OrderedDict()
        self._polling: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._polling = asyncio.create_task(self._poll_forever())

    async def close(self) -> None:
        if self._polling:
            self._polling.cancel()
        if self._busy:
            _, unfinished = await asyncio.wait(self._busy.values(), timeout=SHUTDOWN_SECONDS)
            for task in unfinished:
                task.cancel()

    async def _poll_forever(self) -> None:
        while True:
            try:
                await self.poll()
            except Exception as error:  # such as a database that cannot be reached
                logger.warning("cannot process the outbox: %s", type(error).__name__)
            await asyncio.sleep(POLL_SECONDS)

    async def poll(self) -> None:
        """Takes due notifications while there are free slots and starts their delivery in the background. Deadlines are
        moved for outages first. People whose last round was slow have slots of their own, so that they do not delay
        others."""
        await self._lobby.deadlines.update()
        while len(self._busy.keys() - self._slow.keys()) < MAX_CONCURRENT_PEOPLE:
            if not await self._start_rounds(self._busy.keys() | self._slow.keys()):
                break
        else:
            return
        while self._slow and len(self._busy.keys() & self._slow.keys()) < MAX_CONCURRENT_PEOPLE:
            if not await self._start_rounds(self._busy.keys()):
                return

    async def _start_rounds(self, but: Collection[str]) -> bool:
        """Starts rounds for due notifications, except of these people. Returns whether any were due."""
        notifications = await self._outbox.take(self._clock.now(), but)
        for person, own in _grouped(notifications, attrgetter("person")):
            task = self._busy[person] = asyncio.create_task(self._timed_round(person, own))
            task.add_done_callback(lambda _, person=person: self._busy.pop(person))  # type: ignore[misc]
        return bool(notifications)

    async def _timed_round(self, person: str, notifications: Sequence[QueuedNotification]) -> None:
        begun = self._clock.running()
        await self._serve(person, notifications)
        self._slow.pop(person, None)
        if self._clock.running() - begun >= SLOW_SECONDS:
            self._slow[person] = None
        if len(self._slow) > MAX_SLOW_PEOPLE:
            self._slow.popitem(last=False)

    async def idle(self) -> None:
        """Waits until all rounds in progress are done."""
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def _serve(self, person: str, notifications: Sequence[QueuedNotification]) -> None:
        try:
            round_ = await self._sort(person, notifications)
            rows = {row.id: row for row in await self._receivers.of(person)}
            waiting = await self._lobby.queries.count_waiting(person) if round_.to_send else 0
        except Exception:  # before any delivery
            logger.exception("cannot decide which notifications to deliver to one person")
            round_ = _Round(later=[self._retry(notification, None) for notification in notifications])
        else:
            batches = _batches(round_.to_send, rows)
            await asyncio.gather(*(self._deliver(rows.get(key), own, waiting, round_) for key, own in batches))
        await self._record(round_)

    async def _record(self, round_: _Round) -> None:
        """Records the results, and retries until that succeeds: otherwise sent notifications would be sent again."""
        pause = POLL_SECONDS
        while True:
            try:
                await self._outbox.record(round_.done, round_.later)
            except Exception as error:
                logger.warning("cannot record delivered notifications: %s", type(error).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, FIRST_RETRY_SECONDS)
            else:
                return

    async def _sort(self, person: str, notifications: Sequence[QueuedNotification]) -> _Round:
        now, manners, round_ = self._clock.now(), await self._receivers.preferences(person), _Round()
        tables: dict[str, tuple[TableEntity | None, bool]] = {}
        for notification in notifications:
            if notification.table not in tables:
                later = await self._store.later(notification.table, -1, 0)
                watches = await self._lobby.tables.is_watching(person, notification.table)
                tables[notification.table] = later.row if later else None, watches
            row, watches = tables[notification.table]
            try:
                if row:
                    check_table(row)
                context = DeliveryContext(now, watches, self._watch_pause_ms)
                verdict = decide_delivery(notification, row, manners, context)
            except ROW_ERRORS as error:  # only this table is broken: notifications of others go on
                self._lobby.tables.note_broken(notification.table, error)
                if notification.tries + 1 < MAX_TRIES:
                    round_.later.append(self._retry(notification, None))
                else:
                    round_.done.append(notification)
                continue
            match verdict:
                case Drop():
                    round_.done.append(notification)
                case Postpone(until):
                    round_.later.append(
                        RescheduledNotification(notification, until, notification.again, notification.tries)
                    )
                case SendNow() as decision:
                    round_.to_send.append((notification, decision))
        return round_

    async def _deliver(
        self, row: ReceiverRow | None, own: Sequence[tuple[QueuedNotification, SendNow]], waiting: int, round_: _Round
    ) -> None:
        if row is None or row.kind not in self._senders:
            round_.done += [notification for notification, _ in own]
            return
        outcome = await self._send(row, [decision.content for _, decision in own], waiting)
        NOTIFICATIONS.labels(row.kind, outcome.how).inc(len(own))
        for notification, decision in own:
            self._handle_result(notification, decision, outcome, round_)

    async def _send(self, row: ReceiverRow, contents: Sequence[NotificationContent], waiting: int) -> DeliveryResult:
        """Sends a batch. Every error is a failure of this receiver only."""
        try:
            text = (
                message_texts.notification_text(contents[0], row.language)
                if len(contents) == 1
                else message_texts.batch_text(contents, row.language)
            )
            outcome = await self._senders[row.kind].send(row, NotificationBatch(contents, text, waiting))
            if outcome.how == "gone":
                logger.info("receiver %s (%s) is gone: %s", row.id, row.kind, outcome.why)
                await self._receivers.remove(row.id)
        except Exception as error:
            logger.exception("cannot send to receiver %s (%s)", row.id, row.kind)
            return DeliveryResult("failed", type(error).__name__)
        return outcome

    def _handle_result(
        self, notification: QueuedNotification, decision: SendNow, outcome: DeliveryResult, round_: _Round
    ) -> None:
        if outcome.how == "told" and decision.again is not None:
            round_.later.append(RescheduledNotification(notification, decision.again, True, 0))
        elif outcome.how == "failed" and notification.tries + 1 < MAX_TRIES:
            round_.later.append(self._retry(notification, outcome.wait))
        else:
            round_.done.append(notification)
            if outcome.how in ("failed", "refused"):
                about = notification.id, notification.receiver, outcome.why
                logger.warning("notification %s to receiver %s is given up: %s", *about)

    def _retry(self, notification: QueuedNotification, wait: float | None) -> RescheduledNotification:
        pause = min(max(FIRST_RETRY_SECONDS * BACKOFF_FACTOR**notification.tries, wait or 0.0), MAX_RETRY_SECONDS)
        return RescheduledNotification(
            notification, self._clock.now() + int(1000 * pause), notification.again, notification.tries + 1
        )

    async def queue_due_notifications(self, row: ReceiverRow) -> None:
        """Queues the notifications that are already due for a new receiver."""
        await self._outbox.add(row.id, await self._lobby.queries.pending_notifications(row.person))

    async def send_trial(self, row: ReceiverRow) -> DeliveryResult:
        """Sends a test notification."""
        batch = NotificationBatch(
            (),
            message_texts.trial_text(row.language),
            await self._lobby.queries.count_waiting(row.person),
            secrets.token_urlsafe(12),
        )
        return await self._senders[row.kind].send(row, batch)


def _grouped(found: Sequence[Item], key: Callable[[Item], str]) -> Iterator[tuple[str, list[Item]]]:
    for name, group in groupby(sorted(found, key=key), key):
        yield name, list(group)


def _batches(
    to_send: Sequence[tuple[QueuedNotification, SendNow]], rows: Mapping[str, ReceiverRow]
) -> Iterator[tuple[str, list[tuple[QueuedNotification, SendNow]]]]:
    """Groups notifications by receiver. Webhooks get each one in a request of its own."""
    for key, own in _grouped(to_send, lambda each: each[0].receiver):
        if key in rows and rows[key].kind == "hook":
            yield from ((key, [each]) for each in own)
        else:
            yield key, own
