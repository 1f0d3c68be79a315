"""Page objects: a person at a browser page, and ways to place pieces by mouse, touch and keyboard."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT, AxeResults
from playwright.sync_api import ConsoleMessage, Frame, Locator, Page, expect

from tests.server.support.server_process import ServerProcess

DESKTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL_PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
"""For tests of animations. Other tests use reduced motion, because drawing animations takes most of a test's time."""
TIMEOUT_MS = 60_000
"""Timeout of every wait. A wait ends with its event, so a long timeout does not slow tests that pass."""
MAX_TABS = 80
"""Presses of Tab after which an element counts as unreachable."""
SCREENSHOTS = Path(__file__).parents[3] / "out" / "screenshots"
TAKES_SCREENSHOTS = os.environ.get("POLYOPOLIS_PICTURES") == "1"

Message = dict[str, Any]
CONNECTION_ERRORS = re.compile(
    "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_INTERNET_DISCONNECTED|WebSocket connection"
)
"""Console messages of the browser when a server stops before or during a response."""
REPORT_MESSAGES = """
{
  const later = window.setTimeout.bind(window);
  window.heard?.('');
  const Plain = window.WebSocket;
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener('message', ({ data }) => later(() => window.heard(data)));
    }
  };
}
"""
"""Reports each message of a WebSocket after the page has handled it, and '' when a document begins.

The report is a separate task, so it runs after all listeners of the message and after their changes to the page.
"""
KEEP_MESSAGES = """
{
  const plain = window.setTimeout;
  const short = [2000, 4500, 5000, 8000];
  window.setTimeout = (act, wait, ...given) => plain(act, short.includes(wait) ? wait * 20 : wait, ...given);
}
"""
"""Keeps messages visible that the client removes after some seconds, so that a test on a slow machine sees them.

The times are those of "Copied", refusals, signs, lines about the moves of others, and unanswered questions.
"""
AWAIT_CLICK = """() => {
  window.clicked = new Promise((done) => {
    addEventListener('click', () => setTimeout(done), { once: true, capture: true });
    setTimeout(done, 20000);
  });
}"""
"""Stores a promise that resolves after the next click has been handled, or after 20 s."""
FINISH_ANIMATIONS = """async () => {
  const moves = ({ effect, playState }) =>
    playState !== 'finished' && Number.isFinite(effect?.getComputedTiming().endTime);
  for (let still = 0; still < 3; still++) {
    await new Promise(requestAnimationFrame);
    for (const motion of document.getAnimations().filter(moves)) {
      motion.finish();
      still = 0;
    }
  }
}"""
"""Finishes all animations, until none has started for three frames."""

AXE_CHECK = "async (options) => ({ violations: (await axe.run(document, options)).violations })"

CUT_OFF_TEXTS = """() => [...document.querySelectorAll('button, .button, label, legend, fieldset > div, h2')]
  .filter((shown) => shown.checkVisibility() && shown.clientWidth > 1 && shown.scrollWidth > shown.clientWidth + 1)
  .filter((shown) => getComputedStyle(shown).textOverflow !== 'ellipsis')
  .map((shown) => shown.innerText)"""
"""Texts of buttons, labels and headings that do not fit into their element."""


