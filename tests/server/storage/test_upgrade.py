"""A database of the version before this one: every game in it opens, re-plays to the byte and can be played on.

`data/before.sqlite` was made by the last version with two migrations; `data/before.json` is what that one said of it.
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
from polyopolis.server.ops.audit import audited
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.ops.data_folder import copy as copy_database
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.server.support.server_process import House, Message, Visitor, open_house

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
    """A server that has opened the old database, and what it told before anybody played on."""

    house: House
    copy: Path
    records: dict[str, list[str]]
    """Digests, by name of the table."""
    campaigns: dict[str, tuple[str, Message]]
    """Digest of the file, and standings."""
    hello: Message
    told: Message
    """Of the campaign."""


@pytest.fixture(scope="module")
async def opened(anyio_backend: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Opened]:
    folder = tmp_path_factory.mktemp("before")
    shutil.copy(DATA / "before.sqlite", folder / DATABASE)
    with open_house(folder) as house:
        copy_database(folder / DATABASE, folder / "copy.sqlite")
        ada = await returned(house, "Ada")

        async def digest_of(path: str) -> str:
            return sha256((await ada.http.get(f"/api/tables/{path}")).content).hexdigest()

        records, campaigns = dict[str, list[str]](), dict[str, tuple[str, Message]]()
        for name, before in TABLES.items():
            table, numbers = before["table"], range(len(before["records"]))
            records[name] = [await digest_of(f"{table}/matches/{number}/record") for number in numbers]
            if "campaign" in before:
                standings = (await ada.get(f"/tables/{table}"))["standings"]
                campaigns[name] = await digest_of(f"{table}/campaign.json"), standings
        hello, told = await ada.get("/hello"), await ada.get(f"/tables/{TABLES['campaign']['table']}/campaign")
        await ada.close()
        yield Opened(house, folder / "copy.sqlite", records, campaigns, hello, told)


@pytest.fixture
def old_house(opened: Opened) -> House:
    return opened.house


async def returned(house: House, name: str) -> Visitor:
    """Somebody who was there before, with the old cookie."""
    store = DatabaseMatchRepository(house.data / DATABASE)
    key, person = await store.secret("sessions"), BEFORE["people"][name]
    await store.close()
    visitor = Visitor(house)
    visitor.http.cookies.set(COOKIE, f"{person}.{hmac.new(key, person.encode(), sha256).hexdigest()}")
    return visitor


def test_every_record_is_the_same_to_the_byte(opened: Opened) -> None:
    assert opened.records == {name: before["records"] for name, before in TABLES.items()}
    assert opened.campaigns == {
        name: (before["campaign"], before["standings"]) for name, before in TABLES.items() if "campaign" in before
    }


def test_home_knows_all_of_them(opened: Opened) -> None:
    hello = opened.hello
    assert {table["table"] for table in hello["tables"]} == {before["table"] for before in TABLES.values()}
    assert hello["unreadable"] == []
    assert all(table["match"] is None or table["match"]["playable"] for table in hello["tables"])
    over = {table["table"] for table in hello["tables"] if table["match"] and table["match"]["over"]}
    assert over == {TABLES[name]["table"] for name in ("finished", "chapter")}


def test_an_episode_follows_the_last_one_of_before(opened: Opened) -> None:
    assert [episode["setup"]["episode"] for episode in opened.told["episodes"]] == [1, 2, 3]
    assert opened.told["episodes"][-1]["standings"] == TABLES["campaign"]["standings"]


async def test_a_decision_that_was_staged_is_staged_and_the_match_goes_on(old_house: House) -> None:
    ada, ben = await returned(old_house, "Ada"), await returned(old_house, "Ben")
    table = TABLES["two people, second match"]["table"]
    async with ada.at(table) as hers, ben.at(table) as his:
        assert hers.mine[0]["staged"] is not None
        assert hers.decided == [0]
        await asyncio.gather(hers.play(0), his.play(1))
        assert hers.over
    await ada.close()
    await ben.close()


@pytest.mark.parametrize("name", ["taken back", "branch", "campaign", "point city"])
async def test_a_match_that_was_begun_is_played_on(old_house: House, name: str) -> None:
    ada = await returned(old_house, "Ada")
    async with ada.at(TABLES[name]["table"]) as screen:
        before = screen.moves
        own = [seat for seat in screen.mine if seat >= 0]
        for seat in own:
            await screen.act(seat, (await screen.turn(seat))[0])
        await screen.until(lambda: screen.moves > before)
    await ada.close()


async def findings(database: Path) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [finding async for finding in audited(database)]


async def test_an_audit_reads_a_database_of_before_and_touches_nothing(data: Path) -> None:
    before = (data / DATABASE).read_bytes()
    found = await findings(data / DATABASE)
    assert len(found) == sum(len(table["records"]) for table in TABLES.values())
    assert not any(differences for *_, differences in found)
    assert (data / DATABASE).read_bytes() == before


async def test_opening_it_writes_down_what_was_missing(opened: Opened) -> None:
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
