"""Rules pages in all languages, boards to try rules on, and an explanation for each thing at a table."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.games.test_campaign import post
from tests.e2e.support.client_texts import LANGUAGES, client_text
from tests.e2e.support.people import (
    CUT_OFF_TEXTS,
    DESKTOP,
    FINISH_ANIMATIONS,
    PHONE,
    SMALL_PHONE,
    Person,
    assert_accessible,
    assert_readable,
    horizontal_overflow,
    take_screenshot,
)
from tests.test_rules_covered import rules_of

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
GAMES = ("mycity", "rollwrite", "pointcity")


def open_rules(person: Person, game: str, rule: str = "") -> None:
    person.page.goto(f"/rules/{game}{rule and '#' + rule}")
    expect(person.page.locator("article .rule").first).to_be_visible()
    expect(person.page.locator("#aids .aid h3").first).to_be_visible()


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_has_an_anchor_and_is_readable_by_night(person: NewPerson, game: str) -> None:
    reader = person(color_scheme="dark")
    open_rules(reader, game)
    rules, ids = set(rules_of(game)), reader.page.locator("[id]")
    reader.wait_until(lambda: rules <= set(ids.evaluate_all("all => all.map(({ id }) => id)")))
    assert_readable(reader)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_in_every_language(person: NewPerson, language: str) -> None:
    """Pages are accessible, not wider than the screen, without cut-off texts or empty rules, on a phone and a desktop.

    Languages differ only in their texts, so axe checks the desktop size in English only.
    """
    reader = person(locale=language, **SMALL_PHONE)
    for game in GAMES:
        reader.page.set_viewport_size(SMALL_PHONE["viewport"])
        open_rules(reader, game)
        expect(reader.page.locator(".rule p:empty, figcaption:empty, h2:empty")).to_have_count(0)
        for size, window in (("phone", SMALL_PHONE), ("desk", DESKTOP)):
            reader.page.set_viewport_size(window["viewport"])
            if size == "phone" or language == "en":
                assert_accessible(reader)
            else:
                reader.page.evaluate(FINISH_ANIMATIONS)
                assert horizontal_overflow(reader) == 0, game
            assert reader.page.evaluate(CUT_OFF_TEXTS) == [], game
            if language in ("en", "de"):
                take_screenshot(reader, f"rules-{game}-{size}-{language}", whole=True)


def test_sealed_rules_stay_sealed(person: NewPerson) -> None:
    reader = person(knows_the_games=False)
    open_rules(reader, "mycity", "MC-E13")
    expect(reader.page.locator(".sealed")).to_have_count(8)
    expect(reader.page.locator("#MC-E13")).to_have_count(1)
    expect(reader.page.get_by_text("investor")).to_have_count(0)
    expect(reader.page.locator("#aids option")).to_have_count(0)
    reader.page.locator(".sealed button").nth(0).click()
    expect(reader.page.locator(".sealed")).to_have_count(7)
    expect(reader.page.locator("#MC-E2")).to_contain_text("wells")
    expect(reader.page.locator("#aids option")).to_have_count(4)


def test_searching_and_looking_up(person: NewPerson) -> None:
    reader = person()
    open_rules(reader, "mycity", "MC-9")
    expect(reader.page.locator("#MC-9")).to_have_class(re.compile("sought"))
    expect(reader.page.locator("#MC-9")).to_be_in_viewport()
    reader.page.get_by_role("searchbox").fill("church colour")
    expect(reader.page.locator("#MC-24")).to_be_visible()
    expect(reader.page.locator("#MC-9")).to_have_count(0)
    expect(reader.page.locator("#MC-24 mark").first).to_have_text(re.compile("church", re.IGNORECASE))
    reader.page.get_by_role("searchbox").fill("dragon")
    expect(reader.page.get_by_text("Nothing speaks of that.")).to_be_visible()


@pytest.mark.parametrize(("game", "rule"), [("mycity", "MC-9"), ("rollwrite", "RW-7")])
def test_a_board_to_try_things_on(person: NewPerson, game: str, rule: str) -> None:
    """A legal place is confirmed, an illegal one is refused, and the reason links to its rule."""
    reader = person()
    open_rules(reader, game)
    trial = reader.page.locator(".trial").nth(1)
    trial.scroll_into_view_if_needed()
    glowing = trial.locator(".glow")
    expect(glowing).to_be_visible()
    grid = trial.get_by_role("grid")
    for name in grid.locator("[data-cell]").evaluate_all("all => all.map((cell) => cell.dataset.cell)"):
        grid.locator(f'[data-cell="{name}"]').click(force=True)
        if trial.get_by_text("It may lie here.").is_visible():
            break
    expect(trial.get_by_text("It may lie here.")).to_be_visible()
    grid.locator("[data-cell]").last.click(force=True)
    refusal = trial.get_by_role("link", name="Why?")
    expect(refusal).to_be_visible()
    assert rule.split("-", maxsplit=1)[0] in str(refusal.get_attribute("href"))
    refusal.click()
    expect(reader.page.locator(".sought")).to_be_in_viewport()


def test_a_market_to_try_things_on(person: NewPerson) -> None:
    reader = person()
    open_rules(reader, "pointcity")
    trial = reader.page.locator(".trial").first
    trial.locator('[data-cell="b3"]').click()
    trial.locator('[data-cell="b4"]').click()
    expect(trial.get_by_text("You can take both.")).to_be_visible()
    trial.locator('[data-cell="b3"]').click()
    trial.locator('[data-cell="b4"]').click()
    trial.locator('[data-cell="b3"]').click()
    trial.locator('[data-cell="c3"]').click()
    expect(trial.get_by_role("link", name="Why?")).to_have_attribute("href", re.compile("#PC-9"))


def open_table(person: Person, game: str, **setup: object) -> None:
    """Opens a table with a bot by the same request that the page sends."""
    request = {
        "game": game,
        "setup": setup,
        "seed": "sit down",
        "seats": [{"type": "me", "name": "Ana"}, {"type": "bot", "bot": "greedy"}][: 1 if "automa" in setup else 2],
    }
    table = post(person, "/tables", request)["table"]
    person.page.goto(f"/t/{table}")
    expect(person.page.locator('[data-thing^="cell:"]').first).to_be_visible()
    expect(person.button("What is this?")).to_be_visible()


ASK_ABOUT_ALL_THINGS = """async () => {
  const shown = (thing) => thing.checkVisibility({ visibilityProperty: true })
    && thing.getBoundingClientRect().width > 0;
  const answers = {};
  for (const _ of [...document.querySelectorAll('[data-thing]')].filter(shown)) {
    const sheet = document.querySelector('.ask.sheet');
    sheet.querySelector('.next').click();
    const asked = document.querySelector('[data-asked]').dataset.thing;
    for (let wait = 0; wait < 6000 && sheet.dataset.about !== asked; wait++)
      await new Promise((again) => setTimeout(again, 5));
    const said = (part) => sheet.querySelector(part)?.textContent.trim() ?? '';
    answers[asked] = sheet.dataset.about === asked ? [said('.text'), `${said('h2')} ${said('.now')}`] : ['', ''];
  }
  return answers;
}"""
"""Asks about all things of the page in turn; returns the explanation of each, and its name with its current value."""


def explanations(person: Person) -> dict[str, tuple[str, str]]:
    page = person.page
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="What is this?")
    expect(sheet).to_be_visible()
    answers: dict[str, tuple[str, str]] = page.evaluate(ASK_ABOUT_ALL_THINGS)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    return answers


@pytest.mark.parametrize(
    ("game", "setup"),
    [
        ("mycity", {"mode": "eternal"}),
        ("mycity", {"mode": "episode", "episode": 9}),
        ("mycity", {"mode": "episode", "episode": 23, "play": "campaign"}),
        ("rollwrite", {"episode": 8}),
        ("rollwrite", {"episode": 12}),
        ("pointcity", {}),
        ("pointcity", {"automa": "easy"}),
    ],
    ids=lambda value: value if isinstance(value, str) else "-".join(map(str, value.values())),
)
def test_every_thing_has_an_explanation(person: NewPerson, game: str, setup: dict[str, object]) -> None:
    guest = person()
    open_table(guest, game, **setup)
    answers = explanations(guest)
    missing = ("", client_text("ask", "en"), "There is nothing to say about this.")
    assert [thing for thing, (text, _) in answers.items() if text in missing] == []
    if game == "pointcity":
        assert [now for _, now in answers.values() if re.search(r"\b[a-d][1-4]\b", now)] == [], (
            "players do not see names of market cells"
        )
    kinds = {thing.partition(":")[0] for thing in answers}
    assert {"cell", "player", "line", "total", "menu", "ask"} <= kinds


def test_asking_about_a_thing_makes_no_move(person: NewPerson) -> None:
    """Things are chosen by mouse, keys and touch; the explanation has the current value and a link to the rule."""
    guest = person()
    guest.start_game()
    before = guest.moves
    page = guest.page
    page.get_by_role("button", name="What is this?").click()
    sheet = page.get_by_role("dialog", name="What is this?")
    expect(sheet.get_by_text("Keys and gestures")).to_be_visible()
    assert_accessible(guest)
    rocks = guest.board.get_by_role("gridcell", name=re.compile("two rocks")).first
    box = rocks.bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    expect(sheet).to_contain_text("\u22122 points")
    page.keyboard.press("ArrowRight")
    expect(page.locator("[data-asked]")).not_to_have_attribute("data-cell", str(rocks.get_attribute("data-cell")))
    passing = page.locator('[data-thing="pass"]').bounding_box()
    assert passing
    page.mouse.click(passing["x"] + passing["width"] / 2, passing["y"] + passing["height"] / 2)
    may_pass = {"type": "pass"} in guest.choices(0)  # not possible if a church can be placed
    expect(sheet).to_contain_text("change your score by \u22121" if may_pass else "Not possible now")
    assert guest.moves == before
    sheet.get_by_role("link").click()
    rules = page.get_by_role("dialog", name="Rules")
    expect(rules.locator("#MC-11")).to_have_class(re.compile("sought"))
    assert_accessible(guest)
    page.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    phone = person(**PHONE)
    phone.start_game()
    phone.page.get_by_role("button", name="What is this?").tap()
    expect(phone.page.get_by_role("dialog", name="What is this?")).to_be_visible()
    cell = phone.cell("e5").bounding_box()
    assert cell
    phone.page.touchscreen.tap(cell["x"] + cell["width"] / 2, cell["y"] + cell["height"] / 2)
    expect(phone.page.locator("[data-asked]")).to_have_attribute("data-cell", "e5")
    assert_accessible(phone)


def test_a_refusal_leads_to_its_rule(person: NewPerson) -> None:
    guest = person()
    guest.start_game()
    guest.choices(0)
    guest.board.locator("[data-cell]").first.click(force=True)
    why = guest.page.get_by_role("link", name="Why?")
    expect(why).to_be_visible()
    why.click()
    expect(guest.page.get_by_role("dialog", name="Rules").locator(".sought")).to_be_visible()


def test_an_aid_at_the_table(person: NewPerson) -> None:
    guest = person()
    guest.start_game()
    guest.button("Menu").click()
    guest.button("Rules").click()
    dialog = guest.page.get_by_role("dialog", name="Rules")
    expect(dialog.get_by_text("Each tree in sight")).to_be_visible()
    assert_accessible(guest)
    dialog.get_by_text("All rules").click()
    expect(dialog.locator("#MC-1")).to_be_visible()
