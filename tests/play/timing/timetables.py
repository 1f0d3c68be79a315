"""Timetables: events of clocks as text, checked line by line.

    00:00:00 begins            all seats are due; the first line
    00:00:30 0 decides         a round ends once all have decided
    00:00:40 0 thinks again
    00:01:00 back to 2         to 2 moves
    00:01:10 down until 00:05:00
    1d 09:00 0 rests nights Europe/Berlin
    1d 09:00 0 rests nights 23-07 weekends Europe/Berlin
    1d 10:00 0 goes away 3     days
    1d 10:30 0 comes back
    1d 11:00 0 leaves | 0 returns | 0 gets time
    1d 12:00 0 has 1d 02:00    time left
    1d 12:00 0 until 3d 08:00  the deadline, or `never`

Day 0 is a Monday, in UTC, unless the timetable starts elsewhere.
"""

import re
from collections.abc import Iterable, Iterator

from polyopolis.play.entities import LogEntry, Outage, as_json
from polyopolis.play.timing.clocks import (
    ClockCalculation,
    ExtraTime,
    Instants,
    RestHoursChanged,
    SeatManned,
    Timing,
    calculate_clocks,
    timing_with_notes,
)
from polyopolis.play.timing.pace import Pace
from polyopolis.play.timing.rest_hours import (
    EVENING_HOUR,
    MORNING_HOUR,
    NO_REST,
    Rest,
    with_vacation,
    with_vacation_ended,
)

MONDAY = 1_699_833_600_000
TIME = re.compile(r"(?:(\d+)d ?)?(\d\d):(\d\d)(?::(\d\d))?")


def read_time(text: str) -> int:
    found = TIME.fullmatch(text.strip())
    assert found, text
    days, hours, minutes, seconds = (int(part or 0) for part in found.groups())
    return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000


def read_hours(words: Iterable[str]) -> tuple[int, int]:
    """The start and end of the night in a word such as `23-07`, or the defaults."""
    found = next((word.split("-") for word in words if "-" in word), None)
    return (int(found[0]), int(found[1])) if found else (EVENING_HOUR, MORNING_HOUR)


class Timetable:
    def __init__(self, pace: Pace, seats: int = 2, start: int = MONDAY) -> None:
        self.seats = seats
        self.start = start
        self.now = start
        self.timing = Timing(pace, start)
        self.log: list[LogEntry] = []
        self.thought: dict[int, Instants] = {}
        self.outages: list[Outage] = []
        self.rests = dict.fromkeys(range(seats), NO_REST)
        self.moves = 0

    def played(self, text: str) -> "Timetable":
        for time, what in lines(text):
            self.now = self.start + time
            self._happens(what.split())
        return self

    @property
    def began(self) -> int:
        return self.log[-1].time or 0 if self.log else self.start

    @property
    def reckoning(self) -> ClockCalculation:
        thinking = {seat: self.thought.get(seat, (self.began,)) for seat in range(self.seats)}
        found = calculate_clocks(self.timing, self.log, thinking, self.seats, self.outages)
        assert found
        return found

    def _happens(self, words: list[str]) -> None:
        match words:
            case ["begins"]:
                self.log.append(LogEntry(-1, None, None, self.now))
                self.moves += 1
            case [seat, "decides"]:
                self._decides(int(seat))
            case [seat, "thinks", "again"]:
                self.thought[int(seat)] += (self.now,)
            case ["back", "to", moves]:
                thinking = {seat: self.thought.get(seat, (self.began,)) for seat in range(self.seats)}
                self.log.append(LogEntry(None, None, int(moves), self.now, as_json(thinking)))
                self.thought, self.moves = {}, int(moves)
            case ["down", "until", *until]:
                self.outages.append(Outage(self.now, self.start + read_time(" ".join(until))))
            case [seat, "rests", *kinds, zone]:
                vacations, (evening, morning) = self.rests[int(seat)].vacations, read_hours(kinds)
                hours = Rest(zone, "nights" in kinds, "weekends" in kinds, evening, morning, vacations)
                self._rests(int(seat), hours)
            case [seat, "goes", "away", days]:
                self._rests(int(seat), with_vacation(self.rests[int(seat)], self.now, int(days)))
            case [seat, "comes", "back"]:
                self._rests(int(seat), with_vacation_ended(self.rests[int(seat)], self.now))
            case [seat, "leaves" | "returns" as what]:
                self.timing = timing_with_notes(self.timing, SeatManned(self.now, int(seat), what == "returns"))
            case [seat, "gets", "time"]:
                self.timing = timing_with_notes(self.timing, ExtraTime(self.now, int(seat)))
            case [_, "has" | "until", *_]:
                self._is(words)
            case _:
                raise AssertionError(words)

    def _is(self, words: list[str]) -> None:
        match words:
            case [seat, "has", *left]:
                found = self.reckoning.left(int(seat), self.now)
                assert found == read_time(" ".join(left)), (words, found / 1000)
            case [seat, "until", "never"]:
                assert self.reckoning.deadline(int(seat)) is None, words
            case [seat, "until", *time]:
                until = self.reckoning.deadline(int(seat))
                assert until is not None
                assert until == self.start + read_time(" ".join(time)), (words, (until - self.start) / 3_600_000)

    def _rests(self, seat: int, rest: Rest) -> None:
        self.rests[seat] = rest
        self.timing = timing_with_notes(self.timing, RestHoursChanged(self.now, seat, rest))

    def _decides(self, seat: int) -> None:
        self.thought[seat] = (*self.thought.get(seat, (self.began,)), self.now)
        if all(len(self.thought.get(other, ())) % 2 == 0 and other in self.thought for other in range(self.seats)):
            self.log += [
                LogEntry(other, None, None, self.now, as_json(self.thought[other])) for other in range(self.seats)
            ]
            self.thought, self.moves = {}, self.moves + self.seats


def lines(text: str) -> Iterator[tuple[int, str]]:
    for line in filter(None, map(str.strip, text.splitlines())):
        found = re.match(rf"({TIME.pattern}) +(.*)", line)
        assert found, line
        yield read_time(found[1]), found[6]
