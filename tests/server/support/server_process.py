"""A server process, and visitors with cookies and WebSockets."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager, nullcontext
from dataclasses import fields
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from polyopolis.play.version import VERSION
from polyopolis.server.limits.rate_limits import Limits, RateLimit
from tools.processes import Guard

TIMEOUT_SECONDS = 120.0
"""Prevents tests from hanging; slow machines stay below it."""
ABSENCE_SECONDS = "0.3"
"""A bot may replace an absent player after this time."""
HIGH_RATE_LIMITS = {
    field.name: RateLimit(10_000, 1) for field in fields(Limits) if isinstance(field.default, RateLimit)
}
NO_LIMITS = Limits(
    **HIGH_RATE_LIMITS, imports_kept=10_000, unplayed=10_000, pages=10_000, streams=1_000, patience=600.0
)
"""Limits that tests do not reach, although all tests of a process share one address."""
DEFAULT_OPTIONS = [
    f"--absence={ABSENCE_SECONDS}",
    *(f"--limit-{field.name.replace('_', '-')}={getattr(NO_LIMITS, field.name)}" for field in fields(Limits)),
]
ORIGIN = "http://testserver.local"
"""The origin of pages of a `TestClient`."""
OWN_PAGE = {"origin": ORIGIN, "x-polyopolis": VERSION}
"""Headers of requests of the browser client of this version."""
PROGRAM = Path(sys.executable).with_name("polyopolis")

Message = dict[str, Any]


class ServerProcess:
    """A server process with a data folder. It can be killed and restarted on the same port."""

    def __init__(self, data: Path, *options: str, log: Path | None = None) -> None:
        self.data = data
        self.port = free_port()
        self.group = 0
        """The process group of the last server that has ended."""
        self._options = options
        self._log = log
        self._process: subprocess.Popen[bytes] | None = None
        self._guard: Guard | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        arguments = [str(PROGRAM), "serve", "--port", str(self.port), "--data", str(self.data), *DEFAULT_OPTIONS]
        with self._log.open("ab") if self._log else nullcontext() as log:
            self._process = subprocess.Popen(
                [*arguments, *self._options], stdout=subprocess.DEVNULL, stderr=log, start_new_session=True
            )
        self._guard = Guard.of_group(self._process.pid)
        end = time.monotonic() + TIMEOUT_SECONDS
        while time.monotonic() < end:
            try:
                httpx.get(f"{self.url}/api/hello", timeout=TIMEOUT_SECONDS).raise_for_status()
            except httpx.HTTPError:
                time.sleep(0.05)
            else:
                return
        raise TimeoutError("the server did not start")

    def kill(self) -> None:
        """Kills the server and its workers, as a power failure would."""
        assert self._process
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._forget()

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    def send(self, what: signal.Signals) -> None:
        """Sends a signal to the server and its workers."""
        os.killpg(self.pid, what)

    def end(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Terminates the server as a process manager would. Returns its exit code."""
        assert self._process
        self._process.send_signal(how)
        code, self.group = self._process.wait(TIMEOUT_SECONDS), self._process.pid
        self._forget()
        return code

    def stop(self) -> None:
        if self._process:
            self._process.send_signal(signal.SIGINT)
            try:
                self._process.wait(TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                self.kill()
            else:
                self._forget()

    def _forget(self) -> None:
        self._process = None
        if self._guard:
            self._guard.release()
            self._guard = None


@contextmanager
def running_server(data: Path, *options: str) -> Iterator[ServerProcess]:
    server = ServerProcess(data, *options)
    try:
        server.start()
        yield server
    finally:
        server.stop()


_reservations: list[socket.socket] = []


def free_port() -> int:
    """Reserves a port until this process ends.

    A bound socket with SO_REUSEADDR that does not listen shares its port with a server that has the option as well.
    """
    reservation = socket.socket()
    reservation.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reservation.bind(("127.0.0.1", 0))
    _reservations.append(reservation)
    return int(reservation.getsockname()[1])


class Visitor:
    """A browser: one cookie jar."""

    def __init__(self, server: ServerProcess) -> None:
        self.house = server
        self.http = httpx.AsyncClient(
            base_url=server.url, headers={"origin": server.url, "x-polyopolis": VERSION}, timeout=TIMEOUT_SECONDS
        )
        self.clients = [self.http]
        """Clients to close: a client belongs to the event loop of its test."""

    async def close(self) -> None:
        for client in self.clients:
            await client.aclose()

    async def get(self, path: str) -> Any:
        answer = await self.http.get(f"/api{path}")
        answer.raise_for_status()
        return answer.json()

    async def post(self, path: str, body: Any = None) -> Any:
        answer = await self.http.post(f"/api{path}", json=body)
        answer.raise_for_status()
        return answer.json()

    async def refused(self, path: str, body: Any = None) -> tuple[int, str]:
        """Returns the status and the error message of a request that fails."""
        answer = await self.http.post(f"/api{path}", json=body)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]

    async def table(self, *seats: str, setup: Message | None = None, seed: str | None = None) -> str:
        """Creates a table. A seat is `bot:NAME`, `open`, or the name of the visitor."""
        body = {"game": "mycity", "setup": setup or {"mode": "eternal"}, "seats": list(map(seat_of, seats))}
        created = await self.post("/tables", body | ({"seed": seed} if seed else {}))
        return str(created["table"])

    async def join(self, table: str, seat: int, name: str) -> None:
        await self.post(f"/tables/{table}/seats/{seat}", {"type": "join", "name": name})

    @asynccontextmanager
    async def at(self, table: str, query: str = "") -> AsyncIterator["Screen"]:
        """Opens a page at the table."""
        address = f"{self.house.url}/api/tables/{table}/socket?{query}"
        cookies = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        headers = {"cookie": cookies} if cookies else {}
        async with connect(
            address.replace("http", "ws", 1), origin=Origin(self.house.url), additional_headers=headers
        ) as connection:
            screen = Screen(connection)
            await screen.until(lambda: screen.info is not None)
            yield screen


