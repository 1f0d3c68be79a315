"""Turns of bots: retries, restarts and stand-ins."""

from typing import Any

import pytest

from polyopolis.games import spec_of
from polyopolis.play.entities import MatchUpdate, TableChange
from polyopolis.play.errors import Forbidden
from polyopolis.play.in_memory import InMemoryMatchRepository
from polyopolis.play.match import bot_turns
from polyopolis.play.match.messages import AskTakeback, Consent
from polyopolis.play.wire.requests import PutBot, ReclaimSeat
from tests.play.in_memory_site import ABSENCE_SECONDS, InMemorySite, Message, Page, act, settle, until

pytestmark = pytest.mark.anyio


class LockedRepository(InMemoryMatchRepository):
    """A repository whose first writes fail."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def append(self, table: str, happened: MatchUpdate, entry: TableChange) -> None:
        if self.times:
            self.times -= 1
            raise OSError("database is locked")
        await super().append(table, happened, entry)


async def test_a_bot_retries_a_decision_that_was_not_persisted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot_turns, "MIN_RETRY_SECONDS", 0.001)
    site = InMemorySite(LockedRepository(times=3))
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    await until(lambda: ada.last["type"] == "decided")
    assert ada.last["decided"] == [1]


async def test_bots_resume_after_a_restart_without_guests() -> None:
    site = InMemorySite()
    site.bot_service.may_decide.clear()
    table = (await site.table("Ada", "bot")).id
    again = InMemorySite(site.repository)
    await again.lobby.nodes.adopt_bots()
    await settle()
    kept = await again.repository.match(table, 0)
    assert kept
    assert [turn.seat for turn in kept.turns if turn.staged] == [1]


async def test_a_player_is_not_replaceable_right_after_leaving() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada, ben = [await site.arrived(table, person) for person in ("Ada", "Ben")]
    site.clock.advance(3600)
    table.depart(ben)
    site.clock.advance(ABSENCE_SECONDS - 1)
    with pytest.raises(Forbidden, match="was a moment ago"):
        await table.change_seat("Ada", 1, PutBot("first"))
    site.clock.advance(1)
    await table.change_seat("Ada", 1, PutBot("first"))
    assert ada.last["table"]["seats"][1]["bot"] == "first"


async def test_an_absence_starts_when_a_player_takes_a_seat() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "open")
    site.clock.advance(3600)
    again = await site.lobby.tables.table(table.id)
    await again.give_seat(1, "Ben", "Ben")
    with pytest.raises(Forbidden):
        await again.change_seat("Ada", 1, PutBot("first"))


async def test_a_takeback_past_a_reveal_needs_absent_players_too() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada, ben = [await site.arrived(table, person) for person in ("Ada", "Ben")]
    await act(table, ada, 0)
    await act(table, ben, 1)
    table.depart(ben)
    site.clock.advance(ABSENCE_SECONDS)
    site.bot_service.may_decide.clear()
    await table.change_seat("Ada", 1, PutBot("first"))
    ada.clear()
    await table.handle(ada, AskTakeback(0))
    assert (ada.last["type"], ada.last["waiting"]) == ("asking", [1])
    back = await site.arrived(table, "Ben")
    assert back.messages[0]["asked"]["waiting"] == [1]
    await table.handle(back, Consent(True))
    assert ada.last["type"] == "news"
    assert ada.last["scene"]["back"]


async def test_a_bot_decision_after_a_change_of_seats_is_ignored() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada, ben = [await site.arrived(table, person) for person in ("Ada", "Ben")]
    site.clock.advance(ABSENCE_SECONDS)
    table.depart(ben)
    site.clock.advance(ABSENCE_SECONDS)
    site.bot_service.may_decide.clear()
    await table.change_seat("Ada", 1, PutBot("first"))
    await settle()
    await table.change_seat("Ben", 1, ReclaimSeat())
    site.bot_service.may_decide.set()
    await settle()
    assert table.session
    assert table.session.live.match.staged == {}
    assert ada.last["table"]["seats"][1]["bot"] is None


# Stand-ins


def _campaign() -> dict[str, Any]:
    sign = spec_of("mycity")
    setup = {"mode": "episode", "episode": 1, "play": "campaign"}
    return {"setup": setup, "plan": sign.plans(sign.versions[-1])["campaign"]}


def _last_scene(page: Page) -> Message:
    found: Message = next(message["scene"] for message in reversed(page.messages) if "scene" in message)
    return found


async def test_only_stand_ins_pause_before_a_decision() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot")
    await settle()
    assert site.clock.pauses == []
    await table.change_seat("Ada", 0, PutBot("first"))
    await settle()
    assert table.session
    assert table.session.live.turns.get(0, 0) == 0, "a stand-in pauses first"
    assert site.clock.pauses == [bot_turns.STAND_IN_DELAY_SECONDS]
    site.clock.release()
    await settle()
    assert table.session.live.turns.get(0, 0) == 1


async def test_stand_ins_leave_lasting_decisions_to_the_player() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot", **_campaign())
    ada = await site.arrived(table, "Ada")
    await table.change_seat("Ada", 0, PutBot("first"))
    site.clock.held = False
    await settle(2000)
    assert table.session
    live = table.session.live
    assert live.match.state.asks == "reward"
    assert live.due == (0,), "the bot in its own seat has decided"
    assert _last_scene(ada)["lasting"]
    await table.change_seat("Ada", 0, ReclaimSeat())
    while not live.match.over:
        await act(table, ada, 0)
    assert not _last_scene(ada)["lasting"]


# Tables without guests, and failing bots


async def test_a_table_of_bots_pauses_without_spectators() -> None:
    site = InMemorySite()
    table = await site.table("bot", "bot")
    await settle()
    assert site.bot_service.asked == []
    ada = await site.arrived(table, "Ada")
    await settle()
    assert ada.last["scene"]["moves"] > 1
    table.depart(ada)
    await settle()
    seen = len(site.bot_service.asked)
    await settle()
    assert len(site.bot_service.asked) <= seen + 2, "at most the running turns"


async def test_a_bot_request_names_the_players_and_whether_they_watch() -> None:
    site = InMemorySite()
    site.bot_service.may_decide.clear()
    table = await site.table("Ada", "bot")
    await settle()
    question = site.bot_service.asked[0]
    assert question.people == ("Ada",)
    assert not question.watched()
    await site.arrived(table, "Ada")
    assert question.watched()


async def test_all_guests_are_informed_if_another_bot_decided() -> None:
    site = InMemorySite()
    site.bot_service.may_decide.clear()
    site.bot_service.decides = "last"
    table = await site.table("Ada", "bot")
    ada, looking_on = await site.arrived(table, "Ada"), await site.arrived(table, "Ben")
    site.bot_service.may_decide.set()
    await settle()
    for page in (ada, looking_on):
        assert page.last == {"type": "stood-in", "seat": 1, "bot": "first", "by": "last"}
