"""What was kept of tables since somebody last read them, for all who ask at once: other nodes have changed them."""

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
    """What somebody has read of a table: so many log rows of this match."""

    table: str
    match: int
    number: int


class ChangeReader:
    """In a database of this kind."""

    def __init__(self, dialect: Dialect) -> None:
        self._log = BulkStatement(statements.later_log(dialect), dialect)
        self._turns = BulkStatement(statements.all_turns(dialect), dialect)

    def later(self, db: Connection, known: Sequence[ReadPosition]) -> list[Outcome[CatchUp | None]]:
        """As it is now: of this match what came after, of a newer one everything; None if there is no such table."""
        rows = {row.id: row for row in read_tables(db, list({table for table, _, _ in known}), statements.NEWEST)}
        newest = {table: row.matches[-1].number for table, row in rows.items() if row.matches}
        asked = [
            {"asked": index, "table": table, "match": newest[table], "number": number if newest[table] == match else 0}
            for index, (table, match, number) in enumerate(known)
            if table in newest
        ]
        logs, turns = _by_asked(self._log(db, asked)), _by_asked(self._turns(db, asked))
        return [
            (
                CatchUp(rows[table], _all(LogEntry, logs[index]), _all(SeatTurn, turns[index]))
                if table in rows
                else None,
                None,
            )
            for index, (table, _, _) in enumerate(known)
        ]


def _by_asked(rows: Iterable[Sequence[Any]]) -> defaultdict[int, list[Sequence[Any]]]:
    """The first column says for whom a row is."""
    found = defaultdict[int, list[Sequence[Any]]](list)
    for asked, *row in rows:
        found[asked].append(row)
    return found


def _all(kind: type[Row], rows: Iterable[Sequence[Any]]) -> tuple[Row, ...]:
    return tuple(row_of(kind, row) for row in rows)
