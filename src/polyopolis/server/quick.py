"""Statements of every move, as the driver takes them: what SQLAlchemy does for one takes longer than the database."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, CursorResult, Dialect, Executable


class Quick:
    """A statement for one kind of database, written out once."""

    def __init__(self, statement: Executable, columns: Iterable[str], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(columns))  # type: ignore[attr-defined]
        self._text = str(compiled)
        self._order: Sequence[str] | None = compiled.positiontup

    def __call__(self, db: Connection, values: Mapping[str, Any]) -> CursorResult[Any]:
        return db.exec_driver_sql(self._text, self._arranged(values))

    def each(self, db: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
        for row in rows:
            self(db, row)

    def _arranged(self, values: Mapping[str, Any]) -> Any:
        """By place, or by name."""
        return values if self._order is None else tuple(values[name] for name in self._order)
