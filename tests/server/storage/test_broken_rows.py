"""Unreadable JSON in the database: the table is reported as unreadable, and other tables keep working."""

import asyncio
import logging
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.exceptions import WebSocketDisconnect
from litestar.routes import HTTPRoute
from litestar.testing import TestClient

from polyopolis.play.close_codes import UNREADABLE
from polyopolis.play.in_memory import SystemClock
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import Correspondence
from polyopolis.play.timing.utc_days import day_at
from polyopolis.play.wire.requests import CreateTable, Join, OpenSeat, OwnSeat, SetRestHours
from polyopolis.server.app import create_app
from polyopolis.server.auth.session_cookies import COOKIE
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.options import Options
from polyopolis.server.services import services_of
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import InMemorySite, act
from tests.server.support.server_process import NO_LIMITS, ORIGIN, OWN_PAGE

pytestmark = pytest.mark.slow
SECRET = "e5c1d7"
TORN, STRANGE = f'"{SECRET}', f'[{{"{SECRET}": 0}}]'
"""Invalid JSON, and valid JSON of the wrong type."""
NAMES = ("Ada", "Ben")
COLUMNS = {
    "tables": ("setup", "plan", "pace"),
    "seats": ("rest",),
    "matches": ("setup", "players", "due", "result", "standings", "asked", "timing", "deadlines"),
    "log": ("action", "thought"),
    "turns": ("staged", "thought", "prepared"),
}
SAMPLE = {("seats", "rest"), ("matches", "due"), ("matches", "asked"), ("turns", "staged")}
"""A few columns; a soak run breaks every column. Each case takes seconds, because it starts a server."""
LISTED = ("tables", "seats", "matches")
"""Database tables that are read for lists. The others are read when a table is opened."""
SLOW = ("review", "hindsight")
"""Requests that take long for readable tables."""


@dataclass
class Site:
    """A data folder with nine tables: three with a running match, three with a finished one, three without a match."""

    data: Path
    cookies: dict[str, str] = field(default_factory=dict)
    before: dict[str, dict[str, int]] = field(default_factory=dict)
    """By person, the status of all reads of the intact tables before other tables are broken."""
    whole: list[str] = field(default_factory=list)
    torn: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)

    @property
    def broken(self) -> list[str]:
        return self.torn + self.strange

    def execute(self, statement: str, *values: Any) -> None:
        with closing(sqlite3.connect(self.data / DATABASE, timeout=60)) as db, db:
            db.execute(statement, values)

    @contextmanager
    def served(self) -> Iterator[TestClient[Litestar]]:
        options = Options(self.data, bot_processes=1, limits=NO_LIMITS)
        with TestClient(create_app(options), base_url=ORIGIN, raise_server_exceptions=False) as client:
            client.headers.update(OWN_PAGE)
            yield client

    def enter(self, client: TestClient[Litestar], name: str) -> None:
        """Switches the client to the session of this person."""
        client.cookies.clear()
        client.cookies.set(COOKIE, self.cookies[name])

    def affected_tables(self, kind: str) -> list[str]:
        """Returns the broken tables that have rows in this database table."""
        key = "id" if kind == "tables" else '"table"'
        with closing(sqlite3.connect(self.data / DATABASE)) as db:
            found = {table for (table,) in db.execute(f"SELECT {key} FROM {kind}")}
        return [table for table in self.broken if table in found]


async def three_tables(store: DatabaseMatchRepository, ada: str, ben: str) -> tuple[str, str, str]:
    house = InMemorySite(store)

    async def table(**wish: Any) -> Table:
        fields = {"game": "tiny", "setup": {}, "seats": (OwnSeat("Ada"), OpenSeat()), **wish}
        return await house.lobby.factory.create(ada, CreateTable(**fields))

    played = await table(setup={"episode": 2}, pace=Correspondence(1, 1))
    over, free = await table(plan=tuple(range(1, 4))), await table(invites="en")
    for each in (played, over):
        await each.change_seat(ben, 1, Join("Ben"))
        for seat, person in enumerate((ada, ben)):
            await act(each, await house.arrived(each, person), seat)
    await act(played, await house.arrived(played, ada), 0)
    await played.change_seat(ada, 0, SetRestHours(nights=True, weekends=True, zone="UTC"))
    return played.id, over.id, free.id


async def nine_tables(path: Path, ada: str, ben: str) -> list[list[str]]:
    store = DatabaseMatchRepository(path)
    await store.open()
    found = [await three_tables(store, ada, ben) for _ in range(3)]
    await store.close()
    return [list(tables) for tables in found]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Site:
    site = Site(tmp_path_factory.mktemp("made"))
    with site.served() as client:
        for name in NAMES:
            client.cookies.clear()
            client.get("/api/hello")
            site.cookies[name] = client.cookies[COOKIE]
    people = [site.cookies[name].partition(".")[0] for name in NAMES]
    site.whole, site.torn, site.strange = asyncio.run(nine_tables(site.data / DATABASE, *people))
    with site.served() as client:
        for name in NAMES:
            site.enter(client, name)
            site.before[name] = statuses(client, site.whole, slow=False)
    return site


