"""Notifications: receivers, tables that wait on the home page, and the way from one table to the next."""

import re
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.support.people import MOTION, PHONE, Person, assert_accessible, assert_presentable, build_by_mouse
from tests.server.support.notification_sink import NotificationSink, notification_sink
from tests.server.support.smtp_sink import SmtpSink

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
NOON = datetime(2026, 11, 16, 12, tzinfo=UTC)
POST = """([path, body]) => fetch(`/api${path}`, {
  method: 'POST', headers: { 'content-type': 'application/json', 'x-polyopolis': 'x' }, body: JSON.stringify(body),
}).then((answer) => answer.json())"""


@pytest.fixture(scope="module")
def receiver() -> Iterator[NotificationSink]:
    with notification_sink() as sink:
        yield sink


def post(person: Person, path: str, body: Any) -> Any:
    return person.page.evaluate(POST, [path, body])


def table_of_two(ada: Person, ben: Person) -> str:
    seats = [{"type": "me", "name": "Ada"}, {"type": "open"}]
    request = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats}
    table = str(post(ada, "/tables", request)["table"])
    post(ben, f"/tables/{table}/seats/1", {"type": "join", "name": "Ben"})
    return table


def test_a_player_is_notified_and_finds_the_tables_that_wait(person: NewPerson, receiver: NotificationSink) -> None:
    ada, ben = person(**MOTION), person()
    ada.page.goto("/")
    ben.page.goto("/")
    post(ada, "/notices/receivers", {"type": "hook", "url": f"{receiver.url}/ada"})
    tables = [table_of_two(ada, ben) for _ in range(2)]
    receiver.at("/ada", 2)

    ada.page.reload()
    mine = ada.page.get_by_role("region", name="Your turn")
    expect(mine.get_by_role("link", name=re.compile("Ada · Ben"))).to_have_count(2)
    expect(ada.page).to_have_title("(2) Polyopolis")
    assert_accessible(ada)
    mine.get_by_role("link", name="Next table (2)").click()
    expect(ada.board).to_be_visible()
    one, two = sorted(tables, key=lambda table: table not in ada.page.url)
    expect(ada.page).to_have_title(re.compile(r"^\(2\) ● Your turn"))
    ada.decide(0, build_by_mouse)
    ada.page.get_by_role("link", name="Next table", exact=True).click()
    expect(ada.board).to_be_visible()
    expect(ada.page).to_have_url(re.compile(f"/t/{two}$"))

    ada.page.goto("/")
    ben.page.goto(f"/t/{one}")
    expect(ben.board).to_be_visible()
    ben.play(1, build_by_mouse, rounds=1)
    receiver.at("/ada", 3)
    messages = [each.said for each in receiver.at("/ada")]
    assert sorted(message["table"] for message in messages) == sorted([one, one, two])
    assert len({message["id"] for message in messages}) == 3
    assert {message["type"] for message in messages} == {"turn"}

    ada.page.clock.install(time=NOON)
    ada.page.clock.pause_at(NOON + timedelta(minutes=1))
    ada.page.goto(f"/t/{one}")
    film = ada.page.get_by_role("region", name="While you were away")
    expect(film).to_contain_text("0 / 2")
    expect(ada.page.locator("[data-thing]").first).to_be_visible()
    ada.page.clock.run_for(1000)
    expect(film).to_contain_text("1 / 2")
    film.get_by_role("button", name="Skip").click()
    expect(film).to_have_count(0)
    ada.page.clock.resume()
    expect(ada.button("Build here")).to_be_visible()
    ada.page.reload()
    expect(ada.button("Build here")).to_be_visible()
    expect(film).to_have_count(0)


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_receivers_and_times_of_notifications_are_chosen(
    person: NewPerson, mail_server: SmtpSink, options: dict[str, Any]
) -> None:
    ada, box = person(**options), f"{'phone' if options else 'desk'}@letters.example"
    ada.page.goto("/")
    ada.button("Settings").click()
    ada.page.get_by_role("link", name="Hear when it is your turn").click()
    expect(ada.page.get_by_role("heading", level=1)).to_have_text("Hear when it is your turn")
    ada.page.get_by_label("Your address").fill(box)
    ada.button("Add").first.click()
    expect(ada.page.get_by_text(f"An e-mail is on its way to {box}")).to_be_visible()
    (letter,) = mail_server.to(box)
    (path,) = re.findall(r"(/notices/prove/\S+)", letter.get_content())
    ada.page.goto(path)
    ada.button("Yes, write to me").click()
    expect(ada.page.get_by_role("status").filter(has_text="Confirmed.")).to_be_visible()
    ada.page.goto("/notices")
    ada.button("Try it").click()
    expect(ada.page.get_by_text("Sent. Did it arrive?").first).to_be_visible()
    assert mail_server.to(box, 2)[1]["Subject"] == "It works"
    ada.page.get_by_text("Once a day", exact=True).click()
    expect(ada.page.get_by_label("At", exact=True)).to_have_value("18")
    held = list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    ada.page.route("**/api/notices/manners", hold, times=1)
    ada.page.get_by_label("At", exact=True).select_option("19:00")
    ada.page.get_by_role("group", name="Quiet hours").get_by_text("Yes", exact=True).click()
    ada.wait_until(lambda: bool(held))
    held[0].continue_()
    expect(ada.page.get_by_label("From")).to_have_value("22:00")
    assert_presentable(ada, f"notices-{'phone' if options else 'desk'}")
    ada.page.reload()
    expect(ada.page.get_by_label("At", exact=True)).to_have_value("19")
    (path,) = re.findall(r"(/notices/stop/\S+)", mail_server.to(box)[1].get_content())
    ada.page.goto(path)
    ada.button("Stop the e-mails").click()
    expect(ada.page.get_by_role("status").filter(has_text="No more e-mails")).to_be_visible()
    ada.page.goto("/notices")
    expect(ada.page.get_by_label("Your address")).to_be_visible()
    expect(ada.page.get_by_text(box)).to_have_count(0)
