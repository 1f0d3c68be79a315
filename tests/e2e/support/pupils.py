"""Page object: a person who plays a guided game, reads every step and plays to the end."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator

from tests.e2e.support.people import FINISH_ANIMATIONS, Person, focus_cell, tab_to, turn_until_it_fits

Press = Callable[[Locator], None]


def click(where: Locator) -> None:
    where.click()


def tap(where: Locator) -> None:
    where.tap()


def press_enter(where: Locator) -> None:
    """Moves the focus to the element by Tab, and presses Enter."""
    tab_to(where)
    where.page.keyboard.press("Enter")


MAX_COVERED = 0.02
"""Accepted share of the described element that the card of the guide covers."""
COVERED = """() => {
    const card = document.querySelector('section[aria-keyshortcuts="G"]')?.getBoundingClientRect();
    const ring = document.querySelector('[data-ring="pointed"]')?.getBoundingClientRect();
    if (!card || !ring) return 0;
    const width = Math.min(card.right, ring.right) - Math.max(card.left, ring.left);
    const height = Math.min(card.bottom, ring.bottom) - Math.max(card.top, ring.top);
    return Math.max(0, width) * Math.max(0, height) / (ring.width * ring.height);
}"""


class GuidedPlayer:
    """A person at a guided table. Elements are found by names that do not depend on the language."""

    def __init__(self, person: Person, press: Press) -> None:
        self.person = person
        self.page = person.page
        self.press = press
        self.steps: list[str] = []

    # Reading the page

    @property
    def card(self) -> Locator:
        return self.page.locator('section[aria-keyshortcuts="G"]')

    @property
    def next(self) -> Locator:
        return self.card.locator(".next")

    @property
    def stored(self) -> dict[str, Any]:
        """The stored state of the guide at this table."""
        memory = json.loads(str(self.page.evaluate("localStorage.getItem('polyopolis.guides')")))
        stored: dict[str, Any] = memory["tables"][self.page.url.rsplit("/", 1)[1]]
        return stored

    @property
    def step(self) -> str:
        progress = self.stored["progress"]
        return f"{progress['part']}/{progress['step']}"

    @property
    def done(self) -> set[str]:
        return set(self.stored["progress"]["done"])

    def thing(self, name: str) -> Locator:
        return self.page.locator(f'[data-thing="{name}"]:visible').first

    # Acting

    def play(self, on_step: Callable[[str], None] = lambda _: None) -> None:
        """Reads every step and makes every decision until the end; calls `on_step` at each new step."""
        for _ in range(400):
            if self.person.over:
                break
            self.read(on_step)
            if self.person.over:
                break
            self.decide()
        assert self.person.over
        self.person.wait_until(lambda: self.stored["progress"]["part"] == "end")
        self._check_step(on_step)

    def read(self, on_step: Callable[[str], None] = lambda _: None) -> None:
        for _ in range(12):
            self.page.evaluate(FINISH_ANIMATIONS)
            self._check_step(on_step)
            if not self.next.is_visible():
                return
            before = self.step
            if self.press is press_enter:
                self.page.keyboard.press("g")  # moves the focus to the card
            self.press(self.next)
            self.person.wait_until(lambda before=before: self.step != before)  # type: ignore[misc]

    def _check_step(self, on_step: Callable[[str], None]) -> None:
        """Asserts that a new step has a translated text, and that the card does not cover the element it describes."""
        if self.stored["progress"]["part"] is None or self.step in self.steps:
            return
        self.steps.append(self.step)
        text = self.card.locator(".said").inner_text()
        assert len(text) > 20, text
        assert "guide." not in text, text
        assert "{" not in text, text
        self.person.wait_until(lambda: float(self.page.evaluate(COVERED)) < MAX_COVERED)
        on_step(self.step)

    def decide(self) -> None:
        """Makes a legal decision."""
        choices, before = self.person.choices(0), self.person.moves
        if choices:
            self._make(choices)
            self.person.wait_until(lambda: self.person.over or self.person.moves > before)

    def _make(self, choices: list[dict[str, Any]]) -> None:
        by_type: dict[str, dict[str, Any]] = {}
        for choice in choices:
            by_type.setdefault(choice["type"], choice)
        places = [choice for choice in choices if choice["type"] == "place"]
        if places:
            self._build(places[len(places) // 2]["cells"][0])
        else:
            next(act for kind, act in self._actions().items() if kind in by_type)(by_type)

    def _actions(self) -> dict[str, Callable[[dict[str, dict[str, Any]]], None]]:
        return {
            "pass": lambda _: self.press(self.thing("pass")),
            "sticker": lambda choices: self._build(choices["sticker"]["cell"]),
            "stop": lambda _: self._stop(),
            "line-as-drawn": lambda _: self.press(self.thing("as-drawn")),
            "pay": lambda _: self.press(self.page.locator('[data-thing^="way:"]').first),
            "token": lambda _: self._pick(),
            "take": lambda choices: self._take(choices["take"]["cells"]),
            "draw": lambda _: self.press(self.thing("draw")),
            "skip": lambda _: self.press(self.thing("skip")),
        }

    def _build(self, cell: str) -> None:
        """Places the piece on a cell, turns it until it fits, and builds."""
        build = self.thing("build")
        if self.press is press_enter:
            focus_cell(self.page, cell)
            for key in ("Space", *"rrrmrrr"):
                self.page.keyboard.press(key)
                if build.is_enabled():
                    self.page.keyboard.press("Enter")
                    return
        else:
            where = self.page.locator(f'[data-cell="{cell}"]')
            if turn_until_it_fits(
                build, lambda: where.tap(force=True) if self.press is tap else where.click(force=True)
            ):
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
            if self.press is press_enter:
                focus_cell(self.page, cell)
                self.page.keyboard.press("Enter")
            else:
                self.press(self.page.locator(f'[data-cell="{cell}"]'))
        self.press(self.thing("take"))
