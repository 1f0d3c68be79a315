"""Jumps of the system clock affect neither durations nor order."""

import pytest

from polyopolis.server.ops.retention import MonotonicDate, Retention, Usage
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import ABSENCE_SECONDS, InMemorySite, act

pytestmark = pytest.mark.anyio

DAY = 86_400.0


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_absences_do_not_depend_on_the_system_clock(jump: float) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    table.depart(await site.arrived(table, "Ben"))
    site.clock.shift(jump)
    site.clock.advance(ABSENCE_SECONDS - 1)
    assert not table.info("Ada").seats[1].replaceable
    site.clock.advance(2)
    assert table.info("Ada").seats[1].replaceable
    assert ada.last["table"]["seats"][1]["replaceable"], "all guests were informed"


async def test_changes_stay_in_order_when_the_clock_is_set_back(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    store = DatabaseMatchRepository(tmp_path_factory.mktemp("house") / "polyopolis.sqlite")
    await store.open()
    site = InMemorySite(store)
    table = await site.table("Ada", "Ada", seed="pear")
    page = await site.arrived(table, "Ada")
    changed = [table.info("Ada").changed]
    for _ in range(4):
        site.clock.shift(-DAY)
        for seat in (0, 1):
            await act(table, page, seat)
        changed.append(table.info("Ada").changed)
    kept = await store.match(table.id, 0)
    assert kept
    times = [row.time or 0 for row in kept.log]
    assert times == sorted(times)
    assert changed == sorted(set(changed)), "changes are in order"
    again = await InMemorySite(store).lobby.tables.table(table.id)
    assert again.session
    assert table.session
    assert again.session.live.match.moves == table.session.live.match.moves
    assert again.info("Ada").changed == changed[-1]
    await store.close()


async def test_lists_do_not_depend_on_the_system_clock() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ben = await site.arrived(table, "Ben")
    site.clock.shift(-DAY)
    await site.lobby.queries.list_table("Ada", table.id, listed=False)
    assert (await site.lobby.queries.hello("Ada")).tables == ()
    await act(table, ben, 1)
    assert [found.table for found in (await site.lobby.queries.hello("Ada")).tables] == [table.id]


async def test_tables_do_not_expire_when_the_clock_is_shift() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    row = await site.repository.table(table.id)
    assert row
    use = Usage(
        row.id, row.changed, row.version, row.plan,
        opened=0, begun=True, imported=False, over=0, seated=True, decided_by_person=True, decided_by_any=True,
        has_account=True, clocked=True, off_list=False,
    )  # fmt: skip
    today, week = MonotonicDate(site.clock), Retention(left=7.0)
    site.clock.shift(365 * DAY)
    assert week.reason(use, today.seconds, 0.0) is None
    site.clock.shift(-366 * DAY)
    assert week.reason(use, today.seconds, 0.0) is None
    site.clock.shift(DAY)
    site.clock.advance(8 * DAY)
    assert week.reason(use, today.seconds, 0.0) == "left"
