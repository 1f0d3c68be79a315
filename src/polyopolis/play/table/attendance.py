"""Open pages of a table, who is present or absent, and debounced updates about it."""

from collections import Counter
from collections.abc import Callable, Iterable

from polyopolis.play.protocols import Clock, Subscriber, TableAttendance, TimerHandle

Seats = tuple[int, ...]


class Attendance:
    """The open pages of a table at this node, and the people present at others."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._guests: dict[Subscriber, None] = {}
        self._pages: Counter[str] = Counter()
        """Number of open pages, by person."""
        self._hidden: set[Subscriber] = set()
        """Pages in the background."""
        self._unknown = 0
        """Number of pages of unidentified guests."""
        self._elsewhere = TableAttendance()
        self._left = dict[str, float]()
        """When a player was last present, or took a seat, or the table was opened: the latest of them."""

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
            self._note_departure(person)

    def _note_departure(self, person: str) -> None:
        if person in self._left and not self.has(person):
            self._left[person] = self._clock.running()

    def set_elsewhere(self, elsewhere: TableAttendance) -> None:
        before, self._elsewhere = self._elsewhere, elsewhere
        for person in before.people - elsewhere.people:
            self._note_departure(person)

    @property
    def at_this_node(self) -> TableAttendance:
        return TableAttendance(frozenset(self._pages), self._unknown, frozenset(self._watching))

    def look(self, guest: Subscriber, here: bool) -> None:
        """Records whether a page is in the foreground."""
        if here:
            self._hidden.discard(guest)
        elif guest in self._guests:
            self._hidden.add(guest)

    @property
    def _watching(self) -> set[str]:
        return {guest.person for guest in self._guests if guest.person and guest not in self._hidden}

    def watches(self, person: str) -> bool:
        """Whether a person has a page in the foreground at this node. Information from other nodes may be old."""
        return person in self._watching

    def expect(self, person: str) -> None:
        """Records that a person has just taken a seat."""
        self._left[person] = self._clock.running()

    @property
    def people(self) -> tuple[str, ...]:
        """The identified people who are present."""
        return *self._pages, *(self._elsewhere.people - self._pages.keys())

    @property
    def empty(self) -> bool:
        return not self._guests and self._elsewhere == TableAttendance()

    def has(self, person: str) -> bool:
        return person in self._pages or person in self._elsewhere.people

    def onlookers(self, seated: Iterable[str]) -> int:
        """Number of spectators beside these players. Each page of an unidentified guest counts."""
        return len(self.people) + self._unknown + self._elsewhere.unknown - sum(map(self.has, set(seated)))

    def absence(self, person: str) -> float:
        """Seconds since a player was last present, or since the table was opened."""
        return 0.0 if self.has(person) else self._clock.running() - self._left[person]

    def send_each(self, message: Callable[[str | None], bytes | None]) -> None:
        """Sends each guest the message for their person, if there is one."""
        for guest in self._guests:
            if found := message(guest.person):
                guest.tell(found)

    def broadcast(
        self, held_by: Callable[[str | None], Seats], message: Callable[[Seats], bytes | None], but: Subscriber | None
    ) -> bool:
        """Sends each guest the message for the seats they hold, if there is one. Returns whether there was a guest.

        A message is built once for all guests with the same seats.
        """
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
"""Shortest time between two updates."""

SendUpdate = Callable[[Subscriber | None], bool]
"""Sends the current state to all guests but one. Returns whether there was a guest."""


class AttendanceUpdates:
    """Sends the first update at once, later ones at most once per `UPDATE_INTERVAL_SECONDS`.

    Only timers hold references to the table, so an unused table is garbage collected.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._last_sent: float | None = None
        self._pending: TimerHandle | None = None
        self._expected: TimerHandle | None = None

    def changed(self, send: SendUpdate, but: Subscriber | None = None) -> None:
        """Sends an update. `but` is a guest who has just been sent the current state."""
        if self._pending:
            return
        wait = 0.0 if self._last_sent is None else self._last_sent + UPDATE_INTERVAL_SECONDS - self._clock.running()
        if wait > 0:
            self._pending = self._clock.later(wait, lambda: self._send_pending(send))
        else:
            self._send(send, but)

    def expect(self, seconds: float | None, send: SendUpdate) -> None:
        """Schedules an update for a change that happens by itself. Replaces the one that was scheduled before."""
        if self._expected:
            self._expected.cancel()
        self._expected = None if seconds is None else self._clock.later(seconds, lambda: self._is_due(send))

    def _is_due(self, send: SendUpdate) -> None:
        self._expected = None
        self.changed(send)

    def _send_pending(self, send: SendUpdate) -> None:
        self._pending = None
        self._send(send, None)

    def _send(self, send: SendUpdate, but: Subscriber | None) -> None:
        if send(but):
            self._last_sent = self._clock.running()
