"""Accounts: sign-in methods, devices, revocation, deletion."""

import asyncio
import json
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, closing, contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient
from sqlalchemy import insert, select, update

from polyopolis.play.seats.player_names import DELETED_NAME
from polyopolis.server.app import create_app
from polyopolis.server.auth.people import (
    add_key,
    delete_old_keys,
    invalidate_sessions,
    keys_of,
    list_people,
    set_muted,
    set_removed,
)
from polyopolis.server.auth.session_cookies import (
    COOKIE,
    DAY,
    GUEST_COOKIE_NAME,
    ROTATION_SECONDS,
    SessionCookie,
    Sessions,
)
from polyopolis.server.auth.visitors import UNUSED_SECONDS
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.mail.letter_templates import languages, placeholders
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.options import Options
from polyopolis.server.storage.databases import engine_of
from polyopolis.server.storage.schema import devices, own_codes, seats, turns
from tests.play.in_memory_site import TIMEOUT_SECONDS, until
from tests.server.support.authenticator import Authenticator
from tests.server.support.server_process import ORIGIN, OWN_PAGE, ServerProcess, Visitor, running_server
from tests.server.support.smtp_sink import SmtpSink, smtp_sink

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"


@pytest.fixture(scope="module")
def smtp() -> Iterator[SmtpSink]:
    with smtp_sink() as found:
        yield found


