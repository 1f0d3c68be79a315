"""Point City has no campaign: standings only add up."""

from collections.abc import Sequence

from msgspec import UNSET

from polyopolis.engine import Line, Result, ranks
from polyopolis.games.pointcity.scoring import scores, total
from polyopolis.games.pointcity.state import Setup, State


def onward(setup: Setup, state: State) -> Setup | None:
    """Returns None: no match follows."""
    return None


def alike(setup: Setup, other: Setup) -> bool:
    """Returns whether setups are equal; the rules use all fields."""
    return setup == other


def carried(setup: Setup) -> bool:
    """Returns False: there are no earlier episodes."""
    return False


def standings(first: Setup, played: Sequence[State]) -> Result:
    """Returns sheets with a line for each match. The Automa has a sheet too."""
    results = [scores(state).scores for state in played]
    players = first.seats + (first.automa is not UNSET)
    sheets = tuple(
        tuple(Line(f"match-{number}", 1, points[player]) for number, points in enumerate(results, start=1))
        for player in range(players)
    )
    totals = tuple(total(sheet) for sheet in sheets)
    return Result(totals, ranks([-points for points in totals]), sheets)
