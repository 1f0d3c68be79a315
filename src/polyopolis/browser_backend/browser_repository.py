"""Stores tables and matches in the browser, as rows of text by name; rows are written before updates are sent.

All data is also in memory, except logs, which are loaded on demand. The opener of the storage ensures that only one
backend writes to it.

    person                      the id of the player
    table/<id>                  a table with its seats
    match/<id>/<number>         a match of the table
    log/<id>/<number>/<first>   its log entries, starting at this number
    turn/<id>/<number>/<seat>
    name/<person>
    unlisted/<person>/<id>
    alive                       the time at which the backend last ran
    outage/<began>              a period in which it did not run
    review/<key>                a cached review
    inbox/<name>                an `Import` that another page has left
"""

import asyncio
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import (
    CatchUp,
    LogEntry,
    MatchEntity,
    MatchUpdate,
    Outage,
    SeatEntity,
    SeatTurn,
    StoredMatch,
    TableChange,
    TableEntity,
    as_json,
)
from polyopolis.play.in_memory import InMemoryMatchRepository, seated

PERSON = "person"
ALIVE = "alive"
NUMBER_DIGITS = 6
"""Numbers in names are padded, so that names sort like numbers."""


StoredRows = dict[str, str | None]


class BrowserStorage(Protocol):
    """Stores rows of text by name."""

    async def put(self, rows: Mapping[str, str | None]) -> None:
        """Writes all rows durably or none; None deletes a row."""

    async def below(self, folder: str) -> Mapping[str, str]:
        """Returns all rows whose names begin with the prefix, ordered by name."""


class BrowserMatchRepository(InMemoryMatchRepository):
    def __init__(self, storage: BrowserStorage) -> None:
        super().__init__()
        self._storage = storage
        self._writing = asyncio.Lock()

    async def open(self) -> str:
        """Loads all rows except logs; returns the id of the player, created on the first call."""
        tables = await self._storage.below("table/")
        matches: dict[str, list[MatchEntity]] = {}
        for name, text in (await self._storage.below("match/")).items():
            matches.setdefault(name.split("/")[1], []).append(msgspec.json.decode(text, type=MatchEntity))
        for text in tables.values():
            row = msgspec.json.decode(text, type=TableEntity)
            # no bots are running yet
            self.tables[row.id] = replace(row, matches=tuple(matches.get(row.id, ())), node=None)
        for name, text in (await self._storage.below("name/")).items():
            self._names[name.split("/", 1)[1]] = msgspec.json.decode(text, type=str)
        for name, text in (await self._storage.below("unlisted/")).items():
            _, person, table = name.split("/")
            self._unlisted[person, table] = msgspec.json.decode(text, type=int)
        if sign := (await self._storage.below(ALIVE)).get(ALIVE):
            self._sign = msgspec.json.decode(sign, type=int)
        outages = (await self._storage.below("outage/")).values()
        self._outages = tuple(msgspec.json.decode(text, type=Outage) for text in outages)
        return await self._person()

    async def _person(self) -> str:
        found = (await self._storage.below(PERSON)).get(PERSON)
        if found is None:
            found = secrets.token_urlsafe(12)
            await self._storage.put({PERSON: found})
        return found

    # Tables

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        if row.id not in self.tables:
            rows = _table(row)
            for match, log in zip(row.matches, logs, strict=True):
                rows |= _match(row.id, match) | _log(row.id, match.number, 0, log)
            await self._storage.put(rows)
        await super().create(row, logs)

    async def inbox(self) -> Mapping[str, str]:
        """Returns the rows of the inbox."""
        return await self._storage.below("inbox/")

    async def empty(self, name: str) -> None:
        await self._storage.put({name: None})

    async def unlist(self, person: str, table: str, changed: int) -> None:
        await self._storage.put({f"unlisted/{person}/{table}": as_json(changed)})
        await super().unlist(person, table, changed)

    async def relist(self, person: str, table: str) -> None:
        await self._storage.put({f"unlisted/{person}/{table}": None})
        await super().relist(person, table)

    # Changes: checked, written, and only then applied in memory; one at a time

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        async with self._writing:
            changed = seated(self._changed(table, playing, entry), row)
            await self._storage.put(_table(changed) | _match(table, playing))
            await super().seat(table, row, playing, entry)

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        async with self._writing:
            changed = replace(self._changed(table, None, entry), invites=invites, talk=talk)
            await self._storage.put(_table(changed))
            await super().arrange(table, invites, talk, entry)

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        async with self._writing:
            changed = self._changed(table, row, entry)
            await self._storage.put(_table(changed) | _match(table, row) | _log(table, row.number, 0, log))
            await super().start(table, row, log, entry)

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        number = happened.match.number
        async with self._writing:
            await self._fetch(table, number)
            changed = self._changed(table, happened.match, entry)
            self._check_follows(table, happened)
            rows = _log(table, number, happened.number, tuple(happened.rows)) | _turns(table, number, happened.turns)
            await self._storage.put(_table(changed) | _match(table, happened.match) | rows)
            await super().append(table, happened, entry)

    # Logs

    async def match(self, table: str, number: int) -> StoredMatch | None:
        await self._fetch(table, number)
        return await super().match(table, number)

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        row = self.tables.get(table)
        if row and row.matches:
            await self._fetch(table, row.matches[-1].number)
        return await super().later(table, match, number)

    async def _fetch(self, table: str, number: int) -> None:
        row = self.tables.get(table)
        if (table, number) in self._logs or row is None or number not in range(len(row.matches)):
            return
        pieces = await self._storage.below(f"log/{_place(table, number)}/")
        turns = await self._storage.below(f"turn/{_place(table, number)}/")
        if (table, number) in self._logs:  # loaded by another task meanwhile
            return
        self._logs[table, number] = [
            row for text in pieces.values() for row in msgspec.json.decode(text, type=list[LogEntry])
        ]
        found = [msgspec.json.decode(text, type=SeatTurn) for text in turns.values()]
        self._turns[table, number] = {turn.seat: turn for turn in found}

    # Time

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        found = await super().alive(now, silence)
        await self._storage.put({ALIVE: as_json(self._sign)})
        return found

    async def outage(self, outage: Outage) -> None:
        await self._storage.put({f"outage/{outage.began:015}": as_json(outage)})
        await super().outage(outage)

    # People

    async def remember(self, person: str, name: str) -> None:
        await self._storage.put({f"name/{person}": as_json(name)})
        await super().remember(person, name)


def _place(table: str, number: int) -> str:
    return f"{table}/{number:0{NUMBER_DIGITS}}"


def _table(row: TableEntity) -> StoredRows:
    return {f"table/{row.id}": as_json(replace(row, matches=()))}


def _match(table: str, row: MatchEntity | None) -> StoredRows:
    return {f"match/{_place(table, row.number)}": as_json(row)} if row else {}


def _log(table: str, number: int, first: int, log: tuple[LogEntry, ...]) -> StoredRows:
    return {f"log/{_place(table, number)}/{first:0{NUMBER_DIGITS}}": as_json(log)} if log else {}


def _turns(table: str, number: int, turns: Iterable[SeatTurn]) -> StoredRows:
    return {f"turn/{_place(table, number)}/{turn.seat:0{NUMBER_DIGITS}}": as_json(turn) for turn in turns}
