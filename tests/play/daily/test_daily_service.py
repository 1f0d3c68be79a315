"""The daily games: drawing, tries, secrecy, leaderboard and par."""

import asyncio
import json
import logging
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import closing
from datetime import date
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from sqlalchemy import insert

from polyopolis import bots
from polyopolis.engine import PolyopolisError, derive_seed
from polyopolis.games import BUILTIN_SPECS
from polyopolis.games.content_loader import ContentError
from polyopolis.games.daily_rotation import read_daily_variants, variant_of_day
from polyopolis.play.daily import daily_service
from polyopolis.play.daily.daily_par import GAMES
from polyopolis.play.daily.daily_service import MAX_LINES, DailyService, Leaderboard
from polyopolis.play.entities import DailyTry, Standing
from polyopolis.play.errors import Forbidden, NotFound, Sealed
from polyopolis.play.history.archive import MatchArchive
from polyopolis.play.in_memory import InlineExportWorker, NoCluster
from polyopolis.play.lobby import Lobby
from polyopolis.play.match.messages import AskHint, AskTakeback
from polyopolis.play.protocols import BotRequest
from polyopolis.play.seats.player_names import DELETED_NAME
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.timing.utc_days import add_days, day_at, day_end, day_start, streak_of
from polyopolis.play.wire.requests import Branch, HandOver, Leave, PutBot
from polyopolis.play.wire.responses import LeaderboardEntry
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.auth.seat_codes import SeatCodeService
from polyopolis.server.storage import schema
from polyopolis.server.storage.daily_repository import DatabaseDailyRepository
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import FirstActionBots, ManualClock, Page, send_action, settle, until
from tests.server.support.database_cost import count_cost

pytestmark = pytest.mark.anyio
TODAY = "2026-11-16"
NOON = day_start(TODAY) + 12 * 3_600_000
GAME = "rollwrite"
STOP = {"type": "stop"}


class Site:
    """A node of a site with daily games, on a database that nodes share."""

    def __init__(self, store: DatabaseMatchRepository, clock: ManualClock) -> None:
        self.store, self.clock, self.bot_service = store, clock, FirstActionBots()
        self.daily_repository = DatabaseDailyRepository(store)
        services = SiteServices(store, self.bot_service, clock, NoCluster(), 60, daily_repository=self.daily_repository)
        self.lobby = Lobby(services)
        self.daily = DailyService(services, self.lobby, self.daily_repository)
        self.library = MatchArchive(InlineExportWorker())

    @property
    def today(self) -> str:
        return self.daily.today

    async def play(self, person: str, game: str = GAME, day: str | None = None) -> tuple[Table, Page]:
        table = await self.daily.play(person, person, day or self.today, game)
        page = Page(person)
        await table.arrive(page)
        return table, page

    async def finished(self, person: str, rounds: int = 1) -> tuple[Table, Page]:
        """Plays a try that ends after some buildings."""
        table, page = await self.play(person)
        for _ in range(rounds):
            await build(table, page)
        await send_action(table, page, 0, STOP)
        return table, page

    async def lines(self, person: str = "nobody", day: str | None = None) -> list[tuple[str, int]]:
        info = await self.game(person, day)
        return [(line.name, line.score) for line in info.lines]

    async def game(self, person: str, day: str | None = None) -> Any:
        info = await self.daily.day(person, day or self.today)
        return next(found for found in info.games if found.game == GAME)

    def night(self, days: int = 1) -> None:
        self.clock.shift(days * 86_400)


