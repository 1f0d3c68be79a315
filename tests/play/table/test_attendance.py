"""Comings and goings: told once a second at most, a crowd as a number, and at last how it stands."""

import gc
from weakref import ref

import msgspec
import pytest

from polyopolis.play.match.messages import People, Welcome
from polyopolis.play.wire.requests import Join
from tests.play.in_memory_site import ABSENCE, House, Message, Page

pytestmark = pytest.mark.anyio

CROWD = 2_000


def watched_by(page: Page) -> list[int]:
    """How many looked on, in each message that says so."""
    return [message["table"]["onlookers"] for message in page.heard if "table" in message]


async def test_a_crowd_that_comes_and_goes_throws_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    written: dict[type, int] = {Welcome: 0, People: 0}
    encode = msgspec.json.encode

    def counting(message: object) -> bytes:
        if type(message) in written:
            written[type(message)] += 1
        return encode(message)

    monkeypatch.setattr(msgspec.json, "encode", counting)
    crowd = [Page(None) for _ in range(CROWD)]
    for number, page in enumerate(crowd):
        await table.arrive(page)
        if number % 200 == 0:
            house.clock.pass_by(1)
    for page in crowd[:-3]:
        table.depart(page)
    house.clock.pass_by(1)
    seconds = CROWD // 200 + 2
    assert len(ada.told) <= 1 + seconds, "a page that does not read at all has room left"
    assert written[Welcome] == CROWD
    assert written[People] <= 2 * seconds, "once for her, and once for all who look on"
    assert max(len(page.told) for page in crowd) <= 1 + seconds
    assert watched_by(ada)[-1] == 3, "how it stands is told at last"


async def test_the_first_to_come_is_told_at_once_and_those_who_follow_together() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    eve = await house.arrived(table, "Eve")
    await house.arrived(table, "Fay")
    await house.arrived(table, None)
    assert watched_by(ada) == [0, 1]
    assert watched_by(eve) == [1], "who comes is told how it stands, and nothing twice"
    house.clock.pass_by(0.9)
    assert watched_by(ada) == [0, 1]
    house.clock.pass_by(0.1)
    assert watched_by(ada) == [0, 1, 3]
    house.clock.pass_by(ABSENCE - 10)
    assert watched_by(ada) == [0, 1, 3], "nothing is told when nothing has changed"


async def test_people_are_counted_once_and_not_while_they_have_a_seat() -> None:
    house = House()
    table = await house.table("Ada", "open")
    pages = [await house.arrived(table, person) for person in ("Ada", "Ada", "Eve", "Eve", None)]
    assert table.info(None).onlookers == 2
    await table.change_seat("Eve", 1, Join("Eve"))
    assert table.info(None).onlookers == 1
    table.depart(pages[2])
    assert table.info(None).seats[1].online
    for page in pages[3:]:
        table.depart(page)
        table.depart(page)
    assert (table.info(None).seats[1].online, table.info(None).onlookers) == (False, 0)


def replaceable(message: Message) -> list[bool]:
    return [seat["replaceable"] for seat in message["table"]["seats"]]


async def test_all_learn_once_that_a_bot_may_play_in() -> None:
    house = House()
    table = await house.table("Ada", "Ben", "Cleo")
    ada, ben, cleo = [await house.arrived(table, person) for person in ("Ada", "Ben", "Cleo")]
    table.depart(ben)
    house.clock.pass_by(ABSENCE / 2)
    table.depart(cleo)
    house.clock.pass_by(ABSENCE / 2 - 1)
    for _ in range(5):  # who comes and goes sets no alarm of their own
        eve = await house.arrived(table, "Eve")
        table.depart(eve)
    ada.forget()
    house.clock.pass_by(2)
    assert replaceable(ada.last) == [False, True, False]
    ada.forget()
    house.clock.pass_by(10 * ABSENCE)
    assert [replaceable(message) for message in ada.heard] == [[False, True, True]]


async def test_a_table_that_waits_for_people_takes_no_memory_while_nobody_is_there() -> None:
    house = House()
    table = ref(await house.table("Ada", "open"))
    gc.collect()
    assert table() is None
