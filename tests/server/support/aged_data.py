"""Time passes for a server that is stopped: everything it has kept of its clocks is as much older."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec

from polyopolis.server.ops.data_folder import DATABASE

AGED = (("log", "thought"), ("turns", "thought"), ("matches", "timing"), ("matches", "deadlines"))
"""Where times stand as JSON."""


def grow_older(data: Path, milliseconds: int) -> None:
    """As if its log had been written so much earlier."""
    with closing(sqlite3.connect(data / DATABASE)) as db, db:
        db.execute("UPDATE log SET time = time - ?", (milliseconds,))
        db.execute("UPDATE outbox SET look = look - ?", (milliseconds,))
        for table, column in AGED:
            for row, text in db.execute(f"SELECT rowid, {column} FROM {table} WHERE {column} IS NOT NULL").fetchall():
                db.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (_older(text, milliseconds), row))


def _older(text: str, milliseconds: int) -> str:
    return msgspec.json.encode(_earlier(msgspec.json.decode(text), milliseconds)).decode()


def _earlier(value: Any, milliseconds: int) -> Any:
    """Every number that is a time, wherever it stands."""
    if isinstance(value, dict):
        return {key: _earlier(part, milliseconds) for key, part in value.items()}
    if isinstance(value, list):
        return [_earlier(part, milliseconds) for part in value]
    return value - milliseconds if isinstance(value, int) and value > 10**12 else value
