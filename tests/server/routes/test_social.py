"""Chat and reactions: storage, muting, reports and limits."""

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Literal

import pytest
from litestar.testing import TestClient
from msgspec.structs import replace

from polyopolis.play.entities import ChatMessage, SeatEntity, TableEntity
from polyopolis.play.in_memory import InMemoryChatRepository
from polyopolis.play.protocols import ChatRepository
from polyopolis.server.app import create_app
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.auth.people import set_muted
from polyopolis.server.auth.session_cookies import DAY
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.options import Options
from polyopolis.server.storage.chat_repository import DatabaseChatRepository, all_reports, dismiss_report
from polyopolis.server.storage.match_repository import DatabaseMatchRepository, remove_table
from tests.play.in_memory_site import until
from tests.server.auth.test_accounts import database
from tests.server.support.server_process import ORIGIN, OWN_PAGE, ServerProcess, Visitor, seat_of

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
TABLE = TableEntity(id="t", game="mycity", setup="{}", created=7, changed=7, seats=(SeatEntity(0, "Ada", "ada", None),))


def remark(number: int, person: str = "ben", table: str = "t") -> ChatMessage:
    return ChatMessage(
        id=f"r{number}", table=table, seat=1, person=person, name="Ben", text=f"Hello {number}", time=1000 + number
    )


# Storage


