"""A player's result in a finished match, compared with their others of the same kind."""

import msgspec

from polyopolis.engine import Result
from polyopolis.games.game_spec import GameSpec
from polyopolis.games.titles import earned_title
from polyopolis.play.errors import NotFound, readable
from polyopolis.play.table.table_context import TableContext
from polyopolis.play.wire.responses import PersonalBest


async def best(context: TableContext, person: str, number: int) -> PersonalBest:
    """Compares the only seat of a person at a table. Raises `NotFound` if there is no such result."""
    row, seats = context.chain.row(number), context.seating.held_by(person)
    if not row.over or not row.result or len(seats) != 1:
        raise NotFound("only a finished match in a single seat of your own can be compared")
    spec = context.chain.spec
    with readable(f"match {number}"):
        kind = kind_of(spec, row.setup)
        score = msgspec.json.decode(row.result, type=Result).scores[seats[0]]
    other = await context.services.repository.best_score(person, spec.key, kind, (context.table, number))
    alone = not context.seating.others(person)
    title, following = earned_title(spec.titles[kind], score) if alone and kind in spec.titles else (None, None)
    return PersonalBest(score, other, title, following)


def kind_of(spec: GameSpec, setup: str) -> str:
    """The kind of a match with a setup in JSON. Scores are compared within a kind."""
    return spec.kind(msgspec.json.decode(setup, type=spec.rules.Setup))
