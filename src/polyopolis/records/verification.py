"""Verifies records: replays the moves, and compares the result and all chance events with the record."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from polyopolis.engine import (
    CHANCE,
    AnyGame,
    Campaign,
    Dealer,
    Match,
    Move,
    describe_action,
    seat_name,
    shorten,
)
from polyopolis.games import game
from polyopolis.records.record import (
    MAX_QUOTE_CHARACTERS,
    CampaignRecord,
    Record,
    RecordError,
    convert,
    digest_of,
    json_text,
    prefix_errors,
)


def verify(record: Record) -> Match:
    """Replays the moves and returns the match. Raises `RecordError` for the first wrong move or field."""
    match = _replay(record)
    if not match.over and any(found is not UNSET for found in (record.seed, record.scores, record.ranks)):
        due = ", ".join(map(seat_name, sorted(match.due)))
        raise RecordError(f"the moves end with move {len(match.moves)}, but the game is not over: {due} is due")
    result = match.result
    given = {"scores": result.scores, "ranks": result.ranks, "sheets": result.sheets, "digest": digest_of(match)}
    for field, expected in given.items():
        if (found := getattr(record, field)) is not UNSET and found != expected:
            raise RecordError(f"{field}: the record says {json_text(found)}, the moves give {json_text(expected)}")
    return match


def _replay(record: Record) -> Match:
    rules = _game(record)
    match = _start(rules, record)
    dealer = None if record.seed is UNSET else Dealer(_seed(record.seed))
    moves = [convert(move, Move, f"move {number}") for number, move in enumerate(record.moves, start=1)]
    before = unseeded_moves(record)
    for number, move in enumerate(moves, start=1):
        action = convert(move.action, rules.Action, f"move {number}")
        with prefix_errors(f"move {number}"):
            if dealer and number > before and move.seat == CHANCE and match.due == {CHANCE}:
                _check_luck(dealer.pick(match.drawn, rules.odds(match.state)), action)
            match = match.decide(move.seat, action)
    _check_order(match, moves)
    return match


def unseeded_moves(record: Record) -> int:
    """Returns the number of first moves in which chance was not dealt from the seed of the record.

    Raises `RecordError` if `imported` is not a possible number of moves.
    """
    imported, every = 0 if record.imported is UNSET else record.imported, len(record.moves)
    if imported not in range(every + 1):
        raise RecordError(f"imported: {imported} of {every} moves cannot be imported")
    return imported if imported < every else 0


def _game(record: Record | CampaignRecord) -> AnyGame:
    rules = game(record.game)
    if isinstance(record, Record) and record.rules != rules.version:
        raise RecordError(f"the record has version {record.rules} of the rules; this is version {rules.version}")
    return rules


def _start(rules: AnyGame, record: Record) -> Match:
    setup = convert({"content": record.content, **record.setup}, rules.Setup, "the setup")
    if setup.content != record.content:
        raise RecordError(f"the record has content {record.content}, but its setup has content {setup.content}")
    with prefix_errors("the setup"):
        return Match.start(rules, setup)


def _seed(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise RecordError(f"the seed {shorten(repr(text), MAX_QUOTE_CHARACTERS)} is not hexadecimal") from None


def _check_luck(dealt: Any, action: Any) -> None:
    if action != dealt:
        raise RecordError(f"the seed deals {describe_action(dealt)}, the record has {describe_action(action)}")


def _check_order(match: Match, moves: Sequence[Move]) -> None:
    """Raises `RecordError` unless the moves of each round are in seat order and the last round is complete."""
    for number, (played, written) in enumerate(zip(match.moves, moves, strict=False), start=1):
        if played.seat != written.seat:
            raise RecordError(
                f"move {number} is by {seat_name(written.seat)}, but {seat_name(played.seat)} comes first"
            )
    if match.staged:
        due = ", ".join(map(seat_name, sorted(match.due)))
        raise RecordError(f"the moves end inside a round after move {len(moves)}: {due} has not decided")


def verify_campaign(record: CampaignRecord) -> tuple[Campaign, Match | None]:
    """Replays a campaign. Returns it and, if its last episode is not finished, the match of that episode."""
    rules = _game(record)
    if not record.records:
        raise RecordError("a campaign has at least one record")
    first = _start(rules, record.records[0]).setup
    campaign = Campaign(rules, record.plan, first)
    for number, part in enumerate(record.records, start=1):
        with prefix_errors(f"record {number}"):
            match = verify(part)
            if number == len(record.records) and not match.over:
                return campaign, match
            campaign = campaign.add(match)
    return campaign, None
