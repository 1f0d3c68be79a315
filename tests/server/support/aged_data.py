"""Ages the data of a stopped server: shifts all stored times of clocks into the past."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.server.ops.data_folder import DATABASE

TIME_COLUMNS = (("log", "thought"), ("turns", "thought"), ("matches", "timing"), ("matches", "deadlines"))
"""Columns that contain times as JSON."""


def age_data(data: Path, milliseconds: int) -> None:
    """Shifts the log, the outbox and the clocks into the past."""
    with closing(sqlite3.connect(data / DATABASE, timeout=60)) as db, db:
        db.execute("UPDATE log SET time = time - ?", (milliseconds,))
        db.execute("UPDATE outbox SET look = look - ?", (milliseconds,))
        for table, column in TIME_COLUMNS:
            for row, text in db.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall():
                db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_older(text, milliseconds), row))


def _older(text: str, milliseconds: int) -> str:
    return msgspec.json.encode(_earlier(msgspec.json.decode(text), milliseconds)).decode()


def _earlier(value: Any, milliseconds: int) -> Any:
    """Shifts every number that is a time in milliseconds, at any depth."""
    if isinstance(value, dict):
        return {key: _earlier(part, milliseconds) for key, part in value.items()}
    if isinstance(value, list):
        return [_earlier(part, milliseconds) for part in value]
    return value - milliseconds if isinstance(value, int) and value > 10**12 else value
