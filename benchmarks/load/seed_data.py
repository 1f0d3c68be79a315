"""Writes the data for a load test: tables with two players, and finished matches."""

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path
from time import time

import msgspec

from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import Campaign, Match, derive_seed, seed_of
from polyopolis.games import content_digest, spec_of
from polyopolis.play.entities import MatchEntity, SeatEntity, TableChange, TableEntity, as_json, log_entry
from polyopolis.play.match.live_match import LiveMatch, with_derived_columns
from polyopolis.server.auth.people import PersonRepository
from polyopolis.server.auth.session_cookies import Sessions
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

TABLES_PER_BATCH = 200
"""Number of tables created concurrently."""


class SeedData(msgspec.Struct, frozen=True):
    """Ids of tables and session cookies for a load test."""

    tables: tuple[str, ...]
    finished: tuple[str, ...]
    collector: str
    """Cookie of a guest with finished campaigns."""
    cookies: dict[str, str]
    """By person."""


class SeedPlan(msgspec.Struct, frozen=True):
    """Number of tables, matches and campaigns to write."""

    tables: int
    """Tables with two players and a running match."""
    finished: int = 0
    campaigns: int = 0
    """Finished campaigns of one guest."""
    stored: int = 0
    """More tables, which are not used."""
    game: str = "mycity"
    ended: str = "pointcity"
    """Game of the finished matches."""


async def write_seed_data(database: Path | str, plan: SeedPlan) -> SeedData:
    store = DatabaseMatchRepository(database)
    await store.open()
    sessions = Sessions(await PersonRepository(store).keys())
    live = list[TableEntity]()
    for first in range(0, plan.tables + plan.stored, TABLES_PER_BATCH):
        numbers = range(first, min(first + TABLES_PER_BATCH, plan.tables + plan.stored))
        live += await asyncio.gather(*(_create_started_table(store, plan.game, number) for number in numbers))
    del live[plan.tables :]
    finished, campaigns = plan.finished, plan.campaigns
    matches = [await _create_finished_match(store, plan.ended, number) for number in range(finished)]
    for number in range(campaigns):
        await _create_campaign(store, number)
    await store.close()
    people = [seat.person for table in live for seat in table.seats if seat.person]
    return SeedData(
        tables=tuple(table.id for table in live),
        finished=tuple(matches),
        collector=_cookie(sessions, "collector"),
        cookies={person: _cookie(sessions, person) for person in people},
    )


def _cookie(sessions: Sessions, person: str) -> str:
    return sessions.signed(sessions.of(person, f"of-{person}", int(time())))


async def _create_started_table(store: DatabaseMatchRepository, game: str, number: int) -> TableEntity:
    table = await _create_table(store, game, (f"{number}-0", f"{number}-1"))
    await _start_match(store, table)
    return table


async def _create_table(
    store: DatabaseMatchRepository, game: str, people: Sequence[str], plan: str = "[]", **fields: object
) -> TableEntity:
    rules = spec_of(game).rules
    setup = rules.Setup(seats=len(people), **fields)
    seats = tuple(SeatEntity(seat, person, person, None) for seat, person in enumerate(people))
    row = TableEntity(
        id=secrets.token_urlsafe(9), game=game, setup=as_json(setup), plan=plan, created=0, changed=0, seats=seats
    )
    await store.create(row)
    return row


async def _start_match(store: DatabaseMatchRepository, table: TableEntity) -> None:
    rules = spec_of(table.game).rules
    live = LiveMatch.start(_match_entity(table, 0, table.setup, secrets.token_bytes(32)), rules)
    live.begin(live.deal(live.match), 0)
    await store.start(
        table.id, live.row, tuple(log_entry(move, 0) for move in live.match.moves), TableChange(0, 0, None)
    )


def _match_entity(table: TableEntity, number: int, setup: str, seed: bytes) -> MatchEntity:
    rules = spec_of(table.game).rules
    return MatchEntity(
        number=number,
        setup=setup,
        seed=seed,
        bot_seed=b"",
        practice=False,
        rules=rules.version,
        content=content_digest(table.game, msgspec.json.decode(setup)["content"]),
    )


async def _create_finished_match(store: DatabaseMatchRepository, game: str, number: int) -> str:
    """Stores a finished match. Point City for four is the longest game, with the largest positions."""
    seats = 4 if game == "pointcity" else 2
    table = await _create_table(store, game, [f"guest {seat}" for seat in range(seats)])
    rules, seed = spec_of(game).rules, derive_seed(seed_of("load"), "match", number)
    setup = msgspec.json.decode(table.setup, type=rules.Setup)
    await _store_match(store, table, 0, play(rules, setup, ["random"] * seats, seed, seed), seed)
    return table.id


async def _store_match(
    store: DatabaseMatchRepository, table: TableEntity, number: int, match: Match, seed: bytes
) -> None:
    row = with_derived_columns(_match_entity(table, number, as_json(match.setup), seed), match)
    log = tuple(log_entry(move, 0) for move in match.moves)
    await store.start(table.id, row, log, TableChange(number, 0, None))


async def _create_campaign(store: DatabaseMatchRepository, number: int) -> None:
    """Stores a finished campaign."""
    spec = spec_of("mycity")
    plan = spec.plans(1)["campaign"]
    table = await _create_table(store, "mycity", ("collector", "guest"), as_json(plan), **spec.planned, episode=plan[0])
    campaign = Campaign(spec.rules, plan, msgspec.json.decode(table.setup, type=spec.rules.Setup))
    while not campaign.over:
        seed = derive_seed(seed_of(f"load {number}"), "match", len(campaign.matches))
        match = play(spec.rules, campaign.next_setup(), ["random"] * 2, seed, seed)
        await _store_match(store, table, len(campaign.matches), match, seed)
        campaign = campaign.add(match)
