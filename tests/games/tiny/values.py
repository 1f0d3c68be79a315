"""Evaluation of the tiny game: pips beyond the limit prevent further ones."""

from tests.games.tiny.content import content
from tests.games.tiny.state import State


def parts(state: State, seat: int) -> dict[str, float]:
    over = state.pips[seat] > content(state.setup.content).limit and state.rounds > 0
    return {"pips": float(state.pips[seat]), "wall": -2.0 * over}
