"""Writes the data for a load test: tables with two players, and finished matches."""

import asyncio
import secrets
from collections.abc import Sequence
from pathlib import Path
from time import time

import msgspec

from polyopolis.bots.tournaments.arena import play
from polyopolis.engine import Campaign, Match, derived, seed_of
from polyopolis.games import content_digest, sign_of
from polyopolis.play.entities import Entry, MatchRow, SeatRow, TableRow, as_json, log_row
from polyopolis.play.match.live_match import Live, stamped
from polyopolis.server.auth.people import People
from polyopolis.server.auth.session_cookies import Sessions
from polyopolis.server.storage.match_repository import Store

TOGETHER = 200
"""Number of tables created concurrently."""


class Prepared(msgspec.Struct, frozen=True):
    """Ids of tables and session cookies for a load test."""

    tables: tuple[str, ...]
    finished: tuple[str, ...]
    collector: str
    """Cookie of a guest with finished campaigns."""
    cookies: dict[str, str]
    """By person."""


class Wanted(msgspec.Struct, frozen=True):
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


async def prepared(database: Path | str, wanted: Wanted) -> Prepared:
    store = Store(database)
    await store.open()
    sessions = Sessions(await People(store).keys())
    live = list[TableRow]()
    for first in range(0, wanted.tables + wanted.stored, TOGETHER):
        numbers = range(first, min(first + TOGETHER, wanted.tables + wanted.stored))
        live += await asyncio.gather(*(_begun(store, wanted.game, number) for number in numbers))
    del live[wanted.tables :]
    finished, campaigns = wanted.finished, wanted.campaigns
    ended = [await _finished(store, wanted.ended, number) for number in range(finished)]
    for number in range(campaigns):
        await _campaign(store, number)
    await store.close()
    people = [seat.person for table in live for seat in table.seats if seat.person]
    return Prepared(
        tables=tuple(table.id for table in live),
        finished=tuple(ended),
        collector=_cookie(sessions, "collector"),
        cookies={person: _cookie(sessions, person) for person in people},
    )


def _cookie(sessions: Sessions, person: str) -> str:
    return sessions.signed(sessions.of(person, f"of-{person}", int(time())))


async def _begun(store: Store, game: str, number: int) -> TableRow:
    table = await _table(store, game, (f"{number}-0", f"{number}-1"))
    await _start(store, table)
    return table


async def _table(store: Store, game: str, people: Sequence[str], plan: str = "[]", **fields: object) -> TableRow:
    rules = sign_of(game).rules
    setup = rules.Setup(seats=len(people), **fields)
    seats = tuple(SeatRow(seat, person, person, None) for seat, person in enumerate(people))
    row = TableRow(
        id=secrets.token_urlsafe(9), game=game, setup=as_json(setup), plan=plan, created=0, changed=0, seats=seats
    )
    await store.create(row)
    return row


async def _start(store: Store, table: TableRow) -> None:
    rules = sign_of(table.game).rules
    live = Live.begun(_row(table, 0, table.setup, secrets.token_bytes(32)), rules)
    live.begin(live.deal(live.match), 0)
    await store.start(table.id, live.row, tuple(log_row(move, 0) for move in live.match.moves), Entry(0, 0, None))


def _row(table: TableRow, number: int, setup: str, seed: bytes) -> MatchRow:
    rules = sign_of(table.game).rules
    return MatchRow(
        number=number,
        setup=setup,
        seed=seed,
        bot_seed=b"",
        practice=False,
        rules=rules.version,
        content=content_digest(table.game, msgspec.json.decode(setup)["content"]),
    )


async def _finished(store: Store, game: str, number: int) -> str:
    """Stores a finished match. Point City for four is the longest game, with the largest positions."""
    seats = 4 if game == "pointcity" else 2
    table = await _table(store, game, [f"guest {seat}" for seat in range(seats)])
    rules, seed = sign_of(game).rules, derived(seed_of("load"), "match", number)
    setup = msgspec.json.decode(table.setup, type=rules.Setup)
    await _keep(store, table, 0, play(rules, setup, ["random"] * seats, seed, seed), seed)
    return table.id


async def _keep(store: Store, table: TableRow, number: int, match: Match, seed: bytes) -> None:
    row = stamped(_row(table, number, as_json(match.setup), seed), match)
    log = tuple(log_row(move, 0) for move in match.moves)
    await store.start(table.id, row, log, Entry(number, 0, None))


async def _campaign(store: Store, number: int) -> None:
    """Stores a finished campaign."""
    sign = sign_of("mycity")
    plan = sign.plans(1)["campaign"]
    table = await _table(store, "mycity", ("collector", "guest"), as_json(plan), **sign.planned, episode=plan[0])
    campaign = Campaign(sign.rules, plan, msgspec.json.decode(table.setup, type=sign.rules.Setup))
    while not campaign.over:
        seed = derived(seed_of(f"load {number}"), "match", len(campaign.matches))
        match = play(sign.rules, campaign.next_setup(), ["random"] * 2, seed, seed)
        await _keep(store, table, len(campaign.matches), match, seed)
        campaign = campaign.add(match)
