"""The current match at a table: messages of guests, decisions of bots, premoves, and changes by other nodes."""

import asyncio
import logging
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import CHANCE, IllegalAction, Match, NothingStaged, PolyopolisError, Reason, shorten
from polyopolis.play.entities import CatchUp, MatchEntity, SeatEntity, SeatTurn, as_json
from polyopolis.play.match import consent_requests, premoves, projections
from polyopolis.play.match.bot_turns import BotTurns
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import (
    Act,
    AskFor,
    AskFuture,
    AskHint,
    AskReason,
    AskTakeback,
    Consent,
    DiscardPremove,
    FallbackDecision,
    FutureAnswer,
    GiveTime,
    Hint,
    OfMatch,
    OfSeat,
    OwnSeats,
    PreparePremove,
    Preview,
    PreviewAnswer,
    ReasonAnswer,
    Retract,
)
from polyopolis.play.match.premoves import AllPrepared
from polyopolis.play.protocols import BotDecision, BotRequest, Subscriber
from polyopolis.play.seats.rated_play import without_rating
from polyopolis.play.table.consent_handler import ConsentHandler
from polyopolis.play.table.publisher import MatchPublisher
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.timing import clocks

logger = logging.getLogger(__name__)

MAX_ERROR_LENGTH = 200
"""Characters of an error message that are quoted."""

NOT_INSTALLED, ENDED_EARLY = Reason("not-installed"), Reason("ended-early")


