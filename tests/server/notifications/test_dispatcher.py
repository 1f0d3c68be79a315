"""The postman: every notice arrives once, at the right time, and none that nobody needs any more."""

import asyncio
import base64
import hmac
import logging
from collections.abc import AsyncIterator, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import update

from polyopolis.play.match.consent_requests import ChangePace, EndEarly
from polyopolis.play.match.messages import AskFor, Consent, GiveTime
from polyopolis.play.table.due_notifications import NOTIFICATION_DELAY_SECONDS, SEEN_DELAY_SECONDS
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import DAY, UNHURRIED, Correspondence
from polyopolis.play.wire.requests import Join, KeepHours
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.mail.mailer import Mailer, Smtp
from polyopolis.server.notifications import dispatcher, message_texts
from polyopolis.server.notifications.dispatcher import (
    FIRST_PAUSE,
    GROWTH,
    LONGEST_PAUSE,
    TRIES,
    DispatcherStores,
    NotificationDispatcher,
)
from polyopolis.server.notifications.message_texts import NotificationContent, Text
from polyopolis.server.notifications.outbox import Outbox
from polyopolis.server.notifications.quiet_hours import Manners
from polyopolis.server.notifications.receivers import (
    HookTarget,
    Kind,
    MailTarget,
    PushTarget,
    ReceiverRow,
    Receivers,
    Target,
    new_receiver,
    new_secret,
)
from polyopolis.server.notifications.safe_http import HttpAnswer, SafeHttpClient
from polyopolis.server.notifications.senders import (
    DeliveryResult,
    HookSender,
    MailSender,
    NotificationBatch,
    PushSender,
    Senders,
    judged,
)
from polyopolis.server.storage.match_repository import DatabaseMatchRepository, remove_table
from polyopolis.server.storage.schema import matches
from tests.play.in_memory_site import InMemorySite, Page, act
from tests.server.support.notification_sink import PATIENCE, Browser, Ears, ears
from tests.server.support.smtp_sink import PostOffice, post_office

pytestmark = pytest.mark.anyio
SITE = "https://cities.example"
SECRET = new_secret()
BOX = "ben@letters.example"


class Site(InMemorySite):
    """A house on a database with a postman who walks when he is told."""

    def __init__(self, store: DatabaseMatchRepository, smtp: Smtp, node: str = "here") -> None:
        super().__init__(store)
        self.store, self.smtp = store, smtp
        self.receivers = Receivers(store, b"key")
        outlet = SafeHttpClient(private=True)
        mail = MailSender(Mailer(smtp), self.receivers, SITE)
        push = PushSender(outlet, bytes(31) + b"\x07", SITE)
        senders: Senders = {"push": push, "mail": mail, "hook": HookSender(outlet, SITE, self.clock)}
        self.outbox = Outbox(store, node)
        self.postman = NotificationDispatcher(
            DispatcherStores(store, self.receivers, self.outbox, NOTIFICATION_DELAY_SECONDS),
            self.lobby,
            senders,
            self.clock,
        )

    async def told(self, person: str, kind: Kind, target: Target, language: str = "en") -> str:
        row = new_receiver(person, kind, target, language, 0)
        added = await self.receivers.add(row)
        if kind == "mail":
            added = await self.receivers.prove(self.receivers.token(row.id, "prove"))
        await self.postman.introduce(added)
        return added.id

    async def walk(self, seconds: float = 0) -> None:
        """Some time later the postman comes."""
        self.clock.advance(seconds)
        await self.postman.look()
        await self.postman.idle()

    async def play(self, table: Table, pages: dict[str, Page], *names: str) -> None:
        """These decide, wherever they are."""
        for name in names:
            (seat,) = table.context.seating.held_by(name)
            await act(table, pages[name], seat)


@pytest.fixture
def heard() -> Iterator[Ears]:
    with ears() as found:
        yield found


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as found:
        yield found


