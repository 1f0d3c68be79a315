"""A hint that comes too late is dropped, and a seat gets one at a time."""

import pytest

from polyopolis.play.match.messages import Act, AskHint
from tests.play.in_memory_site import House, Message, Page, settle

pytestmark = pytest.mark.anyio


def hints(page: Page) -> list[Message]:
    return [message for message in page.heard if message["type"] == "hint"]


async def test_an_answer_that_comes_too_late_is_dropped() -> None:
    house = House()
    house.thinker.may.clear()
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    await table.handle(ada, AskHint(1, 0))
    await table.handle(ada, Act(0, 0, {"type": "stop"}))
    house.thinker.may.set()
    await settle()
    assert hints(ada) == [{"type": "hint", "ask": 1, "explanation": None, "reason": None}]


async def test_a_seat_gets_one_hint_at_a_time() -> None:
    house = House()
    house.thinker.may.clear()
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    await table.handle(ada, AskHint(1, 0))
    await table.handle(ada, AskHint(2, 0))
    assert [(hint["ask"], hint["reason"]["code"]) for hint in hints(ada)] == [(2, "hint-on-its-way")]
    house.thinker.may.set()
    await settle()
    assert hints(ada)[-1]["explanation"]["bot"] == "first"
