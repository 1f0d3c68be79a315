"""Starts the matches of a table, one after the other."""

from collections.abc import Iterable
from functools import partial

from msgspec.structs import replace

from polyopolis.engine import Match, Move, derive_seed
from polyopolis.play.entities import DailyDeck, MatchEntity, PracticeFor, as_json, log_entry
from polyopolis.play.errors import Forbidden, Unreadable
from polyopolis.play.match.live_match import LiveMatch, with_deadlines
from polyopolis.play.match.messages import Consent, Welcome
from polyopolis.play.match.projections import preencoded
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.protocols import Subscriber
from polyopolis.play.seats import rated_play
from polyopolis.play.table.match_session import MatchSession
from polyopolis.play.table.publisher import MatchPublisher
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.timing import clocks
from polyopolis.play.version import VERSION


class MatchStarter:
    """Holds the current match. The caller must hold `context.lock`, and start the bots that are due afterwards."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self.session: MatchSession | None = None

    async def open(self) -> None:
        """Opens the last match of the chain."""
        self.session = await self._last_session()

    async def _last_session(self) -> MatchSession | None:
        chain = self._context.chain
        if chain.last is None:
            return None
        try:
            return self._open(await chain.replay(chain.last.number))
        except Unreadable:
            if chain.is_installed(chain.last):
                raise
            return None

    def _open(self, live: LiveMatch) -> MatchSession:
        self._context.chain.play(live)
        return MatchSession(self._context, live)

    async def reload(self) -> None:
        """Opens the match that another node has started."""
        row = await self._context.services.repository.table(self._context.table)
        if row is None:
            return
        check_table(row)
        self._context.chain.reload(row.matches)
        if self.session:
            self.session.turns.cancel()
        self.session = await self._last_session()
        if self.session:
            self._welcome_all(self.session.publisher)

    # Which match is next

    async def start_if_full(self) -> None:
        if not self._context.chain.rows and self._context.seating.full:
            await self._start(self._next_row(None))

    async def start_practice(self, row: MatchEntity | None, moves: Iterable[Move]) -> None:
        why: PracticeFor = "position" if row else "episode"
        row = row or self._next_row(None)
        await self._start(replace(row, number=0, practice=True, practice_for=why), moves)

    async def start_day(self, row: DailyDeck, *, practice: bool) -> None:
        if not self._context.chain.rows:
            match = replace(self._next_row(None), **shared_deck(row))
            await self._start(replace(match, practice=True, practice_for="day") if practice else match)

    async def rematch(self, person: str) -> None:
        if not self._context.seating.held_by(person):
            raise Forbidden("only a player with a seat can ask for another match")
        last = self._finished()
        if self._context.chain.next_setup(last) is None:
            raise Forbidden("the campaign is over")
        if self._context.chain.plan or (self.session and await self.session.consents.play_again(person)):
            if self._context.services.quotas and not last.over:  # limits matches that are abandoned at once
                await self._context.services.quotas.check_table(person)
            await self._start(self._next_row(self._finished()))

    async def consent(self, guest: Subscriber, message: Consent) -> None:
        """Answers a request. One for another match is also answered after the last match is over."""
        person = guest.person
        if person and message.yes and {*self._context.again} & {*self._context.seating.held_by(person)}:
            await self.rematch(person)
        elif self.session:
            await self.session.handle(guest, message)

    async def continue_if_all_agree(self) -> None:
        """Starts the match that was asked for, once no answer is missing any more after a change of seats."""
        if self.session and self.session.consents.all_play_again and self.session.live.row.over:
            await self._start(self._next_row(self._finished()))

    def _finished(self) -> Match:
        """The last match. Raises `Forbidden` if no other match may follow it yet."""
        row = self.session.live.row if self.session else None
        if not (self.session and row and (row.over or (row.practice and not self._context.chain.plan))):
            raise Forbidden("the match is not over")
        return self.session.live.match

    def _next_row(self, last: Match | None) -> MatchEntity:
        chain, seating = self._context.chain, self._context.seating
        return chain.next_row(chain.next_setup(last), seating.rows, seating.players)

    # Start

    async def _start(self, row: MatchEntity, moves: Iterable[Move] = ()) -> None:
        context, chain, seating, now = self._context, self._context.chain, self._context.seating, self._context.now()
        timing = clocks.start_timing(chain.pace, now, seating.rows)
        rated = None
        if chain.rated:
            rated = await rated_play.rating_at_start(context.services.ratings, chain.game.key, seating.rows)
        row = replace(row, timing=as_json(timing) if timing else None, rated=rated)
        live = LiveMatch.start(row, chain.game, moves)
        live.begin(live.deal(live.match), now)
        live.row = with_deadlines(live, live.row, live.match, None, context.outages)
        log = tuple(log_entry(move, now) for move in live.match.moves)
        start = partial(context.services.repository.start, context.table, live.row, log)
        notifications = context.notifications(live.match, live.row, live.number, now, begins=not chain.rows)
        asked = context.request_notifications(seating, None, live.row, now)
        node = context.bot_node(seating, live.match, live.row)
        await context.persist(start, now, node, (*notifications, *asked))
        if self.session:
            self.session.turns.cancel()
        self.session = self._open(live)
        self._welcome_all(self.session.publisher)

    def _welcome_all(self, publisher: MatchPublisher) -> None:
        scene, clocks = preencoded(publisher.scene()), publisher.clocks()
        self._context.broadcast(
            lambda held: Welcome(VERSION, self._context.info(held), scene, publisher.mine(held), None, clocks)
        )


def shared_deck(row: DailyDeck) -> dict[str, bytes]:
    """The seeds of all matches of a day. The seed of the bots is derived: it does not reveal the deck."""
    return {"seed": row.seed, "bot_seed": derive_seed(row.seed, "bots", 0)}