@pytest.fixture(scope="module")
def house(smtp: SmtpSink, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with running_server(tmp_path_factory.mktemp("accounts"), *smtp.options) as found:
        yield found


@pytest.fixture
async def visit(house: ServerProcess) -> AsyncIterator[Visit]:
    async with AsyncExitStack() as stack:

        def new() -> Visitor:
            visitor = Visitor(house)
            visitor.http.headers["user-agent"] = FIREFOX
            stack.push_async_callback(visitor.close)
            return visitor

        yield new


@contextmanager
def database(house: ServerProcess) -> Iterator[Any]:
    """A transaction of a command of the host, while the server runs."""
    engine = engine_of(house.data / DATABASE)
    with engine.begin() as db:
        yield db
    engine.dispose()


def person_of(visitor: Visitor) -> str:
    return str(visitor.http.cookies[COOKIE].partition(".")[0])


async def tables_of(visitor: Visitor) -> set[str]:
    return {table["table"] for table in (await visitor.get("/hello"))["tables"]}


async def with_code(visitor: Visitor) -> str:
    """Creates an account with a sign-in code and returns the code."""
    return str((await visitor.post("/me/code", {}))["code"])


async def sign_in(visitor: Visitor, code: str, bring: bool = True) -> Any:
    proved = await visitor.post("/sign-in/code", {"word": code})
    return await visitor.post("/sign-in", {"ticket": proved["ticket"], "bring": bring})


# Sign-in methods


async def test_a_code_makes_a_guest_an_account_and_merges_another_guest(visit: Visit, house: ServerProcess) -> None:
    ada, phone, ben = visit(), visit(), visit()
    table = await ada.table("Ada", "open")
    assert (await ada.get("/me"))["account"] is False
    made = await ada.post("/me/code", {})
    assert re.fullmatch(r"([A-Z2-9]{5}-){3}[A-Z2-9]{5}", made["code"])
    with database(house) as db:
        kept = db.execute(select(own_codes.c.digest).where(own_codes.c.person == person_of(ada))).scalar_one()
    assert kept == sha256(made["code"].replace("-", "").encode()).hexdigest(), "only the digest of a code is stored"
    assert made["picture"].startswith("<svg")
    me = await ada.get("/me")
    assert (me["name"], me["account"], me["tables"]) == ("Ada", True, 1)
    assert [(device["name"], device["here"]) for device in me["devices"]] == [("Firefox, Linux", True)]

    own, finished = await phone.table("Phone", "open"), await phone.table("Phone", "open")
    await phone.post(f"/tables/{finished}/listing", {"listed": False})
    await ben.join(own, 1, "Ben")
    async with ben.at(own) as screen:
        proved = await phone.post("/sign-in/code", {"word": made["code"].lower().replace("-", " ")})
        assert {key: proved[key] for key in ("does", "name", "tables", "here")} == {
            "does": "sign-in", "name": "Ada", "tables": 1, "here": 2,
        }  # fmt: skip
        assert await tables_of(phone) == {own}, "a proof alone changes no data"
        me = await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
        assert (me["name"], me["tables"], len(me["devices"])) == ("Ada", 3, 2)
        assert await tables_of(phone) == await tables_of(ada) == {table, own}
        assert (await ada.get(f"/tables/{own}"))["yours"] == [0]
        await screen.until(lambda: len(screen.heard) > 1)  # the table was updated for other players
    async with phone.at(own) as seated:
        choice = seated.mine[0]["choices"][0]
        await seated.act(0, choice)
        await seated.until(lambda: seated.mine[0]["turn"] == 1)
    assert await phone.refused("/sign-in", {"ticket": proved["ticket"], "bring": True}) == (
        404, "this link or code does not exist, was used, or has expired",
    )  # fmt: skip


async def test_signing_in_without_merging_keeps_the_guest_for_later(visit: Visit) -> None:
    ada, shared = visit(), visit()
    code = await with_code(ada)
    table = await shared.table("Family", "open")
    family = person_of(shared)
    assert (await sign_in(shared, code, bring=False))["tables"] == 0
    assert await tables_of(shared) == set()
    me = await shared.post("/sign-out", {})
    assert (me["account"], me["tables"]) == (False, 1)
    assert person_of(shared) == family
    assert GUEST_COOKIE_NAME not in shared.http.cookies
    assert await tables_of(shared) == {table}
    assert (await shared.refused("/sign-out", {}))[0] == 403


async def test_a_passkey_signs_in_only_at_its_own_site(visit: Visit, house: ServerProcess) -> None:
    ada, phone, eve = visit(), visit(), visit()
    key = Authenticator(house.url)
    await ada.table("Ada", "open")
    options = (await ada.post("/me/passkeys/options", {}))["options"]
    assert options["rp"]["id"] == "127.0.0.1"
    assert options["user"]["name"] == "Ada"
    assert person_of(ada) not in json.dumps(options)
    made = key.register(options)
    assert (await eve.refused("/me/passkeys", {"credential": made}))[0] == 404, "another browser has requested it"
    me = await ada.post("/me/passkeys", {"credential": made})
    assert [each["name"] for each in me["passkeys"]] == ["Firefox, Linux"]
    assert (await ada.refused("/me/passkeys", {"credential": made}))[0] == 404, "a challenge can be used once"

    options = (await phone.post("/sign-in/passkey/options", {}))["options"]
    shown = key.authenticate(options)
    assert (await eve.refused("/sign-in/passkey", {"credential": shown}))[0] == 404
    proved = await phone.post("/sign-in/passkey", {"credential": shown})
    assert (proved["name"], proved["tables"]) == ("Ada", 1)
    assert (await eve.refused("/sign-in", {"ticket": proved["ticket"], "bring": True}))[0] == 404
    assert (await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True}))["account"]
    assert person_of(phone) == person_of(ada)

    other, elsewhere = Authenticator(house.url), Authenticator("https://evil.example")
    for wrong in (other, elsewhere):
        options = (await eve.post("/sign-in/passkey/options", {}))["options"]
        assert (await eve.refused("/sign-in/passkey", {"credential": wrong.authenticate(options)}))[0] == 403
    options = (await eve.post("/me/passkeys/options", {}))["options"]
    assert (await eve.refused("/me/passkeys", {"credential": elsewhere.register(options)}))[0] == 403
    for nonsense in ({}, {"id": "x"}, {"response": {"clientDataJSON": "e30"}}, {"response": 7}):
        assert (await eve.refused("/sign-in/passkey", {"credential": nonsense}))[0] == 400


