"""What a finished match is to one who played it: their best of its kind, and a title for whoever was alone."""

import msgspec

from polyopolis.engine import Result
from polyopolis.games.sign import Sign
from polyopolis.games.titles import earned
from polyopolis.play.answers import Best
from polyopolis.play.needs import Keeper
from polyopolis.play.problems import ROW_ERRORS, NotFound, readable
from polyopolis.play.room import Room
from polyopolis.play.rows import ScoreRow


async def best(keeper: Keeper, room: Room, person: str, number: int) -> Best:
    """Of the one seat that somebody has at a table; NotFound if there is nothing to compare."""
    row, seats = room.chain.row(number), room.seating.held_by(person)
    if not row.over or not row.result or len(seats) != 1:
        raise NotFound("only a finished match of one's own seat can be compared")
    sign = room.chain.sign
    with readable(f"match {number}"):
        kind, score = _kind(sign, row.setup), _scores(row.result)[seats[0]]
    rows = await keeper.scores_of(person, sign.key)
    others = [
        found
        for other in rows
        if (other.table, other.number) != (room.table, number)
        and (found := _score_of_kind(sign, other, kind)) is not None
    ]
    alone = not room.seating.others(person)
    title, following = earned(sign.titles[kind], score) if alone and kind in sign.titles else (None, None)
    return Best(score, max(others, default=None), title, following)


def _kind(sign: Sign, setup: str) -> str:
    return sign.kind(msgspec.json.decode(setup, type=sign.rules.Setup))


def _score_of_kind(sign: Sign, row: ScoreRow, kind: str) -> int | None:
    """None for a match of another kind and for one that cannot be read."""
    try:
        return _scores(row.result)[row.seat] if _kind(sign, row.setup) == kind else None
    except ROW_ERRORS:
        return None


def _scores(result: str) -> tuple[int, ...]:
    return msgspec.json.decode(result, type=Result).scores
