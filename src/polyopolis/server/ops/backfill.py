"""Matches from before rules, content and results were written down get them when the server opens, once."""

import logging
from functools import partial

from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.match_results import Key, fill_some

logger = logging.getLogger(__name__)


async def catch_up(store: DatabaseMatchRepository) -> None:
    """One that cannot be re-played stays as it is: its table says so."""
    waiting = await store.unstamped()
    for table in dict.fromkeys(table for table, _ in waiting):
        try:
            await _stamp(store, table)
        except Exception:  # a broken row stops nobody else
            logger.exception("table %s cannot be read", table)


async def _stamp(store: DatabaseMatchRepository, table: str) -> None:
    row = await store.table(table)
    if row is None:
        return
    async for stamp in recompute_derived_columns(MatchChain(store, row)):
        if stamp.given is None:
            logger.warning("table %s: %s", table, stamp.problem)
        elif stamp.kept.rules is None:
            await store.stamp(table, stamp.given)


async def fill_results(store: DatabaseMatchRepository, after: Key | None) -> None:
    """Writes the results of all matches after this one that have none, a page at a time: people play meanwhile."""
    try:
        while after is not None:
            after = await store.write(partial(fill_some, after=after))
    except Exception:  # the next start begins anew
        logger.exception("some matches have no results yet")
