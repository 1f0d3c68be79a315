"""Correspondence matches: notifications over restarts and a timeout, and premoves."""

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from time import time
from typing import Any

import msgspec
import pytest
from playwright.sync_api import expect

from polyopolis.engine import Dealer, Match, Move, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.play.match import premoves
from polyopolis.play.match.projections import parameterless_actions
from polyopolis.play.timing.pace import DAY
from polyopolis.server.notifications import message_texts
from polyopolis.server.ops.data_folder import DATABASE
from tests.e2e.conftest import FAST_NOTIFICATIONS, ONE_BOT
from tests.e2e.games.test_pointcity import decide
from tests.e2e.site.test_notifications import post
from tests.e2e.support.people import (
    SMALL_PHONE,
    TIMEOUT_MS,
    Message,
    Person,
    assert_accessible,
    build_by_mouse,
    horizontal_overflow,
)
from tests.server.support.aged_data import age_data
from tests.server.support.notification_sink import NotificationSink, PushBrowser, notification_sink
from tests.server.support.server_process import ServerProcess, running_server
from tests.server.support.smtp_sink import SmtpSink

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
HOUR_MS = DAY // 24
GRACE_MS = 1_000
"""Time after a move by which its notifications are queued. It is longer than `--notices-pause`."""
MAILBOX = "ben@letters.example"
ETERNAL_GAME: Message = {"game": "mycity", "setup": {"mode": "eternal"}}
mycity = game("mycity")


@pytest.fixture
def receiver() -> Iterator[NotificationSink]:
    with notification_sink() as sink:
        yield sink


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, mail_server: SmtpSink) -> Iterator[ServerProcess]:
    """A separate server, because it is stopped and its data are aged."""
    with running_server(
        tmp_path_factory.mktemp("letters"), *ONE_BOT, *FAST_NOTIFICATIONS, *mail_server.options
    ) as running:
        yield running


def restart(server: ServerProcess, later: int = 0) -> None:
    """Stops the server, makes its data `later` milliseconds older, and starts it again."""
    server.stop()
    age_data(server.data, later)
    server.start()


def wait_for_notifications(person: Person, server: ServerProcess) -> None:
    """Waits until all notifications that are due now have been delivered."""
    now = 1000 * time() + GRACE_MS

    def delivered() -> bool:
        with closing(sqlite3.connect(server.data / DATABASE, timeout=TIMEOUT_MS / 1000)) as database:
            due = database.execute("SELECT count(*) FROM outbox WHERE look <= ?", [now]).fetchone()
        return bool(due == (0,))

    person.wait_until(delivered)


def table_of(*people: Person, seed: str, days: int, about: Message = ETERNAL_GAME) -> str:
    first, *others = people
    seats = [{"type": "me", "name": "Ada"}, *({"type": "open"} for _ in others)]
    pace = {"type": "correspondence", "days": days, "bank": 0}
    request = {**about, "seats": seats, "pace": pace, "seed": seed}
    table = str(post(first, "/tables", request)["table"])
    for seat, name in zip(range(1, len(people)), ("Ben", "Cleo"), strict=False):
        post(people[seat], f"/tables/{table}/seats/{seat}", {"type": "join", "name": name})
    return table


def decide_and_leave(person: Person, table: str, seat: int) -> None:
    """Opens the table, makes a decision and leaves."""
    person.page.goto(f"/t/{table}")
    turn = person.turn(seat)
    person.decide(seat, build_by_mouse)
    person.wait_until(lambda: seat in person.mine and person.mine[seat]["turn"] > turn)
    person.page.goto("about:blank")


