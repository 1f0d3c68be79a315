"""External bots: tokens, streams, seats, ratings."""

import asyncio
import json
import secrets
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from polyopolis.play.match.messages import Act
from polyopolis.play.seats.bot_ids import BOT_ID_PREFIX
from polyopolis.server.auth.people import set_removed
from polyopolis.server.auth.visitors import SIGNED_OUT_CODE
from polyopolis.server.realtime import guests
from polyopolis.server.realtime.guests import MAX_BACKLOG_BYTES, StreamGuest
from polyopolis.server.storage.schema import devices, results
from tests.play import in_memory_site
from tests.server.auth.test_accounts import database, with_code
from tests.server.support.server_process import TIMEOUT_SECONDS, Message, ServerProcess, Visitor, seat_of

pytestmark = pytest.mark.anyio
Visit = Callable[[], Visitor]
EXAMPLES = Path(__file__).parents[3] / "examples"


class Program:
    """An external bot: a client with a token and without cookies. Its connections close with those of its owner."""

    def __init__(self, owner: Visitor, token: str) -> None:
        self.token, self.bot = token, token.partition(".")[0]
        self.http = httpx.AsyncClient(
            base_url=f"{owner.house.url}/api", headers={"authorization": f"Bearer {token}"}, timeout=TIMEOUT_SECONDS
        )
        owner.clients.append(self.http)

    async def post(self, path: str, body: Any) -> Any:
        answer = await self.http.post(path, json=body)
        answer.raise_for_status()
        return answer.json()

    async def status(self, path: str, body: Any = None) -> int:
        answer = await (self.http.get(path) if body is None else self.http.post(path, json=body))
        return answer.status_code

    async def act(self, table: str, mine: Message, choice: int = 0) -> Any:
        action = mine["choices"][choice]
        return await self.post(
            f"/bot/stream/{table}", {"type": "act", "seat": mine["seat"], "turn": mine["turn"], "action": action}
        )

    @asynccontextmanager
    async def hears(self, path: str) -> AsyncIterator[AsyncIterator[Message]]:
        async with self.http.stream("GET", path) as answer:
            assert (answer.status_code, answer.headers["content-type"]) == (200, "application/x-ndjson")
            yield (json.loads(line) async for line in answer.aiter_lines() if line)


async def heard(lines: AsyncIterator[Message], kind: str) -> Message:
    async with asyncio.timeout(TIMEOUT_SECONDS):
        async for line in lines:
            if line["type"] == kind:
                return line
    raise AssertionError(f"the stream ended before {kind}")


async def bot_of(owner: Visitor, scopes: tuple[str, ...] = ("watch", "play"), name: str = "Deep Thought") -> Program:
    bots = (await owner.post("/me/bots", {"name": name}))["bots"]
    found = next(bot for bot in bots if bot["name"] == name and not bot["tokens"])
    made = await owner.post(f"/me/bots/{found['id']}/tokens", {"name": "laptop", "scopes": scopes})
    return Program(owner, made["token"])


async def table_for(maker: Visitor, *seats: str, **wish: Any) -> str:
    """Creates a table that admits external bots."""
    body = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": list(map(seat_of, seats)), "outsiders": True}
    return str((await maker.post("/tables", body | wish))["table"])


# Tokens


async def test_a_token_grants_its_scopes_until_it_is_revoked(visit: Visit, house: ServerProcess) -> None:
    ada, ben = visit(), visit()
    assert (await ada.refused("/me/bots", {"name": "Bot"}))[0] == 403, "a guest has no bots"
    await with_code(ada)
    await with_code(ben)
    bot, watcher = await bot_of(ada), await bot_of(ada, ("watch",), "Onlooker")
    assert bot.bot.startswith(BOT_ID_PREFIX)
    with database(house) as db:
        kept = db.execute(select(devices).where(devices.c.person == bot.bot)).one()
    assert kept.id == sha256(bot.token.encode()).hexdigest(), "only the digest of a token is stored"
    assert bot.token.partition(".")[2] not in repr(kept)
    shown = (await ada.get("/me/bots"))["bots"]
    assert [(each["name"], [one["scopes"] for one in each["tokens"]]) for each in shown] == [
        ("Deep Thought", [["play", "watch"]]),
        ("Onlooker", [["watch"]]),
    ]
    assert (await ben.get("/me/bots"))["bots"] == []
    assert (await ben.refused(f"/me/bots/{bot.bot}/tokens", {"name": "mine"}))[0] == 404, "Ben is not the owner"

    table = await table_for(ada, "open", "open")
    join = {"type": "join", "name": "Deep Thought"}
    assert await watcher.status(f"/tables/{table}") == 200
    assert await watcher.status(f"/tables/{table}/seats/0", join) == 403
    for path in ("/me", "/notices", f"/tables/{table}/talk"):
        assert await bot.status(path) == 403, "these routes are for people only"
    assert await bot.status(f"/tables/{table}/talk", {"text": "hello"}) == 403
    stranger = Program(ada, f"{bot.bot}.wrong")
    stranger.http.cookies = ada.http.cookies
    answer = await stranger.http.get("/hello")
    assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), "cookies are ignored"
    assert (await ada.http.get("/api/stream/event")).status_code == 401, "pages cannot open streams"

    async with bot.hears("/stream/event") as events, bot.hears(f"/bot/stream/{table}") as lines:
        await heard(lines, "welcome")
        await ada.post(f"/me/bots/{bot.bot}/tokens/{kept.id}/revoke", {})
        assert (await heard(lines, "bye"))["code"] == SIGNED_OUT_CODE
        assert (await heard(events, "bye"))["code"] == SIGNED_OUT_CODE
    assert await bot.status("/hello") == 401
    assert await watcher.status("/hello") == 200

    async with watcher.hears(f"/bot/stream/{table}") as lines:
        with database(house) as db:
            set_removed(db, ada.http.cookies["polyopolis"].partition(".")[0], 1)
        assert (await heard(lines, "bye"))["code"] == SIGNED_OUT_CODE, "bots are removed with their owner"
    assert await watcher.status("/hello") == 401


