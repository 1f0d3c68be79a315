"""A match at a table: what its people say is checked, kept and only then told, to everybody what they may know."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import IllegalAction, Match, NothingStaged, PolyopolisError, Reason
from polyopolis.play import telling
from polyopolis.play.advice import Advice
from polyopolis.play.company import Seats
from polyopolis.play.judging import decoded, judged, not_an_action, previewed
from polyopolis.play.live import Live
from polyopolis.play.messages import (
    Act,
    AskHint,
    AskTakeback,
    Because,
    Consent,
    Decided,
    FromScreen,
    Hint,
    Mine,
    News,
    OfSeat,
    People,
    Preview,
    Refused,
    Retract,
    Scene,
    StoodIn,
    TakebackAsked,
    Why,
    Yours,
)
from polyopolis.play.needs import Choice, Guest, Question
from polyopolis.play.room import Room
from polyopolis.play.rows import Happened, Later, MatchRow, as_json
from polyopolis.play.takeback import Takeback, settled
from polyopolis.play.thoughts import Decide, Thinking, Thoughts, bots_of

logger = logging.getLogger(__name__)

NOT_INSTALLED, DAY_IS_PLAYED = Reason("not-installed"), Reason("day-is-played")


class Sitting:
    """The one writer of a match. Whoever calls holds the lock of the room."""

    def __init__(self, room: Room, live: Live) -> None:
        self._room = room
        self.live = live
        self.playable = room.chain.is_installed(live.row)
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

    # What is told

    def scene(self, events: Sequence[Any] = (), back: bool = False) -> Scene:
        room = self._room
        return telling.scene(self.live, room.match_info(self.live.row), room.chain, events, back)

    def mine(self, held: Seats) -> tuple[Mine, ...]:
        """What whoever holds these seats may know of those that they decide for."""
        played = self._room.seating.played(held) if self.playable else ()
        return tuple(telling.mine(self.live, seat) for seat in played)

    def _mine_of(self, guest: Guest) -> tuple[Mine, ...]:
        return self.mine(self._room.seating.held_by(guest.person))

    @property
    def _takeback(self) -> Takeback | None:
        kept = self.live.row.takeback
        return msgspec.json.decode(kept, type=Takeback) if kept else None

    @property
    def asked(self) -> TakebackAsked | None:
        return self._takeback.message(self._room.seating) if self._takeback else None

    def _tell_news(self, events: Sequence[Any], back: bool = False) -> None:
        shown = telling.encoded_once(self.scene(events, back))
        self._room.tell(lambda held: News(shown, self.mine(held)))

    def _tell_decided(self, seat: int) -> None:
        """Others learn that a seat has decided; only its own screens learn what."""
        due, decided = self.live.due, tuple(sorted(self.live.match.staged))
        own = (telling.mine(self.live, seat),)
        played = self._room.seating.played
        self._room.tell(lambda held: Decided(due, decided, own if seat in played(held) else ()))

    def _refuse(self, guest: Guest, seat: int, reason: Reason) -> None:
        self._room.tell_one(guest, Refused(seat, reason, self._mine_of(guest)))

    # What is said

    async def hear(self, guest: Guest, message: FromScreen) -> None:
        if isinstance(message, Consent):
            await self._consent(guest, message.yes)
        elif not self.playable:
            self._refuse(guest, message.seat, NOT_INSTALLED)
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

    async def _moved(self, match: Match, seat: int, by: str | None = None) -> None:
        """Kept first, then told."""
        match = self.live.deal(match)
        events = match.events[len(self.live.match.events) :]
        now = self._room.now()
        happened = self.live.moved(match, seat, now, by)
        if match.over and self._room.chain.plan:
            happened = replace(happened, match=replace(happened.match, standings=await self._standings(match)))
        await self._keep(match, happened, now)
        if happened.rows:
            self._tell_news(events)
        else:
            self._tell_decided(seat)

    async def _keep(self, match: Match, happened: Happened, now: int) -> None:
        room = self._room
        append = partial(room.house.keeper.append, room.table, happened)
        await room.keep(append, now, room.thinks_at(room.seating, match))
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
        """It is kept with these names: players are told with the table, cities stand on the boards. Whoever asked to
        take something back has to ask anew."""
        cities, takeback = row.setup != self.live.row.setup, self._takeback
        self.live.rename(row)
        self._room.chain.take(row)
        if cities:
            self._tell_news(())
        if takeback:
            self._tell_asked(settled(takeback))

    def follow(self, row: MatchRow, later: Later) -> None:
        """What was kept at another node is so here, too, and told as if it had happened here."""
        live, cities, takeback = self.live, row.setup != self.live.row.setup, self._takeback
        events, turns = len(live.match.events), live.turns
        live.follow(row, later.log, later.turns)
        self._room.chain.take(row)
        if any(entry.back_to is not None for entry in later.log):
            self._went_back()
        elif later.log or cities:
            self._tell_news(live.match.events[events:])
        for turn in (turn for turn in later.turns if turn.turn > turns.get(turn.seat, 0)):
            if not later.log:
                self._tell_decided(turn.seat)
            if turn.by:
                self._tell_stood_in(turn.seat, turn.by)
        if takeback != self._takeback:
            self._tell_asked(self.asked or TakebackAsked(takeback.seat if takeback else 0, ()))

    # Takeback

    async def _ask_takeback(self, guest: Guest, seat: int) -> None:
        takeback = Takeback.asked(self.live, self._room.seating, guest.person, seat)
        if self._has_counted:
            self._refuse(guest, seat, DAY_IS_PLAYED)
        elif takeback is None:
            self._refuse(guest, seat, Reason("nothing-to-take-back"))
        else:
            await self._settle(takeback)

    @property
    def _has_counted(self) -> bool:
        """The one try at the game of a day is over: from then on others' may be seen, so there is no way back."""
        return self._room.chain.daily is not None and self.live.match.over and not self.live.row.practice

    async def _consent(self, guest: Guest, yes: bool) -> None:
        takeback = self._takeback
        if not takeback or guest.person not in takeback.waiting:
            return
        if yes:
            await self._settle(takeback.agreed(guest.person))
        else:
            await self._keep_row(takeback=None)
            self._tell_asked(settled(takeback))

    async def _settle(self, takeback: Takeback) -> None:
        if takeback.waiting:
            await self._keep_row(takeback=as_json(takeback))
            self._tell_asked(takeback.message(self._room.seating))
            return
        match, now = self.live.match.rewound(takeback.moves), self._room.now()
        await self._keep(match, self.live.rewound(match, now, practice=takeback.past_reveal), now)
        self._went_back()

    def _went_back(self) -> None:
        self._thoughts.stop()
        self._tell_news((), back=True)

    def _tell_asked(self, asked: TakebackAsked) -> None:
        self._room.tell(lambda _: asked)

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
            self._room.tell(lambda held: People(self._room.info(held), self.mine(held)))

    # Bots

    def wake(self, decide: Decide, after: Callable[[], None]) -> None:
        """Every bot that is due and does not think yet begins to."""
        if self.playable:
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
