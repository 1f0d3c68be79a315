"""Several nodes on one PostgreSQL database: each announces the tables it has changed and takes over from dead nodes.

An announcement (NOTIFY) contains tables and their versions. It is sent after the commit, on a connection of its own,
and is only a hint: receivers read the missing rows from the database, and every node also polls for missed changes.
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
from polyopolis.server.storage.databases import CONNECT_TIMEOUT_SECONDS, url_of
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

CHANNEL = "polyopolis"
MAX_NOTICE_BYTES = 7_000
"""Size of one notification payload; PostgreSQL allows less than 8,000."""
POLL_SECONDS = 5.0
"""Interval at which a node checks for missed announcements."""
RETRY_SECONDS = 1.0
"""Pause before a failed task is restarted."""


TableMessage = tuple[str, str]
"""A table and a word for its open pages, such as a chat message or a reaction."""


class PostgresCluster:
    """A `ClusterLink` on PostgreSQL."""

    any = True

    def __init__(self, database: str, store: DatabaseMatchRepository) -> None:
        self.node = secrets.token_urlsafe(6)
        self._address = url_of(database).set(drivername="postgresql").render_as_string(hide_password=False)
        self._store = store
        self._monitor = HeartbeatMonitor()
        self._changed: dict[str, int] = {}
        self._words: list[str] = []
        self._pending = asyncio.Event()
        self._received_versions: dict[str, int] = {}
        self._received_presence = set[str]()
        self._received_words: list[TableMessage] = []
        self._received = asyncio.Event()
        self._attendance: dict[str, TableAttendance] = {}
        """The attendance of tables at this node, without empty ones."""
        self._changed_presence = set[str]()
        self._presence_changed = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self, synchronizer: NodeSynchronizer) -> None:
        await self._store.beat(self.node)  # first, so that other nodes do not take over what this node begins
        works: dict[str, Callable[[NodeSynchronizer], Awaitable[None]]] = {
            "announce changes": self._announce,
            "announce attendance": self._announce_presence,
            "listen": self._listen,
            "follow changes": self._follow,
            "send heartbeats": self._send_heartbeats,
            "poll for changes": self._poll,
        }
        self._tasks = [asyncio.create_task(self._run_forever(name, work, synchronizer)) for name, work in works.items()]

    async def close(self) -> None:
        """Stops all tasks and deletes the node, so that others take over at once."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._store.remove_node(self.node)

    async def _run_forever(
        self, name: str, work: Callable[[NodeSynchronizer], Awaitable[None]], synchronizer: NodeSynchronizer
    ) -> None:
        while True:
            try:
                await work(synchronizer)
            except Exception as error:
                logger.warning("node %s cannot %s: %s: %s", self.node, name, type(error).__name__, error)
            await asyncio.sleep(RETRY_SECONDS)

    # Announcements

    def changed(self, table: str, version: int) -> None:
        """Queues an announcement. Changes during a notification are sent with the next one."""
        self._changed[table] = version
        self._pending.set()

    def aside(self, table: str, word: str) -> None:
        self._words.append(f"{table} {word}")
        self._pending.set()

    async def _announce(self, _: NodeSynchronizer) -> None:
        async with await self._connect() as connection:
            while True:
                await self._pending.wait()
                self._pending.clear()
                changed, self._changed = self._changed, {}
                words, self._words = self._words, []
                lines = [f"{table} {version}" for table, version in changed.items()]
                await _notify(connection, self.node, [*lines, *words])

    # Attendance

    def present(self, table: str, crowd: TableAttendance) -> None:
        if crowd == self._attendance.get(table, TableAttendance()):
            return
        if crowd == TableAttendance():
            self._attendance.pop(table, None)
        else:
            self._attendance[table] = crowd
        self._changed_presence.add(table)
        self._presence_changed.set()

    async def crowd(self, table: str) -> TableAttendance:
        return await self._store.crowd(table, but=self.node)

    async def _announce_presence(self, _: NodeSynchronizer) -> None:
        """Stores and announces changed attendance, at most once per `UPDATE_INTERVAL_SECONDS`."""
        async with await self._connect() as connection:
            while True:
                await self._presence_changed.wait()
                self._presence_changed.clear()
                changed, self._changed_presence = self._changed_presence, set()
                await self._store.present(
                    self.node, {table: self._attendance.get(table, TableAttendance()) for table in changed}
                )
                await _notify(connection, self.node, changed)
                await asyncio.sleep(UPDATE_INTERVAL_SECONDS)

    async def _listen(self, synchronizer: NodeSynchronizer) -> None:
        async with await self._connect() as connection:
            await connection.execute(f"LISTEN {CHANNEL}")
            await self._poll_once(synchronizer)  # for announcements that this node has missed
            async for notice in connection.notifies():
                sender, versions, present, words = parse_notice(notice.payload)
                if sender != self.node:
                    self._received_versions |= versions
                    self._received_presence |= set(present)
                    self._received_words += words
                    self._received.set()

    async def _follow(self, synchronizer: NodeSynchronizer) -> None:
        """Refreshes the announced tables. Announcements that arrive meanwhile are handled in the next round."""
        while True:
            await self._received.wait()
            self._received.clear()
            versions, self._received_versions = self._received_versions, {}
            present, self._received_presence = self._received_presence, set()
            words, self._received_words = self._received_words, []
            await synchronizer.follow(versions)
            await synchronizer.update_attendance(present)
            for table, word in words:
                await synchronizer.receive(table, word)

    async def _connect(self) -> AsyncConnection[TupleRow]:
        return await AsyncConnection.connect(self._address, autocommit=True, connect_timeout=CONNECT_TIMEOUT_SECONDS)

    async def _poll(self, synchronizer: NodeSynchronizer) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            await self._poll_once(synchronizer)

    async def _poll_once(self, synchronizer: NodeSynchronizer) -> None:
        if held := tuple(synchronizer.in_use):
            await synchronizer.follow(await self._store.versions(held))

    # Heartbeats

    async def _send_heartbeats(self, synchronizer: NodeSynchronizer) -> None:
        while True:
            beats = await self._store.beat(self.node)
            if beats[self.node] == 0:  # other nodes had removed this node and its attendance
                self._changed_presence |= self._attendance.keys()
                self._presence_changed.set()
            for node, number in self._monitor.dead_nodes(beats).items():
                if node != self.node:
                    logger.warning("node %s is gone", node)
                    await self._store.remove_node(node, number)
            await synchronizer.adopt_bots()
            await asyncio.sleep(HEARTBEAT_SECONDS)


async def _notify(connection: AsyncConnection[TupleRow], node: str, lines: Iterable[str]) -> None:
    for notice in encode_notices(node, lines):
        await connection.execute("SELECT pg_notify(%s, %s)", (CHANNEL, notice))


def encode_notices(node: str, lines: Iterable[str]) -> Iterator[str]:
    """Yields payloads: the sender, then one line per table, as many as fit."""
    notice = node
    for line in lines:
        if len(notice) + len(line) >= MAX_NOTICE_BYTES:
            yield notice
            notice = node
        notice += f"\n{line}"
    if notice != node:
        yield notice


def parse_notice(notice: str) -> tuple[str, dict[str, int], tuple[str, ...], tuple[TableMessage, ...]]:
    """Returns the sender, changed tables with their versions, tables with changed attendance, and words for tables."""
    sender, *lines = notice.split("\n")
    parts = [line.partition(" ") for line in lines]
    versions = {table: int(word) for table, _, word in parts if word.isdigit()}
    present = tuple(table for table, separator, _ in parts if not separator)
    words = tuple((table, word) for table, separator, word in parts if separator and not word.isdigit())
    return sender, versions, present, words
