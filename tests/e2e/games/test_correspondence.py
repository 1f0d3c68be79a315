"""A match by correspondence, over restarts and a time-out: every notice is counted where it arrives; and plans."""

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
from tests.e2e.conftest import NOTICES, ONE_BOT
from tests.e2e.games.test_pointcity import decide
from tests.e2e.site.test_notifications import ask
from tests.e2e.support.people import (
    PATIENCE,
    SMALL,
    Message,
    Person,
    assert_accessible,
    by_mouse,
    wider_than_the_screen,
)
from tests.server.support.aged_data import grow_older
from tests.server.support.notification_sink import Browser, Ears, ears
from tests.server.support.server_process import House, open_house
from tests.server.support.smtp_sink import PostOffice

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
HOUR = DAY // 24
GRACE = 1_000
"""Milliseconds after a move by which somebody is owed what it leads to; `--notices-pause` is less."""
BOX = "ben@letters.example"
CITY: Message = {"game": "mycity", "setup": {"mode": "eternal"}}
mycity = game("mycity")


@pytest.fixture
def heard() -> Iterator[Ears]:
    with ears() as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, office: PostOffice) -> Iterator[House]:
    """One of its own: it stops, and time goes by."""
    with open_house(tmp_path_factory.mktemp("letters"), *ONE_BOT, *NOTICES, *office.options) as found:
        yield found


def restart(house: House, later: int = 0) -> None:
    """The server stops and starts again, so many milliseconds later by all that it has kept."""
    house.stop()
    grow_older(house.data, later)
    house.start()


def wait_for_the_postman(person: Person, house: House) -> None:
    """Waits until everybody was told what they are owed by now."""
    now = 1000 * time() + GRACE

    def told() -> bool:
        with closing(sqlite3.connect(house.data / DATABASE, timeout=PATIENCE / 1000)) as database:
            due = database.execute("SELECT count(*) FROM outbox WHERE look <= ?", [now]).fetchone()
        return bool(due == (0,))

    person.until(told)


def table_of(*people: Person, seed: str, days: int, about: Message = CITY) -> str:
    first, *others = people
    seats = [{"type": "me", "name": "Ada"}, *({"type": "open"} for _ in others)]
    pace = {"type": "correspondence", "days": days, "bank": 0}
    wish = {**about, "seats": seats, "pace": pace, "seed": seed}
    table = str(ask(first, "/tables", wish)["table"])
    for seat, name in zip(range(1, len(people)), ("Ben", "Cleo"), strict=False):
        ask(people[seat], f"/tables/{table}/seats/{seat}", {"type": "join", "name": name})
    return table


def visit(person: Person, table: str, seat: int) -> None:
    """Somebody comes, decides and goes away."""
    person.page.goto(f"/t/{table}")
    turn = person.turn(seat)
    person.decide(seat, by_mouse)
    person.until(lambda: seat in person.mine and person.mine[seat]["turn"] > turn)
    person.page.goto("about:blank")


class Post:
    """What has come to each of three people, by a program, a mailbox and a browser of theirs."""

    def __init__(self, heard: Ears, office: PostOffice) -> None:
        self._heard, self._office = heard, office
        self.browser = Browser(f"{heard.url}/push")

    def add(self, ada: Person, ben: Person, cleo: Person) -> None:
        ask(ada, "/notices/receivers", {"type": "hook", "url": f"{self._heard.url}/ada"})
        ask(ben, "/notices/receivers", {"type": "mail", "address": BOX, "language": "de"})
        (letter,) = self._office.to(BOX)
        (token,) = re.findall(r"/notices/prove/(\S+)", letter.get_content())
        ask(ben, "/notices/proofs", {"token": token})
        ask(cleo, "/notices/receivers", self.browser.wish | {"language": "fr"})

    def wait_for(self, hooks: int, mails: int, pushes: int) -> None:
        self._heard.at("/ada", hooks)
        self._office.to(BOX, 1 + mails)
        self._heard.at("/push", pushes)

    @property
    def told(self) -> tuple[list[str], list[str], list[str]]:
        """All titles, without the games that they name."""
        hooks = [each.said["title"] for each in self._heard.at("/ada")]
        mails = [str(mail["Subject"]) for mail in self._office.to(BOX)[1:]]
        pushes = [self.browser.read(each)["title"] for each in self._heard.at("/push")]
        hooks, mails, pushes = ([title.partition(" · ")[0] for title in titles] for titles in (hooks, mails, pushes))
        return hooks, mails, pushes

    @property
    def ids(self) -> list[str]:
        """Of those that a program and a browser got."""
        pushed = (self.browser.read(each)["ids"][0] for each in self._heard.at("/push"))
        return [*(each.said["id"] for each in self._heard.at("/ada")), *pushed]


