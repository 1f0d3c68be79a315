"""Who may sit down at a table, and how a seat may change."""

import msgspec

from polyopolis.play.entities import SeatEntity
from polyopolis.play.errors import ROW_ERRORS, Forbidden
from polyopolis.play.match.messages import TurnedAway
from polyopolis.play.seats import rated_play
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.seats.seating import SeatPermissions
from polyopolis.play.table.room import TableContext
from polyopolis.play.timing import clocks
from polyopolis.play.timing.rest_hours import NO_REST, Vacation, days_left
from polyopolis.play.wire.requests import SeatChange
from polyopolis.play.wire.responses import OwnVacation


class Admission:
    def __init__(self, room: TableContext) -> None:
        self._room = room

    async def is_turned_away(self, person: str | None) -> bool:
        if person is None or self._room.seating.held_by(person):
            return False
        return await self._room.house.keeper.is_turned_away(self._room.table, person)

    async def check_welcome(self, person: str) -> None:
        if await self.is_turned_away(person):
            raise Forbidden("whoever made this table does not want you to sit down here")
        if is_external_bot(person) and not self._room.outsiders:
            raise Forbidden("no outside bot may sit down at this table")

    def tell_turned_away(self, person: str) -> None:
        said = msgspec.json.encode(TurnedAway())
        self._room.tell_each(lambda each: said if each == person else None)

    async def check_rated(self, row: SeatEntity, *, joins: bool = False) -> None:
        """Forbidden to sit down where matches are rated for whom they cannot be; before the first one nobody else may
        be there, either."""
        room = self._room
        if not room.chain.rated:
            return
        rows = room.seating.with_row(row).rows if not room.chain.rows else (row,) if joins else ()
        await rated_play.check(room.house.raters, room.chain.game.key, rows)

    def changed(self, person: str, seat: int, wish: SeatChange, away: tuple[Vacation, ...] = ()) -> SeatEntity:
        room = self._room
        allowed = SeatPermissions(room.maker, bool(room.chain.rows), room.replaceable, room.now(), away)
        return room.seating.changed(person, seat, wish, allowed)

    async def away(self, person: str, but: int | None = None) -> tuple[Vacation, ...]:
        """When somebody was or is on vacation in any seat of theirs, or in any but one at this table."""
        kept = await self._room.house.keeper.rests_of(person)
        others = (rest for place, rest in kept.items() if place != (self._room.table, but))
        return tuple(vacation for rest in others for vacation in _vacations(rest))

    async def vacation(self, person: str) -> OwnVacation:
        held, now = self._room.seating.held_by(person), self._room.now()
        rest = clocks.rest_of(self._room.seating.rows[held[0]]) if held else NO_REST
        taken = await self.away(person), (*rest.vacations, *rest.inherited)
        return OwnVacation(min(days_left(vacations, rest.zone, now) for vacations in taken))

    def check_given(self) -> None:
        """Forbidden where a seat has to stay with whoever has it."""
        if self._room.sealed:
            raise Forbidden("until the day is over its game stays on the device where it was begun")


def _vacations(kept: str) -> tuple[Vacation, ...]:
    """None if they cannot be read: that is the business of the table where they are kept."""
    try:
        return clocks.read_rest(kept).vacations
    except ROW_ERRORS:
        return ()
