"""A trial: clients play while faults are injected, then the stored data is compared with the accepted decisions."""

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
from tests.fault_injection.players import Clients, Key, Player, create_tables
from tests.fault_injection.sites import Site

FAULT_INTERVAL_SECONDS = 1.0
"""Pause between two faults."""
TIMEOUT_SECONDS = 60.0
"""After the last fault every table must continue within this time."""


@dataclass(frozen=True)
class TrialOutcome:
    decisions: int
    """Decisions that clients saw accepted."""
    lost: int
    doubled: int
    broken: int
    """Matches whose replay differs from the stored derived columns."""
    stuck: int
    """Tables that do not continue."""
    troubles: int
    """The number of reconnects."""

    @property
    def good(self) -> bool:
        return not (self.lost or self.doubled or self.broken or self.stuck)

    def __str__(self) -> str:
        return (
            f"{self.decisions} decisions accepted, {self.lost} lost, {self.doubled} doubled, "
            f"{self.broken} matches broken, {self.stuck} tables stuck, {self.troubles} reconnects"
        )


async def run_trial(site: Site, fault: Callable[[], None], times: int, tables: int) -> TrialOutcome:
    await asyncio.to_thread(site.start)
    clients = Clients(site.urls)
    players = await create_tables(clients, tables)
    playing = [asyncio.create_task(player.play()) for player in players]
    await asyncio.sleep(FAULT_INTERVAL_SECONDS)
    for _ in range(times):
        await asyncio.to_thread(fault)
        await asyncio.sleep(FAULT_INTERVAL_SECONDS)
    stuck = await _stuck(clients, players)
    clients.open = False
    await asyncio.gather(*playing, return_exceptions=True)
    for node in site.nodes:
        await asyncio.to_thread(node.stop)
    lost, doubled, broken = await _count_errors(site.database, clients, players)
    return TrialOutcome(clients.decisions, lost, doubled, broken, stuck, clients.troubles)


async def _stuck(clients: Clients, players: list[Player]) -> int:
    """Returns the number of tables without a new accepted decision."""
    tables = {player.table for player in players}
    before = {table: _count_accepted(clients, table) for table in tables}
    end = monotonic() + TIMEOUT_SECONDS
    while monotonic() < end and any(_count_accepted(clients, table) <= before[table] for table in tables):
        await asyncio.sleep(0.1)
    return sum(_count_accepted(clients, table) <= before[table] for table in tables)


def _count_accepted(clients: Clients, table: str) -> int:
    return sum(len(actions) for key, actions in clients.accepted.items() if key[0] == table)


async def _count_errors(database: Path | str, clients: Clients, players: list[Player]) -> tuple[int, int, int]:
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
                    missing, more = await _compare_seat(store, (table, match.number, seat), clients)
                    lost, doubled = lost + missing, doubled + more
    finally:
        await store.close()
    return lost, doubled, broken


async def _compare_seat(store: DatabaseMatchRepository, key: Key, clients: Clients) -> tuple[int, int]:
    """Returns the number of accepted decisions of a seat that are not stored at their position, and the difference
    between stored decisions and the turn counter."""
    table, number, seat = key
    kept = await store.match(table, number)
    assert kept
    actions = [msgspec.json.decode(row.action) for row in kept.log if row.seat == seat and row.action]
    own = next((turn for turn in kept.turns if turn.seat == seat), None)
    if own and own.staged:
        actions.append(msgspec.json.decode(own.staged))
    accepted = clients.accepted.get(key, [])
    missing = sum(index >= len(actions) or actions[index] != action for index, action in enumerate(accepted))
    return missing, abs(len(actions) - (own.turn if own else 0))
