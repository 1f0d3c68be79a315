"""Bots at a table: what was not kept is decided again, a restart ends no thought, and the absent are waited for."""

from typing import Any

import pytest

from polyopolis.games import spec_of
from polyopolis.play.entities import MatchUpdate, TableChange
from polyopolis.play.errors import Forbidden
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match import bot_turns
from polyopolis.play.match.messages import AskTakeback, Consent
from polyopolis.play.wire.requests import PutBot, Return
from tests.play.in_memory_site import ABSENCE, House, Message, Page, act, settle, until

pytestmark = pytest.mark.anyio


class Locked(InMemoryMatchRepository):
    """A keeper that is out of order some times."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        if self.times:
            self.times -= 1
            raise OSError("database is locked")
        await super().append(table, happened, entry)


async def test_a_bot_whose_decision_was_not_kept_decides_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "MIN_RETRY_SECONDS", 0.001)
    house = House(Locked(times=3))
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    await until(lambda: ada.last["type"] == "decided")
    assert ada.last["decided"] == [1]


async def test_after_a_restart_bots_go_on_without_anybody_looking() -> None:
    house = House()
    house.thinker.may.clear()
    table = (await house.table("Ada", "bot")).id
    again = House(house.keeper)
    await again.lobby.nodes.adopt_bots()
    await settle()
    kept = await again.keeper.match(table, 0)
    assert kept
    assert [turn.seat for turn in kept.turns if turn.staged] == [1]


async def test_nobody_is_replaced_a_moment_after_the_page_closed() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada, ben = [await house.arrived(table, person) for person in ("Ada", "Ben")]
    house.clock.pass_by(3600)
    table.depart(ben)
    house.clock.pass_by(ABSENCE - 1)
    with pytest.raises(Forbidden, match="was a moment ago"):
        await table.change_seat("Ada", 1, PutBot("first"))
    house.clock.pass_by(1)
    await table.change_seat("Ada", 1, PutBot("first"))
    assert ada.last["table"]["seats"][1]["bot"] == "first"


async def test_who_has_just_sat_down_is_expected() -> None:
    house = House()
    table = await house.table("Ada", "open")
    house.clock.pass_by(3600)
    again = await house.lobby.tables.table(table.id)
    await again.give_seat(1, "Ben", "Ben")
    with pytest.raises(Forbidden):
        await again.change_seat("Ada", 1, PutBot("first"))


async def test_going_back_past_a_reveal_needs_those_who_are_away_and_those_for_whom_a_bot_plays() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada, ben = [await house.arrived(table, person) for person in ("Ada", "Ben")]
    await act(table, ada, 0)
    await act(table, ben, 1)
    table.depart(ben)
    house.clock.pass_by(ABSENCE)
    house.thinker.may.clear()
    await table.change_seat("Ada", 1, PutBot("first"))
    ada.forget()
    await table.handle(ada, AskTakeback(0))
    assert (ada.last["type"], ada.last["waiting"]) == ("asking", [1])
    back = await house.arrived(table, "Ben")
    assert back.heard[0]["asked"]["waiting"] == [1]
    await table.handle(back, Consent(True))
    assert ada.last["type"] == "news"
    assert ada.last["scene"]["back"]


async def test_a_thought_that_came_too_late_changes_nothing() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada, ben = [await house.arrived(table, person) for person in ("Ada", "Ben")]
    house.clock.pass_by(ABSENCE)
    table.depart(ben)
    house.clock.pass_by(ABSENCE)
    house.thinker.may.clear()
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    await table.change_seat("Ben", 1, Return())
    house.thinker.may.set()
    await settle()
    assert table.session
    assert table.session.live.match.staged == {}
    assert ada.last["table"]["seats"][1]["bot"] is None


# A bot that plays in for somebody


def _campaign() -> dict[str, Any]:
    sign = spec_of("mycity")
    setup = {"mode": "episode", "episode": 1, "play": "campaign"}
    return {"setup": setup, "plan": sign.plans(sign.versions[-1])["campaign"]}


def _last_scene(page: Page) -> Message:
    found: Message = next(message["scene"] for message in reversed(page.heard) if "scene" in message)
    return found


async def test_a_bot_that_plays_in_can_be_followed_one_that_has_a_seat_is_quick() -> None:
    house = House()
    table = await house.table("Ada", "bot")
    await settle()
    assert house.clock.pauses == []
    await table.change_seat("Ada", 0, PutBot("first"))
    await settle()
    assert table.session
    assert table.session.live.turns.get(0, 0) == 0, "it pauses before it decides"
    assert house.clock.pauses == [bot_turns.STAND_IN_DELAY_SECONDS]
    house.clock.go_on()
    await settle()
    assert table.session.live.turns.get(0, 0) == 1


async def test_a_bot_that_plays_in_leaves_what_stays_for_good_to_its_person() -> None:
    house = House()
    table = await house.table("Ada", "bot", **_campaign())
    ada = await house.arrived(table, "Ada")
    await table.change_seat("Ada", 0, PutBot("first"))
    house.clock.held = False
    await settle(2000)
    assert table.session
    live = table.session.live
    assert live.match.state.asks == "reward"
    assert live.due == (0,), "the other seat is a bot's own, which decides on its own board"
    assert _last_scene(ada)["lasting"]
    await table.change_seat("Ada", 0, Return())
    while not live.match.over:
        await act(table, ada, 0)
    assert not _last_scene(ada)["lasting"]


# Bots that nobody sees, bots that fail


async def test_a_table_of_bots_sleeps_while_nobody_looks_on() -> None:
    house = House()
    table = await house.table("bot", "bot")
    await settle()
    assert house.thinker.asked == []
    ada = await house.arrived(table, "Ada")
    await settle()
    assert ada.last["scene"]["moves"] > 1
    table.depart(ada)
    await settle()
    seen = len(house.thinker.asked)
    await settle()
    assert len(house.thinker.asked) <= seen + 2, "at most what was being thought"


async def test_a_bot_is_asked_for_those_who_sit_there_and_knows_whether_they_look_on() -> None:
    house = House()
    house.thinker.may.clear()
    table = await house.table("Ada", "bot")
    await settle()
    question = house.thinker.asked[0]
    assert question.people == ("Ada",)
    assert not question.watched()
    await house.arrived(table, "Ada")
    assert question.watched()


async def test_all_are_told_when_another_bot_had_to_play() -> None:
    house = House()
    house.thinker.may.clear()
    house.thinker.decides = "last"
    table = await house.table("Ada", "bot")
    ada, looking_on = await house.arrived(table, "Ada"), await house.arrived(table, "Ben")
    house.thinker.may.set()
    await settle()
    for page in (ada, looking_on):
        assert page.last == {"type": "stood-in", "seat": 1, "bot": "first", "by": "last"}
