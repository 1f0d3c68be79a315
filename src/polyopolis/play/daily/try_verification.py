"""Verifies a finished daily try by replaying it with the seed of the day."""

from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import Result
from polyopolis.games import game
from polyopolis.play.entities import DailyDeck, DailyTry, StoredMatch
from polyopolis.play.history.match_exports import players_of
from polyopolis.play.match.live_match import moves_after_takebacks
from polyopolis.play.table.match_starter import shared_deck
from polyopolis.play.timing.utc_days import day_end
from polyopolis.records import Record, RecordError, verify

OWN = 0
"""The seat of the player."""


def verify_try(day: DailyDeck, row: DailyTry, kept: StoredMatch) -> DailyTry:
    """Returns the try with its verdict. Raises one of `ROW_ERRORS` if it cannot have been played like this."""
    score, name = _replayed(day, kept), players_of(kept.row, ("",))[OWN]
    last = max((entry.time or 0 for entry in kept.log), default=0)
    return replace(row, verdict="late" if last >= day_end(day.day) else "counted", score=score, name=name)


def _replayed(day: DailyDeck, kept: StoredMatch) -> int:
    row, rules = kept.row, game(day.game)
    if {"seed": row.seed, "bot_seed": row.bot_seed} != shared_deck(day):
        raise RecordError("the seed is not that of the day")
    setup = msgspec.json.decode(row.setup, type=rules.Setup)
    if not rules.alike(setup, msgspec.json.decode(day.setup, type=rules.Setup)):
        raise RecordError("the setup is not that of the day")
    if row.result is None:
        raise RecordError("it has no result")
    result = msgspec.json.decode(row.result, type=Result)
    match = verify(
        Record(
            game=day.game,
            rules=rules.version if row.rules is None else row.rules,
            content=setup.content,
            setup=msgspec.to_builtins(setup),
            seed=row.seed.hex(),
            moves=tuple(_move(move) for move in moves_after_takebacks(rules, kept.log)),
            scores=result.scores,
            ranks=result.ranks,
            sheets=result.sheets,
        )
    )
    return match.result.scores[OWN]


def _move(move: Any) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.to_builtins(move)
    return found
