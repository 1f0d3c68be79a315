"""Sends matches to worker processes incrementally: only new moves are sent and replayed.

A delta contains the setup and moves, never the dealer's seed or staged decisions.
"""

from collections import OrderedDict

import msgspec
from msgspec import Struct

from polyopolis.engine import Match, Move
from polyopolis.games import game

MAX_MATCHES = 256
"""Matches in the cache of a receiver. A sender remembers half as many, so that it rarely refers to an evicted match."""


class UnknownBase(Exception):
    """The receiver does not have the match that a delta extends."""


class MatchDelta(Struct, frozen=True):
    """The new moves of a match, or the whole match."""

    place: str
    """Identifies the match."""
    game: str
    setup: bytes
    known: int
    """The number of moves that the receiver has already; 0 if the delta contains the whole match."""
    moves: bytes


class MatchSyncSender:
    """Creates the deltas for one receiver."""

    def __init__(self) -> None:
        self._sent: OrderedDict[str, tuple[Move, ...]] = OrderedDict()

    def brief(self, place: str, match: Match) -> MatchDelta:
        """Returns the new moves; the whole match after a takeback or if the receiver may have evicted it."""
        before = self._sent.pop(place, ())
        known = len(before) if match.moves[: len(before)] == before else 0
        self._sent[place] = match.moves
        if len(self._sent) > MAX_MATCHES // 2:
            self._sent.popitem(last=False)
        setup, moves = msgspec.json.encode(match.setup), msgspec.json.encode(match.moves[known:])
        return MatchDelta(place, match.game.key, setup, known, moves)

    def knows(self, place: str) -> bool:
        return place in self._sent

    def forget(self, place: str) -> None:
        self._sent.pop(place, None)


class MatchSyncReceiver:
    """Applies deltas to cached matches."""

    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()

    def match(self, delta: MatchDelta) -> Match:
        """Returns the current match. Raises `UnknownBase` if the match that the delta extends is not cached."""
        rules = game(delta.game)
        if delta.known:
            match = self._matches.pop(delta.place, None)
            if match is None or len(match.moves) != delta.known:
                raise UnknownBase
        else:
            match = Match.start(rules, msgspec.json.decode(delta.setup, type=rules.Setup))
        for move in msgspec.json.decode(delta.moves, type=list[Move]):
            match = match.decide(move.seat, msgspec.convert(move.action, rules.Action))
        self._matches[delta.place] = match
        if len(self._matches) > MAX_MATCHES:
            self._matches.popitem(last=False)
        return match
