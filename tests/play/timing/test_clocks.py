"""Clocks are calculated from the log."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as some

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import as_json
from polyopolis.play.timing.clocks import (
    MAX_NOTES,
    RestHoursChanged,
    RunningTime,
    SeatManned,
    Timing,
    read_timing,
    timing_with_notes,
)
from polyopolis.play.timing.pace import DAY, Correspondence, LivePace
from polyopolis.play.timing.rest_hours import (
    NO_REST,
    VACATION_DAYS,
    Hours,
    Rest,
    Span,
    Vacation,
    after_leaving_seat,
    days_left,
    pauses,
    with_hours,
    with_vacation,
    with_vacation_ended,
)
from tests.play.timing.timetables import MONDAY, Timetable
from tests.support.property_budget import examples

FIVE, DAYS = LivePace(5, 10), Correspondence(2, 3)
HOUR = 3_600_000


def test_live_clocks_run_for_all_seats_until_each_has_decided() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:00:30 0 has 00:04:30
        00:00:30 0 until 00:05:00
        00:00:30 0 decides
        00:00:30 0 until never
        00:02:00 0 has 00:04:30
        00:02:00 1 has 00:03:00
        00:02:00 1 decides
        00:02:00 0 has 00:04:40
        00:02:00 1 has 00:03:10
        00:02:40 0 has 00:04:00
        00:02:40 1 until 00:05:10
    """)


def test_a_clock_stops_with_a_decision_and_resumes_after_a_retraction() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:01:00 0 decides
        00:03:00 0 thinks again
        00:03:00 0 has 00:04:00
        00:03:30 0 has 00:03:30
        00:03:30 0 decides
        00:04:00 1 decides
        00:04:00 0 has 00:03:40
        00:04:00 1 has 00:01:10
    """)


def test_clocks_stop_at_zero_and_extra_time_is_added() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:00:01 1 decides
        00:07:00 0 has 00:00:00
        00:07:00 0 until 00:05:00
        00:07:00 0 gets time
        00:07:00 0 until 00:08:00
        00:07:40 0 has 00:00:20
        00:09:00 0 decides
        00:09:00 0 has 00:00:10
    """)


def test_a_takeback_returns_no_time_and_removes_the_increment() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:01:00 0 decides
        00:01:00 1 decides
        00:01:00 0 has 00:04:10
        00:01:30 back to 1
        00:01:30 0 has 00:03:30
        00:01:30 1 has 00:03:30
        00:01:40 0 decides
        00:01:50 1 decides
        00:01:50 0 has 00:03:30
        00:01:50 1 has 00:03:20
    """)


def test_correspondence_uses_fresh_days_before_the_bank() -> None:
    Timetable(DAYS).played("""
        0d 00:00 begins
        0d 00:00 0 until 5d 00:00
        1d 00:00 0 decides
        3d 00:00 1 has 2d 00:00
        3d 00:00 1 decides
        3d 00:00 0 has 5d 00:00
        3d 00:00 1 has 4d 00:00
        8d 00:00 1 has 00:00
        8d 00:00 1 until 7d 00:00
    """)


def test_fresh_days_go_on_after_a_takeback() -> None:
    Timetable(DAYS).played("""
        0d 00:00 begins
        1d 00:00 0 decides
        1d 00:00 1 decides
        1d 12:00 back to 1
        1d 12:00 0 until 5d 12:00
        1d 12:00 0 has 4d 00:00
    """)


def test_outages_use_no_time() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:01:00 down until 00:31:00
        00:32:00 0 has 00:03:00
        00:32:00 0 until 00:35:00
        00:33:00 0 decides
        00:34:00 1 decides
        00:34:00 0 has 00:02:10
    """)


