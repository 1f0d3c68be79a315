"""The match that is being played, with what the keeper knows of it: a change is kept first, and taken then."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, Move
from polyopolis.play.rows import Happened, Kept, LogRow, MatchRow, TurnRow, as_json, log_row


class Stop(Struct, frozen=True, gc=False):
    """A moment between two rounds: so many moves and so many events."""

    moves: int
    events: int


@dataclass
class Live:
    row: MatchRow
    match: Match
    number: int
    """Of log rows."""
    turns: dict[int, int]
    """How many messages of each seat were accepted."""
    stops: list[Stop]
    """From the start to now."""
    dealer: Dealer | None
    """None where people type in the luck."""

    @classmethod
    def begun(cls, row: MatchRow, game: AnyGame, moves: Iterable[Move] = ()) -> "Live":
        """At its start, or after these moves."""
        match = Match.start(game, msgspec.json.decode(row.setup, type=game.Setup))
        live = cls(row, match, 0, {}, [Stop(0, 0)], Dealer(row.seed) if row.seed else None)
        for move in moves:
            live._take(live.match.decide(move.seat, move.action))
        live.number = len(live.match.moves)
        return live

    @classmethod
    def resumed(cls, kept: Kept, game: AnyGame) -> "Live":
        """As the log tells it: the line that remains, and the decisions that are not open."""
        live = cls.begun(kept.row, game, line_of(game, kept.log))
        live.number = len(kept.log)
        live.turns = {turn.seat: turn.turn for turn in kept.turns}
        live._stage(kept.turns)
        return live

    def follow(self, row: MatchRow, log: Sequence[LogRow], turns: Sequence[TurnRow]) -> None:
        """What was kept of it elsewhere since, as a whole or not at all."""
        later = copy(self)
        later.stops, later.turns = [*self.stops], {turn.seat: turn.turn for turn in turns}
        later.rename(row)
        for seat in self.match.staged:
            later.match = later.match.retract(seat)
        for entry in log:
            if entry.back_to is not None:
                later._go_back(later.match.rewound(entry.back_to))
            else:
                for move in line_of(self.game, [entry]):
                    later._take(later.match.decide(move.seat, move.action))
        later.number += len(log)
        later._stage(turns)
        vars(self).update(vars(later))

    def _stage(self, turns: Iterable[TurnRow]) -> None:
        for turn in turns:
            if turn.staged is not None:
                self.match = self.match.decide(turn.seat, msgspec.json.decode(turn.staged, type=self.game.Action))

    @property
    def game(self) -> AnyGame:
        return self.match.game

    @property
    def due(self) -> tuple[int, ...]:
        """The seats that have not decided yet, without chance."""
        return tuple(sorted(self.match.due - {CHANCE}))

    def deal(self, match: Match) -> Match:
        """With the luck that is due, unless people type it in."""
        return match.deal(self.dealer) if self.dealer else match

    def begin(self, match: Match) -> None:
        """With its first luck, before anything of it is kept."""
        self._take(match)
        self.row = stamped(self.row, match)
        self.number = len(match.moves)

    def rename(self, row: MatchRow) -> None:
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

    def missed(self, since: int | None) -> tuple[Any, ...]:
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

    def moved(self, match: Match, seat: int, now: int, by: str | None = None) -> Happened:
        """What a decision of a seat led to, which another bot may have made than sits there."""
        before = self.match
        rows = [log_row(move, now) for move in match.moves[len(before.moves) :]]
        touched = sorted({seat, *before.staged}) if rows else [seat]
        turns = [
            TurnRow(other, self._turn(other, seat), _staged(match, other), by if other == seat else None)
            for other in touched
        ]
        row = replace(self.row, takeback=None) if rows else self.row
        return Happened(self.number, rows, turns, stamped(row, match))

    def rewound(self, match: Match, now: int, *, practice: bool) -> Happened:
        """What a takeback led to: from then on the match may be practice."""
        turns = [TurnRow(seat, self.turns.get(seat, 0), None) for seat in self.match.staged]
        row = replace(stamped(self.row, match), takeback=None)
        if practice and not row.practice:
            row = replace(row, practice=True, practice_for="takeback")
        return Happened(self.number, [LogRow(None, None, len(match.moves), now)], turns, row)

    def take(self, match: Match, happened: Happened) -> None:
        """The change is kept: so it is."""
        if len(match.moves) < len(self.match.moves):
            self._go_back(match)
        else:
            self._take(match)
        self.row = happened.match
        self.number = happened.number + len(happened.rows)
        self.turns |= {turn.seat: turn.turn for turn in happened.turns}

    def _go_back(self, match: Match) -> None:
        del self.stops[bisect_left(self.stops, len(match.moves), key=lambda stop: stop.moves) + 1 :]
        self.match = match

    def _take(self, match: Match) -> None:
        """The match has gone on; if a round closed, this is a stop."""
        self.match = match
        if len(match.moves) > self.stops[-1].moves:
            self.stops.append(Stop(len(match.moves), len(match.events)))

    def _turn(self, seat: int, decided: int) -> int:
        return self.turns.get(seat, 0) + (seat == decided)


def stamped(row: MatchRow, match: Match) -> MatchRow:
    """The row of a match with what follows from its moves."""
    return replace(
        row,
        over=match.over,
        due=as_json(sorted(match.due - {CHANCE})),
        result=as_json(match.result) if match.over else None,
    )


def line_of(game: AnyGame, log: Iterable[LogRow]) -> list[Move]:
    """The moves that remain after all takebacks."""
    moves: list[Move] = []
    for row in log:
        if row.back_to is not None:
            del moves[row.back_to :]
        elif row.seat is not None and row.action is not None:
            moves.append(Move(row.seat, msgspec.json.decode(row.action, type=game.Action)))
    return moves


def _staged(match: Match, seat: int) -> str | None:
    return as_json(match.staged[seat]) if seat in match.staged else None
