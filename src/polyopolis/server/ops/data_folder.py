"""The folder of a server: one server at a time, closed to everybody else, with a database that is ours."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from errno import ENOSPC
from pathlib import Path
from typing import IO

from polyopolis.engine import PolyopolisError
from polyopolis.server.storage.databases import known, newest
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

DATABASE = "polyopolis.sqlite"
LOCK = "polyopolis.lock"
CANNOT_WRITE = frozenset(
    [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE]
)
FULL = os.strerror(ENOSPC).lower()
CANNOT_READ = frozenset([sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN])
"""Whoever reads a file that has a log writes an index of that log beside it."""
OURS_ALONE, FILE_OF_OURS = 0o700, 0o600


TRIAL, TRIAL_BYTES = "polyopolis.trial", 2 * 1024 * 1024
"""A file that is written and removed. A new database takes 1 MiB with its log."""


class FolderProblem(PolyopolisError):
    """A server cannot work on this folder; says why."""


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Nobody else works on the folder meanwhile. The system takes the lock back from whoever dies."""
    folder.mkdir(OURS_ALONE, parents=True, exist_ok=True)
    with (folder / LOCK).open("a+b") as lock:
        if not _locked(lock):
            raise FolderProblem(f"another server works on the folder {folder}")
        yield


def _locked(lock: IO[bytes]) -> bool:
    try:
        _lock(lock)
    except OSError:
        return False
    return True


if os.name == "nt":  # pragma: no cover - the other system

    def _lock(lock: IO[bytes]) -> None:
        import msvcrt  # noqa: PLC0415 - only there

        msvcrt.locking(lock.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]

else:

    def _lock(lock: IO[bytes]) -> None:
        import fcntl  # noqa: PLC0415 - only here

        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def check_room(folder: Path) -> None:
    """Raises `FolderProblem` if a server cannot write into the folder as much as it does when it starts."""
    trial = folder / TRIAL
    try:
        with trial.open("wb") as file:
            file.write(os.urandom(TRIAL_BYTES))  # which no file system compresses
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FolderProblem(f"the folder {folder} cannot be written to: {_why(error)}") from error
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def _why(error: OSError | sqlite3.Error) -> str:
    """Why something cannot be written."""
    if isinstance(error, sqlite3.Error):
        return FULL if error.sqlite_errorcode == sqlite3.SQLITE_FULL else str(error).lower()
    return (error.strerror or str(error)).lower()


def close_to_others(folder: Path) -> None:
    """Every seed of a running match is in here."""
    os.umask(0o077)
    folder.chmod(OURS_ALONE)
    for path in folder.iterdir():
        path.chmod(OURS_ALONE if path.is_dir() else FILE_OF_OURS)


def prepare(folder: Path) -> None:
    """A database that can be opened: a new one, or ours; before it is changed for a new version there is a copy."""
    path = folder / DATABASE
    if not path.exists():
        _make(path)
    elif revision_of(path) != newest():
        copy(path, folder / f"before-{newest()}-{stamp()}.sqlite")
    close_to_others(folder)


def _make(path: Path) -> None:
    """Under another name first: whoever finds an empty database knows that it is not a server that died at birth."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    asyncio.run(_born(fresh))
    fresh.replace(path)


async def _born(path: Path) -> None:
    store = DatabaseMatchRepository(path)
    await store.open()
    await store.close()


def revision_of(path: Path) -> str:
    """The version of its schema, if it is one of ours that this version can read."""
    try:
        with closing(reading(path)) as db:
            found = db.execute("SELECT version_num FROM alembic_version").fetchone()
            db.execute("SELECT count(*) FROM tables").fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in CANNOT_READ:
            raise FolderProblem(f"{path} cannot be read: {_why(error)}") from error
        raise FolderProblem(f"{path} is no database of Polyopolis ({error})") from error
    if found is None:
        raise FolderProblem(f"{path} is no database of Polyopolis (it has no version)")
    if found[0] not in known():
        raise FolderProblem(f"{path} was written by a newer version of Polyopolis ({found[0]})")
    return str(found[0])


def copy(source: Path, target: Path) -> None:
    """All that was committed, also while somebody writes; what lies in the log of the database is in it, too."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        unfinished.touch(FILE_OF_OURS)
        if problem := _copied(source, unfinished):
            raise FolderProblem(f"{source} is damaged: {problem}")
        unfinished.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise FolderProblem(f"{target} cannot be written: {_why(error)}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _copied(source: Path, target: Path) -> str | None:
    """Returns what is wrong with the source. Raises `sqlite3.Error` if the target cannot be written."""
    try:
        with closing(reading(source)) as found, closing(sqlite3.connect(target)) as written:
            found.backup(written)
            said = str(written.execute("PRAGMA quick_check").fetchone()[0])
            written.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode in CANNOT_WRITE:
            raise
        return str(error)
    return None if said == "ok" else said


def reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def stamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S")
