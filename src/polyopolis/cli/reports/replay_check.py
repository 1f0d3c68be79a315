"""`replay` and `verify-luck`: records verified by replaying them."""

import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import UNSET
from rich.console import Console

from polyopolis.cli.arguments import BadOption, JsonFlag
from polyopolis.cli.console import print_error, stdout_console
from polyopolis.cli.output_files import os_error_reason
from polyopolis.cli.phrases import phrase, quantity
from polyopolis.cli.terminal.screen import screen_of
from polyopolis.engine import CHANCE, Match, PolyopolisError, Result
from polyopolis.records import CampaignRecord, Record, RecordError, read, unseeded_moves, verify, verify_campaign

RecordFiles = Annotated[list[Path], typer.Argument(metavar="FILE...", help="Records.", show_default=False)]


class ReplayedFile(msgspec.Struct, frozen=True):
    """A record that was replayed without a difference."""

    file: str
    game: str
    moves: int
    over: bool
    result: Result
    matches: tuple[tuple[Match, tuple[str, ...]], ...]
    """The matches, each with the names of its players."""
    imported: int | None = None
    """Number of moves that were imported; `None` if the match was not imported."""


def replay(
    files: RecordFiles,
    as_json: JsonFlag = False,
    step: Annotated[bool, typer.Option("--step", help="Show the table after each round.")] = False,
) -> None:
    """Verify records by replaying every move.

    Exits with 2 if a record differs from its replay or cannot be read.
    """
    if as_json and step:
        raise BadOption("--json and --step cannot be combined")
    found = []
    for path, outcome in _replay_files(files):
        found.append((path, outcome))
        if isinstance(outcome, RecordError):
            print_error(outcome)
        elif not as_json:
            if step:
                _show_rounds(outcome, stdout_console())
            typer.echo(_summary_line(outcome))
    if as_json:
        values = [_as_json(outcome, path) for path, outcome in found]
        typer.echo(msgspec.json.format(msgspec.json.encode(values), indent=2))
    if any(isinstance(outcome, RecordError) for _, outcome in found):
        raise typer.Exit(2)


def verify_luck(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Record of a match or a campaign.", show_default=False)],
    published: Annotated[str, typer.Option("--hash", help="SHA-256 that was published before the match.")] = "",
) -> None:
    """Verify that all chance events follow from the seed.

    With --hash, also verifies that the seed of one of its matches has the published hash.
    """
    for line in _luck_report(file, published):
        typer.echo(line)


def _replay_files(paths: Sequence[Path]) -> Iterator[tuple[Path, ReplayedFile | RecordError]]:
    for path in paths:
        try:
            yield path, _replay_file(path)
        except RecordError as error:
            yield path, error


def _replay_file(path: Path) -> ReplayedFile:
    """Raises `RecordError` with the path and the first problem."""
    try:
        record = read(path)
        return _replay_campaign(path, record) if isinstance(record, CampaignRecord) else _replay_match(path, record)
    except OSError as error:
        raise RecordError(f"{path}: {os_error_reason(error)}") from error
    except PolyopolisError as error:
        raise RecordError(f"{path}: {str(error).removeprefix(f'{path.name}: ')}") from error


def _replay_match(path: Path, record: Record) -> ReplayedFile:
    match = verify(record)
    matches, imported = ((match, _names(record, match)),), _imported_moves(record)
    return ReplayedFile(str(path), record.game, len(match.moves), match.over, match.result, matches, imported)


def _replay_campaign(path: Path, record: CampaignRecord) -> ReplayedFile:
    campaign, last = verify_campaign(record)
    matches = campaign.matches + ((last,) if last else ())
    named = tuple((match, _names(part, match)) for match, part in zip(matches, record.records, strict=True))
    moves = sum(len(match.moves) for match in matches)
    over, imported = last is None and campaign.over, _imported_moves(*record.records)
    return ReplayedFile(str(path), record.game, moves, over, campaign.standings(), named, imported)


