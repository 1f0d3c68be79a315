"""Checks the JSON columns of stored rows before they are used."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct
from msgspec.json import Decoder

from polyopolis.engine import Result
from polyopolis.play.entities import StoredMatch, TableEntity
from polyopolis.play.errors import ROW_ERRORS, Unreadable
from polyopolis.play.match.consent_requests import ConsentRequest
from polyopolis.play.match.premoves import AllPrepared
from polyopolis.play.timing.clocks import Instants, Timing
from polyopolis.play.timing.pace import Pace
from polyopolis.play.timing.rest_hours import Rest

Columns = Mapping[str, Decoder[Any]]

OF_TABLE: Columns = {"setup": Decoder(dict[str, Any]), "plan": Decoder(tuple[int, ...]), "pace": Decoder(Pace)}
OF_SEAT: Columns = {"rest": Decoder(Rest)}
OF_MATCH: Columns = {
    "setup": Decoder(dict[str, Any]),
    "players": Decoder(tuple[str, ...]),
    "due": Decoder(tuple[int, ...]),
    "result": Decoder(Result),
    "standings": Decoder(Result),
    "asked": Decoder(ConsentRequest),
    "timing": Decoder(Timing),
    "deadlines": Decoder(dict[int, int]),
}
OF_MOVE: Columns = {"thought": Decoder(Instants)}
OF_TAKEBACK: Columns = {"thought": Decoder(dict[int, Instants])}
OF_TURN: Columns = {"thought": Decoder(Instants), "prepared": Decoder(AllPrepared)}


def check_table(row: TableEntity) -> None:
    """Raises `Unreadable`, which names the column but quotes none of its content.

    A setup only has to be an object: the game that is played with it validates the rest.
    """
    _check(row, OF_TABLE, "the table")
    for seat in row.seats:
        _check(seat, OF_SEAT, f"seat {seat.seat}")
    for match in row.matches:
        _check(match, OF_MATCH, f"match {match.number}")


def check_kept(kept: StoredMatch) -> None:
    """Checks the JSON columns of a match, its moves and turns. Raises `Unreadable`."""
    _check(kept.row, OF_MATCH, f"match {kept.row.number}")
    for move in kept.log:
        _check(move, OF_MOVE if move.back_to is None else OF_TAKEBACK, "a move")
    for turn in kept.turns:
        _check(turn, OF_TURN, f"the turn of seat {turn.seat}")


def _check(row: Struct, columns: Columns, what: str) -> None:
    for name, decoder in columns.items():
        if (kept := getattr(row, name)) is not None:
            try:
                decoder.decode(kept)
            except ROW_ERRORS as error:
                raise Unreadable(f"{name} of {what} is broken") from error
