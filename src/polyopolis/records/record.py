"""Match and campaign records as JSON files: the format, writing and reading."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, ValidationError

from polyopolis.engine import (
    BadSetup,
    Campaign,
    IllegalAction,
    Line,
    Match,
    PolyopolisError,
    decode_json,
    shorten,
)

FORMAT: Final = "polyopolis/1"
CAMPAIGN_FORMAT: Final = "polyopolis-campaign/1"
MAX_QUOTE_CHARACTERS = 60
"""Length of a bad value that an error sentence quotes."""

Kind = TypeVar("Kind")


class RecordError(PolyopolisError):
    """A file is not the record of a possible match. The message is shortened, because it may quote the file."""

    def __init__(self, sentence: str) -> None:
        super().__init__(shorten(sentence))


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a file, in the order in which they are written. Fields that follow from the moves are optional."""

    format: Literal["polyopolis/1"] = FORMAT
    game: str
    rules: int
    content: int
    setup: dict[str, Any]
    seed: str | UnsetType = UNSET
    imported: int | UnsetType = UNSET
    """The number of first moves that were played on another server than the one that wrote the record.

    The seed deals chance after these moves. If there are no further moves, it is the seed of the other server and
    deals all chance.
    """
    players: tuple[str, ...] | UnsetType = UNSET
    moves: tuple[dict[str, Any], ...]
    scores: tuple[int, ...] | UnsetType = UNSET
    ranks: tuple[int, ...] | UnsetType = UNSET
    sheets: tuple[tuple[Line, ...], ...] | UnsetType = UNSET
    digest: str | UnsetType = UNSET


class CampaignRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The records of the episodes in order. The last one may be unfinished."""

    format: Literal["polyopolis-campaign/1"] = CAMPAIGN_FORMAT
    game: str
    content: int
    plan: tuple[int, ...]
    players: tuple[str, ...] | UnsetType = UNSET
    records: tuple[Record, ...]


def record_of(
    match: Match, players: Sequence[str] = (), seed: bytes | None = None, imported: int | None = None
) -> Record:
    """Returns the record of a match as far as it is played. It contains the seed only when the match is over."""
    record = Record(
        game=match.game.key,
        rules=match.game.version,
        content=match.setup.content,
        setup=msgspec.to_builtins(match.setup),
        imported=UNSET if imported is None else imported,
        players=tuple(players) or UNSET,
        moves=tuple(msgspec.to_builtins(match.moves)),
        digest=digest_of(match),
    )
    if not match.over:
        return record
    result = match.result
    return msgspec.structs.replace(
        record,
        seed=UNSET if seed is None else seed.hex(),
        scores=result.scores,
        ranks=result.ranks,
        sheets=result.sheets,
    )


def campaign_record_of(campaign: Campaign, records: Sequence[Record], players: Sequence[str] = ()) -> CampaignRecord:
    return CampaignRecord(
        game=campaign.game.key,
        content=campaign.first.content,
        plan=campaign.plan,
        players=tuple(players) or UNSET,
        records=tuple(records),
    )


class PlayedMatch(NamedTuple):
    """The data of a match on which all results about it depend; players and seed are not among it."""

    game: str
    rules: int
    content: int
    setup: Any
    moves: Sequence[Any]


def cache_key(about: str, played: Sequence[PlayedMatch]) -> str:
    """Returns a key under which a result about these matches can be cached; `about` names the kind of result."""
    return sha256(msgspec.json.encode((about, played), order="sorted")).hexdigest()


def digest_of(match: Match) -> str:
    """Returns the SHA-256 of all events as JSON with sorted keys and without spaces."""
    return sha256(msgspec.json.encode(match.events, order="sorted")).hexdigest()


def record_text(record: Record | CampaignRecord) -> str:
    """Returns the text of the file, with a line for each field and each move, so that people and diffs can read it."""
    fields = ((name, getattr(record, name)) for name in record.__struct_fields__)
    lines = (f'"{name}": {_value(name, value)}' for name, value in fields if value is not UNSET)
    return "{" + ",\n ".join(lines) + "}\n"


def _value(name: str, value: Any) -> str:
    if name == "records":
        return "[\n" + ",\n".join(record_text(record).strip() for record in value) + "]"
    if name == "moves":
        return "[\n  " + ",\n  ".join(json_text(move) for move in value) + "]"
    return json_text(value)


def json_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write(record: Record | CampaignRecord, path: Path) -> None:
    """Writes the file atomically."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(record_text(record))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def read(path: Path) -> Record | CampaignRecord:
    """Returns the fields of a file; they are not verified. Raises `RecordError`."""
    data = path.read_bytes()
    with prefix_errors(path.name):
        return parse(data)


def parse(data: bytes) -> Record | CampaignRecord:
    """Returns the fields of a record in JSON; they are not verified. Raises `RecordError`."""
    found = _json_object(data)
    match found.get("format"):
        case "polyopolis/1":
            return convert(found, Record, "the record")
        case "polyopolis-campaign/1":
            return convert(found, CampaignRecord, "the record")
        case other:
            raise RecordError(
                f"the format is {shorten(repr(other), MAX_QUOTE_CHARACTERS)}, not {FORMAT!r} or {CAMPAIGN_FORMAT!r}"
            )


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        found = decode_json(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        begun = data.count(b'{"seat"')
        where = f"it breaks off in move {begun}" if begun else "it contains no move"
        raise RecordError(f"the file is not complete JSON ({error}); {where}") from error
    if not isinstance(found, dict):
        raise RecordError("the file is JSON, but not an object")
    return found


def convert(found: Any, kind: type[Kind], what: str) -> Kind:
    try:
        return msgspec.convert(found, kind)
    except ValidationError as error:
        raise RecordError(f"{what}: {error}") from error


@contextmanager
def prefix_errors(what: str) -> Iterator[None]:
    """Prefixes the message of a `RecordError`, `IllegalAction` or `BadSetup` and raises it as a `RecordError`."""
    try:
        yield
    except (RecordError, IllegalAction, BadSetup) as error:
        raise RecordError(f"{what}: {error}") from error
