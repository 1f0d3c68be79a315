"""Another match: one asks, each of the others comes along by one word, and bots do without being asked."""

import pytest

from polyopolis.play.match.consent_requests import EndEarly
from polyopolis.play.match.messages import AskFor, Consent
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Leave, PutBot
from tests.play.in_memory_site import ABSENCE, House, Page

pytestmark = pytest.mark.anyio


async def over(house: House, *seats: str) -> tuple[Table, dict[str, Page]]:
    """A match that all have agreed to end."""
    table = await house.table(*seats)
    pages = {name: await house.arrived(table, name) for name in dict.fromkeys(seats) if name != "bot"}
    first, *others = pages.values()
    await table.handle(first, AskFor(0, EndEarly()))
    for page in others:
        await table.handle(page, Consent(True))
    assert number(table) == 0
    return table, pages


def number(table: Table) -> int:
    assert table.context.chain.last
    return table.context.chain.last.number


async def test_a_match_follows_when_all_want_it() -> None:
    house = House()
    table, pages = await over(house, "Ada", "Ben", "Cleo", "bot")
    await table.rematch("Ben")
    assert [pages["Ada"].last[key] for key in ("type", "seat", "waiting")] == ["asking", 1, [0, 2]]
    assert pages["Ada"].last["wish"] == {"type": "play-again"}
    assert table.info("Ada").again == (0, 2)
    await table.rematch("Ben")
    assert number(table) == 0, "nobody wants it twice"
    await table.rematch("Ada")
    assert (number(table), table.info("Cleo").again) == (0, (2,))
    await table.handle(pages["Cleo"], Consent(True))
    assert number(table) == 1
    assert (pages["Ada"].last["type"], table.info("Ada").again) == ("welcome", ())
    assert [seat.bot for seat in table.info("Ada").seats] == [None, None, None, "first"], "bots come along"


async def test_who_refuses_ends_the_question() -> None:
    house = House()
    table, pages = await over(house, "Ada", "Ben")
    await table.rematch("Ada")
    await table.handle(pages["Ben"], Consent(False))
    assert (pages["Ada"].last["waiting"], table.info("Ada").again, number(table)) == ([], (), 0)
    await table.rematch("Ben")
    assert table.info("Ada").again == (0,)


async def test_nobody_waits_for_whoever_leaves_or_is_played_for() -> None:
    house = House()
    table, pages = await over(house, "Ada", "Ben", "Cleo")
    await table.rematch("Ada")
    await table.change_seat("Cleo", 2, Leave())
    assert (number(table), pages["Ada"].last["type"]) == (0, "people")
    table.depart(pages["Ben"])
    house.clock.pass_by(ABSENCE)
    await table.change_seat("Ada", 1, PutBot("first"))
    assert number(table) == 1


async def test_who_plays_with_bots_alone_asks_nobody() -> None:
    house = House()
    table, _ = await over(house, "Ada", "Ada", "bot")
    await table.rematch("Ada")
    assert number(table) == 1
