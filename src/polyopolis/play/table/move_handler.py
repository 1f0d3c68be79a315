"""What is decided at a table: checked, kept with the luck that follows, and told."""

import logging
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import CHANCE, IllegalAction, Match, NothingStaged, PolyopolisError, Reason
from polyopolis.play.entities import SeatTurn, as_json
from polyopolis.play.match import premoves
from polyopolis.play.match.messages import Yours
from polyopolis.play.match.premoves import AllPrepared
from polyopolis.play.match.previews import decode_action, not_an_action
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table.consent_handler import ConsentHandler
from polyopolis.play.table.publisher import MatchPublisher

logger = logging.getLogger(__name__)


class MoveHandler:
    def __init__(self, writing: MatchPublisher, consents: ConsentHandler) -> None:
        self._writing = writing
        self._room, self._live = writing.room, writing.live
        self._consents = consents

    async def act(self, guest: Subscriber, seat: int, turn: int, action: Any) -> None:
        if not self._fresh(guest, seat, turn):
            return
        try:
            match = self._live.match.decide(seat, decode_action(self._live, action))
        except IllegalAction as error:
            self._writing.refuse(guest, seat, error.reason)
        except msgspec.ValidationError as error:
            self._writing.refuse(guest, seat, not_an_action(error))
        else:
            await self.moved(match, seat)

    async def retract(self, guest: Subscriber, seat: int, turn: int) -> None:
        if not self._fresh(guest, seat, turn):
            return
        try:
            match = self._live.match.retract(seat)
        except NothingStaged:
            self._room.tell_one(guest, Yours(self._writing.mine_of(guest)))
        else:
            await self.moved(match, seat)

    def _fresh(self, guest: Subscriber, seat: int, turn: int) -> bool:
        """Whether this message counts: one that was heard before is only told what came of it."""
        expected = self._live.turns.get(seat, 0)
        if turn > expected:
            self._writing.refuse(guest, seat, Reason("out-of-step", {"turn": turn, "expected": expected}))
        elif turn < expected:
            self._room.tell_one(guest, Yours(self._writing.mine_of(guest)))
        return turn == expected

    async def moved(self, match: Match, seat: int, by: str | None = None, prepared: AllPrepared | None = None) -> None:
        """Kept first, then told. With a decision that was prepared only these others are left."""
        match = self._live.deal(match)
        events = match.events[len(self._live.match.events) :]
        now = self._room.now()
        happened = self._live.moved(match, seat, now, by, self._beside(seat))
        if prepared is not None:
            happened = replace(happened, turns=[_with_prepared(turn, seat, prepared) for turn in happened.turns])
        if happened.rows and self._consents.end_with_moves:
            happened = replace(happened, match=replace(happened.match, asked=None))
        if match.over and self._room.chain.plan:
            happened = replace(happened, match=replace(happened.match, standings=await self._standings(match)))
        await self._writing.keep(match, happened, now)
        if happened.rows:
            self._writing.tell_news(events)
        else:
            self._writing.tell_decided(seat)

    def _beside(self, seat: int) -> tuple[int, ...]:
        """The other seats of whoever plays one."""
        seating = self._room.seating
        person = seating.rows[seat].person if seat != CHANCE else None
        return tuple(other for other in seating.held_by(person) if other != seat)

    async def _standings(self, match: Match) -> str | None:
        """Of the campaign after this episode."""
        try:
            return as_json(await self._room.chain.standings_after(match))
        except PolyopolisError:
            logger.exception("table %s: an earlier episode cannot be re-played", self._room.table)
            return None


def _with_prepared(turn: SeatTurn, seat: int, prepared: AllPrepared) -> SeatTurn:
    return replace(turn, prepared=premoves.written(prepared)) if turn.seat == seat else turn
