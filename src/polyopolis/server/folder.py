"""The folder of a server: one server at a time, closed to everybody else, with a database that is ours."""

import asyncio
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import IO

from polyopolis.engine import PolyopolisError
from polyopolis.server.databases import known, newest
from polyopolis.server.store import Store

DATABASE = "polyopolis.sqlite"
LOCK = "polyopolis.lock"
OURS_ALONE, FILE_OF_OURS = 0o700, 0o600


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
    store = Store(path)
    await store.open()
    await store.close()


def revision_of(path: Path) -> str:
    """The version of its schema, if it is one of ours that this version can read."""
    try:
        with closing(reading(path)) as db:
            found = db.execute("SELECT version_num FROM alembic_version").fetchone()
            db.execute("SELECT count(*) FROM tables").fetchone()
    except sqlite3.Error as error:
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
    unfinished.touch(FILE_OF_OURS)
    if problem := _copied(source, unfinished):
        unfinished.unlink()
        raise FolderProblem(f"{source} is damaged: {problem}")
    unfinished.replace(target)


def _copied(source: Path, target: Path) -> str | None:
    """What is wrong with it."""
    try:
        with closing(reading(source)) as found, closing(sqlite3.connect(target)) as written:
            found.backup(written)
            said = str(written.execute("PRAGMA quick_check").fetchone()[0])
            written.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        return str(error)
    return None if said == "ok" else said


def reading(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"file:{path}?mode=ro", uri=True)


def stamp() -> str:
    return datetime.now().strftime("%Y%m%d-%H%M%S")