@pytest.fixture(params=["file", pytest.param("postgres", marks=pytest.mark.slow)])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[DatabaseMatchRepository]:
    found = DatabaseMatchRepository(
        tmp_path / "s.sqlite" if request.param == "file" else request.getfixturevalue("new_site")()
    )
    await found.open()
    yield found
    await found.close()


@pytest.fixture
def site(store: DatabaseMatchRepository, office: PostOffice) -> Site:
    return Site(store, office.smtp)


def away(*names: str) -> dict[str, Page]:
    """People who decide without looking on: somebody's other device says it."""
    return {name: Page(name) for name in names}


async def test_every_notice_arrives_once_at_every_receiver(site: Site, heard: Ears, office: PostOffice) -> None:
    browser = Browser(f"{heard.url}/push")
    push = PushTarget(browser.endpoint, browser.wish["p256dh"], browser.wish["auth"])
    await site.told("Ada", "hook", HookTarget(f"{heard.url}/hook", SECRET), "fr")
    await site.told("Ben", "push", push, "de")
    await site.told("Ben", "mail", MailTarget(BOX), "nl")
    table = await site.table("Ada", "Ben", "Cleo")
    people = away("Ada", "Ben", "Cleo")
    await site.walk(19)
    assert heard.heard == [], "people may come by themselves"
    await site.walk(1)
    for _ in range(3):
        await site.walk(60)
    (to_hook,), (to_push,), (mail,) = heard.at("/hook"), heard.at("/push"), office.to(BOX)
    said = to_hook.said
    key, time = to_hook.headers["webhook-id"], to_hook.headers["webhook-timestamp"]
    raw = base64.b64decode(SECRET.removeprefix("whsec_"))
    signed = hmac.new(raw, f"{key}.{time}.".encode() + to_hook.body, sha256).digest()
    assert to_hook.headers["webhook-signature"] == f"v1,{base64.b64encode(signed).decode()}"
    assert (said["id"], said["type"], said["url"]) == (key, "turn", f"{SITE}/t/{table.id}")
    assert (said["title"], said["body"]) == ("À vous de jouer · My City", "Avec Ben et Cleo.")
    shown = browser.read(to_push)
    assert (shown["title"], shown["body"]) == ("Du bist dran · My City", "Mit Ada und Cleo.")
    assert (shown["path"], shown["waiting"]) == (f"/t/{table.id}", 1)
    assert to_push.headers["authorization"].startswith("vapid t=")
    assert mail["Subject"] == "Jij bent aan de beurt · My City"
    assert f"{SITE}/t/{table.id}" in mail.get_content()
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert shown["ids"][0] in mail["Message-ID"]

    await site.play(table, people, "Ada", "Cleo")
    await site.walk(60)
    assert len(heard.heard) == 2, "nobody owes anything new"
    await site.play(table, people, "Ben")
    await site.play(table, people, "Ada")
    await site.walk(60)
    assert len(heard.at("/hook")) == 1, "what was answered is not told"
    assert len(heard.at("/push")) == 2
    ids = [browser.read(each)["ids"] for each in heard.at("/push")]
    assert ids[0] != ids[1]


