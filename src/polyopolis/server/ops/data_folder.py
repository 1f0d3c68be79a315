"""The data folder: lock, permissions, checks and copies of the database."""

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
from polyopolis.server.storage.databases import known_revisions, newest_revision
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

DATABASE = "polyopolis.sqlite"
LOCK = "polyopolis.lock"
UNWRITABLE_CODES = frozenset(
    [sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_FSYNC, sqlite3.SQLITE_IOERR_TRUNCATE]
)
DISK_FULL_TEXT = os.strerror(ENOSPC).lower()
UNREADABLE_CODES = frozenset([sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN])
"""Reading a database in WAL mode writes an index file beside it."""
PRIVATE_FOLDER_MODE, PRIVATE_FILE_MODE = 0o700, 0o600

TRIAL, TRIAL_BYTES = "polyopolis.trial", 2 * 1024 * 1024
"""A file that is written and removed to test for free space. A new database takes 1 MiB with its log."""


class FolderProblem(PolyopolisError):
    """The folder cannot be used; the message says why."""


@contextmanager
def lock_folder(folder: Path) -> Iterator[None]:
    """Holds the lock of the folder. The operating system releases the lock of a process that dies."""
    folder.mkdir(PRIVATE_FOLDER_MODE, parents=True, exist_ok=True)
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


def check_writable(folder: Path) -> None:
    """Raises `FolderProblem` if the folder has no space for the writes of a server start."""
    trial = folder / TRIAL
    try:
        with trial.open("wb") as file:
            file.write(os.urandom(TRIAL_BYTES))  # not compressible
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise FolderProblem(f"the folder {folder} cannot be written to: {_reason_text(error)}") from error
    finally:
        with suppress(OSError):
            trial.unlink(missing_ok=True)


def _reason_text(error: OSError | sqlite3.Error) -> str:
    """Returns why a write has failed."""
    if isinstance(error, sqlite3.Error):
        return DISK_FULL_TEXT if error.sqlite_errorcode == sqlite3.SQLITE_FULL else str(error).lower()
    return (error.strerror or str(error)).lower()


def restrict_permissions(folder: Path) -> None:
    """Makes the folder and its files accessible to the owner only: they contain the seeds of running matches."""
    os.umask(0o077)
    folder.chmod(PRIVATE_FOLDER_MODE)
    for path in folder.iterdir():
        path.chmod(PRIVATE_FOLDER_MODE if path.is_dir() else PRIVATE_FILE_MODE)


def prepare_database(folder: Path) -> None:
    """Creates the database, or copies an existing one before it is migrated to a new version."""
    path = folder / DATABASE
    if not path.exists():
        _create_database(path)
    elif revision_of(path) != newest_revision():
        copy_database(path, folder / f"before-{newest_revision()}-{timestamp()}.sqlite")
    restrict_permissions(folder)


def _create_database(path: Path) -> None:
    """Creates the database under a temporary name, so that a crash leaves no incomplete database."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    asyncio.run(_migrate_new(fresh))
    fresh.replace(path)


async def _migrate_new(path: Path) -> None:
    store = DatabaseMatchRepository(path)
    await store.open()
    await store.close()


def revision_of(path: Path) -> str:
    """Returns the schema revision. Raises `FolderProblem` if this version cannot read the database."""
    try:
        with closing(open_read_only(path)) as db:
            found = db.execute("SELECT version_num FROM alembic_version").fetchone()
            db.execute("SELECT count(*) FROM tables").fetchone()
    except sqlite3.Error as error:
        if error.sqlite_errorcode & 0xFF in UNREADABLE_CODES:
            raise FolderProblem(f"{path} cannot be read: {_reason_text(error)}") from error
        raise FolderProblem(f"{path} is no database of Polyopolis ({error})") from error
    if found is None:
        raise FolderProblem(f"{path} is no database of Polyopolis (it has no version)")
    if found[0] not in known_revisions():
        raise FolderProblem(f"{path} was written by a newer version of Polyopolis ({found[0]})")
    return str(found[0])


def copy_database(source: Path, target: Path) -> None:
    """Copies all committed data, including the WAL, also while a server writes. Raises `FolderProblem`."""
    unfinished = target.with_name(f"{target.name}.part")
    unfinished.unlink(missing_ok=True)
    try:
        unfinished.touch(PRIVATE_FILE_MODE)
        if problem := _copy_into(source, unfinished):
            raise FolderProblem(f"{source} is damaged: {problem}")
        unfinished.replace(target)
    except (OSError, sqlite3.Error) as error:
        raise FolderProblem(f"{target} cannot be written: {_reason_text(error)}") from error
    finally:
        unfinished.unlink(missing_ok=True)


def _copy_into(source: Path, target: Path) -> str | None:
    """Copies a database. Returns the problem if the source is damaged; raises `sqlite3.Error` if the target cannot be
    written."""
    try:
        with closing(open_read_only(source)) as found, closing(sqlite3.connect(target)) as written:
            found.backup(written)
            said = str(written.execute("PRAGMA quick_check").fetchone()[0])
            written.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if error.sqlite_errorcode in UNWRITABLE_CODES:
            raise
        return str(error)
    return None if said == "ok" else said


def open_read_only(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def timestamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S")
