"""One trial: people play, something happens again and again, and then it is counted what is kept."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.play.history.derived_columns import recompute_derived_columns
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.fault_injection.players import Key, Player, Town, sit_down
from tests.fault_injection.sites import Site

BETWEEN = 1.0
"""Seconds between two faults."""
PATIENCE = 60.0
"""Seconds after the last fault in which every table has to go on."""


@dataclass(frozen=True)
class Outcome:
    decisions: int
    """Accepted, as people were told."""
    lost: int
    doubled: int
    broken: int
    """Matches that do not re-play to what is kept beside them."""
    stuck: int
    """Tables that do not go on."""
    troubles: int
    """How often somebody had to come back."""

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.broken or self.stuck)

    def __str__(self) -> str:
        return (
            f"{self.decisions} decisions told, {self.lost} lost, {self.doubled} doubled, {self.broken} matches broken, "
            f"{self.stuck} tables stuck, {self.troubles} times somebody came back"
        )


async def tried(site: Site, fault: Callable[[], None], times: int, tables: int) -> Outcome:
    await asyncio.to_thread(site.start)
    town = Town(site.urls)
    players = await sit_down(town, tables)
    playing = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(BETWEEN)
    for _ in range(times):
        await asyncio.to_thread(fault)
        await asyncio.sleep(BETWEEN)
    stuck = await _stuck(town, players)
    town.open = False
    await asyncio.gather(*playing, return_exceptions=True)
    for node in site.nodes:
        await asyncio.to_thread(node.stop)
    lost, doubled, broken = await _counted(site.database, town, players)
    return Outcome(town.decisions, lost, doubled, broken, stuck, town.troubles)


async def _stuck(town: Town, players: list[Player]) -> int:
    """How many tables hear of no decision more."""
    tables = {player.table for player in players}
    before = {table: _told(town, table) for table in tables}
    end = monotonic() + PATIENCE
    while monotonic() < end and any(_told(town, table) <= before[table] for table in tables):
        await asyncio.sleep(0.1)
    return sum(_told(town, table) <= before[table] for table in tables)


def _told(town: Town, table: str) -> int:
    return sum(len(actions) for key, actions in town.accepted.items() if key[0] == table)


async def _counted(database: Path | str, town: Town, players: list[Player]) -> tuple[int, int, int]:
    store = DatabaseMatchRepository(database)
    lost = doubled = broken = 0
    try:
        for table in {player.table for player in players}:
            row = await store.table(table)
            assert row
            try:
                async for stamp in recompute_derived_columns(MatchChain(store, row)):
                    broken += bool(stamp.differences)
            except PolyopolisError:
                broken += 1
            for match in row.matches:
                for seat in range(len(row.seats)):
                    missing, more = await _compared(store, (table, match.number, seat), town)
                    lost, doubled = lost + missing, doubled + more
    finally:
        await store.close()
    return lost, doubled, broken


async def _compared(store: DatabaseMatchRepository, key: Key, town: Town) -> tuple[int, int]:
    """Decisions of a seat that were told and are not kept in their place, and those that are kept beyond its turns."""
    table, number, seat = key
    kept = await store.match(table, number)
    assert kept
    actions = [msgspec.json.decode(row.action) for row in kept.log if row.seat == seat and row.action]
    own = next((turn for turn in kept.turns if turn.seat == seat), None)
    if own and own.staged:
        actions.append(msgspec.json.decode(own.staged))
    told = town.accepted.get(key, [])
    missing = sum(index >= len(actions) or actions[index] != action for index, action in enumerate(told))
    return missing, abs(len(actions) - (own.turn if own else 0))
