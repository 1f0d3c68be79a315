"""A live table: people and seats, and the match they play. It is the one writer of its match."""

import asyncio
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import (
    CHANCE,
    AnyGame,
    Campaign,
    Dealer,
    Match,
    Move,
    NothingStaged,
    PolyopolisError,
    Reason,
    Sheet,
)
from polyopolis.games import game, sign_of
from polyopolis.server.arms import arms_of
from polyopolis.server.guests import Guest
from polyopolis.server.messages import (
    Act,
    AskHint,
    AskTakeback,
    Because,
    Change,
    Consent,
    Decided,
    FromScreen,
    Hint,
    MatchInfo,
    Mine,
    News,
    People,
    Preview,
    Previewed,
    Refused,
    Retract,
    SeatInfo,
    TableInfo,
    TakebackAsked,
    Welcome,
    Why,
)
from polyopolis.server.store import Happened, LogRow, MatchRow, SeatRow, Store, TableRow, TurnRow
from polyopolis.server.thinking import Thinker
from polyopolis.server.version import VERSION

logger = logging.getLogger(__name__)


class Forbidden(PolyopolisError):
    """This guest may not do that here."""


@dataclass
class Playing:
    """The current match with what the store knows of it."""

    row: MatchRow
    match: Match
    dealer: Dealer
    number: int
    """Of log rows."""
    turns: dict[int, int]

    @property
    def info(self) -> MatchInfo:
        return match_info(self.row, self.match)


@dataclass
class Takeback:
    """Somebody asks to go back to so many moves."""

    seat: int
    moves: int
    waiting: set[str] = field(default_factory=set)
    """The people who have not agreed yet."""
    past_reveal: bool = True


def match_info(row: MatchRow, match: Match) -> MatchInfo:
    """What everybody may know of a match. The seed is opened when it is over; typed luck has none."""
    return MatchInfo(
        number=row.number,
        setup=match.setup,
        commitment=commitment(row.seed) if row.seed else None,
        practice=row.practice,
        over=match.over,
        seed=row.seed.hex() if row.seed and match.over else None,
    )


def commitment(seed: bytes) -> str:
    return sha256(seed).hexdigest()


