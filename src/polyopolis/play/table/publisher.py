"""A match at a table as it is kept and told: kept first, then told, to everybody what they may know."""

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
    """The one writer of a match. Whoever calls holds the lock of the room."""

    def __init__(self, room: TableContext, live: LiveMatch) -> None:
        self.room = room
        self.live = live
        self.installed = room.chain.is_installed(live.row)

    @property
    def playable(self) -> bool:
        return self.installed and not self.live.row.ended

    # What is told

    def scene(self, events: Sequence[Any] = (), back: bool = False) -> Scene:
        info = projections.match_info(self.live.row, playable=self.playable, sealed=self.room.sealed)
        return projections.public_view(self.live, info, self.room.chain, events, back)

    def mine(self, held: Seats) -> tuple[Mine, ...]:
        """What whoever holds these seats may know of those that they decide for."""
        played = self.room.seating.played(held) if self.playable else ()
        return tuple(self.own(seat) for seat in played)

    def own(self, seat: int) -> Mine:
        return projections.seat_view(self.live, seat, self.room.by_mail)

    def mine_of(self, guest: Subscriber) -> tuple[Mine, ...]:
        return self.mine(self.room.seating.held_by(guest.person))

    def clocks(self) -> Clocks | None:
        """How much time all have now."""
        if not self.live.timed:
            return None
        return projections.clocks(self.live, self.room.house.life.outages, self.room.now())

    def tell_news(self, events: Sequence[Any], back: bool = False) -> None:
        shown, times = projections.preencoded(self.scene(events, back)), self.clocks()
        self.room.tell(lambda held: News(shown, self.mine(held), times))

    def tell_decided(self, seat: int) -> None:
        """Others learn that a seat has decided; only its own screens learn what."""
        due, decided = self.live.due, tuple(sorted(self.live.match.staged))
        own, times = (self.own(seat),), self.clocks()
        played = self.room.seating.played
        self.room.tell(lambda held: Decided(due, decided, own if seat in played(held) else (), times))

    def tell_people(self) -> None:
        times = self.clocks()
        self.room.tell(lambda held: People(self.room.info(held), self.mine(held), times))

    def tell_own(self, seat: int) -> None:
        """What only those who hold a seat may know has changed."""
        self.room.tell_own(seat, lambda held: Yours(self.mine(held)))

    def refuse(self, guest: Subscriber, seat: int, reason: Reason) -> None:
        self.room.tell_one(guest, Refused(seat, reason, self.mine_of(guest)))

    # What is kept

    def _concerns(self, happened: MatchUpdate) -> bool:
        """Whether others may owe something now: the match went on, went back or was ended."""
        return bool(happened.rows) or happened.match.over != self.live.row.over

    async def keep(self, match: Match, happened: MatchUpdate, now: int) -> None:
        room = self.room
        row = with_deadlines(self.live, happened.match, match, happened, room.house.life.outages)
        happened = replace(happened, match=row)
        append = partial(room.house.keeper.append, room.table, happened)
        owed = room.owed(match, row, happened.number + len(happened.rows), now) if self._concerns(happened) else ()
        thinks = room.thinks_at(room.seating, match, row, self.ready(match, happened))
        asked = room.questions(room.seating, self.live.row, row, now)
        await room.keep(append, now, thinks, (*owed, *asked))
        self.live.take(match, happened)

    async def keep_row(self, **changes: Any) -> None:
        """The same match, and something else about it."""
        row = replace(self.live.row, **changes)
        await self.keep(self.live.match, MatchUpdate(self.live.number, (), (), row), self.room.now())

    def rename(self, row: MatchEntity) -> None:
        """It was kept with these names: cities stand on the boards."""
        cities = row.setup != self.live.row.setup
        self.live.rename(row)
        if cities:
            self.tell_news(())

    def ready(self, match: Match, happened: MatchUpdate | None = None) -> frozenset[int]:
        """The seats of people for whom something is prepared, and its time has come."""
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
