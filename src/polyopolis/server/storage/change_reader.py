"""Reads the changes that other nodes have made to open tables, for many tables in one transaction."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect

from polyopolis.play.entities import CatchUp, LogEntry, SeatTurn
from polyopolis.server.storage import statements
from polyopolis.server.storage.bulk_statements import BulkStatement
from polyopolis.server.storage.db_threads import Outcome
from polyopolis.server.storage.row_mapping import Row, read_tables, row_of


class ReadPosition(NamedTuple):
    """The state of a table that a reader holds: `number` log rows of match `match`."""

    table: str
    match: int
    number: int


class ChangeReader:
    """Reads tables and what has been added to their matches."""

    def __init__(self, dialect: Dialect) -> None:
        self._log = BulkStatement(statements.log_entries_since(dialect), dialect)
        self._turns = BulkStatement(statements.turns_of(dialect), dialect)

    def read_changes(self, db: Connection, known: Sequence[ReadPosition]) -> list[Outcome[CatchUp | None]]:
        """Returns the current state of each table with its new log rows: those after the known position, or all rows if
        a newer match has begun. None for a table that does not exist."""
        rows = {
            row.id: row for row in read_tables(db, list({table for table, _, _ in known}), statements.NEWEST_MATCHES)
        }
        newest = {table: row.matches[-1].number for table, row in rows.items() if row.matches}
        asked = [
            {"asked": index, "table": table, "match": newest[table], "number": number if newest[table] == match else 0}
            for index, (table, match, number) in enumerate(known)
            if table in newest
        ]
        logs, turns = _group_by_request(self._log(db, asked)), _group_by_request(self._turns(db, asked))
        return [
            (
                CatchUp(rows[table], _rows_as(LogEntry, logs[index]), _rows_as(SeatTurn, turns[index]))
                if table in rows
                else None,
                None,
            )
            for index, (table, _, _) in enumerate(known)
        ]


def _group_by_request(rows: Iterable[Sequence[Any]]) -> defaultdict[int, list[Sequence[Any]]]:
    """Groups rows by their first column, the index of the request."""
    groups = defaultdict[int, list[Sequence[Any]]](list)
    for asked, *row in rows:
        groups[asked].append(row)
    return groups


def _rows_as(kind: type[Row], rows: Iterable[Sequence[Any]]) -> tuple[Row, ...]:
    return tuple(row_of(kind, row) for row in rows)
