"""Whoever made a table may free a seat before the first match, and nobody else may free another's."""

import pytest

from polyopolis.play.problems import Forbidden
from polyopolis.play.wishes import Join, Leave
from tests.tables.rooms import House

pytestmark = pytest.mark.anyio


async def test_the_maker_frees_a_seat_while_the_table_waits() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    ben = await house.arrived(table, "Ben")
    assert table.info("Ben").maker == 0
    await house.lobby.change_seat("Ada", table, 1, Leave())
    assert [seat.kind for seat in table.info("Ada").seats] == ["person", "open", "open"]
    assert (ben.last["type"], ben.last["table"]["yours"], ben.last["table"]["onlookers"]) == ("people", [], 1)
    kept = await house.keeper.table(table.id)
    assert kept
    assert (kept.maker, kept.seats[1].person) == ("Ada", None)
    await house.lobby.change_seat("Ben", table, 2, Join("Ben"))
    assert table.info("Ben").yours == (2,), "whoever has the link is invited"


@pytest.mark.parametrize("person", ["Ben", "Cleo", "Eve"])
async def test_nobody_else_may(person: str) -> None:
    house = House()
    table = await house.table("Ada", "Ben", "Cleo", "open")
    for seat in {0, 1, 2} - {["Ada", "Ben", "Cleo", person].index(person)}:
        with pytest.raises(Forbidden, match="not yours"):
            await house.lobby.change_seat(person, table, seat, Leave())


async def test_not_without_a_seat_and_not_once_a_match_has_begun() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    await house.lobby.change_seat("Ada", table, 0, Leave())
    assert table.info("Ada").maker is None
    with pytest.raises(Forbidden, match="not yours"):
        await house.lobby.change_seat("Ada", table, 1, Leave())
    for seat in (0, 2):
        await house.lobby.change_seat("Ada", table, seat, Join("Ada"))
    assert table.info("Ada").match
    assert table.info("Ada").maker is None
    with pytest.raises(Forbidden, match="not yours"):
        await house.lobby.change_seat("Ada", table, 1, Leave())