async def test_a_letter_opens_an_account_and_only_the_asking_browser_can_add_an_address(
    visit: Visit, smtp: SmtpSink
) -> None:
    ada, phone, eve = visit(), visit(), visit()
    await ada.table("Ada", "open")
    asked = {"address": "Ada@Letters.example", "language": "de"}
    first = await ada.http.post("/api/sign-in/letter", json=asked)
    assert (first.status_code, first.json()) == (202, {"minutes": 10})
    (letter,) = smtp.to("ada@letters.example")
    assert str(letter["Subject"]).startswith("Diese Adresse für Polyopolis: ")
    word, code = tokens_of(letter)
    assert (await eve.refused("/sign-in/word", {"word": word}))[0] == 403, "it was asked for elsewhere"
    assert (await eve.refused("/sign-in/word", {"word": code}))[0] == 404
    proved = await ada.post("/sign-in/word", {"word": word})
    assert (proved["does"], proved["mail"]) == ("add-mail", "ada@letters.example")
    assert (await ada.refused("/sign-in/word", {"word": code}))[0] == 404, "both tokens are used up"
    me = await ada.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
    assert (me["mails"], me["account"]) == (["ada@letters.example"], True)

    asked["language"] = "tlh"  # not supported
    again = await phone.http.post("/api/sign-in/letter", json=asked)
    assert (again.status_code, again.content) == (202, first.content), (
        "the response does not reveal whether the address is known"
    )
    _, letter = smtp.to("ada@letters.example", 2)
    assert str(letter["Subject"]).startswith("Sign in to Polyopolis: ")
    word, code = tokens_of(letter)
    proved = await phone.post("/sign-in/word", {"word": code})
    assert (proved["does"], proved["name"], proved["tables"]) == ("sign-in", "Ada", 1)
    await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
    assert person_of(phone) == person_of(ada)
    assert (await eve.refused("/sign-in/letter", {**asked, "address": "a@b\r\nBcc: c@d.example"}))[0] == 400
    assert (await phone.refused("/me/mails/forget", {"address": "ada@letters.example"})) == (
        403, "this is the only sign-in method",
    )  # fmt: skip
    await with_code(phone)
    assert (await phone.post("/me/mails/forget", {"address": "ada@letters.example"}))["mails"] == []


def tokens_of(letter: Any) -> tuple[str, str]:
    content = letter.get_content().replace("\r", "")
    link, code = re.search(r"/me#letter=(\S+)", content), re.search(r": ([A-Z2-9]{8})$", content, re.MULTILINE)
    assert link
    assert code
    return link[1], code[1]


def test_mail_templates_have_the_same_placeholders_in_every_language() -> None:
    assert languages() == {"de", "en", "fr", "nl"}
    for language in languages():
        assert placeholders(language) == placeholders("en")


async def test_a_recovery_code_works_once_and_is_no_sign_in_method(visit: Visit) -> None:
    ada, phone, again = visit(), visit(), visit()
    await with_code(ada)
    recovery = (await ada.post("/me/recovery", {}))["code"]
    assert (await ada.refused("/me/code/forget", {}))[0] == 403
    shown = await again.post("/sign-in/code", {"word": recovery})
    assert shown["does"] == "sign-in", "a proof does not use up the recovery code"
    me = await sign_in(phone, recovery)
    assert (me["recovery"], len(me["devices"])) == (None, 2)
    assert (await again.refused("/sign-in", {"ticket": shown["ticket"], "bring": False}))[0] == 404
    assert (await again.refused("/sign-in/code", {"word": recovery}))[0] == 404
    old = await with_code(ada)
    await with_code(ada)
    assert (await again.refused("/sign-in/code", {"word": old}))[0] == 404, "a new code replaces the old one"


# Devices


