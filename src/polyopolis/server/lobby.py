"""All tables: making them, finding them, and who may sit where."""

import asyncio
import dataclasses
import secrets
import time
from collections.abc import Mapping, Sequence
from typing import Any
from weakref import WeakValueDictionary

import msgspec
from msgspec.structs import replace

from polyopolis.bots import bot, opponents, usual
from polyopolis.engine import AnyGame, Match, PolyopolisError, Result, derived, seed_of
from polyopolis.games import SIGNS, game, sign_of
from polyopolis.records import CampaignRecord, Record, campaign_record_of, record_of
from polyopolis.server.arms import arms_of, with_arms
from polyopolis.server.messages import (
    Beginning,
    BotSeat,
    Branch,
    CampaignInfo,
    CreateTable,
    Fork,
    Frame,
    GameInfo,
    HandOver,
    Hello,
    Join,
    Leave,
    Me,
    NameCity,
    Open,
    Played,
    PutBot,
    Replay,
    Return,
    SeatChange,
    Seated,
    UseCode,
)
from polyopolis.server.store import MatchRow, SeatRow, Store, TableRow
from polyopolis.server.table import Forbidden, Table, line_of, match_info, players_of
from polyopolis.server.thinking import FALLBACK, Thinker
from polyopolis.server.version import VERSION

