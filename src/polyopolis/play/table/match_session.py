"""A match at a table: who says what is heard by whom it concerns, other nodes are followed, and bots decide."""

from collections.abc import Awaitable, Callable
from functools import partial

from msgspec.structs import replace

from polyopolis.engine import Match, Reason
from polyopolis.play.entities import CatchUp, MatchEntity, SeatEntity, as_json
from polyopolis.play.match.bot_turns import ActingBot, BotTurns, Decide, deciding_bots
from polyopolis.play.match.hints import HintService
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import (
    Act,
    AskFor,
    AskHint,
    AskTakeback,
    Because,
    Consent,
    Foresee,
    Forget,
    GiveTime,
    Hint,
    OfMatch,
    OfSeat,
    Prepare,
    Preview,
    Retract,
    StoodIn,
    Why,
)
from polyopolis.play.match.previews import check_action, preview_action
from polyopolis.play.protocols import BotDecision, BotRequest, Subscriber
from polyopolis.play.seats.rated_play import unrated
from polyopolis.play.table.consent_handler import ConsentHandler
from polyopolis.play.table.move_handler import MoveHandler
from polyopolis.play.table.premove_handler import PremoveHandler
from polyopolis.play.table.publisher import MatchPublisher
from polyopolis.play.table.room import TableContext
from polyopolis.play.timing import clocks

NOT_INSTALLED, ENDED_EARLY = Reason("not-installed"), Reason("ended-early")