async def test_signing_out_a_device_closes_its_pages(visit: Visit) -> None:
    ada, phone, eve = visit(), visit(), visit()
    table = await ada.table("Ada", "bot:random")
    await sign_in(phone, await with_code(ada))
    lost = next(each["id"] for each in (await ada.get("/me"))["devices"] if not each["here"])
    assert (await eve.refused(f"/me/devices/{lost}/sign-out", {}))[0] == 404
    stolen = phone.http.cookies[COOKIE]
    async with phone.at(table) as screen, ada.at(table) as own:
        assert screen.info
        assert screen.info["yours"] == [0]
        me = await ada.post(f"/me/devices/{lost}/sign-out", {})
        assert len(me["devices"]) == 1
        assert await asyncio.wait_for(screen.hear_to_the_end(), TIMEOUT_SECONDS) == 4410
        assert own.info
        assert (await ada.get(f"/tables/{table}"))["yours"] == [0]
    eve.http.cookies.clear()
    eve.http.cookies[COOKIE] = stolen
    async with eve.at(table) as screen:
        assert screen.info
        assert screen.info["yours"] == []
    assert await tables_of(eve) == set()


async def test_signing_in_to_another_account_signs_out_of_the_current_one(visit: Visit) -> None:
    ada, ben = visit(), visit()
    await ada.table("Ada", "open")
    await ben.table("Ben", "open")
    await with_code(ben)
    me = await sign_in(ben, await with_code(ada))
    assert (me["name"], me["tables"]) == ("Ada", 1)


async def test_cookies_are_rotated_and_expire_when_unused(visit: Visit, house: ServerProcess) -> None:
    ada = visit()
    table = await ada.table("Ada", "open")
    await with_code(ada)
    with database(house) as db:
        sessions = Sessions(keys_of(db))
        shown = sessions.read(ada.http.cookies[COOKIE])
        assert shown
        old = SessionCookie(shown.person, shown.device, shown.issued - ROTATION_SECONDS - DAY, shown.key)
        set_device(db, shown.device, issued=old.issued, since=old.issued)

    async def asked(cookie: str) -> tuple[set[str], str]:
        """Returns the tables that a cookie gives access to, and the cookie after the request."""
        ada.http.cookies.clear()
        ada.http.cookies[COOKIE] = cookie
        found = await tables_of(ada)
        return found, next(str(each.value) for each in reversed(list(ada.http.cookies.jar)) if each.name == COOKIE)

    first = sessions.signed(old)
    found, second = await asked(first)
    assert found == {table}
    assert second != first
    successor = sessions.read(second)
    assert successor
    assert (successor.person, successor.device) == (shown.person, shown.device)
    assert await asked(second) == ({table}, second)
    assert (await asked(first))[0] == {table}, "the previous cookie is valid for requests under way"
    third = sessions.signed(SessionCookie(shown.person, shown.device, successor.issued + 1, shown.key))
    assert (await asked(third))[0] == {table}
    assert (await asked(first))[0] == set(), "older cookies are invalid"
    assert (await asked(second))[0] == {table}
    ahead = sessions.signed(SessionCookie(shown.person, shown.device, successor.issued + 30 * DAY, shown.key))
    assert (await asked(ahead))[0] == set()
    long_ago = shown.issued - UNUSED_SECONDS - DAY
    with database(house) as db:
        set_device(db, shown.device, seen=long_ago, issued=long_ago, since=long_ago)
        invalidate_sessions(db)
    unused = sessions.signed(SessionCookie(shown.person, shown.device, long_ago, shown.key))

    async def is_out() -> bool:
        return (await asked(unused))[0] == set()

    await until(is_out)


def set_device(db: Any, device: str, **values: int) -> None:
    db.execute(update(devices).where(devices.c.id == device).values(**values))


async def test_rotating_the_signing_key_keeps_active_sessions(visit: Visit, house: ServerProcess) -> None:
    ada, guest, away = visit(), visit(), visit()
    tables = {visitor: await visitor.table("Guest", "open") for visitor in (ada, guest, away)}
    await with_code(ada)
    before = {visitor: visitor.http.cookies[COOKIE] for visitor in tables}
    with database(house) as db:
        newest = add_key(db, b"a new secret of the server")

    async def have_new_cookies() -> bool:
        for visitor in (ada, guest):
            assert await tables_of(visitor) == {tables[visitor]}
        return all(visitor.http.cookies[COOKIE] != before[visitor] for visitor in (ada, guest))

    await until(have_new_cookies)
    with database(house) as db:
        delete_old_keys(db, newest)

    async def is_forgotten() -> bool:
        away.http.cookies.clear()
        away.http.cookies[COOKIE] = before[away]
        return await tables_of(away) == set()

    await until(is_forgotten)
    for visitor in (ada, guest):
        assert await tables_of(visitor) == {tables[visitor]}


