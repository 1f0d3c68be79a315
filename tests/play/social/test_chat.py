"""Chat and reactions: who receives them, and who ignores them."""

from typing import Any

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.social import chat, reactions
from polyopolis.play.table.table import Table
from polyopolis.play.wire.requests import Arrange, Ignore, Join, Leave, SendReaction
from tests.play.in_memory_site import InMemorySite, Page, settle
from tests.play.lobby.test_two_nodes import TwoNodes, seated

pytestmark = pytest.mark.anyio


async def three(site: InMemorySite) -> tuple[Table, dict[str, Page]]:
    table = await site.table("Ada", "Ben", "Cleo", "open")
    pages = {name: await site.arrived(table, name) for name in ("Ada", "Ben", "Cleo", "Eve")}
    for page in pages.values():
        page.clear()
    return table, pages


def said(page: Page) -> list[Any]:
    return [(each["remark"]["name"], each["remark"]["text"]) for each in page.messages if each["type"] == "said"]


def shown(page: Page) -> list[Any]:
    return [(each["seat"], each["reaction"]) for each in page.messages if each["type"] == "reacted"]


async def written(table: Table, person: str) -> list[str]:
    found = await chat.show(table.context, person, muted=False)
    return [remark.text for remark in found.remarks]


async def test_only_players_read_and_write_chat() -> None:
    site = InMemorySite()
    table, pages = await three(site)
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
    assert await written(table, "Eve") == ["Hello all"], "new players can read older remarks"


@pytest.mark.parametrize("text", ["\u202eevil", "a\u0000b", "\u200b", " \n ", "\u2066x"])
async def test_invisible_remarks_are_rejected(text: str) -> None:
    site = InMemorySite()
    table, pages = await three(site)
    with pytest.raises(PolyopolisError, match="the remark"):
        await chat.say(table.context, "Ada", text, muted=False)
    assert said(pages["Ben"]) == []


async def test_chat_can_be_disabled_for_a_table_and_for_a_site() -> None:
    site = InMemorySite()
    table, pages = await three(site)
    await chat.say(table.context, "Ada", "Hello", muted=False)
    await table.arrange("Ada", Arrange(None, talk=False))
    with pytest.raises(Forbidden, match="chat is off"):
        await chat.say(table.context, "Ada", "Hello again", muted=False)
    assert await written(table, "Ada") == []
    assert pages["Ben"].last["table"]["talk"] is False
    quiet = InMemorySite()
    object.__setattr__(quiet.lobby.nodes._services, "chat_enabled", False)
    silent = await quiet.table("Ada", "Ben")
    assert silent.info("Ada").talk is None
    with pytest.raises(Forbidden, match="chat is off"):
        await chat.say(silent.context, "Ada", "Hello", muted=False)


async def test_a_site_without_chat_has_no_remarks() -> None:
    site = InMemorySite()
    object.__setattr__(site.lobby.nodes._services, "chat_repository", None)
    table = await site.table("Ada", "bot")
    with pytest.raises(NotFound):
        await chat.show(table.context, "Ada", muted=False)
    with pytest.raises(NotFound):
        await reactions.react(table.context, "Ada", SendReaction("wave", 0), muted=False)


async def test_reactions_of_players_are_sent_to_all_guests() -> None:
    site = InMemorySite()
    table, pages = await three(site)
    await reactions.react(table.context, "Ben", SendReaction("applause", 1), muted=False)
    assert [shown(page) for page in pages.values()] == [[(1, "applause")]] * 4
    for person, seat in (("Ben", 0), ("Eve", 3), ("Eve", 1)):
        with pytest.raises(Forbidden):
            await reactions.react(table.context, person, SendReaction("wave", seat), muted=False)


async def test_muted_players_cannot_write_or_react() -> None:
    site = InMemorySite()
    table, pages = await three(site)
    for wrong in (
        chat.say(table.context, "Ben", "Hello", muted=True),
        reactions.react(table.context, "Ben", SendReaction("wave", 1), muted=True),
    ):
        with pytest.raises(Forbidden, match="has muted you"):
            await wrong
    assert pages["Ada"].messages == []
    assert (await chat.show(table.context, "Ben", muted=True)).muted


async def test_a_person_can_be_ignored_at_all_tables() -> None:
    site = InMemorySite()
    table, pages = await three(site)
    remark = await chat.say(table.context, "Ben", "Boo", muted=False)
    await chat.ignore(table.context, "Ada", Ignore(ignored=True, remark=remark.id))
    for page in pages.values():
        page.clear()
    await chat.say(table.context, "Ben", "Boo!", muted=False)
    await reactions.react(table.context, "Ben", SendReaction("wave", 1), muted=False)
    assert (said(pages["Ada"]), shown(pages["Ada"])) == ([], [])
    assert (said(pages["Cleo"]), shown(pages["Cleo"])) == ([("Ben", "Boo!")], [(1, "wave")])
    found = await chat.show(table.context, "Ada", muted=False)
    assert (found.ignored, [(each.text, each.ignored) for each in found.remarks]) == ((1,), [("", True)] * 2)
    other = await site.table("Ada", "Ben", "open")
    assert (await chat.show(other.context, "Ada", muted=False)).ignored == (1,)
    await chat.ignore(table.context, "Ada", Ignore(ignored=False, seat=1))
    assert await written(table, "Ada") == ["Boo", "Boo!"]
    for wish in (Ignore(ignored=True, seat=0), Ignore(ignored=True, seat=3)):
        with pytest.raises(Forbidden):
            await chat.ignore(table.context, "Ada", wish)


async def test_each_person_can_report_a_remark_once() -> None:
    site = InMemorySite()
    table, _ = await three(site)
    remark = await chat.say(table.context, "Ben", "Boo", muted=False)
    for person in ("Ada", "Ada", "Cleo"):
        await chat.report(table.context, person, remark.id)
    assert [(row.text, row.person, by) for row, by in site.chat_repository.reports] == [
        ("Boo", "Ben", "Ada"), ("Boo", "Ben", "Cleo"),
    ]  # fmt: skip
    with pytest.raises(Forbidden, match="your own"):
        await chat.report(table.context, "Ben", remark.id)
    elsewhere = await site.table("Ada", "Ben", "open")
    with pytest.raises(NotFound):
        await chat.report(elsewhere.context, "Ada", remark.id)


async def test_remarks_keep_the_name_of_their_author() -> None:
    site = InMemorySite()
    table, _ = await three(site)
    await chat.say(table.context, "Ben", "Bye", muted=False)
    await table.change_seat("Ben", 1, Leave())
    await table.change_seat("Eve", 1, Join("Eve"))
    (remark,) = (await chat.show(table.context, "Ada", muted=False)).remarks
    assert (remark.seat, remark.name) == (None, "Ben")


async def test_chat_and_reactions_reach_other_nodes() -> None:
    town = TwoNodes()
    here, _, ada, ben = await seated(town)
    await chat.say(here.context, "Ada", "Hello", muted=False)
    await reactions.react(here.context, "Ada", SendReaction("sorry", 0), muted=False)
    await settle()
    assert (said(ada), said(ben)) == ([("Ada", "Hello")], [("Ada", "Hello")])
    assert shown(ben) == [(0, "sorry")]
    await town.two.lobby.nodes.receive(here.id, "nonsense/0")
    await town.two.lobby.nodes.receive(here.id, "wave/9")
    assert shown(ben) == [(0, "sorry")]
