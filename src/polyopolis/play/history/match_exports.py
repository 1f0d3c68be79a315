"""Exports of stored matches: records, replays, frames, events, score courses, campaigns.

These functions take stored values and return bytes, so that they can run in a worker process.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, cast

import msgspec
from msgspec import Raw

from polyopolis.engine import CHANCE, AnyGame, Campaign, Match, Result
from polyopolis.games import game, spec_of
from polyopolis.games.rule_examples import Example
from polyopolis.play.entities import MatchEntity, StoredMatch
from polyopolis.play.errors import NotFound
from polyopolis.play.history.rule_trials import trial_of
from polyopolis.play.match.live_match import moves_after_takebacks
from polyopolis.play.match.projections import raw_result
from polyopolis.play.wire.responses import (
    CampaignInfo,
    MatchInfo,
    PastEvents,
    PlayedEpisode,
    Replay,
    ReplayFrame,
    ReplayFrameList,
    ScoreHistory,
)
from polyopolis.records import Record, campaign_record_of, record_of, record_text

FRAMES_PER_RESPONSE = 8
"""Frames of a replay in one response."""
CACHED_MATCHES = 16
"""Size of the cache of replayed matches: a client that reads a part of a replay soon reads the next."""


def match_of(key: str, kept: StoredMatch) -> Match:
    """A match after all takebacks, without staged decisions."""
    rules = game(key)
    return Match.replay(rules, _setup(rules, kept.row), moves_after_takebacks(rules, kept.log))


def replay(key: str, kept: StoredMatch, info: MatchInfo, names: Sequence[str]) -> bytes:
    stops = stops_of(key, kept)
    moves = tuple(len(match.moves) for match in stops)
    return msgspec.json.encode(Replay(info, players_of(kept.row, names), moves, _frames(stops[:FRAMES_PER_RESPONSE])))


def frames(key: str, kept: StoredMatch, first: int) -> bytes:
    """The frames from a stop on; empty after the last stop."""
    first = max(first, 0)
    before = max(first - 1, 0)
    found = _frames(stops_of(key, kept)[before : first + FRAMES_PER_RESPONSE])
    return msgspec.json.encode(ReplayFrameList(first, found[first - before :]))


@lru_cache(CACHED_MATCHES)
def stops_of(key: str, kept: StoredMatch) -> tuple[Match, ...]:
    """The match at its start, after each move of chance, and after each closed round."""
    rules = game(key)
    match = Match.start(rules, _setup(rules, kept.row))
    stops = [match]
    for move in moves_after_takebacks(rules, kept.log):
        match = match.decide(move.seat, move.action)
        if not match.staged:
            stops.append(match)
    return tuple(stops)


def _frames(stops: Iterable[Match]) -> tuple[ReplayFrame, ...]:
    """The frames of consecutive stops. The first one has no events."""
    found, begun = list[ReplayFrame](), None
    for match in stops:
        events = () if begun is None else match.events[begun:]
        found.append(ReplayFrame(len(match.moves), events, match.game.view(match.state, None), match.result))
        begun = len(match.events)
    return tuple(found)


def events_since(key: str, kept: StoredMatch, since: int) -> bytes:
    """The events after a number of moves, grouped as in `News`: the decisions of a round with the chance events after
    it."""
    rounds, begun, moves = list[tuple[Any, ...]](), 0, 0
    for match in stops_of(key, kept):
        events, moves = match.events[begun:], len(match.moves)
        begun = len(match.events)
        if moves > max(since, 0):
            if rounds and match.moves[-1].seat == CHANCE:
                rounds[-1] += events
            else:
                rounds.append(events)
    return msgspec.json.encode(PastEvents(moves, tuple(rounds)))


def course(key: str, kept: StoredMatch) -> bytes:
    stops = [(len(match.moves), match.result.scores) for match in stops_of(key, kept)]
    return msgspec.json.encode(ScoreHistory(tuple(moves for moves, _ in stops), tuple(scores for _, scores in stops)))


def exercise(key: str, kept: StoredMatch, move: int) -> bytes:
    """The position before a decision, without other decisions of its round, and all its choices."""
    stops = stops_of(key, kept)
    moves = stops[-1].moves
    if move not in range(len(moves)) or moves[move].seat == CHANCE:
        raise NotFound(f"move {move} is not a decision")
    before, seat = next(stop for stop in reversed(stops) if len(stop.moves) <= move), moves[move].seat
    choices = tuple(before.game.legal(before.state, seat))
    return msgspec.json.encode(trial_of(before.game, Example(str(move), before.state, choices, seat)))


def record(key: str, kept: StoredMatch, names: Sequence[str]) -> bytes:
    """The record of a match, as the text of a file."""
    return record_text(_record(key, kept, names)).encode()


def _record(key: str, kept: StoredMatch, names: Sequence[str]) -> Record:
    row = kept.row
    return record_of(match_of(key, kept), players_of(row, names), row.seed or None, row.imported)


def campaign(key: str, played: Sequence[StoredMatch], names: Sequence[str]) -> bytes:
    """The episodes that are over."""
    return msgspec.json.encode(CampaignInfo(tuple(_played(key, kept, names) for kept in played)))


def _played(key: str, kept: StoredMatch, names: Sequence[str]) -> PlayedEpisode:
    match, spec = match_of(key, kept), spec_of(key)
    return PlayedEpisode(
        number=kept.row.number,
        setup=Raw(kept.row.setup.encode()),
        practice=kept.row.practice,
        players=players_of(kept.row, names),
        result=match.result,
        standings=cast("Result", raw_result(kept.row.standings)),
        events=tuple(event for event in match.events if isinstance(event, spec.lasting)),
        view=spec.rules.view(match.state, None),
    )


def campaign_record(
    key: str, plan: Sequence[int], first: str, chain: Sequence[StoredMatch], names: Sequence[str]
) -> bytes:
    """All episodes as the text of one file. An unfinished one comes last, without its seed."""
    rules = game(key)
    records = [_record(key, kept, names) for kept in chain]
    setup = msgspec.json.decode(first, type=rules.Setup)
    return record_text(campaign_record_of(Campaign(rules, tuple(plan), setup), records, names)).encode()


def players_of(row: MatchEntity, names: Sequence[str]) -> tuple[str, ...]:
    """The names of the players of a match; for matches that do not store them, those of the seats."""
    return msgspec.json.decode(row.players, type=tuple[str, ...]) or tuple(names)


def _setup(rules: AnyGame, row: MatchEntity) -> Any:
    return msgspec.json.decode(row.setup, type=rules.Setup)
