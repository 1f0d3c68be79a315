"""What was played in another house: re-played from the first move, and nothing else in its file is believed.

Luck that this house has not promised beforehand could have been looked for, so none of it counts. A match that is not
over goes on with luck of this house, from a seed of its own; the other one never left its house.
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
"""Bytes of the name of a table, as many as those of others."""
SEED_BYTES = 32
LOG_ROW_BYTES, MATCH_BYTES = 64, 1024
"""About how many bytes a row of the log needs beside its move, and a match beside its setup."""
MAX_NAME_LENGTH = 24
"""Letters of a name."""


class ImportedRecord(Struct, frozen=True, kw_only=True):
    """A match or a campaign from elsewhere, as it will be kept."""

    game: str
    setup: str
    """Before the first match, as JSON."""
    plan: str
    """As JSON."""
    typed: bool
    players: tuple[str, ...]
    arms: tuple[CityEmblem, ...]
    rows: tuple[MatchEntity, ...]
    logs: tuple[tuple[LogEntry, ...], ...]
    digest: str
    """Of all that was brought."""

    @property
    def size(self) -> int:
        """About how many bytes it needs where it is kept."""
        moves = sum(LOG_ROW_BYTES + len(row.action or "") for log in self.logs for row in log)
        return moves + sum(len(row.setup) + len(row.standings or "") + MATCH_BYTES for row in self.rows)

    @property
    def is_campaign(self) -> bool:
        return self.plan != "[]"

    def key_for(self, person: str) -> str:
        """What the table is called: for one person the same for the same, and for nobody else."""
        found = sha256(f"polyopolis import {self.digest} {person}".encode()).digest()
        return urlsafe_b64encode(found[:TABLE_ID_BYTES]).decode()


def verify_record(record: bytes, typed: bool) -> bytes:
    """Verifies a record, which is JSON, and returns an `ImportedRecord` as JSON. Raises RecordError."""
    try:
        return msgspec.json.encode(_arrival(parse(record), typed))
    except PolyopolisError as error:  # as what can travel between processes
        raise RecordError(str(error)) from None
    except Exception as error:  # whatever rules say of what was never meant for them
        raise RecordError(f"it cannot be re-played ({type(error).__name__}: {error})") from None


def _arrival(record: Record | CampaignRecord, typed: bool) -> ImportedRecord:
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
    """A plan of the game, or what of one was left when others went on from an episode."""
    plans = spec_of(record.game).plans(record.content).values()
    if not record.plan or not any(tuple(plan)[-len(record.plan) :] == record.plan for plan in plans):
        raise RecordError(f"plan: {record.game} has no plan {', '.join(map(str, record.plan))}")


def _typed(match: Match, record: Record) -> bool:
    """Whether people typed in the luck: a house that deals tells its seed, and never waits for chance."""
    return record.seed is UNSET if match.over else match.due == {CHANCE}


def _players(record: Record | CampaignRecord, seats: int) -> tuple[str, ...]:
    """The names of all seats; a number for whoever has none."""
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
    """After each episode that is over; before the one that is not."""
    found, game, first = list[MatchEntity](), matches[0].game, matches[0].setup
    states = [match.state for match in matches if match.over]
    for row in rows:
        over = min(row.number + 1, len(states))
        standings = as_json(game.standings(first, states[:over])) if over else None
        found.append(replace(row, standings=standings))
    return tuple(found)
