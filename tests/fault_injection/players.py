"""Clients that keep playing through faults and record the accepted decisions."""

import asyncio
import json
from dataclasses import dataclass, field
from random import Random
from typing import Any

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException
from websockets.typing import Origin

from polyopolis.play.version import VERSION
from tests.server.support.server_process import Screen, seat_of

PAUSE_SECONDS = 0.05
CONNECTION_ERRORS = (OSError, WebSocketException, TimeoutError, httpx.HTTPError)
TIMEOUT_SECONDS = 60.0

Key = tuple[str, int, int]
"""A table, a match, a seat."""


@dataclass
class Clients:
    """All clients, and the accepted decisions of each seat in order."""

    urls: list[str]
    accepted: dict[Key, list[Any]] = field(default_factory=dict)
    troubles: int = 0
    open: bool = True

    @property
    def decisions(self) -> int:
        return sum(map(len, self.accepted.values()))

    async def ask(self, cookies: httpx.Cookies, path: str, body: Any = None) -> Any:
        """Sends a request to random servers until one responds."""
        random_source = Random()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while True:
                url = random_source.choice(self.urls)
                headers = {"origin": url, "x-polyopolis": VERSION}
                try:
                    async with httpx.AsyncClient(base_url=url, headers=headers, cookies=cookies, timeout=5) as http:
                        answer = await (
                            http.get(f"/api{path}") if body is None else http.post(f"/api{path}", json=body)
                        )
                        if answer.status_code >= 500:
                            raise httpx.ReadError("server error")
                        if answer.status_code == 404:
                            raise LookupError(path)
                        cookies.update(http.cookies)
                        return answer.json()
                except CONNECTION_ERRORS:
                    await asyncio.sleep(PAUSE_SECONDS)


@dataclass
class Player:
    """Plays one seat at one table."""

    clients: Clients
    cookies: httpx.Cookies
    table: str
    seat: int
    random_source: Random
    _sent: tuple[Key, int, Any] | None = None

    async def play(self) -> None:
        while self.clients.open:
            try:
                await self._visit()
            except CONNECTION_ERRORS:
                self.clients.troubles += 1
                await asyncio.sleep(PAUSE_SECONDS)

    async def _visit(self) -> None:
        url = self.random_source.choice(self.clients.urls)
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        async with connect(
            address, origin=Origin(url), additional_headers={"cookie": cookie}, open_timeout=5, close_timeout=1
        ) as connection:
            screen = Screen(connection)
            while self.clients.open:
                await asyncio.wait_for(screen.hear(), 20)
                self._record_accepted(screen)
                await self._decide(screen)

    def _record_accepted(self, screen: Screen) -> None:
        """Records the last decision as accepted once the turn counter has increased."""
        own = screen.mine.get(self.seat)
        if not (own and screen.scene and self._sent):
            return
        key, turn, action = self._sent
        if key == self._key(screen) and own["turn"] > turn:
            self.clients.accepted.setdefault(key, []).append(action)
            self._sent = None

    def _key(self, screen: Screen) -> Key:
        assert screen.scene
        return self.table, screen.scene["match"]["number"], self.seat

    async def _decide(self, screen: Screen) -> None:
        if screen.over:
            await asyncio.sleep(PAUSE_SECONDS)
            await self.clients.ask(self.cookies, f"/tables/{self.table}/matches", {})
            return
        if not screen.may(self.seat):
            return
        own, key = screen.mine[self.seat], self._key(screen)
        if self._sent and (self._sent[0], self._sent[1]) != (key, own["turn"]):
            self._sent = None  # from a finished match
        if self._sent is None:
            self._sent = key, own["turn"], self.random_source.choice(own["choices"][:-1] or own["choices"])
            await asyncio.sleep(self.random_source.random() * PAUSE_SECONDS)
        _, turn, action = self._sent
        await screen.wire.send(json.dumps({"type": "act", "seat": self.seat, "turn": turn, "action": action}))


async def create_tables(clients: Clients, tables: int) -> list[Player]:
    """Creates tables: half of them with two people, the others with a person and a bot."""
    found = []
    for number in range(tables):
        ada, ben = httpx.Cookies(), httpx.Cookies()
        seats = ["Ada", "open"] if number % 2 else ["Ada", "bot:level-1"]
        wish = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": list(map(seat_of, seats))}
        await clients.ask(ada, "/hello")
        table = (await clients.ask(ada, "/tables", wish))["table"]
        found.append(Player(clients, ada, table, 0, Random(f"ada {number}")))
        if number % 2:
            await clients.ask(ben, "/hello")
            await clients.ask(ben, f"/tables/{table}/seats/1", {"type": "join", "name": "Ben"})
            found.append(Player(clients, ben, table, 1, Random(f"ben {number}")))
    return found
