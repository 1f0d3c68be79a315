"""Persists changes of the current match, and broadcasts to each guest what they may know of it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from polyopolis.engine import Match, Reason
from polyopolis.play.entities import MatchEntity, MatchUpdate
from polyopolis.play.match import premoves, projections
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import (
    Clocks,
    MatchChanged,
    MessageRefused,
    OwnSeats,
    Scene,
    SeatDecided,
    SeatState,
    TableChanged,
)
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table.attendance import Seats
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.timing import clocks


class MatchPublisher:
    """The only writer of a match. The caller must hold `context.lock`."""

    def __init__(self, context: TableContext, live: LiveMatch) -> None:
        self.context = context
        self.live = live
        self.installed = context.chain.is_installed(live.row)

    @property
    def playable(self) -> bool:
        return self.installed and not self.live.row.ended

    # Messages

    def scene(self, events: Sequence[Any] = (), back: bool = False) -> Scene:
        info = projections.match_info(self.live.row, playable=self.playable, sealed=self.context.sealed)
        return projections.public_view(self.live, info, self.context.chain, events, back)

    def mine(self, held: Seats) -> tuple[SeatState, ...]:
        """The private state of those of the held seats that their player decides for."""
        played = self.context.seating.played(held) if self.playable else ()
        return tuple(self.own(seat) for seat in played)

    def own(self, seat: int) -> SeatState:
        return projections.seat_view(self.live, seat, self.context.by_correspondence)

    def mine_of(self, guest: Subscriber) -> tuple[SeatState, ...]:
        return self.mine(self.context.seating.held_by(guest.person))

    def clocks(self) -> Clocks | None:
        if not self.live.has_clocks:
            return None
        return projections.clocks(self.live, self.context.outages, self.context.now())

    def broadcast_news(self, events: Sequence[Any], back: bool = False) -> None:
        shown, times = projections.preencoded(self.scene(events, back)), self.clocks()
        self.context.broadcast(lambda held: MatchChanged(shown, self.mine(held), times))

    def broadcast_decided(self, seat: int) -> None:
        """Sends that a seat has decided; the decision goes only to the pages of its player."""
        due, decided = self.live.due, tuple(sorted(self.live.match.staged))
        own, times = (self.own(seat),), self.clocks()
        played = self.context.seating.played
        self.context.broadcast(lambda held: SeatDecided(due, decided, own if seat in played(held) else (), times))

    def broadcast_people(self) -> None:
        times = self.clocks()
        self.context.broadcast(lambda held: TableChanged(self.context.info(held), self.mine(held), times))

    def send_own(self, seat: int) -> None:
        """Sends the private state of a seat to the pages of its player."""
        self.context.send_to_seat(seat, lambda held: OwnSeats(self.mine(held)))

    def refuse(self, guest: Subscriber, seat: int, reason: Reason) -> None:
        self.context.send(guest, MessageRefused(seat, reason, self.mine_of(guest)))

    # Persistence

    async def persist(self, match: Match, update: MatchUpdate, now: int) -> None:
        """Writes the update with its deadlines and notifications in one transaction, then applies it in memory."""
        context, before = self.context, self.live.row
        entity = with_deadlines(self.live, update.match, match, update, context.outages)
        update = replace(update, match=entity)
        goes_on = bool(update.rows) or entity.over != before.over
        notifications = context.notifications(match, entity, update.number + len(update.rows), now) if goes_on else ()
        asked = context.request_notifications(context.seating, before, entity, now)
        node = context.bot_node(context.seating, match, entity, self.ready_premoves(match, update))
        await context.persist(
            partial(context.services.repository.append, context.table, update), now, node, (*notifications, *asked)
        )
        self.live.apply(match, update)

    async def persist_entity(self, **changes: Any) -> None:
        """Persists changed fields of the match. Its moves stay the same."""
        entity = replace(self.live.row, **changes)
        await self.persist(self.live.match, MatchUpdate(self.live.number, (), (), entity), self.context.now())

    def rename(self, row: MatchEntity) -> None:
        """Applies a persisted change of names. The names of cities are part of the boards, which are sent again."""
        cities = row.setup != self.live.row.setup
        self.live.rename(row)
        if cities:
            self.broadcast_news(())

    def ready_premoves(self, match: Match, happened: MatchUpdate | None = None) -> frozenset[int]:
        """The seats of players who have a premove that is to be played now."""
        if not self.context.by_correspondence:
            return frozenset()
        prepared = dict(self.live.prepared)
        for turn in happened.turns if happened else ():
            prepared.pop(turn.seat, None)
            prepared |= {turn.seat: turn.prepared} if turn.prepared else {}
        rows = self.context.seating.rows
        return frozenset(
            seat for seat in premoves.seats_with_matching_premove(match, prepared) if clocks.is_manned(rows[seat])
        )
