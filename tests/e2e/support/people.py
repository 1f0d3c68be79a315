"""People in front of a screen: they click, tap and press keys on what they see."""

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

from tests.server.support.server_process import House

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
"""For tests of what moves. Elsewhere people prefer reduced motion: drawing animations takes most of a test's time."""
PATIENCE = 60_000
"""How long anything is waited for, in milliseconds. A wait ends with its event, so a long limit costs nothing."""
FAR = 80
"""No way by Tab is so long."""
PICTURES = Path(__file__).parents[3] / "out" / "screenshots"
WANTS_PICTURES = os.environ.get("POLYOPOLIS_PICTURES") == "1"

Message = dict[str, Any]
WIRE = re.compile(
    "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_INTERNET_DISCONNECTED|WebSocket connection"
)
"""What a browser says on its own when a server is gone, before an answer or in the middle of one."""
HEARD = """
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
"""Reports each message of a socket once the page has taken it in, and '' when a document begins.

The report is a task of its own, so it comes after all listeners of the message and after what they have drawn.
"""
LINGER = """
{
  const plain = window.setTimeout;
  const short = [2000, 4500, 5000, 8000];
  window.setTimeout = (act, wait, ...given) => plain(act, short.includes(wait) ? wait * 20 : wait, ...given);
}
"""
"""Makes messages stay that the client takes away after some seconds, so that a slow machine does not miss them.

