"""People in front of a screen: they click, tap and press keys on what they see."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Frame, Locator, Page, WebSocket, expect

from tests.server.house import House

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SMALL: dict[str, Any] = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
PATIENCE = 20_000
FAR = 80
"""No way by Tab is so long."""
PICTURES = Path(__file__).parent.parent.parent / "out" / "screenshots"

Message = dict[str, Any]
WIRE = re.compile(
    "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_INTERNET_DISCONNECTED|WebSocket connection"
)
"""What a browser says on its own when a server is gone, before an answer or in the middle of one."""
FINISH = """for (const motion of document.getAnimations())
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.finish()"""
LISTEN = """() => {
  window.clicked = new Promise((done) => {
    addEventListener('click', () => setTimeout(done), { once: true, capture: true });
    setTimeout(done, 2000);
  });
}"""
"""Kept is a promise of the next click and of all that is drawn for it; it does not wait for ever."""
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

CUT_OFF = """() => [...document.querySelectorAll('button, .button, label, legend, fieldset > div, h2')]
  .filter((shown) => shown.checkVisibility() && shown.clientWidth > 1 && shown.scrollWidth > shown.clientWidth + 1)
  .filter((shown) => getComputedStyle(shown).textOverflow !== 'ellipsis')
  .map((shown) => shown.innerText)"""
"""The texts of things to press that are longer than these."""


class Person:
    """A page, and what its socket has heard: which choices there are is known, making them is up to hands."""

    def __init__(self, page: Page, house: House) -> None:
        self.page = page
        self.house = house
        self.errors: list[str] = []
        self.mine: dict[int, Message] = {}
        self.scene: Message = {}
        page.set_default_timeout(PATIENCE)
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("websocket", self._socket)
        page.on("framenavigated", self._gone_to)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not WIRE.search(message.text):
            self.errors.append(message.text)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

    def _gone_to(self, frame: Frame) -> None:
        """What was heard at a table that was left is old."""
        if "/t/" not in frame.url:
            self.mine, self.scene = {}, {}

    def _frame(self, frame: str | bytes) -> None:
        message: Message = json.loads(frame)
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
        view: Message = self.scene["view"]["table"]
        return view

    def until(self, holds: Callable[[], bool]) -> None:
        """Waits while the page goes on."""
        for _ in range(PATIENCE // 20):
            if holds():
                return
            self.page.wait_for_timeout(20)
        raise TimeoutError("it did not come to that")

    def choices(self, seat: int) -> list[Message]:
        self.until(lambda: self.over or bool(seat in self.mine and self.mine[seat]["choices"]))
        return [] if self.over else list(self.mine[seat]["choices"])

    # Doing

    def play_at_once(self) -> str:
        """Two clicks: the page, and Play. The address of the table."""
        self.page.goto("/")
        self.button("Play My City").click()
        expect(self.board).to_be_visible()
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
        """The lines are counted up before the eyes of whoever sees an end; nobody has to watch all of it, and where
        nothing moves there is nothing to watch."""
        if self.page.evaluate("matchMedia('(prefers-reduced-motion: reduce)').matches"):
            return
        counting = self.page.locator("section.counting")
        expect(counting).to_be_visible()
        self.until(lambda: counting.count() == 0 or self._has_skipped(counting))

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


def by_dragging(person: Person, cells: list[str]) -> None:
    """Takes the piece from the hand, carries it over the board and lets it go; turns it if it does not lie well."""
    for _ in range(5):
        hand = person.page.locator("[data-piece]").first.bounding_box()
        target = person.cell(cells[0]).bounding_box()
        assert hand
        assert target
        mouse = person.page.mouse
        mouse.move(hand["x"] + hand["width"] / 2, hand["y"] + hand["height"] / 2)
        mouse.down()
        mouse.move(target["x"] + target["width"] / 2, target["y"] + target["height"] / 2, steps=5)
        mouse.up()
        if person.button("Build here").is_enabled():
            person.button("Build here").click()
            return
        person.button("Turn").click()
    by_mouse(person, cells)


def assert_accessible(person: Person) -> None:
    """Nothing is wrong with the page once it has come to rest, and nothing of it is beside the screen."""
    person.page.evaluate(REST)
    found = Axe().run(person.page)
    assert found.violations_count == 0, f"{person.page.url}\n{found.generate_report()}"
    assert wider_than_the_screen(person) == 0


def assert_readable(person: Person) -> None:
    """What is left to ask of a page that was accessible and has only changed its colours."""
    person.page.evaluate(REST)
    found = Axe().run(person.page, options={"resultTypes": ["violations"], "runOnly": ["color-contrast"]})
    assert found.violations_count == 0, f"{person.page.url}\n{found.generate_report()}"


def take_pictures(person: Person, name: str) -> None:
    """By day and by night: accessible, readable, and a picture of both."""
    assert_accessible(person)
    take_picture(person, f"{name}-light")
    person.page.emulate_media(color_scheme="dark")
    assert_readable(person)
    take_picture(person, f"{name}-dark")
    person.page.emulate_media(color_scheme="light")


def take_picture(person: Person, name: str, whole: bool = False) -> None:
    """For people to look at, in `out/screenshots/`."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    person.page.screenshot(path=PICTURES / f"{name}.png", full_page=whole)


def wider_than_the_screen(person: Person) -> int:
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(person.page.evaluate(overflow))