class Table:
    def __init__(self, store: Store, thinker: Thinker, row: TableRow) -> None:
        self.id = row.id
        self.game: AnyGame = game(row.game)
        self.setup = msgspec.json.decode(row.setup, type=self.game.Setup)
        self.chosen_seed = row.chosen_seed
        self.plan: tuple[int, ...] = msgspec.json.decode(row.plan, type=tuple[int, ...])
        self.typed = row.typed
        self.seats: list[SeatRow] = list(row.seats)
        self.matches = len(row.matches)
        self.playing: Playing | None = None
        self._finished: list[Playing] = []
        self._store = store
        self._thinker = thinker
        self._guests: set[Guest] = set()
        self._takeback: Takeback | None = None
        self._thoughts: dict[int, asyncio.Task[None]] = {}
        self._hints: dict[int, asyncio.Task[None]] = {}
        self.lock = asyncio.Lock()

    # What is known

    def seats_of(self, person: str | None) -> tuple[int, ...]:
        """The seats that somebody holds; while a bot plays in for him they are not his to move."""
        return tuple(row.seat for row in self.seats if person and row.person == person and not row.bot)

    def _spoken_for(self, person: str | None) -> tuple[int, ...]:
        """The seats that somebody decides for: his own, and chance where people type in the luck."""
        own = self.seats_of(person)
        return (*own, CHANCE) if own and self.typed else own

    def info(self, person: str | None) -> TableInfo:
        return TableInfo(
            table=self.id,
            game=self.game.key,
            chosen_seed=self.chosen_seed,
            seats=tuple(self._seat_info(row) for row in self.seats),
            yours=tuple(row.seat for row in self.seats if person and row.person == person),
            match=self.playing.info if self.playing else None,
            matches=self.matches,
            luck="typed" if self.typed else "dealt",
            plan=self.plan,
            standings=self.campaign.standings() if self.plan and self.campaign.matches else None,
        )

    @property
    def campaign(self) -> Campaign:
        """The episodes of the plan that are over."""
        return Campaign(self.game, self.plan, self.setup, tuple(played.match for played in self.finished))

    @property
    def finished(self) -> tuple[Playing, ...]:
        """The matches of a campaign that are over."""
        last = [self.playing] if self.playing and self.playing.match.over else []
        return (*self._finished, *last)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.seats)

    def next_setup(self) -> Any:
        """What the next match of the chain starts from; None when a campaign is over."""
        setup = self.campaign.next_setup() if self.plan else self.setup
        return setup and sign_of(self.game.key).named(setup, arms_of(self.seats))

    def _seat_info(self, row: SeatRow) -> SeatInfo:
        kind = "person" if row.person else "bot" if row.bot else "open"
        online = bool(row.bot) or (row.person is not None and self.is_here(row.person))
        return SeatInfo(row.seat, row.name, kind, row.bot, online, row.city, row.animal)  # type: ignore[arg-type]

    # The chain of matches

    async def load(self, rows: Sequence[MatchRow]) -> None:
        """Goes on with the last match of the chain, as the log tells it."""
        for row in rows[:-1] if self.plan else ():
            log, turns = await self._store.log(self.id, row.number)
            self._finished.append(resumed(self.game, row, log, turns))
        if rows:
            log, turns = await self._store.log(self.id, rows[-1].number)
            self.playing = resumed(self.game, rows[-1], log, turns)
            self._wake_bots()

    async def start(self, row: MatchRow, moves: Sequence[Move] = ()) -> None:
        """Begins the next match of the chain, after these moves if it is a branch."""
        match = Match.replay(self.game, msgspec.json.decode(row.setup, type=self.game.Setup), moves)
        match = self._dealt(match, Dealer(row.seed))
        rows = [_log_row(move) for move in match.moves]
        await self._store.start(self.id, row, rows)
        if self.playing and self.plan:
            self._finished.append(self.playing)
        self.playing = Playing(row, match, Dealer(row.seed), len(rows), {})
        self.matches = row.number + 1
        self._takeback = None
        self._stop_thoughts()
        for guest in self._guests:
            self._greet(guest, since=None)
        self._wake_bots()

    def _dealt(self, match: Match, dealer: Dealer) -> Match:
        """With the luck that is due, unless people type it in."""
        return match if self.typed else match.deal(dealer)

    # Guests

    def arrive(self, guest: Guest, since: int | None = None, match: int | None = None) -> None:
        """A page opens, for the first time or with the number of the last news it has heard of a match."""
        self._guests.add(guest)
        same = self.playing is not None and match in (None, self.playing.row.number)
        self._greet(guest, since if same else None)
        self.tell_people()

    def depart(self, guest: Guest) -> None:
        self._guests.discard(guest)
        self.tell_people()

    def is_here(self, person: str) -> bool:
        return any(guest.person == person for guest in self._guests)

    def _greet(self, guest: Guest, since: int | None) -> None:
        guest.tell(Welcome(VERSION, self.info(guest.person)))
        if self.playing:
            guest.tell(self._news(self._missed(since)))
            self._tell_private(guest)
            if self._takeback:
                guest.tell(self._takeback_asked(self._takeback))

    def _missed(self, since: int | None) -> tuple[Any, ...]:
        """The events after log row `since`; none if it is not known what was seen."""
        assert self.playing
        match, number = self.playing.match, self.playing.number
        if since is None or not 0 <= since <= number or number != len(match.moves):
            return ()
        return match.events[len(match.rewound(since).events) :]

    def tell_people(self) -> None:
        for guest in self._guests:
            guest.tell(People(self.info(guest.person)))

    def _news(self, events: Sequence[Any], takeback: bool = False) -> News:
        assert self.playing
        match = self.playing.match
        return News(
            match=self.playing.info,
            number=self.playing.number,
            moves=len(match.moves),
            events=tuple(events),
            view=self.game.view(match.state, None),
            decided=tuple(sorted(match.staged)),
            takeback=takeback,
        )

    def _tell_news(self, events: Sequence[Any], takeback: bool = False) -> None:
        news = msgspec.json.encode(self._news(events, takeback))
        for guest in self._guests:
            guest.tell_encoded(news)
            self._tell_private(guest)

    def _tell_private(self, guest: Guest) -> None:
        for seat in self._spoken_for(guest.person):
            guest.tell(self._mine(seat))

    def _mine(self, seat: int) -> Mine:
        assert self.playing
        match = self.playing.match
        acting = self.game.to_act(match.state)
        choices = self._choices(match.state, seat) if seat in acting else ()
        return Mine(seat, self.playing.turns.get(seat, 0), choices, match.staged.get(seat), decided_last(match, seat))

    def _choices(self, state: Any, seat: int) -> tuple[Any, ...]:
        if seat == CHANCE:
            return tuple(luck for luck, _ in self.game.odds(state))
        return tuple(self.game.legal(state, seat))

    # Messages

    async def hear(self, guest: Guest, message: FromScreen) -> None:
        async with self.lock:
            try:
                await self._answer(guest, message)
            except NothingStaged:
                self._tell_private(guest)

    async def _answer(self, guest: Guest, message: FromScreen) -> None:
        if not self.playing:
            return
        match message:
            case Consent(yes):
                await self._consent(guest, yes)
                return
        if message.seat not in self._spoken_for(guest.person):
            guest.tell(Refused(message.seat, Reason("not-your-seat")))
            return
        match message:
            case Act(seat, turn, action):
                await self._act(guest, seat, turn, action)
            case Retract(seat, turn):
                if self._fresh(guest, seat, turn):
                    await self._moved(self.playing.match.retract(seat), seat)
            case Why(ask, seat, action):
                guest.tell(Because(ask, self._why_not(seat, action)))
            case Preview(ask, seat, action):
                guest.tell(Previewed(ask, self._changes(seat, action)))
            case AskTakeback(seat):
                await self._ask_takeback(guest, seat)
            case AskHint(ask, seat):
                await self._ask_hint(guest, ask, seat)

    async def _act(self, guest: Guest, seat: int, turn: int, action: Any) -> None:
        assert self.playing
        if reason := self._why_not(seat, action):
            guest.tell(Refused(seat, reason))
            self._tell_private(guest)
        elif self._fresh(guest, seat, turn):
            await self._moved(self.playing.match.decide(seat, self._decoded(action)), seat)

    def _fresh(self, guest: Guest, seat: int, turn: int) -> bool:
        """Whether this message counts: one that was heard before is only told what came of it."""
        assert self.playing
        expected = self.playing.turns.get(seat, 0)
        if turn > expected:
            guest.tell(Refused(seat, Reason("out-of-step", {"turn": turn, "expected": expected})))
        if turn != expected:
            self._tell_private(guest)
        return turn == expected

    def _why_not(self, seat: int, action: Any) -> Reason | None:
        assert self.playing
        try:
            return self.playing.match.why_not(seat, self._decoded(action))
        except msgspec.ValidationError as error:
            return Reason("not-an-action", {"error": str(error)})

    def _decoded(self, action: Any) -> Any:
        return msgspec.convert(action, self.game.Action)

    async def _moved(self, match: Match, seat: int) -> None:
        """Store first, then tell."""
        assert self.playing
        playing, before = self.playing, self.playing.match
        match = self._dealt(match, playing.dealer)
        rows = [_log_row(move) for move in match.moves[len(before.moves) :]]
        turns = {**playing.turns, seat: playing.turns.get(seat, 0) + 1}
        touched = {seat, *before.staged} if rows else {seat}
        changed = [TurnRow(one, turns.get(one, 0), _json(match.staged.get(one))) for one in sorted(touched)]
        await self._store.append(self.id, playing.row.number, Happened(playing.number, rows, changed))
        playing.match, playing.turns, playing.number = match, turns, playing.number + len(rows)
        if rows:
            self._drop_takeback()
            self._tell_news(match.events[len(before.events) :])
            if match.over:
                self.tell_people()  # the standings of a campaign have changed
        else:
            self._tell_decided(seat)
        self._wake_bots()

    def _tell_decided(self, seat: int) -> None:
        """Others learn that a seat has decided; only its own screens learn what."""
        assert self.playing
        decided = Decided(tuple(sorted(self.playing.match.staged)))
        for guest in self._guests:
            guest.tell(decided)
            if seat in self._spoken_for(guest.person):
                guest.tell(self._mine(seat))

    def _changes(self, seat: int, action: Any) -> tuple[Change, ...]:
        """How the score sheet of a seat would change if it alone did this now."""
        assert self.playing
        if seat == CHANCE or self._why_not(seat, action):
            return ()
        state = self.playing.match.state
        after = self.game.apply(state, seat, self._decoded(action)).state
        return tuple(changes(self.game.scores(state).sheets[seat], self.game.scores(after).sheets[seat]))

    # Takeback

    async def _ask_takeback(self, guest: Guest, seat: int) -> None:
        """Past a reveal with the consent of all other people at the table, free when all others are bots.

        Within one's own turn, while nothing was revealed, it is nobody else's business and no practice.
        """
        assert self.playing
        moves = before_last_decision(self.playing.match, seat)
        if moves is None:
            guest.tell(Refused(seat, Reason("nothing-to-take-back")))
            return
        others = {row.person for row in self.seats if row.person and not row.bot and row.person != guest.person}
        hidden = decided_last(self.playing.match, seat)
        self._takeback = Takeback(seat, moves, set() if hidden else others, past_reveal=not hidden)
        await self._settle_takeback()

    async def _consent(self, guest: Guest, yes: bool) -> None:
        if not self._takeback or guest.person not in self._takeback.waiting:
            return
        if yes:
            self._takeback.waiting.discard(guest.person)
            await self._settle_takeback()
        else:
            self._drop_takeback()

    async def _settle_takeback(self) -> None:
        assert self.playing
        assert self._takeback
        if self._takeback.waiting:
            self._tell_all(self._takeback_asked(self._takeback))
            return
        playing, moves = self.playing, self._takeback.moves
        practice = playing.row.practice or self._takeback.past_reveal
        match = playing.match.rewound(moves)
        changed = [TurnRow(seat, playing.turns.get(seat, 0), None) for seat in playing.match.staged]
        rows = [LogRow(None, None, moves)]
        await self._store.append(self.id, playing.row.number, Happened(playing.number, rows, changed, practice))
        playing.match, playing.number = match, playing.number + 1
        playing.row = replace(playing.row, practice=practice)
        self._stop_thoughts()
        self._drop_takeback()
        self._tell_news((), takeback=True)
        self._wake_bots()

    def _drop_takeback(self) -> None:
        if self._takeback:
            seat, self._takeback = self._takeback.seat, None
            self._tell_all(TakebackAsked(seat, ()))

    def _takeback_asked(self, takeback: Takeback) -> TakebackAsked:
        return TakebackAsked(takeback.seat, tuple(row.seat for row in self.seats if row.person in takeback.waiting))

    def _tell_all(self, message: Any) -> None:
        for guest in self._guests:
            guest.tell(message)

    # Hints

    async def _ask_hint(self, guest: Guest, ask: int, seat: int) -> None:
        """One at a time for a seat. Once a hint is given the match is practice, and that is stored first."""
        assert self.playing
        if reason := self._why_no_hint(guest, seat):
            guest.tell(Refused(seat, reason))
            guest.tell(Hint(ask, None))
            return
        await self._make_practice()
        self._hints[seat] = asyncio.create_task(self._hint(guest, ask, seat, self.playing))

    def _why_no_hint(self, guest: Guest, seat: int) -> Reason | None:
        """Where other people play in earnest nobody is helped, even while a bot plays in for one of them."""
        assert self.playing
        others = any(row.person and row.person != guest.person for row in self.seats)
        if others and not self.playing.row.practice:
            return Reason("hint-among-people")
        if seat == CHANCE or seat not in self.playing.match.due:
            return Reason("not-due")
        return Reason("hint-on-its-way") if seat in self._hints else None

    async def _make_practice(self) -> None:
        assert self.playing
        playing = self.playing
        if not playing.row.practice:
            await self._store.append(self.id, playing.row.number, Happened(playing.number, (), (), practice=True))
            playing.row = replace(playing.row, practice=True)
            self.tell_people()

    async def _hint(self, guest: Guest, ask: int, seat: int, playing: Playing) -> None:
        """What the bot thinks of the moves: what others have decided and not opened is not among them."""
        moves = playing.match.moves
        try:
            found = await self._thinker.explain(playing.match, seat, playing.row.bot_seed)
        finally:
            self._hints.pop(seat, None)
        fresh = self.playing is playing and playing.match.moves == moves and seat in playing.match.due
        guest.tell(Hint(ask, found if fresh else None))

    # Seats

    async def change_seat(self, row: SeatRow) -> None:
        seats = [row if old.seat == row.seat else old for old in self.seats]
        if self.playing and not self.playing.match.over:
            playing = replace(self.playing.row, players=players_of(seats))
            await self._store.seat(self.id, row, playing)
            self.playing.row = playing
        else:
            await self._store.seat(self.id, row, None)
        self.seats = seats
        self._drop_takeback()
        self.tell_people()
        if self.playing:
            for guest in self._guests:
                self._tell_private(guest)
        self._wake_bots()

    # Bots

    def _wake_bots(self) -> None:
        """Every bot that is due and does not think yet begins to."""
        if not self.playing:
            return
        for seat in self.playing.match.due:
            if seat != CHANCE and (bot := self.seats[seat].bot) and seat not in self._thoughts:
                self._thoughts[seat] = asyncio.create_task(self._think(seat, bot, self.playing.match))

    async def _think(self, seat: int, bot: str, match: Match) -> None:
        assert self.playing
        try:
            action = await self._thinker.choose(bot, match, seat, self.playing.row.bot_seed)
            async with self.lock:
                self._thoughts.pop(seat, None)
                current = self.playing
                if current and current.match.moves == match.moves and self.seats[seat].bot:
                    await self._moved(current.match.decide(seat, action), seat)
                else:
                    self._wake_bots()
        except Exception:
            self._thoughts.pop(seat, None)
            logger.exception("table %s: the bot %s in seat %s failed", self.id, bot, seat)

    def _stop_thoughts(self) -> None:
        for task in self._thoughts.values():
            task.cancel()
        self._thoughts.clear()


