"""Premoves."""

from pathlib import Path
from typing import Any

import pytest

from polyopolis.engine import CHANCE
from polyopolis.play.match import premoves
from polyopolis.play.match.messages import AskFuture, DiscardPremove, PreparePremove, Retract
from polyopolis.play.table.table import Table
from polyopolis.play.timing.pace import Correspondence, LivePace
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from tests.play.in_memory_site import InMemorySite, Message, Page, act, settle, until
from tests.play.lobby.test_two_nodes import TwoNodes

pytestmark = pytest.mark.anyio
DAYS = Correspondence(2, 1)
BLOCKING = 1
"""A card after which no seat is due."""


async def seated(site: InMemorySite, pace: Any = DAYS, **wish: Any) -> tuple[Table, Page, Page]:
    table = await site.table("Ada", "Ben", pace=pace, seed="pear", **wish)
    return table, await site.arrived(table, "Ada"), await site.arrived(table, "Ben")


async def foreseen(table: Table, page: Page, seat: int, luck: Any = None) -> Message:
    await table.handle(page, AskFuture(7, seat, luck))
    return page.last


def next_luck(table: Table) -> Message:
    """The next chance event, which no player can know."""
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


async def test_foreseen_positions_assume_minimal_decisions_of_others() -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site)
    assert (await foreseen(table, ada, 0))["lucks"] == [], "premoves require a decision"
    await act(table, ada, 0)
    assert ada.last["mine"][0]["foresees"]
    lucks = (await foreseen(table, ada, 0))["lucks"]
    assert len(lucks) == 27 - BLOCKING
    future = await foreseen(table, ada, 0, lucks[3])
    assert future["choices"]
    assert future["view"]["table"]["cities"][0] != future["view"]["table"]["cities"][1]
    assert (await foreseen(table, ada, 0, {"type": "reveal", "card": "nonsense"}))["choices"] == []


async def test_premoves_require_correspondence() -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site, LivePace(5, 10))
    await act(table, ada, 0)
    assert not ada.last["mine"][0]["foresees"]
    assert (await foreseen(table, ada, 0))["lucks"] == []


async def prepared(table: Table, page: Page, luck: Message, choice: int = 0) -> Message:
    """Ada prepares a decision for the next chance event."""
    found: Message = (await foreseen(table, page, 0, luck))["choices"][choice]
    await table.handle(page, PreparePremove(0, luck, found))
    return found


async def test_a_premove_is_played_without_using_time() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site)
    await act(table, ada, 0)
    luck = next_luck(table)
    wanted = await prepared(table, ada, luck)
    await prepared(table, ada, next(other for other in (await foreseen(table, ada, 0))["lucks"] if other != luck))
    assert len(ada.last["mine"][0]["prepared"]) == 2
    table.depart(ada)
    site.clock.advance(86_400)
    await act(table, ben, 1)
    await settle()
    assert ben.last["type"] == "decided"
    assert (ben.last["decided"], ben.last["due"]) == ([0], [1])
    await act(table, ben, 1)
    await settle()
    assert moves_of(table, 0)[1] == wanted
    back = await site.arrived(table, "Ada")
    assert len(back.messages[0]["mine"][0]["prepared"]) == 1, "other premoves stay"
    clock = back.messages[0]["clocks"]["seats"][0]
    assert clock["left"] == 3 * 86_400_000


async def test_an_impossible_premove_is_dropped_with_a_reason() -> None:
    site = InMemorySite()
    table, ada, ben = await seated(site)
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
    ben.clear()
    await act(table, ben, 1)
    await settle()
    plan = ada.last["mine"][0]["prepared"][0]
    assert plan["dropped"]["code"]
    assert 0 in table.session.live.due
    assert [message["type"] for message in ben.messages] == ["news"], "other players do not see it"
    await table.handle(ada, DiscardPremove(0, luck))
    assert ada.last["mine"][0]["prepared"] == []


async def test_only_possible_actions_can_be_prepared() -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site)
    await act(table, ada, 0)
    await table.handle(ada, PreparePremove(0, next_luck(table), {"type": "place", "cells": ["a1"]}))
    assert ada.last["reason"]["code"] == "not-to-be-prepared"
    await table.handle(ada, PreparePremove(1, next_luck(table), {"type": "pass"}))
    assert ada.last["reason"]["code"] == "not-your-seat"


