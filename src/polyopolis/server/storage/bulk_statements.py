"""Statements of every move: the rows of all moves that are written together go to the driver at once, as one JSON.

So there is one way to the database for all of them, and while it writes nobody in this process has to wait.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    JSON,
    BindParameter,
    Connection,
    Dialect,
    Executable,
    FromClause,
    bindparam,
    cast,
    func,
    literal_column,
    select,
)
from sqlalchemy import column as column_of
from sqlalchemy.sql.type_api import TypeEngine

from polyopolis.play.entities import as_json
from polyopolis.server.storage.databases import POSTGRES

Columns = Mapping[str, TypeEngine[Any]]
ROWS = "rows"


def json_rows(columns: Columns, dialect: Dialect) -> FromClause:
    """The rows that a statement is given, as if they were a table."""
    rows: BindParameter[str] = bindparam(ROWS)
    if dialect.name == POSTGRES:
        found = func.json_to_recordset(cast(rows, JSON)).table_valued(
            *(column_of(*column) for column in columns.items())
        )
        return found.render_derived(name="given", with_types=True)
    each = func.json_each(rows).table_valued("value", name="each")
    values = (func.json_extract(each.c.value, literal_column(f"'$.{name}'")).label(name) for name in columns)
    return select(*values).subquery("given")


class BulkStatement:
    """A statement for one kind of database, written out once."""

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        self._text = str(compiled)
        self._by_place = compiled.positiontup is not None

    def __call__(self, db: Connection, rows: Sequence[Mapping[str, Any]]) -> Sequence[tuple[Any, ...]]:
        """What it answers, if it does."""
        if not rows:
            return ()
        cursor, text = db.connection.cursor(), as_json(rows)
        cursor.execute(self._text, (text,) if self._by_place else {ROWS: text})
        return cursor.fetchall() if cursor.description else ()
