"""Rows of the database as values, by the names of their columns."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from msgspec import Struct
from sqlalchemy import Connection, Select

from polyopolis.play.entities import MatchEntity, SeatEntity, TableEntity
from polyopolis.server.storage.statements import SEATS, TABLES

Row = TypeVar("Row", bound=Struct)

AT_ONCE = 500
"""Tables that are read by one statement; a database does not take any number of names."""


def fields(row: Struct) -> dict[str, Any]:
    return {name: getattr(row, name) for name in row.__struct_fields__}


def read(db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]) -> tuple[Row, ...]:
    return tuple(row_of(kind, row) for row in db.execute(statement, about))


def row_of(kind: type[Row], values: Iterable[Any]) -> Row:
    return kind(**dict(zip(kind.__struct_fields__, values, strict=True)))


def read_tables(db: Connection, ids: Sequence[str], played: Select[Any]) -> tuple[TableEntity, ...]:
    """These tables, in this order, with their seats and with those of their matches that are asked for."""
    found = list[TableEntity]()
    for first in range(0, len(ids), AT_ONCE):
        found += _read_some(db, ids[first : first + AT_ONCE], played)
    return tuple(found)


def _read_some(db: Connection, ids: Sequence[str], played: Select[Any]) -> list[TableEntity]:
    about = {"of_tables": list(ids)}
    rows = {row["id"]: row for row in db.execute(TABLES, about).mappings()}
    seated, begun = _by_table(db, SeatEntity, SEATS, about), _by_table(db, MatchEntity, played, about)
    return [TableEntity(**rows[key], seats=tuple(seated[key]), matches=tuple(begun[key])) for key in ids if key in rows]


def _by_table(
    db: Connection, kind: type[Row], statement: Select[Any], about: Mapping[str, Any]
) -> defaultdict[str, list[Row]]:
    """The first column says of which table a row is."""
    found = defaultdict[str, list[Row]](list)
    for key, *row in db.execute(statement, about):
        found[key].append(row_of(kind, row))
    return found