async def test_a_deleted_bot_leaves_its_seats(visit: Visit) -> None:
    ada = visit()
    await with_code(ada)
    bot = await bot_of(ada)
    table = await table_for(ada, "Ada", "open")
    await bot.post(f"/tables/{table}/seats/1", {"type": "join", "name": "Deep Thought"})
    assert (await ada.post(f"/me/bots/{bot.bot}/delete", {}))["bots"] == []
    seat = (await ada.get(f"/tables/{table}"))["seats"][1]
    assert (seat["kind"], seat["name"], seat["outside"]) == ("open", "--", False)
    assert await bot.status("/hello") == 401


# Playing


async def test_an_external_bot_is_invited_and_plays_a_rated_match(visit: Visit, house: ServerProcess) -> None:
    ada, ben = visit(), visit()
    for owner in (ada, ben):
        await with_code(owner)
    bot = await bot_of(ben)
    closed = await ada.table("Ada", "open")
    join = {"type": "join", "name": "Deep Thought"}
    assert await bot.status(f"/tables/{closed}/seats/1", join) == 403, "the table does not admit bots"
    async with bot.hears("/stream/event") as events:
        table = await table_for(ada, "Ada", "open", rated=True, invites="en")
        while (event := await heard(events, "invited"))["table"]["table"] != table:
            pass
        await bot.post(f"/tables/{table}/seats/1", join)
        while (event := await heard(events, "turn"))["table"]["table"] != table:
            pass
        assert (event["table"]["yours"], event["table"]["due"]) == ([1], [0, 1])
        seats = (await ada.get(f"/tables/{table}"))["seats"]
        assert [(seat["kind"], seat["outside"]) for seat in seats] == [("person", False), ("person", True)]
        async with bot.hears(f"/bot/stream/{table}") as lines, ada.at(table) as screen:
            (mine,) = (await heard(lines, "welcome"))["mine"]
            wrong = {"type": "act", "seat": 1, "turn": mine["turn"], "action": {"type": "nonsense"}}
            assert await bot.status(f"/bot/stream/{table}", wrong) == 400
            assert await bot.status(f"/bot/stream/{table}", wrong | {"seat": 0}) == 400, "the seat is Ada's"
            answered = await bot.act(table, mine)
            assert answered["mine"][0]["staged"] == mine["choices"][0]
            act = {"type": "act", "seat": 1, "turn": mine["turn"], "action": mine["choices"][0]}
            assert await bot.status(f"/bot/stream/{table}", act) == 409, "a repeated message has no effect"
            preview = {"type": "preview", "ask": 7, "seat": 1, "action": mine["choices"][0]}
            (told,) = (await bot.post(f"/bot/stream/{table}", preview))["told"]
            assert (told["type"], told["ask"]) == ("previewed", 7)
            playing = asyncio.create_task(screen.play(0))
            done = mine["turn"]
            async for line in lines:
                for mine in line.get("mine", ()):
                    if mine["choices"] and mine["staged"] is None and mine["turn"] != done:
                        done = mine["turn"]
                        await bot.act(table, mine, -1)
                if line["type"] == "news" and line["scene"]["match"]["over"]:
                    break
            await playing
        while (event := await heard(events, "over"))["table"]["table"] != table:
            pass
    (against,) = (await ada.get("/me/who"))["games"][0]["against"]
    assert (against["name"], against["bot"], against["outside"]) == ("Deep Thought", None, True)
    who = (await bot.http.get("/me/who")).json()
    assert (who["outside"], who["games"][0]["rating"]["games"]) == (True, 1)
    with database(house) as db:
        rated = db.execute(select(results).where(results.c.table == table).order_by(results.c.seat)).all()
    assert [(row.rated is not None, row.person == bot.bot) for row in rated] == [(True, False), (True, True)]


