"""Who is at a table now: open pages, who is here, and for how long somebody has been away."""

from collections import Counter
from collections.abc import Callable, Iterable

from polyopolis.play.protocols import Clock, Subscriber, TableAttendance, TimerHandle

Seats = tuple[int, ...]


class Attendance:
    """Nothing here takes longer because many look on, but to tell all of them something."""

    def __init__(self, clock: Clock, seated: Iterable[str]) -> None:
        self._clock = clock
        self._guests: dict[Subscriber, None] = {}
        self._pages: Counter[str] = Counter()
        """How many pages somebody has open."""
        self._hidden: set[Subscriber] = set()
        """Those whose page is open and not before their eyes."""
        self._unknown = 0
        """Pages of people whom nobody knows."""
        self._elsewhere = TableAttendance()
        self._left = dict.fromkeys(seated, clock.running())
        """When somebody who has had a seat was last here, or sat down, or the table was opened."""

    def arrive(self, guest: Subscriber) -> None:
        self._guests[guest] = None
        if guest.person:
            self._pages[guest.person] += 1
        else:
            self._unknown += 1

    def depart(self, guest: Subscriber) -> None:
        if guest not in self._guests:
            return
        del self._guests[guest]
        self._hidden.discard(guest)
        if guest.person:
            self._close_page(guest.person)
        else:
            self._unknown -= 1

    def _close_page(self, person: str) -> None:
        self._pages[person] -= 1
        if not self._pages[person]:
            del self._pages[person]
            self._went(person)

    def _went(self, person: str) -> None:
        if person in self._left and not self.has(person):
            self._left[person] = self._clock.running()

    def set_elsewhere(self, elsewhere: TableAttendance) -> None:
        """These are at other nodes."""
        before, self._elsewhere = self._elsewhere, elsewhere
        for person in before.people - elsewhere.people:
            self._went(person)

    @property
    def at_this_node(self) -> TableAttendance:
        """Who is at this node."""
        return TableAttendance(frozenset(self._pages), self._unknown, frozenset(self._watching))

    def look(self, guest: Subscriber, here: bool) -> None:
        """Somebody turns to the page, or away from it."""
        if here:
            self._hidden.discard(guest)
        elif guest in self._guests:
            self._hidden.add(guest)

    @property
    def _watching(self) -> set[str]:
        return {guest.person for guest in self._guests if guest.person and guest not in self._hidden}

    def watches(self, person: str) -> bool:
        """Whether the table is open before somebody's eyes, at this node: what is known of others may be old."""
        return person in self._watching

    def expect(self, person: str) -> None:
        """Somebody has just sat down: an absence begins now at the earliest."""
        self._left[person] = self._clock.running()

    @property
    def people(self) -> tuple[str, ...]:
        """Who is here, of those who are known."""
        return *self._pages, *(self._elsewhere.people - self._pages.keys())

    @property
    def empty(self) -> bool:
        return not self._guests and self._elsewhere == TableAttendance()

    def has(self, person: str) -> bool:
        return person in self._pages or person in self._elsewhere.people

    def onlookers(self, seated: Iterable[str]) -> int:
        """How many are here beside these. Whom nobody knows is one more with every page."""
        return len(self.people) + self._unknown + self._elsewhere.unknown - sum(map(self.has, set(seated)))

    def absence(self, person: str) -> float:
        """The seconds since somebody who has a seat was last here, or since the table was opened."""
        return 0.0 if self.has(person) else self._clock.running() - self._left[person]

    def send_each(self, message: Callable[[str | None], bytes | None]) -> None:
        """To each guest what this person is to hear; None: nothing."""
        for guest in self._guests:
            if found := message(guest.person):
                guest.tell(found)

    def broadcast(
        self, held_by: Callable[[str | None], Seats], message: Callable[[Seats], bytes | None], but: Subscriber | None
    ) -> bool:
        """To each guest what whoever holds these seats may know; whether there was one. It is written once for all who
        hold the same; None: they are told nothing."""
        written: dict[Seats, bytes | None] = {}
        for guest in self._guests:
            if guest is but:
                continue
            seats = held_by(guest.person)
            if seats not in written:
                written[seats] = message(seats)
            if found := written[seats]:
                guest.tell(found)
        return bool(written)


UPDATE_INTERVAL_SECONDS = 1.0
"""Seconds between two times that are told."""

Tell = Callable[[Subscriber | None], bool]
"""Says how it stands to all but one; whether anybody was there to hear it."""


class AttendanceUpdates:
    """Only an alarm holds those whom it serves: a table that nobody needs can go."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._told: float | None = None
        self._gathering: TimerHandle | None = None
        self._expected: TimerHandle | None = None

    def changed(self, tell: Tell, but: Subscriber | None = None) -> None:
        """Somebody has left, or has come and knows how it stands."""
        if self._gathering:
            return
        wait = 0.0 if self._told is None else self._told + UPDATE_INTERVAL_SECONDS - self._clock.running()
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

    def _tell(self, tell: Tell, but: Subscriber | None) -> None:
        if tell(but):
            self._told = self._clock.running()
