"""How a move is written down."""

from collections.abc import Sequence

from sqlalchemy import Connection, Dialect
from sqlalchemy.engine.interfaces import DBAPICursor

from polyopolis.play.problems import Conflict
from polyopolis.play.rows import Entry, Happened, LogRow, TurnRow
from polyopolis.server import statements as ask
from polyopolis.server.mapping import fields
from polyopolis.server.quick import Quick

PLAYED = ("practice", "practice_for", "over", "due", "result", "standings", "takeback")
"""What a message can change of a match."""


class Moving:
    """In a database of this kind."""

    def __init__(self, dialect: Dialect) -> None:
        place = ("table", "match")
        self._change = Quick(ask.CHANGE_TABLE, ("changed", "version"), dialect)
        self._think = Quick(ask.THINK, ("table", "node"), dialect)
        self._done = Quick(ask.DONE_THINKING, (), dialect)
        self._log = Quick(ask.ADD_LOG, (*place, "number", *LogRow.__struct_fields__), dialect)
        self._count = Quick(ask.COUNT_TURN, (*place, *TurnRow.__struct_fields__), dialect)
        self._match = Quick(ask.CHANGE_MATCH, PLAYED, dialect)

    def append(self, db: Connection, table: str, happened: Happened, entry: Entry) -> None:
        cursor, number = self.change(db, table, entry), happened.match.number
        self.log(cursor, table, number, happened.number, happened.rows)
        for row in happened.turns:
            self._count(cursor, {"table": table, "match": number, **fields(row)})
        played = {name: getattr(happened.match, name) for name in PLAYED}
        self._match(cursor, {"of_table": table, "of_match": number, **played})

    def change(self, db: Connection, table: str, entry: Entry) -> DBAPICursor:
        """First of all, so that nobody else can change the table until it is done."""
        cursor, known = db.connection.cursor(), {"of_table": table, "known": entry.version}
        self._change(cursor, {**known, "changed": entry.now // 1000, "version": entry.version + 1})
        if not cursor.rowcount:
            raise Conflict(f"table {table} is not at {entry.version} any more")
        if entry.node and entry.node != entry.before:
            self._think(cursor, {"table": table, "node": entry.node})
        elif entry.before and not entry.node:
            self._done(cursor, {"of_table": table})
        return cursor

    def log(self, cursor: DBAPICursor, table: str, match: int, number: int, rows: Sequence[LogRow]) -> None:
        for index, row in enumerate(rows, start=number):
            self._log(cursor, {"table": table, "match": match, "number": index, **fields(row)})
