"""What people write and show to each other at a table: who hears it, and who does not want to."""

from typing import Any

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.social import chat, reactions
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Arrange, Ignore, Join, Leave, React
from tests.play.in_memory_site import House, Page, settle
from tests.play.lobby.test_two_nodes import Town, seated

pytestmark = pytest.mark.anyio


async def three(house: House) -> tuple[Table, dict[str, Page]]:
    table = await house.table("Ada", "Ben", "Cleo", "open")
    pages = {name: await house.arrived(table, name) for name in ("Ada", "Ben", "Cleo", "Eve")}
    for page in pages.values():
        page.forget()
    return table, pages


def said(page: Page) -> list[Any]:
    return [(each["remark"]["name"], each["remark"]["text"]) for each in page.heard if each["type"] == "said"]


def shown(page: Page) -> list[Any]:
    return [(each["seat"], each["reaction"]) for each in page.heard if each["type"] == "reacted"]


async def written(table: Table, person: str) -> list[str]:
    found = await chat.show(table.context, person, muted=False)
    return [remark.text for remark in found.remarks]


async def test_those_with_a_seat_write_and_read_and_nobody_else() -> None:
    house = House()
    table, pages = await three(house)
    remark = await chat.say(table.context, "Ben", "  Hello\n  all ", muted=False)
    assert (remark.seat, remark.name, remark.text, remark.yours) == (1, "Ben", "Hello all", True)
    assert {name: said(page) for name, page in pages.items()} == {
        "Ada": [("Ben", "Hello all")], "Ben": [("Ben", "Hello all")], "Cleo": [("Ben", "Hello all")], "Eve": [],
    }  # fmt: skip
    assert [page.last["remark"]["yours"] for page in (pages["Ada"], pages["Ben"])] == [False, True]
    assert await written(table, "Cleo") == ["Hello all"]
    for wrong in (chat.say(table.context, "Eve", "Me, too", muted=False), chat.show(table.context, "Eve", muted=False)):
        with pytest.raises(Forbidden, match="only players"):
            await wrong
    await table.change_seat("Eve", 3, Join("Eve"))
    assert await written(table, "Eve") == ["Hello all"], "whoever sits down reads what was said before"


@pytest.mark.parametrize("text", ["\u202eevil", "a\u0000b", "\u200b", " \n ", "\u2066x"])
async def test_what_nobody_can_see_is_refused(text: str) -> None:
    house = House()
    table, pages = await three(house)
    with pytest.raises(PolyopolisError, match="the remark"):
        await chat.say(table.context, "Ada", text, muted=False)
    assert said(pages["Ben"]) == []


async def test_a_chat_can_be_turned_off_for_a_table_and_for_a_house() -> None:
    house = House()
    table, pages = await three(house)
    await chat.say(table.context, "Ada", "Hello", muted=False)
    await table.arrange("Ada", Arrange(None, talk=False))
    with pytest.raises(Forbidden, match="chat is off"):
        await chat.say(table.context, "Ada", "Hello again", muted=False)
    assert await written(table, "Ada") == []
    assert pages["Ben"].last["table"]["talk"] is False
    quiet = House()
    object.__setattr__(quiet.lobby.nodes._services, "chat_enabled", False)
    silent = await quiet.table("Ada", "Ben")
    assert silent.info("Ada").talk is None
    with pytest.raises(Forbidden, match="chat is off"):
        await chat.say(silent.context, "Ada", "Hello", muted=False)


async def test_where_there_is_nobody_else_there_is_no_chat() -> None:
    house = House()
    object.__setattr__(house.lobby.nodes._services, "chat_repository", None)
    table = await house.table("Ada", "bot")
    with pytest.raises(NotFound):
        await chat.show(table.context, "Ada", muted=False)
    with pytest.raises(NotFound):
        await reactions.react(table.context, "Ada", React("wave", 0), muted=False)


