"""Compiles the functions of batches ahead of their first use."""

from polyopolis.engine import seed_of
from polyopolis.lab.batch import batch_of
from polyopolis.lab.environment_ids import offer_of
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.position_batch import Cities

CITIES, DRAFTS = "mycity-eternal-v0", "pointcity-v0"
"""One id per program; the others use the same functions."""


def warm_batches() -> None:
    """Calls every function once, which fills the cache."""
    for name in (CITIES, DRAFTS):
        batch = batch_of(name, 1)
        batch.step(batch.choose())
        batch.wander(1)
    offer = offer_of(CITIES)
    table = GameTable.begun(offer, offer.seats[0]).dealt(seed_of("warm"))
    Cities.of([(table, min(table.due))]).choices()