class Inbox:
    """Notifications of three people: one has a webhook, one a mailbox, one a browser with Web Push."""

    def __init__(self, receiver: NotificationSink, mail_server: SmtpSink) -> None:
        self._receiver, self._mail_server = receiver, mail_server
        self.browser = PushBrowser(f"{receiver.url}/push")

    def add(self, ada: Person, ben: Person, cleo: Person) -> None:
        post(ada, "/notices/receivers", {"type": "hook", "url": f"{self._receiver.url}/ada"})
        post(ben, "/notices/receivers", {"type": "mail", "address": MAILBOX, "language": "de"})
        (letter,) = self._mail_server.to(MAILBOX)
        (token,) = re.findall(r"/notices/prove/(\S+)", letter.get_content())
        post(ben, "/notices/proofs", {"token": token})
        post(cleo, "/notices/receivers", self.browser.wish | {"language": "fr"})

    def wait_for(self, hooks: int, mails: int, pushes: int) -> None:
        self._receiver.at("/ada", hooks)
        self._mail_server.to(MAILBOX, 1 + mails)
        self._receiver.at("/push", pushes)

    @property
    def titles(self) -> tuple[list[str], list[str], list[str]]:
        """Titles of all notifications, without the names of games."""
        hooks = [each.said["title"] for each in self._receiver.at("/ada")]
        mails = [str(mail["Subject"]) for mail in self._mail_server.to(MAILBOX)[1:]]
        pushes = [self.browser.read(each)["title"] for each in self._receiver.at("/push")]
        hooks, mails, pushes = ([title.partition(" · ")[0] for title in titles] for titles in (hooks, mails, pushes))
        return hooks, mails, pushes

    @property
    def ids(self) -> list[str]:
        """Ids of all notifications to the webhook and the browser."""
        pushed = (self.browser.read(each)["ids"][0] for each in self._receiver.at("/push"))
        return [*(each.said["id"] for each in self._receiver.at("/ada")), *pushed]


def test_three_players_are_notified_over_four_restarts_and_a_timeout(
    person: NewPerson, server: ServerProcess, receiver: NotificationSink, mail_server: SmtpSink
) -> None:
    ada, ben, cleo = person(), person(), person()
    for each in (ada, ben, cleo):
        each.page.goto("/")
    inbox = Inbox(receiver, mail_server)
    inbox.add(ada, ben, cleo)
    table = table_of(ada, ben, cleo, seed="letters", days=1)
    for each in (ada, ben, cleo):
        each.page.goto("about:blank")
    inbox.wait_for(1, 1, 1)

    decide_and_leave(ada, table, 0)
    decide_and_leave(ben, table, 1)
    restart(server, 20 * HOUR_MS)  # four hours are left for Cleo
    inbox.wait_for(1, 1, 2)
    restart(server, 10 * HOUR_MS)
    inbox.wait_for(2, 2, 2)
    ada.page.goto(f"/t/{table}")
    expect(ada.page.get_by_text("Cleo has run out of time.")).to_be_visible()
    ada.button("Wait and give more time").click()
    expect(ada.page.get_by_text("Cleo has run out of time.")).to_have_count(0)
    ada.page.goto("about:blank")

    restart(server, 10 * HOUR_MS)
    decide_and_leave(cleo, table, 2)
    inbox.wait_for(3, 3, 2)
    restart(server, HOUR_MS)  # a player who watched the turn begin is notified later
    inbox.wait_for(3, 3, 3)
    wait_for_notifications(cleo, server)
    assert inbox.titles == (
        ["Your turn", "Cleo has run out of time", "Your turn"],
        ["Du bist dran", "Die Zeit von Cleo ist um", "Du bist dran"],
        ["À vous de jouer", message_texts.load_texts("fr")["again"]["title"].partition(" · ")[0], "À vous de jouer"],
    )
    assert len(set(inbox.ids)) == 6, "no notification is sent twice"


def staged(person: Person, seat: int = 0) -> Any:
    """Returns the decision of a seat that waits for other seats."""
    person.choices(seat)
    return person.mine[seat]["staged"]


def moves_of(person: Person, table: str) -> list[dict[str, Any]]:
    path = f"/api/tables/{table}/matches/0/record"
    record = person.page.evaluate("path => fetch(path).then((answer) => answer.json())", path)
    return list(record["moves"])


def match_with_next_card(ada: Person, table: str, seed: str) -> tuple[Match, Any]:
    """Returns the match with Ada's staged decision, and the next card, which no player can know."""
    moves = [Move(move["seat"], msgspec.convert(move["action"], mycity.Action)) for move in moves_of(ada, table)]
    match = Match.replay(mycity, mycity.Setup(seats=2), moves)
    match = match.decide(0, msgspec.convert(ada.mine[0]["staged"], mycity.Action))
    dealer = Dealer(derive_seed(seed_of(seed), "match", 0))
    later = match.decide(1, mycity.legal(match.state, 1)[0]).deal(dealer)
    return match, later.moves[-1].action


