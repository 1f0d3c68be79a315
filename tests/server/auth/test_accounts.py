"""Accounts: a guest proves who they are and is the same person on every device; what is revoked is out at once."""

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

from polyopolis.play.seats.player_names import SOMEBODY
from polyopolis.server.app import create_app
from polyopolis.server.auth.people import add_key, forget_keys, keys_of, known_people, move_on, mute, remove
from polyopolis.server.auth.session_cookies import BEFORE, COOKIE, DAY, ROTATED, SessionCookie, Sessions
from polyopolis.server.auth.visitors import UNUSED
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.mail.letter_templates import gaps, languages
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.options import Options
from polyopolis.server.storage.databases import engine_of
from polyopolis.server.storage.schema import devices, own_codes, seats, turns
from tests.play.in_memory_site import PATIENCE, until
from tests.server.support.authenticator import Authenticator
from tests.server.support.server_process import ORIGIN, OWN_PAGE, House, Visitor, open_house
from tests.server.support.smtp_sink import PostOffice, post_office

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0"


@pytest.fixture(scope="module")
def office() -> Iterator[PostOffice]:
    with post_office() as found:
        yield found


@pytest.fixture(scope="module")
def house(office: PostOffice, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with open_house(tmp_path_factory.mktemp("accounts"), *office.options) as found:
        yield found


@pytest.fixture
async def visit(house: House) -> AsyncIterator[Visit]:
    async with AsyncExitStack() as stack:

        def new() -> Visitor:
            visitor = Visitor(house)
            visitor.http.headers["user-agent"] = FIREFOX
            stack.push_async_callback(visitor.close)
            return visitor

        yield new


@contextmanager
def database(house: House) -> Iterator[Any]:
    """What a host does with a command, while the server runs."""
    engine = engine_of(house.data / DATABASE)
    with engine.begin() as db:
        yield db
    engine.dispose()


def person_of(visitor: Visitor) -> str:
    return str(visitor.http.cookies[COOKIE].partition(".")[0])


async def tables_of(visitor: Visitor) -> set[str]:
    return {table["table"] for table in (await visitor.get("/hello"))["tables"]}


async def with_code(visitor: Visitor) -> str:
    """An account by a code of its own."""
    return str((await visitor.post("/me/code", {}))["code"])


async def sign_in(visitor: Visitor, code: str, bring: bool = True) -> Any:
    proved = await visitor.post("/sign-in/code", {"word": code})
    return await visitor.post("/sign-in", {"ticket": proved["ticket"], "bring": bring})


# Ways to come back


async def test_a_guest_becomes_an_account_by_a_code_and_brings_a_guest_along(visit: Visit, house: House) -> None:
    ada, phone, ben = visit(), visit(), visit()
    table = await ada.table("Ada", "open")
    assert (await ada.get("/me"))["account"] is False
    made = await ada.post("/me/code", {})
    assert re.fullmatch(r"([A-Z2-9]{5}-){3}[A-Z2-9]{5}", made["code"])
    with database(house) as db:
        kept = db.execute(select(own_codes.c.digest).where(own_codes.c.person == person_of(ada))).scalar_one()
    assert kept == sha256(made["code"].replace("-", "").encode()).hexdigest(), "what is kept of a code is its digest"
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
        assert await tables_of(phone) == {own}, "nothing has happened yet"
        me = await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
        assert (me["name"], me["tables"], len(me["devices"])) == ("Ada", 3, 2)
        assert await tables_of(phone) == await tables_of(ada) == {table, own}
        assert (await ada.get(f"/tables/{own}"))["yours"] == [0]
        await screen.until(lambda: len(screen.heard) > 1)  # who sits there was told
    async with phone.at(own) as seated:
        choice = seated.mine[0]["choices"][0]
        await seated.act(0, choice)
        await seated.until(lambda: seated.mine[0]["turn"] == 1)
    assert await phone.refused("/sign-in", {"ticket": proved["ticket"], "bring": True}) == (
        404, "nobody is known by this: it does not exist, was used, or is too old",
    )  # fmt: skip


async def test_whoever_signs_in_without_the_guest_finds_it_again(visit: Visit) -> None:
    ada, shared = visit(), visit()
    code = await with_code(ada)
    table = await shared.table("Family", "open")
    family = person_of(shared)
    assert (await sign_in(shared, code, bring=False))["tables"] == 0
    assert await tables_of(shared) == set()
    me = await shared.post("/sign-out", {})
    assert (me["account"], me["tables"]) == (False, 1)
    assert person_of(shared) == family
    assert BEFORE not in shared.http.cookies
    assert await tables_of(shared) == {table}
    assert (await shared.refused("/sign-out", {}))[0] == 403


async def test_a_passkey_opens_an_account_where_it_was_made_for(visit: Visit, house: House) -> None:
    ada, phone, eve = visit(), visit(), visit()
    key = Authenticator(house.url)
    await ada.table("Ada", "open")
    options = (await ada.post("/me/passkeys/options", {}))["options"]
    assert options["rp"]["id"] == "127.0.0.1"
    assert options["user"]["name"] == "Ada"
    assert person_of(ada) not in json.dumps(options)
    made = key.made(options)
    assert (await eve.refused("/me/passkeys", {"credential": made}))[0] == 404, "another browser has asked for it"
    me = await ada.post("/me/passkeys", {"credential": made})
    assert [each["name"] for each in me["passkeys"]] == ["Firefox, Linux"]
    assert (await ada.refused("/me/passkeys", {"credential": made}))[0] == 404, "an answer is given once"

    options = (await phone.post("/sign-in/passkey/options", {}))["options"]
    shown = key.shown(options)
    assert (await eve.refused("/sign-in/passkey", {"credential": shown}))[0] == 404
    proved = await phone.post("/sign-in/passkey", {"credential": shown})
    assert (proved["name"], proved["tables"]) == ("Ada", 1)
    assert (await eve.refused("/sign-in", {"ticket": proved["ticket"], "bring": True}))[0] == 404
    assert (await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True}))["account"]
    assert person_of(phone) == person_of(ada)

    other, elsewhere = Authenticator(house.url), Authenticator("https://evil.example")
    for wrong in (other, elsewhere):
        options = (await eve.post("/sign-in/passkey/options", {}))["options"]
        assert (await eve.refused("/sign-in/passkey", {"credential": wrong.shown(options)}))[0] == 403
    options = (await eve.post("/me/passkeys/options", {}))["options"]
    assert (await eve.refused("/me/passkeys", {"credential": elsewhere.made(options)}))[0] == 403
    for nonsense in ({}, {"id": "x"}, {"response": {"clientDataJSON": "e30"}}, {"response": 7}):
        assert (await eve.refused("/sign-in/passkey", {"credential": nonsense}))[0] == 400


