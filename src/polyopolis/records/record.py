"""Match and campaign records as JSON files: write, read, replay, verify."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import UNSET, Struct, UnsetType, ValidationError

from polyopolis.engine import (
    CHANCE,
    AnyGame,
    BadSetup,
    Campaign,
    Dealer,
    IllegalAction,
    Line,
    Match,
    Move,
    PolyopolisError,
    decode_json,
    describe_action,
    seat_name,
    shorten,
)
from polyopolis.games import game

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
        return "[\n  " + ",\n  ".join(_json(move) for move in value) + "]"
    return _json(value)


def _json(value: Any) -> str:
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
    with _prefix_errors(path.name):
        return parse(data)


def parse(data: bytes) -> Record | CampaignRecord:
    """Returns the fields of a record in JSON; they are not verified. Raises `RecordError`."""
    found = _json_object(data)
    match found.get("format"):
        case "polyopolis/1":
            return _convert(found, Record, "the record")
        case "polyopolis-campaign/1":
            return _convert(found, CampaignRecord, "the record")
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
            raise RecordError(f"{field}: the record says {_json(found)}, the moves give {_json(expected)}")
    return match


def _replay(record: Record) -> Match:
    rules = _game(record)
    match = _start(rules, record)
    dealer = None if record.seed is UNSET else Dealer(_seed(record.seed))
    moves = [_convert(move, Move, f"move {number}") for number, move in enumerate(record.moves, start=1)]
    before = unseeded_moves(record)
    for number, move in enumerate(moves, start=1):
        action = _convert(move.action, rules.Action, f"move {number}")
        with _prefix_errors(f"move {number}"):
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
    setup = _convert({"content": record.content, **record.setup}, rules.Setup, "the setup")
    if setup.content != record.content:
        raise RecordError(f"the record has content {record.content}, but its setup has content {setup.content}")
    with _prefix_errors("the setup"):
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
        with _prefix_errors(f"record {number}"):
            match = verify(part)
            if number == len(record.records) and not match.over:
                return campaign, match
            campaign = campaign.add(match)
    return campaign, None


def _convert(found: Any, kind: type[Kind], what: str) -> Kind:
    try:
        return msgspec.convert(found, kind)
    except ValidationError as error:
        raise RecordError(f"{what}: {error}") from error


@contextmanager
def _prefix_errors(what: str) -> Iterator[None]:
    """Prefixes the message of a `RecordError`, `IllegalAction` or `BadSetup` and raises it as a `RecordError`."""
    try:
        yield
    except (RecordError, IllegalAction, BadSetup) as error:
        raise RecordError(f"{what}: {error}") from error
