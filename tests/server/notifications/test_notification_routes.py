"""Where and when somebody is told: what they say themselves, the words, the hours, and addresses that are no good."""

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
from polyopolis.server.notifications.quiet_hours import HOUR, MINUTE, Manners
from polyopolis.server.notifications.receivers import MOST
from polyopolis.server.notifications.safe_http import BlockedAddress, SafeHttpClient, Unreachable
from polyopolis.server.options import Options
from tests.server.support.notification_sink import Browser, ears
from tests.server.support.server_process import ORIGIN, OWN_PAGE
from tests.server.support.smtp_sink import PostOffice, post_office

BOX = "ada@letters.example"


# The addresses


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
async def test_nothing_is_sent_into_a_network_that_is_not_everybodys(address: str) -> None:
    with pytest.raises(BlockedAddress, match="open network"):
        await SafeHttpClient(resolve=names(address)).check("https://hooks.example/x")
    with pytest.raises(BlockedAddress, match="open network"):
        await SafeHttpClient(resolve=names("93.184.215.14", address)).post("https://hooks.example/x", b"", {})
    await SafeHttpClient(resolve=names("93.184.215.14", "2606:2800:21f::1")).check("https://hooks.example/x")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "url",
    ["http://hooks.example/", "ftp://hooks.example/", "https://", "x", "https://a:b@hooks.example/", "https://[::1",
     "https://hooks.example:99999/", "https://hooks.example/ x", f"https://hooks.example/{'x' * 1100}"],
)  # fmt: skip
async def test_only_a_plain_address_with_https_is_one(url: str) -> None:
    with pytest.raises(BlockedAddress):
        await SafeHttpClient(resolve=names("93.184.215.14")).check(url)


@pytest.mark.anyio
async def test_a_name_is_resolved_once_and_the_line_goes_there() -> None:
    with ears() as heard:
        resolve = names("127.0.0.1")
        url = heard.url.replace("127.0.0.1", "hooks.example")
        answer = await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {"x-own": "1"})
        assert answer.status == 201
        assert resolve.asked == ["hooks.example"]
        (request,) = heard.heard
        assert request.headers["host"].startswith("hooks.example:")
        heard.answers["/hook"] = 302
        assert (await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {})).status == 302
        assert [each.path for each in heard.heard] == ["/hook", "/hook"]
    with pytest.raises(Unreachable):
        await SafeHttpClient(private=True, resolve=resolve).post(f"{url}/hook", b"{}", {})


# The hours


def at(text: str, zone: str = "Europe/Berlin") -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).timestamp() * 1000)


def test_quiet_hours_end_in_the_morning_also_when_the_clocks_change() -> None:
    night = Manners("Europe/Berlin", 22 * 60, 7 * 60 + 30)
    assert night.told_at(at("2026-11-16T12:00")) == at("2026-11-16T12:00")
    assert night.told_at(at("2026-11-16T22:00")) == at("2026-11-17T07:30")
    assert night.told_at(at("2026-11-17T03:00")) == at("2026-11-17T07:30")
    assert night.told_at(at("2026-03-29T01:30")) == at("2026-03-29T07:30")
    noon = Manners("America/New_York", 12 * 60, 13 * 60)
    assert noon.told_at(at("2026-11-16T12:30", "America/New_York")) == at("2026-11-16T13:00", "America/New_York")
    assert Manners("UTC", 60, 60).quiet is None


def test_a_daily_notice_comes_at_its_hour_or_when_the_quiet_ones_are_over() -> None:
    daily = Manners("Europe/Berlin", daily=18)
    assert daily.told_at(at("2026-11-16T12:00")) == at("2026-11-16T18:00")
    assert daily.told_at(at("2026-11-16T18:00")) == at("2026-11-16T18:00")
    assert daily.told_at(at("2026-11-16T18:01")) == at("2026-11-17T18:00")
    both = Manners("Europe/Berlin", 22 * 60, 8 * 60, daily=6)
    assert both.told_at(at("2026-11-16T12:00")) == at("2026-11-17T08:00")
    assert both.told_at(at("2026-11-17T08:00")) == at("2026-11-17T08:00")


def test_the_second_notice_is_gentle() -> None:
    now, always = at("2026-11-16T12:00"), Manners("Europe/Berlin")
    assert always.told_again_at(now, None) is None
    assert always.told_again_at(now, now + HOUR) is None
    assert always.told_again_at(now, now + 24 * HOUR) == now + 18 * HOUR
    assert always.told_again_at(now, now + 96 * HOUR) == now + 84 * HOUR
    night = Manners("Europe/Berlin", 22 * 60, 8 * 60)
    assert night.told_again_at(now, at("2026-11-17T12:00")) == at("2026-11-17T08:00")
    assert night.told_again_at(now, at("2026-11-17T07:00")) == at("2026-11-16T22:00") - MINUTE
    assert night.told_again_at(at("2026-11-16T21:30"), at("2026-11-17T07:00")) is None


