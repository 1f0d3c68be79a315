"""A table that cannot be read is set aside: all its rows go into a file, and can be put back from there."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.server.folder import FILE_OF_OURS, OURS_ALONE, FolderProblem
from polyopolis.server.schema import OF_TABLE, tables

FOLDER = "aside"
OWN_TABLES = {found.name: column for found, column in OF_TABLE}

Rows = dict[str, list[dict[str, Any]]]


def set_aside(database: Path, table: str) -> Path:
    """Writes all rows of a table into a file of the folder and takes them out of the database."""
    with closing(sqlite3.connect(database)) as db:
        db.row_factory = sqlite3.Row
        rows = {name: _rows(db, name, column, table) for name, column in OWN_TABLES.items()}
        if not rows[tables.name]:
            raise FolderProblem(f"there is no table {table!r}")
        path = _file(database, table)
        path.parent.mkdir(OURS_ALONE, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
        path.chmod(FILE_OF_OURS)
        with db:
            for name, column in reversed(OWN_TABLES.items()):
                db.execute(f'DELETE FROM "{name}" WHERE "{column}" = ?', (table,))
    return path


def put_back(database: Path, table: str) -> None:
    """The rows of a table that was set aside, as they were."""
    path = _file(database, table)
    if not path.exists():
        raise FolderProblem(f"no table {table!r} was set aside: there is no {path}")
    rows = msgspec.json.decode(path.read_bytes(), type=Rows)
    try:
        with closing(sqlite3.connect(database)) as db, db:
            for name in OWN_TABLES:
                for row in rows[name]:
                    _insert(db, name, {column: _from_json(value) for column, value in row.items()})
    except sqlite3.Error as error:
        raise FolderProblem(f"{path} cannot be put back: {error}") from error
    path.unlink()


def _file(database: Path, table: str) -> Path:
    if not table.replace("-", "").replace("_", "").isalnum():
        raise FolderProblem(f"there is no table {table!r}")
    return database.parent / FOLDER / f"{table}.json"


def _rows(db: sqlite3.Connection, name: str, column: str, table: str) -> list[dict[str, Any]]:
    found = db.execute(f'SELECT * FROM "{name}" WHERE "{column}" = ?', (table,))
    return [{key: _as_json(row[key]) for key in row.keys()} for row in found]  # noqa: SIM118 - a row is no mapping


def _insert(db: sqlite3.Connection, name: str, row: dict[str, Any]) -> None:
    columns, marks = ", ".join(f'"{column}"' for column in row), ", ".join("?" for _ in row)
    db.execute(f'INSERT INTO "{name}" ({columns}) VALUES ({marks})', tuple(row.values()))


def _as_json(value: Any) -> Any:
    """Bytes are the only thing in a row that JSON does not know."""
    return {"bytes": value.hex()} if isinstance(value, bytes) else value


def _from_json(value: Any) -> Any:
    return bytes.fromhex(value["bytes"]) if isinstance(value, dict) else value