def test_nights_and_weekends_follow_the_time_zone_of_the_player() -> None:
    """Berlin is an hour ahead: nights are from 21:00 to 07:00 UTC, and 14 hours of each day count."""
    Timetable(Correspondence(1, 0)).played("""
        0d 12:00 begins
        0d 12:00 0 until 1d 12:00
        0d 12:00 0 rests nights Europe/Berlin
        0d 12:00 0 until 2d 08:00
        0d 12:00 1 until 1d 12:00
        0d 23:00 0 has 15:00
        1d 07:00 0 has 15:00
        1d 08:00 0 has 14:00
        4d 12:00 1 decides
        4d 12:00 0 decides
        4d 12:00 0 rests nights weekends Europe/Berlin
        4d 12:00 0 until 8d 08:00
    """)


def test_rest_hours_have_no_effect_on_the_past() -> None:
    Timetable(Correspondence(1, 0)).played("""
        0d 12:00 begins
        1d 08:00 0 has 04:00
        1d 08:00 0 rests nights UTC
        1d 08:00 0 has 04:00
        1d 09:00 0 rests UTC
        1d 09:00 0 has 03:00
    """)


def test_a_vacation_stops_a_clock_without_refilling_it() -> None:
    Timetable(DAYS).played("""
        0d 00:00 begins
        4d 00:00 0 goes away 3
        6d 00:00 0 has 1d 00:00
        6d 00:00 0 until 8d 00:00
        7d 12:00 0 has 12:00
    """)


