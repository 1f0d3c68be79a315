"""In-memory implementations of the protocols, for tests and for the browser backend."""

import asyncio
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import Result
from polyopolis.games import spec_of
from polyopolis.play.entities import (
    CatchUp,
    ChatMessage,
    LogEntry,
    MatchEntity,
    MatchUpdate,
    Outage,
    SeatEntity,
    SeatTurn,
    StoredMatch,
    TableChange,
    TableEntity,
)
from polyopolis.play.errors import ROW_ERRORS, Conflict, NotFound, Unreadable
from polyopolis.play.history.personal_bests import kind_of
from polyopolis.play.outages import latest_heartbeat, outage_since
from polyopolis.play.protocols import TableAttendance, TimerHandle


class InMemoryMatchRepository:
    """A `MatchRepository` in memory."""

    def __init__(self) -> None:
        self.tables: dict[str, TableEntity] = {}
        self._logs: dict[tuple[str, int], list[LogEntry]] = {}
        self._turns: dict[tuple[str, int], dict[int, SeatTurn]] = {}
        self._names: dict[str, str] = {}
        self._unlisted: dict[tuple[str, str], int] = {}
        self._turned_away = set[tuple[str, str]]()
        self._sign: int | None = None
        self._outages: tuple[Outage, ...] = ()

    async def create(self, row: TableEntity, logs: Sequence[tuple[LogEntry, ...]] = ()) -> None:
        if row.id in self.tables:
            return
        self.tables[row.id] = row
        for match, log in zip(row.matches, logs, strict=True):
            self._logs[row.id, match.number], self._turns[row.id, match.number] = list(log), {}

    async def table(self, table: str) -> TableEntity | None:
        return self.tables.get(table)

    async def tables_of(self, person: str, most: int) -> tuple[TableEntity, ...]:
        return tuple(sorted(self._listed(person), key=lambda row: (-row.changed, -row.created, row.id))[:most])

    async def tables_with_others(self, person: str, most: int) -> tuple[TableEntity, ...]:
        found = [
            row
            for row in self._listed(person)
            if any(seat.person not in (None, person) for seat in row.seats)
            and any(not match.over or match.asked for match in row.matches)
        ]
        return tuple(sorted(found, key=lambda row: (row.changed, row.created, row.id))[:most])

    def _listed(self, person: str) -> list[TableEntity]:
        """The listed tables of a person, each with its newest match only."""
        return [
            replace(row, matches=row.matches[-1:])
            for row in self.tables.values()
            if any(seat.person == person for seat in row.seats)
            and row.changed > self._unlisted.get((person, row.id), -1)
        ]

    async def unlist(self, person: str, table: str, changed: int) -> None:
        self._unlisted[person, table] = changed

    async def relist(self, person: str, table: str) -> None:
        self._unlisted.pop((person, table), None)

    async def rests_of(self, person: str) -> Mapping[tuple[str, int], str]:
        own = ((row.id, seat) for row in self.tables.values() for seat in row.seats if seat.person == person)
        return {(table, seat.seat): seat.rest for table, seat in own if seat.rest}

    async def best_score(self, person: str, game: str, kind: str, but: tuple[str, int]) -> int | None:
        scores = [
            _score_of_kind(game, kind, match, seat.seat)
            for row in self.tables.values()
            for seat in row.seats
            for match in row.matches
            if row.game == game and seat.person == person and match.over and not match.practice
            if (row.id, match.number) != but
        ]
        return max((score for score in scores if score is not None), default=None)

    async def seat(self, table: str, row: SeatEntity, playing: MatchEntity | None, entry: TableChange) -> None:
        self.tables[table] = seated(self._changed(table, playing, entry), row)
        if entry.turned_away:
            self._turned_away.add((table, entry.turned_away))

    async def arrange(self, table: str, invites: str | None, talk: bool, entry: TableChange) -> None:
        self.tables[table] = replace(self._changed(table, None, entry), invites=invites, talk=talk)

    async def is_turned_away(self, table: str, person: str) -> bool:
        return (table, person) in self._turned_away

    async def turned_away_from(self, tables: Sequence[str], person: str) -> frozenset[str]:
        return frozenset(table for table in tables if (table, person) in self._turned_away)

    async def open_tables(self, since: int, most: int) -> tuple[TableEntity, ...]:
        def is_open(row: TableEntity) -> bool:
            free = any(not (seat.person or seat.bot) for seat in row.seats)
            return row.invites is not None and free and not row.matches and row.changed >= since

        found = sorted(filter(is_open, self.tables.values()), key=lambda row: (-row.changed, -row.created, row.id))
        return tuple(found[:most])

    async def start(self, table: str, row: MatchEntity, log: tuple[LogEntry, ...], entry: TableChange) -> None:
        self.tables[table] = self._changed(table, row, entry)
        self._logs[table, row.number] = list(log)
        self._turns[table, row.number] = {}

    def _changed(self, table: str, match: MatchEntity | None, entry: TableChange) -> TableEntity:
        """The table after a change. Raises `Conflict` if the writer has read an older version."""
        kept = self.tables[table]
        if kept.version != entry.version:
            raise Conflict(f"table {table} is at {kept.version}, not at {entry.version}")
        matches = (*kept.matches[: match.number], match) if match else kept.matches
        return replace(kept, matches=matches, changed=entry.now // 1000, version=entry.version + 1, node=entry.node)

    async def later(self, table: str, match: int, number: int) -> CatchUp | None:
        row = self.tables.get(table)
        newest = await self.match(table, row.matches[-1].number) if row and row.matches else None
        if row is None or newest is None:
            return CatchUp(row, (), ()) if row else None
        first = number if newest.row.number == match else 0
        return CatchUp(replace(row, matches=(newest.row,)), newest.log[first:], newest.turns)

    async def versions(self, tables: Sequence[str]) -> Mapping[str, int]:
        return {table: self.tables[table].version for table in tables if table in self.tables}

    async def adopt(self, node: str) -> tuple[str, ...]:
        found = tuple(row.id for row in self.tables.values() if row.node is not None)
        for table in found:
            self.tables[table] = replace(self.tables[table], node=node)
        return found

    async def rest(self, table: str, node: str) -> None:
        if self.tables[table].node == node:
            self.tables[table] = replace(self.tables[table], node=None)

    async def match(self, table: str, number: int) -> StoredMatch | None:
        if (table, number) not in self._logs:
            return None
        log, turns = self._logs[table, number], self._turns[table, number]
        return StoredMatch(self.tables[table].matches[number], tuple(log), tuple(turns.values()))

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        changed, number = self._changed(table, happened.match, entry), happened.match.number
        self._check_follows(table, happened)
        self.tables[table] = changed
        self._logs[table, number] += happened.rows
        self._turns[table, number] |= {turn.seat: turn for turn in happened.turns}

    def _check_follows(self, table: str, happened: MatchUpdate) -> None:
        log = self._logs[table, happened.match.number]
        if len(log) != happened.number:
            raise ValueError(f"the log has {len(log)} rows, not {happened.number}")

    async def alive(self, now: int, silence: int) -> tuple[Outage, ...]:
        if found := outage_since(self._sign, now, silence):
            await self.outage(found)
        self._sign = latest_heartbeat(self._sign, now)
        return self._outages

    async def outage(self, outage: Outage) -> None:
        self._outages += (outage,)

    async def clocked(self) -> tuple[str, ...]:
        return tuple(row.id for row in self.tables.values() if row.matches and row.matches[-1].deadlines)

    async def remember(self, person: str, name: str) -> None:
        self._names[person] = name

    async def name_of(self, person: str) -> str | None:
        return self._names.get(person)


def seated(table: TableEntity, row: SeatEntity) -> TableEntity:
    """The table after a change of one seat."""
    return replace(table, seats=tuple(row if seat.seat == row.seat else seat for seat in table.seats))


class InMemoryChatRepository:
    """A `ChatRepository` in memory."""

    def __init__(self) -> None:
        self._remarks: list[ChatMessage] = []
        self._ignored = set[tuple[str, str]]()
        self.reports: list[tuple[ChatMessage, str]] = []

    async def write(self, row: ChatMessage) -> None:
        self._remarks.append(row)

    async def remark(self, remark: str) -> ChatMessage | None:
        return next((row for row in self._remarks if row.id == remark), None)

    async def remarks(self, table: str, most: int) -> tuple[ChatMessage, ...]:
        return tuple(row for row in self._remarks if row.table == table)[-most:]

    async def ignore(self, person: str, other: str, ignored: bool) -> None:
        if ignored:
            self._ignored.add((person, other))
        else:
            self._ignored.discard((person, other))

    async def ignored_by(self, person: str) -> frozenset[str]:
        return frozenset(other for one, other in self._ignored if one == person)

    async def ignoring(self, other: str) -> frozenset[str]:
        return frozenset(person for person, one in self._ignored if one == other)

    async def report(self, remark: ChatMessage, by: str, now: int) -> None:
        if (remark, by) not in self.reports:
            self.reports.append((remark, by))


class NoCluster:
    """A `ClusterLink` for a single node."""

    any = False

    def __init__(self) -> None:
        self.node = secrets.token_urlsafe(6)

    def changed(self, table: str, version: int) -> None:
        """Does nothing."""

    def aside(self, table: str, word: str) -> None:
        """Does nothing."""

    def present(self, table: str, crowd: TableAttendance) -> None:
        """Does nothing."""

    async def crowd(self, table: str) -> TableAttendance:
        return TableAttendance()


class InlineExportWorker:
    """An `ExportWorker` that runs in the calling thread."""

    async def write(self, work: Callable[..., bytes], *about: Any) -> bytes:
        try:
            return work(*about)
        except NotFound:
            raise
        except Exception as error:  # rules may raise any error for moves of other versions
            raise Unreadable(f"the match cannot be replayed: {error}") from error

    async def read(self, work: Callable[..., bytes], *about: Any) -> bytes:
        return work(*about)


class SystemClock:
    def now(self) -> int:
        return time.time_ns() // 1_000_000

    def running(self) -> float:
        return time.monotonic()

    def later(self, seconds: float, what: Callable[[], None]) -> TimerHandle:
        return asyncio.get_running_loop().call_later(seconds, what)

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _score_of_kind(game: str, kind: str, match: MatchEntity, seat: int) -> int | None:
    """The score of a seat; None for a match of another kind or an unreadable one."""
    try:
        if match.result and kind_of(spec_of(game), match.setup) == kind:
            return msgspec.json.decode(match.result, type=Result).scores[seat]
    except ROW_ERRORS:
        pass
    return None
