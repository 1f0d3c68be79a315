"""Several servers on one PostgreSQL: each tells the others which tables it has changed, and takes over from the dead.

What is told is a table and a number, after the commit and on a connection of its own. It is a hint: whoever hears it
reads the rows that are missing, and whoever has heard nothing for a while looks for itself.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Iterator

from psycopg import AsyncConnection
from psycopg.rows import TupleRow

from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import TableAttendance
from polyopolis.play.table.attendance import UPDATE_INTERVAL_SECONDS
from polyopolis.server.cluster.heartbeat import HEARTBEAT_SECONDS, HeartbeatMonitor
from polyopolis.server.storage.databases import SECONDS_TO_CONNECT, url_of
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

CHANNEL = "polyopolis"
LONGEST = 7_000
"""Bytes of one notice; PostgreSQL takes 8,000."""
LOOK = 5.0
"""Seconds after which a node looks for itself whether it has missed something."""
PAUSE = 1.0
"""Seconds before something that failed is tried again."""


Aside = tuple[str, str]
"""A table, and a word that was said there."""


class PostgresCluster:
    """`Neighbours` on a PostgreSQL."""

    any = True

    def __init__(self, database: str, store: DatabaseMatchRepository) -> None:
        self.node = secrets.token_urlsafe(6)
        self._address = url_of(database).set(drivername="postgresql").render_as_string(hide_password=False)
        self._store = store
        self._beats = HeartbeatMonitor()
        self._changed: dict[str, int] = {}
        self._asides: list[str] = []
        self._something = asyncio.Event()
        self._heard: dict[str, int] = {}
        self._met = set[str]()
        self._overheard: list[Aside] = []
        self._news = asyncio.Event()
        self._crowds: dict[str, TableAttendance] = {}
        """Of all tables where somebody is, here."""
        self._moved = set[str]()
        self._somebody = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, synchronizer: NodeSynchronizer) -> None:
        await self._store.beat(self.node)  # before it has anything that others could take for left behind
        works: dict[str, Callable[[NodeSynchronizer], Awaitable[None]]] = {
            "tell": self._tell,
            "tell who is here": self._tell_present,
            "listen": self._listen,
            "follow": self._follow,
            "beat": self._beat_on,
            "look": self._look,
        }
        self._tasks = [asyncio.create_task(self._for_ever(name, work, synchronizer)) for name, work in works.items()]

    async def close(self) -> None:
        """Others need not wait until they take this node for dead."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.bury(self.node)

    async def _for_ever(
        self, name: str, work: Callable[[NodeSynchronizer], Awaitable[None]], synchronizer: NodeSynchronizer
    ) -> None:
        while True:
            try:
                await work(synchronizer)
            except Exception as error:
                logger.warning("node %s cannot %s: %s: %s", self.node, name, type(error).__name__, error)
            await asyncio.sleep(PAUSE)

    # Telling and hearing

    def changed(self, table: str, version: int) -> None:
        """What happens to a table while a notice is on its way goes with the next one."""
        self._changed[table] = version
        self._something.set()

    def aside(self, table: str, word: str) -> None:
        self._asides.append(f"{table} {word}")
        self._something.set()

    async def _tell(self, _: NodeSynchronizer) -> None:
        async with await self._connected() as wire:
            while True:
                await self._something.wait()
                self._something.clear()
                changed, self._changed = self._changed, {}
                asides, self._asides = self._asides, []
                lines = [f"{table} {version}" for table, version in changed.items()]
                await _notify(wire, self.node, [*lines, *asides])

    # Who is here

    def present(self, table: str, crowd: TableAttendance) -> None:
        if crowd == self._crowds.get(table, TableAttendance()):
            return
        if crowd == TableAttendance():
            self._crowds.pop(table, None)
        else:
            self._crowds[table] = crowd
        self._moved.add(table)
        self._somebody.set()

    async def crowd(self, table: str) -> TableAttendance:
        return await self._store.crowd(table, but=self.node)

    async def _tell_present(self, _: NodeSynchronizer) -> None:
        """Once a second at most, however many come and go."""
        async with await self._connected() as wire:
            while True:
                await self._somebody.wait()
                self._somebody.clear()
                moved, self._moved = self._moved, set()
                await self._store.present(
                    self.node, {table: self._crowds.get(table, TableAttendance()) for table in moved}
                )
                await _notify(wire, self.node, moved)
                await asyncio.sleep(UPDATE_INTERVAL_SECONDS)

    async def _listen(self, synchronizer: NodeSynchronizer) -> None:
        async with await self._connected() as wire:
            await wire.execute(f"LISTEN {CHANNEL}")
            await self._look_once(synchronizer)  # what was told while nobody listened
            async for notice in wire.notifies():
                sender, versions, met, asides = heard(notice.payload)
                if sender != self.node:
                    self._heard |= versions
                    self._met |= set(met)
                    self._overheard += asides
                    self._news.set()

    async def _follow(self, synchronizer: NodeSynchronizer) -> None:
        """What is heard while tables are being read is read with the next ones."""
        while True:
            await self._news.wait()
            self._news.clear()
            versions, self._heard, met, self._met = self._heard, {}, self._met, set()
            asides, self._overheard = self._overheard, []
            await synchronizer.follow(versions)
            await synchronizer.update_attendance(met)
            for table, word in asides:
                await synchronizer.receive(table, word)

    async def _connected(self) -> AsyncConnection[TupleRow]:
        return await AsyncConnection.connect(self._address, autocommit=True, connect_timeout=SECONDS_TO_CONNECT)

    async def _look(self, synchronizer: NodeSynchronizer) -> None:
        while True:
            await asyncio.sleep(LOOK)
            await self._look_once(synchronizer)

    async def _look_once(self, synchronizer: NodeSynchronizer) -> None:
        if held := tuple(synchronizer.in_use):
            await synchronizer.follow(await self._store.versions(held))

    # Living and dying

    async def _beat_on(self, synchronizer: NodeSynchronizer) -> None:
        while True:
            beats = await self._store.beat(self.node)
            if beats[self.node] == 0:  # others took this node for dead, and have forgotten who is here
                self._moved |= self._crowds.keys()
                self._somebody.set()
            for node, number in self._beats.still(beats).items():
                if node != self.node:
                    logger.warning("node %s is gone", node)
                    await self._store.bury(node, number)
            await synchronizer.adopt_bots()
            await asyncio.sleep(HEARTBEAT_SECONDS)


async def _notify(wire: AsyncConnection[TupleRow], node: str, lines: Iterable[str]) -> None:
    for notice in notices(node, lines):
        await wire.execute("SELECT pg_notify(%s, %s)", (CHANNEL, notice))


def notices(node: str, lines: Iterable[str]) -> Iterator[str]:
    """Who tells it, and then a line for each table; as many as fit."""
    notice = node
    for line in lines:
        if len(notice) + len(line) >= LONGEST:
            yield notice
            notice = node
        notice += f"\n{line}"
    if notice != node:
        yield notice


def heard(notice: str) -> tuple[str, dict[str, int], tuple[str, ...], tuple[Aside, ...]]:
    """Who tells it, tables with their version, tables where somebody has come or gone, and tables with a word that was
    said there."""
    sender, *lines = notice.split("\n")
    parts = [line.partition(" ") for line in lines]
    versions = {table: int(word) for table, _, word in parts if word.isdigit()}
    met = tuple(table for table, told, _ in parts if not told)
    return sender, versions, met, tuple((table, word) for table, told, word in parts if told and not word.isdigit())