def test_a_stand_in_stops_a_clock_without_refilling_it() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:02:00 0 leaves
        00:02:00 0 until never
        00:03:00 0 decides
        00:04:00 1 decides
        00:10:00 0 has 00:03:00
        00:10:00 0 returns
        00:11:00 0 has 00:02:00
    """)


def test_a_clock_at_zero_when_a_rest_begins_has_its_deadline_then() -> None:
    """The rest does not move the deadline, because no time is left after it."""
    Timetable(DAYS).played("""
        0d 00:00 begins
        3d 17:00 0 decides
        3d 17:00 0 thinks again
        5d 00:00 0 decides
        5d 00:00 0 thinks again
        5d 00:00 0 has 00:00
        5d 00:00 0 until 5d 00:00
        5d 00:00 0 rests nights weekends Asia/Tokyo
        5d 00:00 0 until 5d 00:00
    """)


def test_a_clock_at_zero_has_no_deadline_while_a_bot_stands_in() -> None:
    Timetable(FIVE).played("""
        00:00:00 begins
        00:05:00 0 decides
        00:05:00 0 leaves
        00:05:00 0 thinks again
        00:05:00 0 has 00:00:00
        00:06:00 0 until never
        00:07:00 0 returns
        00:07:00 0 until 00:07:00
    """)


# Properties


@some.composite
def histories(draw: some.DrawFn) -> str:
    """Some hours of a correspondence match with all events that affect clocks."""
    lines, hour, decided = ["0d 00:00 begins"], 0, set[int]()
    down = 0
    for _ in range(draw(some.integers(1, 14))):
        hour += draw(some.integers(0, 40))
        seat = draw(some.integers(0, 1))
        what = draw(some.sampled_from(["decides", "thinks", "rests", "down", "leaves", "returns"]))
        stamp = f"{hour // 24}d {hour % 24:02}:00"
        if what == "decides" and seat not in decided:
            lines.append(f"{stamp} {seat} decides")
            decided = set() if len(decided) == 1 else decided | {seat}
        elif what == "thinks" and seat in decided:
            lines.append(f"{stamp} {seat} thinks again")
            decided.discard(seat)
        elif what == "rests":
            kinds = draw(some.sampled_from(["", "nights", "weekends", "nights weekends"]))
            zone = draw(some.sampled_from(["UTC", "Europe/Berlin", "Pacific/Auckland", "Nowhere/At_All"]))
            lines.append(f"{stamp} {seat} rests {kinds} {zone}")
        elif what == "down":
            down = hour + draw(some.integers(1, 30))
            lines.append(f"{stamp} down until {down // 24}d {down % 24:02}:00")
            hour = down
        elif what in ("leaves", "returns"):
            lines.append(f"{stamp} {seat} {what}")
    return "\n".join(lines)


@pytest.mark.slow
@examples(60)
@given(histories(), some.integers(0, 200))
def test_used_time_is_running_time(text: str, hours: int) -> None:
    """The used time is the number of hours in which the clock ran."""
    table, ran = Timetable(DAYS), {0: 0, 1: 0}
    for line in text.splitlines():
        until = Timetable(DAYS).played(text.split(line, maxsplit=1)[0] + line).now
        _run(table, ran, until)
        table.played(line)
    end = table.now + hours * 3_600_000
    _run(table, ran, end)
    for seat, purse in table.reckoning.time_banks.items():
        running = 0 if purse.since is None else table.reckoning.running_time.length(seat, purse.since, end)
        assert purse.used + running == ran[seat], (text, seat)


def _run(table: Timetable, ran: dict[int, int], until: int) -> None:
    """A naive implementation in steps of 15 minutes."""
    reckoning, step = table.reckoning if table.log else None, 900_000
    while reckoning and table.now < until:
        for seat in (0, 1):
            thinks = len(table.thought.get(seat, (0,))) % 2 == 1
            ran[seat] += step * (thinks and _naively_free(table, seat, table.now))
        table.now += step


def _naively_free(table: Timetable, seat: int, now: int) -> bool:
    if any(outage.began <= now < outage.ended for outage in table.outages):
        return False
    if not table.reckoning.running_time.manned(seat, now):
        return False
    return not any(first <= now < last for (first, last), _ in pauses(table.rests[seat], now - DAY, now + DAY))


@examples(60)
@given(histories(), some.integers(0, 1), some.sampled_from(["rests nights weekends Asia/Tokyo", "goes away 2"]))
def test_pauses_never_add_time(text: str, seat: int, pause: str) -> None:
    table = Timetable(DAYS).played(text)
    before, now = table.reckoning.left(seat, table.now), table.now
    table._happens([str(seat), *pause.split()])
    for hours in range(0, 300, 7):
        later = table.reckoning.left(seat, now + hours * 3_600_000)
        assert later <= before
        before = later
    deadline = table.reckoning.deadline(seat)
    if deadline is not None:
        assert table.reckoning.left(seat, deadline) == 0
        assert deadline <= now or table.reckoning.left(seat, deadline - 1) > 0


# Rests


def at(text: str) -> int:
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def test_nights_follow_daylight_saving_time() -> None:
    """The night before the last Sunday of March is an hour shorter."""
    nights = [span for span, _ in pauses(Rest("Europe/Berlin", nights=True), at("2024-03-30"), at("2024-04-01"))]
    assert [(first, last) for first, last in nights if first >= at("2024-03-30T12:00")] == [
        (at("2024-03-30T21:00"), at("2024-03-31T06:00")),
        (at("2024-03-31T20:00"), at("2024-04-01")),
    ]


def test_vacation_days_are_counted_by_year() -> None:
    def left(rest: Rest, day: str) -> int:
        return days_left(rest.vacations, rest.zone, at(day))

    rest = with_vacation(NO_REST, at("2024-12-22"), 20)
    assert left(rest, "2024-12-22") == VACATION_DAYS - 10
    assert left(rest, "2025-02-01") == VACATION_DAYS - 10
    back = with_vacation_ended(rest, at("2024-12-24T12:00"))
    assert left(back, "2024-12-25") == VACATION_DAYS - 3, "a started day counts"
    with pytest.raises(PolyopolisError, match="21 days"):
        with_vacation(with_vacation(NO_REST, at("2024-03-01"), 15), at("2024-06-01"), 7)
    assert left(with_vacation(back, at("2025-01-01"), 21), "2025-03-01") == 0


def test_vacations_at_several_tables_count_once() -> None:
    one = with_vacation(NO_REST, at("2024-07-01T08:00"), 10)
    two = with_vacation(NO_REST, at("2024-07-01T08:10"), 10, one.vacations)
    three = with_vacation(NO_REST, at("2024-07-05"), 14, one.vacations + two.vacations)
    assert days_left(one.vacations + two.vacations, "UTC", at("2024-08-01")) == VACATION_DAYS - 10
    everywhere = (*one.vacations, *two.vacations, *three.vacations)
    assert days_left(everywhere, "UTC", at("2024-08-01")) == VACATION_DAYS - 18, "from the first to the nineteenth"
    with pytest.raises(PolyopolisError, match="21 days"):
        with_vacation(NO_REST, at("2024-09-01"), 4, everywhere)
    assert with_vacation(NO_REST, at("2024-09-01"), 3, everywhere).vacations


def hours_of(rest: Rest, begin: str, end: str) -> list[Span]:
    """Hours of pauses since the start."""
    spans = sorted(span for span, _ in pauses(rest, at(begin), at(end)))
    return [((first - at(begin)) // HOUR, (last - at(begin)) // HOUR) for first, last in spans]


def night(evening: int, morning: int, zone: str = "UTC", *, weekends: bool = False) -> Hours:
    return Hours(zone, nights=True, weekends=weekends, evening=evening, morning=morning)


def test_changed_hours_count_from_the_next_midnight() -> None:
    late = with_hours(NO_REST, night(1, 9), at("2024-03-04T00:30"))
    assert hours_of(late, "2024-03-04", "2024-03-06") == [(25, 33)]
    early = with_hours(late, night(20, 6), at("2024-03-06T12:00"))
    assert hours_of(early, "2024-03-06", "2024-03-08") == [(1, 9), (24, 30), (44, 48)]
    for evening, morning in ((8, 8), (8, 7), (8, 21)):
        with pytest.raises(PolyopolisError, match="12 hours"):
            with_hours(late, night(evening, morning), at("2024-03-06"))


def test_hours_that_do_not_hold_yet_are_replaced() -> None:
    first = with_hours(NO_REST, night(1, 9), at("2024-03-04T00:30"))
    waiting = with_hours(first, night(4, 9), at("2024-03-05T10:00"))
    replaced = with_hours(waiting, night(20, 6), at("2024-03-05T23:00"))
    assert hours_of(replaced, "2024-03-05", "2024-03-07") == [(1, 9), (24, 30), (44, 48)]
    assert with_hours(replaced, night(20, 6), at("2024-03-06T12:00")) == replaced
    off = with_hours(waiting, Hours("UTC"), at("2024-03-05T23:00"))
    assert hours_of(off, "2024-03-05", "2024-03-07") == [(1, 9)]


def test_no_date_counts_twice_after_a_change_of_time_zone() -> None:
    """Saturday in Samoa begins after Saturday on Kiritimati (UTC+14) is over."""
    east = with_hours(NO_REST, night(0, 12, "Pacific/Kiritimati", weekends=True), at("2024-03-07T12:00"))
    west = with_hours(east, night(0, 12, "Pacific/Pago_Pago", weekends=True), at("2024-03-09T09:00"))
    assert hours_of(east, "2024-03-08T10:00", "2024-03-10T10:00") == [(0, 12), (0, 48), (24, 36)]
    assert hours_of(west, "2024-03-08T10:00", "2024-03-12T11:00") == [(0, 12), (0, 24), (49, 61), (49, 73), (73, 85)]


def test_a_new_player_does_not_renew_the_vacation_of_a_seat() -> None:
    first = with_vacation(with_hours(NO_REST, night(1, 9), at("2024-03-01")), at("2024-03-04T10:00"), 21)
    free = after_leaving_seat(first, at("2024-03-24T09:00"))
    assert hours_of(free, "2024-03-04", "2024-03-06") == hours_of(first, "2024-03-04", "2024-03-06")
    assert hours_of(free, "2024-03-24", "2024-03-30") == [(0, 9), (1, 9)], "pauses of the past stay, without new ones"
    assert with_vacation(free, at("2024-04-01"), 1).vacations
    with pytest.raises(PolyopolisError, match="21 days"):
        with_vacation(free, at("2024-04-01"), 2)
    assert after_leaving_seat(free, at("2024-05-01")) == free
    again = with_hours(free, night(1, 9), at("2024-03-24T09:00"))
    assert hours_of(again, "2024-03-24T09:00", "2024-03-26") == [(16, 24)], "that night belongs to the day before"
    assert (
        after_leaving_seat(with_hours(NO_REST, night(1, 9), at("2024-03-04T00:30")), at("2024-03-04T10:00")) == NO_REST
    )


def test_each_vacation_counts_at_least_a_day() -> None:
    rest = NO_REST
    for hour in range(20):
        rest = with_vacation_ended(
            with_vacation(rest, at(f"2024-03-04T{hour:02}:00"), 1), at(f"2024-03-04T{hour:02}:01")
        )
    assert days_left(rest.vacations, "UTC", at("2024-03-05")) == 1
    longer = NO_REST
    for minute in range(0, 60, 5):
        longer = with_vacation(longer, at(f"2024-03-04T12:{minute:02}"), 1)
    assert longer.vacations == (Vacation(at("2024-03-04T12:00"), at("2024-03-05T12:55")),)


# Notes


def test_rest_changes_without_effect_on_the_past_share_a_note() -> None:
    rest, timing = NO_REST, Timing(DAYS, MONDAY)
    for hour in range(240):
        now = MONDAY + hour * HOUR
        evening = (hour + hour // 24) % 24
        rest = with_hours(rest, night(evening, (evening + 9) % 24), now)
        rest = with_vacation_ended(with_vacation(rest, now, 1), now) if hour % 3 else rest
        timing = timing_with_notes(timing, RestHoursChanged(now, 0, rest))
    assert len(timing.notes) == 10, "one for each day"


def test_too_many_absences_drop_the_shortest() -> None:
    timing = Timing(FIVE, MONDAY)
    for number in range(MAX_NOTES):
        timing = timing_with_notes(timing, SeatManned(MONDAY + 10_000 * number, 0, by_person=False))
        timing = timing_with_notes(timing, SeatManned(MONDAY + 10_000 * number + 5_000 + number, 0, by_person=True))
    assert len(timing.notes) == MAX_NOTES
    absent = sum(last - first for first, last in zip(*(iter(note.time for note in timing.notes),) * 2, strict=True))
    assert absent == sum(5_000 + number for number in range(MAX_NOTES // 2, MAX_NOTES))
    timing = timing_with_notes(timing, *(SeatManned(MONDAY, seat, by_person=False) for seat in (0, 1)))
    assert [note.seat for note in timing.notes[-2:]] == [0, 1], "players can still leave"


def test_timings_of_earlier_versions_can_be_read() -> None:
    kept = """{"pace":{"type":"correspondence","days":1,"bank":0},"since":1699833600000,"notes":[
        {"type":"rested","time":1699876800000,"seat":0,"rest":{"zone":"Europe/Berlin","nights":true,"weekends":false,
            "vacations":[],"evening":22,"morning":8}},
        {"type":"rested","time":1699880400000,"seat":0,"rest":{"zone":"Europe/Berlin","nights":true,"weekends":false,
            "vacations":[{"began":1699880400000,"ends":1699966800000}],"evening":22,"morning":8}},
        {"type":"manned","time":1699880400000,"seat":1,"by_person":false},
        {"type":"given","time":1699894800000,"seat":1}]}"""
    timing = read_timing(kept)
    assert timing
    assert RunningTime(timing, ()).free(0, MONDAY, MONDAY + 4 * DAY) == [
        (MONDAY, MONDAY + 13 * HOUR),
        (MONDAY + 37 * HOUR, MONDAY + 45 * HOUR),
        (MONDAY + 55 * HOUR, MONDAY + 69 * HOUR),
        (MONDAY + 79 * HOUR, MONDAY + 93 * HOUR),
    ]
    assert RunningTime(timing, ()).free(1, MONDAY, MONDAY + DAY) == [(MONDAY, MONDAY + 13 * HOUR)]
    assert read_timing(as_json(timing)) == timing


def test_unknown_time_zones_count_as_utc() -> None:
    rest = Rest("../../etc/passwd", nights=True)
    assert [span for span, _ in pauses(rest, MONDAY, MONDAY + DAY // 2)] == [(MONDAY, MONDAY + DAY // 3)]