def plan_next_decision(ada: Person, table: str, seed: str) -> list[str]:
    """Plans a place for the building of the card that really comes next; returns the cells of the plan."""
    match, card = match_with_next_card(ada, table, seed)
    later = premoves.next_decision_state(match, 0, parameterless_actions(mycity))
    outcome = premoves.to_json_value(card)
    future = premoves.possible_future(later, 0, outcome)
    assert future
    places = [choice["cells"] for choice in map(premoves.to_json_value, future.choices) if "cells" in choice]
    ada.button("Menu").click()
    ada.button("Your plans").click()
    ada.page.locator(".lucks button").nth(premoves.possible_chance_outcomes(later, 0).index(card)).click()
    expect(ada.page.get_by_text("Planning ahead: suppose the next is")).to_be_visible()
    build_by_mouse(ada, places[len(places) // 2])
    ada.wait_until(lambda: 0 in ada.mine and any(plan["luck"] == outcome for plan in ada.mine[0]["prepared"]))
    (plan,) = [plan for plan in ada.mine[0]["prepared"] if plan["luck"] == outcome]
    return list(plan["action"]["cells"])


def test_a_plan_is_played_and_another_one_dropped(
    person: NewPerson, server: ServerProcess, receiver: NotificationSink
) -> None:
    ada, ben, seed = person(), person(), "plans"
    ada.page.goto("/")
    ben.page.goto("/")
    post(ada, "/notices/receivers", {"type": "hook", "url": f"{receiver.url}/ada"})
    table = table_of(ada, ben, seed=seed, days=2)
    receiver.at("/ada", 1)
    ada.page.goto(f"/t/{table}")
    ada.decide(0, build_by_mouse)
    ada.wait_until(lambda: staged(ada) is not None)
    cells = plan_next_decision(ada, table, seed)
    ada.page.goto("about:blank")
    decide_and_leave(ben, table, 1)
    wait_for_notifications(ben, server)
    assert len(receiver.at("/ada")) == 1, "a turn that was played by a plan sends no notification"
    decide_and_leave(ben, table, 1)
    receiver.at("/ada", 2)

    ada.page.goto(f"/t/{table}")
    ada.choices(0)
    assert cells in [move["action"].get("cells") for move in moves_of(ada, table)]
    ada.decide(0, build_by_mouse)
    ada.wait_until(lambda: staged(ada) is not None)
    cells = plan_next_decision(ada, table, seed)
    ada.page.locator('[data-thing="take-back-decision"]').click()
    ada.wait_until(lambda: staged(ada) is None)
    places = [choice["cells"] for choice in ada.choices(0) if choice["type"] == "place"]
    build_by_mouse(ada, next(place for place in places if place[0] in cells))
    ada.wait_until(lambda: staged(ada) is not None)
    ada.page.goto("about:blank")
    decide_and_leave(ben, table, 1)
    receiver.at("/ada", 3)
    ada.page.goto(f"/t/{table}")
    expect(ada.page.get_by_text("could not be played:")).to_be_visible()
    assert_accessible(ada)
    ada.button("Close").click()
    expect(ada.page.get_by_text("could not be played:")).to_have_count(0)
    assert [each.said["type"] for each in receiver.at("/ada")] == ["turn"] * 3


def test_the_next_turn_is_planned_in_a_game_with_alternating_turns(person: NewPerson) -> None:
    people = {0: person(**SMALL_PHONE), 1: person(**SMALL_PHONE)}
    for each in people.values():
        each.page.goto("/")
    table = table_of(people[0], people[1], seed="pear", days=2, about={"game": "pointcity", "setup": {}})
    for each in people.values():
        each.page.goto(f"/t/{table}")
        each.wait_until(lambda each=each: bool(each.scene))  # type: ignore[misc]
    acting = people[0].table["turn"]
    waiting = 1 - acting
    takes = [set(choice["cells"]) for choice in people[acting].choices(acting) if choice["type"] == "take"]
    planned = next(take for take in reversed(takes) if not take & takes[0])  # `decide` makes the first choice
    me = people[waiting]
    me.button("Menu").click()
    me.button("Your plans").click()
    me.button("Plan your next turn").click()
    expect(me.page.get_by_text("Planning ahead")).to_be_visible()
    assert_accessible(me)
    assert horizontal_overflow(me) <= 0
    for cell in sorted(planned):
        me.press(me.page.locator(f'[data-cell="{cell}"]'))
    me.press(me.page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("^Take")))
    me.wait_until(lambda: waiting in me.mine and bool(me.mine[waiting]["prepared"]))
    before = me.moves
    decide(people[acting], acting)
    me.wait_until(lambda: me.moves > before + 1)
    taken = [set(move["action"].get("cells", ())) for move in moves_of(me, table) if move["seat"] == waiting]
    assert planned in taken, "the plan is played when the turn comes"
    me.wait_until(lambda: waiting in me.mine and me.mine[waiting]["prepared"] == [])
