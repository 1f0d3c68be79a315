"""A match at a table: what its people say is checked, kept and only then told, to everybody what they may know."""

import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import CHANCE, IllegalAction, Match, NothingStaged, PolyopolisError, Reason
from polyopolis.play import asking, clocks, foresight, telling
from polyopolis.play.advice import Advice
from polyopolis.play.asking import Asked, ChangePace, EndEarly, Entrust, Free, GoBack
from polyopolis.play.clocks import Given
from polyopolis.play.company import Seats
from polyopolis.play.foresight import AllPrepared
from polyopolis.play.judging import decoded, judged, not_an_action, previewed
from polyopolis.play.live import Live, with_deadlines
from polyopolis.play.messages import (
    Act,
    AskFor,
    AskHint,
    Asking,
    AskTakeback,
    Because,
    Clocks,
    Consent,
    Decided,
    Foresee,
    Foreseen,
    Forget,
    FromScreen,
    GiveTime,
    Hint,
    Mine,
    News,
    OfSeat,
    People,
    Prepare,
    Preview,
    Refused,
    Retract,
    Scene,
    StoodIn,
    Why,
    Yours,
)
from polyopolis.play.needs import Choice, Guest, Question
from polyopolis.play.room import Room
from polyopolis.play.rows import Happened, Later, MatchRow, SeatRow, TurnRow, as_json
from polyopolis.play.thoughts import Decide, Thinking, Thoughts, bots_of

logger = logging.getLogger(__name__)

NOT_INSTALLED, ENDED_EARLY = Reason("not-installed"), Reason("ended-early")


