"""Each change sends one message with what a guest may see."""

import msgspec
import pytest

from polyopolis.play.match.messages import AskReason, AskTakeback, Consent, Preview, Retract
from polyopolis.play.wire.requests import HandOver
from tests.play.in_memory_site import InMemorySite, Message, Page, act, send_action, settle

pytestmark = pytest.mark.anyio


async def test_an_arrival_sends_one_message_to_each_guest() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    assert [message["type"] for message in ada.messages] == ["welcome"]
    assert [mine["seat"] for mine in ada.last["mine"]] == [0]
    ada.clear()
    ben = await site.arrived(table, "Ben")
    assert [message["type"] for message in ada.messages] == ["people"]
    assert [message["type"] for message in ben.messages] == ["welcome"]


async def test_every_change_of_a_match_is_one_message() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada, ben, eve = [await site.arrived(table, person) for person in ("Ada", "Ben", None)]
    pages = (ada, ben, eve)

    def kinds() -> list[list[str]]:
        found = [[message["type"] for message in page.messages] for page in pages]
        for page in pages:
            page.clear()
        return found

    kinds()
    await act(table, ada, 0)
    assert kinds() == [["decided"]] * 3
    await table.handle(ada, Retract(0, 1))
    assert kinds() == [["decided"]] * 3
    await act(table, ada, 0)
    kinds()
    await act(table, ben, 1)
    assert kinds() == [["news"]] * 3
    await table.handle(ada, AskTakeback(0))
    assert kinds() == [["asking"]] * 3
    await table.handle(ben, Consent(True))
    assert kinds() == [["news"]] * 3
    await table.change_seat("Ben", 1, HandOver("Bea"))
    assert kinds() == [["people"]] * 3
    await send_action(table, ada, 0, {"type": "dance"})
    assert kinds() == [["refused"], [], []]
    await table.handle(ada, Retract(0, 0))
    assert kinds() == [["yours"], [], []]


async def test_news_contain_the_complete_scene() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada, ben = [await site.arrived(table, person) for person in ("Ada", "Ben")]
    await act(table, ada, 0)
    assert (ben.last["due"], ben.last["decided"], ben.last["mine"]) == ([1], [0], [])
    assert (ada.last["mine"][0]["staged"], ada.last["mine"][0]["turn"]) != (None, 0)
    await act(table, ben, 1)
    scene, mine = ben.last["scene"], ben.last["mine"]
    assert (scene["due"], scene["decided"], scene["match"]["over"]) == ([0, 1], [], False)
    assert scene["result"]["scores"] == scene["view"]["table"]["result"]["scores"]
    assert mine[0]["choices"]


async def test_news_contain_reasons_for_barred_actions() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    (mine,) = ada.last["mine"]
    choices = {choice["type"] for choice in mine["choices"]}
    barred = {bar["action"]["type"]: bar["reason"]["code"] for bar in mine["barred"]}
    assert not choices & barred.keys()
    for action, code in barred.items():
        await table.handle(ada, AskReason(1, 0, {"type": action}))
        assert ada.last["reason"]["code"] == code
    assert barred, "passing is not possible in the first round"


async def test_a_preview_does_not_change_the_match() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben")
    ada = await site.arrived(table, "Ada")
    choice = next(choice for choice in ada.last["mine"][0]["choices"] if choice["type"] == "place")
    before = ada.last["scene"]["view"]
    await table.handle(ada, Preview(1, 0, choice))
    shown = ada.last
    assert shown["events"][0]["type"] == "built"
    assert shown["view"]["table"]["cities"][0] != before["table"]["cities"][0]
    assert {change["line"] for change in shown["changes"]} >= {"empty"}
    assert table.session
    assert table.session.live.match.staged == {}


async def test_public_views_are_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    site = InMemorySite()
    table = await site.table("Ada", "bot")
    ada = await site.arrived(table, "Ada")
    spectators = [await site.arrived(table, f"spectator {number}") for number in range(50)]
    await settle()
    written = 0
    encode = msgspec.json.encode

    def counted(value: object) -> bytes:
        nonlocal written
        written += 1
        return encode(value)

    monkeypatch.setattr("msgspec.json.encode", counted)
    site.bot_service.may_decide.clear()
    for page in spectators:
        page.clear()
    await act(table, ada, 0)
    assert len({page.sent[-1] for page in spectators}) == 1
    assert written < 20, "once for each kind of guest, not once for each guest"


async def test_seat_views_show_if_a_takeback_is_possible() -> None:
    site = InMemorySite()
    table = await site.table("Ada", "Ben", game="pointcity", setup={})
    ada, ben = [await site.arrived(table, person) for person in ("Ada", "Ben")]
    pages = {0: ada, 1: ben}
    assert table.session
    first = table.session.live.due[0]
    assert len(table.session.live.match.moves) > 1, "the market is dealt"
    assert not any(_mine(page, seat)["played"] for seat, page in pages.items())
    await act(table, pages[first], first)
    assert _mine(pages[first], first)["played"]
    assert not _mine(pages[1 - first], 1 - first)["played"]


def _mine(page: Page, seat: int) -> Message:
    return next(mine for told in reversed(page.messages) for mine in told.get("mine", ()) if mine["seat"] == seat)