CODE_SECONDS = 600
CODE_LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without those that look alike."""
RECENT = 20


class NotFound(PolyopolisError):
    """There is no such thing."""


class Lobby:
    def __init__(self, store: Store, thinker: Thinker, address: str) -> None:
        self._address = address
        self._store = store
        self._thinker = thinker
        self._tables: WeakValueDictionary[str, Table] = WeakValueDictionary()  # as long as somebody holds one
        self._loading = asyncio.Lock()

    async def hello(self, person: str) -> Hello:
        tables = [await self.table(key) for key in (await self._store.tables_of(person))[:RECENT]]
        return Hello(
            version=VERSION,
            address=self._address,
            games=tuple(
                GameInfo(key, tuple(sign.rules.seats), opponents(key), usual(key)) for key, sign in SIGNS.items()
            ),
            name=await self._store.name_of(person),
            tables=tuple(table.info(person) for table in tables),
        )

    async def table(self, key: str) -> Table:
        async with self._loading:
            table = self._tables.get(key)
            if table is None:
                row = await self._store.table(key)
                if row is None:
                    raise NotFound(f"there is no table {key!r}")
                table = self._tables[key] = Table(self._store, self._thinker, row)
                await table.load(row.matches)
            return table

    # Making tables

    async def create(self, person: str, wish: CreateTable) -> Table:
        rules = game(wish.game)
        setup = _setup(rules, {**wish.setup, "seats": len(wish.seats)})
        _check_plan(rules, setup, wish.plan)
        seats = tuple(_seat(number, seat, person) for number, seat in enumerate(wish.seats))
        if wish.plan and sign_of(rules.key).named(setup, arms_of(with_arms(seats))) != setup:
            seats = with_arms(seats)
        for seat in wish.seats:
            if isinstance(seat, Me):
                await self._store.remember(person, seat.name)
                break
        table = await self._created(
            TableRow(
                id=secrets.token_urlsafe(9),
                game=rules.key,
                setup=msgspec.json.encode(setup).decode(),
                chosen_seed=wish.seed or None,
                plan=msgspec.json.encode(wish.plan).decode(),
                typed=wish.luck == "typed",
                created=int(time.time()),
                seats=seats,
                matches=(),
            )
        )
        await self._start_if_full(table)
        return table

    async def _created(self, row: TableRow) -> Table:
        await self._store.create(row)
        table = self._tables[row.id] = Table(self._store, self._thinker, row)
        return table

    async def _start_if_full(self, table: Table) -> None:
        async with table.lock:
            if not table.matches and all(row.person or row.bot for row in table.seats):
                await table.start(_match_row(table))

    async def rematch(self, person: str, table: Table) -> None:
        """The next match of the chain, once the last one is over or was practice."""
        async with table.lock:
            if not table.info(person).yours:
                raise Forbidden("only somebody with a seat can ask for another match")
            playing = table.playing
            if not playing or not (playing.match.over or (playing.row.practice and not table.plan)):
                raise Forbidden("the match is not over")
            if table.next_setup() is None:
                raise Forbidden("the campaign is over")
            await table.start(_match_row(table))

    async def branch(self, person: str, table: Table, number: int, wish: Branch) -> Table:
        """A new table that plays on from a position: practice, with the same luck, bots in the other seats."""
        row, match = await self._match(table, number)
        if not (match.over or row.practice):
            raise Forbidden("one can branch from a match that is finished or practice")
        if wish.seat not in range(match.setup.seats) or wish.moves > len(match.moves):
            raise PolyopolisError(f"the match has {match.setup.seats} seats and {len(match.moves)} moves")
        start = match.rewound(wish.moves)
        if start.staged:
            raise PolyopolisError(f"after {wish.moves} moves some seats of the round have not decided")
        name = await self._store.name_of(person) or table.seats[wish.seat].name
        seats = tuple(
            replace(old, name=name, person=person, bot=None) if old.seat == wish.seat else _played_by_bot(old)
            for old in table.seats
        )
        branched = await self._created(
            TableRow(
                id=secrets.token_urlsafe(9),
                game=table.game.key,
                setup=row.setup,
                chosen_seed=table.chosen_seed,
                plan="[]",
                typed=table.typed,
                created=int(time.time()),
                seats=seats,
                matches=(),
            )
        )
        async with branched.lock:
            await branched.start(replace(row, number=0, practice=True), start.moves)
        return branched

    async def fork(self, person: str, table: Table, number: int, wish: Fork) -> Table:
        """A new table from the start of a finished episode, with other luck: that one as practice, or all the rest."""
        if number not in range(len(table.finished)) or not table.plan:
            raise Forbidden("one can go on from an episode that is over")
        if wish.seat not in range(len(table.seats)):
            raise PolyopolisError(f"the table has no seat {wish.seat}")
        played, practice = table.finished[number], wish.play == "practice"
        name = await self._store.name_of(person) or table.seats[wish.seat].name
        own = [row.seat for row in table.seats if row.person == person] or [wish.seat]
        seats = tuple(_forked(row, row.seat in own, person, name, practice) for row in table.seats)
        forked = await self._created(
            TableRow(
                id=secrets.token_urlsafe(9),
                game=table.game.key,
                setup=played.row.setup,
                chosen_seed=None,
                plan=msgspec.json.encode(() if practice else table.plan[number:]).decode(),
                typed=table.typed,
                created=int(time.time()),
                seats=seats,
                matches=(),
            )
        )
        if practice:
            async with forked.lock:
                await forked.start(replace(_match_row(forked), practice=True))
        await self._start_if_full(forked)
        return forked

    # Seats

    async def change_seat(self, person: str, table: Table, seat: int, wish: SeatChange) -> None:
        if seat not in range(len(table.seats)):
            raise NotFound(f"the table has no seat {seat}")
        async with table.lock:
            await table.change_seat(await self._changed(person, table, table.seats[seat], wish))
        await self._start_if_full(table)

    async def _changed(self, person: str, table: Table, row: SeatRow, wish: SeatChange) -> SeatRow:
        seated = bool(table.info(person).yours)
        own = row.person == person
        match wish:
            case Join(name):
                if row.person or row.bot:
                    raise Forbidden(f"seat {row.seat} is taken")
                await self._store.remember(person, name)
                return replace(row, name=name, person=person, bot=None)
            case Leave():
                if not (own or (seated and not row.person)):
                    raise Forbidden(f"seat {row.seat} is not yours")
                return replace(row, name="", person=None, bot=None)
            case PutBot(name):
                bot(name)
                if not (own or (seated and not (row.person and table.is_here(row.person)))):
                    raise Forbidden(f"seat {row.seat} belongs to somebody who is here")
                return replace(row, name=row.name if row.person else name, bot=name)
            case Return():
                if not own:
                    raise Forbidden(f"seat {row.seat} is not yours")
                return replace(row, bot=None)
            case HandOver(name):
                if not own:
                    raise Forbidden(f"seat {row.seat} is not yours")
                return replace(row, name=name, bot=None)
            case NameCity(city, animal):
                if not (own or (seated and not row.person)):
                    raise Forbidden(f"seat {row.seat} is not yours")
                _check_arms(table, row, animal)
                return replace(row, city=city.strip(), animal=animal)

    async def code(self, person: str, table: Table, seat: int) -> str:
        """A code that brings one's seat to another device or to another person."""
        if seat not in range(len(table.seats)) or table.seats[seat].person != person:
            raise Forbidden(f"seat {seat} is not yours")
        code = "".join(secrets.choice(CODE_LETTERS) for _ in range(8))
        await self._store.add_code(code, table.id, seat, int(time.time()) + CODE_SECONDS)
        return code

    async def use_code(self, person: str, wish: UseCode) -> Seated:
        found = await self._store.use_code(wish.code.strip().upper(), int(time.time()))
        if found is None:
            raise NotFound("this code does not exist, was used, or is too old")
        table, seat = await self.table(found[0]), found[1]
        async with table.lock:
            row = table.seats[seat]
            await table.change_seat(replace(row, name=wish.name or row.name, person=person, bot=None))
        await self._store.remember(person, wish.name or row.name)
        return Seated(table.id, seat)

    # Matches on paper

    async def _match(self, table: Table, number: int) -> tuple[MatchRow, Match]:
        row = await self._store.table(table.id)
        assert row
        if number not in range(len(row.matches)):
            raise NotFound(f"the table has no match {number}")
        if table.playing and table.playing.row.number == number:
            return table.playing.row, table.playing.match
        log, _ = await self._store.log(table.id, number)
        found = row.matches[number]
        setup = msgspec.json.decode(found.setup, type=table.game.Setup)
        return found, Match.replay(table.game, setup, line_of(table.game, log)[0])

    async def record(self, table: Table, number: int) -> Record:
        row, match = await self._match(table, number)
        return record_of(match, _players(row, table), row.seed or None)

    async def replay(self, table: Table, number: int) -> Replay:
        row, match = await self._match(table, number)
        return Replay(match_info(row, match), _players(row, table), tuple(frames(match)))

    def campaign(self, table: Table) -> CampaignInfo:
        _check_campaign(table)
        return CampaignInfo(tuple(_played(table, number) for number in range(len(table.finished))))

    def campaign_record(self, table: Table) -> CampaignRecord:
        """All episodes as one file; one that is still being played comes last, without its seed."""
        _check_campaign(table)
        running = [table.playing] if table.playing and not table.playing.match.over else []
        records = [
            record_of(one.match, _players(one.row, table), one.row.seed or None) for one in (*table.finished, *running)
        ]
        return campaign_record_of(table.campaign, records, table.names)


