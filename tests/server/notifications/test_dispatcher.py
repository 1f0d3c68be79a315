"""Delivery of notifications: at least once, at the right time, and only while they apply."""

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
from polyopolis.play.wire.requests import Join, SetRestHours
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.mail.mailer import Mailer, Smtp
from polyopolis.server.notifications import dispatcher, message_texts
from polyopolis.server.notifications.dispatcher import (
    BACKOFF_FACTOR,
    FIRST_RETRY_SECONDS,
    MAX_RETRY_SECONDS,
    MAX_TRIES,
    DispatcherStores,
    NotificationDispatcher,
)
from polyopolis.server.notifications.message_texts import NotificationContent, Text
from polyopolis.server.notifications.outbox import Outbox
from polyopolis.server.notifications.quiet_hours import NotificationPreferences
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
    delivery_result,
)
from polyopolis.server.storage.match_repository import DatabaseMatchRepository, remove_table
from polyopolis.server.storage.schema import matches
from tests.play.in_memory_site import InMemorySite, Page, act
from tests.server.support.notification_sink import TIMEOUT_SECONDS, NotificationSink, PushBrowser, notification_sink
from tests.server.support.smtp_sink import SmtpSink, smtp_sink

pytestmark = pytest.mark.anyio
SITE = "https://cities.example"
SECRET = new_secret()
BOX = "ben@letters.example"


