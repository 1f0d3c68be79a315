"""How moves are written down, all that wait at once."""

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
    """What one message led to at a table."""

    table: str
    happened: MatchUpdate
    entry: TableChange


class MoveWriter:
    """In a database of this kind."""

    def __init__(self, dialect: Dialect) -> None:
        self._change = BulkStatement(statements.change_tables(dialect), dialect)
        self._think = BulkStatement(statements.think(dialect), dialect)
        self._done = BulkStatement(statements.done_thinking(dialect), dialect)
        self._log = BulkStatement(statements.add_log(dialect), dialect)
        self._count = BulkStatement(statements.count_turns(dialect), dialect)
        self._match = BulkStatement(statements.change_matches(dialect), dialect)
        self._answered = BulkStatement(statements.answered(dialect), dialect)
        self._owe = BulkStatement(statements.owe(dialect), dialect)

    def append(self, db: Connection, moved: Sequence[TableMatchUpdate]) -> list[Outcome[None]]:
        claimed = self._claim(db, [(table, entry) for table, _, entry in moved])
        self._write(db, [each for each in moved if each.table in claimed])
        return [(None, None if each.table in claimed else _conflict(each.table)) for each in moved]

    def _write(self, db: Connection, moved: Sequence[TableMatchUpdate]) -> None:
        self._beside(db, [(table, entry) for table, _, entry in moved])
        places: list[tuple[Row, MatchUpdate]] = [
            ({"table": table, "match": happened.match.number}, happened) for table, happened, _ in moved
        ]
        self._log(db, [row for place, happened in places for row in _lines(place, happened.number, happened.rows)])
        self._count(db, [place | asdict(turn) for place, happened in places for turn in happened.turns])
        self._match(
            db,
            [place | {name: getattr(happened.match, name) for name in statements.PLAYED} for place, happened in places],
        )
        for table, happened, _ in moved:
            if happened.match.over:
                store_results(db, table, happened.match.number)
            elif any(row.back_to is not None for row in happened.rows):
                delete_results(db, table, happened.match.number)

    def change(self, db: Connection, table: str, entry: TableChange) -> None:
        """First of all, so that nobody else can change the table until it is done. A `Conflict` if it is not as whoever
        writes knows it."""
        if not self._claim(db, [(table, entry)]):
            raise _conflict(table)
        self._beside(db, [(table, entry)])

    def _claim(self, db: Connection, entries: Sequence[tuple[str, TableChange]]) -> frozenset[str]:
        """The tables that are as whoever writes knows them."""
        known: list[Row] = [
            {"table": table, "known": entry.version, "changed": entry.now // 1000, "version": entry.version + 1}
            for table, entry in entries
        ]
        return frozenset(table for (table,) in self._change(db, known))

    def _beside(self, db: Connection, entries: Sequence[tuple[str, TableChange]]) -> None:
        """Who thinks now, and who is to be told."""
        self._think(
            db,
            [{"table": table, "node": of.node} for table, of in entries if of.node and of.node != of.before],
        )
        self._done(db, [{"table": table} for table, of in entries if of.before and not of.node])
        owed = [{"table": table} | asdict(notice) for table, entry in entries for notice in entry.notices]
        self._answered(db, owed)
        self._owe(db, owed)

    def log(self, db: Connection, table: str, match: int, rows: Sequence[LogEntry]) -> None:
        """The first ones of a match."""
        self._log(db, list(_lines({"table": table, "match": match}, 0, rows)))


def _conflict(table: str) -> Conflict:
    return Conflict(f"table {table} is not as it was any more")


def _lines(place: Row, number: int, rows: Sequence[LogEntry]) -> Iterable[Row]:
    return (place | {"number": index} | asdict(row) for index, row in enumerate(rows, start=number))
