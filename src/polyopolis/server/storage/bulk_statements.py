"""Bulk statements: all rows of a batch are passed to the driver as one JSON parameter.

One round trip serves the whole batch, and the driver holds the GIL for less time than `executemany` does.
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
    """Returns the rows of the JSON parameter as a table expression."""
    rows: BindParameter[str] = bindparam(ROWS)
    if dialect.name == POSTGRES:
        recordset = func.json_to_recordset(cast(rows, JSON)).table_valued(
            *(column_of(*column) for column in columns.items())
        )
        return recordset.render_derived(name="given", with_types=True)
    each = func.json_each(rows).table_valued("value", name="each")
    values = (func.json_extract(each.c.value, literal_column(f"'$.{name}'")).label(name) for name in columns)
    return select(*values).subquery("given")


class BulkStatement:
    """A statement that takes many rows, compiled once for a dialect."""

    def __init__(self, statement: Executable, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
        self._text = str(compiled)
        self._positional = compiled.positiontup is not None

    def __call__(self, db: Connection, rows: Sequence[Mapping[str, Any]]) -> Sequence[tuple[Any, ...]]:
        """Executes the statement for all rows and returns the rows of its RETURNING clause."""
        if not rows:
            return ()
        cursor, text = db.connection.cursor(), as_json(rows)
        cursor.execute(self._text, (text,) if self._positional else {ROWS: text})
        return cursor.fetchall() if cursor.description else ()
