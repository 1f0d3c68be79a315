"""The match that is being played, with what the keeper knows of it: a change is kept first, and taken then."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Move
from polyopolis.play.entities import (
    LogEntry,
    MatchEntity,
    MatchUpdate,
    Outage,
    SeatTurn,
    StoredMatch,
    as_json,
    log_entry,
)
from polyopolis.play.seats.rated_play import without_rating
from polyopolis.play.timing import clocks
from polyopolis.play.timing.clocks import ClockCalculation, Instants

MAX_THINKING_INSTANTS = 60
"""Times that a seat may begin to think about one decision, and be done, that are written down one by one."""


class RoundBoundary(Struct, frozen=True, gc=False):
    """A moment between two rounds: so many moves and so many events."""

    moves: int
    events: int


@dataclass
class LiveMatch:
    row: MatchEntity
    match: Match
    number: int
    """Of log rows."""
    turns: dict[int, int]
    """How many messages of each seat were accepted."""
    stops: list[RoundBoundary]
    """From the start to now."""
    dealer: Dealer | None
    """None where people type in the luck."""
    log: list[LogEntry] = field(default_factory=list)
    """All rows, without what was decided: clocks go by their times."""
    thought: dict[int, Instants] = field(default_factory=dict)
    """When seats that have said something in this round began to think, were done, and began again."""
    prepared: dict[int, str] = field(default_factory=dict)
    """What seats have decided for what may come."""

    @classmethod
    def start(cls, row: MatchEntity, game: AnyGame, moves: Iterable[Move] = ()) -> "LiveMatch":
        """At its start, or after these moves."""
        match = Match.start(game, msgspec.json.decode(row.setup, type=game.Setup))
        live = cls(row, match, 0, {}, [RoundBoundary(0, 0)], Dealer(row.seed) if row.seed else None)
        for move in moves:
            live._take(live.match.decide(move.seat, move.action))
        live.number = len(live.match.moves)
        return live

    @classmethod
    def from_stored(cls, kept: StoredMatch, game: AnyGame) -> "LiveMatch":
        """As the log tells it: the line that remains, and the decisions that are not open."""
        live = cls.start(kept.row, game, moves_after_takebacks(game, kept.log))
        live.number = len(kept.log)
        live.log = [_timed(row) for row in kept.log]
        live._count(kept.turns)
        live._stage(kept.turns)
        return live

    def follow(self, row: MatchEntity, log: Sequence[LogEntry], turns: Sequence[SeatTurn]) -> None:
        """What was kept of it elsewhere since, as a whole or not at all."""
        later = copy(self)
        later.stops, later.turns, later.thought, later.prepared = [*self.stops], {}, {}, {}
        later.log = [*self.log, *map(_timed, log)]
        later._count(turns)
        later.rename(row)
        for seat in self.match.staged:
            later.match = later.match.retract(seat)
        for entry in log:
            if entry.back_to is not None:
                later._go_back(later.match.rewound(entry.back_to))
            else:
                for move in moves_after_takebacks(self.game, [entry]):
                    later._take(later.match.decide(move.seat, move.action))
        later.number += len(log)
        later._stage(turns)
        vars(self).update(vars(later))

    def _count(self, turns: Iterable[SeatTurn]) -> None:
        """What is kept of seats that have said something."""
        for turn in turns:
            self.turns[turn.seat] = turn.turn
            _put(self.thought, turn.seat, turn.thought and msgspec.json.decode(turn.thought, type=Instants))
            _put(self.prepared, turn.seat, turn.prepared)

    def _stage(self, turns: Iterable[SeatTurn]) -> None:
        for turn in turns:
            if turn.staged is not None:
                self.match = self.match.decide(turn.seat, msgspec.json.decode(turn.staged, type=self.game.Action))

    @property
    def game(self) -> AnyGame:
        return self.match.game

    def decode_action(self, action: Any) -> Any:
        """The action of decoded JSON. Raises `msgspec.ValidationError` if it is not an action of this game."""
        return msgspec.convert(action, self.game.Action)

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that have not decided yet, without chance."""
        return tuple(sorted(self.match.due - {CHANCE}))

    def deal(self, match: Match) -> Match:
        """With the luck that is due, unless people type it in."""
        return match.deal(self.dealer) if self.dealer else match

    def begin(self, match: Match, now: int) -> None:
        """With its first luck, before anything of it is kept."""
        self._take(match)
        self.row = with_derived_columns(self.row, match)
        self.number = len(match.moves)
        self.log = [LogEntry(move.seat, None, None, now) for move in match.moves]

    def rename(self, row: MatchEntity) -> None:
        """The same match, whose players or cities are called otherwise."""
        setup, before = msgspec.json.decode(row.setup, type=self.game.Setup), self.match
        if setup != before.setup:
            self.match = Match.start(self.game, setup)
            for seat, action in [*((move.seat, move.action) for move in before.moves), *before.staged.items()]:
                self.match = self.match.decide(seat, action)
        self.row = row

    # What has happened since, what came before

    def events_after(self, moves: int) -> tuple[Any, ...]:
        """The events after so many moves, or after the end of the round that these break off in."""
        at = bisect_left(self.stops, moves, key=lambda stop: stop.moves)
        return self.match.events[self.stops[at].events :] if at < len(self.stops) else ()

    def events_since(self, since: int | None) -> tuple[Any, ...]:
        """The events after log row `since`; none if it is not known what was seen, or if something was taken back."""
        if since is None or since < 0 or self.number != len(self.match.moves):
            return ()
        return self.events_after(since)

    def before_last_decision(self, seat: int) -> int | None:
        """After how many moves this seat was last to decide; None if it never was."""
        moves = self.match.moves
        for after, before in pairwise(reversed(self.stops)):
            if any(move.seat == seat for move in moves[before.moves : after.moves]):
                return before.moves
        return None

    def decided_last(self, seat: int) -> bool:
        """Whether nothing has happened since this seat decided, alone."""
        before = len(self.match.moves) - 1
        return before >= 0 and self.match.moves[before].seat == seat and self.before_last_decision(seat) == before

    # What is to be kept, and what is so once it is

    def decision_update(
        self, match: Match, seat: int, now: int, by: str | None = None, beside: Iterable[int] = ()
    ) -> MatchUpdate:
        """What a decision of a seat led to, which another bot may have made than sits there.

        `beside` are the other seats of the same person: whoever plays for several thinks for one after the other.
        """
        before, thought = self.match, self._thought(match, seat, now)
        rows = [
            replace(log_entry(move, now), thought=_written(thought.get(move.seat)))
            for move in match.moves[len(before.moves) :]
        ]
        if rows:
            touched, thought = {seat, *before.staged, *self.thought}, {}
        else:
            waiting = [other for other in beside if other in match.due and self.timed]
            touched, thought = {seat, *waiting}, thought | dict.fromkeys(waiting, (now,))
        turns = [
            SeatTurn(
                other,
                self._turn(other, seat),
                _staged(match, other),
                by if other == seat else None,
                _written(thought.get(other)),
                self.prepared.get(other),
            )
            for other in sorted(touched)
        ]
        row = with_derived_columns(self.row, match)
        return MatchUpdate(self.number, rows, turns, without_rating(row, "substitute") if by else row)

    def premove_update(self, seat: int, prepared: str | None) -> MatchUpdate:
        """A seat has decided something else for what may come."""
        staged, thought = _staged(self.match, seat), _written(self.thought.get(seat))
        turn = SeatTurn(seat, self.turns.get(seat, 0), staged, None, thought, prepared)
        return MatchUpdate(self.number, (), [turn], self.row)

    def _thought(self, match: Match, seat: int, now: int) -> dict[int, Instants]:
        """How long all have thought once this seat has decided, or thinks again."""
        if not self.timed:
            return {}
        instants = self.thought.get(seat) or (self.round_began,)
        thinks = len(instants) % 2 == 1
        again = seat not in match.staged and len(match.moves) == len(self.match.moves)
        if thinks != again:
            # who thinks again and again is taken to have thought all the while
            instants = instants[:-1] if again and len(instants) > MAX_THINKING_INSTANTS else (*instants, now)
        return {**self.thought, seat: instants}

    def thinking(self, match: Match, happened: MatchUpdate | None = None) -> dict[int, Instants]:
        """How long those who are due or have decided in this round think, now or once this has happened."""
        if match.over or self.row.ended:
            return {}
        began, thought = self.round_began, dict(self.thought)
        for turn in happened.turns if happened else ():
            _put(thought, turn.seat, turn.thought and msgspec.json.decode(turn.thought, type=Instants))
        if happened and happened.rows:
            began = happened.rows[-1].time or 0
        return {seat: thought.get(seat, (began,)) for seat in match.due - {CHANCE}} | thought

    @property
    def timed(self) -> bool:
        return self.row.timing is not None

    @property
    def round_began(self) -> int:
        """When those who are due came to be."""
        return (self.log[-1].time if self.log else None) or 0

    def current_clocks(self, outages: Sequence[Outage]) -> ClockCalculation | None:
        """The clocks as they are."""
        return self.calculate_clocks(self.row, self.match, None, outages)

    def calculate_clocks(
        self, row: MatchEntity, match: Match, happened: MatchUpdate | None, outages: Sequence[Outage]
    ) -> ClockCalculation | None:
        """The clocks once this has happened; None if there are none."""
        timing = clocks.read_timing(row.timing)
        if timing is None or row.ended:
            return None
        rows = happened.rows if happened else ()
        thinking = self.thinking(match, happened)
        return clocks.calculate_clocks(timing, [*self.log, *rows], thinking, match.setup.seats, outages)

    def takeback_update(self, match: Match, now: int, *, practice: bool) -> MatchUpdate:
        """What a takeback led to: from then on the match may be practice."""
        turns = [
            SeatTurn(seat, self.turns.get(seat, 0), None, prepared=self.prepared.get(seat))
            for seat in sorted({*self.match.staged, *self.thought})
        ]
        row = mark_imported_moves(replace(with_derived_columns(self.row, match), asked=None), len(match.moves))
        row = without_rating(row, "takeback")
        if practice and not row.practice:
            row = replace(row, practice=True, practice_for="takeback")
        thought = as_json(self.thinking(self.match)) if self.timed else None
        return MatchUpdate(self.number, [LogEntry(None, None, len(match.moves), now, thought)], turns, row)

    def apply(self, match: Match, happened: MatchUpdate) -> None:
        """The change is kept: so it is."""
        if len(match.moves) < len(self.match.moves):
            self._go_back(match)
        else:
            self._take(match)
        self.row = happened.match
        self.number = happened.number + len(happened.rows)
        self.log += map(_timed, happened.rows)
        self._count(happened.turns)

    def _go_back(self, match: Match) -> None:
        del self.stops[bisect_left(self.stops, len(match.moves), key=lambda stop: stop.moves) + 1 :]
        self.match = match

    def _take(self, match: Match) -> None:
        """The match has gone on; if a round closed, this is a stop."""
        self.match = match
        if len(match.moves) > self.stops[-1].moves:
            self.stops.append(RoundBoundary(len(match.moves), len(match.events)))

    def _turn(self, seat: int, decided: int) -> int:
        return self.turns.get(seat, 0) + (seat == decided)


