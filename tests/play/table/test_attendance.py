"""Attendance updates."""

import gc
from weakref import ref

import msgspec
import pytest

from polyopolis.play.match.messages import TableChanged, Welcome
from polyopolis.play.wire.requests import Join
from tests.play.in_memory_site import ABSENCE_SECONDS, InMemorySite, Message, Page

pytestmark = pytest.mark.anyio

CROWD = 2_000


def watched_by(page: Page) -> list[int]:
    """The number of spectators in each message that contains it."""
    return [message["table"]["onlookers"] for message in page.messages if "table" in message]


async def test_frequent_arrivals_do_not_flood_slow_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    written: dict[type, int] = {Welcome: 0, TableChanged: 0}
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
            site.clock.advance(1)
    for page in crowd[:-3]:
        table.depart(page)
    site.clock.advance(1)
    seconds = CROWD // 200 + 2
    assert len(ada.sent) <= 1 + seconds, "slow pages are not flooded"
    assert written[Welcome] == CROWD
    assert written[TableChanged] <= 2 * seconds, "one message for her, one for all spectators"
    assert max(len(page.sent) for page in crowd) <= 1 + seconds
    assert watched_by(ada)[-1] == 3, "the last message is current"


async def test_the_first_update_is_immediate_and_later_ones_are_combined() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    eve = await site.arrived(table, "Eve")
    await site.arrived(table, "Fay")
    await site.arrived(table, None)
    assert watched_by(ada) == [0, 1]
    assert watched_by(eve) == [1], "a new page gets the current state once"
    site.clock.advance(0.9)
    assert watched_by(ada) == [0, 1]
    site.clock.advance(0.1)
    assert watched_by(ada) == [0, 1, 3]
    site.clock.advance(ABSENCE_SECONDS - 10)
    assert watched_by(ada) == [0, 1, 3], "no message without a change"


async def test_spectators_are_counted_once_and_without_players() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "open")
    pages = [await site.arrived(table, person) for person in ("Ada", "Ada", "Eve", "Eve", None)]
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


async def test_guests_are_informed_once_that_a_player_is_replaceable() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", "Cleo")
    ada, ben, cleo = [await site.arrived(table, person) for person in ("Ada", "Ben", "Cleo")]
    table.depart(ben)
    site.clock.advance(ABSENCE_SECONDS / 2)
    table.depart(cleo)
    site.clock.advance(ABSENCE_SECONDS / 2 - 1)
    for _ in range(5):  # arrivals and departures set no further timers
        eve = await site.arrived(table, "Eve")
        table.depart(eve)
    ada.clear()
    site.clock.advance(2)
    assert replaceable(ada.last) == [False, True, False]
    ada.clear()
    site.clock.advance(10 * ABSENCE_SECONDS)
    assert [replaceable(message) for message in ada.messages] == [[False, True, True]]


async def test_an_unused_table_is_freed() -> None:
    site = InMemorySite()
    table = ref(await site.table("Ada", "open"))
    gc.collect()
    assert table() is None