class Sitting:
    """The one writer of a match. Whoever calls holds the lock of the room."""

    def __init__(self, room: Room, live: Live) -> None:
        self._room = room
        self.live = live
        self._installed = room.chain.is_installed(live.row)
        self._thoughts = Thoughts(room.house.thinker, room.house.clock, self._question)
        self._advice = Advice(room.house.thinker, self._question)

    def _question(self, seat: int, match: Match) -> Question:
        room = self._room
        return Question(
            place=f"{room.table}/{self.live.row.number}",
            match=match,
            seat=seat,
            seed=self.live.row.bot_seed,
            people=room.people,
            watched=lambda: not room.company.empty,
        )

    @property
    def playable(self) -> bool:
        return self._installed and not self.live.row.ended

    # What is told

    def scene(self, events: Sequence[Any] = (), back: bool = False) -> Scene:
        info = telling.match_info(self.live.row, playable=self.playable)
        return telling.scene(self.live, info, self._room.chain, events, back)

    def mine(self, held: Seats) -> tuple[Mine, ...]:
        """What whoever holds these seats may know of those that they decide for."""
        played = self._room.seating.played(held) if self.playable else ()
        return tuple(self._mine(seat) for seat in played)

    def _mine(self, seat: int) -> Mine:
        return telling.mine(self.live, seat, self._room.by_mail)

    def _mine_of(self, guest: Guest) -> tuple[Mine, ...]:
        return self.mine(self._room.seating.held_by(guest.person))

    @property
    def _asked(self) -> Asked | None:
        kept = self.live.row.asked
        return msgspec.json.decode(kept, type=Asked) if kept else None

    @property
    def asking(self) -> Asking | None:
        return self._worded(self._asked) if self._asked else None

    def _worded(self, asked: Asked) -> Asking:
        return Asking(asked.seat, asked.wish, self._room.seating.held_by_any(asked.waiting))

    def clocks(self) -> Clocks | None:
        """How much time all have now."""
        if not self.live.timed:
            return None
        return telling.clocks(self.live, self._room.house.life.outages, self._room.now())

    def _tell_news(self, events: Sequence[Any], back: bool = False) -> None:
        shown, times = telling.encoded_once(self.scene(events, back)), self.clocks()
        self._room.tell(lambda held: News(shown, self.mine(held), times))

    def _tell_decided(self, seat: int) -> None:
        """Others learn that a seat has decided; only its own screens learn what."""
        due, decided = self.live.due, tuple(sorted(self.live.match.staged))
        own, times = (self._mine(seat),), self.clocks()
        played = self._room.seating.played
        self._room.tell(lambda held: Decided(due, decided, own if seat in played(held) else (), times))

    def _tell_people(self) -> None:
        times = self.clocks()
        self._room.tell(lambda held: People(self._room.info(held), self.mine(held), times))

    def _refuse(self, guest: Guest, seat: int, reason: Reason) -> None:
        self._room.tell_one(guest, Refused(seat, reason, self._mine_of(guest)))

    # What is said

    async def hear(self, guest: Guest, message: FromScreen) -> None:
        if isinstance(message, Consent):
            await self._consent(guest, message.yes)
        elif not self.playable:
            self._refuse(guest, message.seat, NOT_INSTALLED if not self._installed else ENDED_EARLY)
        elif message.seat not in self._room.seating.played_by(guest.person):
            self._refuse(guest, message.seat, Reason("not-your-seat"))
        else:
            await self._hear_of_seat(guest, message)

    async def _hear_of_seat(self, guest: Guest, message: OfSeat) -> None:
        match message:
            case Act(seat, turn, action):
                await self._act(guest, seat, turn, action)
            case Retract(seat, turn):
                await self._retract(guest, seat, turn)
            case Why(ask, seat, action):
                self._room.tell_one(guest, Because(ask, judged(self.live, seat, action)[1]))
            case Preview(ask, seat, action):
                self._room.tell_one(guest, previewed(self.live, ask, seat, action))
            case AskTakeback(seat):
                await self._ask_takeback(guest, seat)
            case AskFor(seat, wish):
                await self._ask_for(guest, seat, wish)
            case GiveTime(_, to):
                await self._give_time(guest, to)
            case Foresee(ask, seat, luck):
                self._room.tell_one(guest, self._foreseen(ask, seat, luck))
            case Prepare(seat, luck, action):
                await self._prepare(guest, seat, luck, action)
            case Forget(seat, luck):
                await self._keep_prepared(seat, foresight.without(self._prepared(seat), luck))
            case AskHint(ask, seat):
                await self._ask_hint(guest, ask, seat)

    async def _act(self, guest: Guest, seat: int, turn: int, action: Any) -> None:
        if not self._fresh(guest, seat, turn):
            return
        try:
            match = self.live.match.decide(seat, decoded(self.live, action))
        except IllegalAction as error:
            self._refuse(guest, seat, error.reason)
        except msgspec.ValidationError as error:
            self._refuse(guest, seat, not_an_action(error))
        else:
            await self._moved(match, seat)

    async def _retract(self, guest: Guest, seat: int, turn: int) -> None:
        if not self._fresh(guest, seat, turn):
            return
        try:
            match = self.live.match.retract(seat)
        except NothingStaged:
            self._room.tell_one(guest, Yours(self._mine_of(guest)))
        else:
            await self._moved(match, seat)

    def _fresh(self, guest: Guest, seat: int, turn: int) -> bool:
        """Whether this message counts: one that was heard before is only told what came of it."""
        expected = self.live.turns.get(seat, 0)
        if turn > expected:
            self._refuse(guest, seat, Reason("out-of-step", {"turn": turn, "expected": expected}))
        elif turn < expected:
            self._room.tell_one(guest, Yours(self._mine_of(guest)))
        return turn == expected

    # What is kept

    async def _moved(self, match: Match, seat: int, by: str | None = None, prepared: AllPrepared | None = None) -> None:
        """Kept first, then told. With a decision that was prepared only these others are left."""
        match = self.live.deal(match)
        events = match.events[len(self.live.match.events) :]
        now = self._room.now()
        happened = self.live.moved(match, seat, now, by, self._beside(seat))
        if prepared is not None:
            happened = replace(happened, turns=[_with_prepared(turn, seat, prepared) for turn in happened.turns])
        if happened.rows and self._asked and not self._asked.lasting:
            happened = replace(happened, match=replace(happened.match, asked=None))
        if match.over and self._room.chain.plan:
            happened = replace(happened, match=replace(happened.match, standings=await self._standings(match)))
        await self._keep(match, happened, now)
        if happened.rows:
            self._tell_news(events)
        else:
            self._tell_decided(seat)

    def _beside(self, seat: int) -> tuple[int, ...]:
        """The other seats of whoever plays one."""
        seating = self._room.seating
        person = seating.rows[seat].person if seat != CHANCE else None
        return tuple(other for other in seating.held_by(person) if other != seat)

    async def _keep(self, match: Match, happened: Happened, now: int) -> None:
        room = self._room
        row = with_deadlines(self.live, happened.match, match, happened, room.house.life.outages)
        happened = replace(happened, match=row)
        append = partial(room.house.keeper.append, room.table, happened)
        await room.keep(append, now, room.thinks_at(room.seating, match, row, self._ready(match, happened)))
        self.live.take(match, happened)
        room.chain.take(happened.match)

    async def _keep_row(self, **changes: Any) -> None:
        """The same match, and something else about it."""
        row = replace(self.live.row, **changes)
        await self._keep(self.live.match, Happened(self.live.number, (), (), row), self._room.now())

    async def _standings(self, match: Match) -> str | None:
        """Of the campaign after this episode."""
        try:
            return as_json(await self._room.chain.standings_after(match))
        except PolyopolisError:
            logger.exception("table %s: an earlier episode cannot be re-played", self._room.table)
            return None

    def rename(self, row: MatchRow) -> None:
        """It is kept with these names: players are told with the table, cities stand on the boards. Whoever asked for
        something has to ask anew."""
        cities, asked = row.setup != self.live.row.setup, self._asked
        self.live.rename(row)
        self._room.chain.take(row)
        if cities:
            self._tell_news(())
        if asked:
            self._tell_settled(asked)

    def reseated(self, row: MatchRow, after: SeatRow, now: int) -> MatchRow:
        """The row of the match once a seat is like this. Who comes back from a time that was up gets some."""
        timing, outages = clocks.read(row.timing), self._room.house.life.outages
        if timing is None:
            return row
        before = self._room.seating.rows[after.seat]
        timing = clocks.reseated(timing, now, before, after)
        if clocks.is_manned(after) and not clocks.is_manned(before):
            reckoning = self.live.reckoned(replace(row, timing=as_json(timing)), self.live.match, None, outages)
            if reckoning and not reckoning.left(after.seat, now):
                timing = clocks.noted(timing, Given(now, after.seat))
        return with_deadlines(self.live, replace(row, timing=as_json(timing)), self.live.match, None, outages)

    def follow(self, row: MatchRow, later: Later) -> None:
        """What was kept at another node is so here, too, and told as if it had happened here."""
        live, cities, asked, ended = self.live, row.setup != self.live.row.setup, self._asked, self.live.row.ended
        events, turns, prepared = len(live.match.events), live.turns, live.prepared
        live.follow(row, later.log, later.turns)
        self._room.chain.take(row)
        if any(entry.back_to is not None for entry in later.log):
            self._went_back()
        elif row.ended != ended:
            self._gave_up()
        elif later.log or cities:
            self._tell_news(live.match.events[events:])
        for turn in (turn for turn in later.turns if turn.turn > turns.get(turn.seat, 0)):
            if not later.log:
                self._tell_decided(turn.seat)
            if turn.by:
                self._tell_stood_in(turn.seat, turn.by)
        for seat in {*prepared, *live.prepared}:
            if not later.log and prepared.get(seat) != live.prepared.get(seat):
                self._tell_prepared(seat)
        if self._asked and self._asked != asked:
            self._tell_asked(self._worded(self._asked))
        elif asked and not self._asked:
            self._tell_settled(asked)

    # What takes the consent of others

    async def _ask_takeback(self, guest: Guest, seat: int) -> None:
        asked = asking.to_go_back(self.live, self._room.seating, guest.person, seat)
        if asked is None:
            self._refuse(guest, seat, Reason("nothing-to-take-back"))
        else:
            await self._settle(asked)

    async def _ask_for(self, guest: Guest, seat: int, wish: Free) -> None:
        seating, now = self._room.seating, self._room.now()
        if isinstance(wish, Entrust) and not self._plays_in(wish.bot):
            self._refuse(guest, seat, Reason("no-bot-plays-in"))
            return
        late = tuple(other for other in self.live.due if self._room.chain.out_of_time(other, now))
        await self._settle(asking.for_free(seating, guest.person, seat, wish, late))

    def _plays_in(self, seat: int) -> bool:
        rows = self._room.seating.rows
        return seat in range(len(rows)) and bool(rows[seat].bot and rows[seat].person)

    async def _consent(self, guest: Guest, yes: bool) -> None:
        asked = self._asked
        if not asked or guest.person not in asked.waiting:
            return
        if yes:
            await self._settle(asked.agreed(guest.person))
        else:
            await self._keep_row(asked=None)
            self._tell_settled(asked)

    async def _settle(self, asked: Asked) -> None:
        if asked.waiting:
            await self._keep_row(asked=as_json(asked))
            self._tell_asked(self._worded(asked))
            return
        match asked.wish:
            case GoBack(moves, past_reveal):
                await self._go_back(moves, past_reveal)
            case ChangePace(pace):
                timing = clocks.opened(pace, self._room.now(), self._room.seating.rows)
                await self._keep_row(asked=None, timing=as_json(timing) if timing else None)
                self._tell_people()
                self._tell_settled(asked)
            case EndEarly():
                await self._keep_row(asked=None, ended=True, over=True, due="[]", result=None)
                self._gave_up()
            case Entrust(bot):
                await self._entrust(bot)

    async def _go_back(self, moves: int, past_reveal: bool) -> None:
        match, now = self.live.match.rewound(moves), self._room.now()
        await self._keep(match, self.live.rewound(match, now, practice=past_reveal), now)
        self._went_back()

    def _went_back(self) -> None:
        self._thoughts.stop()
        self._tell_news((), back=True)

    def _gave_up(self) -> None:
        self._thoughts.stop()
        self._tell_news(())

    async def _entrust(self, seat: int) -> None:
        """A bot may decide what stays for good."""
        room, match, now = self._room, self.live.match, self._room.now()
        row, playing = replace(room.seating.rows[seat], entrusted=True), replace(self.live.row, asked=None)
        seating = room.seating.with_row(row)
        keep = partial(room.house.keeper.seat, room.table, row, playing)
        await room.keep(keep, now, room.thinks_at(seating, match, playing))
        room.seating = seating
        self.rename(playing)
        self._tell_people()

    def _tell_asked(self, asked: Asking) -> None:
        self._room.tell(lambda _: asked)

    def _tell_settled(self, asked: Asked) -> None:
        """It was agreed to or refused, or something else happened."""
        self._tell_asked(Asking(asked.seat, asked.wish, ()))

    # What is prepared

    def _prepared(self, seat: int) -> AllPrepared:
        return foresight.read(self.live.prepared.get(seat))

    def _foreseen(self, ask: int, seat: int, luck: Any) -> Foreseen:
        """What may come, and what could be done then."""
        later = telling.ahead(self.live, seat) if self._room.by_mail else None
        future = None if luck is None else foresight.future(later, seat, luck)
        if future is None:
            return Foreseen(ask, foresight.lucks(later, seat))
        return Foreseen(ask, (), future.view, future.choices)

    async def _prepare(self, guest: Guest, seat: int, luck: Any, action: Any) -> None:
        """Whatever could be done if it came; whether it still can is seen when it comes."""
        future = foresight.future(telling.ahead(self.live, seat), seat, luck) if self._room.by_mail else None
        found = foresight.prepared_for(self.live.match, future, luck, action) if future else None
        if found is None:
            self._refuse(guest, seat, Reason("not-to-be-prepared"))
        else:
            await self._keep_prepared(seat, foresight.with_one(self._prepared(seat), found))

    async def _keep_prepared(self, seat: int, prepared: AllPrepared) -> None:
        """Nobody else learns that anything has changed: for them the table is as old as before."""
        happened = self.live.preparing(seat, foresight.written(prepared))
        await self._keep(self.live.match, happened, self._room.changed * 1000)
        self._tell_prepared(seat)

    def _tell_prepared(self, seat: int) -> None:
        self._room.tell_own(seat, lambda held: Yours(self.mine(held)))

    def _ready(self, match: Match, happened: Happened | None = None) -> frozenset[int]:
        """The seats of people for whom something is prepared, and its time has come."""
        prepared = dict(self.live.prepared)
        for turn in happened.turns if happened else ():
            prepared.pop(turn.seat, None)
            prepared |= {turn.seat: turn.prepared} if turn.prepared else {}
        rows = self._room.seating.rows
        found = foresight.all_ready(match, prepared) if self._room.by_mail else frozenset[int]()
        return frozenset(seat for seat in found if clocks.is_manned(rows[seat]))

    async def hand_in(self, seat: int) -> None:
        """What was prepared is decided, or dropped if it is not possible any more: then its owner is told."""
        found = foresight.ready(self.live.match, self._prepared(seat), seat)
        if found is None or seat not in self._ready(self.live.match):
            return
        rest = foresight.without(self._prepared(seat), found.luck)
        try:
            match = self.live.match.decide(seat, foresight.action_of(self.live.game, found))
        except IllegalAction as error:
            await self._keep_prepared(seat, (*rest, replace(found, dropped=error.reason)))
        else:
            await self._moved(match, seat, prepared=rest)

    # Time

    async def _give_time(self, guest: Guest, to: int) -> None:
        """Whoever waits gives some to one whose time is up."""
        timing, now = clocks.read(self.live.row.timing), self._room.now()
        if timing and self._room.chain.out_of_time(to, now) and to not in self._room.seating.held_by(guest.person):
            await self._keep_row(timing=as_json(clocks.noted(timing, Given(now, to))))
        self._tell_people()

    async def retime(self) -> bool:
        """Whether deadlines had to be set: there was an outage since."""
        live = self.live
        late = with_deadlines(live, live.row, live.match, None, self._room.house.life.outages) != live.row
        if late:
            await self._keep_row()
        return late

    # Hints

    async def _ask_hint(self, guest: Guest, ask: int, seat: int) -> None:
        """Once a hint is given the match is practice, and that is kept first."""
        if reason := self._advice.why_not(self.live, self._room.seating, guest.person, seat):
            self._room.tell_one(guest, Hint(ask, None, reason))
            return
        await self._make_practice()
        self._advice.begin(self.live, guest, ask, seat)

    async def _make_practice(self) -> None:
        if not self.live.row.practice:
            await self._keep_row(practice=True, practice_for="hint")
            self._tell_people()

    # Bots

    def wake(self, decide: Decide, hand_in: Callable[[int], Awaitable[None]], after: Callable[[], None]) -> None:
        """Every bot that is due and does not think yet begins to; what was prepared for now is handed in."""
        if self.playable:
            for seat in self._ready(self.live.match):
                self._thoughts.hand_in(seat, partial(hand_in, seat), after)
            self._thoughts.begin(self.live, self._bots, decide, after)

    @property
    def thinks(self) -> bool:
        """Whether a bot is at it."""
        return self._thoughts.any

    @property
    def _bots(self) -> dict[int, Thinking]:
        return bots_of(self._room.seating, self._room.chain.sign, self.live.match.state)

    def end(self) -> None:
        self._thoughts.stop()

    async def bot_decides(self, seat: int, match: Match, choice: Choice) -> None:
        """If what it thought about is still so, and the seat is still a bot's."""
        asked = self._bots.get(seat)
        if self.live.match.moves == match.moves and seat in self.live.due and asked:
            stood_in = choice.bot if choice.bot != asked.bot else None
            await self._moved(self.live.match.decide(seat, choice.action), seat, stood_in)
            if stood_in:
                self._tell_stood_in(seat, stood_in)

    def _tell_stood_in(self, seat: int, by: str) -> None:
        """Nothing to tell where nobody expects a bot any more."""
        if asked := self._room.seating.rows[seat].bot:
            self._room.tell(lambda _: StoodIn(seat, asked, by))


def _with_prepared(turn: TurnRow, seat: int, prepared: AllPrepared) -> TurnRow:
    return replace(turn, prepared=foresight.written(prepared)) if turn.seat == seat else turn
