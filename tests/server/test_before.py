"""A database of the version before this one: every game in it opens, re-plays to the byte and can be played on.

`data/before.sqlite` was made by the last version with two migrations; `data/before.json` is what that one said of it.
"""

import asyncio
import hmac
import json
import shutil
from collections import Counter
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from polyopolis.server.auditing import audited
from polyopolis.server.folder import DATABASE
from polyopolis.server.sessions import COOKIE
from polyopolis.server.store import Store
from polyopolis.server.whos import Whos
from tests.server.house import House, Message, Visitor, open_house

pytestmark = [pytest.mark.anyio, pytest.mark.slow]
DATA = Path(__file__).parent / "data"
BEFORE: Message = json.loads((DATA / "before.json").read_text("utf-8"))
TABLES: dict[str, Message] = BEFORE["tables"]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    shutil.copy(DATA / "before.sqlite", tmp_path / DATABASE)
    return tmp_path


@pytest.fixture
def old_house(data: Path) -> Iterator[House]:
    with open_house(data) as house:
        yield house


async def returned(house: House, name: str) -> Visitor:
    """Somebody who was there before, with the old cookie."""
    store = Store(house.data / DATABASE)
    key, person = await store.secret("sessions"), BEFORE["people"][name]
    await store.close()
    visitor = Visitor(house)
    visitor.http.cookies.set(COOKIE, f"{person}.{hmac.new(key, person.encode(), sha256).hexdigest()}")
    return visitor


def digest(content: bytes) -> str:
    return sha256(content).hexdigest()


async def test_every_record_is_the_same_to_the_byte(old_house: House) -> None:
    ada = await returned(old_house, "Ada")
    for name, before in TABLES.items():
        for number, expected in enumerate(before["records"]):
            answer = await ada.http.get(f"/api/tables/{before['table']}/matches/{number}/record")
            assert digest(answer.content) == expected, (name, number)
        if "campaign" in before:
            answer = await ada.http.get(f"/api/tables/{before['table']}/campaign.json")
            assert digest(answer.content) == before["campaign"], name
            assert (await ada.get(f"/tables/{before['table']}"))["standings"] == before["standings"]
    await ada.http.aclose()


async def test_home_knows_all_of_them(old_house: House) -> None:
    ada = await returned(old_house, "Ada")
    hello = await ada.get("/hello")
    assert {table["table"] for table in hello["tables"]} == {before["table"] for before in TABLES.values()}
    assert hello["unreadable"] == []
    assert all(table["match"] is None or table["match"]["playable"] for table in hello["tables"])
    over = {table["table"] for table in hello["tables"] if table["match"] and table["match"]["over"]}
    assert over == {TABLES[name]["table"] for name in ("finished", "chapter")}
    await ada.http.aclose()


async def test_a_decision_that_was_staged_is_staged_and_the_match_goes_on(old_house: House) -> None:
    ada, ben = await returned(old_house, "Ada"), await returned(old_house, "Ben")
    table = TABLES["two people, second match"]["table"]
    async with ada.at(table) as hers, ben.at(table) as his:
        assert hers.mine[0]["staged"] is not None
        assert hers.decided == [0]
        await asyncio.gather(hers.play(0), his.play(1))
        assert hers.over
    await ada.http.aclose()
    await ben.http.aclose()


@pytest.mark.parametrize("name", ["taken back", "branch", "campaign", "point city"])
async def test_a_match_that_was_begun_is_played_on(old_house: House, name: str) -> None:
    ada = await returned(old_house, "Ada")
    async with ada.at(TABLES[name]["table"]) as screen:
        before = screen.moves
        own = [seat for seat in screen.mine if seat >= 0]
        for seat in own:
            await screen.act(seat, (await screen.turn(seat))[0])
        await screen.until(lambda: screen.moves > before)
    await ada.http.aclose()


async def test_an_episode_follows_the_last_one_of_before(old_house: House) -> None:
    ada = await returned(old_house, "Ada")
    campaign = TABLES["campaign"]["table"]
    told = await ada.get(f"/tables/{campaign}/campaign")
    assert [episode["setup"]["episode"] for episode in told["episodes"]] == [1, 2, 3]
    assert told["episodes"][-1]["standings"] == TABLES["campaign"]["standings"]
    await ada.http.aclose()


async def findings(data: Path) -> list[tuple[str, int | None, tuple[str, ...]]]:
    return [finding async for finding in audited(data / DATABASE)]


async def test_an_audit_reads_a_database_of_before_and_touches_nothing(data: Path) -> None:
    before = (data / DATABASE).read_bytes()
    found = await findings(data)
    assert len(found) == sum(len(table["records"]) for table in TABLES.values())
    assert not any(differences for *_, differences in found)
    assert (data / DATABASE).read_bytes() == before


async def test_opening_it_writes_down_what_was_missing(data: Path) -> None:
    with open_house(data):
        pass
    store = Store(data / DATABASE)
    assert await store.unstamped() == ()
    rows: list[Any] = [await store.table(table["table"]) for table in TABLES.values()]
    ada = BEFORE["people"]["Ada"]
    who = await Whos(store).mine(ada)
    await store.close()
    assert all(match.rules and match.content for row in rows for match in row.matches)
    assert not any(differences for *_, differences in await findings(data))
    alone = [row for row in rows if [seat.person for seat in row.seats].count(ada) == 1]
    over = [row.game for row in alone for match in row.matches if match.result and not match.practice]
    assert {game.game: game.finished for game in who.games if game.finished} == Counter(over)
    campaigns = [campaign for game in who.games for campaign in game.campaigns]
    assert TABLES["chapter"]["standings"]["scores"][0] in [campaign.score for campaign in campaigns]