# Deletion


async def test_deleting_an_account_keeps_matches_with_others(visit: Visit, house: ServerProcess) -> None:
    ada, phone, ben = visit(), visit(), visit()
    table = await ada.table("Ada", "open")
    waiting = await ada.table("Ada", "open")
    await ben.join(table, 1, "Ben")
    code = await with_code(ada)
    await sign_in(phone, code)
    belongings = await phone.get("/me/belongings")
    assert {each["table"]: each["matches"] for each in belongings["tables"]} == {table: 1, waiting: 0}
    before = await ben.get(f"/tables/{table}/matches/0/record")
    turn = {"table": table, "match": 0, "seat": 0, "turn": 0, "prepared": "[]"}
    with database(house) as db:
        db.execute(update(seats).where(seats.c.table == table, seats.c.seat == 0).values(rest="{}", entrusted=True))
        db.execute(insert(turns), turn)
    async with ben.at(table) as screen:
        me = await ada.post("/me/delete", {})
        assert (me["account"], me["name"], me["tables"]) == (False, None, 0)
        await screen.until(lambda: bool(screen.info and screen.info["seats"][0]["name"] == DELETED_NAME))
    after = await ben.get(f"/tables/{table}/matches/0/record")
    assert after == {**before, "players": [DELETED_NAME, "Ben"]}
    with database(house) as db:
        kept = select(seats.c.rest, seats.c.entrusted).where(seats.c.table == table, seats.c.seat == 0)
        assert tuple(db.execute(kept).one()) == (None, False)
        assert db.execute(select(turns.c.prepared).where(turns.c.table == table)).scalars().all() == [None]
    assert (await ben.get(f"/tables/{waiting}"))["seats"][0]["name"] == ""
    assert await tables_of(phone) == set()
    assert (await ben.refused("/sign-in/code", {"word": code}))[0] == 404
    await ben.post(f"/tables/{table}/seats/0", {"type": "put-bot", "bot": "random"})
    async with ben.at(table) as screen:
        await screen.act(1, screen.mine[1]["choices"][0])
        await screen.until(lambda: bool(screen.scene and screen.scene["moves"] > 2))
    assert (await ben.refused(f"/tables/{table}/seats/0", {"type": "join", "name": DELETED_NAME}))[0] == 403
    assert (await ben.refused("/me/name", {"name": DELETED_NAME}))[0] == 400


# Hosts


async def test_a_host_mutes_and_removes_people_while_the_server_runs(visit: Visit, house: ServerProcess) -> None:
    ada, phone, ben = visit(), visit(), visit()
    table = await ada.table("Ada from the list", "open")
    await ben.join(table, 1, "Ben")
    code = await with_code(ada)
    with database(house) as db:
        (found,) = list_people(db, "FROM the list")
        assert (found.id, found.account, found.tables, found.removed) == (person_of(ada), True, 1, False)
        assert set_muted(db, found.id, True)
        assert not set_muted(db, "nobody", True)

    async def is_muted() -> bool:
        return bool((await ada.get("/me"))["muted"])

    await until(is_muted)
    async with ada.at(table) as screen, ben.at(table) as other:
        with database(house) as db:
            assert set_removed(db, found.id, 1)
        assert await asyncio.wait_for(screen.hear_to_the_end(), TIMEOUT_SECONDS) == 4410
        assert other.info
        assert other.info["seats"][0]["name"] == "Ada from the list"
    assert await tables_of(ada) == set()
    assert (await phone.refused("/sign-in/code", {"word": code}))[0] == 403
    assert (await ben.get(f"/tables/{table}"))["seats"][0]["kind"] == "person"
    with database(house) as db:
        assert set_removed(db, found.id, None)
    assert (await sign_in(phone, code))["tables"] == 1