async def test_a_letter_opens_an_account_and_only_the_asking_browser_can_add_an_address(
    visit: Visit, office: PostOffice
) -> None:
    ada, phone, eve = visit(), visit(), visit()
    await ada.table("Ada", "open")
    asked = {"address": "Ada@Letters.example", "language": "de"}
    first = await ada.http.post("/api/sign-in/letter", json=asked)
    assert (first.status_code, first.json()) == (202, {"minutes": 10})
    (letter,) = office.to("ada@letters.example")
    assert str(letter["Subject"]).startswith("Diese Adresse für Polyopolis: ")
    word, code = words_of(letter)
    assert (await eve.refused("/sign-in/word", {"word": word}))[0] == 403, "it was asked for elsewhere"
    assert (await eve.refused("/sign-in/word", {"word": code}))[0] == 404
    proved = await ada.post("/sign-in/word", {"word": word})
    assert (proved["does"], proved["mail"]) == ("add-mail", "ada@letters.example")
    assert (await ada.refused("/sign-in/word", {"word": code}))[0] == 404, "both words are spent"
    me = await ada.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
    assert (me["mails"], me["account"]) == (["ada@letters.example"], True)

    asked["language"] = "tlh"  # nobody here speaks it
    again = await phone.http.post("/api/sign-in/letter", json=asked)
    assert (again.status_code, again.content) == (202, first.content), "nobody learns whether it is somebody's"
    _, letter = office.to("ada@letters.example", 2)
    assert str(letter["Subject"]).startswith("Sign in to Polyopolis: ")
    word, code = words_of(letter)
    proved = await phone.post("/sign-in/word", {"word": code})
    assert (proved["does"], proved["name"], proved["tables"]) == ("sign-in", "Ada", 1)
    await phone.post("/sign-in", {"ticket": proved["ticket"], "bring": True})
    assert person_of(phone) == person_of(ada)
    assert (await eve.refused("/sign-in/letter", {**asked, "address": "a@b\r\nBcc: c@d.example"}))[0] == 400
    assert (await phone.refused("/me/mails/forget", {"address": "ada@letters.example"})) == (
        403, "this is the only way in",
    )  # fmt: skip
    await with_code(phone)
    assert (await phone.post("/me/mails/forget", {"address": "ada@letters.example"}))["mails"] == []


def words_of(letter: Any) -> tuple[str, str]:
    content = letter.get_content().replace("\r", "")
    link, code = re.search(r"/me#letter=(\S+)", content), re.search(r": ([A-Z2-9]{8})$", content, re.MULTILINE)
    assert link
    assert code
    return link[1], code[1]


