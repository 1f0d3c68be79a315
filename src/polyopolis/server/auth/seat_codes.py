"""One-time codes that move a seat to another device or person. Only digests are stored."""

import secrets

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.protocols import Clock
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import UseSeatCode
from polyopolis.play.wire.responses import SeatTaken
from polyopolis.server.auth.credentials import digest
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

CODE_SECONDS = 600
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without characters that look alike."""


class SeatCodeService:
    """Creates and redeems seat codes."""

    def __init__(self, store: DatabaseMatchRepository, tables: TableRegistry, clock: Clock) -> None:
        self._store = store
        self._tables = tables
        self._clock = clock

    async def make(self, person: str, table: Table, seat: int) -> str:
        if seat not in table.context.seating.held_by(person):
            raise Forbidden(f"seat {seat} is not yours")
        table.seats.check_transferable()
        code = "".join(secrets.choice(LETTERS) for _ in range(8))
        await self._store.add_code(digest(code), table.id, seat, self._now() + CODE_SECONDS)
        return code

    async def use(self, person: str, wish: UseSeatCode) -> SeatTaken:
        found = await self._store.use_code(digest(wish.code.strip().upper()), self._now())
        if found is None:
            raise NotFound("this code does not exist, was used, or has expired")
        table, seat = await self._tables.table(found[0]), found[1]
        await table.give_seat(seat, person, wish.name)
        return SeatTaken(table.id, seat)

    def _now(self) -> int:
        """Wall-clock time, because codes must survive restarts and work at every node. If the clock jumps, a code
        expires early or late, but it still works only once and not after the seat has moved."""
        return self._clock.now() // 1000
