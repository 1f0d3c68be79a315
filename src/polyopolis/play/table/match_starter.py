"""One match after the other at a table: which one is next, and how it begins."""

from collections.abc import Iterable
from functools import partial
from typing import Any

from msgspec.structs import replace

from polyopolis.engine import Match, Move, derive_seed
from polyopolis.play.entities import DailyDeck, MatchEntity, PracticeFor, Rated, as_json, log_entry
from polyopolis.play.errors import Forbidden, Unreadable
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import Consent, Welcome
from polyopolis.play.match.projections import preencoded
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.protocols import Subscriber
from polyopolis.play.seats import rated_play
from polyopolis.play.table.match_session import MatchSession
from polyopolis.play.table.publisher import MatchPublisher
from polyopolis.play.table.room import TableContext
from polyopolis.play.timing import clocks
from polyopolis.play.version import VERSION


class MatchStarter:
    """Whoever calls holds the lock of the room, and wakes the bots afterwards."""

    def __init__(self, room: TableContext) -> None:
        self._room = room
        self.session: MatchSession | None = None

    async def open(self) -> None:
        """The last match of the chain."""
        self.session = await self._last_session()

    async def _last_session(self) -> MatchSession | None:
        chain = self._room.chain
        if chain.last is None:
            return None
        try:
            return self._open(await chain.live(chain.last.number))
        except Unreadable:
            if chain.is_installed(chain.last):
                raise
            return None

    def _open(self, live: LiveMatch) -> MatchSession:
        self._room.chain.play(live)
        return MatchSession(self._room, live)

    async def reload(self) -> None:
        """Another match is played than was known here."""
        row = await self._room.house.keeper.table(self._room.table)
        if row is None:
            return
        check_table(row)
        self._room.chain.reload(row.matches)
        if self.session:
            self.session.turns.cancel()
        self.session = await self._last_session()
        if self.session:
            self._welcome_all(self.session.publisher)

    # Which one begins

    async def start_if_full(self) -> None:
        if not self._room.chain.rows and self._room.seating.full:
            await self._start(self._next_row(self._room.chain.next_setup(None)))

    async def start_practice(self, row: MatchEntity | None, moves: Iterable[Move]) -> None:
        why: PracticeFor = "position" if row else "episode"
        row = row or self._next_row(self._room.chain.next_setup(None))
        await self._start(replace(row, number=0, practice=True, practice_for=why), moves)

    async def start_day(self, row: DailyDeck, *, practice: bool) -> None:
        if not self._room.chain.rows:
            match = replace(self._next_row(self._room.chain.next_setup(None)), **has_shared_deck(row))
            await self._start(replace(match, practice=True, practice_for="day") if practice else match)

    async def rematch(self, person: str) -> None:
        if not self._room.seating.held_by(person):
            raise Forbidden("only somebody with a seat can ask for another match")
        last = self._finished()
        if self._room.chain.next_setup(last) is None:
            raise Forbidden("the campaign is over")
        if self._room.chain.plan or (self.session and await self.session.consents.play_again(person)):
            if self._room.house.quotas and not last.over:  # else one could be made in the time of a request
                await self._room.house.quotas.check_table(person)
            await self._next_match()

    async def consent(self, guest: Subscriber, message: Consent) -> None:
        """Answers a request. One for another match is also answered after the last match is over."""
        person = guest.person
        if person and message.yes and {*self._room.again} & {*self._room.seating.held_by(person)}:
            await self.rematch(person)
        elif self.session:
            await self.session.handle(guest, message)

    async def continue_if_all_agree(self) -> None:
        """Whoever was waited for has left, or a bot plays for them."""
        if self.session and self.session.consents.all_play_again and self.session.live.row.over:
            await self._next_match()

    async def _next_match(self) -> None:
        await self._start(self._next_row(self._room.chain.next_setup(self._finished())))

    def _finished(self) -> Match:
        """The last match, if another one may follow it."""
        if not self.session or not (self.session.live.row.over or self._is_practice_alone(self.session.live)):
            raise Forbidden("the match is not over")
        return self.session.live.match

    def _is_practice_alone(self, live: LiveMatch) -> bool:
        return live.row.practice and not self._room.chain.plan

    def _next_row(self, setup: Any) -> MatchEntity:
        seating = self._room.seating
        return self._room.chain.next_row(setup, seating.rows, seating.players)

    # How it begins

    async def _start(self, row: MatchEntity, moves: Iterable[Move] = ()) -> None:
        room, now = self._room, self._room.now()
        timing = clocks.opened(room.chain.pace, now, room.seating.rows)
        row = replace(row, timing=as_json(timing) if timing else None, rated=await self._rated())
        live = LiveMatch.begun(row, room.chain.game, moves)
        live.begin(live.deal(live.match), now)
        live.row = with_deadlines(live, live.row, live.match, None, room.house.life.outages)
        log = tuple(log_entry(move, now) for move in live.match.moves)
        start = partial(room.house.keeper.start, self._room.table, live.row, log)
        owed = room.owed(live.match, live.row, live.number, now, begins=not room.chain.rows)
        asked = room.questions(room.seating, None, live.row, now)
        await room.keep(start, now, room.thinks_at(room.seating, live.match, live.row), (*owed, *asked))
        if self.session:
            self.session.turns.cancel()
        self.session = self._open(live)
        self._welcome_all(self.session.publisher)

    async def _rated(self) -> Rated | None:
        room = self._room
        if not room.chain.rated:
            return None
        return await rated_play.at_start(room.house.raters, room.chain.game.key, room.seating.rows)

    def _welcome_all(self, publisher: MatchPublisher) -> None:
        scene, clocks = preencoded(publisher.scene()), publisher.clocks()
        self._room.tell(lambda held: Welcome(VERSION, self._room.info(held), scene, publisher.mine(held), None, clocks))


def has_shared_deck(row: DailyDeck) -> dict[str, bytes]:
    """What the matches of a day have in common; bots cannot tell from theirs what is dealt."""
    return {"seed": row.seed, "bot_seed": derive_seed(row.seed, "bots", 0)}
