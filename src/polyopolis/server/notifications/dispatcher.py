"""Tells people what they are owed: takes it out of the outbox, sees whether it is still so, sends it, and notes that.

A crash between sending and noting tells the same thing twice, with the same id; nothing else does. Whoever does not
take it is tried again after pauses that grow, and given up with a line in the log.
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
from polyopolis.server.notifications.delivery_policy import DeliveryContext, Drop, SendNow, Wait, decide_delivery
from polyopolis.server.notifications.message_texts import NotificationContent
from polyopolis.server.notifications.outbox import Outbox, QueuedNotification, RescheduledNotification
from polyopolis.server.notifications.receivers import ReceiverRow, Receivers
from polyopolis.server.notifications.senders import DeliveryResult, NotificationBatch, Senders
from polyopolis.server.ops.metrics import NOTIFICATIONS
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

BETWEEN = 1.0
"""Seconds between two looks into the outbox."""
MAX_CONCURRENT_PEOPLE = 16
"""People who are told at the same time; one after the other for each of them. As many more for those who are slow."""
SLOW, MOST_SLOW = 3.0, 2_000
"""Seconds after which somebody counts as slow the next time; those of whom that is remembered, the last ones."""
FIRST_PAUSE, GROWTH, LONGEST_PAUSE = 30.0, 4, 8 * 3600.0
"""Seconds after which a receiver is tried again: so many, then four times as many."""
TRIES = 7
Kind = TypeVar("Kind")

SHUTDOWN_SECONDS = 5.0
"""Seconds in which what is under way may be finished when the server ends."""


@dataclass(frozen=True)
class DispatcherStores:
    """What is written down."""

    store: DatabaseMatchRepository
    receivers: Receivers
    outbox: Outbox
    pause: float
    """Seconds after which it is looked again whether somebody still has a table before their eyes."""


@dataclass
class _Round:
    """What one person is told, and what comes of it."""

    done: list[QueuedNotification] = field(default_factory=list)
    later: list[RescheduledNotification] = field(default_factory=list)
    tell: list[tuple[QueuedNotification, SendNow]] = field(default_factory=list)


class NotificationDispatcher:
    def __init__(self, office: DispatcherStores, lobby: Lobby, senders: Senders, clock: Clock) -> None:
        self._store, self._receivers, self._outbox = office.store, office.receivers, office.outbox
        self._lobby = lobby
        self._senders = senders
        self._clock = clock
        self._look_again = int(1000 * max(BETWEEN, office.pause))
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._slow: OrderedDict[str, None] = OrderedDict()
        self._walking: asyncio.Task[None] | None = None

    def open(self) -> None:
        self._walking = asyncio.create_task(self._walk())

    async def close(self) -> None:
        if self._walking:
            self._walking.cancel()
        if self._busy:
            _, hanging = await asyncio.wait(self._busy.values(), timeout=SHUTDOWN_SECONDS)
            for task in hanging:
                task.cancel()

    async def _walk(self) -> None:
        while True:
            try:
                await self.look()
            except Exception as error:  # a database that is away for a while
                logger.warning("the outbox cannot be seen to: %s", type(error).__name__)
            await asyncio.sleep(BETWEEN)

    async def look(self) -> None:
        """Takes what is to be seen to, as long as there are hands; what that leads to goes on by itself. Nobody is told
        of a deadline that an outage has moved. Those who were slow to take it the last time have hands of their own:
        they keep nobody else waiting."""
        await self._lobby.on_time()
        while len(self._busy.keys() - self._slow.keys()) < MAX_CONCURRENT_PEOPLE:
            if not await self._take_up(self._busy.keys() | self._slow.keys()):
                break
        else:
            return
        while self._slow and len(self._busy.keys() & self._slow.keys()) < MAX_CONCURRENT_PEOPLE:
            if not await self._take_up(self._busy.keys()):
                return

    async def _take_up(self, but: Collection[str]) -> bool:
        """What is to be seen to for some people, if there is anything."""
        letters = await self._outbox.take(self._clock.now(), but)
        for person, own in _by(letters, attrgetter("person")):
            task = self._busy[person] = asyncio.create_task(self._timed(person, own))
            task.add_done_callback(lambda _, person=person: self._busy.pop(person))  # type: ignore[misc]
        return bool(letters)

    async def _timed(self, person: str, letters: Sequence[QueuedNotification]) -> None:
        begun = self._clock.running()
        await self._serve(person, letters)
        self._slow.pop(person, None)
        if self._clock.running() - begun >= SLOW:
            self._slow[person] = None
        if len(self._slow) > MOST_SLOW:
            self._slow.popitem(last=False)

    async def idle(self) -> None:
        """Until everybody who was taken up is served."""
        while self._busy:
            await asyncio.wait(list(self._busy.values()))

    async def _serve(self, person: str, letters: Sequence[QueuedNotification]) -> None:
        try:
            round_ = await self._sorted(person, letters)
            rows = {row.id: row for row in await self._receivers.of(person)}
            waiting = await self._lobby.waiting(person) if round_.tell else 0
        except Exception:  # nobody was told anything
            logger.exception("it is not known what somebody is to be told")
            round_ = _Round(later=[self._again(letter, None) for letter in letters])
        else:
            parcels = _parcels(round_.tell, rows)
            await asyncio.gather(*(self._deliver(rows.get(key), own, waiting, round_) for key, own in parcels))
        await self._noted(round_)

    async def _noted(self, round_: _Round) -> None:
        """What was told must not be told again because a database is away for a while."""
        pause = BETWEEN
        while True:
            try:
                await self._outbox.settle(round_.done, round_.later)
            except Exception as error:
                logger.warning("what was told cannot be noted: %s", type(error).__name__)
                await asyncio.sleep(pause)
                pause = min(2 * pause, FIRST_PAUSE)
            else:
                return

    async def _sorted(self, person: str, letters: Sequence[QueuedNotification]) -> _Round:
        now, manners, round_ = self._clock.now(), await self._receivers.manners(person), _Round()
        tables: dict[str, tuple[TableEntity | None, bool]] = {}
        for letter in letters:
            if letter.table not in tables:
                later = await self._store.later(letter.table, -1, 0)
                tables[letter.table] = later.row if later else None, await self._lobby.watches(person, letter.table)
            row, watches = tables[letter.table]
            try:
                if row:
                    check_table(row)
                verdict = decide_delivery(letter, row, manners, DeliveryContext(now, watches, self._look_again))
            except ROW_ERRORS as error:  # the row of this table is broken: others are told of theirs
                self._lobby.note_broken(letter.table, error)
                if letter.tries + 1 < TRIES:
                    round_.later.append(self._again(letter, None))
                else:
                    round_.done.append(letter)
                continue
            match verdict:
                case Drop():
                    round_.done.append(letter)
                case Wait(until):
                    round_.later.append(RescheduledNotification(letter, until, letter.again, letter.tries))
                case SendNow() as tell:
                    round_.tell.append((letter, tell))
        return round_

    async def _deliver(
        self, row: ReceiverRow | None, own: Sequence[tuple[QueuedNotification, SendNow]], waiting: int, round_: _Round
    ) -> None:
        if row is None or row.kind not in self._senders:
            round_.done += [letter for letter, _ in own]
            return
        outcome = await self._sent(row, [tell.told for _, tell in own], waiting)
        NOTIFICATIONS.labels(row.kind, outcome.how).inc(len(own))
        for letter, tell in own:
            self._note(letter, tell, outcome, round_)

    async def _sent(self, row: ReceiverRow, told: Sequence[NotificationContent], waiting: int) -> DeliveryResult:
        """Whatever fails, fails for this receiver alone."""
        try:
            text = (
                message_texts.text(told[0], row.language)
                if len(told) == 1
                else message_texts.several(told, row.language)
            )
            outcome = await self._senders[row.kind].send(row, NotificationBatch(told, text, waiting))
            if outcome.how == "gone":
                logger.info("receiver %s (%s) is gone: %s", row.id, row.kind, outcome.why)
                await self._receivers.remove(row.id)
        except Exception as error:
            logger.exception("receiver %s (%s) could not be told", row.id, row.kind)
            return DeliveryResult("failed", type(error).__name__)
        return outcome

    def _note(self, letter: QueuedNotification, tell: SendNow, outcome: DeliveryResult, round_: _Round) -> None:
        if outcome.how == "told" and tell.again is not None:
            round_.later.append(RescheduledNotification(letter, tell.again, True, 0))
        elif outcome.how == "failed" and letter.tries + 1 < TRIES:
            round_.later.append(self._again(letter, outcome.wait))
        else:
            round_.done.append(letter)
            if outcome.how in ("failed", "refused"):
                about = letter.id, letter.receiver, outcome.why
                logger.warning("notice %s was not taken by receiver %s and is given up: %s", *about)

    def _again(self, letter: QueuedNotification, wait: float | None) -> RescheduledNotification:
        pause = min(max(FIRST_PAUSE * GROWTH**letter.tries, wait or 0.0), LONGEST_PAUSE)
        return RescheduledNotification(letter, self._clock.now() + int(1000 * pause), letter.again, letter.tries + 1)

    async def introduce(self, row: ReceiverRow) -> None:
        """A receiver that was not there before hears of what is open already."""
        await self._outbox.owe(row.id, await self._lobby.still_open(row.person))

    async def trial(self, row: ReceiverRow) -> DeliveryResult:
        """Tells somebody something, so that they can see how it arrives."""
        told = NotificationBatch(
            (), message_texts.trial(row.language), await self._lobby.waiting(row.person), secrets.token_urlsafe(12)
        )
        return await self._senders[row.kind].send(row, told)


def _by(found: Sequence[Kind], key: Callable[[Kind], str]) -> Iterator[tuple[str, list[Kind]]]:
    for name, group in groupby(sorted(found, key=key), key):
        yield name, list(group)


def _parcels(
    tell: Sequence[tuple[QueuedNotification, SendNow]], rows: Mapping[str, ReceiverRow]
) -> Iterator[tuple[str, list[tuple[QueuedNotification, SendNow]]]]:
    """All at once for people; programs take one thing after the other."""
    for key, own in _by(tell, lambda each: each[0].receiver):
        if key in rows and rows[key].kind == "hook":
            yield from ((key, [each]) for each in own)
        else:
            yield key, own
