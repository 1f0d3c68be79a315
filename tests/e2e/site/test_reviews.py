"""Review of a game from a file: a known blunder is found, named, and decided again."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.e2e.support.people import DESKTOP, PHONE, TIMEOUT_MS, Message, Person, assert_accessible, assert_presentable
from tools.make_blunder_record import BLUNDER, MOVE

pytestmark = pytest.mark.slow
REVIEW_TIMEOUT_MS = 2 * TIMEOUT_MS
"""Timeout of a complete review, on a machine with other load."""


def build_exactly_on(person: Person, cells: list[str]) -> None:
    """Builds on exactly these cells."""
    wanted = sorted(cells)
    for cell in cells:
        for _ in range(9):
            person.cell(cell).click(force=True)
            laid = person.board.locator("[data-cell][aria-label$=': it fits']")
            if sorted(laid.evaluate_all("cells => cells.map((cell) => cell.dataset.cell)")) == wanted:
                person.button("Build here").click()
                return
    raise AssertionError(f"the building does not fit on {wanted}")


def fetch_match_part(person: Person, part: str) -> Message:
    """Returns a resource of the match that is reviewed."""
    match = re.sub(r"/t/(.+)/review/0.*", rf"/api/tables/\1/matches/0/{part}", person.page.url)
    response: Message = person.page.request.get(match).json()
    return response


def blunder_in(person: Person) -> Message:
    """Returns the review of the blunder."""
    decisions: list[Message] = fetch_match_part(person, "review")["review"]["matches"][0]["decisions"]
    return next(decision for decision in decisions if decision["move"] == MOVE)


def assert_presentable_everywhere(person: Person, name: str) -> None:
    """Asserts that the page is presentable on a desktop and at the size of a phone."""
    assert_presentable(person, f"{name}-desk")
    person.page.set_viewport_size(PHONE["viewport"])
    assert_presentable(person, f"{name}-phone")
    person.page.set_viewport_size(DESKTOP["viewport"])


def test_a_known_blunder_is_found_named_and_decided_again(person: Callable[..., Person]) -> None:
    ada = person(unseeded=True)
    page = ada.page
    page.goto("/")
    page.get_by_label("Open a file").set_input_files(BLUNDER)
    expect(page.get_by_role("heading", name="The moments that mattered")).to_be_visible(timeout=REVIEW_TIMEOUT_MS)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=REVIEW_TIMEOUT_MS)
    blunder = blunder_in(ada)
    assert blunder["grade"] == "blunder"

    # The blunder is named, with a better choice.
    page.get_by_role("button", name=re.compile("^Ada gives away .* Better: Build on")).first.click()
    before = sum(moves <= MOVE for moves in fetch_match_part(ada, "replay")["stops"]) - 1
    page.wait_for_url(re.compile(f"#{before}$"))
    expect(page.get_by_role("heading", name=re.compile("^A blunder: Ada gives away"))).to_be_visible()
    expect(page.locator("[data-hint]").first).to_be_attached()
    assert_presentable_everywhere(ada, "review")

    # It is decided again: first the same choice, then the best one.
    ada.button("Try it again").click()
    expect(page.get_by_role("heading", name="What would you do here?")).to_be_visible()
    expect(ada.board).to_be_visible()
    build_exactly_on(ada, blunder["played"]["action"]["cells"])
    expect(page.get_by_text("There is something better: this gives away")).to_be_visible()
    ada.button("Once more").click()
    build_exactly_on(ada, blunder["best"]["action"]["cells"])
    expect(page.get_by_text("Right: nothing better is known.")).to_be_visible()
    assert_accessible(ada)
    ada.button("Back to the review").click()

    # The best city in hindsight is compared with the real one, with its score and the upper bound.
    ada.button("Look for the best city").click()
    hindsight = page.get_by_role("region", name="With hindsight")
    expect(hindsight.get_by_role("figure")).to_have_count(2, timeout=REVIEW_TIMEOUT_MS)
    figures: dict[str, str] = {}

    def figures_are_shown() -> bool:
        terms, values = (hindsight.get_by_role(role).all_inner_texts() for role in ("term", "definition"))
        figures.update(zip(terms, values, strict=False))
        return {"Ada", "Best city that was found", "No city can have more"} <= figures.keys()

    ada.wait_until(figures_are_shown)
    best, bound = int(figures["Best city that was found"]), int(figures["No city can have more"])
    assert int(figures["Ada"]) < best < bound
    expect(hindsight.get_by_text(re.compile("^Best city, last: "))).to_be_visible()
    city = hindsight.get_by_role("figure").last
    earlier = city.inner_text()
    assert_presentable_everywhere(ada, "hindsight")

    # The arrow keys move along the curve.
    curve = page.get_by_role("slider", name="What to expect, move by move")
    curve.focus()
    page.keyboard.press("End")
    expect(page.get_by_role("heading", name=re.compile("^Ada ends with"))).to_be_visible()
    expect(city).not_to_have_text(earlier)
    expect(city).to_contain_text(str(best))
    page.keyboard.press("ArrowLeft")
    expect(curve).to_have_attribute("aria-valuetext", re.compile("Ada .*, .*"))
