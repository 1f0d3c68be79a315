"""Decisions that are prepared: played when their time comes, or dropped, and kept over restarts."""

from pathlib import Path
from typing import Any

import pytest

from polyopolis.engine import CHANCE
from polyopolis.play.match import premoves
from polyopolis.play.match.messages import Foresee, Forget, Prepare, Retract
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import Correspondence, LivePace
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import House, Message, Page, act, settle, until
from tests.play.lobby.test_two_nodes import Town

pytestmark = pytest.mark.anyio
DAYS = Correspondence(2, 1)
BLOCKING = 1
"""A card after which nobody decides."""


async def seated(house: House, pace: Any = DAYS, **wish: Any) -> tuple[Table, Page, Page]:
    table = await house.table("Ada", "Ben", pace=pace, seed="pear", **wish)
    return table, await house.arrived(table, "Ada"), await house.arrived(table, "Ben")


async def foreseen(table: Table, page: Page, seat: int, luck: Any = None) -> Message:
    await table.handle(page, Foresee(7, seat, luck))
    return page.last


def next_luck(table: Table) -> Message:
    """What will come: nobody at the table can know it."""
    assert table.session
    live = table.session.live
    match = live.match
    for seat in sorted(match.due):
        match = match.decide(seat, live.game.legal(match.state, seat)[0])
    found: Message = premoves.to_json_value(live.deal(match).moves[-1].action)
    return found


def moves_of(table: Table, seat: int) -> list[Message]:
    assert table.session
    return [premoves.to_json_value(move.action) for move in table.session.live.match.moves if move.seat == seat]


async def test_what_may_come_is_listed_and_looks_as_if_others_did_nothing() -> None:
    house = House()
    table, ada, _ = await seated(house)
    assert (await foreseen(table, ada, 0))["lucks"] == [], "nobody prepares before deciding"
    await act(table, ada, 0)
    assert ada.last["mine"][0]["foresees"]
    lucks = (await foreseen(table, ada, 0))["lucks"]
    assert len(lucks) == 27 - BLOCKING
    future = await foreseen(table, ada, 0, lucks[3])
    assert future["choices"]
    assert future["view"]["table"]["cities"][0] != future["view"]["table"]["cities"][1]
    assert (await foreseen(table, ada, 0, {"type": "reveal", "card": "nonsense"}))["choices"] == []


async def test_it_is_for_correspondence() -> None:
    house = House()
    table, ada, _ = await seated(house, LivePace(5, 10))
    await act(table, ada, 0)
    assert not ada.last["mine"][0]["foresees"]
    assert (await foreseen(table, ada, 0))["lucks"] == []


async def prepared(table: Table, page: Page, luck: Message, choice: int = 0) -> Message:
    """Ada decides for what comes."""
    found: Message = (await foreseen(table, page, 0, luck))["choices"][choice]
    await table.handle(page, Prepare(0, luck, found))
    return found


async def test_what_was_prepared_is_played_when_it_comes_and_no_time_is_used() -> None:
    house = House()
    table, ada, ben = await seated(house)
    await act(table, ada, 0)
    luck = next_luck(table)
    wanted = await prepared(table, ada, luck)
    await prepared(table, ada, next(other for other in (await foreseen(table, ada, 0))["lucks"] if other != luck))
    assert len(ada.last["mine"][0]["prepared"]) == 2
    table.depart(ada)
    house.clock.pass_by(86_400)
    await act(table, ben, 1)
    await settle()
    assert ben.last["type"] == "decided"
    assert (ben.last["decided"], ben.last["due"]) == ([0], [1])
    await act(table, ben, 1)
    await settle()
    assert moves_of(table, 0)[1] == wanted
    back = await house.arrived(table, "Ada")
    assert len(back.heard[0]["mine"][0]["prepared"]) == 1, "what did not come waits on"
    clock = back.heard[0]["clocks"]["seats"][0]
    assert clock["left"] == 3 * 86_400_000


async def test_what_is_not_possible_any_more_is_dropped_and_its_owner_learns_why() -> None:
    house = House()
    table, ada, ben = await seated(house)
    await act(table, ada, 0)
    luck = next_luck(table)
    wanted = await prepared(table, ada, luck)
    assert table.session
    await table.handle(ada, Retract(0, table.session.live.turns[0]))
    legal = table.session.live.game.legal(table.session.live.match.state, 0)
    blocking = next(
        number
        for number, action in enumerate(legal)
        if set(premoves.to_json_value(action).get("cells", ())) & set(wanted["cells"])
    )
    await act(table, ada, 0, blocking)
    ben.forget()
    await act(table, ben, 1)
    await settle()
    plan = ada.last["mine"][0]["prepared"][0]
    assert plan["dropped"]["code"]
    assert 0 in table.session.live.due
    assert [message["type"] for message in ben.heard] == ["news"], "which is nobody else's business"
    await table.handle(ada, Forget(0, luck))
    assert ada.last["mine"][0]["prepared"] == []


async def test_only_what_could_be_done_is_prepared() -> None:
    house = House()
    table, ada, _ = await seated(house)
    await act(table, ada, 0)
    await table.handle(ada, Prepare(0, next_luck(table), {"type": "place", "cells": ["a1"]}))
    assert ada.last["reason"]["code"] == "not-to-be-prepared"
    await table.handle(ada, Prepare(1, next_luck(table), {"type": "pass"}))
    assert ada.last["reason"]["code"] == "not-your-seat"