def test_letters_say_the_same_in_every_language() -> None:
    assert languages() == {"de", "en", "fr", "nl"}
    for language in languages():
        assert gaps(language) == gaps("en")


async def test_a_recovery_code_opens_once_and_is_no_way_by_itself(visit: Visit) -> None:
    ada, phone, again = visit(), visit(), visit()
    await with_code(ada)
    recovery = (await ada.post("/me/recovery", {}))["code"]
    assert (await ada.refused("/me/code/forget", {}))[0] == 403
    shown = await again.post("/sign-in/code", {"word": recovery})
    assert shown["does"] == "sign-in", "whoever turns back has not lost it"
    me = await sign_in(phone, recovery)
    assert (me["recovery"], len(me["devices"])) == (None, 2)
    assert (await again.refused("/sign-in", {"ticket": shown["ticket"], "bring": False}))[0] == 404
    assert (await again.refused("/sign-in/code", {"word": recovery}))[0] == 404
    old = await with_code(ada)
    await with_code(ada)
    assert (await again.refused("/sign-in/code", {"word": old}))[0] == 404, "a new one takes its place"


# Devices


async def test_a_device_that_is_signed_out_is_out_at_once_with_its_open_pages(visit: Visit) -> None:
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
        assert await asyncio.wait_for(screen.hear_to_the_end(), PATIENCE) == 4410
        assert own.info
        assert (await ada.get(f"/tables/{table}"))["yours"] == [0]
    eve.http.cookies.clear()
    eve.http.cookies[COOKIE] = stolen
    async with eve.at(table) as screen:
        assert screen.info
        assert screen.info["yours"] == []
    assert await tables_of(eve) == set()


async def test_signing_in_elsewhere_leaves_the_account_that_was_here(visit: Visit) -> None:
    ada, ben = visit(), visit()
    await ada.table("Ada", "open")
    await ben.table("Ben", "open")
    await with_code(ben)
    me = await sign_in(ben, await with_code(ada))
    assert (me["name"], me["tables"]) == ("Ada", 1)


async def test_cookies_have_successors_and_end_when_nobody_uses_them(visit: Visit, house: House) -> None:
    ada = visit()
    table = await ada.table("Ada", "open")
    await with_code(ada)
    with database(house) as db:
        sessions = Sessions(keys_of(db))
        shown = sessions.read(ada.http.cookies[COOKIE])
        assert shown
        old = SessionCookie(shown.person, shown.device, shown.issued - ROTATED - DAY, shown.key)
        set_device(db, shown.device, issued=old.issued, since=old.issued)

    async def asked(cookie: str) -> tuple[set[str], str]:
        """Which tables somebody sees with a cookie, and which one they have then."""
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
    assert (await asked(first))[0] == {table}, "requests that were on their way hold"
    third = sessions.signed(SessionCookie(shown.person, shown.device, successor.issued + 1, shown.key))
    assert (await asked(third))[0] == {table}
    assert (await asked(first))[0] == set(), "but not for ever"
    assert (await asked(second))[0] == {table}
    ahead = sessions.signed(SessionCookie(shown.person, shown.device, successor.issued + 30 * DAY, shown.key))
    assert (await asked(ahead))[0] == set()
    long_ago = shown.issued - UNUSED - DAY
    with database(house) as db:
        set_device(db, shown.device, seen=long_ago, issued=long_ago, since=long_ago)
        move_on(db)
    unused = sessions.signed(SessionCookie(shown.person, shown.device, long_ago, shown.key))

    async def is_out() -> bool:
        return (await asked(unused))[0] == set()

    await until(is_out)


def set_device(db: Any, device: str, **values: int) -> None:
    db.execute(update(devices).where(devices.c.id == device).values(**values))


async def test_the_secret_of_a_server_changes_and_nobody_is_thrown_out(visit: Visit, house: House) -> None:
    ada, guest, away = visit(), visit(), visit()
    tables = {visitor: await visitor.table("Somebody", "open") for visitor in (ada, guest, away)}
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
        forget_keys(db, newest)

    async def is_forgotten() -> bool:
        away.http.cookies.clear()
        away.http.cookies[COOKIE] = before[away]
        return await tables_of(away) == set()

    await until(is_forgotten)
    for visitor in (ada, guest):
        assert await tables_of(visitor) == {tables[visitor]}


# Going for good, and taking things along


