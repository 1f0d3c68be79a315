"""The end of a match: counting, result, pictures, sounds and reduced motion."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.support.client_texts import client_text
from tests.e2e.support.people import (
    FINISH_ANIMATIONS,
    MOTION,
    PHONE,
    Person,
    assert_accessible,
    build_by_mouse,
    build_by_touch,
)

pytestmark = pytest.mark.slow
NewPerson = Callable[..., Person]
PACE_MS = {"before": 700, "line": 1250, "no_points": 450}
"""Durations of the counting: before the first line, of a line, and of a line without points."""
SVG = "{http://www.w3.org/2000/svg}"
RENDER_SOUNDS = """async (file) => {
  const { default: sound } = await import(file);
  const all = {};
  for (const what of ['place', 'turn', 'dice', 'seal', 'gold', 'yours']) {
    const context = new OfflineAudioContext(1, 2 * 44100, 44100);
    sound(context, context.destination, what);
    const data = (await context.startRendering()).getChannelData(0);
    const loudest = data.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
    const energy = Math.sqrt(data.reduce((sum, value) => sum + value * value, 0) / data.length);
    const last = data.findLastIndex((value) => Math.abs(value) > 0.001) / 44100;
    const jump = Math.abs(data[1] ?? 0);
    all[what] = { loudest, energy, last, jump };
  }
  return all;
}"""


def counting(person: Person) -> Locator:
    return person.page.get_by_role("region", name="The score is counted")


def result(person: Person) -> Locator:
    return person.page.get_by_role("region", name=re.compile("win|points?$|share"))


def stop(person: Person, press: Callable[[Locator], None]) -> None:
    """Stops building, which is the last decision of the seat."""
    person.choices(0)
    press(person.button("Stop"))
    press(person.button("Yes, stop"))


def pause_clock(person: Person) -> None:
    """Pauses the clock of the page, so that timed animations advance only with `clock.run_for`."""
    person.choices(0)
    person.page.clock.install()
    person.page.clock.pause_at(datetime.now(UTC) + timedelta(minutes=1))


def count_until_cells_light_up(person: Person) -> None:
    """Advances the clock until the first line that lights up cells on the board."""
    shining = person.page.locator(".game-screen .middle path.shining")
    person.page.clock.run_for(PACE_MS["before"])
    while not shining.count():
        expect(counting(person)).to_be_visible()
        person.page.clock.run_for(PACE_MS["no_points"])
    expect(shining).to_be_visible()


def test_the_lines_are_counted_on_the_board_and_then_the_result_shows_the_city_first(person: NewPerson) -> None:
    ada = person(unseeded=True, **MOTION)  # without a chosen seed the result shows its fingerprint
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=2)
    pause_clock(ada)
    stop(ada, lambda button: button.click())
    expect(counting(ada)).to_be_visible()
    expect(ada.page.get_by_role("grid")).to_be_visible()  # the finished city stays
    count_until_cells_light_up(ada)
    sheet = ada.page.get_by_role("region", name=re.compile("Sheet of|Final score"))
    expect(sheet.locator(".lit")).to_have_count(1)
    first = counting(ada).inner_text()
    ada.page.clock.run_for(PACE_MS["line"])
    expect(counting(ada)).not_to_have_text(first, use_inner_text=True)  # one line after the other
    expect(result(ada)).to_have_count(0)
    ada.page.keyboard.press("Escape")
    expect(result(ada)).to_be_visible()
    expect(counting(ada)).to_have_count(0)

    ada.page.clock.resume()
    ada.page.evaluate(FINISH_ANIMATIONS)
    city = result(ada).locator("figure svg").first
    assert city.bounding_box()["y"] < ada.page.get_by_role("heading", name="Score sheets").bounding_box()["y"]  # type: ignore[index]
    expect(ada.page.get_by_text("The SHA-256", exact=False)).not_to_be_visible()
    ada.page.get_by_text(client_text("luck.title", "en"), exact=True).click()
    expect(ada.page.get_by_text("Fingerprint", exact=True)).to_be_visible()
    for label in ("Points", "Beginning", "End"):
        expect(result(ada).locator("svg text", has_text=re.compile(f"^{label}$"))).to_be_visible()
    expect(result(ada).get_by_text("Title:", exact=True)).to_be_visible()

    line = result(ada).get_by_role("button", name=re.compile("^Empty"))
    line.click()
    expect(city.locator("path.shining")).to_be_visible()
    assert_accessible(ada)

    ada.page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))
    ada.button("Count again").click()
    expect(counting(ada)).to_be_visible()
    ada.page.clock.run_for(PACE_MS["before"])
    ada.button("Skip").click()
    expect(result(ada)).to_be_visible()
    ada.page.clock.resume()
    ada.page.reload()
    expect(result(ada)).to_be_visible()  # a page that opens later shows the result
    expect(counting(ada)).to_have_count(0)


def test_a_picture_of_the_city_is_made_in_the_page(person: NewPerson, tmp_path: Path) -> None:
    ada = person(color_scheme="dark")
    ada.start_game()
    ada.play(0, build_by_mouse, rounds=3)
    stop(ada, lambda button: button.click())
    expect(result(ada)).to_be_visible()
    requests: list[str] = []
    ada.button("Picture").click()
    dialog = ada.page.get_by_role("dialog", name="A picture of the city")
    expect(dialog.get_by_role("img", name="A picture of the city")).to_be_visible()
    expect(ada.button("Save as PNG")).to_be_enabled()
    ada.page.on("request", lambda request: requests.append(request.url))
    with ada.page.expect_download() as download:
        ada.button("Save as SVG").click()
    download.value.save_as(tmp_path / "city.svg")
    picture = ElementTree.fromstring((tmp_path / "city.svg").read_text())
    words = [text.text for text in picture.iter(f"{SVG}text")]
    scores = ada.table["result"]["scores"]
    assert [text for text in words if text and text.endswith(f"{abs(scores[0])} points")]
    assert "My City · The eternal game" in words
    assert any(text and "Polyopolis" in text and "20" in text for text in words)
    fills = {shape.get("fill") for shape in picture.iter() if shape.get("fill")}
    assert {"rgb(213, 230, 182)", "rgb(255, 253, 247)"} <= fills  # light colours, although the page is dark
    assert not [shape for shape in picture.iter() if shape.get("class")]  # the file does not depend on style sheets
    with ada.page.expect_download() as download:
        ada.button("Save as PNG").click()
    download.value.save_as(tmp_path / "city.png")
    data = (tmp_path / "city.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert int.from_bytes(data[16:20]) == 2000
    assert len(data) > 50_000
    assert [url for url in requests if not url.startswith(("data:", "blob:"))] == []


def test_on_a_phone_one_tap_skips_the_counting_and_play_again_is_in_sight(person: NewPerson) -> None:
    ada = person(**PHONE, **MOTION)
    ada.page.goto("/")
    ada.button("Play My City: Roll & Write").tap()
    expect(ada.board).to_be_visible()
    ada.play(0, build_by_touch, rounds=2)
    pause_clock(ada)
    stop(ada, lambda button: button.tap())
    expect(counting(ada)).to_be_visible()
    count_until_cells_light_up(ada)
    ada.page.touchscreen.tap(195, 400)
    expect(result(ada)).to_be_visible()
    ada.page.clock.resume()
    ada.page.evaluate(FINISH_ANIMATIONS)
    again = ada.button("Play again").bounding_box()
    assert again
    assert again["y"] + again["height"] < 844  # without scrolling
    assert_accessible(ada)
    ada.button("Picture").tap()
    expect(ada.button("Save as PNG")).to_be_enabled()
    assert_accessible(ada)


def test_no_card_flies_with_reduced_motion(person: NewPerson) -> None:
    ada = person()
    ada.page.goto("/")
    ada.button("Play Point City").click()
    expect(ada.page.get_by_role("grid", name="Market")).to_be_visible()
    choice = next(each for each in ada.choices(0) if each["type"] == "take")
    for cell in choice["cells"]:
        ada.page.locator(f'[data-cell="{cell}"]').click()
    ada.page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("^Take")).click()
    expect(ada.page.locator(".told")).to_be_visible()
    expect(ada.page.locator(".flying")).to_have_count(0)


def test_moves_of_others_are_animated_and_sounds_load_when_switched_on(person: NewPerson) -> None:
    ada = person(**MOTION)
    loaded: list[str] = []
    ada.page.on("response", lambda got: loaded.append(got.url))
    ada.page.goto("/")
    ada.page.evaluate(
        """() => new MutationObserver((all) => all.forEach(({ addedNodes }) => addedNodes.forEach((node) =>
        node.classList?.contains('flying') && (window.flown = (window.flown ?? 0) + 1))))
        .observe(document, { childList: true, subtree: true })"""
    )
    ada.button("Play Point City").click()
    expect(ada.page.get_by_role("grid", name="Market")).to_be_visible()
    assert not [url for url in loaded if "sounds" in url]  # off until chosen
    ada.button("Menu").click()
    ada.page.get_by_label("Sound").focus()
    for _ in range(3):
        ada.page.keyboard.press("ArrowRight")
    ada.wait_until(lambda: any("sounds" in url for url in loaded))
    ada.page.keyboard.press("Escape")
    choice = next(each for each in ada.choices(0) if each["type"] == "take")
    for cell in choice["cells"]:
        ada.page.locator(f'[data-cell="{cell}"]').click()
    ada.page.get_by_role("region", name="Your turn").get_by_role("button", name=re.compile("^Take")).click()
    expect(ada.page.locator(".told")).to_contain_text(re.compile("took|built|drew|turned|token"))
    ada.wait_until(lambda: ada.page.evaluate("window.flown ?? 0") >= 2)
    file = next(url for url in loaded if re.search(r"/sounds-[^/]+\.js$", url))
    for name, sound in ada.page.evaluate(RENDER_SOUNDS, file).items():
        assert sound["energy"] > 0.003, name
        assert 0.03 < sound["loudest"] < 0.9, name  # audible and not clipped
        assert 0.05 < sound["last"] < 1.2, name  # ends
        assert sound["jump"] < 0.01, name  # begins without a click
