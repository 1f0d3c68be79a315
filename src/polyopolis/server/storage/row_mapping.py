"""Maps database rows to entities: column names equal field names."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, Select

from polyopolis.play.entities import MatchEntity, SeatEntity, TableEntity
from polyopolis.server.storage.statements import SEATS, TABLES

Row = TypeVar("Row", bound=Struct)

MAX_IDS_PER_STATEMENT = 500
"""Databases limit the number of parameters of a statement."""


def column_values(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


def read_rows(db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]) -> tuple[Row, ...]:
    return tuple(row_of(kind, row) for row in db.execute(statement, about))


def row_of(kind: type[Row], values: Iterable[Any]) -> Row:
    return kind(**dict(zip(kind.__struct_fields__, values, strict=True)))


def read_tables(db: Connection, ids: Sequence[str], played: Select[Any]) -> tuple[TableEntity, ...]:
    """Returns existing tables in this order, with their seats and with the matches that `played` selects."""
    found = list[TableEntity]()
    for first in range(0, len(ids), MAX_IDS_PER_STATEMENT):
        found += _read_some(db, ids[first : first + MAX_IDS_PER_STATEMENT], played)
    return tuple(found)


def _read_some(db: Connection, ids: Sequence[str], played: Select[Any]) -> list[TableEntity]:
    about = {"of_tables": list(ids)}
    rows = {row["id"]: row for row in db.execute(TABLES, about).mappings()}
    seated, begun = _group_by_table(db, SeatEntity, SEATS, about), _group_by_table(db, MatchEntity, played, about)
    return [TableEntity(**rows[key], seats=tuple(seated[key]), matches=tuple(begun[key])) for key in ids if key in rows]


def _group_by_table(
    db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]
) -> defaultdict[str, list[Row]]:
    """Groups entities by the first column, the id of the table."""
    found = defaultdict[str, list[Row]](list)
    for key, *row in db.execute(statement, about):
        found[key].append(row_of(kind, row))
    return found