@pytest.fixture(params=["memory", "file", pytest.param("postgres", marks=pytest.mark.slow)])
async def repository(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[ChatRepository]:
    if request.param == "memory":
        yield InMemoryChatRepository()
        return
    store = DatabaseMatchRepository(
        tmp_path / "s.sqlite" if request.param == "file" else request.getfixturevalue("new_site")()
    )
    await store.open()
    for table in ("t", "u"):
        await store.create(replace(TABLE, id=table))
    yield DatabaseChatRepository(store)
    await store.close()


async def test_chat_messages_keep_their_order_and_ignored_people_are_stored(repository: ChatRepository) -> None:
    rows = [remark(number) for number in range(5)]
    for row in rows:
        await repository.write(row)
    await repository.write(remark(9, table="u"))
    assert await repository.remarks("t", 3) == tuple(rows[2:])
    assert (await repository.remark("r1"), await repository.remark("none")) == (rows[1], None)
    for ignored, deaf in ((True, {"ada"}), (True, {"ada"}), (False, set())):
        await repository.ignore("ada", "ben", ignored)
        assert await repository.ignoring("ben") == deaf
        assert await repository.ignored_by("ada") == ({"ben"} if deaf else set())


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[DatabaseMatchRepository]:
    found = DatabaseMatchRepository(
        tmp_path / "s.sqlite" if request.param == "file" else request.getfixturevalue("new_site")()
    )
    await found.open()
    await found.create(TABLE)
    yield found
    await found.close()


async def test_reports_outlive_their_table(store: DatabaseMatchRepository) -> None:
    repository = DatabaseChatRepository(store)
    for number in range(2):
        await repository.write(remark(number))
    for number, by, now in ((0, "ada", 50), (1, "ada", 60), (1, "cleo", 70), (1, "cleo", 80)):
        await repository.report(remark(number), by, now)
    await store.write(lambda db: remove_table(db, "t"))
    found = await store.read(lambda db: list(all_reports(db)))
    assert [(each.text, each.person, each.table, each.times, each.last) for each in found] == [
        ("Hello 1", "ben", "t", 2, 70), ("Hello 0", "ben", "t", 1, 50),
    ]  # fmt: skip
    assert [await store.write(lambda db: dismiss_report(db, "r1")) for _ in range(2)] == [True, False]
    assert len(await store.read(lambda db: list(all_reports(db)))) == 1


async def test_chat_data_is_merged_and_deleted_with_its_account(store: DatabaseMatchRepository) -> None:
    repository, belongings = DatabaseChatRepository(store), AccountDataService(store)
    for number, person in enumerate(("guest", "ben", "ada")):
        await repository.write(remark(number, person))
        await repository.report(remark(number, person), "guest", 5)
    for person, other in (("guest", "ada"), ("ben", "ada"), ("ada", "guest"), ("ada", "ben"), ("guest", "ben")):
        await repository.ignore(person, other, True)
    await belongings.merge_guest("guest", "ben")
    assert await belongings.remarks_of("ben") == (("t", 1000, "Hello 0"), ("t", 1001, "Hello 1"))
    assert await repository.ignored_by("ben") == await repository.ignoring("ben") == {"ada"}
    await belongings.anonymize("ben", 9)
    assert [row.person for row in await repository.remarks("t", 9)] == ["ada"]
    assert [each.person for each in await store.read(lambda db: list(all_reports(db)))] == ["ada"]
    assert await repository.ignored_by("ada") == frozenset()


# HTTP


async def test_muted_people_cannot_write_and_see_that_they_are_muted(visit: Visit, house: ServerProcess) -> None:
    ada, ben = visit(), visit()
    table = await ada.table("Ada", "open", "open")
    await ben.join(table, 1, "Ben")
    said = await ben.post(f"/tables/{table}/talk", {"text": "<b>Hello</b> https://x.example"})
    found = (await ada.get(f"/tables/{table}/talk"))["remarks"]
    assert [(each["text"], each["yours"]) for each in found] == [("<b>Hello</b> https://x.example", False)]
    assert (await visit().http.get(f"/api/tables/{table}/talk")).status_code == 403, "spectators cannot read"
    await ada.post(f"/tables/{table}/talk/{said['id']}/reports", {})
    with database(house) as db:
        (report,) = [each for each in all_reports(db) if each.table == table]
        assert set_muted(db, report.person, muted=True)

    async def is_muted() -> bool:
        return bool((await ben.get(f"/tables/{table}/talk"))["muted"])

    await until(is_muted)
    for path, body in (("talk", {"text": "Hello?"}), ("reactions", {"reaction": "wave", "seat": 1})):
        status, sentence = await ben.refused(f"/tables/{table}/{path}", body)
        assert (status, "has muted you" in sentence) == (403, True)
    belongings = await ben.get("/me/belongings")
    assert [each["text"] for each in belongings["remarks"]] == ["<b>Hello</b> https://x.example"]


@pytest.mark.parametrize("talk", ["on", "off"])
def test_chat_can_be_limited_and_switched_off(tmp_path: Path, talk: Literal["on", "off"]) -> None:
    few = Limits(tables=RateLimit(2, DAY), remarks=RateLimit(2, DAY))
    wave, hello, seats = {"reaction": "wave", "seat": 0}, {"text": "Hello"}, list(map(seat_of, ("Ada", "open")))
    makes = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats}
    with TestClient(create_app(Options(tmp_path, talk=talk, limits=few)), base_url=ORIGIN) as ada:
        ada.headers.update(OWN_PAGE)
        table = f"/api/tables/{ada.post('/api/tables', json=makes).json()['table']}"
        assert (ada.get(table).json()["talk"] is not None) == (talk == "on")
        assert ada.post(f"{table}/talk", json=hello).status_code == (201 if talk == "on" else 403)
        assert ada.post(f"{table}/reactions", json=wave).is_success
        assert ada.post("/api/tables", json=makes).is_success
        for path, body in ((f"{table}/reactions", wave), (f"{table}/talk", hello), ("/api/tables", makes)):
            answer = ada.post(path, json=body)
            assert (answer.status_code, answer.json()["error"]) == (429, "too many requests; wait a moment")
            assert 0 < int(answer.headers["retry-after"]) <= DAY // 2 + 1


async def test_chat_messages_have_a_length_limit(visit: Visit) -> None:
    ada = visit()
    table = await ada.table("Ada", "open")
    for text in ("x" * 401, "", 7):
        assert (await ada.refused(f"/tables/{table}/talk", {"text": text}))[0] == 400
