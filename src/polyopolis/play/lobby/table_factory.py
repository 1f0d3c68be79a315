"""Creates tables: new ones, branches and forks of played matches, daily games and imports."""

import secrets
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games import GAME_SPECS, spec_of
from polyopolis.games.city_emblems import default_emblem
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.entities import DailyDeck, SeatEntity, TableEntity, as_json
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.history.match_imports import ImportedRecord
from polyopolis.play.lobby.table_queries import TableQueries
from polyopolis.play.lobby.table_registry import TableRegistry
from polyopolis.play.match.live_match import mark_imported_moves
from polyopolis.play.match.match_chain import emblems_of
from polyopolis.play.seats import rated_play, seating
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.timing.pace import UNHURRIED
from polyopolis.play.wire.requests import BotSeat, Branch, CreateTable, Fork, OwnSeat
from polyopolis.play.wire.responses import MatchStart


class TableFactory:
    def __init__(self, services: SiteServices, tables: TableRegistry, queries: TableQueries) -> None:
        self._services = services
        self._repository = services.repository
        self._bot_service = services.bot_service
        self._tables = tables
        self._queries = queries

    async def create(self, person: str, wish: CreateTable) -> Table:
        spec = spec_of(wish.game)
        setup = _setup(spec.rules, {**wish.setup, "seats": len(wish.seats)})
        if spec.rules.carried(setup):
            raise PolyopolisError("the setup: boards of a campaign cannot be set directly")
        _check_plan(spec, setup, wish.plan)
        for seat in wish.seats:
            if isinstance(seat, BotSeat):
                self._bot_service.check(seat.bot)
        rows = seating.seats_from_request(wish.seats, person)
        if wish.plan and spec.named(setup, emblems_of(with_emblems(rows))) != setup:
            rows = with_emblems(rows)
        if wish.rated:
            rated_play.check_rateable(wish)
            await rated_play.check_players(self._services.ratings, spec.key, rows)
        await self._check_table(person)
        names = [seat.name for seat in wish.seats if isinstance(seat, OwnSeat)]
        if names:
            await self._repository.remember(person, names[0])
        row = self._row(person, spec, as_json(setup), rows, as_json(wish.plan))
        pace = None if wish.pace in (None, UNHURRIED) else as_json(wish.pace)
        row = replace(row, typed=wish.luck == "typed", chosen_seed=wish.seed or None, pace=pace, rated=wish.rated)
        row = replace(row, invites=wish.invites, talk=wish.talk, outsiders=wish.outsiders or is_external_bot(person))
        table = await self._created(row)
        await table.start_if_full()
        return table

    async def _check_table(self, person: str) -> None:
        if self._services.quotas:
            await self._services.quotas.check_table(person)

    def _row(
        self, maker: str, spec: GameSpec, setup: str, seats: tuple[SeatEntity, ...], plan: str = "[]"
    ) -> TableEntity:
        now = self._services.clock.now() // 1000
        fresh = secrets.token_urlsafe(9)
        return TableEntity(
            id=fresh, game=spec.key, setup=setup, seats=seats, plan=plan, created=now, changed=now, maker=maker
        )

    async def _created(self, row: TableEntity) -> Table:
        await self._repository.create(row)
        if row.invites:
            self._queries.forget_inviting()
        return self._tables.add(row)

    async def create_daily(self, person: str, name: str, row: DailyDeck, key: str, *, practice: bool = False) -> Table:
        """Creates the table of a person for a daily game, unless table `key` exists."""
        if practice or await self._repository.table(key) is None:
            await self._check_table(person)
        bots = msgspec.json.decode(row.bots, type=tuple[str, ...])
        await self._repository.remember(person, name)
        seats = seating.seats_from_request((OwnSeat(name), *map(BotSeat, bots)), person)
        new = self._row(person, spec_of(row.game), row.setup, seats)
        table = await self._created(replace(new, id=key or new.id, daily=row.day))
        await table.start_day(row, practice=practice)
        return table

    async def branch(self, person: str, table: Table, number: int, wish: Branch) -> Table:
        """Creates a practice table that goes on from a position, with the same deck and bots in the other seats."""
        chain, rows = table.context.chain, table.context.seating.rows
        row = chain.row(number)
        if not ((row.over or row.practice) and chain.is_installed(row)):
            raise Forbidden("only a finished or practice match with installed rules can be branched")
        match = (await chain.replay(number)).match
        if wish.seat not in range(match.setup.seats) or wish.moves > len(match.moves):
            raise PolyopolisError(f"the match has {match.setup.seats} seats and {len(match.moves)} moves")
        start = match.rewound(wish.moves)
        if start.staged:
            raise PolyopolisError(f"after {wish.moves} moves some seats of the round have not decided")
        await self._check_table(person)
        seats = seating.seats_for_branch(
            rows, await self._newcomer(person, rows[wish.seat]), self._bot_service.stand_in
        )
        new = self._row(person, chain.spec, row.setup, seats)
        luck = {"typed": chain.typed, "chosen_seed": chain.chosen_seed, "daily": chain.daily}
        branched = await self._created(replace(new, **luck))
        await branched.start_practice(mark_imported_moves(replace(row, standings=None), wish.moves), start.moves)
        return branched

    async def fork(self, person: str, table: Table, number: int, wish: Fork) -> Table:
        """Creates a table that repeats a finished episode for practice, or continues the campaign, with a new deck."""
        chain, rows = table.context.chain, table.context.seating.rows
        if not chain.plan or number not in range(len(chain.rows)) or not chain.rows[number].result:
            raise Forbidden("only a finished episode can be continued from")
        if wish.seat not in range(len(rows)):
            raise PolyopolisError(f"the table has no seat {wish.seat}")
        await self._check_table(person)
        alone, newcomer = wish.play == "practice", await self._newcomer(person, rows[wish.seat])
        seats = seating.seats_for_fork(rows, newcomer, self._bot_service.stand_in, alone=alone)
        plan = as_json(() if alone else chain.plan[chain.episode(number) :])
        row = self._row(person, chain.spec, chain.rows[number].setup, seats, plan)
        forked = await self._created(replace(row, typed=chain.typed, imported=chain.imported and not alone))
        if alone:
            await forked.start_practice()
        else:
            await forked.start_if_full()
        return forked

    async def import_record(self, person: str, imported: ImportedRecord) -> Table:
        """Creates the table of an imported record, unless this person has imported it before."""
        key = imported.key_for(person)
        if await self._repository.table(key):
            await self._repository.relist(person, key)
        else:
            if self._services.quotas:
                await self._services.quotas.check_import(person, imported.size)
            spec = spec_of(imported.game)
            seats = seating.seats_for_import(
                imported.players, imported.arms, person, self._bot_service.opponents(spec.key)
            )
            row = self._row(person, spec, imported.setup, seats, imported.plan)
            row = replace(row, id=key, typed=imported.typed, imported=imported.is_campaign, matches=imported.rows)
            await self._repository.create(row, imported.logs)
            if own := next((seat.name for seat in seats if seat.person and not seat.bot), None):
                await self._introduce(person, own)
        return await self._tables.table(key)

    async def _introduce(self, person: str, name: str) -> None:
        if await self._repository.name_of(person) is None:
            await self._repository.remember(person, name)

    async def _newcomer(self, person: str, row: SeatEntity) -> seating.ForkOwner:
        return seating.ForkOwner(person, await self._repository.name_of(person) or row.name, row.seat)


