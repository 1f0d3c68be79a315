"""Notification routes, preferences, texts, and protection against requests to private addresses."""

import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from polyopolis.play.match.consent_requests import Wish
from polyopolis.server.app import create_app
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from polyopolis.server.notification_options import NotificationOptions
from polyopolis.server.notifications import message_texts
from polyopolis.server.notifications.message_texts import LANGUAGES, NotificationContent
from polyopolis.server.notifications.quiet_hours import HOUR_MS, MINUTE_MS, NotificationPreferences
from polyopolis.server.notifications.receivers import MAX_RECEIVERS
from polyopolis.server.notifications.safe_http import BlockedAddress, SafeHttpClient, Unreachable
from polyopolis.server.options import Options
from tests.server.support.notification_sink import PushBrowser, notification_sink
from tests.server.support.server_process import ORIGIN, OWN_PAGE
from tests.server.support.smtp_sink import SmtpSink, smtp_sink

BOX = "ada@letters.example"


# URLs


def names(*addresses: str) -> Any:
    asked: list[str] = []

    async def resolve(host: str, port: int) -> Sequence[str]:
        asked.append(host)
        return addresses

    resolve.asked = asked  # type: ignore[attr-defined]
    return resolve


@pytest.mark.anyio
@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.9", "172.16.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%eth0", "fc00::1", "ff02::1", "::ffff:10.0.0.1",
        "64:ff9b::a00:1", "2002:a00:1::", "2001:db8::1", "::127.0.0.1", "::a00:1", "::ffff:0:a00:1", "fec0::1",
        "64:ff9b:1::a00:1", "3fff::1", "5f00::1",
    ],
)  # fmt: skip
async def test_addresses_that_are_not_public_are_blocked(address: str) -> None:
    with pytest.raises(BlockedAddress, match="not public"):
        await SafeHttpClient(resolve=names(address)).check("https://hooks.example/x")
    with pytest.raises(BlockedAddress, match="not public"):
        await SafeHttpClient(resolve=names("93.184.215.14", address)).post("https://hooks.example/x", b"", {})
    await SafeHttpClient(resolve=names("93.184.215.14", "2606:2800:21f::1")).check("https://hooks.example/x")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "url",
    ["http://hooks.example/", "ftp://hooks.example/", "https://", "x", "https://a:b@hooks.example/", "https://[::1",
     "https://hooks.example:99999/", "https://hooks.example/ x", f"https://hooks.example/{'x' * 1100}"],
)  # fmt: skip
async def test_only_plain_https_urls_are_accepted(url: str) -> None:
    with pytest.raises(BlockedAddress):
        await SafeHttpClient(resolve=names("93.184.215.14")).check(url)


@pytest.mark.anyio
async def test_a_host_name_is_resolved_once_and_redirects_are_not_followed() -> None:
    with notification_sink() as sink:
        resolve = names("127.0.0.1")
        url = sink.url.replace("127.0.0.1", "hooks.example")
        answer = await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {"x-own": "1"})
        assert answer.status == 201
        assert resolve.asked == ["hooks.example"]
        (request,) = sink.heard
        assert request.headers["host"].startswith("hooks.example:")
        sink.answers["/hook"] = 302
        assert (await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {})).status == 302
        assert [each.path for each in sink.heard] == ["/hook", "/hook"]
    with pytest.raises(Unreachable):
        await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {})


# Preferences


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def test_quiet_hours_follow_daylight_saving_time() -> None:
    night = NotificationPreferences("Europe/Berlin", 22 * 60, 7 * 60 + 30)
    assert night.delivery_time(at("2026-11-16T12:00")) == at("2026-11-16T12:00")
    assert night.delivery_time(at("2026-11-16T22:00")) == at("2026-11-17T07:30")
    assert night.delivery_time(at("2026-11-17T03:00")) == at("2026-11-17T07:30")
    assert night.delivery_time(at("2026-03-29T01:30")) == at("2026-03-29T07:30")
    noon = NotificationPreferences("America/New_York", 12 * 60, 13 * 60)
    assert noon.delivery_time(at("2026-11-16T12:30", "America/New_York")) == at("2026-11-16T13:00", "America/New_York")
    assert NotificationPreferences("UTC", 60, 60).quiet is None


