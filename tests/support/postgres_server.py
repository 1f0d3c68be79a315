"""A temporary PostgreSQL server for tests. Tests that need it are skipped if PostgreSQL is not installed."""

import os
import pwd
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

from tests.server.support.server_process import free_port
from tools.processes import Guard

PLACES = "/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt"
SECONDS = "60"
END_CLUSTER = """
pid=$(head -n 1 "$1/data/postmaster.pid") && kill -s QUIT "$pid"
while kill -s 0 "$pid"; do sleep 0.1; done
rm -rf "$1"
"""
"""A shell script that ends the server of a database cluster and deletes its folder."""


def programs() -> Path | None:
    """Returns the folder with `initdb` and `pg_ctl`, which Debian does not add to PATH."""
    found = [path.parent for place in PLACES for path in Path(place).glob("**/bin/initdb")]
    on_path = shutil.which("initdb")
    return next(iter(sorted(found, reverse=True)), Path(on_path).resolve().parent if on_path else None)


MISSING = "PostgreSQL is not installed" if programs() is None else ""


class Postgres:
    """A PostgreSQL server that can be stopped, killed and started again."""

    def __init__(self, folder: Path, bin_: Path, *, durable: bool) -> None:
        self._folder = folder
        self._bin = bin_
        self.port = free_port()
        self._numbers = count()
        self._own = _somebody_else()
        if self._own:
            shutil.chown(folder, *self._own)
        self._run(
            "initdb", "-D", str(folder / "data"), "-U", "polyopolis", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"
        )
        settings = {
            "listen_addresses": "'127.0.0.1'",
            "port": str(self.port),
            "unix_socket_directories": "''",
            "max_connections": "60",
            "fsync": "on" if durable else "off",
        }
        with (folder / "data" / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = {value}\n" for name, value in settings.items())

    def _run(self, program: str, *arguments: str) -> None:
        own = {"user": self._own[0], "group": self._own[1]} if self._own else {}
        subprocess.run(
            [self._bin / program, *arguments], check=True, stdout=subprocess.DEVNULL, cwd=self._folder, **own
        )  # type: ignore[call-overload]

    def _control(self, *arguments: str) -> None:
        self._run(
            "pg_ctl", "-D", str(self._folder / "data"), "-l", str(self._folder / "log"), "-w", "-t", SECONDS, *arguments
        )

    def start(self) -> None:
        self._control("start")

    def stop(self) -> None:
        self._control("stop", "-m", "immediate")

    def restart(self) -> None:
        """Restarts as an update does: all connections are closed."""
        self._control("restart", "-m", "fast")

    def kill(self) -> None:
        """Kills the server, as a power failure would."""
        pid = int((self._folder / "data" / "postmaster.pid").read_text().split()[0])
        os.kill(pid, signal.SIGKILL)

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://polyopolis@127.0.0.1:{self.port}/{database}"

    def database(self) -> str:
        """Creates a database and returns its address."""
        name = f"site{os.getpid()}_{next(self._numbers)}"
        with psycopg.connect(self.url(), autocommit=True) as db:
            db.execute(f'CREATE DATABASE "{name}"'.encode())
        return self.url(name)


def _somebody_else() -> tuple[int, int] | None:
    """Returns user and group for the server if this process is root, because PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    found = next(user for user in pwd.getpwall() if user.pw_name in ("postgres", "nobody"))
    return found.pw_uid, found.pw_gid


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[Postgres]:
    bin_ = programs()
    if bin_ is None:
        raise RuntimeError(MISSING)
    folder = Path(tempfile.mkdtemp(prefix="polyopolis-postgres-"))
    guard = Guard(END_CLUSTER, str(folder))
    try:
        server = Postgres(folder, bin_, durable=durable)
        server.start()
        try:
            yield server
        finally:
            server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        guard.release()
