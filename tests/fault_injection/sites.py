"""Servers on one database, which can be killed, stopped, starved and started again."""

import os
import resource
import signal
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from random import Random

from polyopolis.server.ops.data_folder import DATABASE
from tests.server.support.server_process import House
from tests.support.postgres_server import Postgres, postgres

LOCKED = 7.0
"""Seconds for which somebody else holds the database: longer than it is waited for."""
STOPPED = 7.0
"""Seconds for which a server stands still: longer than others wait until they take it for dead."""
GENEROUS = [
    *(f"--limit-{what}=1000000/1" for what in ("requests", "tables", "sockets", "messages", "receivers")),
    "--limit-pages=1000000",
]
"""Everybody comes from one address, and plays quicker than people do."""
LITTLE = 16 * 1024
"""Bytes that still fit on a full disk."""


class Site:
    def __init__(self, nodes: list[House], database: Path | str, server: Postgres | None) -> None:
        self.nodes = nodes
        self.database = database
        self._server = server
        self._luck = Random(5)

    @property
    def urls(self) -> list[str]:
        return [node.url for node in self.nodes]

    def start(self) -> None:
        for node in self.nodes:
            node.start()

    def kill(self) -> None:
        """A server and all that belongs to it, at once; it is started again."""
        node = self._luck.choice(self.nodes)
        node.kill()
        node.start()

    def stand_still(self) -> None:
        node = self._luck.choice(self.nodes)
        node.send(signal.SIGSTOP)
        time.sleep(STOPPED)
        node.send(signal.SIGCONT)

    def restart_database(self) -> None:
        if self._server:
            self._server.restart()

    def lock_database(self) -> None:
        with closing(sqlite3.connect(str(self.database), isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            time.sleep(LOCKED)
            db.execute("ROLLBACK")

    def fill_disk(self) -> None:
        """For a while a server cannot write more than a little more into any file."""
        pid = self.nodes[0].pid
        log = Path(f"{self.database}-wal")
        most = (log.stat().st_size if log.exists() else 0) + LITTLE
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        time.sleep(3)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    def kill_mind(self) -> None:
        """A process in which bots think."""
        node = self._luck.choice(self.nodes)
        minds = [pid for pid in group(node.pid) if pid != node.pid]
        with suppress(ProcessLookupError):
            os.kill(self._luck.choice(minds), signal.SIGKILL)


def group(leader: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == leader:
                found.append(int(path.parent.name))
    return found


@contextmanager
def on_file(folder: Path, more: Sequence[str] = ()) -> Iterator[Site]:
    house = House(folder, *GENEROUS, *more)
    try:
        yield Site([house], folder / DATABASE, None)
    finally:
        house.stop()


@contextmanager
def on_postgres(folder: Path, nodes: int, workers: int = 1, more: Sequence[str] = ()) -> Iterator[Site]:
    with postgres(durable=True) as server, ExitStack() as stack:
        database = server.database()
        options = [*GENEROUS, *more, "--database", database, "--workers", str(workers)]
        houses = [House(folder / str(number), *options) for number in range(nodes)]
        for house in houses:
            stack.callback(house.stop)
        yield Site(houses, database, server)
