"""Clocks that jump: nothing lasts longer or shorter for it, and nothing gets out of order."""

import pytest

from polyopolis.server.ops.retention import MonotonicDate, Retention, Usage
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import ABSENCE, House, act

pytestmark = pytest.mark.anyio

DAY = 86_400.0


@pytest.mark.parametrize("jump", [DAY, -DAY])
async def test_an_absence_is_as_long_as_it_lasts(jump: float) -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    table.depart(await house.arrived(table, "Ben"))
    house.clock.jump(jump)
    house.clock.pass_by(ABSENCE - 1)
    assert not table.info("Ada").seats[1].replaceable
    house.clock.pass_by(2)
    assert table.info("Ada").seats[1].replaceable
    assert ada.last["table"]["seats"][1]["replaceable"], "and all were told"


async def test_a_match_goes_on_and_stays_in_order_when_the_clock_is_set_back(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    store = DatabaseMatchRepository(tmp_path_factory.mktemp("house") / "polyopolis.sqlite")
    await store.open()
    house = House(store)
    table = await house.table("Ada", "Ada", seed="pear")
    page = await house.arrived(table, "Ada")
    changed = [table.info("Ada").changed]
    for _ in range(4):
        house.clock.jump(-DAY)
        for seat in (0, 1):
            await act(table, page, seat)
        changed.append(table.info("Ada").changed)
    kept = await store.match(table.id, 0)
    assert kept
    times = [row.time or 0 for row in kept.log]
    assert times == sorted(times)
    assert changed == sorted(set(changed)), "what happened last has changed last"
    again = await House(store).lobby.tables.table(table.id)
    assert again.session
    assert table.session
    assert again.session.live.match.moves == table.session.live.match.moves
    assert again.info("Ada").changed == changed[-1]
    await store.close()


async def test_a_list_does_not_ask_the_clock_what_came_first() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ben = await house.arrived(table, "Ben")
    house.clock.jump(-DAY)
    await house.lobby.queries.list_table("Ada", table.id, listed=False)
    assert (await house.lobby.queries.hello("Ada")).tables == ()
    await act(table, ben, 1)
    assert [found.table for found in (await house.lobby.queries.hello("Ada")).tables] == [table.id]


async def test_no_table_is_given_up_because_the_clock_was_set_forth() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    row = await house.keeper.table(table.id)
    assert row
    use = Usage(
        row.id, row.changed, row.version, row.plan,
        opened=0, begun=True, imported=False, over=0, seated=True, decided_by_person=True, decided_by_any=True,
        has_account=True, clocked=True, off_list=False,
    )  # fmt: skip
    today, week = MonotonicDate(house.clock), Retention(left=7.0)
    house.clock.jump(365 * DAY)
    assert week.reason(use, today.seconds, 0.0) is None
    house.clock.jump(-366 * DAY)
    assert week.reason(use, today.seconds, 0.0) is None
    house.clock.jump(DAY)
    house.clock.pass_by(8 * DAY)
    assert week.reason(use, today.seconds, 0.0) == "left"
