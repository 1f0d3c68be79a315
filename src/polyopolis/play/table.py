"""A table: people come and go, sit down, and play one match after the other."""

from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from polyopolis.engine import Match, Move, derived
from polyopolis.play import asking, clocks, rating
from polyopolis.play.answers import OwnVacation, TableInfo
from polyopolis.play.chain import Chain
from polyopolis.play.company import Company, Seats
from polyopolis.play.live import Live, with_deadlines
from polyopolis.play.messages import Consent, FromScreen, Look, Mine, People, TurnedAway, Welcome
from polyopolis.play.needs import Choice, Guest
from polyopolis.play.presence import Presence
from polyopolis.play.problems import Conflict, Forbidden, Unreadable
from polyopolis.play.rests import NO_REST, Vacation, days_left
from polyopolis.play.room import House, Room
from polyopolis.play.rows import DayRow, Later, MatchRow, PracticeFor, Rated, SeatRow, TableRow, as_json, log_row
from polyopolis.play.seating import Allowed, Seating
from polyopolis.play.sitting import Sitting
from polyopolis.play.telling import encoded_once
from polyopolis.play.version import VERSION
from polyopolis.play.wishes import Arrange, GoAway, HandOver, Join, SeatChange, TurnAway
from polyopolis.play.writing import Writing

Answer = TypeVar("Answer")

TURNED_AWAY = "turned-away"
"""What other nodes are told, with who it is."""
TRIES = 20
"""How often something is tried again because another node was first."""


