"""A table: people come and go, sit down, and play one match after the other."""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from polyopolis.engine import Match, Move
from polyopolis.play.answers import TableInfo
from polyopolis.play.chain import Chain
from polyopolis.play.company import Company, Seats
from polyopolis.play.live import Live
from polyopolis.play.messages import FromScreen, Mine, People, Welcome
from polyopolis.play.needs import Clock, Guest, Keeper, Thinker
from polyopolis.play.presence import Presence
from polyopolis.play.problems import Forbidden, Unreadable
from polyopolis.play.room import Room
from polyopolis.play.rows import MatchRow, PracticeFor, SeatRow, TableRow, log_row
from polyopolis.play.seating import Seating
from polyopolis.play.sitting import Sitting
from polyopolis.play.telling import encoded_once
from polyopolis.play.version import VERSION
from polyopolis.play.wishes import SeatChange


class Table:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.sitting: Sitting | None = None
        self._presence = Presence(room.clock)

    async def open(self) -> None:
        """Goes on with the last match of the chain, as the keeper tells it.

        One whose rules or content are not installed is shown if it can be re-played all the same.
        """
        chain = self.room.chain
        if chain.last is None:
            return
        try:
            self.sitting = Sitting(self.room, await chain.live(chain.last.number))
        except Unreadable:
            if chain.is_installed(chain.last):
                raise
        self.wake()
        self._expect_back()

    @property
    def id(self) -> str:
        return self.room.table

    def info(self, person: str | None) -> TableInfo:
        return self.room.info(self.room.seating.held_by(person))

    # Guests

    async def arrive(self, guest: Guest, since: int | None = None, match: int | None = None) -> None:
        """A page opens, for the first time or with the number of the last news it has heard of a match."""
        async with self.room.lock:
            self.room.company.arrive(guest)
            self.room.tell_one(guest, self._welcome(guest, since, match))
            self._presence.changed(self._tell_people, but=guest)
            self.wake()

    def depart(self, guest: Guest) -> None:
        self.room.company.depart(guest)
        self._presence.changed(self._tell_people)
        self._expect_back()

    def _expect_back(self) -> None:
        """Once somebody has been away for long enough all learn that a bot may play in."""
        self._presence.expect(self.room.next_absence, self._tell_people)

    def _welcome(self, guest: Guest, since: int | None, match: int | None) -> Welcome:
        held = self.room.seating.held_by(guest.person)
        if self.sitting is None:
            return Welcome(VERSION, self.room.info(held), None, (), None)
        live = self.sitting.live
        missed = live.missed(since) if match in (None, live.row.number) else ()
        scene = self.sitting.scene(missed)
        return Welcome(VERSION, self.room.info(held), scene, self.sitting.mine(held), self.sitting.asked)

    def _tell_people(self, but: Guest | None = None) -> bool:
        self._expect_back()
        return self.room.tell(lambda held: People(self.room.info(held), self._mine(held)), but)

    def _mine(self, held: Seats) -> tuple[Mine, ...]:
        return self.sitting.mine(held) if self.sitting else ()

    async def hear(self, guest: Guest, message: FromScreen) -> None:
        async with self.room.lock:
            if self.sitting:
                await self.sitting.hear(guest, message)
                self.wake()

    # Matches

    async def start_if_full(self) -> None:
        """The first match, once nobody is missing."""
        async with self.room.lock:
            if not self.room.chain.rows and self.room.seating.full:
                await self._start(self._next_row(self.room.chain.next_setup(None)))

    async def start_practice(self, row: MatchRow | None = None, moves: Iterable[Move] = ()) -> None:
        """A match that counts for nothing: anew, or another one's after these moves."""
        async with self.room.lock:
            why: PracticeFor = "position" if row else "episode"
            row = row or self._next_row(self.room.chain.next_setup(None))
            await self._start(replace(row, number=0, practice=True, practice_for=why), moves)

    async def rematch(self, person: str) -> None:
        """The next match of the chain, once the last one is over or was practice."""
        async with self.room.lock:
            if not self.room.seating.held_by(person):
                raise Forbidden("only somebody with a seat can ask for another match")
            last = self._finished()
            setup = self.room.chain.next_setup(last)
            if setup is None:
                raise Forbidden("the campaign is over")
            await self._start(self._next_row(setup))

    def _finished(self) -> Match:
        """The last match, if another one may follow it."""
        if not self.sitting or not (self.sitting.live.match.over or self._is_practice_alone(self.sitting.live)):
            raise Forbidden("the match is not over")
        return self.sitting.live.match

    def _is_practice_alone(self, live: Live) -> bool:
        return live.row.practice and not self.room.chain.plan

    def _next_row(self, setup: Any) -> MatchRow:
        seating = self.room.seating
        return self.room.chain.next_row(setup, seating.rows, seating.players)

    async def _start(self, row: MatchRow, moves: Iterable[Move] = ()) -> None:
        live = Live.begun(row, self.room.chain.game, moves)
        live.begin(live.deal(live.match))
        now = self.room.now()
        await self.room.keeper.start(self.id, live.row, tuple(log_row(move, now) for move in live.match.moves), now)
        if self.sitting:
            self.sitting.end()
        self.room.chain.take(live.row)
        self.sitting = Sitting(self.room, live)
        self._welcome_all(self.sitting)
        self.wake()

    def _welcome_all(self, sitting: Sitting) -> None:
        scene = encoded_once(sitting.scene())
        self.room.tell(lambda held: Welcome(VERSION, self.room.info(held), scene, sitting.mine(held), None))

    def wake(self) -> None:
        """Every bot that is due and does not think yet begins to, unless a table of bots was left."""
        if self.sitting and not self.room.asleep:
            self.sitting.wake(self.wake)

    # Seats

    async def change_seat(self, person: str, seat: int, wish: SeatChange) -> None:
        async with self.room.lock:
            await self._seat(self.room.seating.changed(person, seat, wish, self.room.replaceable))
        await self.start_if_full()

    async def give_seat(self, seat: int, person: str, name: str | None) -> str:
        """Somebody else has this seat from now on; how they are called there."""
        async with self.room.lock:
            row = self.room.seating.row(seat)
            called = self.room.seating.proper_name(seat, name) if name else row.name
            await self._seat(replace(row, name=called, person=person, bot=None))
            return called

    async def _seat(self, row: SeatRow) -> None:
        """Whoever sits there while a match is played has played it."""
        seating, live = self.room.seating.with_row(row), self.sitting.live if self.sitting else None
        playing = self._called(live.row, seating) if live and not live.match.over else None
        await self.room.keeper.seat(self.id, row, playing, self.room.now())
        if row.person and row.person != self.room.seating.row(row.seat).person:
            self.room.company.expect(row.person)
        self.room.seating = seating
        if self.sitting and playing:
            self.sitting.rename(playing)
        if self.sitting:
            self.sitting.drop_takeback()
        self._tell_people()
        self.wake()

    def _called(self, row: MatchRow, seating: Seating) -> MatchRow:
        return self.room.chain.called(replace(row, players=seating.players), seating.rows)


def room_of(row: TableRow, keeper: Keeper, thinker: Thinker, clock: Clock, absence: float) -> Room:
    """The room of a table as it is kept."""
    seating = Seating(row.seats, row.typed)
    return Room(
        table=row.id,
        keeper=keeper,
        thinker=thinker,
        clock=clock,
        absence=absence,
        chain=Chain(keeper, row),
        seating=seating,
        company=Company(clock, seating.people),
        changed=row.changed,
    )