async def test_premoves_survive_a_restart(tmp_path: Path) -> None:
    """Also if the server dies between the move that makes it due and the decision."""
    store = DatabaseMatchRepository(tmp_path / "polyopolis.sqlite")
    await store.open()
    site = InMemorySite(store)
    table, ada, ben = await seated(site)
    await act(table, ada, 0)
    wanted = await prepared(table, ada, next_luck(table))
    setattr(table, "wake", lambda: None)  # noqa: B010 - the server dies
    await act(table, ben, 1)
    assert len(moves_of(table, 0)) == 1
    row = await store.table(table.id)
    assert row
    assert row.node, "the next node finds the due premove"
    again = InMemorySite(store)
    await again.lobby.nodes.adopt_bots()
    found = await again.lobby.tables.table(table.id)
    await until(lambda: bool(found.session and found.session.live.match.staged))
    assert found.session
    assert premoves.to_json_value(found.session.live.match.staged[0]) == wanted
    await store.close()


async def test_a_premove_can_be_played_at_another_node() -> None:
    town = TwoNodes()
    here, there = await town.table("Ada", "Ben", pace=DAYS, seed="pear")
    ada, ben = await town.one.arrived(here, "Ada"), await town.two.arrived(there, "Ben")
    second = await town.two.arrived(there, "Ada")
    await act(here, ada, 0)
    await settle()
    wanted = await prepared(here, ada, next_luck(here))
    await settle()
    assert second.last["mine"][0]["prepared"], "on all her pages"
    await act(there, ben, 1)
    await settle()
    for table in (here, there):
        assert table.session
        assert premoves.to_json_value(table.session.live.match.staged[0]) == wanted
        assert table.session.live.match.moves[-1].seat == CHANCE


async def test_the_number_of_premoves_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table, ada, _ = await seated(site)
    await act(table, ada, 0)
    lucks = (await foreseen(table, ada, 0))["lucks"]
    monkeypatch.setattr(premoves, "MAX_PREMOVES", 2)
    for luck in lucks[:2]:
        await prepared(table, ada, luck)
    another = await prepared(table, ada, lucks[0], 1)
    assert another in [one["action"] for one in ada.last["mine"][0]["prepared"]], "a premove can be replaced"
    await prepared(table, ada, lucks[2])
    assert (ada.last["type"], ada.last["reason"]["code"]) == ("refused", "too-many-prepared")
    await table.handle(ada, DiscardPremove(0, lucks[0]))
    await prepared(table, ada, lucks[2])
    assert len(ada.last["mine"][0]["prepared"]) == 2


# Games with turns


async def by_turns(site: InMemorySite) -> tuple[Table, dict[int, Page], int, int]:
    """A table of Point City: the waiting seat and the seat whose turn it is."""
    table = await site.table("Ada", "Ben", pace=DAYS, seed="pear", game="pointcity", setup={})
    pages = {seat: await site.arrived(table, name) for seat, name in enumerate(("Ada", "Ben"))}
    assert table.session
    (plays,) = table.session.live.due
    return table, pages, 1 - plays, plays


def cells_of(action: Message) -> set[str]:
    return set(action.get("cells", ()))


async def test_a_prepared_turn_is_played_if_its_cards_are_still_there() -> None:
    site = InMemorySite()
    table, pages, waits, plays = await by_turns(site)
    await table.handle(pages[plays], AskFuture(7, plays))
    assert pages[plays].last["lucks"] == [], "the player whose turn it is cannot prepare"
    await table.handle(pages[waits], AskFuture(7, waits))
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
    pages[plays].clear()
    await table.handle(pages[waits], PreparePremove(waits, premoves.TURN, wanted))
    assert pages[waits].last["mine"][0]["prepared"][0]["action"] == wanted
    assert pages[plays].messages == [], "other players do not see it"
    await act(table, pages[plays], plays, theirs)
    await settle()
    assert wanted in moves_of(table, waits)
    assert pages[waits].last["mine"][0]["prepared"] == []


async def test_a_prepared_turn_is_dropped_if_its_cards_were_replaced() -> None:
    site = InMemorySite()
    table, pages, waits, plays = await by_turns(site)
    assert table.session
    live = table.session.live
    theirs, taken = next(
        (number, premoves.to_json_value(action))
        for number, action in enumerate(live.game.legal(live.match.state, plays))
        if premoves.to_json_value(action)["type"] == "take"
    )
    await table.handle(pages[waits], PreparePremove(waits, premoves.TURN, taken))
    await act(table, pages[plays], plays, theirs)
    await settle()
    assert moves_of(table, waits) == []
    (plan,) = pages[waits].last["mine"][0]["prepared"]
    assert plan["dropped"]["code"]
    assert live.due == (waits,)
    await act(table, pages[waits], waits)
    await settle()
    assert len(moves_of(table, waits)) == 1, "dropped premoves are not retried"