class Person:
    """A browser page, and the messages of its table: the current scene, and the choices of its seats.

    Choices are read from messages, but made by mouse, touch or keyboard. A message is recorded only after the page has
    handled it, so this state is never ahead of the page.
    """

    def __init__(self, page: Page, server: ServerProcess) -> None:
        self.page = page
        self.server = server
        self.errors: list[str] = []
        self.mine: dict[int, Message] = {}
        self.scene: Message = {}
        self._table = ""
        page.set_default_timeout(TIMEOUT_MS)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("framenavigated", self._navigated)
        page.expose_function("heard", self._receive)
        page.add_init_script(REPORT_MESSAGES)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not CONNECTION_ERRORS.search(message.text):
            self.errors.append(message.text)

    def _navigated(self, frame: Frame) -> None:
        """Forgets the messages of the previous table."""
        address = re.search(r"/t/([^/?#]+)", frame.url)
        table = address[1] if address else ""
        if table != self._table:
            self._table = table
            self.forget()

    def forget(self) -> None:
        self.mine, self.scene = {}, {}

    def _receive(self, text: str) -> None:
        """Records a message of a table. An empty text means that a new document has begun."""
        if not text:
            self.forget()
            return
        message: Message = json.loads(text)
        if message["type"] in ("welcome", "news", "people"):
            self.mine = {}
        if message["type"] in ("welcome", "news"):
            self.scene = message["scene"] or {}
        elif message["type"] == "people" and self.scene:
            self.scene["match"] = message["table"]["match"]
        self.mine |= {mine["seat"]: mine for mine in message.get("mine", ())}

    # Reading the page

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=isinstance(name, str))

    @property
    def board(self) -> Locator:
        return self.page.get_by_role("grid", name="My city")

    def cell(self, name: str) -> Locator:
        return self.board.locator(f'[data-cell="{name}"]')

    @property
    def over(self) -> bool:
        return bool(self.scene and self.scene["match"]["over"])

    @property
    def moves(self) -> int:
        return int(self.scene.get("moves", 0))

    @property
    def table(self) -> Message:
        self.wait_until(lambda: bool(self.scene))
        view: Message = self.scene["view"]["table"]
        return view

    def wait_until(self, holds: Callable[[], bool]) -> None:
        """Waits until `holds` returns True, while the page keeps running."""
        end = monotonic() + TIMEOUT_MS / 1000
        while not holds():
            if monotonic() > end:
                raise TimeoutError("the condition did not become true in time")
            self.page.wait_for_timeout(10)

    def turn(self, seat: int) -> int:
        """Returns the turn number of the decision that is due for a seat."""
        self.choices(seat)
        return int(self.mine[seat]["turn"])

    def choices(self, seat: int) -> list[Message]:
        self.wait_until(lambda: self.over or bool(seat in self.mine and self.mine[seat]["choices"]))
        return [] if self.over else list(self.mine[seat]["choices"])

    # Acting

    def press(self, where: Locator) -> None:
        """Taps on a touch screen, clicks on others. A mouse that stays over a card would shift a small screen."""
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            where.tap()
        else:
            where.click()

    def start_game(self) -> str:
        """Starts a game of My City from the home page; returns the address of the table."""
        self.page.goto("/")
        self.button("Play My City").click()
        expect(self.board).to_be_visible()
        self.choices(0)
        return self.page.url

    def decide(self, seat: int, build: Callable[["Person", list[str]], None]) -> None:
        """Builds on a legal place if there is one; otherwise passes or stops."""
        choices = self.choices(seat)
        if self.over:
            return
        places = [choice["cells"] for choice in choices if choice["type"] == "place"]
        if places:
            build(self, places[len(places) // 2])
        elif {"type": "pass"} in choices:
            self.button(re.compile("^Pass")).click()
        else:
            self.button("Stop").click()
            self.button("Yes, stop").click()

    def skip_counting(self) -> None:
        """Skips the counting of the score, and waits for the result or for rewards to place."""
        if not self.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"):
            counting = self.page.locator("section.counting")
            expect(counting).to_be_visible()
            self.wait_until(lambda: counting.count() == 0 or self._has_skipped(counting))
        result = self.page.get_by_role("heading", name="Score sheets")
        reward = self.page.get_by_role("region", name="Your turn").or_(self.page.locator('form[data-thing="gear"]'))
        expect(result.or_(reward).first).to_be_visible()

    def _has_skipped(self, counting: Locator) -> bool:
        self.page.keyboard.press("Escape")
        return counting.count() == 0

    def play(self, seat: int, build: Callable[["Person", list[str]], None], rounds: int = 99) -> None:
        for _ in range(rounds):
            self.choices(seat)  # a new page may not have received the number of moves yet
            if self.over:
                return
            before = self.moves
            self.decide(seat, build)
            self.wait_until(lambda before=before: self.over or self.moves > before)  # type: ignore[misc]


@contextmanager
def server_down(server: ServerProcess) -> Iterator[None]:
    """Kills the server, and restarts it afterwards, even after a failure, because later tests use it."""
    server.kill()
    try:
        yield
    finally:
        server.start()


def turn_until_it_fits(build: Locator, aim: Callable[[], object], orientations: int = 8) -> bool:
    """Clicks on a cell, which turns the piece, until it can be built there; returns False if it never fits.

    Waits for each click, because a tap becomes a click with a delay. A check before that would see the previous
    orientation and turn the piece once too often.
    """
    for _ in range(orientations):
        build.page.evaluate(AWAIT_CLICK)
        aim()
        build.page.evaluate("() => window.clicked")
        if build.is_enabled():
            return True
    return False


def build_by_mouse(person: Person, cells: list[str]) -> None:
    """Clicks on a cell until the piece fits, then builds."""
    turn_until_it_fits(person.button("Build here"), lambda: person.cell(cells[0]).click(force=True))
    person.button("Build here").click()


def build_by_touch(person: Person, cells: list[str]) -> None:
    turn_until_it_fits(person.button("Build here"), lambda: person.cell(cells[0]).tap(force=True))
    person.button("Build here").tap()


def build_by_keys(person: Person, cells: list[str]) -> None:
    """Moves to a cell by arrow keys, turns the piece by R until it fits, and presses Enter."""
    keys = person.page.keyboard
    focus_cell(person.page, cells[0])
    keys.press("Space")
    for _ in range(4):
        if person.button("Build here").is_enabled():
            break
        keys.press("r")
    keys.press("Enter")


def tab_to(where: Locator) -> None:
    for _ in range(MAX_TABS):
        if where.evaluate("node => node === document.activeElement"):
            return
        where.page.keyboard.press("Tab")
    raise AssertionError(f"{where} cannot be reached by Tab")


def focus_cell(page: Page, cell: str) -> None:
    """Moves the focus to the board by Tab, and to the cell by arrow keys."""
    here = page.locator('[role="grid"] [data-cell][tabindex="0"]').first
    tab_to(here)
    at = str(here.get_attribute("data-cell"))
    for key, back, steps in (
        ("ArrowRight", "ArrowLeft", ord(cell[0]) - ord(at[0])),
        ("ArrowDown", "ArrowUp", int(cell[1:]) - int(at[1:])),
    ):
        for _ in range(abs(steps)):
            page.keyboard.press(key if steps > 0 else back)


def build_by_dragging(person: Person, cells: list[str]) -> bool:
    """Drags the piece to a cell and turns it if it does not fit; returns False if it had to be placed by clicks."""
    for _ in range(5):
        if drag_piece(person, cells[0]):
            person.button("Build here").click()
            return True
        person.button("Turn").click()
    build_by_mouse(person, cells)
    return False


def drag_piece(person: Person, cell: str) -> bool:
    """Drops the piece of the hand on a cell; returns whether it fits there."""
    hand = person.page.locator("[data-piece]").first
    person.page.evaluate(FINISH_ANIMATIONS)  # a moving element is not at its measured position
    start, target = hand.bounding_box(), person.cell(cell).bounding_box()
    assert start
    assert target
    mouse = person.page.mouse
    mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    mouse.down()
    mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=5)
    mouse.up()
    return person.button("Build here").is_enabled()


def assert_accessible(person: Person) -> None:
    """Asserts that axe finds no violation after all animations, and that the page is not wider than the screen."""
    person.page.evaluate(FINISH_ANIMATIONS)
    _assert_no_violations(person)
    assert horizontal_overflow(person) == 0


def assert_readable(person: Person) -> None:
    """Asserts the contrast of colours only, for a page that was accessible and has only changed its colours."""
    person.page.evaluate(FINISH_ANIMATIONS)
    _assert_no_violations(person, runOnly=["color-contrast"])


def _assert_no_violations(person: Person, **options: Any) -> None:
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    results = AxeResults(page.evaluate(AXE_CHECK, {"resultTypes": ["violations"], "preload": False, **options}))
    assert results.violations_count == 0, f"{page.url}\n{results.generate_report()}"


def assert_presentable(person: Person, name: str) -> None:
    """Asserts that the page is accessible in light colours and readable in dark ones; takes a screenshot of both."""
    assert_accessible(person)
    take_screenshot(person, f"{name}-light")
    person.page.emulate_media(color_scheme="dark")
    assert_readable(person)
    take_screenshot(person, f"{name}-dark")
    person.page.emulate_media(color_scheme="light")


def take_screenshot(person: Person, name: str, whole: bool = False) -> None:
    """Writes a screenshot to `out/screenshots/` if POLYOPOLIS_PICTURES=1 is set."""
    if TAKES_SCREENSHOTS:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        person.page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)


def horizontal_overflow(person: Person) -> int:
    """Returns the number of pixels by which the page is wider than the screen."""
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(person.page.evaluate(overflow))