async def test_a_sign_is_seen_by_all_who_look_on_and_made_by_those_with_a_seat() -> None:
    house = House()
    table, pages = await three(house)
    await reactions.react(table.context, "Ben", React("applause", 1), muted=False)
    assert [shown(page) for page in pages.values()] == [[(1, "applause")]] * 4
    for person, seat in (("Ben", 0), ("Eve", 3), ("Eve", 1)):
        with pytest.raises(Forbidden):
            await reactions.react(table.context, person, React("wave", seat), muted=False)


async def test_whoever_the_host_has_muted_is_told_so_and_not_heard() -> None:
    house = House()
    table, pages = await three(house)
    for wrong in (
        chat.say(table.context, "Ben", "Hello", muted=True),
        reactions.react(table.context, "Ben", React("wave", 1), muted=True),
    ):
        with pytest.raises(Forbidden, match="has muted you"):
            await wrong
    assert pages["Ada"].heard == []
    assert (await chat.show(table.context, "Ben", muted=True)).muted


async def test_each_reader_may_ignore_somebody_at_all_tables_and_hear_them_again() -> None:
    house = House()
    table, pages = await three(house)
    remark = await chat.say(table.context, "Ben", "Boo", muted=False)
    await chat.ignore(table.context, "Ada", Ignore(ignored=True, remark=remark.id))
    for page in pages.values():
        page.forget()
    await chat.say(table.context, "Ben", "Boo!", muted=False)
    await reactions.react(table.context, "Ben", React("wave", 1), muted=False)
    assert (said(pages["Ada"]), shown(pages["Ada"])) == ([], [])
    assert (said(pages["Cleo"]), shown(pages["Cleo"])) == ([("Ben", "Boo!")], [(1, "wave")])
    found = await chat.show(table.context, "Ada", muted=False)
    assert (found.ignored, [(each.text, each.ignored) for each in found.remarks]) == ((1,), [("", True)] * 2)
    other = await house.table("Ada", "Ben", "open")
    assert (await chat.show(other.context, "Ada", muted=False)).ignored == (1,)
    await chat.ignore(table.context, "Ada", Ignore(ignored=False, seat=1))
    assert await written(table, "Ada") == ["Boo", "Boo!"]
    for wish in (Ignore(ignored=True, seat=0), Ignore(ignored=True, seat=3)):
        with pytest.raises(Forbidden):
            await chat.ignore(table.context, "Ada", wish)


async def test_what_is_reported_goes_to_the_host_once_from_each() -> None:
    house = House()
    table, _ = await three(house)
    remark = await chat.say(table.context, "Ben", "Boo", muted=False)
    for person in ("Ada", "Ada", "Cleo"):
        await chat.report(table.context, person, remark.id)
    assert [(row.text, row.person, by) for row, by in house.notebook.reports] == [
        ("Boo", "Ben", "Ada"), ("Boo", "Ben", "Cleo"),
    ]  # fmt: skip
    with pytest.raises(Forbidden, match="your own"):
        await chat.report(table.context, "Ben", remark.id)
    elsewhere = await house.table("Ada", "Ben", "open")
    with pytest.raises(NotFound):
        await chat.report(elsewhere.context, "Ada", remark.id)


async def test_nobody_is_taken_for_whoever_sat_there_before() -> None:
    house = House()
    table, _ = await three(house)
    await chat.say(table.context, "Ben", "Bye", muted=False)
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat("Eve", 1, Join("Eve"))
    (remark,) = (await chat.show(table.context, "Ada", muted=False)).remarks
    assert (remark.seat, remark.name) == (None, "Ben")


async def test_what_is_said_at_one_node_is_heard_at_the_other() -> None:
    town = Town()
    here, _, ada, ben = await seated(town)
    await chat.say(here.context, "Ada", "Hello", muted=False)
    await reactions.react(here.context, "Ada", React("sorry", 0), muted=False)
    await settle()
    assert (said(ada), said(ben)) == ([("Ada", "Hello")], [("Ada", "Hello")])
    assert shown(ben) == [(0, "sorry")]
    await town.two.lobby.nodes.receive(here.id, "nonsense/0")
    await town.two.lobby.nodes.receive(here.id, "wave/9")
    assert shown(ben) == [(0, "sorry")]