# The words


def test_every_language_says_everything_with_the_same_gaps() -> None:
    def flat(found: Any, path: str = "") -> dict[str, list[str]]:
        if isinstance(found, str):
            return {path: sorted(re.findall(r"{(\w+)}", found)) if not path.endswith("one") else []}
        return {key: gaps for name, part in found.items() for key, gaps in flat(part, f"{path}.{name}").items()}

    assert LANGUAGES == ("de", "en", "fr", "nl")
    english = flat(message_texts.words("en"))
    for language in LANGUAGES:
        assert flat(message_texts.words(language)) == english, language
    assert message_texts.words("xx") == message_texts.words("en")
    wishes = {str(wish.__struct_config__.tag) for wish in get_args(Wish)}
    assert wishes == set(message_texts.words("en")["asked"]) - {"title", "body"}


def test_somebody_is_told_who_is_there_and_nothing_of_what_lies_on_the_table() -> None:
    told = NotificationContent("id", "turn", "mycity", ("Ana", "{names}", "Cleo"), "t")
    assert message_texts.text(told, "en").body == "With Ana, {names} and Cleo."
    assert message_texts.text(NotificationContent("id", "turn", "mycity", (), "t"), "en").body == ""
    one = message_texts.text(NotificationContent("id", "turn", "chess", ("Ben",), "t", again=True, hours=1), "de")
    assert (one.title, one.body) == ("Du bist noch dran · chess", "Mit Ben. Noch etwa eine Stunde Zeit.")
    for language in LANGUAGES:
        text = " ".join(str(message_texts.words(language)).lower().split())
        assert not re.search("envelope|umschlag|enveloppe|envelop|card|karte|carte|kaart", text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_are_counted_and_not_what_is_told_of_them(language: str) -> None:
    turn, late = (NotificationContent(kind, kind, "mycity", ("Ana",), "t", about="Ana") for kind in ("turn", "late"))
    other = NotificationContent("other", "turn", "mycity", ("Ana",), "another")
    assert "2" in message_texts.several([turn, late, other], language).title
    at_one = message_texts.several([turn, late], language)
    assert at_one.title == message_texts.words(language)["several"]["one"].format(game="My City")
    assert at_one.body.count("\n") == 1
    assert "\n" not in at_one.title


# What somebody says themselves


@pytest.fixture
def office() -> Iterator[PostOffice]:
    with post_office() as found:
        yield found


@pytest.fixture
def client(tmp_path: Path, office: PostOffice) -> Iterator[TestClient[Litestar]]:
    options = Options(
        tmp_path,
        public_url=ORIGIN,
        smtp=office.smtp,
        notices=NotificationOptions(pause=0.0, reach="anywhere"),
        limits=Limits(receivers=RateLimit(30, 86_400)),
    )
    with TestClient(create_app(options), base_url=ORIGIN) as found:
        yield found


def said(client: TestClient[Litestar], path: str, body: Any = None, status: int = 201) -> Any:
    answer = client.post(f"/api/notices{path}", json=body, headers=OWN_PAGE)
    assert answer.status_code == status, answer.text
    return answer.json()


def test_a_mailbox_is_told_once_its_owner_has_said_so_and_until_they_have_enough(
    client: TestClient[Litestar], office: PostOffice
) -> None:
    (row,) = said(client, "/receivers", {"type": "mail", "address": BOX, "language": "fr"})["receivers"]
    assert (row["kind"], row["where"], row["proven"]) == ("mail", BOX, False)
    said(client, f"/receivers/{row['id']}/trial", status=403)
    (letter,) = office.to(BOX)
    assert letter["Subject"] == "Est-ce votre adresse ?"
    (token,) = re.findall(f"{ORIGIN}/notices/prove/(\\S+)", letter.get_content())
    said(client, "/proofs", {"token": f"{token}x"}, status=404)
    said(client, "/proofs", {"token": token}, status=200)
    assert said(client, f"/receivers/{row['id']}/trial")["how"] == "told"
    trial = office.to(BOX, 2)[1]
    assert trial["Subject"] == "Ça marche"
    stop = trial["List-Unsubscribe"].strip("<>").removeprefix(ORIGIN)
    one_click = {"origin": "https://mail.example"}
    form = {"List-Unsubscribe": "One-Click"}
    assert client.post(f"{stop}x", data=form, headers=one_click).status_code == 404
    answer = client.post(stop, data=form, headers=one_click)
    assert answer.status_code == 200, answer.text
    assert client.get("/api/notices").json()["receivers"] == []
    assert client.post(stop, data=form, headers=one_click).status_code == 200
    said(client, "/proofs", {"token": token}, status=404)


def test_nobody_fills_a_strangers_mailbox(client: TestClient[Litestar], office: PostOffice) -> None:
    wish = {"type": "mail", "address": BOX}
    for _ in range(3):
        said(client, "/receivers", wish)
    answer = client.post("/api/notices/receivers", json=wish, headers=OWN_PAGE)
    assert (answer.status_code, answer.json()["error"]) == (429, "too many requests; wait a moment")
    assert 0 < int(answer.headers["retry-after"]) <= 1201
    assert len(office.to(BOX)) == 3
    assert len(client.get("/api/notices").json()["receivers"]) == 1


def test_whoever_has_proven_a_mailbox_is_told_there_while_the_site_sends_no_other_mail(
    tmp_path: Path, office: PostOffice
) -> None:
    limits = Limits(mails=RateLimit(1, 86_400))
    options = Options(tmp_path, public_url=ORIGIN, smtp=office.smtp, limits=limits)
    with TestClient(create_app(options), base_url=ORIGIN) as client:
        (row,) = said(client, "/receivers", {"type": "mail", "address": BOX})["receivers"]
        (token,) = re.findall(f"{ORIGIN}/notices/prove/(\\S+)", office.to(BOX)[0].get_content())
        said(client, "/proofs", {"token": token}, status=200)
        said(client, "/receivers", {"type": "mail", "address": "other@letters.example"}, status=429)
        letter = {"address": "other@letters.example", "language": "en"}
        assert client.post("/api/sign-in/letter", json=letter, headers=OWN_PAGE).status_code == 429
        for _ in range(3):
            assert said(client, f"/receivers/{row['id']}/trial")["how"] == "told"
    assert len(office.to(BOX, 4)) == 4
    assert not office.to("other@letters.example", 0)


def test_a_browser_and_a_program_are_told_and_nobody_else_learns_of_them(client: TestClient[Litestar]) -> None:
    with ears() as heard:
        browser = Browser(f"{heard.url}/push")
        found = said(client, "/receivers", browser.wish)
        assert len(found["key"]) == 87
        found = said(client, "/receivers", {"type": "hook", "url": f"{heard.url}/hook"})
        hook, push = sorted(found["receivers"], key=lambda row: row["kind"])
        assert hook["secret"].startswith("whsec_")
        for row in (push, hook):
            assert said(client, f"/receivers/{row['id']}/trial")["how"] == "told"
        assert browser.read(heard.at("/push", 1)[0])["title"] == "Es klappt"
        assert heard.at("/hook", 1)[0].said["type"] == "trial"
        before = dict(client.cookies)
        client.cookies.clear()
        said(client, f"/receivers/{push['id']}/removal", status=404)
        assert client.get("/api/notices").json()["receivers"] == []
        said(client, "/receivers", browser.wish)
        client.cookies.clear()
        client.cookies.update(before)
        assert [row["kind"] for row in client.get("/api/notices").json()["receivers"]] == ["hook"]
        said(client, f"/receivers/{hook['id']}/removal")
        assert client.get("/api/notices").json()["receivers"] == []


def test_there_are_bounds(client: TestClient[Litestar]) -> None:
    for number in range(MOST):
        said(client, "/receivers", {"type": "hook", "url": f"http://127.0.0.1/{number}"})
    more = {"type": "hook", "url": "http://127.0.0.1/more"}
    assert "more than" in said(client, "/receivers", more, status=403)["error"]
    for _ in range(30 - MOST - 1):
        client.post("/api/notices/receivers", json=more, headers=OWN_PAGE)
    answer = client.post("/api/notices/receivers", json=more, headers=OWN_PAGE)
    assert answer.status_code == 429
    assert answer.headers["retry-after"]


def test_manners_are_kept_and_must_make_sense(client: TestClient[Litestar]) -> None:
    wish = {"zone": "Europe/Amsterdam", "quiet_from": 1320, "quiet_to": 420, "daily": 18}
    assert said(client, "/manners", wish)["manners"] == wish
    assert said(client, "/manners", {**wish, "daily": None})["manners"]["daily"] is None
    for wrong in ({"zone": "Europe/Nowhere"}, {"zone": "../etc"}, {"quiet_from": 1440}, {"daily": 24}):
        said(client, "/manners", wrong, status=400)


@pytest.mark.parametrize("url", ["http://hooks.example/", "https://127.0.0.1/", "https://localhost/x"])
def test_without_a_word_of_the_host_nothing_is_sent_into_its_network(tmp_path: Path, url: str) -> None:
    with TestClient(create_app(Options(tmp_path)), base_url=ORIGIN) as client:
        said(client, "/receivers", {"type": "hook", "url": url}, status=400)
        push = Browser(url).wish
        said(client, "/receivers", push, status=400)
        said(client, "/receivers", {"type": "mail", "address": BOX}, status=403)
        assert client.get("/api/notices").json()["mail"] is False
