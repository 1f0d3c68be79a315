"""People who learn a game from its guide: they read, do something like what it says, and play to the end."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator

from tests.e2e.support.people import REST, Person, tab_to, until_it_lies, walk_to

Press = Callable[[Locator], None]


def click(where: Locator) -> None:
    where.click()


def tap(where: Locator) -> None:
    where.tap()


def enter(where: Locator) -> None:
    """By keys alone: Tab until it is there, then Enter."""
    tab_to(where)
    where.page.keyboard.press("Enter")


MUCH = 0.02
"""So much of what it speaks of may be below the card."""
COVERED = """() => {
    const card = document.querySelector('section[aria-keyshortcuts="G"]')?.getBoundingClientRect();
    const ring = document.querySelector('[data-ring="pointed"]')?.getBoundingClientRect();
    if (!card || !ring) return 0;
    const width = Math.min(card.right, ring.right) - Math.max(card.left, ring.left);
    const height = Math.min(card.bottom, ring.bottom) - Math.max(card.top, ring.top);
    return Math.max(0, width) * Math.max(0, height) / (ring.width * ring.height);
}"""


class Pupil:
    """Somebody at a guided table. Things are found by their names, which are the same in every language."""

    def __init__(self, person: Person, press: Press) -> None:
        self.person = person
        self.page = person.page
        self.press = press
        self.steps: list[str] = []

    # Looking

    @property
    def card(self) -> Locator:
        return self.page.locator('section[aria-keyshortcuts="G"]')

    @property
    def next(self) -> Locator:
        return self.card.locator(".next")

    @property
    def kept(self) -> dict[str, Any]:
        """What the browser remembers of the guide at this table."""
        memory = json.loads(str(self.page.evaluate("localStorage.getItem('polyopolis.guides')")))
        kept: dict[str, Any] = memory["tables"][self.page.url.rsplit("/", 1)[1]]
        return kept

    @property
    def step(self) -> str:
        progress = self.kept["progress"]
        return f"{progress['part']}/{progress['step']}"

    @property
    def done(self) -> set[str]:
        return set(self.kept["progress"]["done"])

    def thing(self, name: str) -> Locator:
        return self.page.locator(f'[data-thing="{name}"]:visible').first

    # Doing

    def play(self, looked: Callable[[str], None] = lambda _: None) -> None:
        """Reads every step and decides whatever is due, to the end."""
        for _ in range(400):
            if self.person.over:
                break
            self.read(looked)
            if self.person.over:
                break
            self.decide()
        assert self.person.over
        self.person.until(lambda: self.kept["progress"]["part"] == "end")
        self._look(looked)

    def read(self, looked: Callable[[str], None] = lambda _: None) -> None:
        for _ in range(12):
            self.page.evaluate(REST)
            self._look(looked)
            if not self.next.is_visible():
                return
            before = self.step
            if self.press is enter:
                self.page.keyboard.press("g")  # the way to the card from anywhere
            self.press(self.next)
            self.person.until(lambda before=before: self.step != before)  # type: ignore[misc]

    def _look(self, looked: Callable[[str], None]) -> None:
        """A new step says something, in words, beside what it speaks of."""
        if self.kept["progress"]["part"] is None or self.step in self.steps:
            return
        self.steps.append(self.step)
        text = self.card.locator(".said").inner_text()
        assert len(text) > 20, text
        assert "guide." not in text, text
        assert "{" not in text, text
        self.person.until(lambda: float(self.page.evaluate(COVERED)) < MUCH)
        looked(self.step)

    def decide(self) -> None:
        """Something that may be done here."""
        choices, before = self.person.choices(0), self.person.moves
        if choices:
            self._do(choices)
            self.person.until(lambda: self.person.over or self.person.moves > before)

    def _do(self, choices: list[dict[str, Any]]) -> None:
        by_type: dict[str, dict[str, Any]] = {}
        for choice in choices:
            by_type.setdefault(choice["type"], choice)
        places = [choice for choice in choices if choice["type"] == "place"]
        if places:
            self._lay(places[len(places) // 2]["cells"][0])
        else:
            next(do for kind, do in self._ways().items() if kind in by_type)(by_type)

    def _ways(self) -> dict[str, Callable[[dict[str, dict[str, Any]]], None]]:
        return {
            "pass": lambda _: self.press(self.thing("pass")),
            "sticker": lambda found: self._lay(found["sticker"]["cell"]),
            "stop": lambda _: self._stop(),
            "line-as-drawn": lambda _: self.press(self.thing("as-drawn")),
            "pay": lambda _: self.press(self.page.locator('[data-thing^="way:"]').first),
            "token": lambda _: self._pick(),
            "take": lambda found: self._take(found["take"]["cells"]),
            "draw": lambda _: self.press(self.thing("draw")),
            "skip": lambda _: self.press(self.thing("skip")),
        }

    def _lay(self, cell: str) -> None:
        """The piece onto a cell, until it lies well there."""
        build = self.thing("build")
        if self.press is enter:
            walk_to(self.page, cell)
            for key in ("Space", *"rrrmrrr"):
                self.page.keyboard.press(key)
                if build.is_enabled():
                    self.page.keyboard.press("Enter")
                    return
        else:
            where = self.page.locator(f'[data-cell="{cell}"]')
            if until_it_lies(build, lambda: where.tap(force=True) if self.press is tap else where.click(force=True)):
                self.press(build)

    def _stop(self) -> None:
        self.press(self.thing("stop"))
        self.press(self.page.locator(".asking .primary"))

    def _pick(self) -> None:
        hand = self.page.locator(".hand")
        self.press(hand.locator("li button").first)
        self.press(hand.locator(".primary"))

    def _take(self, cells: list[str]) -> None:
        for cell in cells:
            if self.press is enter:
                walk_to(self.page, cell)
                self.page.keyboard.press("Enter")
            else:
                self.press(self.page.locator(f'[data-cell="{cell}"]'))
        self.press(self.thing("take"))
