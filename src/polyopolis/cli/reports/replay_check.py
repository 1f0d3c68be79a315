"""Records re-played: whether they hold, and how the game went."""

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
from msgspec import UNSET
from rich.console import Console

from polyopolis.cli.output_files import reason
from polyopolis.cli.phrases import count, say
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import CHANCE, Campaign, Match, PolyopolisError, Result
from polyopolis.records import CampaignRecord, Record, RecordError, read, undealt, verify, verify_campaign


class Replayed(msgspec.Struct, frozen=True):
    """A file that holds."""

    file: str
    game: str
    moves: int
    over: bool
    result: Result
    matches: tuple[tuple[Match, tuple[str, ...]], ...]
    """What was played, with the names of the players."""
    imported: int | None = None
    """So many of the moves were brought from another house; None where it has nothing from there."""


def replayed(path: Path) -> Replayed:
    """The file, re-played; RecordError names it and what is wrong first."""
    try:
        record = read(path)
        return _campaign(path, record) if isinstance(record, CampaignRecord) else _match(path, record)
    except OSError as error:
        raise RecordError(f"{path}: {reason(error)}") from error
    except PolyopolisError as error:
        raise RecordError(f"{path}: {str(error).removeprefix(f'{path.name}: ')}") from error


def _match(path: Path, record: Record) -> Replayed:
    match = verify(record)
    names = _names(record, match)
    played, brought = ((match, names),), _imported(record)
    return Replayed(str(path), record.game, len(match.moves), match.over, match.result, played, brought)


def _imported(*records: Record) -> int | None:
    found = [record.imported for record in records if record.imported is not UNSET]
    return sum(found) if found else None


def _names(record: Record, match: Match) -> tuple[str, ...]:
    seats = len(match.result.scores)
    given = () if record.players is UNSET else record.players
    return tuple(given[seat] if seat < len(given) else f"seat {seat}" for seat in range(seats))


def _campaign(path: Path, record: CampaignRecord) -> Replayed:
    campaign, last = verify_campaign(record)
    matches = campaign.matches + ((last,) if last else ())
    named = tuple((match, _names(part, match)) for match, part in zip(matches, record.records, strict=True))
    moves = sum(len(match.moves) for match in matches)
    done, brought = _done(campaign, last), _imported(*record.records)
    return Replayed(str(path), record.game, moves, done, campaign.standings(), named, brought)


def _done(campaign: Campaign, last: Match | None) -> bool:
    return last is None and campaign.over


def line(found: Replayed) -> str:
    scores = ", ".join(
        f"{score} (rank {rank})" for score, rank in zip(found.result.scores, found.result.ranks, strict=True)
    )
    scores += "".join(f", {title}" for title in _titles(found))
    state = "over" if found.over else "open"
    if found.imported is not None:
        scores += say("replay", "imported", moves=count("move", found.imported))
    return say("replay", state, file=found.file, game=found.game, moves=count("move", found.moves), scores=scores)


def _titles(found: Replayed) -> list[str]:
    """What a score earns in a campaign played alone."""
    ranks = [line.count for sheet in found.result.sheets for line in sheet if line.line == "title"]
    return [screen_of(found.game).words("rank", str(rank)) for rank in ranks]


def as_json(found: Replayed | RecordError, path: Path) -> dict[str, Any]:
    if isinstance(found, RecordError):
        return {"file": str(path), "ok": False, "error": str(found)}
    about = {"file": found.file, "ok": True, "game": found.game, "moves": found.moves, "over": found.over}
    brought = {} if found.imported is None else {"imported": found.imported}
    return {**about, **brought, **msgspec.to_builtins(found.result)}


def step(found: Replayed, console: Console) -> None:
    """The table after every round; on a terminal it waits for Enter, and q ends it."""
    screen = screen_of(found.game)
    for match, names in found.matches:
        shown = 0
        for now in _rounds(match):
            view = now.game.view(now.state, None)
            for text in screen.page(view, 0, names, width=console.width):
                console.print(text, soft_wrap=True)
            console.print(*(screen.words.event(event, names) for event in now.events[shown:]), "", sep="\n")
            shown = len(now.events)
            if not _goes_on():
                return


def _rounds(match: Match) -> Iterator[Match]:
    """The match after every round: all have decided, and the next card is not yet there."""
    now = Match.start(match.game, match.setup)
    for move in match.moves:
        now = now.decide(move.seat, move.action)
        if move.seat != CHANCE and now.due <= {CHANCE}:
            yield now


def _goes_on() -> bool:
    return not sys.stdin.isatty() or input(say("replay", "enter")).strip().lower() != "q"


def all_replayed(paths: Sequence[Path]) -> Iterator[tuple[Path, Replayed | RecordError]]:
    for path in paths:
        try:
            yield path, replayed(path)
        except RecordError as error:
            yield path, error


def luck(path: Path, published: str) -> Iterator[str]:
    """What can be said of the luck in a file, match by match; RecordError if it does not follow from a seed, or if none
    of the seeds is the one that was announced."""
    found = read(path)
    records = found.records if isinstance(found, CampaignRecord) else (found,)
    seeds = [(number, record, record.seed) for number, record in enumerate(records, 1) if record.seed is not UNSET]
    if not seeds:
        raise RecordError(f"{path}: only the record of a finished match tells its seed")
    replayed(path)
    digests = [sha256(bytes.fromhex(seed)).hexdigest() for _, _, seed in seeds]
    asked = published.strip().lower()
    if asked and asked not in digests:
        raise RecordError(f"{path}: the seed has the SHA-256 {', '.join(digests)}, not the one that was announced")
    for (number, record, _), digest in zip(seeds, digests, strict=True):
        draws = sum(move["seat"] == CHANCE for move in record.moves[undealt(record) :])
        file = f"{path}, match {number}" if len(records) > 1 else str(path)
        imported = "" if record.imported is UNSET else say("luck", "imported", moves=count("move", record.imported))
        yield say("luck", "announced" if digest == asked else "good", file=file, draws=draws, hash=digest) + imported
