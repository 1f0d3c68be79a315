"""Checks and persists changes of the seats of a table."""

from functools import partial

import msgspec
from msgspec.structs import replace

from polyopolis.play.entities import MatchEntity, SeatEntity
from polyopolis.play.errors import ROW_ERRORS, Forbidden
from polyopolis.play.match import consent_requests
from polyopolis.play.match.messages import TurnedAway
from polyopolis.play.seats import rated_play
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.seats.seating import Seating, SeatPermissions
from polyopolis.play.table.match_session import MatchSession
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.timing import clocks
from polyopolis.play.timing.rest_hours import NO_REST, Vacation, days_left
from polyopolis.play.wire.requests import Join, SeatChange, StartVacation
from polyopolis.play.wire.responses import OwnVacation


class SeatService:
    """The caller of `persist` must hold `context.lock`."""

    def __init__(self, context: TableContext) -> None:
        self._context = context

    async def is_turned_away(self, person: str | None) -> bool:
        if person is None or self._context.seating.held_by(person):
            return False
        return await self._context.services.repository.is_turned_away(self._context.table, person)

    async def check_welcome(self, person: str) -> None:
        if await self.is_turned_away(person):
            raise Forbidden("the creator of this table has turned you away")
        if is_external_bot(person) and not self._context.outsiders:
            raise Forbidden("this table does not allow external bots")

    def check_transferable(self) -> None:
        """Raises `Forbidden` if the seats may not change hands."""
        if self._context.sealed:
            raise Forbidden("a daily game cannot move to another device before the day is over")

    async def _check_rated(self, row: SeatEntity, *, joins: bool = False) -> None:
        """Raises `Forbidden` at a rated table for a player who cannot be rated. Before the first match this holds for
        all seats."""
        context = self._context
        if not context.chain.rated:
            return
        rows = context.seating.with_row(row).rows if not context.chain.rows else (row,) if joins else ()
        await rated_play.check_players(context.services.ratings, context.chain.game.key, rows)

    def send_turned_away(self, person: str) -> None:
        said = msgspec.json.encode(TurnedAway())
        self._context.send_each(lambda each: said if each == person else None)

    async def seat_after_change(self, person: str, seat: int, wish: SeatChange) -> SeatEntity:
        """The seat after a change. Raises `Forbidden` if this person may not make it."""
        context, joins = self._context, isinstance(wish, Join)
        if joins:
            await self.check_welcome(person)
        away = await self._vacations(person, but=seat) if isinstance(wish, StartVacation) else ()
        allowed = SeatPermissions(context.maker, bool(context.chain.rows), context.replaceable, context.now(), away)
        row = context.seating.seat_after_change(person, seat, wish, allowed)
        await self._check_rated(row, joins=joins)
        return row

    async def seat_after_transfer(self, seat: int, person: str, name: str | None) -> SeatEntity:
        """The seat after another person has taken it over."""
        await self.check_welcome(person)
        row = self._context.seating.row(seat)
        called = self._context.seating.proper_name(seat, name) if name else row.name
        given = replace(row, name=called, person=person, bot=None, entrusted=False)
        await self._check_rated(given)
        return given

    async def persist(self, row: SeatEntity, session: MatchSession | None, turned_away: str | None = None) -> None:
        """Persists a changed seat, with the names of the players of a match that is not over."""
        context, seating, now = self._context, self._context.seating.with_row(row), self._context.now()
        live = session.live if session else None
        playing = (
            session.match_after_reseating(self._with_players(session.live.row, seating), row, now) if session else None
        )
        node = context.bot_node(seating, live.match, live.row) if live else None
        asked = context.request_notifications(seating, live.row, playing, now) if live and playing else ()
        await context.persist(
            partial(context.services.repository.seat, context.table, row, playing), now, node, asked, turned_away
        )
        if row.person and row.person != context.seating.row(row.seat).person:
            context.attendance.expect(row.person)
        context.seating = seating
        if session and playing:
            session.rename(playing)

    def _with_players(self, row: MatchEntity, seating: Seating) -> MatchEntity:
        """The match with the players of these seats, who have played it if they sit there when it ends."""
        row = replace(row, asked=consent_requests.request_after_reseating(row.asked, seating))
        if row.over:
            return row
        if rated_play.are_other_players(self._context.seating.rows, seating.rows):
            row = rated_play.without_rating(row, "substitute")
        return self._context.chain.with_emblems(replace(row, players=seating.players), seating.rows)

    # Vacations

    async def _vacations(self, person: str, but: int | None = None) -> tuple[Vacation, ...]:
        """The vacations of a person in all their seats, except for one seat of this table."""
        kept = await self._context.services.repository.rests_of(person)
        others = (rest for place, rest in kept.items() if place != (self._context.table, but))
        return tuple(vacation for rest in others for vacation in _read_vacations(rest))

    async def vacation(self, person: str) -> OwnVacation:
        held, now = self._context.seating.held_by(person), self._context.now()
        rest = clocks.rest_of(self._context.seating.rows[held[0]]) if held else NO_REST
        taken = await self._vacations(person), (*rest.vacations, *rest.inherited)
        return OwnVacation(min(days_left(vacations, rest.zone, now) for vacations in taken))


def _read_vacations(kept: str) -> tuple[Vacation, ...]:
    """No vacations if they cannot be read: the table that keeps them reports that."""
    try:
        return clocks.read_rest(kept).vacations
    except ROW_ERRORS:
        return ()
