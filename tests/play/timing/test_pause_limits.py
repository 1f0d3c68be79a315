"""Limits of rest changes: they do not affect other players or stop a clock for longer."""

import asyncio
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some
from msgspec.structs import asdict, replace

from polyopolis.engine import PolyopolisError
from polyopolis.play.entities import SeatEntity, as_json
from polyopolis.play.errors import Forbidden
from polyopolis.play.seats.seating import ForkOwner, seats_for_branch, seats_for_fork
from polyopolis.play.table.table import Table
from polyopolis.play.timing import clocks
from polyopolis.play.timing.clocks import (
    MAX_NOTES,
    ExtraTime,
    RestHoursChanged,
    RunningTime,
    SeatManned,
    Timing,
    timing_with_notes,
)
from polyopolis.play.timing.pace import DAY, Correspondence
from polyopolis.play.timing.rest_hours import (
    LONGEST_NIGHT_HOURS,
    NO_REST,
    SATURDAY,
    VACATION_DAYS,
    Hours,
    Rest,
    with_hours,
)
from polyopolis.play.wire.requests import (
    EndVacation,
    Join,
    Leave,
    PutBot,
    ReclaimSeat,
    SeatChange,
    SetRestHours,
    StartVacation,
)
from polyopolis.server.auth.account_merge import AccountDataService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import InMemorySite
from tests.support.property_budget import examples

pytestmark = pytest.mark.anyio
HOUR = 3_600_000
EASTERNMOST, WESTERNMOST = "Pacific/Kiritimati", "Pacific/Pago_Pago"
ZONES = ("UTC", "Europe/Berlin", "Asia/Tokyo", EASTERNMOST, WESTERNMOST, "America/Los_Angeles", "Nowhere/At_All")


def timing_of(table: Table) -> Timing:
    assert table.context.chain.last
    timing = clocks.read_timing(table.context.chain.last.timing)
    assert timing
    return timing


async def others_are_free(site: InMemorySite, table: Table) -> None:
    """The players of seats 0 and 2 can still change their rest and their seats."""
    await table.change_seat("Ada", 0, SetRestHours(nights=True, weekends=True, zone="Europe/Berlin"))
    await table.change_seat("Ada", 0, StartVacation(2))
    await table.change_seat("Ada", 0, PutBot("first"))
    await table.change_seat("Ada", 0, ReclaimSeat())
    await table.change_seat("Ada", 0, EndVacation())
    await table.change_seat("Cleo", 2, PutBot("first"))
    await table.change_seat("Cleo", 2, Leave())
    await table.change_seat("Ada", 2, PutBot("first"))
    await table.change_seat("Ada", 0, Leave())


async def test_frequent_rest_changes_do_not_block_other_players() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(14, 0))
    for number in range(400):
        wish = SetRestHours(nights=number % 2 == 0, weekends=True, zone="UTC")
        await table.change_seat("Ben", 1, wish)
        site.clock.advance(15)
    assert len(timing_of(table).notes) == 1, "new hours hold from midnight"
    await others_are_free(site, table)


async def test_the_start_of_new_hours_is_shown() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", pace=Correspondence(14, 0))
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=True, zone="Asia/Tokyo"))
    rest, midnight = table.info("Ben").rest, datetime.fromisoformat("2023-11-16T00:00+09:00").timestamp()
    assert rest
    assert rest.since == midnight * 1000
    site.clock.advance(DAY / 1000)
    rest = table.info("Ben").rest
    assert rest
    assert (rest.nights, rest.since) == (True, None)


async def test_the_number_of_hour_changes_is_limited_per_player() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(14, 0))
    site.clock.advance(60)
    for number in range(MAX_NOTES):
        await table.change_seat(
            "Ben", 1, SetRestHours(nights=True, weekends=False, zone="UTC", evening=22 + number % 2)
        )
        site.clock.advance(DAY / 1000)
    with pytest.raises(PolyopolisError, match="changed 200 times"):
        await table.change_seat("Ben", 1, SetRestHours(nights=False, weekends=False, zone="UTC"))
    assert clocks.rest_of(table.context.seating.rows[1]).nights, "the hours are unchanged"
    await table.change_seat("Ben", 1, StartVacation(1))
    await table.change_seat("Ben", 1, EndVacation())
    await table.change_seat("Ben", 1, PutBot("first"))
    await table.change_seat("Ben", 1, ReclaimSeat())
    await table.change_seat("Ben", 1, Leave())
    await others_are_free(site, table)


