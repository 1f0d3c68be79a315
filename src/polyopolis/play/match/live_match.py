"""The current match with its log, turns and clocks; computes the updates to persist."""

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
"""Start and end times of thinking about one decision that are stored one by one."""


class RoundBoundary(Struct, frozen=True, gc=False):
    """The moves and events up to a moment between two rounds."""

    moves: int
    events: int


@dataclass
class LiveMatch:
    row: MatchEntity
    match: Match
    number: int
    """Number of log rows."""
    turns: dict[int, int]
    """Number of accepted messages, by seat."""
    stops: list[RoundBoundary]
    """From the start to now."""
    dealer: Dealer | None
    """None where players enter the chance events."""
    log: list[LogEntry] = field(default_factory=list)
    """All rows without their actions. Clocks are calculated from their times."""
    thought: dict[int, Instants] = field(default_factory=dict)
    """When the seats that have acted in this round started and stopped thinking."""
    prepared: dict[int, str] = field(default_factory=dict)
    """The premoves of each seat, as JSON."""

    @classmethod
    def start(cls, row: MatchEntity, game: AnyGame, moves: Iterable[Move] = ()) -> "LiveMatch":
        """A match at its start, or after these moves."""
        match = Match.start(game, msgspec.json.decode(row.setup, type=game.Setup))
        live = cls(row, match, 0, {}, [RoundBoundary(0, 0)], Dealer(row.seed) if row.seed else None)
        for move in moves:
            live._advance(live.match.decide(move.seat, move.action))
        live.number = len(live.match.moves)
        return live

    @classmethod
    def from_stored(cls, kept: StoredMatch, game: AnyGame) -> "LiveMatch":
        """Replays a stored match without the moves that were taken back, and stages the decisions that are not open."""
        live = cls.start(kept.row, game, moves_after_takebacks(game, kept.log))
        live.number = len(kept.log)
        live.log = [_without_action(row) for row in kept.log]
        live._count(kept.turns)
        live._stage(kept.turns)
        return live

    def follow(self, row: MatchEntity, log: Sequence[LogEntry], turns: Sequence[SeatTurn]) -> None:
        """Applies what another node has persisted. Leaves the match unchanged if that fails."""
        later = copy(self)
        later.stops, later.turns, later.thought, later.prepared = [*self.stops], {}, {}, {}
        later.log = [*self.log, *map(_without_action, log)]
        later._count(turns)
        later.rename(row)
        for seat in self.match.staged:
            later.match = later.match.retract(seat)
        for entry in log:
            if entry.back_to is not None:
                later._go_back(later.match.rewound(entry.back_to))
            else:
                for move in moves_after_takebacks(self.game, [entry]):
                    later._advance(later.match.decide(move.seat, move.action))
        later.number += len(log)
        later._stage(turns)
        vars(self).update(vars(later))

    def _count(self, turns: Iterable[SeatTurn]) -> None:
        for turn in turns:
            self.turns[turn.seat] = turn.turn
            _set_or_remove(self.thought, turn.seat, turn.thought and msgspec.json.decode(turn.thought, type=Instants))
            _set_or_remove(self.prepared, turn.seat, turn.prepared)

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
        """The match with the chance events that are due, unless players enter them."""
        return match.deal(self.dealer) if self.dealer else match

    def begin(self, match: Match, now: int) -> None:
        """Applies the first chance events, before the match is persisted."""
        self._advance(match)
        self.row = with_derived_columns(self.row, match)
        self.number = len(match.moves)
        self.log = [LogEntry(move.seat, None, None, now) for move in match.moves]

    def rename(self, row: MatchEntity) -> None:
        """Applies other names of players or cities."""
        setup, before = msgspec.json.decode(row.setup, type=self.game.Setup), self.match
        if setup != before.setup:
            self.match = Match.start(self.game, setup)
            for seat, action in [*((move.seat, move.action) for move in before.moves), *before.staged.items()]:
                self.match = self.match.decide(seat, action)
        self.row = row

    # Events and earlier decisions

    def events_after(self, moves: int) -> tuple[Any, ...]:
        """The events after a number of moves, or after the end of the round in which that number falls."""
        at = bisect_left(self.stops, moves, key=lambda stop: stop.moves)
        return self.match.events[self.stops[at].events :] if at < len(self.stops) else ()

    def events_since(self, since: int | None) -> tuple[Any, ...]:
        """The events after log row `since`. None if it is unknown which were seen, or if a move was taken back."""
        if since is None or since < 0 or self.number != len(self.match.moves):
            return ()
        return self.events_after(since)

    def before_last_decision(self, seat: int) -> int | None:
        """The number of moves before the last decision of a seat; None if it has not decided yet."""
        moves = self.match.moves
        for after, before in pairwise(reversed(self.stops)):
            if any(move.seat == seat for move in moves[before.moves : after.moves]):
                return before.moves
        return None

    def decided_last(self, seat: int) -> bool:
        """Whether the last move is a decision that this seat made alone."""
        before = len(self.match.moves) - 1
        return before >= 0 and self.match.moves[before].seat == seat and self.before_last_decision(seat) == before

    # Updates

    def decision_update(
        self, match: Match, seat: int, now: int, by: str | None = None, beside: Iterable[int] = ()
    ) -> MatchUpdate:
        """The update for a decision of a seat, which the bot `by` may have made instead of the one in the seat.

        `beside` are the other seats of the same player, who thinks for one seat after the other.
        """
        before, thought = self.match, self._thinking_after(match, seat, now)
        rows = [
            replace(log_entry(move, now), thought=_encode(thought.get(move.seat)))
            for move in match.moves[len(before.moves) :]
        ]
        if rows:
            touched, thought = {seat, *before.staged, *self.thought}, {}
        else:
            waiting = [other for other in beside if other in match.due and self.has_clocks]
            touched, thought = {seat, *waiting}, thought | dict.fromkeys(waiting, (now,))
        turns = [
            SeatTurn(
                other,
                self._turn(other, seat),
                _staged(match, other),
                by if other == seat else None,
                _encode(thought.get(other)),
                self.prepared.get(other),
            )
            for other in sorted(touched)
        ]
        row = with_derived_columns(self.row, match)
        return MatchUpdate(self.number, rows, turns, without_rating(row, "substitute") if by else row)

    def premove_update(self, seat: int, prepared: str | None) -> MatchUpdate:
        """The update that replaces the premoves of a seat."""
        staged, thought = _staged(self.match, seat), _encode(self.thought.get(seat))
        turn = SeatTurn(seat, self.turns.get(seat, 0), staged, None, thought, prepared)
        return MatchUpdate(self.number, (), [turn], self.row)

    def _thinking_after(self, match: Match, seat: int, now: int) -> dict[int, Instants]:
        """The thinking times after a seat has decided, or has retracted its decision."""
        if not self.has_clocks:
            return {}
        instants = self.thought.get(seat) or (self.round_began,)
        thinks = len(instants) % 2 == 1
        again = seat not in match.staged and len(match.moves) == len(self.match.moves)
        if thinks != again:
            # merges the times of a player who retracts again and again
            instants = instants[:-1] if again and len(instants) > MAX_THINKING_INSTANTS else (*instants, now)
        return {**self.thought, seat: instants}

    def thinking(self, match: Match, happened: MatchUpdate | None = None) -> dict[int, Instants]:
        """The thinking times of the seats that are due or have decided in this round, now or after an update."""
        if match.over or self.row.ended:
            return {}
        began, thought = self.round_began, dict(self.thought)
        for turn in happened.turns if happened else ():
            _set_or_remove(thought, turn.seat, turn.thought and msgspec.json.decode(turn.thought, type=Instants))
        if happened and happened.rows:
            began = happened.rows[-1].time or 0
        return {seat: thought.get(seat, (began,)) for seat in match.due - {CHANCE}} | thought

    @property
    def has_clocks(self) -> bool:
        return self.row.timing is not None

    @property
    def round_began(self) -> int:
        """The time of the last log row, at which the seats that are due started to think."""
        return (self.log[-1].time if self.log else None) or 0

    def current_clocks(self, outages: Sequence[Outage]) -> ClockCalculation | None:
        return self.calculate_clocks(self.row, self.match, None, outages)

    def calculate_clocks(
        self, row: MatchEntity, match: Match, happened: MatchUpdate | None, outages: Sequence[Outage]
    ) -> ClockCalculation | None:
        """The clocks after an update; None for a match without clocks."""
        timing = clocks.read_timing(row.timing)
        if timing is None or row.ended:
            return None
        rows = happened.rows if happened else ()
        thinking = self.thinking(match, happened)
        return clocks.calculate_clocks(timing, [*self.log, *rows], thinking, match.setup.seats, outages)

    def takeback_update(self, match: Match, now: int, *, practice: bool) -> MatchUpdate:
        """The update for a takeback, which may turn the match into practice."""
        turns = [
            SeatTurn(seat, self.turns.get(seat, 0), None, prepared=self.prepared.get(seat))
            for seat in sorted({*self.match.staged, *self.thought})
        ]
        row = mark_imported_moves(replace(with_derived_columns(self.row, match), asked=None), len(match.moves))
        row = without_rating(row, "takeback")
        if practice and not row.practice:
            row = replace(row, practice=True, practice_for="takeback")
        thought = as_json(self.thinking(self.match)) if self.has_clocks else None
        return MatchUpdate(self.number, [LogEntry(None, None, len(match.moves), now, thought)], turns, row)

    def apply(self, match: Match, happened: MatchUpdate) -> None:
        """Applies an update that has been persisted."""
        if len(match.moves) < len(self.match.moves):
            self._go_back(match)
        else:
            self._advance(match)
        self.row = happened.match
        self.number = happened.number + len(happened.rows)
        self.log += map(_without_action, happened.rows)
        self._count(happened.turns)

    def _go_back(self, match: Match) -> None:
        del self.stops[bisect_left(self.stops, len(match.moves), key=lambda stop: stop.moves) + 1 :]
        self.match = match

    def _advance(self, match: Match) -> None:
        """Applies moves. If they close a round, this is a stop."""
        self.match = match
        if len(match.moves) > self.stops[-1].moves:
            self.stops.append(RoundBoundary(len(match.moves), len(match.events)))

    def _turn(self, seat: int, decided: int) -> int:
        return self.turns.get(seat, 0) + (seat == decided)


