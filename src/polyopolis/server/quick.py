"""Statements of every move, as the driver takes them: what SQLAlchemy does for one takes longer than the database."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from sqlalchemy import Dialect, Executable
from sqlalchemy.engine.interfaces import DBAPICursor


class Quick:
    """A statement for one kind of database, written out once."""

    def __init__(self, statement: Executable, columns: Iterable[str], dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(columns))  # type: ignore[attr-defined]
        self._text = str(compiled)
        order: Sequence[str] | None = compiled.positiontup
        self._arranged: Callable[[Mapping[str, Any]], Any] = itemgetter(*order) if order else dict
        """By place, or by name."""

    def __call__(self, cursor: DBAPICursor, values: Mapping[str, Any]) -> None:
        cursor.execute(self._text, self._arranged(values))