async def test_full_timings_of_earlier_versions_do_not_block_players() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(14, 0))
    assert table.session
    now = site.clock.now()
    notes = tuple(RestHoursChanged(now + 60_000 * number, 1, Rest(nights=number % 2 == 0)) for number in range(400))
    await table.session.publisher.persist_entity(timing=as_json(Timing(Correspondence(14, 0), now, notes)))
    site.clock.advance(400 * 60)
    await others_are_free(site, table)
    assert timing_of(table).notes[:400] == notes
    await table.change_seat("Ben", 1, PutBot("first"))
    await table.change_seat("Ben", 1, Leave())


async def test_leaving_a_seat_does_not_renew_vacation_days() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", pace=Correspondence(14, 0))
    begun = site.clock.now()
    for days in range(VACATION_DAYS, 0, -1):
        assert (await table.seats.vacation("Ben")).days_left == days
        await table.change_seat("Ben", 1, StartVacation(1))
        site.clock.advance(1)
        if days % 3:
            await table.change_seat("Ben", 1, EndVacation())
        if days % 2:
            await table.change_seat("Ben", 1, Leave())
            await table.change_seat("Ben", 1, Join("Ben"))
        site.clock.advance(DAY / 1000)
    assert (await table.seats.vacation("Ben")).days_left == 0
    with pytest.raises(PolyopolisError, match="21 days"):
        await table.change_seat("Ben", 1, StartVacation(1))
    timing = timing_of(table)
    stopped = site.clock.now() - begun - RunningTime(timing, ()).length(1, begun, site.clock.now())
    assert stopped <= VACATION_DAYS * DAY
    assert sum(isinstance(note, RestHoursChanged) for note in timing.notes) == 1


