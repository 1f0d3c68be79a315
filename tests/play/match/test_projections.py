"""One change is one message, and everybody is told what they may know."""

import msgspec
import pytest

from polyopolis.play.match.messages import AskTakeback, Consent, Preview, Retract, Why
from polyopolis.play.wire.requests import HandOver
from tests.play.in_memory_site import House, Message, Page, act, say, settle

pytestmark = pytest.mark.anyio


async def test_an_arrival_is_one_message_to_the_guest_and_one_to_each_of_the_others() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    assert [message["type"] for message in ada.heard] == ["welcome"]
    assert [mine["seat"] for mine in ada.last["mine"]] == [0]
    ada.forget()
    ben = await house.arrived(table, "Ben")
    assert [message["type"] for message in ada.heard] == ["people"]
    assert [message["type"] for message in ben.heard] == ["welcome"]


async def test_every_change_of_a_match_is_one_message() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada, ben, eve = [await house.arrived(table, person) for person in ("Ada", "Ben", None)]
    pages = (ada, ben, eve)

    def kinds() -> list[list[str]]:
        found = [[message["type"] for message in page.heard] for page in pages]
        for page in pages:
            page.forget()
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
    await say(table, ada, 0, {"type": "dance"})
    assert kinds() == [["refused"], [], []]
    await table.handle(ada, Retract(0, 0))
    assert kinds() == [["yours"], [], []]


async def test_news_say_all_that_a_page_needs() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada, ben = [await house.arrived(table, person) for person in ("Ada", "Ben")]
    await act(table, ada, 0)
    assert (ben.last["due"], ben.last["decided"], ben.last["mine"]) == ([1], [0], [])
    assert (ada.last["mine"][0]["staged"], ada.last["mine"][0]["turn"]) != (None, 0)
    await act(table, ben, 1)
    scene, mine = ben.last["scene"], ben.last["mine"]
    assert (scene["due"], scene["decided"], scene["match"]["over"]) == ([0, 1], [], False)
    assert scene["result"]["scores"] == scene["view"]["table"]["result"]["scores"]
    assert mine[0]["choices"]


async def test_who_may_not_pass_is_told_why_with_the_news() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    (mine,) = ada.last["mine"]
    choices = {choice["type"] for choice in mine["choices"]}
    barred = {bar["action"]["type"]: bar["reason"]["code"] for bar in mine["barred"]}
    assert not choices & barred.keys()
    for action, code in barred.items():
        await table.handle(ada, Why(1, 0, {"type": action}))
        assert ada.last["reason"]["code"] == code
    assert barred, "in the first round nobody can pass"


async def test_a_preview_tells_what_would_happen_and_plays_nothing() -> None:
    house = House()
    table = await house.table("Ada", "Ben")
    ada = await house.arrived(table, "Ada")
    choice = next(choice for choice in ada.last["mine"][0]["choices"] if choice["type"] == "place")
    before = ada.last["scene"]["view"]
    await table.handle(ada, Preview(1, 0, choice))
    shown = ada.last
    assert shown["events"][0]["type"] == "built"
    assert shown["view"]["table"]["cities"][0] != before["table"]["cities"][0]
    assert {change["line"] for change in shown["changes"]} >= {"empty"}
    assert table.session
    assert table.session.live.match.staged == {}


async def test_what_all_may_know_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    house = House()
    table = await house.table("Ada", "bot")
    ada = await house.arrived(table, "Ada")
    spectators = [await house.arrived(table, f"spectator {number}") for number in range(50)]
    await settle()
    written = 0
    encode = msgspec.json.encode

    def counted(value: object) -> bytes:
        nonlocal written
        written += 1
        return encode(value)

    monkeypatch.setattr("msgspec.json.encode", counted)
    house.thinker.may.clear()
    for page in spectators:
        page.forget()
    await act(table, ada, 0)
    assert len({page.told[-1] for page in spectators}) == 1
    assert written < 20, "once for each kind of guest, not once for each guest"


async def test_a_seat_is_told_whether_there_is_something_to_take_back() -> None:
    house = House()
    table = await house.table("Ada", "Ben", game="pointcity", setup={})
    ada, ben = [await house.arrived(table, person) for person in ("Ada", "Ben")]
    pages = {0: ada, 1: ben}
    assert table.session
    first = table.session.live.due[0]
    assert len(table.session.live.match.moves) > 1, "chance has laid the market out"
    assert not any(_mine(page, seat)["played"] for seat, page in pages.items())
    await act(table, pages[first], first)
    assert _mine(pages[first], first)["played"]
    assert not _mine(pages[1 - first], 1 - first)["played"]


def _mine(page: Page, seat: int) -> Message:
    return next(mine for told in reversed(page.heard) for mine in told.get("mine", ()) if mine["seat"] == seat)
