"""All tables: making them, finding them, what can be read of them."""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeVar
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.games import GAME_SPECS, spec_of
from polyopolis.games.city_emblems import first_arms
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.entities import DailyDeck, Outage, PendingNotification, SeatEntity, TableEntity, as_json
from polyopolis.play.errors import ROW_ERRORS, Forbidden, NotFound, Sealed, readable
from polyopolis.play.history import personal_bests
from polyopolis.play.history.match_imports import ImportedRecord
from polyopolis.play.match.live_match import mark_imported_moves
from polyopolis.play.match.match_chain import emblems_of
from polyopolis.play.match.stored_json import check_table
from polyopolis.play.outages import OUTAGE_AFTER_MS
from polyopolis.play.response_cache import AnswerCache
from polyopolis.play.seats import rated_play, seating
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.social import chat, reactions
from polyopolis.play.table.due_notifications import is_waiting_for, still_open
from polyopolis.play.table.room import SiteServices, TableContext
from polyopolis.play.table.table import TURNED_AWAY, Table
from polyopolis.play.timing.pace import UNHURRIED
from polyopolis.play.version import VERSION
from polyopolis.play.wire.requests import BotSeat, Branch, CreateTable, Fork, Me
from polyopolis.play.wire.responses import (
    Beginning,
    Best,
    GameInfo,
    Hello,
    OpenTable,
    OpenTables,
    TableInfo,
    UnreadableTable,
)

logger = logging.getLogger(__name__)

Answer = TypeVar("Answer")

RECENT = 20
"""Tables on the home page."""
MANY = 200
"""And at most so many more where others wait."""
OPEN, LOOKED_AT = 40, 400
"""Tables on the list of open ones, and those from which they are taken."""
STALE = 7 * 86_400
"""Seconds after which one where nothing happened is not on it any more."""


