"""Moves the rows of an unreadable table into a file and back."""

from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import Boolean, Engine, Table, delete, insert, select
from sqlalchemy.exc import SQLAlchemyError

from polyopolis.server.ops.data_folder import PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE, FolderProblem
from polyopolis.server.storage.schema import TABLE_COLUMNS, tables

QUARANTINE_FOLDER = "aside"

Rows = dict[str, list[dict[str, Any]]]


def quarantine_table(database: Engine, data: Path, table: str) -> Path:
    """Writes all rows of a table into a file of the data folder and deletes them from the database."""
    with database.begin() as db:
        rows = {
            found.name: [_as_json(row) for row in db.execute(select(found).where(found.c[column] == table)).mappings()]
            for found, column in TABLE_COLUMNS
        }
        if not rows[tables.name]:
            raise FolderProblem(f"there is no table {table!r}")
        path = _file(data, table)
        path.parent.mkdir(PRIVATE_FOLDER_MODE, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(rows)))
        path.chmod(PRIVATE_FILE_MODE)
        for found, column in reversed(TABLE_COLUMNS):
            db.execute(delete(found).where(found.c[column] == table))
    return path


def restore_table(database: Engine, data: Path, table: str) -> None:
    """Restores the rows of a table from its file and deletes the file."""
    path = _file(data, table)
    if not path.exists():
        raise FolderProblem(f"no table {table!r} was set aside: there is no {path}")
    rows = msgspec.json.decode(path.read_bytes(), type=Rows)
    try:
        with database.begin() as db:
            for found, _ in TABLE_COLUMNS:
                for row in rows.get(found.name, ()):
                    db.execute(insert(found).values(**_from_json(found, row)))
    except SQLAlchemyError as error:
        raise FolderProblem(f"{path} cannot be put back: {getattr(error, 'orig', error)}") from error
    path.unlink()


def _file(data: Path, table: str) -> Path:
    if not table.replace("-", "").replace("_", "").isalnum():
        raise FolderProblem(f"there is no table {table!r}")
    return data / QUARANTINE_FOLDER / f"{table}.json"


def _as_json(row: Any) -> dict[str, Any]:
    """Encodes bytes, the only column type without a JSON equivalent."""
    return {name: {"bytes": value.hex()} if isinstance(value, bytes) else value for name, value in row.items()}


def _from_json(found: Table, row: dict[str, Any]) -> dict[str, Any]:
    """Decodes a row. Earlier versions wrote booleans as 0 and 1."""
    return {name: _value(found, name, value) for name, value in row.items()}


def _value(found: Table, name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return bytes.fromhex(value["bytes"])
    return bool(value) if value is not None and isinstance(found.c[name].type, Boolean) else value
