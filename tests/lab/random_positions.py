"""Random tables for tests."""

from hypothesis import strategies as st

from polyopolis.engine import Rng, derive_seed, seed_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.game_table import GameTable

QUICK = [name for name, offer in offers().items() if not offer.plan]
"""Single matches; the others are campaigns."""


def walked(offer: EnvironmentId, seats: int, seed: str, decisions: int) -> GameTable:
    """Returns a table after this number of random decisions, or at its end."""
    rng, luck = Rng(derive_seed(seed_of(seed), "bots", 0)), seed_of(seed)
    table = GameTable.begun(offer, seats).dealt(luck)
    for _ in range(decisions):
        if table.over:
            break
        seat = min(table.due)
        legal = [action for action in table.legal(seat) if not _ends(action)] or table.legal(seat)
        table = table.decide(seat, rng.choice(legal)).dealt(luck)
    return table


def _ends(action: object) -> bool:
    return type(action).__name__ == "Stop"


@st.composite
def tables(draw: st.DrawFn) -> GameTable:
    """Strategy: a random moment of a random environment."""
    offer = offers()[draw(st.sampled_from(QUICK))]
    seats = draw(st.sampled_from(offer.seats[:3]))
    return walked(offer, seats, str(draw(st.integers(0, 10**6))), draw(st.integers(0, 30 * seats)))
