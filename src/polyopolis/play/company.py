"""Who is at a table now: open pages, who is here, and for how long somebody has been away."""

from collections.abc import Callable

from polyopolis.play.needs import Clock, Guest

Seats = tuple[int, ...]


class Company:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._guests: dict[Guest, None] = {}
        self._begun = clock.now()
        self._left: dict[str, int] = {}

    def arrive(self, guest: Guest) -> None:
        self._guests[guest] = None

    def depart(self, guest: Guest) -> None:
        self._guests.pop(guest, None)
        if guest.person and not self.has(guest.person):
            self._left[guest.person] = self._clock.now()

    def expect(self, person: str) -> None:
        """Somebody has just sat down: an absence begins now at the earliest."""
        self._left[person] = self._clock.now()

    @property
    def people(self) -> tuple[str | None, ...]:
        """Who is here, once for each open page; None for those whom nobody knows."""
        return tuple(guest.person for guest in self._guests)

    def has(self, person: str) -> bool:
        return any(guest.person == person for guest in self._guests)

    def absence(self, person: str) -> float:
        """The seconds since somebody was last here, or since the table was opened."""
        if self.has(person):
            return 0.0
        return (self._clock.now() - self._left.get(person, self._begun)) / 1000

    def tell(
        self, held_by: Callable[[str | None], Seats], message: Callable[[Seats], bytes], but: Guest | None
    ) -> None:
        """To each guest what whoever holds these seats may know. It is written once for all who hold the same."""
        written: dict[Seats, bytes] = {}
        for guest in self._guests:
            if guest is but:
                continue
            seats = held_by(guest.person)
            if seats not in written:
                written[seats] = message(seats)
            guest.tell(written[seats])