The times are those of "Copied", of refusals, of signs, of lines about the moves of others, and of unanswered questions.
"""
LISTEN = """() => {
  window.clicked = new Promise((done) => {
    addEventListener('click', () => setTimeout(done), { once: true, capture: true });
    setTimeout(done, 20000);
  });
}"""
"""Keeps a promise of the next click and of all that is drawn for it; it does not wait for ever."""
REST = """async () => {
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
"""Whatever moves is at its end, and nothing has begun to move since."""

CHECK = "async (options) => ({ violations: (await axe.run(document, options)).violations })"

CUT_OFF = """() => [...document.querySelectorAll('button, .button, label, legend, fieldset > div, h2')]
  .filter((shown) => shown.checkVisibility() && shown.clientWidth > 1 && shown.scrollWidth > shown.clientWidth + 1)
  .filter((shown) => getComputedStyle(shown).textOverflow !== 'ellipsis')
  .map((shown) => shown.innerText)"""
"""The texts of things to press that are longer than these."""


class Person:
    """A page, and what its tables have told it: which choices there are is known, making them is up to hands.

    What is known here is never ahead of the page: a message counts as heard once the page has taken it in.
    """

    def __init__(self, page: Page, house: House) -> None:
        self.page = page
        self.house = house
        self.errors: list[str] = []
        self.mine: dict[int, Message] = {}
        self.scene: Message = {}
        self._table = ""
        page.set_default_timeout(PATIENCE)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("framenavigated", self._gone_to)
        page.expose_function("heard", self._hear)
        page.add_init_script(HEARD)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not WIRE.search(message.text):
            self.errors.append(message.text)

    def _gone_to(self, frame: Frame) -> None:
        """Forgets what was heard at another table."""
        found = re.search(r"/t/([^/?#]+)", frame.url)
        table = found[1] if found else ""
        if table != self._table:
            self._table = table
            self.forget()

    def forget(self) -> None:
        self.mine, self.scene = {}, {}

    def _hear(self, text: str) -> None:
        """Takes in a message of a table; an empty text says that a new document has begun."""
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

    # Looking

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
        self.until(lambda: bool(self.scene))
        view: Message = self.scene["view"]["table"]
        return view

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits while the page goes on."""
        end = monotonic() + PATIENCE / 1000
        while not holds():
            if monotonic() > end:
                raise TimeoutError("it did not come to that")
            self.page.wait_for_timeout(10)

    def turn(self, seat: int) -> int:
        """The number of the decision that a seat has to make."""
        self.choices(seat)
        return int(self.mine[seat]["turn"])

    def choices(self, seat: int) -> list[Message]:
        self.until(lambda: self.over or bool(seat in self.mine and self.mine[seat]["choices"]))
        return [] if self.over else list(self.mine[seat]["choices"])

    # Doing

    def press(self, where: Locator) -> None:
        """Taps on a touch screen, clicks elsewhere: a mouse that stays over a card makes a small screen shift."""
        if self.page.evaluate("navigator.maxTouchPoints > 0"):
            where.tap()
        else:
            where.click()

    def play_at_once(self) -> str:
        """Two clicks: the page, and Play. The address of the table."""
        self.page.goto("/")
        self.button("Play My City").click()
        expect(self.board).to_be_visible()
        self.choices(0)
        return self.page.url

    def decide(self, seat: int, lay: Callable[["Person", list[str]], None]) -> None:
        """Builds somewhere if there is a place, else passes or stops."""
        choices = self.choices(seat)
        if self.over:
            return
        places = [choice["cells"] for choice in choices if choice["type"] == "place"]
        if places:
            lay(self, places[len(places) // 2])
        elif {"type": "pass"} in choices:
            self.button(re.compile("^Pass")).click()
        else:
            self.button("Stop").click()
            self.button("Yes, stop").click()

    def see_it_counted(self) -> None:
        """Skips the counting of the lines, and waits for what follows: the result, or rewards to be placed."""
        if not self.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"):
            counting = self.page.locator("section.counting")
            expect(counting).to_be_visible()
            self.until(lambda: counting.count() == 0 or self._has_skipped(counting))
        result = self.page.get_by_role("heading", name="Score sheets")
        reward = self.page.get_by_role("region", name="Your turn").or_(self.page.locator('form[data-thing="gear"]'))
        expect(result.or_(reward).first).to_be_visible()

    def _has_skipped(self, counting: Locator) -> bool:
        self.page.keyboard.press("Escape")
        return counting.count() == 0

    def play(self, seat: int, lay: Callable[["Person", list[str]], None], rounds: int = 99) -> None:
        for _ in range(rounds):
            self.choices(seat)  # whoever has just come may not have heard how many moves there are
            if self.over:
                return
            before = self.moves
            self.decide(seat, lay)
            self.until(lambda before=before: self.over or self.moves > before)  # type: ignore[misc]


@contextmanager
def down(house: House) -> Iterator[None]:
    """Kills the server, and starts it again afterwards, also for the tests that follow a failure."""
    house.kill()
    try:
        yield
    finally:
        house.start()


def until_it_lies(build: Locator, aim: Callable[[], object], ways: int = 8) -> bool:
    """Aims at a cell until the piece lies well there; whether it does. A tap becomes a click some time later, so each
    click is waited for: who looks earlier sees how the piece lay before, and turns it once too often."""
    for _ in range(ways):
        build.page.evaluate(LISTEN)
        aim()
        build.page.evaluate("() => window.clicked")
        if build.is_enabled():
            return True
    return False


def by_mouse(person: Person, cells: list[str]) -> None:
    """Clicks on a cell until the piece lies well, then builds."""
    until_it_lies(person.button("Build here"), lambda: person.cell(cells[0]).click(force=True))
    person.button("Build here").click()


def by_touch(person: Person, cells: list[str]) -> None:
    until_it_lies(person.button("Build here"), lambda: person.cell(cells[0]).tap(force=True))
    person.button("Build here").tap()


def by_keys(person: Person, cells: list[str]) -> None:
    """Arrow keys to a cell, R until it fits, Enter."""
    keys = person.page.keyboard
    walk_to(person.page, cells[0])
    keys.press("Space")
    for _ in range(4):
        if person.button("Build here").is_enabled():
            break
        keys.press("r")
    keys.press("Enter")


def tab_to(where: Locator) -> None:
    for _ in range(FAR):
        if where.evaluate("node => node === document.activeElement"):
            return
        where.page.keyboard.press("Tab")
    raise AssertionError(f"no Tab comes to {where}")


def walk_to(page: Page, cell: str) -> None:
    """Tab to the board, arrows to the cell."""
    here = page.locator('[role="grid"] [data-cell][tabindex="0"]').first
    tab_to(here)
    at = str(here.get_attribute("data-cell"))
    for key, back, steps in (
        ("ArrowRight", "ArrowLeft", ord(cell[0]) - ord(at[0])),
        ("ArrowDown", "ArrowUp", int(cell[1:]) - int(at[1:])),
    ):
        for _ in range(abs(steps)):
            page.keyboard.press(key if steps > 0 else back)


def by_dragging(person: Person, cells: list[str]) -> bool:
    """Drags the piece to a cell, and turns it if it does not lie well. Returns whether it came there by dragging."""
    for _ in range(5):
        if drag(person, cells[0]):
            person.button("Build here").click()
            return True
        person.button("Turn").click()
    by_mouse(person, cells)
    return False


def drag(person: Person, cell: str) -> bool:
    """Drops the piece of the hand on a cell. Returns whether it lies well there."""
    hand = person.page.locator("[data-piece]").first
    person.page.evaluate(REST)  # what is in motion is not where it was measured
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
    """Asserts that axe finds no violation once the page has come to rest, and that nothing is beside the screen."""
    person.page.evaluate(REST)
    _assert_no_violations(person)
    assert wider_than_the_screen(person) == 0


def assert_readable(person: Person) -> None:
    """Asserts the contrast of colours alone, on a page that was accessible and has only changed its colours."""
    person.page.evaluate(REST)
    _assert_no_violations(person, runOnly=["color-contrast"])


def _assert_no_violations(person: Person, **options: Any) -> None:
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE_SCRIPT)
    found = AxeResults(page.evaluate(CHECK, {"resultTypes": ["violations"], "preload": False, **options}))
    assert found.violations_count == 0, f"{page.url}\n{found.generate_report()}"


def assert_presentable(person: Person, name: str) -> None:
    """Asserts that the page is accessible by day and readable by night; takes a picture of both if they are wanted."""
    assert_accessible(person)
    take_picture(person, f"{name}-light")
    person.page.emulate_media(color_scheme="dark")
    assert_readable(person)
    take_picture(person, f"{name}-dark")
    person.page.emulate_media(color_scheme="light")


def take_picture(person: Person, name: str, whole: bool = False) -> None:
    """Writes a picture for people to look at to `out/screenshots/`, with POLYOPOLIS_PICTURES=1 in the environment."""
    if WANTS_PICTURES:
        PICTURES.mkdir(parents=True, exist_ok=True)
        person.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


def wider_than_the_screen(person: Person) -> int:
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(person.page.evaluate(overflow))
