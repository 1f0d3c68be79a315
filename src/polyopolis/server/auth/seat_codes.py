"""Codes that bring a seat to another device or to another person, once.

The store gets the digest of a code, never the code itself.
"""

import secrets

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.protocols import Clock
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import UseCode
from polyopolis.play.wire.responses import Seated
from polyopolis.server.auth.credentials import digest
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

SECONDS = 600
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""


class SeatCodeService:
    def __init__(self, store: DatabaseMatchRepository, tables: TableRegistry, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def make(self, person: str, table: Table, seat: int) -> str:
        if seat not in table.context.seating.held_by(person):
            raise Forbidden(f"seat {seat} is not yours")
        table.seats.check_transferable()
        code = "".join(secrets.choice(LETTERS) for _ in range(8))
        await self._store.add_code(digest(code), table.id, seat, self._now() + SECONDS)
        return code

    async def use(self, person: str, wish: UseCode) -> Seated:
        found = await self._store.use_code(digest(wish.code.strip().upper()), self._now())
        if found is None:
            raise NotFound("this code does not exist, was used, or is too old")
        table, seat = await self._tables.table(found[0]), found[1]
        await table.give_seat(seat, person, wish.name)
        return Seated(table.id, seat)

    def _now(self) -> int:
        """The time of day: a code outlives a restart and holds at every node, where only that is the same. A clock that
        jumps ends it early or late; it works once all the same, and not when the seat has moved."""
        return self._clock.now() // 1000
