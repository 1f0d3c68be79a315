"""Imports records of other sites by replaying them. No result in the file is trusted.

Imported matches never count, because their seeds were not committed to on this site and could have been selected. An
unfinished match goes on with a new seed of this site, because a record does not contain the seed of an unfinished
match.
"""

import secrets
from base64 import urlsafe_b64encode
from hashlib import sha256

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Match, PolyopolisError
from polyopolis.games import content_digest, spec_of
from polyopolis.games.city_emblems import CityEmblem
from polyopolis.play.entities import LogEntry, MatchEntity, as_json, log_entry
from polyopolis.play.match.live_match import with_derived_columns
from polyopolis.play.seats.player_names import validate_name
from polyopolis.records import CampaignRecord, Record, RecordError, parse, verify, verify_campaign

TABLE_ID_BYTES = 9
"""Length of the id of a table before encoding, as in `TableFactory`."""
SEED_BYTES = 32
LOG_ROW_BYTES, MATCH_BYTES = 64, 1024
"""Approximate storage of a log row without its action, and of a match without its setup."""
MAX_NAME_LENGTH = 24
"""Characters of a name."""


class ImportedRecord(Struct, frozen=True, kw_only=True):
    """A verified match or campaign, as it will be stored."""

    game: str
    setup: str
    """The setup of the first match, as JSON."""
    plan: str
    """As JSON."""
    typed: bool
    players: tuple[str, ...]
    arms: tuple[CityEmblem, ...]
    rows: tuple[MatchEntity, ...]
    logs: tuple[tuple[LogEntry, ...], ...]
    digest: str
    """Hash of the record."""

    @property
    def size(self) -> int:
        """Approximate storage in bytes."""
        moves = sum(LOG_ROW_BYTES + len(row.action or "") for log in self.logs for row in log)
        return moves + sum(len(row.setup) + len(row.standings or "") + MATCH_BYTES for row in self.rows)

    @property
    def is_campaign(self) -> bool:
        return self.plan != "[]"

    def key_for(self, person: str) -> str:
        """The id of the table: the same whenever a person imports the same record, and different for other people."""
        found = sha256(f"polyopolis import {self.digest} {person}".encode()).digest()
        return urlsafe_b64encode(found[:TABLE_ID_BYTES]).decode()


def verify_record(record: bytes, typed: bool) -> bytes:
    """Verifies a record in JSON and returns an `ImportedRecord` in JSON. Raises `RecordError`."""
    try:
        return msgspec.json.encode(_import(parse(record), typed))
    except PolyopolisError as error:  # can be pickled
        raise RecordError(str(error)) from None
    except Exception as error:  # rules may raise any error for invalid moves
        raise RecordError(f"it cannot be replayed ({type(error).__name__}: {error})") from None


def _import(record: Record | CampaignRecord, typed: bool) -> ImportedRecord:
    if isinstance(record, CampaignRecord):
        _check_plan(record)
        campaign, last = verify_campaign(record)
        matches, parts, plan = (*campaign.matches, *((last,) if last else ())), record.records, record.plan
    else:
        matches, parts, plan = (verify(record),), (record,), ()
    typed = typed or any(_typed(match, part) for match, part in zip(matches, parts, strict=True))
    players, first, now = _players(record, matches[0].setup.seats), matches[0].setup, matches[-1].setup
    rows = [_row(number, match, part, typed) for number, (match, part) in enumerate(zip(matches, parts, strict=True))]
    return ImportedRecord(
        game=record.game,
        setup=as_json(first),
        plan=as_json(plan),
        typed=typed,
        players=players,
        arms=spec_of(record.game).arms(now) if plan else (),
        rows=_with_standings(rows, matches) if plan else tuple(rows),
        logs=tuple(tuple(log_entry(move, None) for move in match.moves) for match in matches),
        digest=sha256(msgspec.json.encode([record, typed], order="sorted")).hexdigest(),
    )


def _check_plan(record: CampaignRecord) -> None:
    """Accepts a plan of the game, or the rest of one after a fork."""
    plans = spec_of(record.game).plans(record.content).values()
    if not record.plan or not any(tuple(plan)[-len(record.plan) :] == record.plan for plan in plans):
        raise RecordError(f"plan: {record.game} has no plan {', '.join(map(str, record.plan))}")


def _typed(match: Match, record: Record) -> bool:
    """Whether players entered the chance events: a dealt match publishes its seed, and is never due for chance."""
    return record.seed is UNSET if match.over else match.due == {CHANCE}


def _players(record: Record | CampaignRecord, seats: int) -> tuple[str, ...]:
    """The names of all seats; numbers where the record has no names."""
    given = () if record.players is UNSET else record.players
    names = (*given, *(str(seat + 1) for seat in range(len(given), seats)))
    try:
        found = tuple(map(validate_name, names))
    except PolyopolisError as error:
        raise RecordError(f"players: {error}") from error
    if len(found) != seats or any(len(name) > MAX_NAME_LENGTH for name in found):
        raise RecordError(f"players: there are {seats} seats, and a name has up to {MAX_NAME_LENGTH} letters")
    return found


def _row(number: int, match: Match, record: Record, typed: bool) -> MatchEntity:
    seed = b"" if record.seed is UNSET else bytes.fromhex(record.seed)
    row = MatchEntity(
        number=number,
        setup=as_json(match.setup),
        seed=seed if match.over or typed else secrets.token_bytes(SEED_BYTES),
        bot_seed=secrets.token_bytes(SEED_BYTES),
        practice=True,
        practice_for="import",
        players=as_json(_players(record, match.setup.seats)),
        rules=match.game.version,
        content=content_digest(match.game.key, match.setup.content),
        imported=len(match.moves),
    )
    return with_derived_columns(row, match)


def _with_standings(rows: list[MatchEntity], matches: tuple[Match, ...]) -> tuple[MatchEntity, ...]:
    """The matches with the standings after each finished episode, or before an unfinished one."""
    found, game, first = list[MatchEntity](), matches[0].game, matches[0].setup
    states = [match.state for match in matches if match.over]
    for row in rows:
        over = min(row.number + 1, len(states))
        standings = as_json(game.standings(first, states[:over])) if over else None
        found.append(replace(row, standings=standings))
    return tuple(found)
