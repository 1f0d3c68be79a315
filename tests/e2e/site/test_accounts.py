"""Accounts: passkeys, sign-in by e-mail, several devices, data export and deletion."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from playwright.sync_api import CDPSession, Page, expect

from polyopolis.records import CampaignRecord, read, verify_campaign
from tests.e2e.support.client_texts import client_text
from tests.e2e.support.people import PHONE, SMALL_PHONE, Person, assert_accessible, assert_presentable
from tests.server.support.server_process import ServerProcess
from tests.server.support.smtp_sink import SmtpSink

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
HREFS = "all => all.map((link) => link.getAttribute('href'))"
AUTHENTICATOR = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class ServerAtLocalhost(ServerProcess):
    """The same server at `localhost`, because passkeys need a host name."""

    def __init__(self, server: ServerProcess) -> None:
        super().__init__(server.data)
        self.port = server.port

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"


@pytest.fixture(scope="module")
def server(server: ServerProcess) -> ServerProcess:
    return ServerAtLocalhost(server)


def add_authenticator(page: Page) -> tuple[CDPSession, str]:
    """Adds a virtual authenticator that always verifies the user; returns its session and id."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    made = session.send("WebAuthn.addVirtualAuthenticator", {"options": AUTHENTICATOR})
    return session, made["authenticatorId"]


def begin_campaign(person: Person) -> str:
    person.page.goto("/new/rollwrite#campaign")
    person.button("Play").click()
    person.choices(0)
    return person.page.url


def wait_for_tables(person: Person, *addresses: str) -> None:
    """Waits until the home page links to exactly these tables."""
    wanted = {address.removeprefix(person.server.url) for address in addresses}
    person.page.goto("/")
    links = person.page.get_by_role("region", name="Your turn").get_by_role("link")
    person.wait_until(lambda: set(links.evaluate_all(HREFS)) == wanted)


def test_a_guest_becomes_an_account_by_passkey_and_finds_the_campaign_on_another_device(person: NewPerson) -> None:
    ada, phone = person(), person(**PHONE)
    campaign = begin_campaign(ada)
    ada.page.goto("/")
    ada.page.get_by_role("link", name="Your account").click()
    expect(ada.page.get_by_role("heading", name="You play as a guest")).to_be_visible()
    assert_presentable(ada, "me-guest")
    session, own = add_authenticator(ada.page)
    ada.button("Add a passkey").click()
    ada.page.get_by_label("What others call you").fill("Ada")
    ada.button("Save").click()
    expect(ada.page.get_by_role("heading", name="Ada", exact=True)).to_be_visible()
    expect(ada.page.get_by_text("1 table · 1 device")).to_be_visible()
    ada.button("Make a code").last.click()  # the recovery code
    dialog = ada.page.get_by_role("dialog", name="Write this code down")
    expect(dialog.get_by_role("img")).to_be_visible()
    assert_accessible(ada)
    ada.button("I have it").click()
    assert_presentable(ada, "me-account")

    phone.start_game()
    guest = phone.page.url
    phone.page.goto("/me")
    their, other = add_authenticator(phone.page)
    for credential in session.send("WebAuthn.getCredentials", {"authenticatorId": own})["credentials"]:
        their.send("WebAuthn.addCredential", {"authenticatorId": other, "credential": credential})
    phone.button("With a passkey").click()
    expect(phone.page.get_by_role("dialog", name="Sign in as Ada?")).to_contain_text("And the table of this browser?")
    assert_presentable(phone, "me-enter")
    phone.button("Bring along").click()
    expect(phone.page.get_by_text("2 tables · 2 devices")).to_be_visible()
    assert_presentable(phone, "me-phone")
    wait_for_tables(phone, campaign, guest)
    phone.page.goto(campaign)
    phone.choices(0)

    ada.page.reload()
    ada.button(re.compile("^Sign out: ")).click()
    expect(ada.page.get_by_text("2 tables · 1 device")).to_be_visible()
    phone.wait_until(lambda: not phone.mine)  # the device that was signed out is a spectator
    ada.page.goto(guest)
    ada.choices(0)


def test_an_account_signs_in_by_email_exports_its_data_and_is_deleted(
    person: NewPerson, mail_server: SmtpSink, tmp_path: Path
) -> None:
    ada, elsewhere = person(), person(locale="nl-NL", **SMALL_PHONE)
    begin_campaign(ada)
    ada.page.goto("/me")
    ada.button("Add an address").click()
    ada.page.get_by_label("E-mail address").fill("Ada@letters.example")
    ada.button("Send an e-mail").click()
    expect(ada.page.get_by_text("An e-mail to Ada@letters.example is on its way.")).to_be_visible()
    (letter,) = mail_server.to("ada@letters.example")
    assert ada.server.url in letter.get_content()
    link = re.search(r"http\S+/me#letter=\S+", letter.get_content())
    assert link
    ada.page.goto("about:blank")
    ada.page.goto(link[0])
    expect(ada.page.get_by_role("dialog", name="Come back with ada@letters.example?")).to_be_visible()
    expect(ada.page).not_to_have_url(re.compile("letter"))
    ada.button("Yes").click()
    expect(ada.page.get_by_text("1 table · 1 device")).to_be_visible()

    def dutch(key: str) -> str:
        return client_text(key, "nl")

    elsewhere.page.goto("/me")
    elsewhere.button(dutch("me.signin.mail")).click()
    elsewhere.page.get_by_label(dutch("me.mail.address")).fill("ada@letters.example")
    elsewhere.button(dutch("me.mail.send")).click()
    _, letter = mail_server.to("ada@letters.example", 2)
    code = str(letter["Subject"]).rpartition(" ")[2]
    assert str(letter["Subject"]) == f"Aanmelden bij Polyopolis: {code}"
    elsewhere.page.get_by_label(dutch("me.mail.code")).fill(code.lower())
    elsewhere.button(dutch("me.mail.use")).click()
    expect(elsewhere.page.get_by_text("1 tafel · 2 apparaten")).to_be_visible()
    assert_accessible(elsewhere)

    with elsewhere.page.expect_download() as download:
        elsewhere.button(dutch("me.take")).click()
    with ZipFile(download.value.path()) as file:
        assert file.testzip() is None
        names = sorted(file.namelist())
        about: dict[str, Any] = json.loads(file.read("polyopolis.json"))
        record = read(Path(file.extract(names[1], tmp_path)))
    assert names == ["polyopolis.json", f"rollwrite/{about['tables'][0]['table']}-campaign.json"]
    assert about["mails"] == ["ada@letters.example"]
    assert isinstance(record, CampaignRecord)
    verify_campaign(record)

    elsewhere.button(dutch("me.delete")).click()
    elsewhere.button(dutch("me.delete.yes")).click()
    expect(elsewhere.page.get_by_role("heading", name=dutch("me.guest"))).to_be_visible()
    ada.page.reload()
    expect(ada.page.get_by_role("heading", name="You play as a guest")).to_be_visible()
