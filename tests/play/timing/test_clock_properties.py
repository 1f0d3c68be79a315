"""Compares the clocks with a naive second implementation over histories drawn by Hypothesis.

The naive clocks know nothing of intervals: they go through a match step by step and ask, for each step and each seat,
whether the clock runs. Nights and weekends are read off the wall clock of the player's time zone. All times are
multiples of the step, so the results must be equal to the millisecond.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

import pytest
from hypothesis import event, given
from hypothesis import strategies as some

from polyopolis.engine import PolyopolisError
from polyopolis.play.timing.clocks import ClockCalculation
from polyopolis.play.timing.pace import DAY, MINUTE, Correspondence, LivePace, Pace
from polyopolis.play.timing.rest_hours import SATURDAY, Rest
from tests.play.timing.timetables import Timetable
from tests.support.property_budget import examples

SEATS = 2
LONGEST_STEPS = 100_000
"""Longest time of a clock in these histories."""

CHANGES = (
    ("2026-03-27T12:00", "Europe/Berlin"),
    ("2026-10-23T12:00", "Europe/Berlin"),
    ("2026-03-06T06:00", "America/New_York"),
    ("2026-10-30T06:00", "America/New_York"),
    ("2026-04-03T00:00", "Australia/Lord_Howe"),  # by half an hour
    ("2026-10-02T00:00", "Australia/Lord_Howe"),
    ("2026-04-03T00:00", "Pacific/Chatham"),  # three quarters of an hour beside the full hour
    ("2026-09-25T00:00", "Pacific/Chatham"),
    ("2026-04-03T00:00", "America/Santiago"),  # at midnight
    ("2026-09-04T00:00", "America/Santiago"),
    ("2026-03-06T12:00", "America/Havana"),
    ("2020-03-26T12:00", "Asia/Gaza"),  # on a Saturday at midnight
    ("2020-10-22T12:00", "Asia/Gaza"),
    ("2026-12-30T00:00", "Asia/Kathmandu"),  # never, but over the end of a year
    ("2028-02-28T00:00", "UTC"),
)
"""A day or two before clocks are set forward or back, and the time zones."""

Act = tuple[str, int, int, int, str]
"""An event, its seat, and three parameters."""


@lru_cache(maxsize=200_000)
def wall_clock(zone: str, now: int) -> tuple[int, int]:
    """Local weekday and hour."""
    shown = datetime.fromtimestamp(now / 1000, ZoneInfo(zone))
    return shown.weekday(), shown.hour


def is_resting(rest: Rest, now: int) -> bool:
    weekday, hour = wall_clock(rest.zone, now)
    if rest.evening < rest.morning:
        night = rest.evening <= hour < rest.morning
    else:
        night = hour >= rest.evening or hour < rest.morning
    away = any(vacation.began <= now < vacation.ends for vacation in rest.vacations)
    return away or (rest.nights and night) or (rest.weekends and weekday >= SATURDAY)


@dataclass
class NaiveClock:
    fresh: int
    bank: int
    thinks: bool = True
    manned: bool = True
    used_up: int | None = None
    """When the player ran out of time during the current decision."""
    was_empty: bool = False
    """Whether no time was left when the player began or returned."""

    @property
    def left(self) -> int:
        return self.fresh + self.bank

    def begin_thinking(self, now: int) -> None:
        self.thinks, self.used_up = True, None
        self.look(now)

    def stop_thinking(self) -> None:
        self.thinks, self.used_up = False, None

    def look(self, now: int) -> None:
        if self.thinks and self.manned and not self.left and self.used_up is None:
            self.used_up, self.was_empty = now, True

    def leave(self, now: int) -> None:
        """A player without time who leaves at once has no deadline while a bot stands in."""
        self.manned = False
        if self.used_up == now and self.was_empty:
            self.used_up = None

    def run(self, step: int, end: int) -> None:
        if self.fresh:
            self.fresh -= step
        else:
            self.bank = max(0, self.bank - step)
        if not self.left and self.used_up is None:
            self.used_up, self.was_empty = end, False


@dataclass
class NaiveClocks:
    """All clocks of a match, advanced in steps."""

    table: Timetable
    step: int
    fresh: int
    bank: int
    increment: int
    grace: int
    has_rests: bool
    moves: list[tuple[int, int, int] | None] = field(default_factory=lambda: [None])
    """For each move: seat, fresh time left, increment."""

    def __post_init__(self) -> None:
        self.clocks = [NaiveClock(self.fresh, self.bank) for _ in range(SEATS)]
        self.now = self.table.now

    def runs(self, seat: int, now: int) -> bool:
        clock = self.clocks[seat]
        return clock.thinks and clock.manned and not (self.has_rests and is_resting(self.table.rests[seat], now))

    def advance(self, end: int) -> None:
        while self.now < end:
            for seat, clock in enumerate(self.clocks):
                if self.runs(seat, self.now):
                    clock.run(self.step, self.now + self.step)
            self.now += self.step

    def decide(self, seat: int) -> None:
        self.clocks[seat].stop_thinking()
        if any(clock.thinks for clock in self.clocks):
            return
        for other, clock in enumerate(self.clocks):
            increment = self.increment if clock.manned else 0
            self.moves.append((other, clock.fresh, increment))
            clock.fresh, clock.bank = self.fresh, clock.bank + increment
            clock.begin_thinking(self.now)

    def go_back(self, count: int) -> None:
        for move in reversed(self.moves[count:]):
            if move:
                seat, fresh, increment = move
                clock = self.clocks[seat]
                clock.fresh, clock.bank = fresh, max(0, clock.bank - increment)
        del self.moves[count:]
        for clock in self.clocks:
            clock.begin_thinking(self.now)

    def give(self, seat: int) -> None:
        self.clocks[seat].bank += self.grace
        self.clocks[seat].used_up = None

    def set_manned(self, seat: int, manned: bool) -> None:
        clock = self.clocks[seat]
        if manned:
            clock.manned = True
            clock.look(self.now)
        else:
            clock.leave(self.now)

    def deadline(self, seat: int) -> int | None:
        clock, now = NaiveClock(**vars(self.clocks[seat])), self.now
        if not clock.thinks or (not clock.manned and clock.used_up is None):
            return None
        for _ in range(LONGEST_STEPS):
            if clock.used_up is not None:
                return clock.used_up
            if self.runs(seat, now):
                clock.run(self.step, now + self.step)
            now += self.step
        raise AssertionError("no clock lasts that long")


def naive_clocks(table: Timetable, pace: Pace) -> NaiveClocks:
    match pace:
        case Correspondence(days, bank):
            return NaiveClocks(table, 15 * MINUTE, days * DAY, bank * DAY, 0, days * DAY, has_rests=True)
        case LivePace(minutes, seconds):
            bank, grace = minutes * MINUTE, max(minutes // 5, 1) * MINUTE
            return NaiveClocks(table, 5 * MINUTE, 0, bank, seconds * 1000, grace, has_rests=False)
        case _:
            raise AssertionError(pace)


@dataclass
class History:
    """A match for both implementations, as a timetable.

    Moves and notes are stored apart. Which of them came first in the same millisecond is not known, so they share none.
    """

    pace: Pace
    start: int
    lines: list[str] = field(default_factory=list)
    last: tuple[int, bool] = (0, False)
    """The time of the last event, and whether it was a move."""

    def __post_init__(self) -> None:
        self.table = Timetable(self.pace, SEATS, self.start)
        self.naive = naive_clocks(self.table, self.pace)
        self.happens("begins")

    def stamp(self, time: int) -> str:
        days, rest = divmod(time - self.start, DAY)
        return f"{days}d {rest // 3_600_000:02}:{rest // MINUTE % 60:02}"

    def happens(self, what: str) -> None:
        line = f"{self.stamp(self.naive.now)} {what}"
        self.table.played(line)
        self.lines.append(line)

    def wait(self, act: Act) -> None:
        """Advances the time by some steps, to a deadline, or to a start or stop of a clock."""
        kind, seat, steps, _, _ = act
        naive = self.naive
        end = naive.now + steps * naive.step
        deadline = naive.deadline(seat)
        if kind == "deadline" and deadline is not None:
            end = deadline
        elif kind == "change":
            before, end = naive.runs(seat, naive.now), naive.now
            while naive.runs(seat, end) == before and end < naive.now + 4 * DAY:
                end += naive.step
        naive.advance(end)

    def act(self, act: Act) -> None:
        kind, seat, number, hours, zone = act
        naive, clock = self.naive, self.naive.clocks[seat]
        is_move = kind in MOVES
        if self.last == (naive.now, not is_move):
            naive.advance(naive.now + naive.step)
        self.last = naive.now, is_move
        match kind:
            case "decides" if clock.thinks:
                self.happens(f"{seat} decides")
                naive.decide(seat)
            case "thinks" if not clock.thinks:
                self.happens(f"{seat} thinks again")
                clock.begin_thinking(naive.now)
            case "back" if len(naive.moves) > 1:
                count = 1 + number % (len(naive.moves) - 1) // SEATS * SEATS
                self.happens(f"back to {count}")
                naive.go_back(count)
            case "rests":
                kinds = " ".join(word for word, bit in (("nights", 1), ("weekends", 2)) if number & bit)
                evening = number % 24
                self.happens(f"{seat} rests {kinds} {evening:02}-{(evening + hours) % 24:02} {zone}")
            case "away":
                try:
                    self.happens(f"{seat} goes away {1 + number % 9}")
                except PolyopolisError:
                    event("no vacation left")
            case "present":
                self.happens(f"{seat} comes back")
            case "down":
                end = naive.now + (1 + number) * naive.step
                self.happens(f"down until {self.stamp(end)}")
                naive.now = end
            case "leaves" | "returns" if clock.manned == (kind == "leaves"):
                self.happens(f"{seat} {kind}")
                naive.set_manned(seat, kind == "returns")
            case "gift" if clock.thinks:  # extra time also counts after a takeback
                self.happens(f"{seat} gets time")
                naive.give(seat)
            case _:
                return

    @property
    def reckoning(self) -> ClockCalculation:
        self.table.now = self.naive.now
        return self.table.reckoning

    def __str__(self) -> str:
        start = datetime.fromtimestamp(self.start / 1000, UTC).isoformat()
        return "\n".join([f"{self.pace} from {start}", *self.lines, f"{self.stamp(self.naive.now)} now"])


WAITS = some.tuples(
    some.sampled_from(["steps", "steps", "deadline", "change"]),
    some.integers(0, SEATS - 1),
    some.integers(0, 200),
    some.just(0),
    some.just(""),
)
MOVES = ["decides", "decides", "thinks", "back"]
KINDS = [*MOVES, "rests", "rests", "away", "present", "down", "leaves", "returns", "gift"]


@some.composite
def histories(draw: some.DrawFn, paces: tuple[Pace, ...]) -> History:
    start, zone = draw(some.sampled_from(CHANGES))
    zones = some.sampled_from([zone, zone, "Asia/Tokyo"])
    acts = some.tuples(
        some.sampled_from(KINDS), some.integers(0, SEATS - 1), some.integers(0, 95), some.integers(1, 12), zones
    )
    begin = datetime.fromisoformat(start).replace(tzinfo=UTC) + timedelta(hours=draw(some.integers(0, 48)))
    history = History(draw(some.sampled_from(paces)), int(begin.timestamp() * 1000))
    for wait, act in draw(some.lists(some.tuples(WAITS, acts), max_size=14)):
        history.wait(wait)
        history.act(act)
    history.wait(draw(WAITS))
    return history


CORRESPONDENCE = tuple(Correspondence(days, bank) for days in (1, 2, 3) for bank in (0, 1, 5))
LIVE = (LivePace(50, 0), LivePace(50, 300), LivePace(25, 300))
"""Extra time is a multiple of the step, too."""


def check_sameness(history: History) -> None:
    naive, reckoning = history.naive, history.reckoning
    for seat, clock in enumerate(naive.clocks):
        assert reckoning.left(seat, naive.now) == clock.left, f"seat {seat}\n{history}"
        found, deadline = reckoning.deadline(seat), naive.deadline(seat)
        assert found == deadline, (
            f"seat {seat}: {found and history.stamp(found)}, not {deadline and history.stamp(deadline)}\n{history}"
        )
        event("no deadline" if deadline is None else "late" if deadline <= naive.now else "in time")


@pytest.mark.slow
@examples(200)
@given(histories(CORRESPONDENCE))
def test_correspondence_clocks_agree_with_a_naive_implementation(history: History) -> None:
    check_sameness(history)


@pytest.mark.slow
@examples(200)
@given(histories(LIVE))
def test_live_clocks_agree_with_a_naive_implementation(history: History) -> None:
    check_sameness(history)


@pytest.mark.slow
@examples(200)
@given(histories(CORRESPONDENCE + LIVE), some.integers(0, 1))
def test_time_is_left_exactly_until_the_deadline(history: History, seat: int) -> None:
    reckoning, now = history.reckoning, history.naive.now
    deadline, since = reckoning.deadline(seat), reckoning.time_banks[seat].since
    if deadline is None or since is None:
        return
    assert reckoning.left(seat, deadline) == 0, history
    clock = history.naive.clocks[seat]
    assert clock.was_empty or not clock.manned or reckoning.left(seat, deadline - 1) > 0, history
    for later in range(now, deadline, max(1, (deadline - now) // 7)):
        assert 0 < reckoning.left(seat, later) <= reckoning.left(seat, now), history


@pytest.mark.parametrize(("start", "zone"), CHANGES)
def test_the_time_zone_database_has_the_expected_changes(start: str, zone: str) -> None:
    """Without these changes in the time zone database the properties above would test less."""
    begin = datetime.fromisoformat(start).replace(tzinfo=UTC)
    offsets = {(begin + timedelta(hours=hour)).astimezone(ZoneInfo(zone)).utcoffset() for hour in range(96)}
    assert len(offsets) == (1 if zone in ("Asia/Kathmandu", "UTC") else 2)
