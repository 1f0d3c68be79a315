"""People in front of a screen: they click, tap and press keys on what they see."""

import json
import re
from collections.abc import Callable
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import ConsoleMessage, Locator, Page, WebSocket, expect

from tests.server.house import House

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
PATIENCE = 20_000

Message = dict[str, Any]
WIRE = re.compile(
    "ERR_CONNECTION|ERR_EMPTY_RESPONSE|ERR_CONTENT_LENGTH_MISMATCH|ERR_INTERNET_DISCONNECTED|WebSocket connection"
)
"""What a browser says on its own when a server is gone, before an answer or in the middle of one."""
FINISH = """for (const motion of document.getAnimations())
    if (Number.isFinite(motion.effect?.getComputedTiming().endTime)) motion.finish()"""


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

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not WIRE.search(message.text):
            self.errors.append(message.text)

    def _socket(self, socket: WebSocket) -> None:
        socket.on("framereceived", self._frame)

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
            if self.over:
                return
            before = self.moves
            self.decide(seat, lay)
            self.until(lambda before=before: self.over or self.moves > before)  # type: ignore[misc]


def by_mouse(person: Person, cells: list[str]) -> None:
    """Clicks on a cell until the piece lies well, then builds."""
    for _ in range(8):
        person.cell(cells[0]).click(force=True)
        if person.button("Build here").is_enabled():
            break
    person.button("Build here").click()


def by_touch(person: Person, cells: list[str]) -> None:
    for _ in range(8):
        person.cell(cells[0]).tap(force=True)
        if person.button("Build here").is_enabled():
            break
    person.button("Build here").tap()


def by_keys(person: Person, cells: list[str]) -> None:
    """Arrow keys to a cell, R until it fits, Enter."""
    keys, page = page_keys(person), person.page
    for _ in range(60):
        if page.evaluate("document.activeElement?.getAttribute('role')") == "gridcell":
            break
        keys("Tab")
    at = str(page.evaluate("document.activeElement.dataset.cell"))
    for key, steps in (("ArrowRight", ord(cells[0][0]) - ord(at[0])), ("ArrowDown", int(cells[0][1:]) - int(at[1:]))):
        back = {"ArrowRight": "ArrowLeft", "ArrowDown": "ArrowUp"}[key]
        for _ in range(abs(steps)):
            keys(key if steps > 0 else back)
    keys("Space")
    for _ in range(4):
        if person.button("Build here").is_enabled():
            break
        keys("r")
    keys("Enter")


def page_keys(person: Person) -> Callable[[str], None]:
    return person.page.keyboard.press


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
    person.page.wait_for_timeout(300)
    person.page.evaluate(FINISH)
    found = Axe().run(person.page)
    assert found.violations_count == 0, found.generate_report()
    assert wider_than_the_screen(person) == 0


def wider_than_the_screen(person: Person) -> int:
    overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    return int(person.page.evaluate(overflow))
