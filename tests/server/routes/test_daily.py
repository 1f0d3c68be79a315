"""Daily games over HTTP: games of others are sealed until the own try is over."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from websockets.exceptions import ConnectionClosed

from polyopolis.play.in_memory import SystemClock
from polyopolis.play.timing.utc_days import day_start
from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from polyopolis.server.realtime.connection_guard import uvicorn_protocols
from polyopolis.server.routes.bot_streams import BOT_STREAM_ROUTES
from tests.play.in_memory_site import until
from tests.server.auth.test_accounts import with_code
from tests.server.auth.test_bot_api import bot_of
from tests.server.support.server_process import NO_LIMITS, Message, ServerProcess, Visitor
from tests.server.support.threaded_server import ThreadedServer, serve_in_thread

pytestmark = pytest.mark.anyio
GAME = "rollwrite"
BODIES: dict[str, Message] = {
    "change_seat": {"type": "join", "name": "Ben"},
    "list_table": {"listed": True},
    "solve": {"move": 0, "action": {}, "beside": {}},
    "fork": {"play": "practice", "seat": 0},
    "branch": {"moves": 0, "seat": 0},
    "arrange": {"invites": None, "talk": True},
    "say": {"text": "Hello"},
    "ignore": {"ignored": True, "seat": 0},
    "report": {},
    "react": {"reaction": "wave", "seat": 0},
}


def about_tables(app: Litestar) -> list[tuple[str, str, str]]:
    """Returns method, path and handler name of every route with a table, including future ones."""
    found = []
    for route in app.routes:
        for handler in getattr(route, "route_handlers", ()):
            methods = sorted(set(getattr(handler, "http_methods", ())) & {"GET", "POST"})
            if methods and "{table:str}" in route.path:
                found.append((methods[0], route.path, handler.fn.__name__))
    return found


async def begun(visitor: Visitor, name: str) -> str:
    days = await visitor.get("/daily")
    return str((await visitor.post(f"/daily/{days['today']}/{GAME}", {"name": name}))["table"])


async def finished(visitor: Visitor, name: str) -> str:
    table = await begun(visitor, name)
    async with visitor.at(table) as screen:
        await screen.turn(0)
        await screen.act(0, {"type": "stop"})
        await screen.until(lambda: screen.over)
    return table


class NoonClock(SystemClock):
    """A clock that starts at noon, so that no day ends during the test."""

    def __init__(self) -> None:
        self._late = day_start("2026-11-16") + 12 * 3_600_000 - super().now()

    def now(self) -> int:
        return super().now() + self._late


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Litestar:
    monkeypatch.setattr("polyopolis.server.app.load_assets", dict)  # slow to compress
    monkeypatch.setattr("polyopolis.server.services.SystemClock", NoonClock)
    return create_app(Options(tmp_path, bot_processes=1, limits=NO_LIMITS))


@pytest.fixture
def house(app: Litestar, tmp_path: Path) -> Iterator[ServerProcess]:
    with serve_in_thread(app, **uvicorn_protocols(NO_LIMITS)) as port:
        yield ThreadedServer(tmp_path, port)


async def test_daily_games_of_others_are_sealed_until_the_own_try_is_over(
    visit: Callable[[], Visitor], app: Litestar
) -> None:
    everything = about_tables(app)
    by_token = {handler.fn.__name__ for handler in BOT_STREAM_ROUTES}
    asked = [one for one in everything if one[2] not in {"list_table", *by_token}]
    assert len(asked) >= 15
    ada, ben = visit(), visit()

    async def is_drawn() -> bool:
        return (await ada.http.get(f"/api/daily/{(await ada.get('/daily'))['today']}")).is_success

    await until(is_drawn)
    table = await finished(ada, "Ada")
    await ben.get("/hello")
    await with_code(ada)
    bot = await bot_of(ada)
    assert await bot.status(f"/bot/stream/{table}") == 423
    for method, path, name in asked:
        address = path.replace("{table:str}", table).replace("{number:int}", "0").replace("{seat:int}", "0")
        answer = await ben.http.request(method, address, json=BODIES.get(name) if method == "POST" else None)
        assert answer.status_code == 423, (name, answer.text)
        assert answer.json() == {"error": "this is today's game: play your own to its end first, or come back tomorrow"}
    with pytest.raises(ConnectionClosed) as closed:
        async with ben.at(table):
            pass
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4423
    own = await begun(ben, "Ben")
    assert own != table
    assert (await ben.http.get(f"/api/tables/{table}")).status_code == 423, "the try is not over"
    await finished(ben, "Ben")
    async with ben.at(table) as screen:
        assert screen.over
        assert screen.scene
        assert screen.scene["match"]["seed"] is None
    record = await ben.get(f"/tables/{table}/matches/0/record")
    assert "seed" not in record
    days = await ben.get("/daily")
    info = await ben.get(f"/daily/{days['today']}")
    board = next(game for game in info["games"] if game["game"] == GAME)
    assert {"Ada", "Ben"} <= {line["name"] for line in board["lines"]}
    assert record["moves"][0] == (await ben.get(f"/tables/{own}/matches/0/record"))["moves"][0]
    assert days["streak"] == 1
