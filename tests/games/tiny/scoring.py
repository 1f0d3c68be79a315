"""The score: one point for each pip."""

from polyopolis.engine import Line, Result, ranks
from tests.games.tiny.state import State


def scores(state: State) -> Result:
    sheets = tuple((Line("pips", own, own),) for own in state.pips)
    return Result(state.pips, ranks([-own for own in state.pips]), sheets)