async def test_it_is_kept_over_restarts_and_handed_in_by_whoever_opens_the_house(tmp_path: Path) -> None:
    """Even if the server dies between the move after which it is ready and the decision."""
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    house = House(store)
    table, ada, ben = await seated(house)
    await act(table, ada, 0)
    wanted = await prepared(table, ada, next_luck(table))
    setattr(table, "wake", lambda: None)  # noqa: B010 - it dies
    await act(table, ben, 1)
    assert len(moves_of(table, 0)) == 1
    row = await store.table(table.id)
    assert row
    assert row.node, "whoever comes next knows that there is something to do"
    again = House(store)
    await again.lobby.nodes.adopt_bots()
    found = await again.lobby.tables.table(table.id)
    await until(lambda: bool(found.session and found.session.live.match.staged))
    assert found.session
    assert premoves.to_json_value(found.session.live.match.staged[0]) == wanted
    await store.close()


async def test_it_is_prepared_at_one_node_and_handed_in_at_the_other() -> None:
    town = Town()
    here, there = await town.table("Ada", "Ben", pace=DAYS, seed="pear")
    ada, ben = await town.one.arrived(here, "Ada"), await town.two.arrived(there, "Ben")
    second = await town.two.arrived(there, "Ada")
    await act(here, ada, 0)
    await settle()
    wanted = await prepared(here, ada, next_luck(here))
    await settle()
    assert second.last["mine"][0]["prepared"], "on all screens of hers"
    await act(there, ben, 1)
    await settle()
    for table in (here, there):
        assert table.session
        assert premoves.to_json_value(table.session.live.match.staged[0]) == wanted
        assert table.session.live.match.moves[-1].seat == CHANCE


async def test_nobody_prepares_without_end_and_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    table, ada, _ = await seated(house)
    await act(table, ada, 0)
    lucks = (await foreseen(table, ada, 0))["lucks"]
    monkeypatch.setattr(premoves, "MAX_PREMOVES", 2)
    for luck in lucks[:2]:
        await prepared(table, ada, luck)
    another = await prepared(table, ada, lucks[0], 1)
    assert another in [one["action"] for one in ada.last["mine"][0]["prepared"]], "one is another in its place"
    await prepared(table, ada, lucks[2])
    assert (ada.last["type"], ada.last["reason"]["code"]) == ("refused", "too-many-prepared")
    await table.handle(ada, Forget(0, lucks[0]))
    await prepared(table, ada, lucks[2])
    assert len(ada.last["mine"][0]["prepared"]) == 2


# Where seats take turns


async def by_turns(house: House) -> tuple[Table, dict[int, Page], int, int]:
    """A table of Point City: who waits, and whose turn it is."""
    table = await house.table("Ada", "Ben", pace=DAYS, seed="pear", game="pointcity", setup={})
    pages = {seat: await house.arrived(table, name) for seat, name in enumerate(("Ada", "Ben"))}
    assert table.session
    (plays,) = table.session.live.due
    return table, pages, 1 - plays, plays


def cells_of(action: Message) -> set[str]:
    return set(action.get("cells", ()))


async def test_a_turn_is_planned_with_the_table_as_it_lies_and_played_if_that_is_still_there() -> None:
    house = House()
    table, pages, waits, plays = await by_turns(house)
    await table.handle(pages[plays], Foresee(7, plays))
    assert pages[plays].last["lucks"] == [], "whose turn it is decides"
    await table.handle(pages[waits], Foresee(7, waits))
    assert pages[waits].last["lucks"] == [premoves.TURN]
    future = await foreseen(table, pages[waits], waits, premoves.TURN)
    takes = [choice for choice in future["choices"] if choice["type"] == "take"]
    assert table.session
    live = table.session.live
    theirs = next(
        number
        for number, action in enumerate(live.game.legal(live.match.state, plays))
        if premoves.to_json_value(action)["type"] == "take"
    )
    taken = cells_of(premoves.to_json_value(live.game.legal(live.match.state, plays)[theirs]))
    wanted = next(choice for choice in takes if not cells_of(choice) & taken)
    pages[plays].forget()
    await table.handle(pages[waits], Prepare(waits, premoves.TURN, wanted))
    assert pages[waits].last["mine"][0]["prepared"][0]["action"] == wanted
    assert pages[plays].heard == [], "which is nobody else's business"
    await act(table, pages[plays], plays, theirs)
    await settle()
    assert wanted in moves_of(table, waits)
    assert pages[waits].last["mine"][0]["prepared"] == []


async def test_a_turn_whose_cards_are_gone_is_dropped_although_others_lie_there() -> None:
    house = House()
    table, pages, waits, plays = await by_turns(house)
    assert table.session
    live = table.session.live
    theirs, taken = next(
        (number, premoves.to_json_value(action))
        for number, action in enumerate(live.game.legal(live.match.state, plays))
        if premoves.to_json_value(action)["type"] == "take"
    )
    await table.handle(pages[waits], Prepare(waits, premoves.TURN, taken))
    await act(table, pages[plays], plays, theirs)
    await settle()
    assert moves_of(table, waits) == []
    (plan,) = pages[waits].last["mine"][0]["prepared"]
    assert plan["dropped"]["code"]
    assert live.due == (waits,)
    await act(table, pages[waits], waits)
    await settle()
    assert len(moves_of(table, waits)) == 1, "what was dropped is not tried again"
