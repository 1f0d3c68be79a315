"""Progress circles, and what one episode leaves to the next (MC-17, MC-20)."""

from collections.abc import Sequence

from msgspec import UNSET
from msgspec.structs import replace

from polyopolis.engine import Line, Result, ranks
from polyopolis.games.mycity.content import content
from polyopolis.games.mycity.scoring import reached_limit, scores, total
from polyopolis.games.mycity.state import Legacy, Setup, State


def circles(state: State) -> tuple[int, ...]:
    """Circles of a finished episode: for the first and the second rank (MC-20), and for reaching the limit (MC-17).

    With two players the one who is not first is one of the others.
    """
    by_rank = state.episode.rules.circles
    result = scores(state)
    worth = {1: by_rank.first, 2: by_rank.second if state.setup.seats > 2 else 0}
    return tuple(
        worth.get(rank, 0) + reached_limit(sheet) for rank, sheet in zip(result.ranks, result.sheets, strict=True)
    )


def onward(setup: Setup, state: State) -> Setup | None:
    """The next episode of a campaign, with what this one leaves on the boards."""
    if setup.play != "campaign" or setup.episode is UNSET or setup.episode == content(setup.content).numbers[-1]:
        return None
    return replace(setup, episode=setup.episode + 1, boards=_legacies(setup, state))


def _legacies(setup: Setup, state: State) -> tuple[Legacy, ...]:
    before = [Legacy()] * setup.seats if setup.boards is UNSET else setup.boards
    return tuple(Legacy(old.circles + new) for old, new in zip(before, circles(state), strict=True))


def standings(first: Setup, played: Sequence[State]) -> Result:
    """Most circles leads; a line of the sheet for each episode."""
    gained = [circles(state) for state in played]
    start = [0] * first.seats if first.boards is UNSET else [board.circles for board in first.boards]
    sheets = tuple(
        (
            Line("before", 1, start[seat]),
            *(Line(f"episode-{state.setup.episode}", 1, new[seat]) for state, new in zip(played, gained, strict=True)),
        )
        for seat in range(first.seats)
    )
    totals = tuple(total(sheet) for sheet in sheets)
    return Result(totals, ranks([-points for points in totals]), sheets)