def _imported_moves(*records: Record) -> int | None:
    found = [record.imported for record in records if record.imported is not UNSET]
    return sum(found) if found else None


def _names(record: Record, match: Match) -> tuple[str, ...]:
    seats = len(match.result.scores)
    given = () if record.players is UNSET else record.players
    return tuple(given[seat] if seat < len(given) else f"seat {seat}" for seat in range(seats))


def _summary_line(found: ReplayedFile) -> str:
    scores = ", ".join(
        f"{score} (rank {rank})" for score, rank in zip(found.result.scores, found.result.ranks, strict=True)
    )
    scores += "".join(f", {title}" for title in _titles(found))
    state = "over" if found.over else "open"
    if found.imported is not None:
        scores += phrase("replay", "imported", moves=quantity("move", found.imported))
    return phrase("replay", state, file=found.file, game=found.game, moves=quantity("move", found.moves), scores=scores)


def _titles(found: ReplayedFile) -> list[str]:
    """Returns the titles that the score of a solo campaign earns."""
    ranks = [line.count for sheet in found.result.sheets for line in sheet if line.line == "title"]
    return [screen_of(found.game).words("rank", str(rank)) for rank in ranks]


def _as_json(found: ReplayedFile | RecordError, path: Path) -> dict[str, Any]:
    if isinstance(found, RecordError):
        return {"file": str(path), "ok": False, "error": str(found)}
    about = {"file": found.file, "ok": True, "game": found.game, "moves": found.moves, "over": found.over}
    imported = {} if found.imported is None else {"imported": found.imported}
    return {**about, **imported, **msgspec.to_builtins(found.result)}


def _show_rounds(found: ReplayedFile, console: Console) -> None:
    """Prints the table after each round. Waits for Enter if stdin is a terminal; `q` ends the replay."""
    screen = screen_of(found.game)
    for match, names in found.matches:
        shown = 0
        for position in _rounds(match):
            view = position.game.view(position.state, None)
            for text in screen.page(view, 0, names, width=console.width):
                console.print(text, soft_wrap=True)
            console.print(*(screen.words.event(event, names) for event in position.events[shown:]), "", sep="\n")
            shown = len(position.events)
            if sys.stdin.isatty() and input(phrase("replay", "enter")).strip().lower() == "q":
                return


def _rounds(match: Match) -> Iterator[Match]:
    """Yields the match after each round, when all seats have decided and before the next chance event."""
    position = Match.start(match.game, match.setup)
    for move in match.moves:
        position = position.decide(move.seat, move.action)
        if move.seat != CHANCE and position.due <= {CHANCE}:
            yield position


def _luck_report(path: Path, published: str) -> Iterator[str]:
    """Yields a line for each match.

    Raises `RecordError` if a chance event does not follow from the seed, or if no seed has the published hash.
    """
    found = read(path)
    records = found.records if isinstance(found, CampaignRecord) else (found,)
    seeds = [(number, record, record.seed) for number, record in enumerate(records, 1) if record.seed is not UNSET]
    if not seeds:
        raise RecordError(f"{path}: it contains no seed; only the record of a finished match does")
    _replay_file(path)
    digests = [sha256(bytes.fromhex(seed)).hexdigest() for _, _, seed in seeds]
    asked = published.strip().lower()
    if asked and asked not in digests:
        raise RecordError(f"{path}: the seed has the SHA-256 {', '.join(digests)}, not the published one")
    for (number, record, _), digest in zip(seeds, digests, strict=True):
        draws = sum(move["seat"] == CHANCE for move in record.moves[unseeded_moves(record) :])
        file = f"{path}, match {number}" if len(records) > 1 else str(path)
        moves = record.imported
        imported = "" if moves is UNSET else phrase("luck", "imported", moves=quantity("move", moves))
        yield phrase("luck", "announced" if digest == asked else "good", file=file, draws=draws, hash=digest) + imported
