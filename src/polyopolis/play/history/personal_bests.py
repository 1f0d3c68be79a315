"""What a finished match is to one who played it: their best of its kind, and a title for whoever was alone."""

import msgspec

from polyopolis.engine import Result
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.titles import earned
from polyopolis.play.errors import NotFound, readable
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.responses import Best


async def best(context: TableContext, person: str, number: int) -> Best:
    """Of the one seat that somebody has at a table; NotFound if there is nothing to compare."""
    row, seats = context.chain.row(number), context.seating.held_by(person)
    if not row.over or not row.result or len(seats) != 1:
        raise NotFound("only a finished match of one's own seat can be compared")
    spec = context.chain.spec
    with readable(f"match {number}"):
        kind = kind_of(spec, row.setup)
        score = msgspec.json.decode(row.result, type=Result).scores[seats[0]]
    other = await context.services.repository.best_score(person, spec.key, kind, (context.table, number))
    alone = not context.seating.others(person)
    title, following = earned(spec.titles[kind], score) if alone and kind in spec.titles else (None, None)
    return Best(score, other, title, following)


def kind_of(spec: GameSpec, setup: str) -> str:
    """Returns the kind of a match that starts from a setup as JSON."""
    return spec.kind(msgspec.json.decode(setup, type=spec.rules.Setup))