def test_three_people_four_restarts_and_a_time_that_is_up(
    person: NewPerson, house: House, heard: Ears, office: PostOffice
) -> None:
    ada, ben, cleo = person(), person(), person()
    for each in (ada, ben, cleo):
        each.page.goto("/")
    post = Post(heard, office)
    post.add(ada, ben, cleo)
    table = table_of(ada, ben, cleo, seed="letters", days=1)
    for each in (ada, ben, cleo):
        each.page.goto("about:blank")
    post.wait_for(1, 1, 1)

    visit(ada, table, 0)
    visit(ben, table, 1)
    restart(house, 20 * HOUR)  # four hours are left for Cleo
    post.wait_for(1, 1, 2)
    restart(house, 10 * HOUR)
    post.wait_for(2, 2, 2)
    ada.page.goto(f"/t/{table}")
    expect(ada.page.get_by_text("Cleo has run out of time.")).to_be_visible()
    ada.button("Wait and give more time").click()
    expect(ada.page.get_by_text("Cleo has run out of time.")).to_have_count(0)
    ada.page.goto("about:blank")

    restart(house, 10 * HOUR)
    visit(cleo, table, 2)
    post.wait_for(3, 3, 2)
    restart(house, HOUR)  # who has seen it happen is given some time
    post.wait_for(3, 3, 3)
    wait_for_the_postman(cleo, house)
    assert post.told == (
        ["Your turn", "Cleo has run out of time", "Your turn"],
        ["Du bist dran", "Die Zeit von Cleo ist um", "Du bist dran"],
        ["À vous de jouer", message_texts.words("fr")["again"]["title"].partition(" · ")[0], "À vous de jouer"],
    )
    assert len(set(post.ids)) == 6, "none twice"


def staged(person: Person, seat: int = 0) -> Any:
    """What somebody has decided while others have not."""
    person.choices(seat)
    return person.mine[seat]["staged"]


def moves_of(person: Person, table: str) -> list[dict[str, Any]]:
    path = f"/api/tables/{table}/matches/0/record"
    record = person.page.evaluate("path => fetch(path).then((answer) => answer.json())", path)
    return list(record["moves"])


def as_ada_knows(ada: Person, table: str, seed: str) -> tuple[Match, Any]:
    """The match with what Ada has staged, and what nobody there can know: which card comes next."""
    moves = [Move(move["seat"], msgspec.convert(move["action"], mycity.Action)) for move in moves_of(ada, table)]
    match = Match.replay(mycity, mycity.Setup(seats=2), moves)
    match = match.decide(0, msgspec.convert(ada.mine[0]["staged"], mycity.Action))
    dealer = Dealer(derive_seed(seed_of(seed), "match", 0))
    later = match.decide(1, mycity.legal(match.state, 1)[0]).deal(dealer)
    return match, later.moves[-1].action