def frames(match: Match) -> list[Frame]:
    """A stop at the start and after every move of chance and every closed round."""
    at = Match.start(match.game, match.setup)
    found = [Frame(0, (), match.game.view(at.state, None))]
    for move in match.moves:
        before, at = at, at.decide(move.seat, move.action)
        if not at.staged:
            events = at.events[len(before.events) :]
            found.append(Frame(len(at.moves), events, match.game.view(at.state, None)))
    return found


def beginning(key: str, fields: Mapping[str, str]) -> Beginning:
    """How a match of these fields begins, without a table; alone if nobody says for how many."""
    if key not in SIGNS:
        raise NotFound(f"there is no game {key!r}")
    rules = SIGNS[key].rules
    setup = _setup(rules, {"seats": rules.seats[0], **fields}, strict=False)  # in an address all is text
    return Beginning(setup, rules.view(rules.start(setup), None))


def _setup(rules: AnyGame, fields: Mapping[str, Any], strict: bool = True) -> Any:
    try:
        return msgspec.convert(fields, rules.Setup, strict=strict)
    except msgspec.ValidationError as error:
        raise PolyopolisError(f"the setup: {error}") from error


def _check_campaign(table: Table) -> None:
    if not table.plan or not table.playing:
        raise NotFound("no campaign is played at this table")


def _played(table: Table, number: int) -> Played:
    one = table.finished[number]
    match, kept = one.match, sign_of(table.game.key).lasting
    return Played(
        number=number,
        setup=match.setup,
        practice=one.row.practice,
        players=_players(one.row, table),
        result=match.result,
        standings=_standings(table, number + 1),
        events=tuple(event for event in match.events if isinstance(event, kept)),
        view=table.game.view(match.state, None),
    )


def _standings(table: Table, episodes: int) -> Result:
    return dataclasses.replace(table.campaign, matches=table.campaign.matches[:episodes]).standings()


def _players(row: MatchRow, table: Table) -> tuple[str, ...]:
    """Who played a match; of those from before this was written down, who sits there now."""
    return msgspec.json.decode(row.players, type=tuple[str, ...]) or table.names


def _check_arms(table: Table, row: SeatRow, animal: str) -> None:
    if not row.city:
        raise Forbidden("cities have no names at this table")
    if any(other.animal == animal for other in table.seats if other.seat != row.seat):
        raise PolyopolisError(f"another city has the {animal}")


def _seat(number: int, wish: Me | Open | BotSeat, person: str) -> SeatRow:
    match wish:
        case Me(name):
            return SeatRow(number, name, person, None)
        case BotSeat(name):
            return _bot_row(number, name)
        case Open():
            return SeatRow(number, "", None, None)


def _forked(row: SeatRow, own: bool, person: str, name: str, practice: bool) -> SeatRow:
    """One's own city stays one's own and bots stay; cities of others are played by bots, or wait for friends."""
    if own:
        return replace(row, name=row.name if row.person == person else name, person=person, bot=None)
    if practice or not row.person:
        return _played_by_bot(row)
    return replace(row, name="", person=None, bot=None)


def _played_by_bot(row: SeatRow) -> SeatRow:
    name = row.bot or FALLBACK
    return replace(row, name=name, person=None, bot=name)


def _bot_row(seat: int, name: str) -> SeatRow:
    bot(name)
    return SeatRow(seat, name, None, name)


def _match_row(table: Table) -> MatchRow:
    setup = msgspec.json.encode(table.next_setup()).decode()
    return MatchRow(table.matches, setup, _seed(table), secrets.token_bytes(32), False, players_of(table.seats))


def _seed(table: Table) -> bytes:
    """32 random bytes, or what follows from a chosen seed; none where people type in the luck."""
    if table.typed:
        return b""
    if table.chosen_seed:
        return derived(seed_of(table.chosen_seed), "match", table.matches)
    return secrets.token_bytes(32)


def _check_plan(rules: AnyGame, setup: Any, plan: Sequence[int]) -> None:
    """A plan is one of those that the game knows, and its first episode can be played like this."""
    if plan and tuple(plan) not in sign_of(rules.key).plans(setup.content).values():
        raise PolyopolisError(f"{rules.key} has no plan {', '.join(map(str, plan))}")
    rules.start(replace(setup, episode=plan[0]) if plan else setup)