def seat_of(word: str) -> Message:
    if word == "open":
        return {"type": "open"}
    kind, _, name = word.rpartition(":")
    return {"type": "bot", "bot": name} if kind == "bot" else {"type": "me", "name": name}


class Screen:
    """The messages that a page has received, and the messages that it sends."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire
        self.heard: list[Message] = []
        self.info: Message | None = None
        self.scene: Message | None = None
        self.mine: dict[int, Message] = {}
        self.decided: list[int] = []

    async def hear(self) -> Message:
        message: Message = json.loads(await asyncio.wait_for(self.wire.recv(), TIMEOUT_SECONDS))
        self.heard.append(message)
        own = {mine["seat"]: mine for mine in message.get("mine", ())}
        match message["type"]:
            case "welcome":
                self.info, self.scene, self.mine = message["table"], message["scene"], own
                self.decided = self.scene["decided"] if self.scene else []
            case "people":
                self.info, self.mine = message["table"], own
            case "news":
                self.scene, self.mine, self.decided = message["scene"], own, message["scene"]["decided"]
            case "decided":
                self.decided = message["decided"]
                self.mine |= own
            case _:
                self.mine |= own
        return message

    @property
    def events(self) -> list[Message]:
        """All events received, in order."""
        scenes = (message["scene"] for message in self.heard if message.get("scene"))
        return [event for scene in scenes for event in scene["events"]]

    async def until(self, holds: Callable[[], bool]) -> None:
        while not holds():
            await self.hear()

    async def hear_to_the_end(self) -> int:
        """Returns the close code of the connection."""
        try:
            while True:
                await self.hear()
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 0

    async def heard_of(self, kind: str) -> Message:
        """Waits for the next message of a kind."""
        while (message := await self.hear())["type"] != kind:
            pass
        return message

    async def say(self, **message: Any) -> None:
        await self.wire.send(json.dumps(message))

    async def act(self, seat: int, action: Message) -> None:
        await self.say(type="act", seat=seat, turn=self.mine[seat]["turn"], action=action)

    async def ask(self, **message: Any) -> Message:
        await self.say(ask=1, **message)
        while (answer := await self.hear()).get("ask") != 1:
            pass
        return answer

    def may(self, seat: int) -> bool:
        """Whether it is this seat's turn and it has not decided."""
        mine = self.mine.get(seat)
        return bool(mine and mine["choices"]) and mine is not None and mine["staged"] is None

    async def turn(self, seat: int) -> Sequence[Message]:
        """Waits for the turn of a seat and returns its choices."""
        await self.until(lambda: self.may(seat) or self.over)
        return () if self.over else self.mine[seat]["choices"]

    @property
    def over(self) -> bool:
        return bool(self.scene and self.scene["match"]["over"])

    @property
    def moves(self) -> int:
        return int(self.scene["moves"]) if self.scene else 0

    @property
    def table(self) -> Message:
        assert self.scene
        view: Message = self.scene["view"]["table"]
        return view

    async def play(self, *seats: int, rounds: int | None = None) -> None:
        """Plays the first choice with these seats, for some rounds or to the end."""
        for _ in range(10_000 if rounds is None else rounds):
            if self.over:
                return
            await self._round(self.moves, seats)

    async def _round(self, before: int, seats: Sequence[int]) -> None:
        def closed() -> bool:
            return self.moves > before or self.over

        for seat in seats:
            choices = await self.turn(seat)
            if self.may(seat) and not closed():
                await self.act(seat, choices[0])
                await self.until(lambda seat=seat: not self.may(seat) or closed())  # type: ignore[misc]
        await self.until(closed)