@asynccontextmanager
async def keeps_its_decision(house: ServerProcess) -> AsyncIterator[None]:
    """A bot decides before a power failure and finds its table and its decision afterwards."""
    ada = Visitor(house)
    await with_code(ada)
    bot = await bot_of(ada)
    table = await table_for(ada, "Ada", "open", seed="pear")
    await bot.post(f"/tables/{table}/seats/1", {"type": "join", "name": "Deep Thought"})
    async with bot.hears(f"/bot/stream/{table}") as lines:
        (mine,) = (await heard(lines, "welcome"))["mine"]
        await bot.act(table, mine)
        yield
        with pytest.raises(httpx.HTTPError):
            await heard(lines, "never")
    async with bot.hears("/stream/event") as events, bot.hears(f"/bot/stream/{table}") as lines:
        assert (await heard(events, "playing"))["table"]["table"] == table
        welcome = await heard(lines, "welcome")
        assert welcome["mine"][0]["staged"] == mine["choices"][0]
        act = {"type": "act", "seat": 1, "turn": mine["turn"], "action": mine["choices"][1]}
        assert await bot.status(f"/bot/stream/{table}", act) == 409, "the decision is stored"
    await ada.close()


# Streams


def lines_of(guest: StreamGuest) -> list[bytes]:
    """Returns the buffered messages."""
    return b"".join(guest._lines).splitlines()


async def test_a_stream_gets_the_same_bytes_as_a_page_of_its_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bytes do not depend on staged decisions of other seats."""
    monkeypatch.setattr(secrets, "token_urlsafe", lambda *_: "name")
    told, bot = list[list[bytes]](), f"{BOT_ID_PREFIX}ben"
    for staged in (0, 1):
        house = in_memory_site.InMemorySite()
        table = await house.table("Ada", bot, seed="pear", outsiders=True)
        ada, page, stream = await house.arrived(table, "Ada"), await house.arrived(table, bot), StreamGuest(bot)
        await table.arrive(stream)
        page.clear()  # the arrival of the stream
        page.tell(lines_of(stream)[0])
        await in_memory_site.act(table, ada, 0, staged)
        assert lines_of(stream) == page.sent
        told.append(lines_of(stream))
        mine = json.loads(lines_of(stream)[0])["mine"][0]
        await table.handle(stream, Act(1, mine["turn"], mine["choices"][0]))
        assert lines_of(stream) == page.sent
        assert json.loads(lines_of(stream)[-1])["type"] == "news"
    assert told[0] == told[1]
    assert len(told[0]) == 2


async def test_a_stream_sends_keep_alives_and_drops_a_slow_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guests, "KEEP_ALIVE_SECONDS", 0.01)
    guest = StreamGuest("Ben")
    lines = guest.lines()
    assert await anext(lines) == b"\n"
    guest.tell(b"{}")
    assert await anext(lines) == b"{}\n"
    for _ in range(3):
        guest.tell(b"x" * (MAX_BACKLOG_BYTES // 2))
    assert [line async for line in lines] == []


async def test_a_bot_is_invited_again_while_seats_are_free(visit: Visit) -> None:
    ada = visit()
    await with_code(ada)
    quick, slow = await bot_of(ada), await bot_of(ada, name="Onlooker")
    async with slow.hears("/stream/event") as events:
        table = await table_for(ada, "Ada", "open", "open", invites="en")
        for free in ([1, 2], [2]):
            while (event := await heard(events, "invited"))["table"]["table"] != table:
                pass
            assert [seat["seat"] for seat in event["table"]["seats"] if seat["kind"] == "open"] == free
            if len(free) > 1:
                await quick.post(f"/tables/{table}/seats/1", {"type": "join", "name": "Deep Thought"})


# Examples


@pytest.mark.slow
async def test_the_examples_play_a_match(visit: Visit, house: ServerProcess) -> None:
    """Both want the first free seat; one of them gets the other seat."""
    ada = visit()
    await with_code(ada)
    commands = [[sys.executable, "bot.py"], [shutil.which("node") or sys.executable, "bot.mjs"]]
    if shutil.which("node") is None:
        commands = [commands[0]] * 2
    programs = [
        subprocess.Popen([command, EXAMPLES / file, house.url, (await bot_of(ada, name=file)).token], stderr=-1)
        for command, file in commands
    ]
    try:
        table = await table_for(ada, "open", "open", seed="pear", invites="en")

        match = None
        while not (match and match["over"]):
            assert [program.poll() for program in programs] == [None, None], programs[0].communicate()
            await asyncio.sleep(0.2)
            match = (await ada.get(f"/tables/{table}"))["match"]
    finally:
        for program in programs:
            program.kill()
            program.communicate()


async def test_routes_with_tokens_are_documented(visit: Visit) -> None:
    schema = (await visit().http.get("/api/schema/openapi.json")).json()
    assert schema["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    for path in ("/api/stream/event", "/api/bot/stream/{table}"):
        assert "application/x-ndjson" in schema["paths"][path]["get"]["responses"]["200"]["content"]
        assert schema["paths"][path]["get"]["security"] == [{"bearer": []}]
    for path in ("", "/swagger", "/redoc", "/elements", "/rapidoc"):
        page = await visit().http.get(f"/api/schema{path}")
        assert "<script" not in page.text, "viewers load scripts from other sites"
    assert {"bearer": []} in schema["paths"]["/api/tables/{table}/seats/{seat}"]["post"]["security"]