async def test_whoever_goes_leaves_the_games_of_the_others(visit: Visit, house: House) -> None:
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
        await screen.until(lambda: bool(screen.info and screen.info["seats"][0]["name"] == SOMEBODY))
    after = await ben.get(f"/tables/{table}/matches/0/record")
    assert after == {**before, "players": [SOMEBODY, "Ben"]}
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
    assert (await ben.refused(f"/tables/{table}/seats/0", {"type": "join", "name": SOMEBODY}))[0] == 403
    assert (await ben.refused("/me/name", {"name": SOMEBODY}))[0] == 400


# Hosts


async def test_a_host_mutes_and_removes_people_while_the_server_runs(visit: Visit, house: House) -> None:
    ada, phone, ben = visit(), visit(), visit()
    table = await ada.table("Ada from the list", "open")
    await ben.join(table, 1, "Ben")
    code = await with_code(ada)
    with database(house) as db:
        (found,) = known_people(db, "FROM the list")
        assert (found.id, found.account, found.tables, found.removed) == (person_of(ada), True, 1, False)
        assert mute(db, found.id, True)
        assert not mute(db, "nobody", True)

    async def is_muted() -> bool:
        return bool((await ada.get("/me"))["muted"])

    await until(is_muted)
    async with ada.at(table) as screen, ben.at(table) as other:
        with database(house) as db:
            assert remove(db, found.id, 1)
        assert await asyncio.wait_for(screen.hear_to_the_end(), PATIENCE) == 4410
        assert other.info
        assert other.info["seats"][0]["name"] == "Ada from the list"
    assert await tables_of(ada) == set()
    assert (await phone.refused("/sign-in/code", {"word": code}))[0] == 403
    assert (await ben.get(f"/tables/{table}"))["seats"][0]["kind"] == "person"
    with database(house) as db:
        assert remove(db, found.id, None)
    assert (await sign_in(phone, code))["tables"] == 1


# Abuse


async def test_no_letter_leads_to_where_somebody_says_that_this_site_is(visit: Visit, office: PostOffice) -> None:
    eve = visit()
    letter = {"address": "victim@elsewhere.example", "language": "en"}
    evil = {"host": "203.0.113.66", "origin": "http://203.0.113.66", "x-polyopolis": "1"}
    answer = await eve.http.post("/api/sign-in/letter", json=letter, headers=evil)
    assert (answer.status_code, answer.json()) == (
        400, {"error": "this site sends no mail: its host has not named its address"},
    )  # fmt: skip
    await eve.post("/sign-in/letter", letter)
    (found,) = office.to("victim@elsewhere.example")
    assert f"{eve.house.url}/me#letter=" in found.get_content()


def test_what_might_be_guessed_is_tried_only_so_often(tmp_path: Path, office: PostOffice) -> None:
    strict = Limits(tries=RateLimit(6, DAY), letters=RateLimit(2, DAY))
    options = Options(tmp_path, public_url=ORIGIN, smtp=office.smtp, limits=strict)
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
            eve.cookies.clear()  # whoever takes another name comes from the same address
        assert len(office.to("victim@letters.example", 2)) == 2


VICTIM = ('"({})victim"@flood.example', "({})victim@flood.example", "victim+{}@flood.example", "VICTIM@Flood.example")


def test_one_mailbox_gets_few_letters_whatever_it_is_called(tmp_path: Path) -> None:
    """With the usual limits: all that one address can have sent there at once, to sign in and to prove it."""
    with post_office() as office:
        options = Options(tmp_path, public_url=ORIGIN, smtp=office.smtp)
        with TestClient(create_app(options), base_url=ORIGIN) as eve:
            eve.headers.update(OWN_PAGE)
            for number in range(80):
                box = VICTIM[number % len(VICTIM)].format(number)
                eve.post("/api/sign-in/letter", json={"address": box, "language": "en"})
                eve.post("/api/notices/receivers", json={"type": "mail", "address": box})
        assert len(office.recipients) == 8, "five that sign in, three that prove"


def test_an_address_that_was_kept_before_signs_in_as_ever(tmp_path: Path) -> None:
    kept = "a_b@my_host.example"
    with post_office() as office:
        options = Options(tmp_path, public_url=ORIGIN, smtp=office.smtp)
        with TestClient(create_app(options), base_url=ORIGIN) as ada:
            ada.headers.update(OWN_PAGE)
            letter = {"address": kept, "language": "en"}
            assert ada.post("/api/sign-in/letter", json=letter).json() == {"error": "this is no mail address"}
            row = {"address": kept, "person": "ada", "made": 1}
            with closing(sqlite3.connect(options.database_location)) as db, db:
                db.execute("INSERT INTO mails VALUES (:address, :person, :made)", row)
            assert ada.post("/api/sign-in/letter", json={**letter, "address": f" {kept.upper()} "}).status_code == 202
        assert (office.recipients, str(office.taken[0]["Subject"])[:8]) == ([kept], "Sign in ")
