"""Servers on one database, which can be killed, suspended, starved of disk space and restarted."""

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
from tests.server.support.server_process import ServerProcess
from tests.support.postgres_server import Postgres, postgres

LOCK_SECONDS = 7.0
"""The database is locked for this long: longer than `busy_timeout`."""
STOP_SECONDS = 7.0
"""A server is suspended for this long: longer than `DEAD_AFTER_SECONDS`."""
HIGH_LIMIT_OPTIONS = [
    *(f"--limit-{what}=1000000/1" for what in ("requests", "tables", "sockets", "messages", "receivers")),
    "--limit-pages=1000000",
]
"""All clients have one address, and play faster than people."""
FREE_BYTES = 16 * 1024
"""Space left on a full disk."""


class Site:
    """The nodes of a site, with methods that inject faults."""

    def __init__(self, nodes: list[ServerProcess], database: Path | str, server: Postgres | None) -> None:
        self.nodes = nodes
        self.database = database
        self._server = server
        self._random = Random(5)

    @property
    def urls(self) -> list[str]:
        return [node.url for node in self.nodes]

    def start(self) -> None:
        for node in self.nodes:
            node.start()

    def kill(self) -> None:
        """Kills a server with its workers and restarts it."""
        node = self._random.choice(self.nodes)
        node.kill()
        node.start()

    def suspend(self) -> None:
        node = self._random.choice(self.nodes)
        node.send(signal.SIGSTOP)
        time.sleep(STOP_SECONDS)
        node.send(signal.SIGCONT)

    def restart_database(self) -> None:
        if self._server:
            self._server.restart()

    def lock_database(self) -> None:
        with closing(sqlite3.connect(str(self.database), isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            time.sleep(LOCK_SECONDS)
            db.execute("ROLLBACK")

    def fill_disk(self) -> None:
        """Limits the file size of a server for a while."""
        pid = self.nodes[0].pid
        log = Path(f"{self.database}-wal")
        most = (log.stat().st_size if log.exists() else 0) + FREE_BYTES
        before = resource.prlimit(pid, resource.RLIMIT_FSIZE, (most, resource.RLIM_INFINITY))
        time.sleep(3)
        resource.prlimit(pid, resource.RLIMIT_FSIZE, before)

    def kill_bot_process(self) -> None:
        """Kills a worker process of a server."""
        node = self._random.choice(self.nodes)
        worker_pids = [pid for pid in process_group(node.pid) if pid != node.pid]
        with suppress(ProcessLookupError):
            os.kill(self._random.choice(worker_pids), signal.SIGKILL)


def process_group(leader: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rpartition(")")[2].split()
            if int(fields[2]) == leader:
                found.append(int(path.parent.name))
    return found


@contextmanager
def sqlite_site(folder: Path, more: Sequence[str] = ()) -> Iterator[Site]:
    node = ServerProcess(folder, *HIGH_LIMIT_OPTIONS, *more)
    try:
        yield Site([node], folder / DATABASE, None)
    finally:
        node.stop()


@contextmanager
def postgres_site(folder: Path, nodes: int, workers: int = 1, more: Sequence[str] = ()) -> Iterator[Site]:
    with postgres(durable=True) as server, ExitStack() as stack:
        database = server.database()
        options = [*HIGH_LIMIT_OPTIONS, *more, "--database", database, "--workers", str(workers)]
        servers = [ServerProcess(folder / str(number), *options) for number in range(nodes)]
        for node in servers:
            stack.callback(node.stop)
        yield Site(servers, database, server)