def planned(ada: Person, table: str, seed: str) -> list[str]:
    """Ada supposes that the card comes which will come, and says where its building is to lie."""
    match, card = as_ada_knows(ada, table, seed)
    later = premoves.next_decision_state(match, 0, parameterless_actions(mycity))
    luck = premoves.to_json_value(card)
    future = premoves.possible_future(later, 0, luck)
    assert future
    places = [choice["cells"] for choice in map(premoves.to_json_value, future.choices) if "cells" in choice]
    ada.button("Menu").click()
    ada.button("Your plans").click()
    ada.page.locator(".lucks button").nth(premoves.possible_chance_outcomes(later, 0).index(card)).click()
    expect(ada.page.get_by_text("Planning ahead: suppose the next is")).to_be_visible()
    by_mouse(ada, places[len(places) // 2])
    ada.until(lambda: 0 in ada.mine and any(plan["luck"] == luck for plan in ada.mine[0]["prepared"]))
    (plan,) = [plan for plan in ada.mine[0]["prepared"] if plan["luck"] == luck]
    return list(plan["action"]["cells"])


def test_a_plan_is_played_and_another_one_dropped(person: NewPerson, house: House, heard: Ears) -> None:
    ada, ben, seed = person(), person(), "plans"
    ada.page.goto("/")
    ben.page.goto("/")
    ask(ada, "/notices/receivers", {"type": "hook", "url": f"{heard.url}/ada"})
    table = table_of(ada, ben, seed=seed, days=2)
    heard.at("/ada", 1)
    ada.page.goto(f"/t/{table}")
    ada.decide(0, by_mouse)
    ada.until(lambda: staged(ada) is not None)
    cells = planned(ada, table, seed)
    ada.page.goto("about:blank")
    visit(ben, table, 1)
    wait_for_the_postman(ben, house)
    assert len(heard.at("/ada")) == 1, "what was planned and answered is not told"
    visit(ben, table, 1)
    heard.at("/ada", 2)

    ada.page.goto(f"/t/{table}")
    ada.choices(0)
    assert cells in [move["action"].get("cells") for move in moves_of(ada, table)]
    ada.decide(0, by_mouse)
    ada.until(lambda: staged(ada) is not None)
    cells = planned(ada, table, seed)
    ada.page.locator('[data-thing="take-back-decision"]').click()
    ada.until(lambda: staged(ada) is None)
    places = [choice["cells"] for choice in ada.choices(0) if choice["type"] == "place"]
    by_mouse(ada, next(place for place in places if place[0] in cells))
    ada.until(lambda: staged(ada) is not None)
    ada.page.goto("about:blank")
    visit(ben, table, 1)
    heard.at("/ada", 3)
    ada.page.goto(f"/t/{table}")
    expect(ada.page.get_by_text("could not be played:")).to_be_visible()
    assert_accessible(ada)
    ada.button("Close").click()
    expect(ada.page.get_by_text("could not be played:")).to_have_count(0)
    assert [each.said["type"] for each in heard.at("/ada")] == ["turn"] * 3


def test_where_seats_take_turns_the_next_one_is_planned(person: NewPerson) -> None:
    people = {0: person(**SMALL), 1: person(**SMALL)}
    for each in people.values():
        each.page.goto("/")
    table = table_of(people[0], people[1], seed="pear", days=2, about={"game": "pointcity", "setup": {}})
    for each in people.values():
        each.page.goto(f"/t/{table}")
        each.until(lambda each=each: bool(each.scene))  # type: ignore[misc]
    plays = people[0].table["turn"]
    waits = 1 - plays
    takes = [set(choice["cells"]) for choice in people[plays].choices(plays) if choice["type"] == "take"]
    mine = next(take for take in reversed(takes) if not take & takes[0])  # decide takes the first of them
    me = people[waits]
    me.button("Menu").click()
    me.button("Your plans").click()
    me.button("Plan your next turn").click()
    expect(me.page.get_by_text("Planning ahead")).to_be_visible()
    assert_accessible(me)
    assert wider_than_the_screen(me) <= 0
    for cell in sorted(mine):
        me.press(me.page.locator(f'[data-cell="{cell}"]'))
    me.press(me.page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("^Take")))
    me.until(lambda: waits in me.mine and bool(me.mine[waits]["prepared"]))
    before = me.moves
    decide(people[plays], plays)
    me.until(lambda: me.moves > before + 1)
    taken = [set(move["action"].get("cells", ())) for move in moves_of(me, table) if move["seat"] == waits]
    assert mine in taken, "its turn has come, and it is played"
    me.until(lambda: waits in me.mine and me.mine[waits]["prepared"] == [])
