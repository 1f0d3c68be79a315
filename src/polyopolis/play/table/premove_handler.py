"""What somebody at a table has decided for what may come: looked at, kept with the seat, handed in when it comes."""

from typing import Any

from msgspec.structs import replace

from polyopolis.engine import IllegalAction, Reason
from polyopolis.play.match import premoves, projections
from polyopolis.play.match.messages import Foreseen
from polyopolis.play.match.premoves import AllPrepared
from polyopolis.play.protocols import Subscriber
from polyopolis.play.table.move_handler import MoveHandler
from polyopolis.play.table.publisher import MatchPublisher


class PremoveHandler:
    def __init__(self, writing: MatchPublisher, deciding: MoveHandler) -> None:
        self._writing = writing
        self._room, self._live = writing.room, writing.live
        self._deciding = deciding

    def foresee(self, guest: Subscriber, ask: int, seat: int, luck: Any) -> None:
        """What may come, and what could be done then."""
        later = projections.ahead(self._live, seat) if self._room.by_mail else None
        future = None if luck is None else premoves.future(later, seat, luck)
        if future is None:
            told = Foreseen(ask, premoves.possible_chance_outcomes(later, seat))
        else:
            told = Foreseen(ask, (), future.view, future.choices)
        self._room.tell_one(guest, told)

    async def prepare(self, guest: Subscriber, seat: int, luck: Any, action: Any) -> None:
        """Whatever could be done if it came; whether it still can is seen when it comes."""
        future = premoves.future(projections.ahead(self._live, seat), seat, luck) if self._room.by_mail else None
        found = premoves.prepared_for(self._live.match, future, luck, action) if future else None
        if found is None:
            self._writing.refuse(guest, seat, Reason("not-to-be-prepared"))
        elif (prepared := premoves.add_premove(self._prepared(seat), found)) is None:
            self._writing.refuse(guest, seat, Reason("too-many-prepared"))
        else:
            await self._keep(seat, prepared)

    async def forget(self, seat: int, luck: Any) -> None:
        await self._keep(seat, premoves.remove_premove(self._prepared(seat), luck))

    async def hand_in(self, seat: int) -> None:
        """What was prepared is decided, or dropped if it is not possible any more: then its owner is told."""
        found = premoves.matching_premove(self._live.match, self._prepared(seat), seat)
        if found is None or seat not in self._writing.ready(self._live.match):
            return
        rest = premoves.remove_premove(self._prepared(seat), found.luck)
        try:
            match = premoves.apply_premove(self._live.match, seat, found)
        except IllegalAction as error:
            await self._keep(seat, (*rest, replace(found, dropped=error.reason)))
        else:
            await self._deciding.moved(match, seat, prepared=rest)

    def _prepared(self, seat: int) -> AllPrepared:
        return premoves.read(self._live.prepared.get(seat))

    async def _keep(self, seat: int, prepared: AllPrepared) -> None:
        """Nobody else learns that anything has changed: for them the table is as old as before."""
        happened = self._live.preparing(seat, premoves.written(prepared))
        await self._writing.keep(self._live.match, happened, self._room.changed * 1000)
        self._writing.tell_own(seat)
