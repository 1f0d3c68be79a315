"""Persists changes of the current match, and broadcasts to each guest what they may know of it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from polyopolis.engine import Match, Reason
from polyopolis.play.entities import MatchEntity, MatchUpdate
from polyopolis.play.match import premoves, projections
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import Clocks, Decided, Mine, News, People, Refused, Scene, Yours
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table.attendance import Seats
from polyopolis.play.table.room import TableContext
from polyopolis.play.timing import clocks


class MatchPublisher:
    """The only writer of a match. The caller must hold `room.lock`."""

    def __init__(self, room: TableContext, live: LiveMatch) -> None:
        self.room = room
        self.live = live
        self.installed = room.chain.is_installed(live.row)

    @property
    def playable(self) -> bool:
        return self.installed and not self.live.row.ended

    # Messages

    def scene(self, events: Sequence[Any] = (), back: bool = False) -> Scene:
        info = projections.match_info(self.live.row, playable=self.playable, sealed=self.room.sealed)
        return projections.public_view(self.live, info, self.room.chain, events, back)

    def mine(self, held: Seats) -> tuple[Mine, ...]:
        """The private state of those of the held seats that their player decides for."""
        played = self.room.seating.played(held) if self.playable else ()
        return tuple(self.own(seat) for seat in played)

    def own(self, seat: int) -> Mine:
        return projections.seat_view(self.live, seat, self.room.by_mail)

    def mine_of(self, guest: Subscriber) -> tuple[Mine, ...]:
        return self.mine(self.room.seating.held_by(guest.person))

    def clocks(self) -> Clocks | None:
        if not self.live.timed:
            return None
        return projections.clocks(self.live, self.room.house.life.outages, self.room.now())

    def tell_news(self, events: Sequence[Any], back: bool = False) -> None:
        shown, times = projections.preencoded(self.scene(events, back)), self.clocks()
        self.room.tell(lambda held: News(shown, self.mine(held), times))

    def tell_decided(self, seat: int) -> None:
        """Sends that a seat has decided; the decision goes only to the pages of its player."""
        due, decided = self.live.due, tuple(sorted(self.live.match.staged))
        own, times = (self.own(seat),), self.clocks()
        played = self.room.seating.played
        self.room.tell(lambda held: Decided(due, decided, own if seat in played(held) else (), times))

    def tell_people(self) -> None:
        times = self.clocks()
        self.room.tell(lambda held: People(self.room.info(held), self.mine(held), times))

    def tell_own(self, seat: int) -> None:
        """Sends the private state of a seat to the pages of its player."""
        self.room.tell_own(seat, lambda held: Yours(self.mine(held)))

    def refuse(self, guest: Subscriber, seat: int, reason: Reason) -> None:
        self.room.tell_one(guest, Refused(seat, reason, self.mine_of(guest)))

    # Persistence

    async def persist(self, match: Match, update: MatchUpdate, now: int) -> None:
        """Writes the update with its deadlines and notifications in one transaction, then applies it in memory."""
        room, before = self.room, self.live.row
        entity = with_deadlines(self.live, update.match, match, update, room.house.life.outages)
        update = replace(update, match=entity)
        goes_on = bool(update.rows) or entity.over != before.over
        owed = room.owed(match, entity, update.number + len(update.rows), now) if goes_on else ()
        asked = room.questions(room.seating, before, entity, now)
        node = room.thinks_at(room.seating, match, entity, self.ready_premoves(match, update))
        await room.keep(partial(room.house.keeper.append, room.table, update), now, node, (*owed, *asked))
        self.live.take(match, update)

    async def persist_entity(self, **changes: Any) -> None:
        """Persists changed fields of the match. Its moves stay the same."""
        entity = replace(self.live.row, **changes)
        await self.persist(self.live.match, MatchUpdate(self.live.number, (), (), entity), self.room.now())

    def rename(self, row: MatchEntity) -> None:
        """Applies a persisted change of names. The names of cities are part of the boards, which are sent again."""
        cities = row.setup != self.live.row.setup
        self.live.rename(row)
        if cities:
            self.tell_news(())

    def ready_premoves(self, match: Match, happened: MatchUpdate | None = None) -> frozenset[int]:
        """The seats of players who have a premove that is to be played now."""
        if not self.room.by_mail:
            return frozenset()
        prepared = dict(self.live.prepared)
        for turn in happened.turns if happened else ():
            prepared.pop(turn.seat, None)
            prepared |= {turn.seat: turn.prepared} if turn.prepared else {}
        rows = self.room.seating.rows
        return frozenset(
            seat for seat in premoves.seats_with_matching_premove(match, prepared) if clocks.is_manned(rows[seat])
        )
