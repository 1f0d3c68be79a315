"""Hints."""

import pytest

from polyopolis.play.match.messages import Act, AskHint
from tests.play.in_memory_site import InMemorySite, Message, Page, settle

pytestmark = pytest.mark.anyio


def hints(page: Page) -> list[Message]:
    return [message for message in page.messages if message["type"] == "hint"]


async def test_a_late_hint_is_empty() -> None:
    site = InMemorySite()
    site.bot_service.may_decide.clear()
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    await table.handle(ada, AskHint(1, 0))
    await table.handle(ada, Act(0, 0, {"type": "stop"}))
    site.bot_service.may_decide.set()
    await settle()
    assert hints(ada) == [{"type": "hint", "ask": 1, "explanation": None, "reason": None}]


async def test_a_seat_gets_one_hint_at_a_time() -> None:
    site = InMemorySite()
    site.bot_service.may_decide.clear()
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    await table.handle(ada, AskHint(1, 0))
    await table.handle(ada, AskHint(2, 0))
    assert [(hint["ask"], hint["reason"]["code"]) for hint in hints(ada)] == [(2, "hint-on-its-way")]
    site.bot_service.may_decide.set()
    await settle()
    assert hints(ada)[-1]["explanation"]["bot"] == "first"