@pytest.fixture
def site(made: Site, tmp_path: Path) -> Site:
    shutil.copytree(made.data, tmp_path / "data")
    return replace(made, data=tmp_path / "data")


def break_column(site: Site, kind: str, column: str) -> None:
    key = "id" if kind == "tables" else '"table"'
    for tables, words in ((site.torn, TORN), (site.strange, STRANGE)):
        for table in tables:
            site.execute(f'UPDATE {kind} SET "{column}" = ? WHERE {key} = ?', words, table)


def get_paths(app: Litestar) -> list[str]:
    """Returns the paths of all GET routes of the API."""
    return [
        route.path_format
        for route in app.routes
        if isinstance(route, HTTPRoute) and "GET" in route.methods and route.path_format.startswith("/api/")
    ]


def statuses(client: TestClient[Litestar], tables: list[str], *, slow: bool) -> dict[str, int]:
    """Returns the status of all GET requests by path."""
    found, day = dict[str, int](), day_at(SystemClock().now())
    for address in get_paths(client.app):
        if "/schema" not in address and (slow or not address.endswith(SLOW)):
            for table in tables if "{table}" in address else [""]:
                path = address.format(table=table, number=0, key="tiny", day=day, word="x")
                found[path] = client.get(path).status_code
    return found


@pytest.mark.parametrize(
    ("kind", "column"),
    [
        pytest.param(kind, column, marks=() if (kind, column) in SAMPLE else pytest.mark.soak)
        for kind, names in COLUMNS.items()
        for column in names
    ],
)
def test_a_broken_row_affects_only_its_table(
    site: Site, kind: str, column: str, caplog: pytest.LogCaptureFixture
) -> None:
    break_column(site, kind, column)
    affected_tables = site.affected_tables(kind)
    caplog.set_level(logging.WARNING)
    with site.served() as client:
        for name in NAMES:
            site.enter(client, name)
            assert statuses(client, site.whole, slow=False) == site.before[name]
            found = statuses(client, site.broken, slow=True)
            assert {path: status for path, status in found.items() if status >= 500} == {}
            hello = client.get("/api/hello").json()
            listed, broken = ({info["table"] for info in hello[key]} for key in ("tables", "unreadable"))
            assert listed.isdisjoint(broken)
            assert listed >= {*site.whole[: 3 if name == "Ada" else 2]}
            if kind in LISTED:
                assert {*affected_tables} & (listed | broken) == {*affected_tables} & broken
            for table in affected_tables:
                assert found[f"/api/tables/{table}"] == 409
                address = f"/api/tables/{table}/socket"
                with client.websocket_connect(address) as socket, pytest.raises(WebSocketDisconnect) as closed:
                    socket.receive_text()
                assert closed.value.code == UNREADABLE
        with client.portal() as portal:
            portal.call(services_of(client.app).notifications.dispatcher.poll)
            portal.call(services_of(client.app).lobby.deadlines.move_deadlines)
    about = [record.getMessage() for record in caplog.records]
    assert [message for message in about if not message.startswith("table ")] == []
    assert len({*about}) == len(about), "each message is logged once"
    assert SECRET not in caplog.text


@pytest.mark.parametrize(
    "column", ["players", *(pytest.param(name, marks=pytest.mark.soak) for name in ("timing", "deadlines", "asked"))]
)
def test_a_person_with_unreadable_tables_can_delete_the_account(site: Site, column: str) -> None:
    break_column(site, "matches", column)
    break_column(site, "seats", "rest")
    with site.served() as client:
        site.enter(client, "Ben")
        client.post("/api/me/code", json={})  # creates an account
        assert client.post("/api/me/delete", json={}).status_code == 200
    with closing(sqlite3.connect(site.data / DATABASE)) as db:
        names = db.execute("SELECT name FROM seats WHERE seat = 1 AND name = 'Ben'").fetchall()
        players = [players for (players,) in db.execute("SELECT players FROM matches")]
    assert names == []
    assert not any("Ben" in each or SECRET in each for each in players)


def test_the_backfill_skips_unreadable_results(site: Site) -> None:
    """As in databases of the first versions, where finished matches have neither results nor rules."""
    with closing(sqlite3.connect(site.data / DATABASE)) as db:
        counted = db.execute('SELECT "table", seat, score FROM results ORDER BY "table", seat').fetchall()
    site.execute("DELETE FROM results")
    site.execute("UPDATE matches SET rules = NULL, content = NULL")
    for tables, column, words in (
        (site.torn, "result", '{"scores":[],"ranks":[],"sheets":[]}'),
        (site.strange, "setup", TORN),
    ):
        for table in tables:
            site.execute(f'UPDATE matches SET {column} = ?, rules = 1 WHERE "table" = ?', words, table)
    with site.served() as client:
        site.enter(client, "Ada")
        assert client.get("/api/hello").status_code == 200
    with closing(sqlite3.connect(site.data / DATABASE)) as db:
        found = db.execute('SELECT "table", seat, score FROM results ORDER BY "table", seat').fetchall()
        stamped = db.execute("SELECT count(*) FROM matches WHERE rules IS NULL").fetchone()
    assert found == [row for row in counted if row[0] in site.whole] != []
    assert stamped == (0,)