class Lobby:
    def __init__(self, house: SiteServices, address: str = "") -> None:
        self._house = house
        self._keeper = house.keeper
        self._thinker = house.thinker
        self._clock = house.clock
        self._address = address
        self.unreadable: tuple[UnreadableTable, ...] = ()
        """What was left at the door and cannot be taken in."""
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()  # as long as somebody holds one
        self._inviting: AnswerCache[tuple[()], tuple[TableEntity, ...]] = AnswerCache(
            self._clock, lambda _: self.inviting()
        )
        self._broken = set[str]()
        """Tables of which it was written down that they cannot be read."""
        self._loading = asyncio.Lock()
        self._retiming = asyncio.Lock()
        self._counted: tuple[Outage, ...] | None = None
        """The outages after which all deadlines were set."""

    # Finding tables

    async def hello(self, person: str) -> Hello:
        """From rows alone: nothing is re-played."""
        rows = await self._listed(person)
        found = [self.introduced(row, person) for row in rows]
        seasoned = {row.game for row in rows if row.matches and (row.matches[-1].over or row.matches[-1].number)}
        return Hello(
            version=VERSION,
            address=self._address,
            games=tuple(self._game_info(sign, newcomer=sign.key not in seasoned) for sign in GAME_SPECS.values()),
            name=await self._keeper.name_of(person),
            tables=tuple(info for info in found if isinstance(info, TableInfo)),
            unreadable=(*(info for info in found if isinstance(info, UnreadableTable)), *self.unreadable),
        )

    async def _listed(self, person: str) -> tuple[TableEntity, ...]:
        """The last tables of somebody, and those before them where others wait for them."""
        rows = await self._keeper.tables_of(person, RECENT)
        if len(rows) < RECENT:
            return rows
        known, others = {row.id for row in rows}, await self._keeper.tables_with_others(person, MANY)
        older = (row for row in others if row.id not in known)
        return (
            *rows,
            *(row for row in older if self._of_row(row, lambda row: is_waiting_for(row, person), broken=True)),
        )

    async def still_open(self, person: str) -> tuple[tuple[str, PendingNotification], ...]:
        """What somebody is to be told of already, by table, who has said only now where."""
        rows, now = await self._keeper.tables_with_others(person, MANY), self._clock.now()
        none = tuple[PendingNotification, ...]()
        found = ((row.id, self._of_row(row, lambda row: still_open(row, person, now), none)) for row in rows)
        return tuple((table, notice) for table, notices in found for notice in notices)

    async def waiting(self, person: str) -> int:
        """At how many tables of their list somebody is to decide or to answer."""
        rows = await self._listed(person)
        return sum(self._of_row(row, lambda row: is_waiting_for(row, person), broken=False) for row in rows)

    def _of_row(self, row: TableEntity, read: Callable[[TableEntity], Answer], broken: Answer) -> Answer:
        """What is read of a row, or `broken` if it cannot be read."""
        try:
            check_table(row)
            return read(row)
        except ROW_ERRORS as error:
            self.note_broken(row.id, error)
            return broken

    def note_broken(self, table: str, error: Exception) -> None:
        """Write down once that a table cannot be read."""
        if table not in self._broken:
            self._broken.add(table)
            problem = str(error) if isinstance(error, PolyopolisError) else type(error).__name__
            beginning = f"table {table} cannot be read: "
            logger.warning("%s%s", beginning, problem.removeprefix(beginning))

    def _game_info(self, sign: GameSpec, newcomer: bool) -> GameInfo:
        plans = {name: tuple(plan) for name, plan in sign.plans(sign.versions[-1]).items()}
        seats, bots = tuple(sign.rules.seats), self._thinker.opponents(sign.key)
        usual, raters = self._thinker.usual(sign.key), self._house.raters
        first = self._thinker.beatable(sign.key) if newcomer else usual
        measured = tuple(bot for bot in bots if raters and raters.know(sign.key, bot))
        return GameInfo(sign.key, seats, bots, usual, first, plans, measured)

    async def list_table(self, person: str, key: str, listed: bool) -> None:
        """Whether a table is on somebody's own list. The table and its games stay as they are."""
        row = await self._keeper.table(key)
        if row is None:
            raise NotFound(f"there is no table {key!r}")
        if listed:
            await self._keeper.relist(person, key)
        else:
            await self._keeper.unlist(person, key, row.changed)
            if self._house.quotas:
                self._house.quotas.note_opened(key, row.changed)

    async def open_tables(self, person: str) -> OpenTables:
        """Returns where everybody is invited and somebody may sit down, those first where somebody waits now."""
        rows = await self._inviting.get(())
        away = await self._keeper.turned_away_from([row.id for row in rows], person)
        found = [(self.introduced(row, person), row) for row in rows if row.id not in away]
        free = [
            OpenTable(info, msgspec.Raw(row.setup.encode()))
            for info, row in found
            if isinstance(info, TableInfo) and not info.yours and _is_open(info)
        ]
        return OpenTables(tuple(sorted(free, key=lambda each: not any(seat.online for seat in each.table.seats))))

    async def inviting(self) -> tuple[TableEntity, ...]:
        """Reads where everybody is invited, a seat is free and nothing was played yet; those that were changed last.
        Whoever has opened many takes nobody else's place on the list."""
        found = await self._keeper.open_tables(self._clock.now() // 1000 - STALE, LOOKED_AT)
        before, order = Counter[Hashable](), list[tuple[float, int]]()
        for place, row in enumerate(found):
            networks = self._house.networks_of(row.maker or row.id)
            order.append((max(before[network] / multiple for network, multiple in networks), place))
            before.update(network for network, _ in networks)
        return tuple(found[place] for place in sorted(place for _, place in sorted(order)[:OPEN]))

    def introduced(self, row: TableEntity, person: str) -> TableInfo | UnreadableTable:
        """How a table introduces itself; one that cannot be read is named, and spoils nothing for the others."""
        try:
            return (self._tables.get(row.id) or self._table(row)).info(person)
        except ROW_ERRORS as error:
            self.note_broken(row.id, error)
            return UnreadableTable(row.id, row.game, str(error))

    def _table(self, row: TableEntity) -> Table:
        check_table(row)
        return Table(TableContext.of(row, self._house))

    async def table(self, key: str) -> Table:
        async with self._loading:
            table = self._tables.get(key)
            if table is None:
                table = await self._found(key)
                with readable(f"table {key}"):
                    await table.open()
                self._tables[key] = table
                if self._house.neighbours.any:
                    await table.update_attendance()
                return table
        if self._house.neighbours.any:
            with readable(f"table {key}"):
                await table.follow()
        return table

    async def visited(self, key: str, person: str | None) -> Table:
        """A table, for somebody who comes there."""
        table = await self.table(key)
        await self._admit(person, table.room)
        self._note_opened(table.room)
        return table

    async def read(self, key: str, person: str | None) -> TableContext:
        """A room, for somebody who reads there."""
        room = await self.room(key)
        await self._admit(person, room)
        self._note_opened(room)
        return room

    def _note_opened(self, room: TableContext) -> None:
        if self._house.quotas:
            self._house.quotas.note_opened(room.table, room.changed)

    async def _admit(self, person: str | None, room: TableContext) -> None:
        """How others play the game of the day is seen by nobody who may still play it so that it counts."""
        day, almanac = room.chain.daily, self._house.almanac
        if not (day and room.sealed and almanac) or room.seating.held_by(person):
            return
        if not (person and await almanac.has_played(day, room.chain.game.key, person)):
            raise Sealed("this is today's game: play your own to its end first, or come back tomorrow")

    @property
    def in_use(self) -> frozenset[str]:
        """The tables that somebody holds."""
        return frozenset(self._tables)

    async def room(self, key: str) -> TableContext:
        """Where a table is, for those who only read: nobody's match is re-played for them."""
        table = self._tables.get(key) or await self._found(key)
        return table.room

    async def _found(self, key: str) -> Table:
        row = await self._keeper.table(key)
        if row is None:
            raise NotFound(f"there is no table {key!r}")
        with readable(f"table {key}"):
            table = self._table(row)
            table.info(None)  # fails now, and not for whoever asks for it
        return table

    async def watches(self, person: str, key: str) -> bool:
        """Whether a table is open before somebody's eyes, here or at another node."""
        table = self._tables.get(key)
        here = table is not None and table.room.company.watches(person)
        return here or person in (await self._house.neighbours.crowd(key)).watching

    # Other nodes

    async def heard(self, versions: Mapping[str, int]) -> None:
        """These tables were changed so often; those that are held here and were not follow, all at once."""
        held = ((self._tables.get(key), version) for key, version in versions.items())
        behind = [table for table, version in held if table and table.room.version < version]
        await asyncio.gather(*map(self._follow, behind))

    async def _follow(self, table: Table) -> None:
        try:
            await table.follow()
        except ROW_ERRORS as error:
            table.room.doubtful = True
            self.note_broken(table.id, error)
        except Exception:
            table.room.doubtful = True
            logger.exception("table %s does not follow", table.id)

    async def met(self, tables: Iterable[str]) -> None:
        """Somebody has come to one of these at another node, or has left it."""
        for table in [self._tables[key] for key in tables if key in self._tables]:
            await table.update_attendance()

    async def overheard(self, key: str, word: str) -> None:
        """Something that was not kept with a table was said at another node."""
        table = self._tables.get(key)
        if table is None:
            return
        kind, _, about = word.partition("/")
        if kind == TURNED_AWAY:
            table.seats.tell_turned_away(about)
        elif kind == chat.SAID:
            await chat.overheard(table.room, about)
        else:
            await reactions.overheard(table.room, kind, about)

    async def adopt(self) -> None:
        """Bots that were to decide and think nowhere any more go on here."""
        node = self._house.neighbours.node
        for key in await self._keeper.adopt(node):
            try:
                table = await self.table(key)
            except ROW_ERRORS as error:
                logger.warning("no bot goes on: %s", error)
            else:
                if not table.adopt():
                    await self._keeper.rest(key, node)

    # Time

    async def sign(self, silence: int = OUTAGE_AFTER_MS) -> None:
        """The house is there. If it was not for longer than so many milliseconds, no clock has run meanwhile."""
        await self._house.life.sign(self._keeper, self._clock, silence)

    async def live(self) -> None:
        """For ever."""
        try:
            await self.on_time()
        except Exception as error:  # a keeper that is away for a while
            logger.warning("no clock was set: %s: %s", type(error).__name__, error)
        await self._house.life.go_on(self._keeper, self._clock, self.on_time)

    async def on_time(self) -> None:
        """Deadlines are as they are after all outages, also after one that nobody has noticed yet. For whoever tells
        people of deadlines: nobody else is in a hurry."""
        life = self._house.life
        async with self._retiming:
            if life.jump(self._clock):
                await life.sign(self._keeper, self._clock)
            if self._counted != life.outages:
                counting = life.outages
                await self.retime()
                self._counted = counting

    async def retime(self) -> None:
        """Deadlines are as they are after all outages that are known."""
        for key in await self._keeper.clocked():
            try:
                await (await self.table(key)).update_deadlines()
            except ROW_ERRORS as error:
                self.note_broken(key, error)

    # Making tables

    async def create(self, person: str, wish: CreateTable) -> Table:
        sign = spec_of(wish.game)
        setup = _setup(sign.rules, {**wish.setup, "seats": len(wish.seats)})
        if sign.rules.carried(setup):
            raise PolyopolisError("the setup: what a campaign leaves on boards cannot be wished for")
        _check_plan(sign, setup, wish.plan)
        for seat in wish.seats:
            if isinstance(seat, BotSeat):
                self._thinker.check(seat.bot)
        rows = seating.seats_from_request(wish.seats, person)
        if wish.plan and sign.named(setup, emblems_of(with_arms(rows))) != setup:
            rows = with_arms(rows)
        if wish.rated:
            rated_play.check_wish(wish)
            await rated_play.check(self._house.raters, sign.key, rows)
        await self._check_table(person)
        names = [seat.name for seat in wish.seats if isinstance(seat, Me)]
        if names:
            await self._keeper.remember(person, names[0])
        row = self._row(person, sign, as_json(setup), rows, as_json(wish.plan))
        pace = None if wish.pace in (None, UNHURRIED) else as_json(wish.pace)
        row = replace(row, typed=wish.luck == "typed", chosen_seed=wish.seed or None, pace=pace, rated=wish.rated)
        row = replace(row, invites=wish.invites, talk=wish.talk, outsiders=wish.outsiders or is_external_bot(person))
        table = await self._created(row)
        await table.start_if_full()
        return table

    async def _check_table(self, person: str) -> None:
        if self._house.quotas:
            await self._house.quotas.check_table(person)

    def _row(
        self, maker: str, sign: GameSpec, setup: str, seats: tuple[SeatEntity, ...], plan: str = "[]"
    ) -> TableEntity:
        now = self._clock.now() // 1000
        fresh = secrets.token_urlsafe(9)
        return TableEntity(
            id=fresh, game=sign.key, setup=setup, seats=seats, plan=plan, created=now, changed=now, maker=maker
        )

    async def _created(self, row: TableEntity) -> Table:
        await self._keeper.create(row)
        if row.invites:
            self._inviting.drop(())
        table = self._tables[row.id] = self._table(row)
        return table

    async def play_day(self, person: str, name: str, row: DailyDeck, key: str, *, practice: bool = False) -> Table:
        """The table of somebody for the game of a day; the same one if it was made before."""
        if practice or await self._keeper.table(key) is None:
            await self._check_table(person)
        bots = msgspec.json.decode(row.bots, type=tuple[str, ...])
        await self._keeper.remember(person, name)
        seats = seating.seats_from_request((Me(name), *map(BotSeat, bots)), person)
        new = self._row(person, spec_of(row.game), row.setup, seats)
        table = await self._created(replace(new, id=key or new.id, daily=row.day))
        await table.start_day(row, practice=practice)
        return table

    async def branch(self, person: str, table: Table, number: int, wish: Branch) -> Table:
        """A new table that plays on from a position: practice, with the same luck, bots in the other seats."""
        chain, rows = table.room.chain, table.room.seating.rows
        row = chain.row(number)
        if not ((row.over or row.practice) and chain.is_installed(row)):
            raise Forbidden("one can branch from a match that is finished or practice, of rules that are installed")
        match = (await chain.live(number)).match
        if wish.seat not in range(match.setup.seats) or wish.moves > len(match.moves):
            raise PolyopolisError(f"the match has {match.setup.seats} seats and {len(match.moves)} moves")
        start = match.rewound(wish.moves)
        if start.staged:
            raise PolyopolisError(f"after {wish.moves} moves some seats of the round have not decided")
        await self._check_table(person)
        seats = seating.seats_for_branch(rows, await self._newcomer(person, rows[wish.seat]), self._thinker.stand_in)
        new = self._row(person, chain.sign, row.setup, seats)
        luck = {"typed": chain.typed, "chosen_seed": chain.chosen_seed, "daily": chain.daily}
        branched = await self._created(replace(new, **luck))
        await branched.start_practice(mark_imported_moves(replace(row, standings=None), wish.moves), start.moves)
        return branched

    async def fork(self, person: str, table: Table, number: int, wish: Fork) -> Table:
        """A new table from the start of a finished episode, with other luck: that one as practice, or all the rest."""
        chain, rows = table.room.chain, table.room.seating.rows
        if not chain.plan or number not in range(len(chain.rows)) or not chain.rows[number].result:
            raise Forbidden("one can go on from an episode that is over")
        if wish.seat not in range(len(rows)):
            raise PolyopolisError(f"the table has no seat {wish.seat}")
        await self._check_table(person)
        alone, newcomer = wish.play == "practice", await self._newcomer(person, rows[wish.seat])
        seats = seating.seats_for_fork(rows, newcomer, self._thinker.stand_in, alone=alone)
        plan = as_json(() if alone else chain.plan[chain.episode(number) :])
        row = self._row(person, chain.sign, chain.rows[number].setup, seats, plan)
        forked = await self._created(replace(row, typed=chain.typed, imported=chain.imported and not alone))
        if alone:
            await forked.start_practice()
        else:
            await forked.start_if_full()
        return forked

    async def take_in(self, person: str, arrival: ImportedRecord) -> Table:
        """A table of what was played in another house; the same one for whoever brings the same again."""
        key = arrival.key_for(person)
        if await self._keeper.table(key):
            await self._keeper.relist(person, key)
        else:
            if self._house.quotas:
                await self._house.quotas.check_import(person, arrival.size)
            sign = spec_of(arrival.game)
            seats = seating.seats_for_import(arrival.players, arrival.arms, person, self._thinker.opponents(sign.key))
            row = self._row(person, sign, arrival.setup, seats, arrival.plan)
            row = replace(row, id=key, typed=arrival.typed, imported=arrival.is_campaign, matches=arrival.rows)
            await self._keeper.create(row, arrival.logs)
            if own := next((seat.name for seat in seats if seat.person and not seat.bot), None):
                await self._introduce(person, own)
        return await self.table(key)

    async def _introduce(self, person: str, name: str) -> None:
        if await self._keeper.name_of(person) is None:
            await self._keeper.remember(person, name)

    async def _newcomer(self, person: str, row: SeatEntity) -> seating.ForkOwner:
        return seating.ForkOwner(person, await self._keeper.name_of(person) or row.name, row.seat)

    # Scores

    async def best(self, person: str, table: Table, number: int) -> Best:
        """What a finished match is to somebody, beside their others."""
        return await personal_bests.best(self._keeper, table.room, person, number)


def beginning(key: str, fields: Mapping[str, str]) -> Beginning:
    """How a match of these fields begins, without a table; alone if nobody says for how many."""
    if key not in GAME_SPECS:
        raise NotFound(f"there is no game {key!r}")
    rules = GAME_SPECS[key].rules
    setup = _setup(rules, {"seats": rules.seats[0], **fields}, strict=False)  # in an address all is text
    return Beginning(setup, rules.view(rules.start(setup), None))


def with_arms(rows: tuple[SeatEntity, ...]) -> tuple[SeatEntity, ...]:
    """Every seat with a city that has a name and an animal, no two alike."""
    arms = [(row, first_arms(row.seat)) for row in rows]
    return tuple(replace(row, city=own.city, animal=own.animal) for row, own in arms)


def _setup(rules: AnyGame, fields: Mapping[str, Any], strict: bool = True) -> Any:
    try:
        return msgspec.convert(fields, rules.Setup, strict=strict)
    except msgspec.ValidationError as error:
        raise PolyopolisError(f"the setup: {error}") from error


def _check_plan(sign: GameSpec, setup: Any, plan: tuple[int, ...]) -> None:
    """A plan is one of those that the game knows, and its first episode can be played like this."""
    if plan and plan not in sign.plans(setup.content).values():
        raise PolyopolisError(f"{sign.key} has no plan {', '.join(map(str, plan))}")
    sign.rules.start(replace(setup, episode=plan[0]) if plan else setup)


def _is_open(info: TableInfo) -> bool:
    """Whether it still is: rows may be a second old."""
    return info.invites is not None and info.match is None and any(seat.kind == "open" for seat in info.seats)