# Abuse


async def test_links_in_mails_do_not_depend_on_request_headers(visit: Visit, smtp: SmtpSink) -> None:
    eve = visit()
    letter = {"address": "victim@elsewhere.example", "language": "en"}
    evil = {"host": "203.0.113.66", "origin": "http://203.0.113.66", "x-polyopolis": "1"}
    answer = await eve.http.post("/api/sign-in/letter", json=letter, headers=evil)
    assert (answer.status_code, answer.json()) == (
        400, {"error": "this site sends no mail: its public address is not set"},
    )  # fmt: skip
    await eve.post("/sign-in/letter", letter)
    (found,) = smtp.to("victim@elsewhere.example")
    assert f"{eve.house.url}/me#letter=" in found.get_content()


def test_guesses_and_mails_are_rate_limited(tmp_path: Path, smtp: SmtpSink) -> None:
    strict = Limits(tries=RateLimit(6, DAY), letters=RateLimit(2, DAY))
    options = Options(tmp_path, public_url=ORIGIN, smtp=smtp.smtp, limits=strict)
    with TestClient(create_app(options), base_url=ORIGIN) as eve:
        eve.headers.update(OWN_PAGE)
        letter, guess = {"address": "victim@letters.example", "language": "en"}, {"word": "GUESS"}
        answers = [eve.post("/api/sign-in/letter", json=letter) for _ in range(3)]
        assert [answer.status_code for answer in answers] == [202, 202, 429]
        assert 0 < int(answers[2].headers["retry-after"]) <= DAY // 2 + 1
        assert "wait" in answers[2].json()["error"]
        for _ in range(3):
            assert eve.post("/api/sign-in/code", json=guess).status_code == 404
        for _ in range(2):
            assert eve.post("/api/sign-in/code", json=guess).status_code == 429
            assert eve.post("/api/codes", json={"code": "GUESS"}).status_code == 429
            assert eve.get("/api/me").json()["account"] is False
            eve.cookies.clear()  # a new guest has the same address
        assert len(smtp.to("victim@letters.example", 2)) == 2


VICTIM = ('"({})victim"@flood.example', "({})victim@flood.example", "victim+{}@flood.example", "VICTIM@Flood.example")


def test_spellings_of_one_mailbox_share_a_mail_limit(tmp_path: Path) -> None:
    """With default limits: mails to sign in and to confirm an address, sent from one client address."""
    with smtp_sink() as smtp:
        options = Options(tmp_path, public_url=ORIGIN, smtp=smtp.smtp)
        with TestClient(create_app(options), base_url=ORIGIN) as eve:
            eve.headers.update(OWN_PAGE)
            for number in range(80):
                box = VICTIM[number % len(VICTIM)].format(number)
                eve.post("/api/sign-in/letter", json={"address": box, "language": "en"})
                eve.post("/api/notices/receivers", json={"type": "mail", "address": box})
        assert len(smtp.recipients) == 8, "five to sign in, three to confirm the address"


def test_an_address_stored_by_an_earlier_version_can_sign_in(tmp_path: Path) -> None:
    kept = "a_b@my_host.example"
    with smtp_sink() as smtp:
        options = Options(tmp_path, public_url=ORIGIN, smtp=smtp.smtp)
        with TestClient(create_app(options), base_url=ORIGIN) as ada:
            ada.headers.update(OWN_PAGE)
            letter = {"address": kept, "language": "en"}
            assert ada.post("/api/sign-in/letter", json=letter).json() == {"error": "invalid mail address"}
            row = {"address": kept, "person": "ada", "made": 1}
            with closing(sqlite3.connect(options.database_location, timeout=60)) as db, db:
                db.execute("INSERT INTO mails VALUES (:address, :person, :made)", row)
            assert ada.post("/api/sign-in/letter", json={**letter, "address": f" {kept.upper()} "}).status_code == 202
        assert (smtp.recipients, str(smtp.taken[0]["Subject"])[:8]) == ([kept], "Sign in ")
