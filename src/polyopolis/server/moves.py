"""How moves are written down, all that wait at once."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from msgspec.structs import asdict
from sqlalchemy import Connection, Dialect

from polyopolis.play.problems import Conflict
from polyopolis.play.rows import Entry, Happened, LogRow
from polyopolis.server import statements as ask
from polyopolis.server.quick import Quick

Row = dict[str, Any]


class Moved(NamedTuple):
    """What one message led to at a table."""

    table: str
    happened: Happened
    entry: Entry


class Moving:
    """In a database of this kind."""

    def __init__(self, dialect: Dialect) -> None:
        self._change = Quick(ask.change_tables(dialect), dialect)
        self._think = Quick(ask.think(dialect), dialect)
        self._done = Quick(ask.done_thinking(dialect), dialect)
        self._log = Quick(ask.add_log(dialect), dialect)
        self._count = Quick(ask.count_turns(dialect), dialect)
        self._match = Quick(ask.change_matches(dialect), dialect)

    def append(self, db: Connection, moved: Sequence[Moved]) -> None:
        self.change(db, [(table, entry) for table, _, entry in moved])
        places: list[tuple[Row, Happened]] = [
            ({"table": table, "match": happened.match.number}, happened) for table, happened, _ in moved
        ]
        self._log(db, [row for place, happened in places for row in _lines(place, happened.number, happened.rows)])
        self._count(db, [place | asdict(turn) for place, happened in places for turn in happened.turns])
        self._match(
            db,
            [place | {name: getattr(happened.match, name) for name in ask.PLAYED} for place, happened in places],
        )

    def change(self, db: Connection, entries: Sequence[tuple[str, Entry]]) -> None:
        """First of all, so that nobody else can change the tables until it is done. A `Conflict` if one of them is not
        as whoever writes knows it."""
        known: list[Row] = [
            {"table": table, "known": entry.version, "changed": entry.now // 1000, "version": entry.version + 1}
            for table, entry in entries
        ]
        if self._change(db, known) != len(known):
            raise Conflict(f"tables are not as they were any more: {', '.join(table for table, _ in entries)}")
        self._think(
            db,
            [{"table": table, "node": of.node} for table, of in entries if of.node and of.node != of.before],
        )
        self._done(db, [{"table": table} for table, of in entries if of.before and not of.node])

    def log(self, db: Connection, table: str, match: int, rows: Sequence[LogRow]) -> None:
        """The first ones of a match."""
        self._log(db, list(_lines({"table": table, "match": match}, 0, rows)))


def _lines(place: Row, number: int, rows: Sequence[LogRow]) -> Iterable[Row]:
    return (place | {"number": index} | asdict(row) for index, row in enumerate(rows, start=number))
