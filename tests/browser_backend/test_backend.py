"""The browser backend responds like a server, and loses no update that it has sent."""

import re
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import fields
from functools import partial
from typing import Any, cast

import msgspec
import pytest

from polyopolis.browser_backend.backend import ROUTES
from polyopolis.browser_backend.browser_bots import BrowserBotService
from polyopolis.games import GAME_SPECS
from polyopolis.play.close_codes import BAD_MESSAGE, INTERNAL_ERROR, NO_TABLE
from polyopolis.play.endpoints import ENDPOINTS
from polyopolis.play.protocols import BotDecision, BotRequest
from tests.browser_backend.in_memory_storage import MemoryStorage
from tests.browser_backend.page_visitor import PageVisitor, Wire, ask_server
from tests.server.support.server_process import Screen, Visitor

pytestmark = pytest.mark.anyio
Ask = Callable[..., Awaitable[tuple[int, Any]]]
At = Callable[[str], AbstractAsyncContextManager[Screen]]

ALONE = {"game": "rollwrite", "setup": {}, "seats": [{"type": "me", "name": "Ada"}], "seed": "both", "plan": [1, 2, 3]}
"""A campaign determined by its seed."""
UNLIKE = re.compile(r'"(table|changed|commitment|online|replaceable|talk)":("[^"]*"|\d+|true|false|null)')
"""Fields that differ between backends: table ids, times, seeds, presence and chat."""


async def story(ask: Ask, at: At) -> list[tuple[str, int, str]]:
    """Plays an episode of a campaign with all requests before, during and after it; returns the responses.

    Texts of errors for undecodable requests differ and are left out.
    """
    told: list[tuple[str, int, str]] = []

    async def tell(method: str, path: str, body: Any = None, words: bool = True) -> Any:
        status, answer = await ask(method, path, body)
        if "tables" in answer:  # tables of the same second have no fixed order
            answer["tables"].sort(key=lambda table: (table["matches"], table["plan"], table["chosen_seed"] or ""))
        plain = re.sub(r"/tables/[^/]+", "/tables/x", path)
        text = msgspec.json.encode(answer).decode() if words else ""
        told.append((f"{method} {plain}", status, UNLIKE.sub("", text)))
        return answer

    await tell("GET", "/hello")
    for key in GAME_SPECS:
        for about in ("beginning", "outline", "trials"):
            await tell("GET", f"/games/{key}/{about}")
    await tell("GET", "/games/mycity/beginning?seats=3&episode=5")
    await tell("GET", "/games/nothing/outline")
    await tell("POST", "/tables", {"game": "mycity"}, words=False)
    await tell("POST", "/tables", {**ALONE, "game": "chess"})
    await tell("GET", "/tables/nowhere")
    await tell("GET", "/nothing", words=False)
    table = f"/tables/{(await tell('POST', '/tables', ALONE))['table']}"
    await tell("POST", f"{table}/matches", {})
    await tell("POST", f"{table}/seats/0", {"type": "name-city", "city": "Ys", "animal": "fox"})
    await tell("POST", f"{table}/seats/0", {"type": "fly"}, words=False)
    await tell("GET", f"{table}/matches/0/best")
    await tell("GET", f"{table}/matches/0/review")
    await tell("GET", f"{table}/matches/0/hindsight?seat=0")
    await tell("POST", f"{table}/matches/0/solutions", {"move": 1, "action": {}, "beside": {}})
    await tell("GET", f"{table}/vacation")
    async with at(table.removeprefix("/tables/")) as screen:
        await screen.play(0)
        told.append(("scenes", 0, UNLIKE.sub("", msgspec.json.encode(screen.scene).decode())))
    for about in (
        "record",
        "replay",
        "frames?first=3",
        "events?since=5",
        "course",
        "best",
        "exercise?move=1",
        "exercise",
    ):
        await tell("GET", f"{table}/matches/0/{about}")
    await tell("GET", f"{table}/matches/7/replay")
    await tell("GET", f"{table}/matches/0/frames?first=x", words=False)
    await tell("GET", f"{table}/campaign")
    await tell("GET", f"{table}/campaign.json")
    await tell("POST", f"{table}/matches/0/branches", {"moves": 0, "seat": 0})
    await tell("POST", f"{table}/matches/0/branches", {"moves": 9999, "seat": 0})
    await tell("POST", f"{table}/matches/0/forks", {"play": "practice", "seat": 0})
    await tell("POST", f"{table}/matches", {})
    await tell("GET", table)
    await tell("POST", f"{table}/listing", {"listed": False})
    file = (await ask("GET", f"{table}/campaign.json", None))[1]
    brought = f"/tables/{(await tell('POST', '/imports', {'record': file}))['table']}"
    assert (await ask("POST", "/imports", {"record": file}))[1]["table"] in brought, "imported before"
    await tell("GET", brought)
    await tell("GET", f"{brought}/matches/0/record")
    await tell("GET", f"{brought}/matches/0/best")
    await tell("POST", "/imports", {"record": {**file, "plan": [7]}})
    await tell("POST", "/imports", {"record": []}, words=False)
    await tell("GET", "/hello")
    return told


def _unrated(told: tuple[str, int, str]) -> tuple[str, int, str]:
    """The browser backend has no accounts, so no match is rated."""
    what, status, text = told
    return what, status, re.sub(r'"measured":\[[^]]*\]', '"measured":[]', text)


