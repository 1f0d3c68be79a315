"""City names in the current match."""

import json
from typing import Any

import pytest

from polyopolis.games import spec_of
from polyopolis.play.wire.requests import NameCity
from tests.play.in_memory_site import InMemorySite, Page, act, settle

pytestmark = pytest.mark.anyio


def arms(page: Page) -> list[Any]:
    scene = next(message["scene"] for message in reversed(page.messages) if "scene" in message)
    return [(city["legacy"]["city"], city["legacy"]["animal"]) for city in scene["view"]["table"]["cities"]]


async def test_a_renamed_city_appears_in_the_current_match() -> None:
    site = InMemorySite()
    sign = spec_of("mycity")
    setup = {"mode": "episode", "episode": 1, "play": "campaign"}
    table = await site.table("Ada", "bot", setup=setup, plan=sign.plans(sign.versions[-1])["campaign"])
    ada = await site.arrived(table, "Ada")
    await act(table, ada, 0)
    await settle()
    assert table.session
    moves, before = table.session.live.match.moves, arms(ada)
    await table.change_seat("Ada", 0, NameCity("Ulm", "owl"))
    assert arms(ada) == [("Ulm", "owl"), before[1]]
    assert table.session.live.match.moves == moves, "moves are kept"
    await act(table, ada, 0)
    assert arms(ada)[0] == ("Ulm", "owl")
    kept = await site.repository.match(table.id, 0)
    assert kept
    assert json.loads(kept.row.setup)["boards"][0]["city"] == "Ulm"
