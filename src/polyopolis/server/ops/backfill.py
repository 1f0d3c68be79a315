"""Fills derived columns of matches of old versions at startup, once."""

import logging
from functools import partial

from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.match_results import MatchKey, store_missing_results_page

logger = logging.getLogger(__name__)


async def backfill_derived_columns(store: DatabaseMatchRepository) -> None:
    """Fills the derived columns of old matches. Matches that cannot be replayed stay unchanged."""
    waiting = await store.unstamped()
    for table in dict.fromkeys(table for table, _ in waiting):
        try:
            await _backfill_table(store, table)
        except Exception:  # a broken row must not affect other tables
            logger.exception("table %s cannot be read", table)


async def _backfill_table(store: DatabaseMatchRepository, table: str) -> None:
    row = await store.table(table)
    if row is None:
        return
    async for stamp in recompute_derived_columns(MatchChain(store, row)):
        if stamp.given is None:
            logger.warning("table %s: %s", table, stamp.problem)
        elif stamp.kept.rules is None:
            await store.stamp(table, stamp.given)


async def backfill_results(store: DatabaseMatchRepository, after: MatchKey | None) -> None:
    """Stores missing results of all matches after this one, in pages, so that moves are not delayed."""
    try:
        while after is not None:
            after = await store.write(partial(store_missing_results_page, after=after))
    except Exception:  # retried at the next start
        logger.exception("cannot store the results of some old matches; retrying at the next start")