def with_derived_columns(row: MatchEntity, match: Match) -> MatchEntity:
    """The row of a match with what follows from its moves."""
    return replace(
        row,
        over=match.over or row.ended,
        due=as_json(sorted(match.due - {CHANCE}) if not row.ended else []),
        result=as_json(match.result) if match.over else None,
    )


def with_deadlines(
    live: LiveMatch, row: MatchEntity, match: Match, happened: MatchUpdate | None, outages: Sequence[Outage]
) -> MatchEntity:
    """The row of a match with what its clocks come to once this has happened."""
    calculation = live.calculate_clocks(row, match, happened, outages)
    return replace(row, deadlines=as_json(calculation.deadlines) if calculation and calculation.deadlines else None)


def mark_imported_moves(row: MatchEntity, moves: int) -> MatchEntity:
    """The row of a match that goes on after so many moves: all that comes then is played here."""
    return row if row.imported is None else replace(row, imported=min(row.imported, moves))


def moves_after_takebacks(game: AnyGame, log: Iterable[LogEntry]) -> list[Move]:
    """The moves that remain after all takebacks."""
    moves: list[Move] = []
    for row in log:
        if row.back_to is not None:
            del moves[row.back_to :]
        elif row.seat is not None and row.action is not None:
            moves.append(Move(row.seat, msgspec.json.decode(row.action, type=game.Action)))
    return moves


def _timed(row: LogEntry) -> LogEntry:
    return row if row.action is None else replace(row, action=None)


def _written(instants: Instants | None) -> str | None:
    return as_json(instants) if instants else None


def _put(there: dict[int, Any], seat: int, value: Any) -> None:
    if value is None:
        there.pop(seat, None)
    else:
        there[seat] = value


def _staged(match: Match, seat: int) -> str | None:
    return as_json(match.staged[seat]) if seat in match.staged else None