def initial_position(key: str, fields: Mapping[str, str]) -> MatchStart:
    """The position at the start of a match with these fields, by default for the smallest number of players."""
    if key not in GAME_SPECS:
        raise NotFound(f"there is no game {key!r}")
    rules = GAME_SPECS[key].rules
    setup = _setup(rules, {"seats": rules.seats[0], **fields}, strict=False)  # query parameters are text
    return MatchStart(setup, rules.view(rules.start(setup), None))


def with_emblems(rows: tuple[SeatEntity, ...]) -> tuple[SeatEntity, ...]:
    """The seats with the default city names and animals."""
    arms = [(row, default_emblem(row.seat)) for row in rows]
    return tuple(replace(row, city=own.city, animal=own.animal) for row, own in arms)


def _setup(rules: AnyGame, fields: Mapping[str, Any], strict: bool = True) -> Any:
    try:
        return msgspec.convert(fields, rules.Setup, strict=strict)
    except msgspec.ValidationError as error:
        raise PolyopolisError(f"the setup: {error}") from error


def _check_plan(spec: GameSpec, setup: Any, plan: tuple[int, ...]) -> None:
    """Raises `PolyopolisError` unless the game has the plan and its first episode allows the setup."""
    if plan and plan not in spec.plans(setup.content).values():
        raise PolyopolisError(f"{spec.key} has no plan {', '.join(map(str, plan))}")
    spec.rules.start(replace(setup, episode=plan[0]) if plan else setup)
