"""Requests that need the consent of other players: asked, answered and carried out."""

from functools import partial

from msgspec.structs import replace

from polyopolis.engine import Reason
from polyopolis.play.entities import as_json
from polyopolis.play.match import consent_requests
from polyopolis.play.match.bot_turns import BotTurns
from polyopolis.play.match.consent_requests import (
    AllowBotDecisions,
    ChangePace,
    ConsentRequest,
    EndEarly,
    Free,
    Rematch,
    Takeback,
)
from polyopolis.play.match.messages import ConsentUpdate
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table import due_notifications
from polyopolis.play.table.publisher import MatchPublisher
from polyopolis.play.timing import clocks

DAY_IS_PLAYED, RATING_STANDS = Reason("day-is-played"), Reason("rating-stands")


class ConsentHandler:
    """A match has at most one open request. The caller must hold `context.lock`."""

    def __init__(self, publisher: MatchPublisher, turns: BotTurns) -> None:
        self._publisher = publisher
        self._context, self._live = publisher.context, publisher.live
        self._turns = turns

    @property
    def asked(self) -> ConsentRequest | None:
        return consent_requests.read_request(self._live.row.asked)

    @property
    def asking(self) -> ConsentUpdate | None:
        return self._message(self.asked) if self.asked else None

    def _message(self, asked: ConsentRequest) -> ConsentUpdate:
        return ConsentUpdate(asked.seat, asked.wish, self._context.seating.held_by_any(asked.waiting))

    async def ask_takeback(self, guest: Subscriber, seat: int) -> None:
        asked = consent_requests.takeback_request(self._live, self._context.seating, guest.person, seat)
        if self._has_counted:
            self._publisher.refuse(guest, seat, DAY_IS_PLAYED)
        elif self._live.match.over and self._live.row.rated == "yes":
            self._publisher.refuse(guest, seat, RATING_STANDS)
        elif asked is None:
            self._publisher.refuse(guest, seat, Reason("nothing-to-take-back"))
        else:
            await self._settle(asked)

    async def ask_for(self, guest: Subscriber, seat: int, wish: Free) -> None:
        seating, now = self._context.seating, self._context.now()
        if isinstance(wish, AllowBotDecisions) and not self._has_stand_in(wish.bot):
            self._publisher.refuse(guest, seat, Reason("no-bot-plays-in"))
            return
        late = tuple(row.seat for row in seating.rows if self._is_late(row.seat, now))
        await self._settle(consent_requests.consent_request(seating, guest.person, seat, wish, late))

    def _is_late(self, seat: int, now: int) -> bool:
        """Whether the time of a seat is up, or was: in correspondence play bots stand in for no other reason."""
        context = self._context
        up = seat in self._live.due and context.chain.out_of_time(seat, now)
        return up or (context.by_correspondence and self._has_stand_in(seat))

    def _has_stand_in(self, seat: int) -> bool:
        rows = self._context.seating.rows
        return seat in range(len(rows)) and bool(rows[seat].bot and rows[seat].person)

    @property
    def _has_counted(self) -> bool:
        """Whether a daily try that counts is over. It cannot be changed any more: the tries of others are visible."""
        return self._context.chain.daily is not None and self._live.match.over and not self._live.row.practice

    async def play_again(self, person: str) -> bool:
        """Asks the other players for another match, or agrees to it. Returns whether all have agreed."""
        asked = consent_requests.rematch_request(self.asked, self._context.seating, person)
        if asked.waiting and asked != self.asked:
            await self._settle(asked)
        return not asked.waiting

    @property
    def all_play_again(self) -> bool:
        """Whether another match was asked for and no answer is missing."""
        return self.asked is not None and isinstance(self.asked.wish, Rematch) and not self.asked.waiting

    async def consent(self, guest: Subscriber, yes: bool) -> None:
        asked = self.asked
        if not asked or guest.person not in asked.waiting:
            return
        if yes:
            await self._settle(asked.with_consent(guest.person))
        else:
            await self._publisher.persist_entity(asked=None)
            self.broadcast_settled(asked)

    async def _settle(self, asked: ConsentRequest) -> None:
        if asked.waiting:
            await self._publisher.persist_entity(asked=as_json(asked), timing=self._timing_after(asked))
            self._broadcast_asked(self._message(asked))
            return
        match asked.wish:
            case Takeback(moves, past_reveal):
                await self._go_back(moves, past_reveal)
            case ChangePace(pace):
                timing = clocks.start_timing(pace, self._context.now(), self._context.seating.rows)
                await self._publisher.persist_entity(asked=None, timing=as_json(timing) if timing else None)
                self._publisher.broadcast_people()
                self.broadcast_settled(asked)
            case EndEarly():
                await self._publisher.persist_entity(asked=None, ended=True, over=True, due="[]", result=None)
                self.broadcast_end()
            case AllowBotDecisions(bot):
                await self._entrust(asked, bot)

    def _timing_after(self, asked: ConsentRequest) -> str | None:
        """The timing of the match, which also limits how often requests are notified."""
        timing = clocks.read_timing(self._live.row.timing)
        if timing is None or (self.asked and self.asked.is_same(asked)):
            return self._live.row.timing
        context = self._context
        return as_json(
            due_notifications.timing_after_request(
                context.change_context(context.now()), timing, context.seating.first_of(asked.seat)
            )
        )

    async def _go_back(self, moves: int, past_reveal: bool) -> None:
        match, now = self._live.match.rewound(moves), self._context.now()
        await self._publisher.persist(match, self._live.takeback_update(match, now, practice=past_reveal), now)
        self.broadcast_takeback()

    def broadcast_takeback(self) -> None:
        self._turns.cancel()
        self._publisher.broadcast_news((), back=True)

    def broadcast_end(self) -> None:
        self._turns.cancel()
        self._publisher.broadcast_news(())

    async def _entrust(self, asked: ConsentRequest, seat: int) -> None:
        """Allows the bot that stands in to make lasting decisions."""
        context, match, now = self._context, self._live.match, self._context.now()
        row, playing = replace(context.seating.rows[seat], entrusted=True), replace(self._live.row, asked=None)
        seating = context.seating.with_row(row)
        keep = partial(context.services.repository.seat, context.table, row, playing)
        await context.persist(keep, now, context.bot_node(seating, match, playing))
        context.seating = seating
        self._publisher.rename(playing)
        self.broadcast_settled(asked)
        self._publisher.broadcast_people()

    def _broadcast_asked(self, asked: ConsentUpdate) -> None:
        self._context.broadcast(lambda _: asked)

    def broadcast_settled(self, asked: ConsentRequest) -> None:
        """Sends that a request is closed: agreed to, refused or lapsed."""
        self._broadcast_asked(ConsentUpdate(asked.seat, asked.wish, ()))

    def broadcast_changed(self, before: ConsentRequest | None) -> None:
        """Sends a request that was opened or closed by another node or by a change of seats."""
        if self.asked and self.asked != before:
            self._broadcast_asked(self._message(self.asked))
        elif before and not self.asked:
            self.broadcast_settled(before)