async def test_those_who_are_slow_to_take_it_keep_nobody_else_waiting(
    site: Site, heard: Ears, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any number of programs that let the server wait have hands of their own, once that is known of them."""
    monkeypatch.setattr(dispatcher, "MAX_CONCURRENT_PEOPLE", 2)
    hanging, begun = asyncio.Event(), list[str]()
    send = HookSender.send

    async def sent(self: HookSender, row: ReceiverRow, parcel: NotificationBatch) -> DeliveryResult:
        if "slow" in row.target:
            begun.append(row.person)
            site.clock.advance(dispatcher.SLOW)
            await hanging.wait()
        return await send(self, row, parcel)

    monkeypatch.setattr(HookSender, "send", sent)
    slow = ["Ben", "Cleo", "Dora", "Emil"]
    tables = {name: await site.table("Ada", name) for name in slow}
    people = away("Ada", *slow)
    for name in slow:
        await site.told(name, "hook", HookTarget(f"{heard.url}/slow", SECRET))
    hanging.set()
    for name, table in tables.items():
        await site.play(table, people, "Ada")
        await site.play(table, people, name)
    await site.walk(60)
    for _ in range(4):
        await site.walk(1)
    assert sorted(begun) == slow, "once, they were taken for anybody"

    begun.clear()
    hanging.clear()
    for name, table in tables.items():
        await site.play(table, people, "Ada")
        await site.play(table, people, name)
    site.clock.advance(60)
    await site.postman.look()
    async with asyncio.timeout(PATIENCE):
        while len(begun) < len(slow):
            await asyncio.sleep(0.01)
    table = await site.table("Ada", "Fred")
    await site.told("Fred", "hook", HookTarget(f"{heard.url}/quick", SECRET))
    for name in ("Ada", "Fred"):
        await site.play(table, away("Ada", "Fred"), name)
    site.clock.advance(60)
    await site.postman.look()
    assert len(await asyncio.to_thread(heard.at, "/quick", 1)) == 1
    hanging.set()
    await site.postman.idle()


async def test_none_while_the_table_is_open_before_somebodys_eyes(site: Site, heard: Ears) -> None:
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    table = await site.table("Ada", "Ben")
    ben = await site.arrived(table, "Ben")
    for _ in range(3):
        await site.walk(SEEN_DELAY_SECONDS)
        assert heard.heard == []
    table.depart(ben)
    await site.walk(NOTIFICATION_DELAY_SECONDS - 1)
    assert heard.heard == []
    await site.walk(1)
    assert [each.said["type"] for each in heard.heard] == ["turn"], "they have left without an answer"
    await site.walk(SEEN_DELAY_SECONDS)
    assert len(heard.heard) == 1


async def test_quiet_hours_a_daily_notice_and_all_that_came_together_at_once(
    site: Site, office: PostOffice, heard: Ears
) -> None:
    site.clock.time = 1_700_000_000_000  # a Tuesday, 22:13 in UTC, 23:13 in Amsterdam
    await site.told("Ben", "mail", MailTarget(BOX))
    await site.told("Cleo", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    await site.receivers.behave("Ben", Manners("Europe/Amsterdam", 22 * 60, 8 * 60))
    await site.receivers.behave("Cleo", Manners("UTC", daily=7))
    tables = [await site.table("Ada", "Ben", "Cleo") for _ in range(3)]
    await site.walk(60)
    await site.play(tables[2], away("Ben"), "Ben")
    await site.walk(8 * 3600)
    assert office.taken == [], "it is a quarter past seven there"
    assert heard.heard == []
    await site.walk(3600)
    (mail,) = office.to(BOX)
    assert mail["Subject"] == "2 tables have news for you"
    assert mail.get_content().count("Your turn · My City: With Ada and Cleo.") == 2
    assert len(mail["X-Polyopolis-Notices"].split()) == 2, "each can be known again, whatever comes with it"
    assert sorted(each.said["table"] for each in heard.heard) == sorted(table.id for table in tables)
    await site.walk(24 * 3600)
    assert (len(office.taken), len(heard.heard)) == (1, 3)


async def test_a_gentle_second_one_before_time_is_up_and_never_a_third(site: Site, heard: Ears) -> None:
    for name in ("Ada", "Ben"):
        await site.told(name, "hook", HookTarget(f"{heard.url}/{name}", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    for _ in range(24):
        await site.walk(3600)
    assert len(heard.at("/Ada")) == 1, "what was answered is not told again"
    first, second = heard.at("/Ben")
    assert (second.said["type"], second.said["body"]) == ("turn-again", "With Ada. About 5 hours left.")
    assert first.said["id"] != second.said["id"], "whoever leaves out what they have seen hears of it"


async def test_whose_time_is_up_and_who_asks_is_told_once_to_those_who_answer(site: Site, heard: Ears) -> None:
    for name in ("Ada", "Ben", "Cleo"):
        await site.told(name, "hook", HookTarget(f"{heard.url}/{name}", SECRET), "de" if name == "Cleo" else "en")
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(1, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.walk(20)
    await site.play(table, people, "Ada", "Cleo")
    for _ in range(26):
        await site.walk(3600)
    said = {name: [each.said for each in heard.at(f"/{name}")] for name in people}
    assert [each["type"] for each in said["Ada"]] == [each["type"] for each in said["Cleo"]] == ["turn", "late"]
    assert [each["type"] for each in said["Ben"]] == ["turn", "turn-again"], "they know"
    late = said["Ada"][1]
    assert late["title"] == "Ben has run out of time · My City"
    assert late["body"] == "With Ben and Cleo. You can wait, let a bot play, or end the match."
    assert said["Cleo"][1]["title"] == "Die Zeit von Ben ist um · My City"

    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(20)
    assert len(heard.at("/Ben")) == 2, "whose time is up is not asked"
    assert len(heard.at("/Ada")) == 2
    asked = heard.at("/Cleo")[2].said
    assert (asked["type"], asked["title"]) == ("asked", "Ada fragt dich · My City")
    assert asked["body"] == "Ada möchte diese Partie beenden. Du kannst zustimmen oder ablehnen."
    await table.handle(people["Cleo"], Consent(yes=False))
    await table.handle(people["Ada"], AskFor(0, ChangePace(UNHURRIED)))
    await table.handle(people["Cleo"], Consent(yes=True))
    await site.walk(20)
    assert len(heard.at("/Cleo")) == 3, "what was answered is not told"
    await site.walk(3600)
    assert [each.said["type"] for each in heard.at("/Ben")][2:] == ["asked"], "that is also for Ben to say"

    await table.handle(people["Ben"], Consent(yes=False))
    await table.handle(people["Ada"], GiveTime(0, 1))
    for _ in range(25):
        await site.walk(3600)
    assert [each.said["title"] for each in heard.at("/Ada")[2:]] == [late["title"]], "up again"
    assert len({each.said["id"] for each in heard.at("/Ada")}) == 3
    await site.play(table, people, "Ben")
    await site.walk(20)
    assert [each.said["type"] for each in heard.at("/Ada")[3:]] == ["turn"]


def paces(number: int) -> ChangePace:
    """A wish that differs from the one before."""
    return ChangePace(Correspondence(2, number % 60))


async def test_others_are_told_once_an_hour_of_what_one_player_asks(site: Site, heard: Ears) -> None:
    """Whatever is asked, answered or asked anew; also after a restart. The table shows each question at once."""
    for name in ("Ben", "Cleo"):
        await site.told(name, "hook", HookTarget(f"{heard.url}/{name}", SECRET))
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(2, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.walk(20)
    for number in range(36):
        wish = EndEarly() if number % 4 == 3 else paces(number)
        await table.handle(people["Ada"], AskFor(0, wish))
        assert table.info("Ben").asked == (1, 2)
        if number % 3 == 2:
            await table.handle(people["Cleo"], Consent(yes=False))
        if number == 18:
            again = Site(site.store, site.smtp)
            again.clock.time = site.clock.time
            site, table = again, await again.lobby.tables.table(table.id)
        await site.walk(20)
        await site.walk(280)
    for name in ("Ben", "Cleo"):
        assert [each.said["type"] for each in heard.at(f"/{name}")] == ["turn", *["asked"] * 3]


async def test_a_question_that_others_were_not_told_of_is_told_when_the_hour_is_over(site: Site, heard: Ears) -> None:
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(2, 0))
    people = away("Ada", "Ben")
    await site.walk(20)
    await table.handle(people["Ada"], AskFor(0, paces(1)))
    await site.walk(10)
    await table.handle(people["Ada"], AskFor(0, paces(2)))
    await site.walk(10)
    assert [each.said["type"] for each in heard.heard] == ["turn", "asked"], "a correction does not delay the notice"
    await table.handle(people["Ben"], Consent(yes=False))
    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(3599)
    assert len(heard.heard) == 2
    await site.walk(1)
    assert [each.said["body"] for each in heard.heard[2:]] == [
        "Ada would like to end this match. You can agree or refuse."
    ]
    await table.handle(people["Ben"], Consent(yes=False))
    await site.walk(3600)
    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(20)
    assert len(heard.heard) == 4, "the first question after an hour"


async def test_whoever_says_later_where_to_be_told_hears_of_what_is_open_already(
    site: Site, heard: Ears, office: PostOffice
) -> None:
    one, two = [await site.table("Ada", "Ben", "Cleo", pace=Correspondence(1, 0)) for _ in range(2)]
    await site.table("Ben", "bot", pace=Correspondence(1, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.play(one, people, "Cleo")
    await site.play(two, people, "Ben")
    await two.handle(people["Ada"], AskFor(0, ChangePace(UNHURRIED)))
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    await site.told("Ben", "mail", MailTarget(BOX))
    for row in await site.receivers.of("Ben"):
        await site.postman.introduce(row)
    await site.walk(SEEN_DELAY_SECONDS - 1)
    assert heard.heard == [], "they have just been there"
    await site.walk(1)
    assert sorted((each.said["type"], each.said["table"]) for each in heard.heard) == [
        ("asked", two.id),
        ("turn", one.id),
    ]
    (mail,) = office.to(BOX)
    assert mail["Subject"] == "2 tables have news for you"
    assert sorted(each.said["id"] for each in heard.heard) == sorted(mail["X-Polyopolis-Notices"].split())
    for _ in range(25):
        await site.walk(3600)
    later = [("late", one.id), ("late", two.id), ("late", two.id), ("turn-again", one.id)]
    assert sorted((each.said["type"], each.said["table"]) for each in heard.heard[2:]) == sorted(later)


async def test_nobody_hears_of_the_time_of_somebody_who_has_gone_for_good(site: Site, heard: Ears) -> None:
    await site.told("Ada", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await table.change_seat("Ben", 1, KeepHours(nights=True, weekends=True, zone="Asia/Tokyo"))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    await site.walk(3 * 3600)
    await site.lobby.nodes.follow(await AccountDataService(site.store).give_up("Ben", site.clock.now() // 1000))
    assert table.context.chain.deadlines == {}, "no clock runs where nobody sits"
    for _ in range(9):
        await site.walk(24 * 3600)
    assert [each.said["type"] for each in heard.at("/hook")] == ["turn"]
    await table.change_seat("Cleo", 1, Join("Cleo"))
    left = table.context.chain.deadlines[1] - site.clock.now()
    assert 20 * 3_600_000 < left < 22 * 3_600_000, "neither more nor less than was left, and no night of Ben's"


@pytest.mark.parametrize("how", ["stopped", "asleep"])
async def test_time_in_which_no_server_was_there_is_nobodys_before_anybody_is_told_of_it(
    site: Site, heard: Ears, office: PostOffice, how: str
) -> None:
    for name in ("Ada", "Ben"):
        await site.told(name, "hook", HookTarget(f"{heard.url}/{name}", SECRET))
    await site.lobby.deadlines.record_heartbeat(silence=DAY)
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    await site.walk(10 * 3600)
    await site.lobby.deadlines.record_heartbeat(silence=DAY)
    if how == "stopped":
        stopped, site = site, Site(site.store, office.smtp, "another")
        site.clock.time = stopped.clock.time + 30 * 3_600_000
        await site.lobby.deadlines.record_heartbeat(silence=0)
    else:
        site.clock.shift(30 * 3600)
    await site.walk()
    for _ in range(13):
        await site.walk(3600)
    assert [each.said["type"] for each in heard.at("/Ada")] == ["turn"], "Ben has time"
    assert [each.said["type"] for each in heard.at("/Ben")] == ["turn", "turn-again"], "and is reminded of it"
    for _ in range(2):
        await site.walk(3600)
    assert [each.said["type"] for each in heard.at("/Ada")] == ["turn", "late"]


async def test_a_browser_that_is_off_finds_everything_but_what_is_older_of_the_same(site: Site, heard: Ears) -> None:
    browser = Browser(f"{heard.url}/push")
    push = PushTarget(browser.endpoint, browser.wish["p256dh"], browser.wish["auth"])
    await site.told("Ben", "push", push)
    one = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(1, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.walk(20)
    await site.play(one, people, "Ada", "Ben", "Cleo")
    await site.walk(20)
    await one.handle(people["Ada"], AskFor(0, ChangePace(UNHURRIED)))
    await site.walk(20)
    for _ in range(2):
        for _ in range(2):
            await site.table("Ada", "Ben")
        await site.walk(20)
    first, second, asked, *both = (each.headers["topic"] for each in heard.at("/push"))
    assert first == second, "a push service keeps the newer one"
    assert len({first, asked, *both}) == 4, "what somebody asks, and other tables, are another matter"
    assert all(len(topic) <= 32 for topic in (first, asked, *both)), "RFC 8030"


async def test_whoever_fails_is_tried_again_with_growing_pauses_and_given_up(
    site: Site, heard: Ears, caplog: pytest.LogCaptureFixture
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/broken", SECRET))
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/moved", SECRET))
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/good", SECRET))
    heard.answers |= {"/broken": 503, "/moved": 307}
    await site.table("Ada", "Ben")
    await site.walk(20)
    for tries in range(1, TRIES):
        assert len(heard.at("/broken")) == tries
        pause = min(FIRST_PAUSE * GROWTH ** (tries - 1), LONGEST_PAUSE)
        await site.walk(pause - 1)
        assert len(heard.at("/broken")) == tries
        with caplog.at_level(logging.WARNING):
            await site.walk(1)
    assert len(heard.at("/broken")) == len(heard.at("/moved")) == TRIES
    assert heard.at("/elsewhere") == []
    assert len({each.said["id"] for each in heard.heard}) == 1
    assert len(heard.at("/good")) == 1, "others do not pay for it"
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert "is given up: answer" in lines[0]
    assert heard.url not in "".join(lines)
    await site.walk(7 * 24 * 3600)
    assert len(heard.at("/broken")) == TRIES


@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (403, 1), (500, 1)])
async def test_receivers_that_are_no_more_are_removed(site: Site, heard: Ears, status: int, left: int) -> None:
    browser = Browser(f"{heard.url}/push")
    await site.told("Ben", "push", PushTarget(browser.endpoint, browser.wish["p256dh"], browser.wish["auth"]))
    heard.answers["/push"] = status
    await site.table("Ada", "Ben")
    await site.walk(20)
    assert len(await site.receivers.of("Ben")) == left


def test_a_browser_of_apple_says_in_its_own_way_that_it_is_no_more() -> None:
    at_apple, elsewhere = "https://web.push.apple.com/Q1", "https://push.apple.com.example/Q1"
    assert [judged(url, HttpAnswer(403)).how for url in (at_apple, elsewhere)] == ["gone", "failed"]


async def test_a_crash_between_sending_and_noting_repeats_it_with_the_same_id(
    site: Site, heard: Ears, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(*_: Any) -> None:
        await asyncio.Event().wait()

    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    await site.table("Ada", "Ben")
    monkeypatch.setattr(site.outbox, "settle", hang)
    monkeypatch.setattr(dispatcher, "SHUTDOWN_SECONDS", 0.01)
    site.clock.advance(20)
    await site.postman.look()
    await asyncio.to_thread(heard.at, "/hook", 1)
    await site.postman.close()
    again = Site(site.store, office.smtp, "another")
    again.clock.time = site.clock.time
    for _ in range(3):
        await again.walk(60)
    first, second = heard.heard
    assert first.said["id"] == second.said["id"]


async def test_a_table_that_is_gone_and_a_rematch_leave_nothing_to_tell(
    site: Site, heard: Ears, store: DatabaseMatchRepository
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    table = await site.table("Ada", "Ben")
    await store.write(lambda db: remove_table(db, table.id))
    await site.walk(20)
    assert heard.heard == []
    table = await site.table("Ada", "Ben", game="pointcity", setup={})
    assert table.session
    people = away("Ada", "Ben")
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await site.play(table, people, ("Ada", "Ben")[seat])
    await site.walk(20)
    assert [each.said["type"] for each in heard.heard] == ["over"]


async def test_a_table_that_cannot_be_read_keeps_nobody_from_hearing_of_another(
    site: Site, heard: Ears, store: DatabaseMatchRepository, caplog: pytest.LogCaptureFixture
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    broken, whole = [await site.table("Ada", "Ben") for _ in range(2)]
    spoilt = update(matches).where(matches.c.table == broken.id)
    await store.write(lambda db: db.execute(spoilt.values(due="e5c1d7")))
    await site.walk(60)
    assert [told.said["url"] for told in heard.heard] == [f"{SITE}/t/{whole.id}"]
    for _ in range(TRIES):
        await site.walk(LONGEST_PAUSE)
    assert not await site.outbox.take(site.clock.now() + int(2000 * LONGEST_PAUSE), ()), "it is given up"
    assert [record.getMessage() for record in caplog.records if broken.id in record.getMessage()] == [
        f"table {broken.id} cannot be read: due of match 0 is broken"
    ]
    assert len(heard.heard) == 1


async def test_two_postmen_on_one_database_do_not_both_tell(
    store: DatabaseMatchRepository, heard: Ears, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = Site(store, office.smtp, "one"), Site(store, office.smtp, "two")
    await store.beat("one")
    await store.beat("two")
    await one.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    for _ in range(5):
        await one.table("Ada", "Ben")
    for each in (one, two):
        each.clock.advance(20)
        await each.postman.look()
    await one.postman.idle()
    await two.postman.idle()
    assert len(heard.heard) == 5
    monkeypatch.setattr(dispatcher, "MAX_CONCURRENT_PEOPLE", 1)
    await one.table("Ada", "Ben")
    taken = await one.outbox.take(one.clock.now() + 20_000, ())
    assert len(taken) == 1
    await two.walk(60)
    assert len(heard.heard) == 5, "another one has it in hand"
    await store.bury("one")
    await two.walk(1)
    assert len(heard.heard) == 6, "who is dead tells nothing"


async def test_what_was_told_is_not_told_again_because_the_database_was_away(
    site: Site, heard: Ears, monkeypatch: pytest.MonkeyPatch
) -> None:
    settle, failures = site.outbox.settle, [OSError(), OSError()]

    async def fail(*about: Any) -> None:
        if failures:
            raise failures.pop()
        await settle(*about)

    await site.told("Ben", "hook", HookTarget(f"{heard.url}/hook", SECRET))
    await site.table("Ada", "Ben")
    monkeypatch.setattr(site.outbox, "settle", fail)
    monkeypatch.setattr(dispatcher, "BETWEEN", 0.0)
    for _ in range(3):
        await site.walk(60)
    assert not failures
    assert len(heard.heard) == 1


async def test_what_cannot_be_said_in_one_language_is_said_in_another(
    site: Site, heard: Ears, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = message_texts.text

    def fail(told: NotificationContent, language: str) -> Text:
        if language == "de":
            raise KeyError(told.kind)
        return said(told, language)

    for language in ("de", "en"):
        await site.told("Ben", "hook", HookTarget(f"{heard.url}/{language}", SECRET), language)
    monkeypatch.setattr(message_texts, "text", fail)
    await site.table("Ada", "Ben")
    await site.walk(20)
    assert [len(heard.at(f"/{language}")) for language in ("de", "en")] == [0, 1]
    monkeypatch.setattr(message_texts, "text", said)
    await site.walk(FIRST_PAUSE)
    assert [len(heard.at(f"/{language}")) for language in ("de", "en")] == [1, 1]
