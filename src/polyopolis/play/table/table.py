"""A table: guests arrive and leave, take seats, and play one match after the other."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

from polyopolis.engine import Move, Reason
from polyopolis.play.entities import CatchUp, DailyDeck, MatchEntity, SeatEntity
from polyopolis.play.errors import Conflict, Forbidden
from polyopolis.play.match.bot_turns import STAND_IN_DELAY_SECONDS
from polyopolis.play.match.messages import (
    Consent,
    FromScreen,
    OfSeat,
    PageVisibility,
    SeatState,
    TableChanged,
    TurnedAway,
    Welcome,
)
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table.attendance import AttendanceUpdates, Seats
from polyopolis.play.table.match_session import MatchSession
from polyopolis.play.table.match_starter import MatchStarter
from polyopolis.play.table.seat_service import SeatService
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.version import VERSION
from polyopolis.play.wire.requests import Arrange, HandOver, Join, PutBot, SeatChange, TurnAway
from polyopolis.play.wire.responses import TableInfo

Answer = TypeVar("Answer")

TURNED_AWAY = "turned-away"
"""The message to other nodes that a person may not sit down any more; the person follows."""
MAX_CONFLICT_RETRIES = 20


class Table:
    def __init__(self, context: TableContext) -> None:
        self.context = context
        self.seats = SeatService(context)
        self.matches = MatchStarter(context)
        self._presence = AttendanceUpdates(context.services.clock)

    async def open(self) -> None:
        """Resumes the last match of the chain.

        A match whose rules or content are not installed is shown if it can be replayed all the same.
        """
        await self.matches.open()
        if self.context.chain.last:
            self.wake()

    @property
    def session(self) -> MatchSession | None:
        """The last match, unless it cannot be read with the installed rules."""
        return self.matches.session

    @property
    def id(self) -> str:
        return self.context.table

    def info(self, person: str | None) -> TableInfo:
        return self.context.info(self.context.seating.held_by(person))

    # Guests

    async def arrive(self, guest: Subscriber, since: int | None = None, match: int | None = None) -> None:
        """Adds a page. One that was here before passes the number of the last log row of a match that it has seen."""

        async def arrive() -> None:
            self.context.attendance.arrive(guest)
            self.context.send(guest, self._welcome(guest, since, match))
            if await self.seats.is_turned_away(guest.person):
                self.context.send(guest, TurnedAway())
            self._attendance_changed(but=guest)
            self.wake()

        await self._synchronized(arrive)

    def depart(self, guest: Subscriber) -> None:
        self.context.attendance.depart(guest)
        self._attendance_changed()

    def _attendance_changed(self, but: Subscriber | None = None) -> None:
        self.context.services.cluster.present(self.id, self.context.attendance.at_this_node)
        self._presence.changed(self._broadcast_people, but)
        self._expect_back()

    async def update_attendance(self) -> None:
        """Reads who is present at other nodes."""
        self.context.attendance.set_elsewhere(await self.context.services.cluster.crowd(self.id))
        self._presence.changed(self._broadcast_people)
        self.wake()

    def _expect_back(self) -> None:
        """Schedules the message that a bot may stand in for a player who has been away, or whose time is up."""
        self._presence.expect(self.context.next_replaceable, self._broadcast_people)

    def _welcome(self, guest: Subscriber, since: int | None, match: int | None) -> Welcome:
        held = self.context.seating.held_by(guest.person)
        if self.session is None:
            return Welcome(VERSION, self.context.info(held), None, (), None)
        live, publisher, asking = self.session.live, self.session.publisher, self.session.consents.asking
        missed = live.events_since(since) if match in (None, live.row.number) else ()
        scene, mine = publisher.scene(missed), publisher.mine(held)
        return Welcome(VERSION, self.context.info(held), scene, mine, asking, publisher.clocks())

    def _broadcast_people(self, but: Subscriber | None = None) -> bool:
        self._expect_back()
        clocks = self.session.publisher.clocks() if self.session else None
        return self.context.broadcast(lambda held: TableChanged(self.context.info(held), self._mine(held), clocks), but)

    def _mine(self, held: Seats) -> tuple[SeatState, ...]:
        return self.session.publisher.mine(held) if self.session else ()

    # Messages of guests and turns of bots

    async def handle(self, guest: Subscriber, message: FromScreen) -> None:
        if isinstance(message, PageVisibility):
            self.context.attendance.look(guest, message.here)
            self.context.services.cluster.present(self.id, self.context.attendance.at_this_node)
        elif isinstance(message, Consent):
            await self.submit(lambda _: self.matches.consent(guest, message))
        else:
            await self.submit(lambda session: session.handle(guest, message))

    async def submit(self, work: Callable[[MatchSession], Awaitable[None]]) -> None:
        """Runs `work` on the current match, if there is one, then starts the bots that are due.

        Messages of guests, decisions of bots and premoves all take this path: under the table's lock, on the latest
        stored version, and again if another node has written first.
        """

        async def run() -> None:
            if self.session:
                await work(self.session)
                self.wake()

        await self._synchronized(run)

    def wake(self) -> None:
        """Starts the turns of bots and premoves that are due at this node, unless the table has no people."""
        self._expect_back()
        session, context = self.session, self.context
        if session is None or not session.publisher.playable or not context.runs_bots or context.is_idle:
            return
        place = f"{context.table}/{session.live.row.number}"
        for seat in session.publisher.ready_premoves(session.live.match):
            session.turns.start(seat, f"{place}: seat {seat}", partial(self._play_premove, seat), self.wake)
        for seat, bot in session.due_bots.items():
            delay = STAND_IN_DELAY_SECONDS if context.seating.rows[seat].person else 0.0
            turn = partial(self._play_bot, session, seat, bot)
            session.turns.start(seat, f"{place}: {bot} in seat {seat}", turn, self.wake, delay)

    async def _play_bot(self, session: MatchSession, seat: int, bot: str) -> None:
        request = session.bot_request(seat)
        decision = await self.context.services.bot_service.choose(bot, request)
        await self.submit(lambda current: current.play_bot_decision(seat, request.match, decision))

    async def _play_premove(self, seat: int) -> None:
        await self.submit(lambda session: session.play_premove(seat))

    def adopt(self) -> bool:
        """Makes this node the one where the bots of the table run. Returns whether any has a turn."""
        self.context.node = self.context.services.cluster.node
        self.wake()
        return self.session is not None and bool(self.session.turns)

    def refuse_unsaved(self, guest: Subscriber, message: FromScreen) -> None:
        """Answers a message that had no effect because the repository cannot write at the moment."""
        held = self.context.seating.held_by(guest.person)
        if self.session and held:
            seat = message.seat if isinstance(message, OfSeat) else held[0]
            self.session.publisher.refuse(guest, seat, Reason("not-saved"))

    async def update_deadlines(self) -> None:
        """Moves the deadlines after an outage."""

        async def update() -> None:
            if self.session and await self.session.update_deadlines():
                self._broadcast_people()

        await self._synchronized(update)

    # Other nodes

    async def _synchronized(self, work: Callable[[], Awaitable[Answer]]) -> Answer:
        """Runs `work` under the table's lock on the latest stored version. Retries it when another node has written
        first."""
        async with self.context.lock:
            if self.context.uncertain:
                await self._follow()
            for _ in range(MAX_CONFLICT_RETRIES):
                try:
                    return await work()
                except Conflict:
                    await self._follow()
            raise Conflict(f"too many concurrent changes of table {self.id}")

    async def follow(self) -> None:
        """Applies the changes that other nodes have persisted."""
        async with self.context.lock:
            await self._follow()

    async def _follow(self) -> None:
        context, live = self.context, self.session.live if self.session else None
        later = await context.services.repository.later(self.id, *((live.row.number, live.number) if live else (-1, 0)))
        if later:
            check_table(later.row)
        uncertain, context.uncertain = context.uncertain, False
        if later is None or later.row.version == context.version:
            return
        if uncertain:  # the change was persisted after all, and other nodes may not know it
            context.services.cluster.changed(self.id, later.row.version)
        known, seating, about = context.version, context.seating, self._about
        context.apply(later.row)
        try:
            await self._follow_matches(later)
        except Exception:
            context.version = known  # this node must not write before it can read the match
            raise
        if (context.seating, self._about) != (seating, about):
            self._broadcast_people()
        self.wake()

    @property
    def _about(self) -> tuple[Any, ...]:
        """The parts of `TableChanged` messages that can change without a decision."""
        last = self.context.chain.last
        return (self.context.invites, self.context.talk, *((last.practice, last.timing, last.rated) if last else ()))

    async def _follow_matches(self, later: CatchUp) -> None:
        newest = later.row.matches[-1] if later.row.matches else None
        if self.session and newest and self.session.live.row.number == newest.number:
            self.session.follow(newest, later)
        elif newest:
            await self.matches.reload()

    # Matches

    async def start_if_full(self) -> None:
        """Starts the first match if no seat is open."""
        await self._begin(self.matches.start_if_full)

    async def start_practice(self, row: MatchEntity | None = None, moves: Iterable[Move] = ()) -> None:
        """Starts a practice match: a new one, or a branch of another match after these moves."""
        await self._begin(partial(self.matches.start_practice, row, moves))

    async def start_day(self, row: DailyDeck, *, practice: bool) -> None:
        """Starts the daily game, unless it has begun. All players of a day get the same deck and bots."""
        await self._begin(partial(self.matches.start_day, row, practice=practice))

    async def rematch(self, person: str) -> None:
        """Starts the next match of the chain, once the last one is over or was practice. A campaign continues for all
        at once; for another single match all players have to consent."""
        await self._begin(partial(self.matches.rematch, person))

    async def _begin(self, begin: Callable[[], Awaitable[None]]) -> None:
        async def begun() -> None:
            before = self.session
            await begin()
            if self.session is not before:
                self.wake()

        await self._synchronized(begun)

    # Seats

    async def change_seat(self, person: str, seat: int, wish: SeatChange) -> None:
        services = self.context.services
        if isinstance(wish, PutBot | TurnAway) and wish.bot is not None:
            services.bot_service.check(wish.bot)
        if self.context.sealed and not isinstance(wish, HandOver):
            raise Forbidden("the seats of a daily game cannot change before the day is over")

        async def change() -> None:
            row = await self.seats.seat_after_change(person, seat, wish)
            if isinstance(wish, TurnAway):
                await self._turn_away(person, seat, wish)
            else:
                await self._seat(row)

        await self._synchronized(change)
        await self._begin(self.matches.continue_if_all_agree)
        await self.start_if_full()
        if isinstance(wish, Join):
            await services.repository.remember(person, wish.name)

    async def _turn_away(self, maker: str, seat: int, wish: TurnAway) -> None:
        """Removes a player from all their seats, and informs their pages on all nodes."""
        person = self.context.seating.row(seat).person
        for held in self.context.seating.held_by(person):
            await self._seat(await self.seats.seat_after_change(maker, held, wish), turned_away=person)
        if person:
            self.seats.send_turned_away(person)
            self.context.services.cluster.aside(self.id, f"{TURNED_AWAY}/{person}")

    async def arrange(self, person: str, wish: Arrange) -> None:
        """Changes who is invited and whether players may chat. Raises `Forbidden` unless the maker asks."""

        async def change() -> None:
            context = self.context
            if not (person == context.maker and context.seating.held_by(person)):
                raise Forbidden("only the creator of the table can change this")
            await context.persist(
                partial(context.services.repository.arrange, self.id, wish.invites, wish.talk),
                context.now(),
                context.node,
            )
            context.invites, context.talk = wish.invites, wish.talk
            self._broadcast_people()

        await self._synchronized(change)

    async def give_seat(self, seat: int, person: str, name: str | None) -> None:
        """Gives a seat to another person, who keeps its name unless they choose one."""
        self.seats.check_transferable()

        async def give() -> str:
            row = await self.seats.seat_after_transfer(seat, person, name)
            await self._seat(row)
            return row.name

        called = await self._synchronized(give)
        await self._begin(self.matches.continue_if_all_agree)
        await self.context.services.repository.remember(person, called)

    async def _seat(self, row: SeatEntity, turned_away: str | None = None) -> None:
        await self.seats.persist(row, self.session, turned_away)
        self._broadcast_people()
        self.wake()