def resumed(rules: AnyGame, row: MatchRow, log: Iterable[LogRow], turns: Iterable[TurnRow]) -> Playing:
    """The match as the log tells it: the line that remains, and the decisions that are not open."""
    moves, number = line_of(rules, log)
    match = Match.replay(rules, msgspec.json.decode(row.setup, type=rules.Setup), moves)
    counted = {turn.seat: turn.turn for turn in turns}
    for turn in turns:
        if turn.staged is not None:
            match = match.decide(turn.seat, msgspec.json.decode(turn.staged, type=rules.Action))
    return Playing(row, match, Dealer(row.seed), number, counted)


def line_of(rules: AnyGame, log: Iterable[LogRow]) -> tuple[list[Move], int]:
    """The moves that remain after all takebacks, and how many rows the log has."""
    moves: list[Move] = []
    number = 0
    for row in log:
        number += 1
        if row.back_to is not None:
            del moves[row.back_to :]
        else:
            assert row.seat is not None
            assert row.action is not None
            moves.append(Move(row.seat, msgspec.json.decode(row.action, type=rules.Action)))
    return moves, number


def players_of(seats: Iterable[SeatRow]) -> str:
    return msgspec.json.encode([row.name for row in seats]).decode()


def before_last_decision(match: Match, seat: int) -> int | None:
    """After how many moves this seat was last to decide; None if it never was."""
    own = [number for number, move in enumerate(match.moves) if move.seat == seat]
    if not own:
        return None
    moves = own[-1]
    while match.rewound(moves).staged:  # the others of its round decided at the same time
        moves -= 1
    return moves


def decided_last(match: Match, seat: int) -> bool:
    """Whether nothing has happened since this seat decided, alone."""
    last = len(match.moves) - 1
    return last >= 0 and match.moves[last].seat == seat and before_last_decision(match, seat) == last


def changes(before: Sheet, after: Sheet) -> Iterable[Change]:
    old, new = ({line.line: line for line in sheet} for sheet in (before, after))
    for line in dict.fromkeys([*old, *new]):
        if old.get(line) != new.get(line):
            yield Change(line, old.get(line), new.get(line))


def _log_row(move: Move) -> LogRow:
    return LogRow(move.seat, _json(move.action), None)


def _json(value: Any) -> str | None:
    return None if value is None else msgspec.json.encode(value).decode()