def test_a_daily_digest_is_sent_at_its_hour_or_after_quiet_hours() -> None:
    daily = NotificationPreferences("Europe/Berlin", daily=18)
    assert daily.delivery_time(at("2026-11-16T12:00")) == at("2026-11-16T18:00")
    assert daily.delivery_time(at("2026-11-16T18:00")) == at("2026-11-16T18:00")
    assert daily.delivery_time(at("2026-11-16T18:01")) == at("2026-11-17T18:00")
    both = NotificationPreferences("Europe/Berlin", 22 * 60, 8 * 60, daily=6)
    assert both.delivery_time(at("2026-11-16T12:00")) == at("2026-11-17T08:00")
    assert both.delivery_time(at("2026-11-17T08:00")) == at("2026-11-17T08:00")


def test_the_reminder_respects_quiet_hours() -> None:
    now, always = at("2026-11-16T12:00"), NotificationPreferences("Europe/Berlin")
    assert always.reminder_time(now, None) is None
    assert always.reminder_time(now, now + HOUR_MS) is None
    assert always.reminder_time(now, now + 24 * HOUR_MS) == now + 18 * HOUR_MS
    assert always.reminder_time(now, now + 96 * HOUR_MS) == now + 84 * HOUR_MS
    night = NotificationPreferences("Europe/Berlin", 22 * 60, 8 * 60)
    assert night.reminder_time(now, at("2026-11-17T12:00")) == at("2026-11-17T08:00")
    assert night.reminder_time(now, at("2026-11-17T07:00")) == at("2026-11-16T22:00") - MINUTE_MS
    assert night.reminder_time(at("2026-11-16T21:30"), at("2026-11-17T07:00")) is None


# Texts


def test_all_languages_have_the_same_texts_and_placeholders() -> None:
    def flat(found: Any, path: str = "") -> dict[str, list[str]]:
        if isinstance(found, str):
            return {path: sorted(re.findall(r"{(\w+)}", found)) if not path.endswith("one") else []}
        return {key: gaps for name, part in found.items() for key, gaps in flat(part, f"{path}.{name}").items()}

    assert LANGUAGES == ("de", "en", "fr", "nl")
    english = flat(message_texts.load_texts("en"))
    for language in LANGUAGES:
        assert flat(message_texts.load_texts(language)) == english, language
    assert message_texts.load_texts("xx") == message_texts.load_texts("en")
    wishes = {str(wish.__struct_config__.tag) for wish in get_args(Wish)}
    assert wishes == set(message_texts.load_texts("en")["asked"]) - {"title", "body"}