async def build(table: Table, page: Page) -> None:
    assert table.session
    live = table.session.live
    choices = live.game.legal(live.match.state, 0)
    await send_action(
        table, page, 0, next((choice for choice in choices if choice.__struct_config__.tag == "place"), choices[0])
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "polyopolis.sqlite"


@pytest.fixture
async def site(path: Path) -> AsyncIterator[Site]:
    store, clock = DatabaseMatchRepository(path), ManualClock()
    await store.open()
    clock.time = NOON
    found = Site(store, clock)
    await found.daily.draw()
    yield found
    await store.close()


def first_row(table: Table) -> Any:
    return table.context.chain.rows[0]


def row_of(table: Table) -> Any:
    """The row of the current match."""
    assert table.context.chain.last
    return table.context.chain.last


# Drawing


@pytest.mark.parametrize("sign", BUILTIN_SPECS, ids=lambda sign: sign.key)
def test_every_daily_setup_can_be_played(sign: Any) -> None:
    assert sign.daily
    for occasion in sign.daily:
        sign.rules.start(msgspec.convert({**occasion.setup, "seats": occasion.seats}, sign.rules.Setup))
        for bot in occasion.bots:
            assert bot in bots.opponents(sign.key)


def test_daily_occasions_rotate(tmp_path: Path) -> None:
    first = date(2026, 11, 16)
    days = BUILTIN_SPECS[-1].daily
    found = [variant_of_day(days, first.toordinal() + number) for number in range(2 * len(days))]
    assert found[: len(days)] == found[len(days) :]
    assert {occasion.setup["episode"] for occasion in found} == set(range(1, 13))
    (tmp_path / "daily.toml").write_text("days = []")
    with pytest.raises(ContentError, match="there is at least one variant"):
        read_daily_variants(tmp_path)


async def test_concurrent_draws_of_two_nodes_agree(path: Path) -> None:
    stores, clock = [DatabaseMatchRepository(path), DatabaseMatchRepository(path)], ManualClock()
    await stores[0].open()
    clock.time = NOON
    sites = [Site(store, clock) for store in stores]
    await asyncio.gather(*(site.daily.draw() for site in sites for _ in range(3)))
    seen = [await DatabaseDailyRepository(store).day(TODAY) for store in stores]
    assert seen[0] == seen[1]
    assert len(seen[0]) == len(BUILTIN_SPECS)
    assert len({row.seed for row in seen[0]}) == len(BUILTIN_SPECS)
    (one, _), (other, _) = await asyncio.gather(*(site.play("Ada") for site in sites))
    assert one.id == other.id, "both nodes return the same try"
    assert first_row(one).seed == first_row(other).seed
    for store in stores:
        await store.close()


async def test_the_seed_of_a_day_is_committed_before_it_and_published_after_it(site: Site) -> None:
    tomorrow = (await site.daily.day("Ada", TODAY)).tomorrow
    assert len(tomorrow) == len(BUILTIN_SPECS)
    assert not (await site.game("Ada")).promised, "the first day was drawn too late"
    with pytest.raises(NotFound):
        await site.daily.day("Ada", add_days(TODAY))
    with pytest.raises(NotFound):
        await site.play("Ada", day=add_days(TODAY))
    for unknown in ("2020-01-01", "16.11.2026", "../secret"):
        with pytest.raises(NotFound):
            await site.daily.day("Ada", unknown)
    await site.daily.draw()
    site.night()
    now = await site.daily.day("Ada", site.today)
    assert {game.game: game.commitment for game in now.games} == {each.game: each.commitment for each in tomorrow}
    assert all(game.promised and game.seed is None for game in now.games)
    site.night()
    for game in (await site.daily.day("Ada", add_days(TODAY))).games:
        assert sha256(bytes.fromhex(game.seed or "")).hexdigest() == game.commitment


# Tries


async def test_all_players_get_the_same_deck_and_the_first_try_counts(site: Site) -> None:
    (ada, _), (ben, _) = await site.play("Ada"), await site.play("Ben")
    assert (first_row(ada).seed, first_row(ada).bot_seed) == (first_row(ben).seed, first_row(ben).bot_seed)
    assert first_row(ada).setup == first_row(ben).setup
    assert first_row(ada).bot_seed == derive_seed(first_row(ada).seed, "bots", 0)
    assert not first_row(ada).practice
    again, page = await site.play("Ada")
    assert again.id == ada.id, "the try is resumed"
    assert again.context.chain.count == 1
    await send_action(again, page, 0, STOP)
    assert (await site.game("Ada")).mine.status == "counted"
    more, page = await site.play("Ada")
    assert more.id == ada.id
    assert (row_of(more).number, row_of(more).practice, row_of(more).practice_for) == (1, True, "day")
    assert row_of(more).seed == first_row(more).seed
    await build(more, page)
    await send_action(more, page, 0, STOP)
    assert len(await site.lines()) == 1


async def test_daily_bots_repeat_their_decisions_in_equal_positions(site: Site) -> None:
    asked = {}
    for person in ("Ada", "Ben"):
        table, page = await site.play(person, "mycity")
        await build(table, page)

        def own(table: Table = table) -> list[BotRequest]:
            return [question for question in site.bot_service.asked if question.place.startswith(table.id)]

        await until(lambda own=own: len(own()) == 2)  # type: ignore[misc]
        asked[person] = [(question.seat, question.seed, question.match.moves) for question in own()]
        assert [(row.name, row.bot) for row in table.context.seating.rows] == [(person, None), ("level-2", "level-2")]
    assert asked["Ada"] == asked["Ben"]
    assert len(asked["Ada"]) == 2


async def test_a_try_resumes_if_its_table_was_not_created(site: Site) -> None:
    await site.daily_repository.begin(DailyTry(day=TODAY, game=GAME, person="Ada", table="half"))
    table, _ = await site.play("Ada")
    assert table.id == "half"
    assert not first_row(table).practice


async def test_a_hint_makes_a_try_practice(site: Site) -> None:
    table, page = await site.play("Ada")
    await table.handle(page, AskHint(1, 0))
    await until(lambda: page.last["type"] == "hint")
    await send_action(table, page, 0, STOP)
    assert ((await site.game("Ada")).mine.status, await site.lines()) == ("practice", [])
    table, page = await site.play("Ben")
    await build(table, page)
    await build(table, page)
    await table.handle(page, AskTakeback(0))
    await send_action(table, page, 0, STOP)
    assert ((await site.game("Ben")).mine.status, await site.lines()) == ("practice", [])


async def test_the_end_of_a_try_cannot_be_taken_back(site: Site) -> None:
    """Stopping reveals nothing and can usually be taken back; here the player could have seen the tries of others."""
    table, page = await site.finished("Ada")
    await table.handle(page, AskTakeback(0))
    assert (page.last["type"], page.last["reason"]["code"]) == ("refused", "day-is-played")
    assert row_of(table).over
    assert len(await site.lines()) == 1
    again, page = await site.finished("Ada")
    await again.handle(page, AskTakeback(0))
    assert not row_of(again).over, "practice can be taken back"


async def test_seats_of_a_daily_game_are_fixed_until_the_day_is_over(site: Site) -> None:
    table, _ = await site.play("Ada")
    codes = SeatCodeService(site.store, site.lobby.tables, site.clock)
    for wish in (Leave(), PutBot("first")):
        with pytest.raises(Forbidden, match="before the day is over"):
            await table.change_seat("Ada", 0, wish)
    with pytest.raises(Forbidden, match="before the day is over"):
        await codes.make("Ada", table, 0)
    with pytest.raises(Forbidden, match="before the day is over"):
        await table.give_seat(0, "Ben", None)
    await table.change_seat("Ada", 0, HandOver("Ada the Great"))
    await send_action(table, Page("Ada"), 0, STOP)
    assert [name for name, _ in await site.lines()] == ["Ada the Great"]
    site.night()
    await codes.make("Ada", table, 0)


async def test_a_try_that_ends_after_midnight_is_not_on_the_leaderboard(site: Site) -> None:
    site.clock.time = day_end(TODAY) - 1_000
    early, page = await site.finished("Ada")
    late, other = await site.play("Ben")
    site.clock.time = day_end(TODAY)
    await send_action(late, other, 0, STOP)
    assert [name for name, _ in await site.lines("Ben", TODAY)] == ["Ada"]
    mine = (await site.game("Ben", TODAY)).mine
    assert (mine.status, mine.score is not None) == ("late", True)
    days = await site.daily.mine("Ada")
    assert ([(one.day, one.status) for one in days.tries], days.streak) == ([(TODAY, "counted")], 1)
    assert (await site.daily.mine("Ben")).streak == 0
    old, page = await site.play("Ada", day=TODAY)
    assert old.id != early.id
    assert (row_of(old).practice_for, row_of(old).seed) == ("day", first_row(early).seed)
    await send_action(old, page, 0, STOP)
    assert page.last["scene"]["match"]["seed"] == first_row(early).seed.hex()
    assert len(await site.lines(day=TODAY)) == 1
    new, _ = await site.play("Ada")
    assert first_row(new).seed != first_row(early).seed


# Secrecy


async def everything(site: Site, person: str, tables: list[Table], pages: list[Page]) -> bytes:
    """All bytes that a player who has finished today's game can get."""
    found = [message for page in pages for message in page.sent]
    for table in tables:
        seen = await site.lobby.tables.visit(table.id, person)
        room = await site.lobby.tables.read(table.id, person)
        welcome = Page(person)
        await seen.arrive(welcome)
        found += [*welcome.sent, msgspec.json.encode(seen.info(person))]
        for number in range(table.context.chain.count):
            found += [
                await site.library.record(room, number),
                await site.library.replay(room, number),
                await site.library.frames(room, number, 0),
                await site.library.heard(room, number, 0),
                await site.library.course(room, number),
            ]
    found += [
        msgspec.json.encode(part) for part in (await site.daily.day(person, TODAY), await site.daily.mine(person))
    ]
    return b"\n".join([*found, msgspec.json.encode(await site.lobby.queries.hello(person))])


async def test_no_response_contains_the_seed_before_the_day_is_over(site: Site) -> None:
    table, page = await site.finished("Ada")
    _, again = await site.play("Ada")
    await send_action(table, again, 0, STOP)
    branched = await site.lobby.factory.branch("Ada", table, 0, Branch(moves=1, seat=0))
    there = Page("Ada")
    await branched.arrive(there)
    await send_action(branched, there, 0, STOP)
    seeds = [*(row.seed for row in await site.daily_repository.day(TODAY)), first_row(table).bot_seed]
    seeds += [row.seed for row in await site.daily_repository.day(add_days(TODAY))]
    seen = await everything(site, "Ada", [table, branched], [page, again, there])
    assert all(json.loads(record).get("over", True) for record in seen.split(b"\n") if record.startswith(b'{"type"'))
    for seed in seeds:
        assert seed.hex().encode() not in seen
        assert seed not in seen
    commitment = sha256(first_row(table).seed).hexdigest().encode()
    assert seen.count(commitment) > 10
    site.night()
    after_it = await everything(site, "Ada", [table, branched], [])
    assert after_it.count(first_row(table).seed.hex().encode()) >= 10, "the seed is public"
    assert first_row(table).bot_seed.hex().encode() not in after_it


async def test_tries_of_others_are_hidden_until_the_own_try_is_over(site: Site) -> None:
    table, _ = await site.finished("Ada")
    branched = await site.lobby.factory.branch("Ada", table, 0, Branch(moves=1, seat=0))
    for person in ("Ben", None):
        for found in (table, branched):
            with pytest.raises(Sealed):
                await site.lobby.tables.visit(found.id, person)
            with pytest.raises(Sealed):
                await site.lobby.tables.read(found.id, person)
    assert [line.table for line in (await site.game("Ben")).lines] == [None]
    own, page = await site.play("Ben")
    with pytest.raises(Sealed):
        await site.lobby.tables.visit(table.id, "Ben")
    await send_action(own, page, 0, STOP)
    assert (await site.lobby.tables.visit(table.id, "Ben")).id == table.id
    assert {line.table for line in (await site.game("Ben")).lines} == {table.id, own.id}
    with pytest.raises(Sealed):
        await site.lobby.tables.visit(table.id, "Cleo")
    site.night()
    assert (await site.lobby.tables.read(branched.id, None)).table == branched.id


# Leaderboard


async def test_the_leaderboard_rejects_tries_that_cannot_be_replayed(
    site: Site, path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tables = {
        name: (await site.finished(name, rounds))[0].id
        for rounds, name in enumerate(["Ada", "Ben", "Cleo", "Dan", "Eve"])
    }

    def forge(statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(path)) as db, db:
            assert db.execute(statement, values).rowcount == 1

    result = json.loads(row_of(await site.lobby.tables.table(tables["Ben"])).result)
    forged = json.dumps({**result, "scores": [99]})
    forge('UPDATE matches SET result = ? WHERE "table" = ?', forged, tables["Ben"])
    forge(
        'UPDATE log SET action = ? WHERE "table" = ? AND number = 0',
        '{"type":"roll","faces":["corner","blank","residential"]}',
        tables["Cleo"],
    )
    forge('UPDATE matches SET seed = ? WHERE "table" = ?', b"x" * 32, tables["Dan"])
    forge('DELETE FROM log WHERE "table" = ? AND number = 1', tables["Eve"])
    with caplog.at_level(logging.WARNING):
        assert [name for name, _ in await site.lines("Ben")] == ["Ada"]
    assert [record.levelname for record in caplog.records] == ["WARNING"] * 4
    assert all(table in caplog.text for name, table in tables.items() if name != "Ada")
    mine = (await site.game("Ben")).mine
    assert (mine.status, mine.score) == ("refused", None)
    caplog.clear()
    assert len(await site.lines()) == 1
    assert not caplog.records, "each try is verified once"


def counted(person: str, score: int, name: str | None = None) -> DailyTry:
    about = {"day": TODAY, "game": GAME, "table": f"t-{person}"}
    return DailyTry(person=person, verdict="counted", score=score, name=person if name is None else name, **about)


def board_of(tries: Sequence[DailyTry], par: float | None = None) -> Leaderboard:
    best = sorted(tries, key=lambda one: (-(one.score or 0), one.name, one.person))
    return Leaderboard(Standing(Counter(one.score or 0 for one in tries), tuple(best[:MAX_LINES])), par)


def test_ranks_percentiles_and_par() -> None:
    tries = [counted(*each) for each in (("Ada", 30), ("Ben", 24), ("Cleo", 24), ("Dan", 10))]
    lines = board_of(tries, 24.5).lines(tries[2], shown=True)
    assert [(line.rank, line.name, line.percentile, line.above) for line in lines] == [
        (1, "Ada", 100, 5.5),
        (2, "Cleo", 50, -0.5),
        (2, "Ben", 50, -0.5),
        (4, "Dan", 0, -14.5),
    ]
    alone = board_of(tries[:1]).lines(None, shown=False)[0]
    assert (alone.percentile, alone.above, alone.yours, alone.table) == (None, None, False, None)
    many = [counted(str(number), 1000 - number) for number in range(300)]
    assert [line.rank for line in board_of(many).lines(many[250], shown=True)] == [*range(1, 101), 251]


def whole_board(tries: Sequence[DailyTry], person: str, par: float) -> list[LeaderboardEntry]:
    """A naive leaderboard: all pairs compared, sorted, and cut."""
    lines = list[LeaderboardEntry]()
    for one in tries:
        score = one.score or 0
        fewer = sum((other.score or 0) < score for other in tries)
        equal = sum(other.score == score for other in tries)
        percentile = round(100 * (fewer + (equal - 1) / 2) / (len(tries) - 1)) if len(tries) > 1 else None
        rank, above = 1 + len(tries) - fewer - equal, round(score - par, 1)
        lines.append(LeaderboardEntry(rank, one.name or "", score, percentile, above, one.person == person, one.table))
    lines.sort(key=lambda line: (line.rank, not line.yours, line.name))
    return [line for place, line in enumerate(lines) if place < MAX_LINES or line.yours]


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def daily_repository(request: pytest.FixtureRequest, path: Path) -> AsyncIterator[DatabaseDailyRepository]:
    store = DatabaseMatchRepository(path if request.param == "file" else request.getfixturevalue("new_site")())
    await store.open()
    yield DatabaseDailyRepository(store)
    await store.close()


async def test_the_database_leaderboard_agrees_with_a_naive_one(
    daily_repository: DatabaseDailyRepository, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Few scores, so that there are many ties, also at the cut; names sorted by code points."""
    luck, names = Random(7), ["Zoe", "ada", "Ärmel", "Ben", "-", "élan", "中", ""]
    for number in range(40):
        monkeypatch.setattr(daily_service, "MAX_LINES", most := luck.randint(1, 6))
        monkeypatch.setitem(globals(), "MAX_LINES", most)
        day, people = add_days(TODAY, number), [f"p{person}" for person in range(luck.randint(1, 12))]
        tries = [
            replace(counted(person, luck.randint(0, 4), f"{luck.choice(names)}{person}"), day=day) for person in people
        ]
        for one in tries:
            await daily_repository.begin(replace(one, verdict=None, score=None, name=None))
            await daily_repository.judge(one)
        for person, verdict in (("late", "late"), ("refused", "refused")):
            await daily_repository.begin(replace(tries[0], person=person, verdict=None))
            await daily_repository.judge(replace(tries[0], person=person, verdict=verdict, score=9))
        found = Leaderboard(await daily_repository.standing(day, GAME, most), 2.5)
        assert found.counted == len(tries)
        for own in (*tries, None):
            person = own.person if own else "nobody"
            assert list(found.lines(own, shown=True)) == whole_board(tries, person, 2.5)


async def test_a_leaderboard_is_read_once_for_concurrent_readers(site: Site, path: Path) -> None:
    """Only the shown rows are read, and the own place is always right."""
    for person in ("Ada", "Ben"):
        await site.finished(person)
        await site.game(person)
    own = (await site.daily_repository.own_tries(TODAY, [GAME], "Ada"))[0]
    rows = [
        {"day": TODAY, "game": GAME, "person": f"p{number}", "table": f"t{number}", "verdict": "counted"}
        | {"score": (own.score or 0) + 1 + number % 7, "name": f"P{number}"}
        for number in range(500)
    ]
    await site.store.write(lambda db: db.execute(insert(schema.tries), rows))
    site.clock.advance(1)
    with count_cost() as cost:
        infos = await asyncio.gather(*(site.game(person) for person in ("Ada", "Ben", *"abcdef")))
    assert len(cost.of("FROM tries", "GROUP BY")) == len(BUILTIN_SPECS)
    assert len(cost.of("FROM tries", "ORDER BY", "LIMIT")) == len(BUILTIN_SPECS)
    assert len(cost.of("FROM matches")) == 0, "no try is verified again"
    assert [len(info.lines) for info in infos] == [MAX_LINES + 1, MAX_LINES + 1, *[MAX_LINES] * 6]
    ada = infos[0].lines[-1]
    assert (ada.yours, ada.name, ada.rank, ada.percentile) == (True, "Ada", 501, 0)
    assert all(info.counted == 502 for info in infos)
    assert [line.yours for info in infos[2:] for line in info.lines].count(True) == 0
    tables = {line.table for line in infos[2].lines}
    assert tables == {None}, "links are hidden before the own try"
    assert None not in {line.table for line in infos[0].lines}


async def test_a_finished_try_appears_at_once_for_its_player_and_soon_for_others(site: Site) -> None:
    await site.finished("Ada")
    assert [name for name, _ in await site.lines("Ada")] == ["Ada"]
    await site.finished("Ben")
    assert {name for name, _ in await site.lines("Ada")} == {"Ada"}
    assert {name for name, _ in await site.lines("Ben")} == {"Ada", "Ben"}
    await site.finished("Cleo")
    site.clock.advance(1)
    assert {name for name, _ in await site.lines("Ada")} == {"Ada", "Ben", "Cleo"}


async def test_a_calendar_reads_all_unverified_days_in_one_query(site: Site) -> None:
    for _ in range(3):
        await site.finished("Ada")
        site.night()
        await site.daily.draw()
    with count_cost() as cost:
        assert [one.status for one in (await site.daily.mine("Ada")).tries] == ["counted"] * 3
    assert len(cost.of("FROM days", "seed")) == 2, "today, and the others"


async def test_a_try_verified_at_another_node_is_on_the_leaderboard(site: Site, path: Path) -> None:
    await site.finished("Ada")
    await site.lines()
    table, page = await site.play("Ben")
    await build(table, page)
    await build(table, page)
    await send_action(table, page, 0, STOP)
    other = Site(DatabaseMatchRepository(path), site.clock)
    assert len(await other.lines("Ben")) == 2
    await other.store.close()
    assert {name for name, _ in await site.lines("Ben")} == {"Ada", "Ben"}


async def test_par_is_played_once_a_try_counts(site: Site) -> None:
    finding = asyncio.create_task(site.daily.find_pars())
    await site.game("Ada")
    await settle(50)
    assert not site.bot_service.asked, "no try counts yet"
    await site.finished("Ada")
    assert (await site.game("Ada")).par is None

    async def all_are_played() -> bool:
        return len(next(iter((await site.daily_repository.pars(TODAY, GAME)).values()), {})) == GAMES

    await until(all_are_played)
    site.clock.advance(1)
    info = await site.game("Ada")
    assert info.par is not None
    assert info.lines[0].above == round(info.lines[0].score - info.par, 1)
    assert all(question.idle and question.seed not in (b"", info.commitment) for question in site.bot_service.asked)
    asked = len(site.bot_service.asked)
    await site.game("Ada")
    await settle()
    assert len(site.bot_service.asked) == asked, "once"
    finding.cancel()


async def test_no_par_if_another_bot_had_to_play(site: Site, caplog: pytest.LogCaptureFixture) -> None:
    site.bot_service.decides = "greedy"
    finding = asyncio.create_task(site.daily.find_pars())
    await site.finished("Ada")
    await site.game("Ada")
    await until(lambda: "cannot compute par" in caplog.text)
    assert await site.daily_repository.pars(TODAY, GAME) == {}
    finding.cancel()


# Streaks


@pytest.mark.parametrize(
    ("days", "current", "longest"),
    [
        (".", 0, 0),
        ("x", 1, 1),
        ("xxx", 3, 3),
        ("xx.", 2, 2),
        ("xx..", 2, 2),
        ("xx...", 0, 2),
        ("xxx.xxx", 6, 6),
        ("xx..xxx", 3, 3),
        ("x.xxxxx.xx", 7, 7),
        ("x.xxxxxx.xx", 9, 9),
        ("xxxxxx...x.", 1, 6),
        ("x.x.x", 2, 2),
    ],
)
def test_a_streak_allows_one_missed_day_a_week(days: str, current: int, longest: int) -> None:
    """`x` was played, `.` was not; the last day is today."""
    first = "2026-02-25"
    played = {add_days(first, number) for number, sign in enumerate(days) if sign == "x"}
    streak = streak_of(played, add_days(first, len(days) - 1))
    assert (streak.current, streak.longest) == (current, longest)


def test_days_change_at_midnight_utc() -> None:
    assert day_at(day_start(TODAY)) == day_at(day_end(TODAY) - 1) == TODAY
    assert day_at(day_end(TODAY)) == add_days(TODAY) == "2026-11-17"
    assert add_days("2028-02-28") == "2028-02-29"


async def test_days_without_games_are_not_found(site: Site) -> None:
    site.night(10)
    with pytest.raises(PolyopolisError):
        await site.daily.day("Ada", add_days(TODAY, 5))
    assert (await site.daily.mine("Ada")).days == (TODAY, add_days(TODAY), add_days(TODAY, 2), add_days(TODAY, 10))


async def test_tries_move_to_an_account_and_stay_after_its_deletion(site: Site) -> None:
    await site.finished("guest", 2)
    await site.finished("Ben")
    assert len(await site.lines("guest")) == 2
    belongings = AccountDataService(site.store)
    await belongings.merge_guest("guest", "Ada")
    assert (await site.game("Ada")).mine.status == "counted"
    assert len(await site.lines("Ada")) == 2
    assert (await site.game("guest")).mine is None
    await belongings.merge_guest("Ben", "Ada")
    site.clock.advance(1)
    assert [name for name, _ in await site.lines("Ada")] == ["guest"], "a person has one try a day"
    await belongings.anonymize("Ada", NOON)
    site.clock.advance(1)
    assert [name for name, _ in await site.lines()] == [DELETED_NAME]
    assert (await site.game("Ada")).mine is None
