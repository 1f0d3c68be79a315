"""A match or a campaign on disk: one JSON file, written once, re-played and checked to the last event."""

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
    name_of,
    shortened,
)
from polyopolis.games import game

FORMAT: Final = "polyopolis/1"
CAMPAIGN_FORMAT: Final = "polyopolis-campaign/1"
LONGEST_QUOTE = 60
"""Characters of a bad value in a sentence about it."""

Kind = TypeVar("Kind")


class RecordError(PolyopolisError):
    """A file is not the record of a game that can have been played. The sentence is short, whatever it quotes."""

    def __init__(self, sentence: str) -> None:
        super().__init__(shortened(sentence))


class Record(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a file, in the order in which they are written. What follows from the moves may be missing."""

    format: Literal["polyopolis/1"] = FORMAT
    game: str
    rules: int
    content: int
    setup: dict[str, Any]
    seed: str | UnsetType = UNSET
    imported: int | UnsetType = UNSET
    """So many of its first moves were played in another house than the one that wrote this. The seed deals what came
    after them; if that is nothing it is the other house's, and deals everything."""
    players: tuple[str, ...] | UnsetType = UNSET
    moves: tuple[dict[str, Any], ...]
    scores: tuple[int, ...] | UnsetType = UNSET
    ranks: tuple[int, ...] | UnsetType = UNSET
    sheets: tuple[tuple[Line, ...], ...] | UnsetType = UNSET
    digest: str | UnsetType = UNSET


class CampaignRecord(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The records of the episodes in order; the last may be of one that is still being played."""

    format: Literal["polyopolis-campaign/1"] = CAMPAIGN_FORMAT
    game: str
    content: int
    plan: tuple[int, ...]
    players: tuple[str, ...] | UnsetType = UNSET
    records: tuple[Record, ...]


def record_of(
    match: Match, players: Sequence[str] = (), seed: bytes | None = None, imported: int | None = None
) -> Record:
    """The record of a match as far as it is played. The seed stays secret until it is over."""
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


class Played(NamedTuple):
    """All that follows from a match follows from this, whoever played it."""

    game: str
    rules: int
    content: int
    setup: Any
    moves: Sequence[Any]


def key_of(about: str, played: Sequence[Played]) -> str:
    """By which something can be kept that is said about what was played."""
    return sha256(msgspec.json.encode((about, played), order="sorted")).hexdigest()


def digest_of(match: Match) -> str:
    """SHA-256 over all events as JSON: keys sorted, no spaces."""
    return sha256(msgspec.json.encode(match.events, order="sorted")).hexdigest()


def text_of(record: Record | CampaignRecord) -> str:
    """The file: a field on each line, a move on each line, so that people and diffs can read it."""
    fields = ((name, getattr(record, name)) for name in record.__struct_fields__)
    lines = (f'"{name}": {_value(name, value)}' for name, value in fields if value is not UNSET)
    return "{" + ",\n ".join(lines) + "}\n"


def _value(name: str, value: Any) -> str:
    if name == "records":
        return "[\n" + ",\n".join(text_of(record).strip() for record in value) + "]"
    if name == "moves":
        return "[\n  " + ",\n  ".join(_json(move) for move in value) + "]"
    return _json(value)


def _json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def write(record: Record | CampaignRecord, path: Path) -> None:
    """Writes the file whole or not at all."""
    part = path.with_name(path.name + ".part")
    with part.open("w", encoding="utf-8", newline="\n") as file:
        file.write(text_of(record))
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)


def read(path: Path) -> Record | CampaignRecord:
    """The fields of a file, whether they hold or not."""
    data = path.read_bytes()
    with _named(path.name):
        return parse(data)


def parse(data: bytes) -> Record | CampaignRecord:
    """The fields of a record as JSON; they are not verified. Raises RecordError."""
    found = _json_object(data)
    match found.get("format"):
        case "polyopolis/1":
            return _converted(found, Record, "the record")
        case "polyopolis-campaign/1":
            return _converted(found, CampaignRecord, "the record")
        case other:
            raise RecordError(
                f"the format is {shortened(repr(other), LONGEST_QUOTE)}, not {FORMAT!r} or {CAMPAIGN_FORMAT!r}"
            )


def _json_object(data: bytes) -> dict[str, Any]:
    try:
        found = decode_json(data)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        begun = data.count(b'{"seat"')
        where = f"it breaks off in move {begun}" if begun else "there is no move in it"
        raise RecordError(f"the file is not whole JSON ({error}); {where}") from error
    if not isinstance(found, dict):
        raise RecordError("the file is JSON, but not an object")
    return found


def verify(record: Record) -> Match:
    """The match, re-played; RecordError names the first move, or else the first field, that is wrong."""
    match = _replayed(record)
    if not match.over and any(found is not UNSET for found in (record.seed, record.scores, record.ranks)):
        due = ", ".join(map(name_of, sorted(match.due)))
        raise RecordError(f"the moves end with move {len(match.moves)}, but the game is not over: {due} is due")
    result = match.result
    given = {"scores": result.scores, "ranks": result.ranks, "sheets": result.sheets, "digest": digest_of(match)}
    for field, expected in given.items():
        if (found := getattr(record, field)) is not UNSET and found != expected:
            raise RecordError(f"{field}: the record says {_json(found)}, the moves give {_json(expected)}")
    return match


def _replayed(record: Record) -> Match:
    rules = _game(record)
    match = _started(rules, record)
    dealer = None if record.seed is UNSET else Dealer(_seed(record.seed))
    moves = [_converted(move, Move, f"move {number}") for number, move in enumerate(record.moves, start=1)]
    before = undealt(record)
    for number, move in enumerate(moves, start=1):
        action = _converted(move.action, rules.Action, f"move {number}")
        with _named(f"move {number}"):
            if dealer and number > before and move.seat == CHANCE and match.due == {CHANCE}:
                _check_luck(dealer.pick(match.drawn, rules.odds(match.state)), action)
            match = match.decide(move.seat, action)
    _check_order(match, moves)
    return match


def undealt(record: Record) -> int:
    """So many of the first moves hold luck that the seed has not dealt."""
    imported, every = 0 if record.imported is UNSET else record.imported, len(record.moves)
    if imported not in range(every + 1):
        raise RecordError(f"imported: {imported} of {every} moves cannot have been played elsewhere")
    return imported if imported < every else 0


def _game(record: Record | CampaignRecord) -> AnyGame:
    rules = game(record.game)
    if isinstance(record, Record) and record.rules != rules.version:
        raise RecordError(f"the record follows version {record.rules} of the rules; this is version {rules.version}")
    return rules


def _started(rules: AnyGame, record: Record) -> Match:
    setup = _converted({"content": record.content, **record.setup}, rules.Setup, "the setup")
    if setup.content != record.content:
        raise RecordError(f"the record names content {record.content} and its setup content {setup.content}")
    with _named("the setup"):
        return Match.start(rules, setup)


def _seed(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise RecordError(f"the seed {shortened(repr(text), LONGEST_QUOTE)} is not hexadecimal") from None


def _check_luck(dealt: Any, action: Any) -> None:
    if action != dealt:
        raise RecordError(f"the seed deals {describe_action(dealt)}, the record has {describe_action(action)}")


def _check_order(match: Match, moves: Sequence[Move]) -> None:
    """Moves of one round stand in the order of the seats, and a round is there as a whole."""
    for number, (played, written) in enumerate(zip(match.moves, moves, strict=False), start=1):
        if played.seat != written.seat:
            raise RecordError(f"move {number} is by {name_of(written.seat)}, but {name_of(played.seat)} comes before")
    if match.staged:
        due = ", ".join(map(name_of, sorted(match.due)))
        raise RecordError(f"the moves break off inside a round after move {len(moves)}: {due} has not decided")


def verify_campaign(record: CampaignRecord) -> tuple[Campaign, Match | None]:
    """The campaign re-played, and the match of its last episode if that is still being played."""
    rules = _game(record)
    if not record.records:
        raise RecordError("a campaign has at least one record")
    first = _started(rules, record.records[0]).setup
    campaign = Campaign(rules, record.plan, first)
    for number, part in enumerate(record.records, start=1):
        with _named(f"record {number}"):
            match = verify(part)
            if number == len(record.records) and not match.over:
                return campaign, match
            campaign = campaign.add(match)
    return campaign, None


def _converted(found: Any, kind: type[Kind], what: str) -> Kind:
    try:
        return msgspec.convert(found, kind)
    except ValidationError as error:
        raise RecordError(f"{what}: {error}") from error


@contextmanager
def _named(what: str) -> Iterator[None]:
    """Whatever is wrong inside is told with what it is wrong with."""
    try:
        yield
    except (RecordError, IllegalAction, BadSetup) as error:
        raise RecordError(f"{what}: {error}") from error