class MatchSession:
    """Whoever calls holds the lock of the room."""

    def __init__(self, room: TableContext, live: LiveMatch) -> None:
        self._room = room
        self.live = live
        self._thoughts = BotTurns(room.house.thinker, room.house.clock, self._question)
        self._advice = HintService(room.house.thinker, self._question)
        self.writing = MatchPublisher(room, live)
        self.consents = ConsentHandler(self.writing, self._thoughts.stop)
        self._deciding = MoveHandler(self.writing, self.consents)
        self._preparing = PremoveHandler(self.writing, self._deciding)

    def _question(self, seat: int, match: Match) -> BotRequest:
        room = self._room
        return BotRequest(
            place=f"{room.table}/{self.live.row.number}",
            match=match,
            seat=seat,
            seed=self.live.row.bot_seed,
            people=room.people,
            watched=lambda: not room.company.empty,
        )

    # What is said

    async def hear(self, guest: Subscriber, message: OfMatch) -> None:
        writing = self.writing
        if isinstance(message, Consent):
            await self.consents.consent(guest, message.yes)
        elif not writing.playable:
            writing.refuse(guest, message.seat, NOT_INSTALLED if not writing.installed else ENDED_EARLY)
        elif message.seat not in self._room.seating.played_by(guest.person):
            writing.refuse(guest, message.seat, Reason("not-your-seat"))
        else:
            await self._hear_of_seat(guest, message)

    async def _hear_of_seat(self, guest: Subscriber, message: OfSeat) -> None:
        match message:
            case Act(seat, turn, action):
                await self._deciding.act(guest, seat, turn, action)
            case Retract(seat, turn):
                await self._deciding.retract(guest, seat, turn)
            case Why(ask, seat, action):
                self._room.tell_one(guest, Because(ask, check_action(self.live, seat, action)[1]))
            case Preview(ask, seat, action):
                self._room.tell_one(guest, preview_action(self.live, ask, seat, action))
            case AskTakeback(seat):
                await self.consents.ask_takeback(guest, seat)
            case AskFor(seat, wish):
                await self.consents.ask_for(guest, seat, wish)
            case GiveTime(_, to):
                await self._give_time(guest, to)
            case Foresee(ask, seat, luck):
                self._preparing.foresee(guest, ask, seat, luck)
            case Prepare(seat, luck, action):
                await self._preparing.prepare(guest, seat, luck, action)
            case Forget(seat, luck):
                await self._preparing.forget(seat, luck)
            case AskHint(ask, seat):
                await self._ask_hint(guest, ask, seat)

    # What else is so

    def rename(self, row: MatchEntity) -> None:
        """It is kept with these names: players are told with the table. Whoever asked for something else than another
        match has to ask anew."""
        asked = self.consents.asked
        self.writing.rename(row)
        self.consents.tell_changed(asked)

    def reseated(self, row: MatchEntity, after: SeatEntity, now: int) -> MatchEntity:
        """The row of the match once a seat is like this. Who comes back from a time that was up gets some."""
        timing, outages = clocks.read(row.timing), self._room.house.life.outages
        if timing is None:
            return row
        before = self._room.seating.rows[after.seat]
        timing = clocks.reseated(timing, now, before, after)
        if clocks.is_manned(after) and not clocks.is_manned(before):
            reckoning = self.live.reckoned(replace(row, timing=as_json(timing)), self.live.match, None, outages)
            if reckoning and not reckoning.left(after.seat, now):
                timing = clocks.given(timing, now, after.seat)
        return with_deadlines(self.live, replace(row, timing=as_json(timing)), self.live.match, None, outages)

    def follow(self, row: MatchEntity, later: CatchUp) -> None:
        """What was kept at another node is so here, too, and told as if it had happened here."""
        live, asked = self.live, self.consents.asked
        renamed, ended = row.setup != live.row.setup, row.ended != live.row.ended
        events, turns, prepared = len(live.match.events), live.turns, live.prepared
        live.follow(row, later.log, later.turns)
        if any(entry.back_to is not None for entry in later.log):
            self.consents.went_back()
        elif ended:
            self.consents.gave_up()
        elif later.log or renamed:
            self.writing.tell_news(live.match.events[events:])
        for turn in (turn for turn in later.turns if turn.turn > turns.get(turn.seat, 0)):
            if not later.log:
                self.writing.tell_decided(turn.seat)
            if turn.by:
                self._tell_stood_in(turn.seat, turn.by)
        for seat in {*prepared, *live.prepared}:
            if not later.log and prepared.get(seat) != live.prepared.get(seat):
                self.writing.tell_own(seat)
        self.consents.tell_changed(asked)

    # Time

    async def _give_time(self, guest: Subscriber, to: int) -> None:
        """Whoever waits gives some to one whose time is up."""
        timing, now = clocks.read(self.live.row.timing), self._room.now()
        if timing and self._room.chain.out_of_time(to, now) and to not in self._room.seating.held_by(guest.person):
            await self.writing.keep_row(timing=as_json(clocks.given(timing, now, to)))
        self.writing.tell_people()

    async def retime(self) -> bool:
        """Whether deadlines had to be set: there was an outage since."""
        live = self.live
        late = with_deadlines(live, live.row, live.match, None, self._room.house.life.outages) != live.row
        if late:
            await self.writing.keep_row()
        return late

    # Hints

    async def _ask_hint(self, guest: Subscriber, ask: int, seat: int) -> None:
        """Once a hint is given the match is practice, and that is kept first."""
        if reason := self._advice.why_not(self.live, self._room.seating, guest.person, seat):
            self._room.tell_one(guest, Hint(ask, None, reason))
            return
        if not self.live.row.practice:
            rated = unrated(self.live.row, "hint").rated
            await self.writing.keep_row(practice=True, practice_for="hint", rated=rated)
            self.writing.tell_people()
        self._advice.begin(self.live, guest, ask, seat)

    # Bots

    def wake(self, decide: Decide, hand_in: Callable[[int], Awaitable[None]], after: Callable[[], None]) -> None:
        """Every bot that is due and does not think yet begins to; what was prepared for now is handed in."""
        if self.writing.playable:
            for seat in self.writing.ready(self.live.match):
                self._thoughts.hand_in(seat, partial(hand_in, seat), after)
            self._thoughts.begin(self.live, self._bots, decide, after)

    @property
    def thinks(self) -> bool:
        """Whether a bot is at it."""
        return self._thoughts.any

    @property
    def _bots(self) -> dict[int, ActingBot]:
        return deciding_bots(self._room.seating, self._room.chain.sign, self.live.match.state)

    def end(self) -> None:
        self._thoughts.stop()

    async def hand_in(self, seat: int) -> None:
        await self._preparing.hand_in(seat)

    async def bot_decides(self, seat: int, match: Match, choice: BotDecision) -> None:
        """If what it thought about is still so, and the seat is still a bot's."""
        asked = self._bots.get(seat)
        if self.live.match.moves == match.moves and seat in self.live.due and asked:
            stood_in = choice.bot if choice.bot != asked.bot else None
            await self._deciding.moved(self.live.match.decide(seat, choice.action), seat, stood_in)
            if stood_in:
                self._tell_stood_in(seat, stood_in)

    def _tell_stood_in(self, seat: int, by: str) -> None:
        """Nothing to tell where nobody expects a bot any more."""
        if asked := self._room.seating.rows[seat].bot:
            self._room.tell(lambda _: StoodIn(seat, asked, by))