class Site(InMemorySite):
    """Services on a database with a dispatcher that polls when the test says so."""

    def __init__(self, store: DatabaseMatchRepository, smtp: Smtp, node: str = "here") -> None:
        super().__init__(store)
        self.store, self.smtp = store, smtp
        self.receivers = Receivers(store, b"key")
        outlet = SafeHttpClient(private=True)
        mail = MailSender(Mailer(smtp), self.receivers, SITE)
        push = PushSender(outlet, bytes(31) + b"\x07", SITE)
        senders: Senders = {"push": push, "mail": mail, "hook": HookSender(outlet, SITE, self.clock)}
        self.outbox = Outbox(store, node)
        self.dispatcher = NotificationDispatcher(
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
        await self.dispatcher.queue_due_notifications(added)
        return added.id

    async def walk(self, seconds: float = 0) -> None:
        """Advances the clock, polls once and waits for the deliveries."""
        self.clock.advance(seconds)
        await self.dispatcher.poll()
        await self.dispatcher.idle()

    async def play(self, table: Table, pages: dict[str, Page], *names: str) -> None:
        """These players decide."""
        for name in names:
            (seat,) = table.context.seating.held_by(name)
            await act(table, pages[name], seat)


@pytest.fixture
def sink() -> Iterator[NotificationSink]:
    with notification_sink() as found:
        yield found


@pytest.fixture
def smtp() -> Iterator[SmtpSink]:
    with smtp_sink() as found:
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
def site(store: DatabaseMatchRepository, smtp: SmtpSink) -> Site:
    return Site(store, smtp.smtp)


def away(*names: str) -> dict[str, Page]:
    """Pages of people who decide without watching the table."""
    return {name: Page(name) for name in names}


async def test_each_receiver_gets_a_notification_once(site: Site, sink: NotificationSink, smtp: SmtpSink) -> None:
    browser = PushBrowser(f"{sink.url}/push")
    push = PushTarget(browser.endpoint, browser.wish["p256dh"], browser.wish["auth"])
    await site.told("Ada", "hook", HookTarget(f"{sink.url}/hook", SECRET), "fr")
    await site.told("Ben", "push", push, "de")
    await site.told("Ben", "mail", MailTarget(BOX), "nl")
    table = await site.table("Ada", "Ben", "Cleo")
    people = away("Ada", "Ben", "Cleo")
    await site.walk(19)
    assert sink.heard == [], "the first notification is delayed"
    await site.walk(1)
    for _ in range(3):
        await site.walk(60)
    (to_hook,), (to_push,), (mail,) = sink.at("/hook"), sink.at("/push"), smtp.to(BOX)
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
    assert len(sink.heard) == 2, "no seat is newly due"
    await site.play(table, people, "Ben")
    await site.play(table, people, "Ada")
    await site.walk(60)
    assert len(sink.at("/hook")) == 1, "answered turns are not sent"
    assert len(sink.at("/push")) == 2
    ids = [browser.read(each)["ids"] for each in sink.at("/push")]
    assert ids[0] != ids[1]


async def test_slow_receivers_do_not_delay_others(
    site: Site, sink: NotificationSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Receivers whose last delivery was slow have slots of their own."""
    monkeypatch.setattr(dispatcher, "MAX_CONCURRENT_PEOPLE", 2)
    hanging, begun = asyncio.Event(), list[str]()
    send = HookSender.send

    async def sent(self: HookSender, row: ReceiverRow, batch: NotificationBatch) -> DeliveryResult:
        if "slow" in row.target:
            begun.append(row.person)
            site.clock.advance(dispatcher.SLOW_SECONDS)
            await hanging.wait()
        return await send(self, row, batch)

    monkeypatch.setattr(HookSender, "send", sent)
    slow = ["Ben", "Cleo", "Dora", "Emil"]
    tables = {name: await site.table("Ada", name) for name in slow}
    people = away("Ada", *slow)
    for name in slow:
        await site.told(name, "hook", HookTarget(f"{sink.url}/slow", SECRET))
    hanging.set()
    for name, table in tables.items():
        await site.play(table, people, "Ada")
        await site.play(table, people, name)
    await site.walk(60)
    for _ in range(4):
        await site.walk(1)
    assert sorted(begun) == slow, "the first round used the shared slots"

    begun.clear()
    hanging.clear()
    for name, table in tables.items():
        await site.play(table, people, "Ada")
        await site.play(table, people, name)
    site.clock.advance(60)
    await site.dispatcher.poll()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        while len(begun) < len(slow):
            await asyncio.sleep(0.01)
    table = await site.table("Ada", "Fred")
    await site.told("Fred", "hook", HookTarget(f"{sink.url}/quick", SECRET))
    for name in ("Ada", "Fred"):
        await site.play(table, away("Ada", "Fred"), name)
    site.clock.advance(60)
    await site.dispatcher.poll()
    assert len(await asyncio.to_thread(sink.at, "/quick", 1)) == 1
    hanging.set()
    await site.dispatcher.idle()


async def test_no_notification_while_the_person_watches_the_table(site: Site, sink: NotificationSink) -> None:
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    table = await site.table("Ada", "Ben")
    ben = await site.arrived(table, "Ben")
    for _ in range(3):
        await site.walk(SEEN_DELAY_SECONDS)
        assert sink.heard == []
    table.depart(ben)
    await site.walk(NOTIFICATION_DELAY_SECONDS - 1)
    assert sink.heard == []
    await site.walk(1)
    assert [each.said["type"] for each in sink.heard] == ["turn"], "the person has left without deciding"
    await site.walk(SEEN_DELAY_SECONDS)
    assert len(sink.heard) == 1


async def test_quiet_hours_and_daily_digests_combine_notifications(
    site: Site, smtp: SmtpSink, sink: NotificationSink
) -> None:
    site.clock.time = 1_700_000_000_000  # a Tuesday, 22:13 in UTC, 23:13 in Amsterdam
    await site.told("Ben", "mail", MailTarget(BOX))
    await site.told("Cleo", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    await site.receivers.set_preferences("Ben", NotificationPreferences("Europe/Amsterdam", 22 * 60, 8 * 60))
    await site.receivers.set_preferences("Cleo", NotificationPreferences("UTC", daily=7))
    tables = [await site.table("Ada", "Ben", "Cleo") for _ in range(3)]
    await site.walk(60)
    await site.play(tables[2], away("Ben"), "Ben")
    await site.walk(8 * 3600)
    assert smtp.taken == [], "it is 07:15 in Amsterdam"
    assert sink.heard == []
    await site.walk(3600)
    (mail,) = smtp.to(BOX)
    assert mail["Subject"] == "2 tables have news for you"
    assert mail.get_content().count("Your turn · My City: With Ada and Cleo.") == 2
    assert len(mail["X-Polyopolis-Notices"].split()) == 2, "each notification has its id"
    assert sorted(each.said["table"] for each in sink.heard) == sorted(table.id for table in tables)
    await site.walk(24 * 3600)
    assert (len(smtp.taken), len(sink.heard)) == (1, 3)


async def test_one_reminder_is_sent_before_the_deadline(site: Site, sink: NotificationSink) -> None:
    for name in ("Ada", "Ben"):
        await site.told(name, "hook", HookTarget(f"{sink.url}/{name}", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    for _ in range(24):
        await site.walk(3600)
    assert len(sink.at("/Ada")) == 1, "no reminder of an answered turn"
    first, second = sink.at("/Ben")
    assert (second.said["type"], second.said["body"]) == ("turn-again", "With Ada. About 5 hours left.")
    assert first.said["id"] != second.said["id"], "the reminder has an id of its own"


async def test_requests_and_missed_deadlines_are_sent_once_to_other_players(site: Site, sink: NotificationSink) -> None:
    for name in ("Ada", "Ben", "Cleo"):
        await site.told(name, "hook", HookTarget(f"{sink.url}/{name}", SECRET), "de" if name == "Cleo" else "en")
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(1, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.walk(20)
    await site.play(table, people, "Ada", "Cleo")
    for _ in range(26):
        await site.walk(3600)
    said = {name: [each.said for each in sink.at(f"/{name}")] for name in people}
    assert [each["type"] for each in said["Ada"]] == [each["type"] for each in said["Cleo"]] == ["turn", "late"]
    assert [each["type"] for each in said["Ben"]] == ["turn", "turn-again"], "Ben is not notified of his own deadline"
    late = said["Ada"][1]
    assert late["title"] == "Ben has run out of time · My City"
    assert late["body"] == "With Ben and Cleo. You can wait, let a bot play, or end the match."
    assert said["Cleo"][1]["title"] == "Die Zeit von Ben ist um · My City"

    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(20)
    assert len(sink.at("/Ben")) == 2, "players without time are not asked"
    assert len(sink.at("/Ada")) == 2
    asked = sink.at("/Cleo")[2].said
    assert (asked["type"], asked["title"]) == ("asked", "Ada fragt dich · My City")
    assert asked["body"] == "Ada möchte diese Partie beenden. Du kannst zustimmen oder ablehnen."
    await table.handle(people["Cleo"], Consent(yes=False))
    await table.handle(people["Ada"], AskFor(0, ChangePace(UNHURRIED)))
    await table.handle(people["Cleo"], Consent(yes=True))
    await site.walk(20)
    assert len(sink.at("/Cleo")) == 3, "answered requests are not sent"
    await site.walk(3600)
    assert [each.said["type"] for each in sink.at("/Ben")][2:] == ["asked"], "Ben is asked, too"

    await table.handle(people["Ben"], Consent(yes=False))
    await table.handle(people["Ada"], GiveTime(0, 1))
    for _ in range(25):
        await site.walk(3600)
    assert [each.said["title"] for each in sink.at("/Ada")[2:]] == [late["title"]], "a new deadline has passed"
    assert len({each.said["id"] for each in sink.at("/Ada")}) == 3
    await site.play(table, people, "Ben")
    await site.walk(20)
    assert [each.said["type"] for each in sink.at("/Ada")[3:]] == ["turn"]


def paces(number: int) -> ChangePace:
    """A request that differs from the previous one."""
    return ChangePace(Correspondence(2, number % 60))


async def test_requests_of_one_player_are_sent_once_an_hour(site: Site, sink: NotificationSink) -> None:
    """Also if requests are answered and repeated, and after a restart. The table shows each request at once."""
    for name in ("Ben", "Cleo"):
        await site.told(name, "hook", HookTarget(f"{sink.url}/{name}", SECRET))
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
        assert [each.said["type"] for each in sink.at(f"/{name}")] == ["turn", *["asked"] * 3]


async def test_a_delayed_request_is_sent_after_an_hour(site: Site, sink: NotificationSink) -> None:
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(2, 0))
    people = away("Ada", "Ben")
    await site.walk(20)
    await table.handle(people["Ada"], AskFor(0, paces(1)))
    await site.walk(10)
    await table.handle(people["Ada"], AskFor(0, paces(2)))
    await site.walk(10)
    assert [each.said["type"] for each in sink.heard] == ["turn", "asked"], "a correction does not delay the notice"
    await table.handle(people["Ben"], Consent(yes=False))
    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(3599)
    assert len(sink.heard) == 2
    await site.walk(1)
    assert [each.said["body"] for each in sink.heard[2:]] == [
        "Ada would like to end this match. You can agree or refuse."
    ]
    await table.handle(people["Ben"], Consent(yes=False))
    await site.walk(3600)
    await table.handle(people["Ada"], AskFor(0, EndEarly()))
    await site.walk(20)
    assert len(sink.heard) == 4, "the first question after an hour"


async def test_a_new_receiver_gets_notifications_that_are_already_due(
    site: Site, sink: NotificationSink, smtp: SmtpSink
) -> None:
    one, two = [await site.table("Ada", "Ben", "Cleo", pace=Correspondence(1, 0)) for _ in range(2)]
    await site.table("Ben", "bot", pace=Correspondence(1, 0))
    people = away("Ada", "Ben", "Cleo")
    await site.play(one, people, "Cleo")
    await site.play(two, people, "Ben")
    await two.handle(people["Ada"], AskFor(0, ChangePace(UNHURRIED)))
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    await site.told("Ben", "mail", MailTarget(BOX))
    for row in await site.receivers.of("Ben"):
        await site.dispatcher.queue_due_notifications(row)
    await site.walk(SEEN_DELAY_SECONDS - 1)
    assert sink.heard == [], "the person was there a moment ago"
    await site.walk(1)
    assert sorted((each.said["type"], each.said["table"]) for each in sink.heard) == [
        ("asked", two.id),
        ("turn", one.id),
    ]
    (mail,) = smtp.to(BOX)
    assert mail["Subject"] == "2 tables have news for you"
    assert sorted(each.said["id"] for each in sink.heard) == sorted(mail["X-Polyopolis-Notices"].split())
    for _ in range(25):
        await site.walk(3600)
    later = [("late", one.id), ("late", two.id), ("late", two.id), ("turn-again", one.id)]
    assert sorted((each.said["type"], each.said["table"]) for each in sink.heard[2:]) == sorted(later)


async def test_no_deadline_notification_for_a_deleted_account(site: Site, sink: NotificationSink) -> None:
    await site.told("Ada", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=True, zone="Asia/Tokyo"))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    await site.walk(3 * 3600)
    await site.lobby.nodes.follow(await AccountDataService(site.store).anonymize("Ben", site.clock.now() // 1000))
    assert table.context.chain.deadlines == {}, "no clock runs for an empty seat"
    for _ in range(9):
        await site.walk(24 * 3600)
    assert [each.said["type"] for each in sink.at("/hook")] == ["turn"]
    await table.change_seat("Cleo", 1, Join("Cleo"))
    left = table.context.chain.deadlines[1] - site.clock.now()
    assert 20 * 3_600_000 < left < 22 * 3_600_000, "the remaining time, without Ben's nights"


@pytest.mark.parametrize("how", ["stopped", "asleep"])
async def test_deadlines_are_moved_for_outages_before_notifications_are_sent(
    site: Site, sink: NotificationSink, smtp: SmtpSink, how: str
) -> None:
    for name in ("Ada", "Ben"):
        await site.told(name, "hook", HookTarget(f"{sink.url}/{name}", SECRET))
    await site.lobby.deadlines.record_heartbeat(silence=DAY)
    table = await site.table("Ada", "Ben", pace=Correspondence(1, 0))
    await site.walk(20)
    await site.play(table, away("Ada"), "Ada")
    await site.walk(10 * 3600)
    await site.lobby.deadlines.record_heartbeat(silence=DAY)
    if how == "stopped":
        stopped, site = site, Site(site.store, smtp.smtp, "another")
        site.clock.time = stopped.clock.time + 30 * 3_600_000
        await site.lobby.deadlines.record_heartbeat(silence=0)
    else:
        site.clock.shift(30 * 3600)
    await site.walk()
    for _ in range(13):
        await site.walk(3600)
    assert [each.said["type"] for each in sink.at("/Ada")] == ["turn"], "Ben still has time"
    assert [each.said["type"] for each in sink.at("/Ben")] == ["turn", "turn-again"], "Ben gets a reminder"
    for _ in range(2):
        await site.walk(3600)
    assert [each.said["type"] for each in sink.at("/Ada")] == ["turn", "late"]


async def test_push_topics_replace_older_messages_of_the_same_match(site: Site, sink: NotificationSink) -> None:
    browser = PushBrowser(f"{sink.url}/push")
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
    first, second, asked, *both = (each.headers["topic"] for each in sink.at("/push"))
    assert first == second, "a push service keeps the newer one"
    assert len({first, asked, *both}) == 4, "requests and other tables are other topics"
    assert all(len(topic) <= 32 for topic in (first, asked, *both)), "RFC 8030"


async def test_failed_deliveries_are_retried_with_backoff_and_given_up(
    site: Site, sink: NotificationSink, caplog: pytest.LogCaptureFixture
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/broken", SECRET))
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/moved", SECRET))
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/good", SECRET))
    sink.answers |= {"/broken": 503, "/moved": 307}
    await site.table("Ada", "Ben")
    await site.walk(20)
    for tries in range(1, MAX_TRIES):
        assert len(sink.at("/broken")) == tries
        pause = min(FIRST_RETRY_SECONDS * BACKOFF_FACTOR ** (tries - 1), MAX_RETRY_SECONDS)
        await site.walk(pause - 1)
        assert len(sink.at("/broken")) == tries
        with caplog.at_level(logging.WARNING):
            await site.walk(1)
    assert len(sink.at("/broken")) == len(sink.at("/moved")) == MAX_TRIES
    assert sink.at("/elsewhere") == []
    assert len({each.said["id"] for each in sink.heard}) == 1
    assert len(sink.at("/good")) == 1, "other receivers are not affected"
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert "is given up: answer" in lines[0]
    assert sink.url not in "".join(lines)
    await site.walk(7 * 24 * 3600)
    assert len(sink.at("/broken")) == MAX_TRIES


@pytest.mark.parametrize(("status", "left"), [(404, 0), (410, 0), (403, 1), (500, 1)])
async def test_receivers_that_no_longer_exist_are_removed(
    site: Site, sink: NotificationSink, status: int, left: int
) -> None:
    browser = PushBrowser(f"{sink.url}/push")
    await site.told("Ben", "push", PushTarget(browser.endpoint, browser.wish["p256dh"], browser.wish["auth"]))
    sink.answers["/push"] = status
    await site.table("Ada", "Ben")
    await site.walk(20)
    assert len(await site.receivers.of("Ben")) == left


def test_apple_reports_gone_subscriptions_with_403() -> None:
    at_apple, elsewhere = "https://web.push.apple.com/Q1", "https://push.apple.com.example/Q1"
    assert [delivery_result(url, HttpAnswer(403)).how for url in (at_apple, elsewhere)] == ["gone", "failed"]


async def test_a_crash_before_recording_repeats_a_notification_with_the_same_id(
    site: Site, sink: NotificationSink, smtp: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def hang(*_: Any) -> None:
        await asyncio.Event().wait()

    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    await site.table("Ada", "Ben")
    monkeypatch.setattr(site.outbox, "record", hang)
    monkeypatch.setattr(dispatcher, "SHUTDOWN_SECONDS", 0.01)
    site.clock.advance(20)
    await site.dispatcher.poll()
    await asyncio.to_thread(sink.at, "/hook", 1)
    await site.dispatcher.close()
    again = Site(site.store, smtp.smtp, "another")
    again.clock.time = site.clock.time
    for _ in range(3):
        await again.walk(60)
    first, second = sink.heard
    assert first.said["id"] == second.said["id"]


async def test_deleted_tables_and_finished_matches_drop_notifications(
    site: Site, sink: NotificationSink, store: DatabaseMatchRepository
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    table = await site.table("Ada", "Ben")
    await store.write(lambda db: remove_table(db, table.id))
    await site.walk(20)
    assert sink.heard == []
    table = await site.table("Ada", "Ben", game="pointcity", setup={})
    assert table.session
    people = away("Ada", "Ben")
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await site.play(table, people, ("Ada", "Ben")[seat])
    await site.walk(20)
    assert [each.said["type"] for each in sink.heard] == ["over"]


async def test_a_broken_table_does_not_block_other_notifications(
    site: Site, sink: NotificationSink, store: DatabaseMatchRepository, caplog: pytest.LogCaptureFixture
) -> None:
    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    broken, whole = [await site.table("Ada", "Ben") for _ in range(2)]
    spoilt = update(matches).where(matches.c.table == broken.id)
    await store.write(lambda db: db.execute(spoilt.values(due="e5c1d7")))
    await site.walk(60)
    assert [told.said["url"] for told in sink.heard] == [f"{SITE}/t/{whole.id}"]
    for _ in range(MAX_TRIES):
        await site.walk(MAX_RETRY_SECONDS)
    assert not await site.outbox.take(site.clock.now() + int(2000 * MAX_RETRY_SECONDS), ()), "it is given up"
    assert [record.getMessage() for record in caplog.records if broken.id in record.getMessage()] == [
        f"table {broken.id} cannot be read: due of match 0 is broken"
    ]
    assert len(sink.heard) == 1


async def test_two_dispatchers_do_not_send_the_same_notification(
    store: DatabaseMatchRepository, sink: NotificationSink, smtp: SmtpSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = Site(store, smtp.smtp, "one"), Site(store, smtp.smtp, "two")
    await store.beat("one")
    await store.beat("two")
    await one.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    for _ in range(5):
        await one.table("Ada", "Ben")
    for each in (one, two):
        each.clock.advance(20)
        await each.dispatcher.poll()
    await one.dispatcher.idle()
    await two.dispatcher.idle()
    assert len(sink.heard) == 5
    monkeypatch.setattr(dispatcher, "MAX_CONCURRENT_PEOPLE", 1)
    await one.table("Ada", "Ben")
    taken = await one.outbox.take(one.clock.now() + 20_000, ())
    assert len(taken) == 1
    await two.walk(60)
    assert len(sink.heard) == 5, "another node has claimed it"
    await store.remove_node("one")
    await two.walk(1)
    assert len(sink.heard) == 6, "rows of a dead node are taken over"


async def test_recording_is_retried_until_the_database_is_back(
    site: Site, sink: NotificationSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, failures = site.outbox.record, [OSError(), OSError()]

    async def fail(*about: Any) -> None:
        if failures:
            raise failures.pop()
        await record(*about)

    await site.told("Ben", "hook", HookTarget(f"{sink.url}/hook", SECRET))
    await site.table("Ada", "Ben")
    monkeypatch.setattr(site.outbox, "record", fail)
    monkeypatch.setattr(dispatcher, "POLL_SECONDS", 0.0)
    for _ in range(3):
        await site.walk(60)
    assert not failures
    assert len(sink.heard) == 1


async def test_an_error_in_one_language_does_not_affect_another(
    site: Site, sink: NotificationSink, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = message_texts.notification_text

    def fail(told: NotificationContent, language: str) -> Text:
        if language == "de":
            raise KeyError(told.kind)
        return said(told, language)

    for language in ("de", "en"):
        await site.told("Ben", "hook", HookTarget(f"{sink.url}/{language}", SECRET), language)
    monkeypatch.setattr(message_texts, "notification_text", fail)
    await site.table("Ada", "Ben")
    await site.walk(20)
    assert [len(sink.at(f"/{language}")) for language in ("de", "en")] == [0, 1]
    monkeypatch.setattr(message_texts, "notification_text", said)
    await site.walk(FIRST_RETRY_SECONDS)
    assert [len(sink.at(f"/{language}")) for language in ("de", "en")] == [1, 1]
