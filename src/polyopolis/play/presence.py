"""Comings and goings are told calmly: the first at once, those of the next second together.

However many come and go, whoever is here is told once a second at most, and at last how it stands.
"""

from collections.abc import Callable

from polyopolis.play.needs import Alarm, Clock, Guest

CALM = 1.0
"""Seconds between two times that are told."""

Tell = Callable[[Guest | None], bool]
"""Says how it stands to all but one; whether anybody was there to hear it."""


class Presence:
    """Only an alarm holds those whom it serves: a table that nobody needs can go."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: float | None = None
        self._gathering: Alarm | None = None
        self._expected: Alarm | None = None

    def changed(self, tell: Tell, but: Guest | None = None) -> None:
        """Somebody has left, or has come and knows how it stands."""
        if self._gathering:
            return
        wait = 0.0 if self._told is None else self._told + CALM - self._clock.running()
        if wait > 0:
            self._gathering = self._clock.later(wait, lambda: self._tell_gathered(tell))
        else:
            self._tell(tell, but)

    def expect(self, seconds: float | None, tell: Tell) -> None:
        """After so many seconds something will be otherwise though nobody comes or leaves; None: nothing will."""
        if self._expected:
            self._expected.cancel()
        self._expected = None if seconds is None else self._clock.later(seconds, lambda: self._has_come(tell))

    def _has_come(self, tell: Tell) -> None:
        self._expected = None
        self.changed(tell)

    def _tell_gathered(self, tell: Tell) -> None:
        self._gathering = None
        self._tell(tell, None)

    def _tell(self, tell: Tell, but: Guest | None) -> None:
        if tell(but):
            self._told = self._clock.running()