def test_texts_name_players_and_contain_no_game_state() -> None:
    content = NotificationContent("id", "turn", "mycity", ("Ana", "{names}", "Cleo"), "t")
    assert message_texts.notification_text(content, "en").body == "With Ana, {names} and Cleo."
    assert message_texts.notification_text(NotificationContent("id", "turn", "mycity", (), "t"), "en").body == ""
    one = message_texts.notification_text(
        NotificationContent("id", "turn", "chess", ("Ben",), "t", again=True, hours=1), "de"
    )
    assert (one.title, one.body) == ("Du bist noch dran · chess", "Mit Ben. Noch etwa eine Stunde Zeit.")
    for language in LANGUAGES:
        text = " ".join(str(message_texts.load_texts(language)).lower().split())
        assert not re.search("envelope|umschlag|enveloppe|envelop|card|karte|carte|kaart", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_title_of_a_batch_counts_tables(language: str) -> None:
    turn, late = (NotificationContent(kind, kind, "mycity", ("Ana",), "t", about="Ana") for kind in ("turn", "late"))
    other = NotificationContent("other", "turn", "mycity", ("Ana",), "another")
    assert "2" in message_texts.batch_text([turn, late, other], language).title
    at_one = message_texts.batch_text([turn, late], language)
    assert at_one.title == message_texts.load_texts(language)["several"]["one"].format(game="My City")
    assert at_one.body.count("\n") == 1
    assert "\n" not in at_one.title


# Routes


@pytest.fixture
def smtp() -> Iterator[SmtpSink]:
    with smtp_sink() as found:
        yield found


@pytest.fixture
def client(tmp_path: Path, smtp: SmtpSink) -> Iterator[TestClient[Litestar]]:
    options = Options(
        tmp_path,
        public_url=ORIGIN,
        smtp=smtp.smtp,
        notices=NotificationOptions(pause=0.0, reach="anywhere"),
        limits=Limits(receivers=RateLimit(30, 86_400)),
    )
    with TestClient(create_app(options), base_url=ORIGIN) as found:
        yield found


def post(client: TestClient[Litestar], path: str, body: Any = None, status: int = 201) -> Any:
    answer = client.post(f"/api/notices{path}", json=body, headers=OWN_PAGE)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_mailbox_is_confirmed_and_can_be_unsubscribed(client: TestClient[Litestar], smtp: SmtpSink) -> None:
    (row,) = post(client, "/receivers", {"type": "mail", "address": BOX, "language": "fr"})["receivers"]
    assert (row["kind"], row["where"], row["proven"]) == ("mail", BOX, False)
    post(client, f"/receivers/{row['id']}/trial", status=403)
    (letter,) = smtp.to(BOX)
    assert letter["Subject"] == "Est-ce votre adresse ?"
    (token,) = re.findall(f"{ORIGIN}/notices/prove/(\\S+)", letter.get_content())
    post(client, "/proofs", {"token": f"{token}x"}, status=404)
    post(client, "/proofs", {"token": token}, status=200)
    assert post(client, f"/receivers/{row['id']}/trial")["how"] == "told"
    trial = smtp.to(BOX, 2)[1]
    assert trial["Subject"] == "Ça marche"
    stop = trial["List-Unsubscribe"].strip("<>").removeprefix(ORIGIN)
    one_click = {"origin": "https://mail.example"}
    form = {"List-Unsubscribe": "One-Click"}
    assert client.post(f"{stop}x", data=form, headers=one_click).status_code == 404
    answer = client.post(stop, data=form, headers=one_click)
    assert answer.status_code == 200, answer.text
    assert client.get("/api/notices").json()["receivers"] == []
    assert client.post(stop, data=form, headers=one_click).status_code == 200
    post(client, "/proofs", {"token": token}, status=404)


def test_confirmation_mails_are_rate_limited(client: TestClient[Litestar], smtp: SmtpSink) -> None:
    wish = {"type": "mail", "address": BOX}
    for _ in range(3):
        post(client, "/receivers", wish)
    answer = client.post("/api/notices/receivers", json=wish, headers=OWN_PAGE)
    assert (answer.status_code, answer.json()["error"]) == (429, "too many requests; wait a moment")
    assert 0 < int(answer.headers["retry-after"]) <= 1201
    assert len(smtp.to(BOX)) == 3
    assert len(client.get("/api/notices").json()["receivers"]) == 1


def test_confirmed_mailboxes_do_not_count_towards_the_mail_limit(tmp_path: Path, smtp: SmtpSink) -> None:
    limits = Limits(mails=RateLimit(1, 86_400))
    options = Options(tmp_path, public_url=ORIGIN, smtp=smtp.smtp, limits=limits)
    with TestClient(create_app(options), base_url=ORIGIN) as client:
        (row,) = post(client, "/receivers", {"type": "mail", "address": BOX})["receivers"]
        (token,) = re.findall(f"{ORIGIN}/notices/prove/(\\S+)", smtp.to(BOX)[0].get_content())
        post(client, "/proofs", {"token": token}, status=200)
        post(client, "/receivers", {"type": "mail", "address": "other@letters.example"}, status=429)
        letter = {"address": "other@letters.example", "language": "en"}
        assert client.post("/api/sign-in/letter", json=letter, headers=OWN_PAGE).status_code == 429
        for _ in range(3):
            assert post(client, f"/receivers/{row['id']}/trial")["how"] == "told"
    assert len(smtp.to(BOX, 4)) == 4
    assert not smtp.to("other@letters.example", 0)


def test_browsers_and_webhooks_are_private_receivers(client: TestClient[Litestar]) -> None:
    with notification_sink() as sink:
        browser = PushBrowser(f"{sink.url}/push")
        found = post(client, "/receivers", browser.wish)
        assert len(found["key"]) == 87
        found = post(client, "/receivers", {"type": "hook", "url": f"{sink.url}/hook"})
        hook, push = sorted(found["receivers"], key=lambda row: row["kind"])
        assert hook["secret"].startswith("whsec_")
        for row in (push, hook):
            assert post(client, f"/receivers/{row['id']}/trial")["how"] == "told"
        assert browser.read(sink.at("/push", 1)[0])["title"] == "Es klappt"
        assert sink.at("/hook", 1)[0].said["type"] == "trial"
        before = dict(client.cookies)
        client.cookies.clear()
        post(client, f"/receivers/{push['id']}/removal", status=404)
        assert client.get("/api/notices").json()["receivers"] == []
        post(client, "/receivers", browser.wish)
        client.cookies.clear()
        client.cookies.update(before)
        assert [row["kind"] for row in client.get("/api/notices").json()["receivers"]] == ["hook"]
        post(client, f"/receivers/{hook['id']}/removal")
        assert client.get("/api/notices").json()["receivers"] == []


def test_receivers_are_limited_in_number_and_rate(client: TestClient[Litestar]) -> None:
    for number in range(MAX_RECEIVERS):
        post(client, "/receivers", {"type": "hook", "url": f"http://127.0.0.1/{number}"})
    more = {"type": "hook", "url": "http://127.0.0.1/more"}
    assert "limit" in post(client, "/receivers", more, status=403)["error"]
    for _ in range(30 - MAX_RECEIVERS - 1):
        client.post("/api/notices/receivers", json=more, headers=OWN_PAGE)
    answer = client.post("/api/notices/receivers", json=more, headers=OWN_PAGE)
    assert answer.status_code == 429
    assert answer.headers["retry-after"]


def test_preferences_are_stored_and_validated(client: TestClient[Litestar]) -> None:
    wish = {"zone": "Europe/Amsterdam", "quiet_from": 1320, "quiet_to": 420, "daily": 18}
    assert post(client, "/manners", wish)["manners"] == wish
    assert post(client, "/manners", {**wish, "daily": None})["manners"]["daily"] is None
    for wrong in ({"zone": "Europe/Nowhere"}, {"zone": "../etc"}, {"quiet_from": 1440}, {"daily": 24}):
        post(client, "/manners", wrong, status=400)


@pytest.mark.parametrize("url", ["http://hooks.example/", "https://127.0.0.1/", "https://localhost/x"])
def test_private_networks_are_blocked_by_default(tmp_path: Path, url: str) -> None:
    with TestClient(create_app(Options(tmp_path)), base_url=ORIGIN) as client:
        post(client, "/receivers", {"type": "hook", "url": url}, status=400)
        push = PushBrowser(url).wish
        post(client, "/receivers", push, status=400)
        post(client, "/receivers", {"type": "mail", "address": BOX}, status=403)
        assert client.get("/api/notices").json()["mail"] is False
