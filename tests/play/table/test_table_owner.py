"""Whoever made a table may free a seat before the first match, and turn somebody away at any time; nobody else may."""

import pytest

from polyopolis.play.errors import Forbidden
from polyopolis.play.wire.requests import Join, Leave, TurnAway
from tests.play.in_memory_site import House, act

pytestmark = pytest.mark.anyio


async def test_the_maker_frees_a_seat_while_the_table_waits() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    ben = await house.arrived(table, "Ben")
    assert table.info("Ben").maker == 0
    await table.change_seat("Ada", 1, Leave())
    assert [seat.kind for seat in table.info("Ada").seats] == ["person", "open", "open"]
    assert (ben.last["type"], ben.last["table"]["yours"], ben.last["table"]["onlookers"]) == ("people", [], 1)
    kept = await house.keeper.table(table.id)
    assert kept
    assert (kept.maker, kept.seats[1].person) == ("Ada", None)
    await table.change_seat("Ben", 2, Join("Ben"))
    assert table.info("Ben").yours == (2,), "whoever has the link is invited"


@pytest.mark.parametrize("person", ["Ben", "Cleo", "Eve"])
async def test_nobody_else_may(person: str) -> None:
    house = House()
    table = await house.table("Ada", "Ben", "Cleo", "open")
    for seat in {0, 1, 2} - {["Ada", "Ben", "Cleo", person].index(person)}:
        with pytest.raises(Forbidden, match="not yours"):
            await table.change_seat(person, seat, Leave())


async def test_not_without_a_seat_and_not_once_a_match_has_begun() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    await table.change_seat("Ada", 0, Leave())
    assert table.info("Ada").maker is None
    with pytest.raises(Forbidden, match="not yours"):
        await table.change_seat("Ada", 1, Leave())
    for seat in (0, 2):
        await table.change_seat("Ada", seat, Join("Ada"))
    assert table.info("Ada").match
    assert table.info("Ada").maker == 0
    with pytest.raises(Forbidden, match="not yours"):
        await table.change_seat("Ada", 1, Leave())


# Turning somebody away


async def test_who_is_turned_away_looks_on_and_never_sits_down_again() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "Ben", "open")
    ben = await house.arrived(table, "Ben")
    await table.change_seat("Ada", 1, TurnAway())
    assert [seat.kind for seat in table.info("Ada").seats] == ["person", "open", "open", "open"], "from all seats"
    assert ben.last == {"type": "turned-away"}
    for sit in (table.change_seat("Ben", 3, Join("Ben")), table.give_seat(0, "Ben", None)):
        with pytest.raises(Forbidden, match="has turned you away"):
            await sit
    assert (await house.arrived(table, "Ben")).last == {"type": "turned-away"}, "whoever comes back is told"
    assert "turned-away" not in {each["type"] for each in (await house.arrived(table, "Eve")).heard}
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.info("Eve").yours == (1,)


async def test_a_bot_plays_on_and_what_was_played_stays_as_it_was_written() -> None:
    house = House()
    table = await house.table("Ada", "Ben", game="pointcity", setup={})
    pages = {name: await house.arrived(table, name) for name in ("Ada", "Ben")}
    assert table.session
    while not table.session.live.match.over:
        (seat,) = table.session.live.due
        await act(table, pages[("Ada", "Ben")[seat]], seat)
    for person in ("Ada", "Ben"):
        await table.rematch(person)
    await table.change_seat("Ada", 1, TurnAway("first"))
    kept = await house.keeper.table(table.id)
    assert kept
    assert [match.players for match in kept.matches] == ['["Ada","Ben"]', '["Ada","first"]']
    assert (kept.seats[1].person, kept.seats[1].bot) == (None, "first")


async def test_only_the_maker_turns_away_and_only_others() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "open")
    for person, seat in (("Ben", 0), ("Ben", 1), ("Eve", 1), ("Ada", 0), ("Ada", 2)):
        with pytest.raises(Forbidden):
            await table.change_seat(person, seat, TurnAway())
    await table.change_seat("Ada", 0, Leave())
    with pytest.raises(Forbidden, match="only the creator"):
        await table.change_seat("Ada", 1, TurnAway())
