"""Rematches."""

import pytest

from polyopolis.play.match.consent_requests import EndEarly
from polyopolis.play.match.messages import AskFor, Consent
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Leave, PutBot
from tests.play.in_memory_site import ABSENCE_SECONDS, InMemorySite, Page

pytestmark = pytest.mark.anyio


async def over(site: InMemorySite, *seats: str) -> tuple[Table, dict[str, Page]]:
    """Ends a match with the consent of all players."""
    table = await site.table(*seats)
    pages = {name: await site.arrived(table, name) for name in dict.fromkeys(seats) if name != "bot"}
    first, *others = pages.values()
    await table.handle(first, AskFor(0, EndEarly()))
    for page in others:
        await table.handle(page, Consent(True))
    assert number(table) == 0
    return table, pages


def number(table: Table) -> int:
    assert table.context.chain.last
    return table.context.chain.last.number


async def test_a_rematch_starts_when_all_agree() -> None:
    site = InMemorySite()
    table, pages = await over(site, "Ada", "Ben", "Cleo", "bot")
    await table.rematch("Ben")
    assert [pages["Ada"].last[key] for key in ("type", "seat", "waiting")] == ["asking", 1, [0, 2]]
    assert pages["Ada"].last["wish"] == {"type": "play-again"}
    assert table.info("Ada").again == (0, 2)
    await table.rematch("Ben")
    assert number(table) == 0, "repeated requests count once"
    await table.rematch("Ada")
    assert (number(table), table.info("Cleo").again) == (0, (2,))
    await table.handle(pages["Cleo"], Consent(True))
    assert number(table) == 1
    assert (pages["Ada"].last["type"], table.info("Ada").again) == ("welcome", ())
    assert [seat.bot for seat in table.info("Ada").seats] == [None, None, None, "first"], "bots stay"


async def test_a_refusal_closes_the_rematch_request() -> None:
    site = InMemorySite()
    table, pages = await over(site, "Ada", "Ben")
    await table.rematch("Ada")
    await table.handle(pages["Ben"], Consent(False))
    assert (pages["Ada"].last["waiting"], table.info("Ada").again, number(table)) == ([], (), 0)
    await table.rematch("Ben")
    assert table.info("Ada").again == (0,)


async def test_a_rematch_needs_no_answer_of_players_who_left_or_have_a_stand_in() -> None:
    site = InMemorySite()
    table, pages = await over(site, "Ada", "Ben", "Cleo")
    await table.rematch("Ada")
    await table.change_seat("Cleo", 2, Leave())
    assert (number(table), pages["Ada"].last["type"]) == (0, "people")
    table.depart(pages["Ben"])
    site.clock.advance(ABSENCE_SECONDS)
    await table.change_seat("Ada", 1, PutBot("first"))
    assert number(table) == 1


async def test_a_rematch_among_bots_starts_at_once() -> None:
    site = InMemorySite()
    table, _ = await over(site, "Ada", "Ada", "bot")
    await table.rematch("Ada")
    assert number(table) == 1