class Table:
    def __init__(self, room: Room) -> None:
        self.room = room
        self.sitting: Sitting | None = None
        self._presence = Presence(room.house.clock)

    async def open(self) -> None:
        """Goes on with the last match of the chain, as the keeper tells it.

        One whose rules or content are not installed is shown if it can be re-played all the same.
        """
        self.sitting = await self._last_sitting()
        if self.room.chain.last:
            self.wake()
            self._expect_back()

    async def _last_sitting(self) -> Sitting | None:
        chain = self.room.chain
        if chain.last is None:
            return None
        try:
            return Sitting(self.room, await chain.live(chain.last.number))
        except Unreadable:
            if chain.is_installed(chain.last):
                raise
            return None

    @property
    def id(self) -> str:
        return self.room.table

    def info(self, person: str | None) -> TableInfo:
        return self.room.info(self.room.seating.held_by(person))

    # Guests

    async def arrive(self, guest: Guest, since: int | None = None, match: int | None = None) -> None:
        """A page opens, for the first time or with the number of the last news it has heard of a match."""

        async def come() -> None:
            self.room.company.arrive(guest)
            self.room.tell_one(guest, self._welcome(guest, since, match))
            if await self._is_turned_away(guest.person):
                self.room.tell_one(guest, TurnedAway())
            self._come_or_gone(but=guest)
            self.wake()

        await self._abreast(come)

    def depart(self, guest: Guest) -> None:
        self.room.company.depart(guest)
        self._come_or_gone()

    def _come_or_gone(self, but: Guest | None = None) -> None:
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

    def _welcome(self, guest: Guest, since: int | None, match: int | None) -> Welcome:
        held = self.room.seating.held_by(guest.person)
        if self.sitting is None:
            return Welcome(VERSION, self.room.info(held), None, (), None)
        live, writing, asking = self.sitting.live, self.sitting.writing, self.sitting.consents.asking
        missed = live.missed(since) if match in (None, live.row.number) else ()
        scene, mine = writing.scene(missed), writing.mine(held)
        return Welcome(VERSION, self.room.info(held), scene, mine, asking, writing.clocks())

    def _tell_people(self, but: Guest | None = None) -> bool:
        self._expect_back()
        clocks = self.sitting.writing.clocks() if self.sitting else None
        return self.room.tell(lambda held: People(self.room.info(held), self._mine(held), clocks), but)

    def _mine(self, held: Seats) -> tuple[Mine, ...]:
        return self.sitting.writing.mine(held) if self.sitting else ()

    async def hear(self, guest: Guest, message: FromScreen) -> None:
        if isinstance(message, Look):
            self.room.company.look(guest, message.here)
            self.room.house.neighbours.present(self.id, self.room.company.crowd)
            return

        async def heard() -> None:
            if self.sitting:
                if not (guest.person and await self._plays_again(guest.person, message)):
                    await self.sitting.hear(guest, message)
                self.wake()

        await self._abreast(heard)

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

    async def _follow_matches(self, later: Later) -> None:
        newest = later.row.matches[-1] if later.row.matches else None
        if self.sitting and newest and self.sitting.live.row.number == newest.number:
            self.sitting.follow(newest, later)
        elif newest:
            await self._begin_again()

    async def _begin_again(self) -> None:
        """Another match is played than was known here."""
        row = await self.room.house.keeper.table(self.id)
        if row is None:
            return
        self.room.chain.rows[:] = row.matches
        if self.sitting:
            self.sitting.end()
        self.sitting = await self._last_sitting()
        if self.sitting:
            self._welcome_all(self.sitting.writing)

    # Matches

    async def start_if_full(self) -> None:
        """The first match, once nobody is missing."""

        async def begin() -> None:
            if not self.room.chain.rows and self.room.seating.full:
                await self._start(self._next_row(self.room.chain.next_setup(None)))

        await self._abreast(begin)

    async def start_practice(self, row: MatchRow | None = None, moves: Iterable[Move] = ()) -> None:
        """A match that counts for nothing: anew, or another one's after these moves."""
        async with self.room.lock:
            why: PracticeFor = "position" if row else "episode"
            row = row or self._next_row(self.room.chain.next_setup(None))
            await self._start(replace(row, number=0, practice=True, practice_for=why), moves)

    async def start_day(self, row: DayRow, *, practice: bool) -> None:
        """The game of a day, unless it has begun: with the same luck and the same bots for everybody."""

        async def begin() -> None:
            if not self.room.chain.rows:
                match = replace(self._next_row(self.room.chain.next_setup(None)), **dealt(row))
                await self._start(replace(match, practice=True, practice_for="day") if practice else match)

        await self._abreast(begin)

    async def rematch(self, person: str) -> None:
        """The next match of the chain, once the last one is over or was practice. A campaign goes on for all; for
        another single match all have to come along, one after the other."""
        await self._abreast(partial(self._rematch, person))

    async def _rematch(self, person: str) -> None:
        if not self.room.seating.held_by(person):
            raise Forbidden("only somebody with a seat can ask for another match")
        last = self._finished()
        if self.room.chain.next_setup(last) is None:
            raise Forbidden("the campaign is over")
        if self.room.chain.plan or (self.sitting and await self.sitting.consents.play_again(person)):
            await self._next_match()

    async def _plays_again(self, person: str, message: FromScreen) -> bool:
        """Whether somebody agrees to another match."""
        if not (isinstance(message, Consent) and message.yes):
            return False
        found = bool({*self.room.again} & {*self.room.seating.held_by(person)})
        if found:
            await self._rematch(person)
        return found

    async def _go_on_if_all_want(self) -> None:
        """Whoever was waited for has left, or a bot plays for them."""

        async def begin() -> None:
            if self.sitting and self.sitting.consents.all_play_again and self.sitting.live.row.over:
                await self._next_match()

        await self._abreast(begin)

    async def _next_match(self) -> None:
        await self._start(self._next_row(self.room.chain.next_setup(self._finished())))

    def _finished(self) -> Match:
        """The last match, if another one may follow it."""
        if not self.sitting or not (self.sitting.live.row.over or self._is_practice_alone(self.sitting.live)):
            raise Forbidden("the match is not over")
        return self.sitting.live.match

    def _is_practice_alone(self, live: Live) -> bool:
        return live.row.practice and not self.room.chain.plan

    def _next_row(self, setup: Any) -> MatchRow:
        seating = self.room.seating
        return self.room.chain.next_row(setup, seating.rows, seating.players)

    async def _start(self, row: MatchRow, moves: Iterable[Move] = ()) -> None:
        room, now = self.room, self.room.now()
        timing = clocks.opened(room.chain.pace, now, room.seating.rows)
        row = replace(row, timing=as_json(timing) if timing else None, rated=await self._rated())
        live = Live.begun(row, room.chain.game, moves)
        live.begin(live.deal(live.match), now)
        live.row = with_deadlines(live, live.row, live.match, None, room.house.life.outages)
        log = tuple(log_row(move, now) for move in live.match.moves)
        start = partial(room.house.keeper.start, self.id, live.row, log)
        owed = room.owed(live.match, live.row, live.number, now, begins=not room.chain.rows)
        asked = room.questions(room.seating, None, live.row, now)
        await room.keep(start, now, room.thinks_at(room.seating, live.match, live.row), (*owed, *asked))
        if self.sitting:
            self.sitting.end()
        self.room.chain.take(live.row)
        self.sitting = Sitting(self.room, live)
        self._welcome_all(self.sitting.writing)
        self.wake()

    async def _rated(self) -> Rated | None:
        room = self.room
        if not room.chain.rated:
            return None
        return await rating.at_start(room.house.raters, room.chain.game.key, room.seating.rows)

    def _welcome_all(self, writing: Writing) -> None:
        scene, clocks = encoded_once(writing.scene()), writing.clocks()
        self.room.tell(lambda held: Welcome(VERSION, self.room.info(held), scene, writing.mine(held), None, clocks))

    def wake(self) -> None:
        """Every bot that is due and does not think yet begins to, unless a table of bots was left."""
        self._expect_back()
        if self.sitting and self.room.thinks_here and not self.room.asleep:
            self.sitting.wake(self._bot_decides, self._hand_in, self.wake)

    async def _bot_decides(self, seat: int, match: Match, choice: Choice) -> None:
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
                await self._check_welcome(person)
            away = await self._away(person, but=seat) if isinstance(wish, GoAway) else ()
            row = self._changed(person, seat, wish, away)
            await self._check_rated(row, joins=isinstance(wish, Join))
            if isinstance(wish, TurnAway):
                await self._turn_away(person, seat, wish)
            else:
                await self._seat(row)

        await self._abreast(change)
        await self._go_on_if_all_want()
        await self.start_if_full()

    async def _check_rated(self, row: SeatRow, *, joins: bool = False) -> None:
        """Forbidden to sit down where matches are rated for whom they cannot be; before the first one nobody else may
        be there, either."""
        room = self.room
        if not room.chain.rated:
            return
        rows = room.seating.with_row(row).rows if not room.chain.rows else (row,) if joins else ()
        await rating.check(room.house.raters, room.chain.game.key, rows)

    def _changed(self, person: str, seat: int, wish: SeatChange, away: tuple[Vacation, ...] = ()) -> SeatRow:
        room = self.room
        allowed = Allowed(room.maker, bool(room.chain.rows), room.replaceable, room.now(), away)
        return room.seating.changed(person, seat, wish, allowed)

    async def _turn_away(self, maker: str, seat: int, wish: TurnAway) -> None:
        """From all their seats; they learn it, here and at other nodes."""
        person = self.room.seating.row(seat).person
        for held in self.room.seating.held_by(person):
            await self._seat(self._changed(maker, held, wish), turned_away=person)
        if person:
            self.tell_turned_away(person)
            self.room.house.neighbours.aside(self.id, f"{TURNED_AWAY}/{person}")

    def tell_turned_away(self, person: str) -> None:
        said = msgspec.json.encode(TurnedAway())
        self.room.tell_each(lambda each: said if each == person else None)

    async def _is_turned_away(self, person: str | None) -> bool:
        if person is None or self.room.seating.held_by(person):
            return False
        return await self.room.house.keeper.is_turned_away(self.id, person)

    async def _check_welcome(self, person: str) -> None:
        if await self._is_turned_away(person):
            raise Forbidden("whoever made this table does not want you to sit down here")

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

    async def _away(self, person: str, but: int | None = None) -> tuple[Vacation, ...]:
        """When somebody was or is on vacation in any seat of theirs, or in any but one at this table."""
        kept = await self.room.house.keeper.rests_of(person)
        others = (rest for place, rest in kept.items() if place != (self.id, but))
        return tuple(vacation for rest in others for vacation in clocks.read_rest(rest).vacations)

    async def vacation(self, person: str) -> OwnVacation:
        held, now = self.room.seating.held_by(person), self.room.now()
        zone = clocks.rest_of(self.room.seating.rows[held[0]]).zone if held else NO_REST.zone
        return OwnVacation(days_left(await self._away(person), zone, now))

    async def give_seat(self, seat: int, person: str, name: str | None) -> str:
        """Somebody else has this seat from now on; how they are called there."""

        self.check_given()

        async def give() -> str:
            await self._check_welcome(person)
            row = self.room.seating.row(seat)
            called = self.room.seating.proper_name(seat, name) if name else row.name
            given = replace(row, name=called, person=person, bot=None, entrusted=False)
            await self._check_rated(given)
            await self._seat(given)
            return called

        called = await self._abreast(give)
        await self._go_on_if_all_want()
        return called

    def check_given(self) -> None:
        """Forbidden where a seat has to stay with whoever has it."""
        if self.room.sealed:
            raise Forbidden("until the day is over its game stays on the device where it was begun")

    async def _seat(self, row: SeatRow, turned_away: str | None = None) -> None:
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

    def _called(self, live: Live, seating: Seating) -> MatchRow:
        row = replace(live.row, asked=asking.still_asked(live.row.asked, seating))
        if live.row.over:
            return row
        if rating.is_other_company(self.room.seating.rows, seating.rows):
            row = rating.unrated(row, "substitute")
        return self.room.chain.called(replace(row, players=seating.players), seating.rows)


def dealt(row: DayRow) -> dict[str, bytes]:
    """What the matches of a day have in common; bots cannot tell from theirs what is dealt."""
    return {"seed": row.seed, "bot_seed": derived(row.seed, "bots", 0)}


def room_of(row: TableRow, house: House) -> Room:
    """The room of a table as it is kept."""
    seating = Seating(row.seats, row.typed)
    return Room(
        table=row.id,
        house=house,
        chain=Chain(house.keeper, row),
        seating=seating,
        company=Company(house.clock, seating.people),
        maker=row.maker,
        invites=row.invites,
        talk=row.talk,
        changed=row.changed,
        version=row.version,
        node=row.node,
    )
