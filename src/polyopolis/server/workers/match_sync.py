"""A match told to another process piece by piece: only what is new travels, and only that is played there.

Nothing secret does: a brief holds the setup and the moves, never the dealer's seed nor decisions that are not open.
"""

from collections import OrderedDict

import msgspec
from msgspec import Struct

from polyopolis.engine import Match, Move
from polyopolis.games import game

MOST = 256
"""Matches that a listener remembers; a teller remembers fewer, so that it rarely counts on what was forgotten."""


class UnknownBase(Exception):
    """The listener does not know what a brief goes on from."""


class MatchDelta(Struct, frozen=True):
    place: str
    """Which match."""
    game: str
    setup: bytes
    known: int
    """So many moves were told before; none: from the start."""
    moves: bytes


class MatchSyncSender:
    """Remembers what one listener was told."""

    def __init__(self) -> None:
        self._told: OrderedDict[str, tuple[Move, ...]] = OrderedDict()

    def brief(self, place: str, match: Match) -> MatchDelta:
        """What is new; everything if something was taken back or long ago."""
        before = self._told.pop(place, ())
        known = len(before) if match.moves[: len(before)] == before else 0
        self._told[place] = match.moves
        if len(self._told) > MOST // 2:
            self._told.popitem(last=False)
        setup, moves = msgspec.json.encode(match.setup), msgspec.json.encode(match.moves[known:])
        return MatchDelta(place, match.game.key, setup, known, moves)

    def knows(self, place: str) -> bool:
        return place in self._told

    def forget(self, place: str) -> None:
        self._told.pop(place, None)


class MatchSyncReceiver:
    def __init__(self) -> None:
        self._matches: OrderedDict[str, Match] = OrderedDict()

    def match(self, brief: MatchDelta) -> Match:
        """The match as it is now."""
        rules = game(brief.game)
        if brief.known:
            match = self._matches.pop(brief.place, None)
            if match is None or len(match.moves) != brief.known:
                raise UnknownBase
        else:
            match = Match.start(rules, msgspec.json.decode(brief.setup, type=rules.Setup))
        for move in msgspec.json.decode(brief.moves, type=list[Move]):
            match = match.decide(move.seat, msgspec.convert(move.action, rules.Action))
        self._matches[brief.place] = match
        if len(self._matches) > MOST:
            self._matches.popitem(last=False)
        return match