class MatchSession:
    """The caller of every coroutine must hold `context.lock`."""

    def __init__(self, context: TableContext, live: LiveMatch) -> None:
        self._context = context
        self.live = live
        self.publisher = MatchPublisher(context, live)
        self.turns = BotTurns(context.services.clock)
        self.consents = ConsentHandler(self.publisher, self.turns)
        self._hints: dict[int, asyncio.Task[None]] = {}

    # Messages of guests

    async def handle(self, guest: Subscriber, message: OfMatch) -> None:
        publisher = self.publisher
        if isinstance(message, Consent):
            await self.consents.consent(guest, message.yes)
        elif not publisher.playable:
            publisher.refuse(guest, message.seat, NOT_INSTALLED if not publisher.installed else ENDED_EARLY)
        elif message.seat not in self._context.seating.played_by(guest.person):
            publisher.refuse(guest, message.seat, Reason("not-your-seat"))
        else:
            await self._handle_for_seat(guest, message)

    async def _handle_for_seat(self, guest: Subscriber, message: OfSeat) -> None:
        match message:
            case Act(seat, turn, action):
                await self._act(guest, seat, turn, action)
            case Retract(seat, turn):
                await self._retract(guest, seat, turn)
            case AskReason(ask, seat, action):
                self._context.send(guest, ReasonAnswer(ask, self._check(seat, action)[1]))
            case Preview(ask, seat, action):
                self._context.send(guest, self._preview(ask, seat, action))
            case AskTakeback(seat):
                await self.consents.ask_takeback(guest, seat)
            case AskFor(seat, wish):
                await self.consents.ask_for(guest, seat, wish)
            case GiveTime(_, to):
                await self._give_time(guest, to)
            case AskFuture(ask, seat, luck):
                self._foresee(guest, ask, seat, luck)
            case PreparePremove(seat, luck, action):
                await self._prepare(guest, seat, luck, action)
            case DiscardPremove(seat, luck):
                await self._persist_premoves(seat, premoves.remove_premove(self._premoves(seat), luck))
            case AskHint(ask, seat):
                await self._ask_hint(guest, ask, seat)

    # Decisions

    async def _act(self, guest: Subscriber, seat: int, turn: int, action: Any) -> None:
        if not self._is_current(guest, seat, turn):
            return
        try:
            match = self.live.match.decide(seat, self.live.decode_action(action))
        except IllegalAction as error:
            self.publisher.refuse(guest, seat, error.reason)
        except msgspec.ValidationError as error:
            self.publisher.refuse(guest, seat, invalid_action_reason(error))
        else:
            await self._apply(match, seat)

    async def _retract(self, guest: Subscriber, seat: int, turn: int) -> None:
        if not self._is_current(guest, seat, turn):
            return
        try:
            match = self.live.match.retract(seat)
        except NothingStaged:
            self._context.send(guest, OwnSeats(self.publisher.mine_of(guest)))
        else:
            await self._apply(match, seat)

    def _is_current(self, guest: Subscriber, seat: int, turn: int) -> bool:
        """Whether the turn number is current. A repeated message gets the state of the seat; one that is ahead is
        refused."""
        expected = self.live.turns.get(seat, 0)
        if turn > expected:
            self.publisher.refuse(guest, seat, Reason("out-of-step", {"turn": turn, "expected": expected}))
        elif turn < expected:
            self._context.send(guest, OwnSeats(self.publisher.mine_of(guest)))
        return turn == expected

    async def _apply(
        self, match: Match, seat: int, by: str | None = None, premoves_left: AllPrepared | None = None
    ) -> None:
        """Persists a decision with the chance events that it triggers, then broadcasts it.

        `by` is a bot that decided instead of the one in the seat. `premoves_left` replaces the premoves of the seat.
        """
        match = self.live.deal(match)
        events = match.events[len(self.live.match.events) :]
        now = self._context.now()
        update = self.live.decision_update(match, seat, now, by, self._other_seats(seat))
        if premoves_left is not None:
            update = replace(update, turns=[_with_premoves(turn, seat, premoves_left) for turn in update.turns])
        entity = update.match
        if update.rows:
            entity = replace(entity, asked=consent_requests.request_after_moves(entity.asked))
        if match.over and self._context.chain.plan:
            entity = replace(entity, standings=await self._standings(match))
        await self.publisher.persist(match, replace(update, match=entity), now)
        if update.rows:
            self.publisher.broadcast_news(events)
        else:
            self.publisher.broadcast_decided(seat)

    def _other_seats(self, seat: int) -> tuple[int, ...]:
        """The other seats of the player of a seat."""
        seating = self._context.seating
        person = seating.rows[seat].person if seat != CHANCE else None
        return tuple(other for other in seating.held_by(person) if other != seat)

    async def _standings(self, match: Match) -> str | None:
        """The standings of the campaign after this episode."""
        try:
            return as_json(await self._context.chain.standings_after(match))
        except PolyopolisError:
            logger.exception("table %s: an earlier episode cannot be replayed", self._context.table)
            return None

    # Previews

    def _check(self, seat: int, action: Any) -> tuple[Any, Reason | None]:
        """The decoded action, and why it is not possible now."""
        try:
            found = self.live.decode_action(action)
        except msgspec.ValidationError as error:
            return None, invalid_action_reason(error)
        return found, self.live.match.why_not(seat, found)

    def _preview(self, ask: int, seat: int, action: Any) -> PreviewAnswer:
        """What would change if this seat alone acted now, without chance events."""
        found, reason = self._check(seat, action)
        if reason or seat == CHANCE:
            return PreviewAnswer(ask, (), (), None)
        game, state = self.live.game, self.live.match.state
        step = game.apply(state, seat, found)
        before, after = game.scores(state).sheets[seat], game.scores(step.state).sheets[seat]
        return PreviewAnswer(ask, projections.sheet_changes(before, after), step.events, game.view(step.state, None))

    # Premoves

    def _foresee(self, guest: Subscriber, ask: int, seat: int, luck: Any) -> None:
        """Sends the possible chance events, or, for one of them, the position and choices after it."""
        later = projections.next_own_position(self.live, seat) if self._context.by_correspondence else None
        future = None if luck is None else premoves.possible_future(later, seat, luck)
        if future is None:
            answer = FutureAnswer(ask, premoves.possible_chance_outcomes(later, seat))
        else:
            answer = FutureAnswer(ask, (), future.view, future.choices)
        self._context.send(guest, answer)

    async def _prepare(self, guest: Subscriber, seat: int, luck: Any, action: Any) -> None:
        """Stores a premove that is possible in the foreseen position. It is checked again when it is played."""
        future = (
            premoves.possible_future(projections.next_own_position(self.live, seat), seat, luck)
            if self._context.by_correspondence
            else None
        )
        found = premoves.premove_for(self.live.match, future, luck, action) if future else None
        if found is None:
            self.publisher.refuse(guest, seat, Reason("not-to-be-prepared"))
        elif (prepared := premoves.add_premove(self._premoves(seat), found)) is None:
            self.publisher.refuse(guest, seat, Reason("too-many-prepared"))
        else:
            await self._persist_premoves(seat, prepared)

    def _premoves(self, seat: int) -> AllPrepared:
        return premoves.read_premoves(self.live.prepared.get(seat))

    async def _persist_premoves(self, seat: int, prepared: AllPrepared) -> None:
        """Keeps the time of the last change, so that no other player can see that something has changed."""
        update = self.live.premove_update(seat, premoves.encode_premoves(prepared))
        await self.publisher.persist(self.live.match, update, self._context.changed * 1000)
        self.publisher.send_own(seat)

    # Turns without a message: bots, and premoves that are due

    @property
    def due_bots(self) -> dict[int, str]:
        """The bots that are to decide, by seat."""
        bots = self._context.deciding_bots(self._context.seating, self.live.match)
        return {seat: bots[seat] for seat in self.live.due if seat in bots}

    def bot_request(self, seat: int) -> BotRequest:
        context = self._context
        return BotRequest(
            place=f"{context.table}/{self.live.row.number}",
            match=self.live.match,
            seat=seat,
            seed=self.live.row.bot_seed,
            people=context.people,
            watched=lambda: not context.attendance.empty,
        )

    async def play_bot_decision(self, seat: int, match: Match, decision: BotDecision) -> None:
        """Plays what a bot chose in `match`, unless the match has gone on or a player has taken the seat back."""
        bot = self.due_bots.get(seat)
        if bot and self.live.match.moves == match.moves:
            stood_in = decision.bot if decision.bot != bot else None
            await self._apply(self.live.match.decide(seat, decision.action), seat, stood_in)
            if stood_in:
                self._broadcast_stood_in(seat, stood_in)

    def _broadcast_stood_in(self, seat: int, by: str) -> None:
        if bot := self._context.seating.rows[seat].bot:
            self._context.broadcast(lambda _: FallbackDecision(seat, bot, by))

    async def play_premove(self, seat: int) -> None:
        """Plays the premove of a seat that is due, or marks it as dropped if it has become impossible."""
        found = premoves.matching_premove(self.live.match, self._premoves(seat), seat)
        if found is None or seat not in self.publisher.ready_premoves(self.live.match):
            return
        rest = premoves.remove_premove(self._premoves(seat), found.luck)
        try:
            match = premoves.apply_premove(self.live.match, seat, found)
        except IllegalAction as error:
            await self._persist_premoves(seat, (*rest, replace(found, dropped=error.reason)))
        else:
            await self._apply(match, seat, premoves_left=rest)

    # Changes of seats and by other nodes

    def rename(self, row: MatchEntity) -> None:
        """Applies a persisted change of names. Requests other than another match have lapsed with it."""
        asked = self.consents.asked
        self.publisher.rename(row)
        self.consents.broadcast_changed(asked)

    def match_after_reseating(self, row: MatchEntity, after: SeatEntity, now: int) -> MatchEntity:
        """The entity of the match after a change of a seat. A player who returns after their time was up gets some."""
        timing, outages = clocks.read_timing(row.timing), self._context.outages
        if timing is None:
            return row
        before = self._context.seating.rows[after.seat]
        timing = clocks.timing_after_reseating(timing, now, before, after)
        if clocks.is_manned(after) and not clocks.is_manned(before):
            calculation = self.live.calculate_clocks(
                replace(row, timing=as_json(timing)), self.live.match, None, outages
            )
            if calculation and not calculation.left(after.seat, now):
                timing = clocks.timing_with_extra_time(timing, now, after.seat)
        return with_deadlines(self.live, replace(row, timing=as_json(timing)), self.live.match, None, outages)

    def follow(self, row: MatchEntity, later: CatchUp) -> None:
        """Applies changes that another node has persisted, and broadcasts them as if they had been made here."""
        live, asked = self.live, self.consents.asked
        renamed, ended = row.setup != live.row.setup, row.ended != live.row.ended
        events, turns, prepared = len(live.match.events), live.turns, live.prepared
        live.follow(row, later.log, later.turns)
        if any(entry.back_to is not None for entry in later.log):
            self.consents.broadcast_takeback()
        elif ended:
            self.consents.broadcast_end()
        elif later.log or renamed:
            self.publisher.broadcast_news(live.match.events[events:])
        for turn in (turn for turn in later.turns if turn.turn > turns.get(turn.seat, 0)):
            if not later.log:
                self.publisher.broadcast_decided(turn.seat)
            if turn.by:
                self._broadcast_stood_in(turn.seat, turn.by)
        for seat in {*prepared, *live.prepared}:
            if not later.log and prepared.get(seat) != live.prepared.get(seat):
                self.publisher.send_own(seat)
        self.consents.broadcast_changed(asked)

    # Time

    async def _give_time(self, guest: Subscriber, to: int) -> None:
        """Gives time to another player whose time is up."""
        timing, now = clocks.read_timing(self.live.row.timing), self._context.now()
        if (
            timing
            and self._context.chain.out_of_time(to, now)
            and to not in self._context.seating.held_by(guest.person)
        ):
            await self.publisher.persist_entity(timing=as_json(clocks.timing_with_extra_time(timing, now, to)))
        self.publisher.broadcast_people()

    async def update_deadlines(self) -> bool:
        """Moves deadlines after outages. Returns whether any had to be moved."""
        live = self.live
        late = with_deadlines(live, live.row, live.match, None, self._context.outages) != live.row
        if late:
            await self.publisher.persist_entity()
        return late

    # Hints

    async def _ask_hint(self, guest: Subscriber, ask: int, seat: int) -> None:
        """Makes the match practice, and persists that before the hint is computed in the background."""
        if reason := self._why_no_hint(guest.person, seat):
            self._context.send(guest, Hint(ask, None, reason))
            return
        if not self.live.row.practice:
            rated = without_rating(self.live.row, "hint").rated
            await self.publisher.persist_entity(practice=True, practice_for="hint", rated=rated)
            self.publisher.broadcast_people()
        self._hints[seat] = asyncio.create_task(self._send_hint(guest, ask, self.bot_request(seat)))

    def _why_no_hint(self, person: str | None, seat: int) -> Reason | None:
        """Against other people hints are refused unless the match is practice, even while bots stand in for them."""
        if self._context.seating.others(person) and not self.live.row.practice:
            return Reason("hint-among-people")
        if seat == CHANCE or seat not in self.live.due:
            return Reason("not-due")
        return Reason("hint-on-its-way") if seat in self._hints else None

    async def _send_hint(self, guest: Subscriber, ask: int, request: BotRequest) -> None:
        try:
            found = await self._context.services.bot_service.explain(request)
        finally:
            self._hints.pop(request.seat, None)
        is_current = self.live.match.moves == request.match.moves and request.seat in self.live.due
        self._context.send(guest, Hint(ask, found if is_current else None))


def invalid_action_reason(error: msgspec.ValidationError) -> Reason:
    return Reason("not-an-action", {"error": shorten(str(error), MAX_ERROR_LENGTH)})


def _with_premoves(turn: SeatTurn, seat: int, prepared: AllPrepared) -> SeatTurn:
    return replace(turn, prepared=premoves.encode_premoves(prepared)) if turn.seat == seat else turn
