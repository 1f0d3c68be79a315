"""Writes the changes of many tables in one transaction."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import asdict
from sqlalchemy import Connection, Dialect

from polyopolis.play.entities import LogEntry, MatchUpdate, TableChange
from polyopolis.play.errors import Conflict
from polyopolis.server.storage import statements
from polyopolis.server.storage.bulk_statements import BulkStatement
from polyopolis.server.storage.db_threads import Outcome
from polyopolis.server.storage.match_results import delete_results, store_results

Row = dict[str, Any]


class TableMatchUpdate(NamedTuple):
    """The effects of one message at a table."""

    table: str
    happened: MatchUpdate
    entry: TableChange


class MoveWriter:
    """Bulk statements that write moves, compiled for a dialect."""

    def __init__(self, dialect: Dialect) -> None:
        self._change_tables = BulkStatement(statements.change_tables(dialect), dialect)
        self._assign_bots = BulkStatement(statements.assign_bots(dialect), dialect)
        self._unassign_bots = BulkStatement(statements.unassign_bots(dialect), dialect)
        self._log = BulkStatement(statements.add_log(dialect), dialect)
        self._put_turns = BulkStatement(statements.put_turns(dialect), dialect)
        self._change_matches = BulkStatement(statements.change_matches(dialect), dialect)
        self._delete_superseded = BulkStatement(statements.delete_superseded_notifications(dialect), dialect)
        self._add_notifications = BulkStatement(statements.add_notifications(dialect), dialect)

    def append(self, db: Connection, moved: Sequence[TableMatchUpdate]) -> list[Outcome[None]]:
        claimed = self._claim(db, [(table, entry) for table, _, entry in moved])
        self._write(db, [each for each in moved if each.table in claimed])
        return [(None, None if each.table in claimed else _conflict(each.table)) for each in moved]

    def _write(self, db: Connection, moved: Sequence[TableMatchUpdate]) -> None:
        self._write_assignments_and_notifications(db, [(table, entry) for table, _, entry in moved])
        places: list[tuple[Row, MatchUpdate]] = [
            ({"table": table, "match": happened.match.number}, happened) for table, happened, _ in moved
        ]
        self._log(db, [row for place, happened in places for row in _log_rows(place, happened.number, happened.rows)])
        self._put_turns(db, [place | asdict(turn) for place, happened in places for turn in happened.turns])
        self._change_matches(
            db,
            [
                place | {name: getattr(happened.match, name) for name in statements.MATCH_UPDATE_COLUMNS}
                for place, happened in places
            ],
        )
        for table, happened, _ in moved:
            if happened.match.over:
                store_results(db, table, happened.match.number)
            elif any(row.back_to is not None for row in happened.rows):
                delete_results(db, table, happened.match.number)

    def change(self, db: Connection, table: str, entry: TableChange) -> None:
        """Increments the version of a table and writes the bot assignment and notifications of the change. Must come
        first in the transaction: it locks the table. Raises `Conflict` if the version is not the expected one."""
        if not self._claim(db, [(table, entry)]):
            raise _conflict(table)
        self._write_assignments_and_notifications(db, [(table, entry)])

    def _claim(self, db: Connection, entries: Sequence[tuple[str, TableChange]]) -> frozenset[str]:
        """Increments the versions and returns the tables whose stored version was the expected one."""
        known: list[Row] = [
            {"table": table, "known": entry.version, "changed": entry.now // 1000, "version": entry.version + 1}
            for table, entry in entries
        ]
        return frozenset(table for (table,) in self._change_tables(db, known))

    def _write_assignments_and_notifications(self, db: Connection, entries: Sequence[tuple[str, TableChange]]) -> None:
        """Writes bot assignments and notifications."""
        self._assign_bots(
            db,
            [{"table": table, "node": of.node} for table, of in entries if of.node and of.node != of.before],
        )
        self._unassign_bots(db, [{"table": table} for table, of in entries if of.before and not of.node])
        owed = [{"table": table} | asdict(notice) for table, entry in entries for notice in entry.notices]
        self._delete_superseded(db, owed)
        self._add_notifications(db, owed)

    def log(self, db: Connection, table: str, match: int, rows: Sequence[LogEntry]) -> None:
        """Stores the first log entries of a match."""
        self._log(db, list(_log_rows({"table": table, "match": match}, 0, rows)))


def _conflict(table: str) -> Conflict:
    return Conflict(f"table {table} was changed by another request")


def _log_rows(place: Row, number: int, rows: Sequence[LogEntry]) -> Iterable[Row]:
    return (place | {"number": index} | asdict(row) for index, row in enumerate(rows, start=number))