def with_derived_columns(row: MatchEntity, match: Match) -> MatchEntity:
    """The match with the columns that follow from its moves."""
    return replace(
        row,
        over=match.over or row.ended,
        due=as_json(sorted(match.due - {CHANCE}) if not row.ended else []),
        result=as_json(match.result) if match.over else None,
    )


def with_deadlines(
    live: LiveMatch, row: MatchEntity, match: Match, happened: MatchUpdate | None, outages: Sequence[Outage]
) -> MatchEntity:
    """The match with the deadlines after an update."""
    calculation = live.calculate_clocks(row, match, happened, outages)
    return replace(row, deadlines=as_json(calculation.deadlines) if calculation and calculation.deadlines else None)


def mark_imported_moves(row: MatchEntity, moves: int) -> MatchEntity:
    """An imported match that goes on after a number of moves: later moves are not imported."""
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


def _without_action(row: LogEntry) -> LogEntry:
    return row if row.action is None else replace(row, action=None)


def _encode(instants: Instants | None) -> str | None:
    return as_json(instants) if instants else None


def _set_or_remove(values: dict[int, Any], seat: int, value: Any) -> None:
    if value is None:
        values.pop(seat, None)
    else:
        values[seat] = value


def _staged(match: Match, seat: int) -> str | None:
    return as_json(match.staged[seat]) if seat in match.staged else None
