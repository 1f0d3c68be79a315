"""Computes the remaining time and the deadlines of a match from its log.

The clock of a seat runs while the seat is due and has not decided. It stands during the rest hours of the player,
while no person decides there, and during outages. Used time stays used: a takeback returns none, and removes the
increment that the decision had earned; its fresh time goes on where it was. A clock does not fall below zero.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polyopolis.engine import PolyopolisError, Tagged
from polyopolis.play.entities import LogEntry, Outage, SeatEntity, as_json
from polyopolis.play.timing.pace import DAY, Correspondence, Pace, Terms, terms
from polyopolis.play.timing.rest_hours import NO_REST, Rest, Span, Why, have_same_pauses, pauses

Instants = tuple[int, ...]
"""When a seat started to think, stopped, started again. It is thinking if their number is odd."""
FAR_FUTURE_MS = 2_000 * DAY
"""Longest time for which deadlines are computed, rests included."""
NEVER_MS = 2**62
MAX_NOTES = 200
"""Notes of each kind for one seat of a match."""


class RestHoursChanged(Tagged, frozen=True, tag="rested"):
    """The rest of the player in a seat has changed."""

    time: int
    seat: int
    rest: Rest


class SeatManned(Tagged, frozen=True, tag="manned"):
    """A person now decides in a seat, or none does: a bot plays, or the seat is open."""

    time: int
    seat: int
    by_person: bool


class ExtraTime(Tagged, frozen=True, tag="given"):
    """The time of a seat was up, and it got more."""

    time: int
    seat: int


Note = RestHoursChanged | SeatManned | ExtraTime


class Timing(Struct, frozen=True, omit_defaults=True):
    """The pace of a match since a time, and the events that affected its clocks apart from moves."""

    pace: Pace
    since: int
    notes: tuple[Note, ...] = ()
    told: dict[int, int] = {}
    """By seat, the time at which the last request of its player is notified."""


def read_timing(kept: str | None) -> Timing | None:
    return msgspec.json.decode(kept, type=Timing) if kept else None


def is_manned(row: SeatEntity) -> bool:
    """Whether a person decides in a seat."""
    return row.person is not None and row.bot is None


def start_timing(pace: Pace, now: int, seats: Iterable[SeatEntity]) -> Timing | None:
    """The timing with all clocks at their start; None for a pace without clocks."""
    if terms(pace) is None:
        return None
    notes = [note for row in seats for note in notes_of_change(now, SeatEntity(row.seat, "", "", None), row)]
    return Timing(pace, now, tuple(notes))


def timing_after_reseating(timing: Timing, now: int, before: SeatEntity, after: SeatEntity) -> Timing:
    """Returns the timing after the change of a seat.

    Raises `PolyopolisError` if a player changes hours too often in one match. Every other change is possible.
    """
    found = timing_with_notes(timing, *notes_of_change(now, before, after))
    count = _count(found, after.seat, RestHoursChanged)
    if after.person and count > MAX_NOTES and count > _count(timing, after.seat, RestHoursChanged):
        raise PolyopolisError(f"the pauses: they were changed {MAX_NOTES} times in this match and cannot change again")
    return found


def timing_with_extra_time(timing: Timing, now: int, seat: int) -> Timing:
    """Returns the timing after a seat has got more time, which is possible `MAX_NOTES` times in a match."""
    return timing_with_notes(timing, ExtraTime(now, seat)) if _count(timing, seat, ExtraTime) < MAX_NOTES else timing


def timing_with_notes(timing: Timing, *notes: Note) -> Timing:
    """Returns the timing with notes that come after those it has.

    Pauses replace the last ones of the seat if both agree about the time between. If a seat has more than `MAX_NOTES`
    notes about who decides there, the shortest absence is forgotten: the player is taken to have been there.
    """
    found = timing.notes
    for note in notes:
        found = _rested(found, note) if isinstance(note, RestHoursChanged) else (*found, note)
        if isinstance(note, SeatManned) and note.by_person:
            found = _without_shortest_absence(found, note.seat)
    return replace(timing, notes=found)


def _rested(notes: tuple[Note, ...], new: RestHoursChanged) -> tuple[Note, ...]:
    for index in reversed(range(len(notes))):
        last = notes[index]
        if isinstance(last, RestHoursChanged) and last.seat == new.seat:
            if have_same_pauses(last.rest, new.rest, last.time, new.time):
                return (*notes[:index], replace(last, rest=new.rest), *notes[index + 1 :])
            break
    return (*notes, new)


def _without_shortest_absence(notes: tuple[Note, ...], seat: int) -> tuple[Note, ...]:
    own = [note for note in notes if isinstance(note, SeatManned) and note.seat == seat]
    if len(own) <= MAX_NOTES:
        return notes
    absences = [(left, back) for left, back in pairwise(own) if back.by_person and not left.by_person]
    shortest = min(absences, key=lambda absence: absence[1].time - absence[0].time)
    return tuple(note for note in notes if not any(note is end for end in shortest))


def _count(timing: Timing, seat: int, kind: type[Note]) -> int:
    return sum(isinstance(note, kind) and note.seat == seat for note in timing.notes)


def notes_of_change(now: int, before: SeatEntity, after: SeatEntity) -> Iterator[Note]:
    """The notes for the clocks that follow from a change of a seat."""
    if is_manned(before) != is_manned(after):
        yield SeatManned(now, after.seat, is_manned(after))
    if before.rest != after.rest:
        yield RestHoursChanged(now, after.seat, rest_of(after))


def rest_of(row: SeatEntity) -> Rest:
    return read_rest(row.rest) if row.rest else NO_REST


def encode_rest(rest: Rest) -> str | None:
    return as_json(rest) if rest != NO_REST else None


def read_rest(kept: str) -> Rest:
    return msgspec.json.decode(kept, type=Rest)


# Running time


class RunningTime:
    """Determines when the clock of a seat runs."""

    def __init__(self, timing: Timing, outages: Sequence[Outage]) -> None:
        self._timing = timing
        self._outages = outages
        self._rests = isinstance(timing.pace, Correspondence)

    def free(self, seat: int, begin: int, end: int) -> list[Span]:
        """The spans between two times in which the clock of a seat runs if the seat is due."""
        found, at = [], max(begin, self._timing.since)
        for first, last in sorted(self._stopped(seat, at, end)):
            if first > at:
                found.append((at, first))
            at = max(at, last)
        return [*found, (at, end)] if at < end else found

    def length(self, seat: int, begin: int, end: int) -> int:
        return sum(last - first for first, last in self.free(seat, begin, end))

    def after(self, seat: int, begin: int, length: int) -> int | None:
        """The time at which the clock of a seat has run for `length` since `begin`; None if it stops for good before.

        Without any length, this is the first time at which a person decides there: rests and outages do not delay it.
        """
        if not length:
            return self._first_manned(seat, begin)
        reach = length + DAY
        while reach <= FAR_FUTURE_MS:
            left = length
            for first, last in self.free(seat, begin, begin + reach):
                if last - first >= left:
                    return first + left
                left -= last - first
            reach *= 2
        return None

    def why(self, seat: int, now: int) -> Why | None:
        """Why the clock of a seat rests at a time."""
        found = [why for (first, last), why in self._resting(seat, now, now + 1) if first <= now < last]
        return found[0] if found else None

    def manned(self, seat: int, now: int) -> bool:
        return not any(first <= now < last for first, last in self._unmanned(seat, now, now + 1))

    def _first_manned(self, seat: int, begin: int) -> int | None:
        for first, last in self._unmanned(seat, begin, NEVER_MS):
            if first <= begin:
                begin = last
        return begin if begin < NEVER_MS else None

    def _stopped(self, seat: int, begin: int, end: int) -> Iterator[Span]:
        for outage in self._outages:
            yield from _part(outage.began, outage.ended, begin, end)
        yield from self._unmanned(seat, begin, end)
        for span, _ in self._resting(seat, begin, end):
            yield span

    def _unmanned(self, seat: int, begin: int, end: int) -> Iterator[Span]:
        since: int | None = None
        for note in self._timing.notes:
            if isinstance(note, SeatManned) and note.seat == seat:
                if note.by_person and since is not None:
                    yield from _part(since, note.time, begin, end)
                    since = None
                elif not note.by_person and since is None:
                    since = note.time
        if since is not None:
            yield from _part(since, end, begin, end)

    def _resting(self, seat: int, begin: int, end: int) -> Iterator[tuple[Span, Why]]:
        if not self._rests:
            return
        asked = [note for note in self._timing.notes if isinstance(note, RestHoursChanged) and note.seat == seat]
        for note, until in zip(asked, [*(later.time for later in asked[1:]), end], strict=False):
            first, last = max(begin, note.time), min(end, until)
            if first < last:
                yield from pauses(note.rest, first, last)


def _part(first: int, last: int, begin: int, end: int) -> Iterator[Span]:
    if first < end and last > begin:
        yield max(first, begin), min(last, end)


# Remaining time


@dataclass
class TimeBank:
    """The time of one seat, in milliseconds."""

    fresh: int
    """For this decision."""
    bank: int
    used: int = 0
    since: int | None = None
    """It has been thinking since then; later time is not counted yet."""
    gifts: list[int] = field(default_factory=list)
    """When other players gave it time that is not counted yet."""

    @property
    def left(self) -> int:
        return self.fresh + self.bank

    def spend(self, length: int) -> None:
        beyond = max(0, length - self.fresh)
        self.fresh, self.bank = max(0, self.fresh - length), max(0, self.bank - beyond)
        self.used += length


@dataclass(frozen=True)
class TimeBankChange:
    """The effect of a move on a time bank: the fresh time that was left, and the increment."""

    seat: int
    fresh: int
    increment: int


@dataclass
class ClockCalculation:
    """All time banks after a log."""

    timing: Timing
    terms: Terms
    running_time: RunningTime
    time_banks: dict[int, TimeBank]
    line: list[TimeBankChange | None] = field(default_factory=list)
    """By move; None for moves of chance and before this pace."""

    def take(self, row: LogEntry) -> None:
        if row.back_to is not None:
            self._go_back(row)
        else:
            self.line.append(self._decided(row))

    def _decided(self, row: LogEntry) -> TimeBankChange | None:
        seat, time = row.seat, row.time
        time_bank = self.time_banks.get(seat) if seat is not None else None
        if time_bank is None or seat is None or time is None or row.thought is None or time < self.timing.since:
            return None
        self.think(seat, msgspec.json.decode(row.thought, type=Instants))
        earned = TimeBankChange(
            seat, time_bank.fresh, self.terms.increment if self.running_time.manned(seat, time) else 0
        )
        time_bank.fresh, time_bank.bank = self.terms.fresh, time_bank.bank + earned.increment
        return earned

    def _go_back(self, row: LogEntry) -> None:
        if row.thought is not None:
            for seat, instants in msgspec.json.decode(row.thought, type=dict[int, Instants]).items():
                self.think(seat, (*instants, row.time or 0) if len(instants) % 2 else instants)
        undone = self.line[row.back_to :]
        del self.line[row.back_to :]
        for earned in reversed(undone):
            if earned:
                time_bank = self.time_banks[earned.seat]
                time_bank.fresh, time_bank.bank = earned.fresh, max(0, time_bank.bank - earned.increment)

    def think(self, seat: int, instants: Instants) -> None:
        """Counts the finished spans of a decision that is being made."""
        time_bank = self.time_banks.get(seat)
        if time_bank is None:
            return
        for begin, end in zip(instants[::2], instants[1::2], strict=False):
            time_bank.spend(self.running_time.length(seat, self._given(seat, time_bank, begin, end), end))
        time_bank.since = self._given(seat, time_bank, instants[-1], NEVER_MS) if len(instants) % 2 else None

    def _given(self, seat: int, time_bank: TimeBank, begin: int, end: int) -> int:
        """Adds the time given until the end of a span. Returns the time since which the span is not counted yet."""
        while time_bank.gifts and time_bank.gifts[0] <= end:
            time = time_bank.gifts.pop(0)
            if time > begin:
                time_bank.spend(self.running_time.length(seat, begin, time))
                begin = time
            time_bank.bank += self.terms.grace
        return begin

    def left(self, seat: int, now: int) -> int:
        time_bank = self.time_banks[seat]
        running = 0 if time_bank.since is None else self.running_time.length(seat, time_bank.since, now)
        return max(0, time_bank.left - running)

    def deadline(self, seat: int) -> int | None:
        """When the time of a seat is or was up; None while its clock is stopped."""
        time_bank = self.time_banks[seat]
        if time_bank.since is None:
            return None
        return self.running_time.after(seat, max(time_bank.since, self.timing.since), time_bank.left)

    def runs(self, seat: int, now: int) -> bool:
        """Whether the clock of a seat is running."""
        return self.time_banks[seat].since is not None and bool(self.running_time.free(seat, now, now + 1))

    def seats_at(self, now: int) -> tuple[int, ...]:
        """The seats in which a person decides."""
        return tuple(seat for seat in self.time_banks if self.running_time.manned(seat, now))

    @property
    def deadlines(self) -> dict[int, int]:
        found = {seat: self.deadline(seat) for seat in self.time_banks}
        return {seat: time for seat, time in found.items() if time is not None}


def calculate_clocks(
    timing: Timing, log: Iterable[LogEntry], thinking: Mapping[int, Instants], seats: int, outages: Sequence[Outage]
) -> ClockCalculation | None:
    """The clocks after a log, with the thinking times of the current round; None for a pace without clocks."""
    found = terms(timing.pace)
    if found is None:
        return None
    gifts = [note for note in timing.notes if isinstance(note, ExtraTime)]
    time_banks = {
        seat: TimeBank(found.fresh, found.bank, gifts=[note.time for note in gifts if note.seat == seat])
        for seat in range(seats)
    }
    calculation = ClockCalculation(timing, found, RunningTime(timing, outages), time_banks)
    for row in log:
        calculation.take(row)
    for seat, instants in thinking.items():
        calculation.think(seat, instants)
    for time_bank in time_banks.values():
        time_bank.bank += found.grace * len(time_bank.gifts)
    return calculation
