"""A table: people come and go, sit down, and play one match after the other."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from msgspec.structs import replace

from polyopolis.engine import Match, Move, Reason
from polyopolis.play.entities import CatchUp, DailyDeck, MatchEntity, SeatEntity, TableEntity
from polyopolis.play.errors import Conflict, Forbidden
from polyopolis.play.match import consent_requests
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.play.match.messages import FromScreen, Look, Mine, OfSeat, People, TurnedAway, Welcome
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.protocols import BotDecision, Subscriber
from polyopolis.play.seats import rated_play
from polyopolis.play.seats.seating import Seating
from polyopolis.play.table.admission import Admission
from polyopolis.play.table.attendance import Attendance, AttendanceUpdates, Seats
from polyopolis.play.table.match_session import MatchSession
from polyopolis.play.table.match_starter import MatchStarter
from polyopolis.play.table.room import SiteServices, TableContext
from polyopolis.play.version import VERSION
from polyopolis.play.wire.requests import Arrange, GoAway, HandOver, Join, SeatChange, TurnAway
from polyopolis.play.wire.responses import TableInfo

Answer = TypeVar("Answer")

TURNED_AWAY = "turned-away"
"""What other nodes are told, with who it is."""
TRIES = 20
"""How often something is tried again because another node was first."""


class Table:
    def __init__(self, room: TableContext) -> None:
        self.room = room
        self.admission = Admission(room)
        self.matches = MatchStarter(room)
        self._presence = AttendanceUpdates(room.house.clock)

    async def open(self) -> None:
        """Goes on with the last match of the chain, as the keeper tells it.

        One whose rules or content are not installed is shown if it can be re-played all the same.
        """
        await self.matches.open()
        if self.room.chain.last:
            self.wake()
            self._expect_back()

    @property
    def sitting(self) -> MatchSession | None:
        """The last match."""
        return self.matches.sitting

    @property
    def id(self) -> str:
        return self.room.table

    def info(self, person: str | None) -> TableInfo:
        return self.room.info(self.room.seating.held_by(person))

    # Guests

    async def arrive(self, guest: Subscriber, since: int | None = None, match: int | None = None) -> None:
        """A page opens, for the first time or with the number of the last news it has heard of a match."""

        async def come() -> None:
            self.room.company.arrive(guest)
            self.room.tell_one(guest, self._welcome(guest, since, match))
            if await self.admission.is_turned_away(guest.person):
                self.room.tell_one(guest, TurnedAway())
            self._come_or_gone(but=guest)
            self.wake()

        await self._abreast(come)

    def depart(self, guest: Subscriber) -> None:
        self.room.company.depart(guest)
        self._come_or_gone()

    def _come_or_gone(self, but: Subscriber | None = None) -> None:
        self.room.house.neighbours.present(self.id, self.room.company.crowd)
        self._presence.changed(self._tell_people, but)
        self._expect_back()

    async def meet(self) -> None:
        """Who is at other nodes may have changed."""
        self.room.company.meet(await self.room.house.neighbours.crowd(self.id))
        self._presence.changed(self._tell_people)
        self._expect_back()
        self.wake()

    def _expect_back(self) -> None:
        """Once somebody has been away for long enough, or their time is up, all learn that a bot may play in."""
        self._presence.expect(self.room.next_replaceable, self._tell_people)

    def _welcome(self, guest: Subscriber, since: int | None, match: int | None) -> Welcome:
        held = self.room.seating.held_by(guest.person)
        if self.sitting is None:
            return Welcome(VERSION, self.room.info(held), None, (), None)
        live, writing, asking = self.sitting.live, self.sitting.writing, self.sitting.consents.asking
        missed = live.missed(since) if match in (None, live.row.number) else ()
        scene, mine = writing.scene(missed), writing.mine(held)
        return Welcome(VERSION, self.room.info(held), scene, mine, asking, writing.clocks())

    def _tell_people(self, but: Subscriber | None = None) -> bool:
        self._expect_back()
        clocks = self.sitting.writing.clocks() if self.sitting else None
        return self.room.tell(lambda held: People(self.room.info(held), self._mine(held), clocks), but)

    def _mine(self, held: Seats) -> tuple[Mine, ...]:
        return self.sitting.writing.mine(held) if self.sitting else ()

    async def hear(self, guest: Subscriber, message: FromScreen) -> None:
        if isinstance(message, Look):
            self.room.company.look(guest, message.here)
            self.room.house.neighbours.present(self.id, self.room.company.crowd)
            return

        async def heard() -> None:
            if self.sitting:
                if not (guest.person and await self.matches.plays_again(guest.person, message)):
                    await self.sitting.hear(guest, message)
                self.wake()

        await self._abreast(heard)

    def refuse_unsaved(self, guest: Subscriber, message: FromScreen) -> None:
        """Tells a guest that nothing came of a message, because nothing can be saved at the moment."""
        held = self.room.seating.held_by(guest.person)
        if self.sitting and held:
            seat = message.seat if isinstance(message, OfSeat) else held[0]
            self.sitting.writing.refuse(guest, seat, Reason("not-saved"))

    # Other nodes

    async def _abreast(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """With the table as it is kept: again if another node was first. One thing happens after the other."""
        async with self.room.lock:
            if self.room.doubtful:
                await self._follow()
            for _ in range(TRIES):
                try:
                    return await work()
                except Conflict:
                    await self._follow()
            raise Conflict(f"too many change table {self.id} at once")

    async def follow(self) -> None:
        """What was kept at another node is so here, too."""
        async with self.room.lock:
            await self._follow()

    async def _follow(self) -> None:
        room, live = self.room, self.sitting.live if self.sitting else None
        later = await room.house.keeper.later(self.id, *((live.row.number, live.number) if live else (-1, 0)))
        if later:
            check_table(later.row)
        doubtful, room.doubtful = room.doubtful, False
        if later is None or later.row.version == room.version:
            return
        if doubtful:  # it was kept, and nobody else may know
            room.house.neighbours.changed(self.id, later.row.version)
        known, seating, about = room.version, room.seating, self._about
        room.take(later.row)
        try:
            await self._follow_matches(later)
        except Exception:
            room.version = known  # nothing is kept from here until it can be read
            raise
        if (room.seating, self._about) != (seating, about):
            self._tell_people()
        self.wake()

    @property
    def _about(self) -> tuple[Any, ...]:
        """What all learn with the table, and can change while nobody decides."""
        last = self.room.chain.last
        return (self.room.invites, self.room.talk, *((last.practice, last.timing, last.rated) if last else ()))

    async def _follow_matches(self, later: CatchUp) -> None:
        newest = later.row.matches[-1] if later.row.matches else None
        if self.sitting and newest and self.sitting.live.row.number == newest.number:
            self.sitting.follow(newest, later)
        elif newest:
            await self.matches.begin_again()

    # Matches

    async def start_if_full(self) -> None:
        """The first match, once nobody is missing."""
        await self._begin(self.matches.start_if_full)

    async def start_practice(self, row: MatchEntity | None = None, moves: Iterable[Move] = ()) -> None:
        """A match that counts for nothing: anew, or another one's after these moves."""
        await self._begin(partial(self.matches.start_practice, row, moves))

    async def start_day(self, row: DailyDeck, *, practice: bool) -> None:
        """The game of a day, unless it has begun: with the same luck and the same bots for everybody."""
        await self._begin(partial(self.matches.start_day, row, practice=practice))

    async def rematch(self, person: str) -> None:
        """The next match of the chain, once the last one is over or was practice. A campaign goes on for all; for
        another single match all have to come along, one after the other."""
        await self._begin(partial(self.matches.rematch, person))

    async def _begin(self, begin: Callable[[], Awaitable[None]]) -> None:
        async def begun() -> None:
            before = self.sitting
            await begin()
            if self.sitting is not before:
                self.wake()

        await self._abreast(begun)

    # Bots

    def wake(self) -> None:
        """Every bot that is due and does not think yet begins to, unless a table of bots was left."""
        self._expect_back()
        if self.sitting and self.room.thinks_here and not self.room.asleep:
            self.sitting.wake(self._bot_decides, self._hand_in, self.wake)

    async def _bot_decides(self, seat: int, match: Match, choice: BotDecision) -> None:
        async def decide() -> None:
            if self.sitting:
                await self.sitting.bot_decides(seat, match, choice)

        await self._abreast(decide)

    async def _hand_in(self, seat: int) -> None:
        """What was prepared for a seat, now that its time has come."""

        async def decide() -> None:
            if self.sitting:
                await self.sitting.hand_in(seat)

        await self._abreast(decide)

    async def retime(self) -> None:
        """No server was there for a while: deadlines are later."""

        async def set_deadlines() -> None:
            if self.sitting and await self.sitting.retime():
                self._tell_people()

        await self._abreast(set_deadlines)

    def adopt(self) -> bool:
        """Bots think here from now on; whether there is anything to think about."""
        self.room.node = self.room.house.neighbours.node
        self.wake()
        return self.sitting is not None and self.sitting.thinks

    # Seats

    async def change_seat(self, person: str, seat: int, wish: SeatChange) -> None:
        if self.room.sealed and not isinstance(wish, HandOver):
            raise Forbidden("until the day is over the seats of its game stay as they are")

        async def change() -> None:
            if isinstance(wish, Join):
                await self.admission.check_welcome(person)
            away = await self.admission.away(person, but=seat) if isinstance(wish, GoAway) else ()
            row = self.admission.changed(person, seat, wish, away)
            await self.admission.check_rated(row, joins=isinstance(wish, Join))
            if isinstance(wish, TurnAway):
                await self._turn_away(person, seat, wish)
            else:
                await self._seat(row)

        await self._abreast(change)
        await self._begin(self.matches.go_on_if_all_want)
        await self.start_if_full()

    async def _turn_away(self, maker: str, seat: int, wish: TurnAway) -> None:
        """From all their seats; they learn it, here and at other nodes."""
        person = self.room.seating.row(seat).person
        for held in self.room.seating.held_by(person):
            await self._seat(self.admission.changed(maker, held, wish), turned_away=person)
        if person:
            self.admission.tell_turned_away(person)
            self.room.house.neighbours.aside(self.id, f"{TURNED_AWAY}/{person}")

    async def arrange(self, person: str, wish: Arrange) -> None:
        """Who is invited, and whether people may write to each other: for whoever made the table to say."""

        async def change() -> None:
            room = self.room
            if not (person == room.maker and room.seating.held_by(person)):
                raise Forbidden("only whoever made the table arranges that")
            await room.keep(partial(room.house.keeper.arrange, self.id, wish.invites, wish.talk), room.now(), room.node)
            room.invites, room.talk = wish.invites, wish.talk
            self._tell_people()

        await self._abreast(change)

    async def give_seat(self, seat: int, person: str, name: str | None) -> str:
        """Somebody else has this seat from now on; how they are called there."""

        self.admission.check_given()

        async def give() -> str:
            await self.admission.check_welcome(person)
            row = self.room.seating.row(seat)
            called = self.room.seating.proper_name(seat, name) if name else row.name
            given = replace(row, name=called, person=person, bot=None, entrusted=False)
            await self.admission.check_rated(given)
            await self._seat(given)
            return called

        called = await self._abreast(give)
        await self._begin(self.matches.go_on_if_all_want)
        return called

    async def _seat(self, row: SeatEntity, turned_away: str | None = None) -> None:
        """Whoever sits there while a match is played has played it."""
        room, seating, live = self.room, self.room.seating.with_row(row), self.sitting.live if self.sitting else None
        now, playing = room.now(), None
        if self.sitting and live:
            playing = self.sitting.reseated(self._called(live, seating), row, now)
        seat = partial(room.house.keeper.seat, self.id, row, playing)
        thinks = room.thinks_at(seating, live.match, live.row) if live else None
        asked = room.questions(seating, live.row, playing, now) if live and playing else ()
        await room.keep(seat, now, thinks, asked, turned_away)
        if row.person and row.person != room.seating.row(row.seat).person:
            room.company.expect(row.person)
        room.seating = seating
        if self.sitting and playing:
            self.sitting.rename(playing)
        self._tell_people()
        self.wake()

    def _called(self, live: LiveMatch, seating: Seating) -> MatchEntity:
        row = replace(live.row, asked=consent_requests.request_after_reseating(live.row.asked, seating))
        if live.row.over:
            return row
        if rated_play.is_other_company(self.room.seating.rows, seating.rows):
            row = rated_play.unrated(row, "substitute")
        return self.room.chain.called(replace(row, players=seating.players), seating.rows)


def room_of(row: TableEntity, house: SiteServices) -> TableContext:
    """The room of a table as it is kept."""
    seating = Seating(row.seats, row.typed)
    return TableContext(
        table=row.id,
        house=house,
        chain=MatchChain(house.keeper, row),
        seating=seating,
        company=Attendance(house.clock, seating.people),
        maker=row.maker,
        invites=row.invites,
        talk=row.talk,
        outsiders=row.outsiders,
        changed=row.changed,
        version=row.version,
        node=row.node,
    )