async def test_a_deleted_account_leaves_only_vacations_in_the_seat(tmp_path: Path) -> None:
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    site = InMemorySite(store)
    table = await site.table("Ada", "Ben", pace=Correspondence(14, 0))
    await table.change_seat("Ben", 1, SetRestHours(nights=True, weekends=True, zone="Asia/Tokyo"))
    await table.change_seat("Ben", 1, StartVacation(20))
    site.clock.advance(20 * DAY / 1000)
    await site.lobby.nodes.follow(await AccountDataService(store).anonymize("Ben", site.clock.now() // 1000))
    rest = clocks.rest_of(table.context.seating.rows[1])
    assert rest == Rest(inherited=rest.inherited)
    await table.change_seat("Eve", 1, Join("Eve"))
    assert (await table.seats.vacation("Eve")).days_left == 1
    with pytest.raises(PolyopolisError, match="21 days"):
        await table.change_seat("Eve", 1, StartVacation(2))
    await table.change_seat("Eve", 1, StartVacation(1))
    await store.close()


def test_branches_do_not_copy_rest_hours() -> None:
    rows = tuple(SeatEntity(seat, name, name, None, rest=as_json(Rest(nights=True))) for seat, name in enumerate("AB"))
    eve = ForkOwner("E", "E", 0)
    assert [row.rest for row in seats_for_branch(rows, eve, "first")] == [None, None]
    for alone in (True, False):
        assert [row.rest for row in seats_for_fork(rows, eve, "first", alone=alone)] == [None, None]


async def test_the_number_of_time_gifts_is_limited() -> None:
    timing = Timing(Correspondence(1, 0), 0)
    for number in range(MAX_NOTES + 1):
        timing = clocks.timing_with_extra_time(timing, number, 1)
    assert len(timing.notes) == MAX_NOTES
    assert clocks.timing_with_extra_time(timing, 0, 0).notes[-1] == ExtraTime(0, 0), "for each seat"


# Limits of pauses


def most_stopped(begin: int, end: int) -> int:
    """The longest time that hours may stop a clock: half of each date, and all of Saturdays and Sundays.

    A date begins in the easternmost time zone and ends in the westernmost.
    """
    first = datetime.fromtimestamp((begin - 12 * HOUR) / 1000, UTC).date()
    last = datetime.fromtimestamp((end + 14 * HOUR) / 1000, UTC).date()
    days = (first + timedelta(days=number) for number in range((last - first).days + 1))
    hours = sum(24 if day.weekday() >= SATURDAY else LONGEST_NIGHT_HOURS for day in days)
    return hours * HOUR


def years(begin: int, end: int) -> int:
    """The years between two times, each with its own vacation days."""
    first, last = (datetime.fromtimestamp(time / 1000, UTC).year for time in (begin - 12 * HOUR, end + 14 * HOUR))
    return last - first + 1


def hours_that_stop_most(zones: tuple[str, ...]) -> Iterator[Hours]:
    for zone in zones:
        for evening in range(24):
            yield Hours(zone, nights=True, weekends=True, evening=evening, morning=(evening + LONGEST_NIGHT_HOURS) % 24)


def stopped(timing: Timing, seat: int, begin: int, end: int) -> int:
    return end - begin - RunningTime(timing, ()).length(seat, begin, end)


def with_rest(rest: Rest, now: int, timing: Timing) -> Timing:
    return timing_with_notes(timing, RestHoursChanged(now, 0, rest))


@pytest.mark.parametrize("start", ["2024-03-01T00:00", "2024-03-05T13:00", "2024-03-09T20:00"])
def test_hourly_changes_of_hours_gain_no_rest(start: str) -> None:
    """A player asks each hour for the hours that stop the clock longest, for ten days."""
    begin = int(datetime.fromisoformat(start).replace(tzinfo=UTC).timestamp() * 1000)
    end, unset, zones = begin + 10 * DAY, Timing(Correspondence(1, 0), begin), (EASTERNMOST, "UTC", WESTERNMOST)
    rest, timing = NO_REST, unset
    for now in range(begin, end, HOUR):
        asked = (with_hours(rest, hours, now) for hours in hours_that_stop_most(zones))
        rest = max(asked, key=lambda each: stopped(with_rest(each, now, timing), 0, now, now + 2 * DAY))
        timing = with_rest(rest, now, timing)
    unchanged = max(
        stopped(with_rest(Rest(**asdict(hours)), begin, unset), 0, begin, end) for hours in hours_that_stop_most(zones)
    )
    assert stopped(timing, 0, begin, end) <= unchanged + LONGEST_NIGHT_HOURS * HOUR
    assert stopped(timing, 0, begin, end) <= most_stopped(begin, end)
    assert len(timing.notes) <= 11


WISHES = some.one_of(
    some.builds(
        lambda zone, evening, hours, nights, weekends: SetRestHours(
            nights, weekends, zone, evening, (evening + hours) % 24
        ),
        some.sampled_from(ZONES),
        some.integers(0, 23),
        some.integers(1, LONGEST_NIGHT_HOURS),
        some.booleans(),
        some.booleans(),
    ),
    some.builds(StartVacation, some.integers(1, VACATION_DAYS)),
    some.sampled_from([EndVacation(), PutBot("first"), ReclaimSeat(), Leave(), Join("Ben")]),
)
MINUTES = some.sampled_from([0, 1, 30, 60, 60, 60, 240, 720, 1440, 4000])


@examples(30)
@given(some.lists(some.tuples(WISHES, MINUTES), max_size=60))
def test_no_rest_changes_of_one_player_block_others_or_stop_the_clock(steps: list[tuple[SeatChange, int]]) -> None:
    asyncio.run(_check_rest_changes(steps))


async def _check_rest_changes(steps: list[tuple[SeatChange, int]]) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo", pace=Correspondence(14, 60))
    begin = site.clock.now()
    for wish, minutes in steps:
        with suppress(PolyopolisError if isinstance(wish, StartVacation) else Forbidden):
            await table.change_seat("Ben", 1, wish)
        site.clock.advance(60 * minutes)
    end, timing = site.clock.now(), timing_of(table)
    pauses_alone = replace(timing, notes=tuple(note for note in timing.notes if not isinstance(note, SeatManned)))
    assert stopped(pauses_alone, 1, begin, end) <= most_stopped(begin, end) + VACATION_DAYS * (DAY + HOUR) * years(
        begin, end
    )
    assert sum(isinstance(note, RestHoursChanged) for note in timing.notes) <= 2 * ((end - begin) // DAY + 3)
    await others_are_free(site, table)