@pytest.mark.slow
async def test_the_browser_backend_responds_like_a_server(visit: Callable[[], Visitor]) -> None:
    visitor, page = visit(), PageVisitor()
    of_server = await story(partial(ask_server, visitor), visitor.at)
    of_page = await story(page.ask, page.at)
    for ours, theirs in zip(of_page, map(_unrated, of_server), strict=True):
        assert ours == theirs
    asked = {tuple(what.split("?")[0].split(" ", 1)) for what, _, _ in of_page if " " in what}
    left = {
        (about.method, about.path)
        for pattern, about in ROUTES
        if not any(method == about.method and pattern.fullmatch(path) for method, path in asked)
    }
    assert left == set(), "every endpoint is part of the story"


def test_endpoints_declare_every_parameter_in_their_path() -> None:
    for endpoint in ENDPOINTS:
        declared = {field.name for field in fields(endpoint.types.parameters)}
        assert declared.issuperset(re.findall(r"{(\w+):", endpoint.path)), endpoint.path


class First(BrowserBotService):
    """Bots that choose the first legal action, or fail."""

    def __init__(self, failing: str = "") -> None:
        super().__init__()
        self.failing = failing

    async def _chosen(self, bot: str, question: BotRequest) -> BotDecision:
        if bot == self.failing:
            raise ValueError("this bot fails")
        return BotDecision(question.match.game.legal(question.match.state, question.seat)[0], bot)


TWO = {
    "game": "mycity",
    "setup": {"mode": "eternal"},
    "seats": [{"type": "me", "name": "Ada"}, {"type": "bot", "bot": "level-1"}],
    "seed": "kept",
}


async def test_sent_updates_survive_when_the_tab_is_killed() -> None:
    page = PageVisitor(bots=First())
    _, created = await page.ask("POST", "/tables", TWO)
    async with page.at(created["table"]) as screen:
        await screen.play(0, rounds=6)
        await screen.say(type="ask-takeback", seat=0)
        await screen.heard_of("news")
        await screen.play(0, rounds=2)
    scenes = [(found["scene"], rows) for text, rows in page.told if (found := msgspec.json.decode(text)).get("scene")]
    assert len(scenes) > 8
    for scene, rows in scenes:
        again = PageVisitor(MemoryStorage(rows), First())
        async with again.at(created["table"]) as screen:
            assert screen.scene
            assert (screen.scene["number"], screen.scene["view"]) == (scene["number"], scene["view"])
    assert (await again.ask("GET", "/hello"))[1]["tables"][0]["yours"] == [0], "of the same person"
    async with again.at(created["table"]) as screen:
        await screen.play(0)
        assert screen.over


async def test_failed_writes_change_no_state() -> None:
    page = PageVisitor(bots=First())
    _, created = await page.ask("POST", "/tables", TWO)
    async with page.at(created["table"]) as screen:
        choices = await screen.turn(0)
        await screen.until(lambda: 1 in screen.decided)
        page.storage.full = True
        before = page.storage.rows
        await screen.act(0, choices[0])
        assert await cast("Wire", screen.wire).end() == INTERNAL_ERROR
        status, answer = await page.ask("POST", "/tables", TWO)
        assert (status, "error" in answer) == (500, True)
        assert page.storage.rows == before
        page.storage.full = False
    async with page.at(created["table"]) as screen:
        assert screen.moves == 1, "only the card"
        await screen.play(0)
        assert screen.over


async def test_a_failing_bot_is_replaced(caplog: pytest.LogCaptureFixture) -> None:
    page = PageVisitor(bots=First(failing="level-1"))
    _, created = await page.ask("POST", "/tables", TWO)
    async with page.at(created["table"]) as screen:
        await screen.play(0, rounds=1)
        assert screen.moves > 2
    assert "the bot level-1 failed in seat 1" in caplog.text


async def test_a_real_bot_plays_and_gives_hints_in_the_browser() -> None:
    page = PageVisitor()
    _, created = await page.ask("POST", "/tables", TWO)
    async with page.at(created["table"]) as screen:
        await screen.until(lambda: 1 in screen.decided)
        hint = await screen.ask(type="ask-hint", seat=0)
        assert hint["explanation"]["options"]


async def test_the_inbox_is_imported_at_startup() -> None:
    elsewhere = PageVisitor(bots=First())
    _, created = await elsewhere.ask("POST", "/tables", TWO)
    async with elsewhere.at(created["table"]) as screen:
        await screen.play(0)
    _, record = await elsewhere.ask("GET", f"/tables/{created['table']}/matches/0/record")
    left = {"inbox/good": {"record": record}, "inbox/newer": {"record": {**record, "rules": 99}}, "inbox/none": 7}
    storage = MemoryStorage({name: msgspec.json.encode(said).decode() for name, said in left.items()})
    for _ in range(2):  # imported rows are removed from the inbox
        page = PageVisitor(storage, First())
        _, hello = await page.ask("GET", "/hello")
        assert [(table["match"]["over"], table["match"]["practice_for"]) for table in hello["tables"]] == [
            (True, "import")
        ]
        problems = {found["table"]: found["problem"] for found in hello["unreadable"]}
        assert problems.keys() == {"newer", "none"}
        assert "version 99 of the rules" in problems["newer"]
    table = hello["tables"][0]["table"]
    assert (await page.ask("GET", f"/tables/{table}/matches/0/replay"))[0] == 200
    assert (await page.ask("POST", f"/tables/{table}/listing", {"listed": False}))[0] == 200
    assert (await page.ask("GET", "/hello"))[1]["tables"] == []


async def test_unusable_connections_are_closed() -> None:
    page = PageVisitor(bots=First())
    backend = await page.backend()
    _, created = await page.ask("POST", "/tables", TWO)
    for path, said, code in (("nowhere", "", NO_TABLE), (created["table"], "{", BAD_MESSAGE)):
        wire = Wire(lambda _: None)
        wire.connection = backend.connect(f"/tables/{path}/socket", wire)
        await wire.send(said)
        assert await wire.end() == code
