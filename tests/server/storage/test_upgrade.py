"""Upgrade of an old database: every match opens, replays identically and can be played on.

`data/before.sqlite` was written by the last version with two migrations; `data/before.json` contains that version's
responses.
"""

import asyncio
import hmac
import json
import shutil
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from polyopolis.server.auth.session_cookies import COOKIE
from polyopolis.server.ops.audit import audit_database
from polyopolis.server.ops.data_folder import DATABASE, copy_database
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.server.support.server_process import Message, ServerProcess, Visitor, running_server

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
DATA = Path(__file__).parents[1] / "data"
BEFORE: Message = json.loads((DATA / "before.json").read_text("utf-8"))
TABLES: dict[str, Message] = BEFORE["tables"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    shutil.copy(DATA / "before.sqlite", tmp_path / DATABASE)
    return tmp_path


@dataclass
class Opened:
    """A server on the old database, and its responses before any further move."""

    server: ServerProcess
    copy: Path
    records: dict[str, list[str]]
    """Digests of the records by table."""
    campaigns: dict[str, tuple[str, Message]]
    """Digest of the file and standings by table."""
    hello: Message
    campaign: Message
    """The response for one campaign."""


@pytest.fixture(scope="module")
async def opened(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Opened]:
    folder = tmp_path_factory.mktemp("before")
    shutil.copy(DATA / "before.sqlite", folder / DATABASE)
    with running_server(folder) as server:
        copy_database(folder / DATABASE, folder / "copy.sqlite")
        ada = await returning_visitor(server, "Ada")

        async def digest_of(path: str) -> str:
            return sha256((await ada.http.get(f"/api/tables/{path}")).content).hexdigest()

        records, campaigns = dict[str, list[str]](), dict[str, tuple[str, Message]]()
        for name, before in TABLES.items():
            table, numbers = before["table"], range(len(before["records"]))
            records[name] = [await digest_of(f"{table}/matches/{number}/record") for number in numbers]
            if "campaign" in before:
                standings = (await ada.get(f"/tables/{table}"))["standings"]
                campaigns[name] = await digest_of(f"{table}/campaign.json"), standings
        hello, campaign = await ada.get("/hello"), await ada.get(f"/tables/{TABLES['campaign']['table']}/campaign")
        await ada.close()
        yield Opened(server, folder / "copy.sqlite", records, campaigns, hello, campaign)


@pytest.fixture
def old_server(opened: Opened) -> ServerProcess:
    return opened.server


async def returning_visitor(server: ServerProcess, name: str) -> Visitor:
    """Returns a visitor with a cookie of the old version."""
    store = DatabaseMatchRepository(server.data / DATABASE)
    key, person = await store.secret("sessions"), BEFORE["people"][name]
    await store.close()
    visitor = Visitor(server)
    visitor.http.cookies.set(COOKIE, f"{person}.{hmac.new(key, person.encode(), sha256).hexdigest()}")
    return visitor


def test_every_record_is_identical(opened: Opened) -> None:
    assert opened.records == {name: before["records"] for name, before in TABLES.items()}
    assert opened.campaigns == {
        name: (before["campaign"], before["standings"]) for name, before in TABLES.items() if "campaign" in before
    }


def test_the_home_page_lists_all_tables(opened: Opened) -> None:
    hello = opened.hello
    assert {table["table"] for table in hello["tables"]} == {before["table"] for before in TABLES.values()}
    assert hello["unreadable"] == []
    assert all(table["match"] is None or table["match"]["playable"] for table in hello["tables"])
    over = {table["table"] for table in hello["tables"] if table["match"] and table["match"]["over"]}
    assert over == {TABLES[name]["table"] for name in ("finished", "chapter")}


def test_a_campaign_continues_after_the_upgrade(opened: Opened) -> None:
    assert [episode["setup"]["episode"] for episode in opened.campaign["episodes"]] == [1, 2, 3]
    assert opened.campaign["episodes"][-1]["standings"] == TABLES["campaign"]["standings"]


async def test_staged_decisions_survive_the_upgrade(old_server: ServerProcess) -> None:
    ada, ben = await returning_visitor(old_server, "Ada"), await returning_visitor(old_server, "Ben")
    table = TABLES["two people, second match"]["table"]
    async with ada.at(table) as hers, ben.at(table) as his:
        assert hers.mine[0]["staged"] is not None
        assert hers.decided == [0]
        await asyncio.gather(hers.play(0), his.play(1))
        assert hers.over
    await ada.close()
    await ben.close()


@pytest.mark.parametrize("name", ["taken back", "branch", "campaign", "point city"])
async def test_a_running_match_can_be_played_on(old_server: ServerProcess, name: str) -> None:
    ada = await returning_visitor(old_server, "Ada")
    async with ada.at(TABLES[name]["table"]) as screen:
        before = screen.moves
        own = [seat for seat in screen.mine if seat >= 0]
        for seat in own:
            await screen.act(seat, (await screen.turn(seat))[0])
        await screen.until(lambda: screen.moves > before)
    await ada.close()


async def findings(database: Path) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [finding async for finding in audit_database(database)]


async def test_an_audit_reads_an_old_database_without_changing_it(data: Path) -> None:
    before = (data / DATABASE).read_bytes()
    found = await findings(data / DATABASE)
    assert len(found) == sum(len(table["records"]) for table in TABLES.values())
    assert not any(differences for *_, differences in found)
    assert (data / DATABASE).read_bytes() == before


async def test_opening_an_old_database_fills_derived_columns(opened: Opened) -> None:
    store = DatabaseMatchRepository(opened.copy)
    assert await store.unstamped() == ()
    rows: list[Any] = [await store.table(table["table"]) for table in TABLES.values()]
    ada = BEFORE["people"]["Ada"]
    who = await ProfileService(store).mine(ada)
    await store.close()
    assert all(match.rules and match.content for row in rows for match in row.matches)
    assert not any(differences for *_, differences in await findings(opened.copy))
    alone = [row for row in rows if [seat.person for seat in row.seats].count(ada) == 1]
    over = [row.game for row in alone for match in row.matches if match.result and not match.practice]
    assert {game.game: game.finished for game in who.games if game.finished} == Counter(over)
    campaigns = [campaign for game in who.games for campaign in game.campaigns]
    assert TABLES["chapter"]["standings"]["scores"][0] in [campaign.score for campaign in campaigns]
