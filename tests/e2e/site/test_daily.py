"""The daily game: from the home page to its page, the counted try, the leaderboard and practice."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from time import sleep

import pytest
from playwright.sync_api import expect

from polyopolis.engine import seed_of
from polyopolis.server.ops.data_folder import DATABASE
from tests.e2e.support.client_texts import client_text
from tests.e2e.support.people import PHONE, TIMEOUT_MS, Person, assert_accessible, assert_presentable
from tests.server.support.server_process import ServerProcess

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
MINUS = "\u2212"
MIN_TIME_TO_MIDNIGHT = timedelta(minutes=3)
GAME = "My City: Roll & Write"


def stop(person: Person) -> None:
    person.choices(0)
    person.button("Stop").click()
    person.button("Yes, stop").click()
    person.wait_until(lambda: person.over)


def fix_daily_seed(server: ServerProcess) -> bool:
    """Fixes the dice of today, so that they do not depend on the date; returns False if the day does not exist yet."""
    with closing(sqlite3.connect(server.data / DATABASE, timeout=TIMEOUT_MS / 1000)) as db, db:
        changed = db.execute(
            "UPDATE days SET seed = ?, setup = ? WHERE game = 'rollwrite'",
            (seed_of("a day"), '{"episode":2,"seats":1,"content":1}'),
        )
    return changed.rowcount > 0


def avoid_midnight() -> None:
    """Waits until midnight (UTC) if it is near, because the daily games change then."""
    now = datetime.now(UTC)
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
    if midnight - now < MIN_TIME_TO_MIDNIGHT:
        sleep((midnight - now).total_seconds() + 1)


def forge_score(server: ServerProcess, table: str) -> None:
    """Stores a higher score than the moves of the match lead to."""
    with closing(sqlite3.connect(server.data / DATABASE, timeout=TIMEOUT_MS / 1000)) as db, db:
        (result,) = db.execute('SELECT result FROM matches WHERE "table" = ?', [table]).fetchone()
        forged = json.dumps({**json.loads(result), "scores": [99]})
        assert db.execute('UPDATE matches SET result = ? WHERE "table" = ?', [forged, table]).rowcount == 1


def test_the_first_try_counts_and_is_on_the_leaderboard(person: NewPerson, server: ServerProcess) -> None:
    avoid_midnight()
    ada = person()
    ada.wait_until(lambda: fix_daily_seed(server))
    ada.page.goto("/")
    ada.page.get_by_role("link", name=client_text("daily.home", "en")).click()
    expect(ada.page.get_by_text(re.compile(r"^New games in"))).to_be_visible()
    ada.page.get_by_label("Your name on the boards").fill("Ada of the Day")
    ada.button(client_text("daily.play.game", "en", game=GAME)).click()
    stop(ada)
    table = ada.page.url
    ada.skip_counting()
    score = str(ada.scene["result"]["scores"][0]).replace("-", MINUS)
    assert ada.scene["match"]["seed"] is None
    ada.page.get_by_text(client_text("luck.title", "en"), exact=True).click()
    expect(ada.page.get_by_text(re.compile("The seed is revealed when the day is over"))).to_be_visible()

    ben = person(**PHONE)
    ben.page.goto(table)
    expect(ben.page.get_by_text(re.compile("stays closed until you have played your own"))).to_be_visible()

    ada.page.get_by_role("link", name="The board of the day").click()
    card = ada.page.get_by_role("region", name=GAME)
    expect(card).to_contain_text(re.compile(rf"{score} points?"))
    line = card.get_by_role("row", name=re.compile(r"Ada of the Day \(you\)"))
    expect(line).to_contain_text(score)
    expect(card).to_contain_text("Par")
    expect(ada.page.get_by_role("region", name="My days")).to_contain_text("1 day in a row")
    assert_presentable(ada, "daily")

    ben.page.goto("/daily")
    expect(ben.page.get_by_role("region", name=GAME)).to_contain_text("Ada of the Day")
    expect(ben.page.get_by_role("region", name=GAME).get_by_role("link")).to_have_count(0)
    assert_presentable(ben, "daily-phone")

    ben.page.get_by_label("Your name on the boards").fill("Ben the Forger")
    ben.button(client_text("daily.play.game", "en", game=GAME)).click()
    stop(ben)
    forge_score(server, ben.page.url.rpartition("/")[2])
    ben.page.goto("/daily")
    card = ben.page.get_by_role("region", name=GAME)
    expect(card).to_contain_text(client_text("daily.mine.refused", "en"))
    expect(card.get_by_role("row", name=re.compile("Ada of the Day"))).to_be_visible()
    expect(card.get_by_role("row", name=re.compile("Ben the Forger"))).to_have_count(0)

    ada.button(client_text("daily.practise.game", "en", game=GAME)).click()
    ada.choices(0)
    assert ada.scene["match"]["practice_for"] == "day"
    stop(ada)
    ada.skip_counting()
    expect(ada.page.get_by_text(re.compile("only the first try counts"))).to_be_visible()
    ada.page.goto("/daily")
    expect(ada.page.get_by_role("row", name=re.compile(r"Ada of the Day \(you\)"))).to_have_count(1)
    ada.page.goto("/")
    expect(ada.page.get_by_role("region", name=client_text("daily.home", "en"))).to_contain_text(
        re.compile(rf"{score} points?")
    )
    assert_accessible(ada)
