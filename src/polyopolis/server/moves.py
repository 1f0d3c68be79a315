"""How a move is written down."""

from collections.abc import Sequence

from sqlalchemy import Connection, Dialect

from polyopolis.play.problems import Conflict
from polyopolis.play.rows import Entry, Happened, LogRow, TurnRow
from polyopolis.server import statements as ask
from polyopolis.server.mapping import fields
from polyopolis.server.quick import Quick

PLAYED = ("practice", "practice_for", "over", "due", "result", "standings", "asked", "timing", "deadlines", "ended")
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
        self._answered = Quick(ask.ANSWERED, (), dialect)
        self._owe = Quick(ask.OWE, (), dialect)

    def append(self, db: Connection, table: str, happened: Happened, entry: Entry) -> None:
        self.change(db, table, entry)
        number = happened.match.number
        self.log(db, table, number, happened.number, happened.rows)
        self._count.each(db, [{"table": table, "match": number, **fields(row)} for row in happened.turns])
        played = {name: getattr(happened.match, name) for name in PLAYED}
        self._match(db, {"of_table": table, "of_match": number, **played})

    def change(self, db: Connection, table: str, entry: Entry) -> None:
        """First of all, so that nobody else can change the table until it is done."""
        known = {"of_table": table, "known": entry.version}
        if not self._change(db, {**known, "changed": entry.now // 1000, "version": entry.version + 1}).rowcount:
            raise Conflict(f"table {table} is not at {entry.version} any more")
        if entry.node and entry.node != entry.before:
            self._think(db, {"table": table, "node": entry.node})
        elif entry.before and not entry.node:
            self._done(db, {"of_table": table})
        for notice in entry.notices:
            whose = {"of_table": table, "of_person": notice.person}
            self._answered(db, whose)
            about = {"of_id": notice.id, "of_match": notice.match, "of_kind": notice.kind, "of_look": notice.look}
            self._owe(db, {**whose, **about})

    def log(self, db: Connection, table: str, match: int, number: int, rows: Sequence[LogRow]) -> None:
        place = {"table": table, "match": match}
        self._log.each(db, [{**place, "number": number + index, **fields(row)} for index, row in enumerate(rows)])
