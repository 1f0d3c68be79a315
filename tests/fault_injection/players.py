"""People who play on whatever happens, and remember what they were told."""

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

PAUSE = 0.05
TROUBLE = (OSError, WebSocketException, TimeoutError, httpx.HTTPError)
PATIENCE = 60.0

Key = tuple[str, int, int]
"""A table, a match, a seat."""


@dataclass
class Town:
    """Everybody, and every decision that somebody was told to be accepted, in the order of the turns of a seat."""

    urls: list[str]
    accepted: dict[Key, list[Any]] = field(default_factory=dict)
    troubles: int = 0
    open: bool = True

    @property
    def decisions(self) -> int:
        return sum(map(len, self.accepted.values()))

    async def ask(self, cookies: httpx.Cookies, path: str, body: Any = None) -> Any:
        """Of any server, until one answers."""
        luck = Random()
        async with asyncio.timeout(PATIENCE):
            while True:
                url = luck.choice(self.urls)
                headers = {"origin": url, "x-polyopolis": VERSION}
                try:
                    async with httpx.AsyncClient(base_url=url, headers=headers, cookies=cookies, timeout=5) as http:
                        answer = await (
                            http.get(f"/api{path}") if body is None else http.post(f"/api{path}", json=body)
                        )
                        if answer.status_code >= 500:
                            raise httpx.ReadError("not now")
                        if answer.status_code == 404:
                            raise LookupError(path)
                        cookies.update(http.cookies)
                        return answer.json()
                except TROUBLE:
                    await asyncio.sleep(PAUSE)


@dataclass
class Player:
    """One seat at one table."""

    town: Town
    cookies: httpx.Cookies
    table: str
    seat: int
    luck: Random
    _said: tuple[Key, int, Any] | None = None

    async def play(self) -> None:
        while self.town.open:
            try:
                await self._visit()
            except TROUBLE:
                self.town.troubles += 1
                await asyncio.sleep(PAUSE)

    async def _visit(self) -> None:
        url = self.luck.choice(self.town.urls)
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        async with connect(
            address, origin=Origin(url), additional_headers={"cookie": cookie}, open_timeout=5, close_timeout=1
        ) as wire:
            screen = Screen(wire)
            while self.town.open:
                await asyncio.wait_for(screen.hear(), 20)
                self._remember(screen)
                await self._decide(screen)

    def _remember(self, screen: Screen) -> None:
        """What was said is accepted once the turn of the seat has gone on."""
        own = screen.mine.get(self.seat)
        if not (own and screen.scene and self._said):
            return
        key, turn, action = self._said
        if key == self._key(screen) and own["turn"] > turn:
            self.town.accepted.setdefault(key, []).append(action)
            self._said = None

    def _key(self, screen: Screen) -> Key:
        assert screen.scene
        return self.table, screen.scene["match"]["number"], self.seat

    async def _decide(self, screen: Screen) -> None:
        if screen.over:
            await asyncio.sleep(PAUSE)
            await self.town.ask(self.cookies, f"/tables/{self.table}/matches", {})
            return
        if not screen.may(self.seat):
            return
        own, key = screen.mine[self.seat], self._key(screen)
        if self._said and (self._said[0], self._said[1]) != (key, own["turn"]):
            self._said = None  # of a match that is over
        if self._said is None:
            self._said = key, own["turn"], self.luck.choice(own["choices"][:-1] or own["choices"])
            await asyncio.sleep(self.luck.random() * PAUSE)
        _, turn, action = self._said
        await screen.wire.send(json.dumps({"type": "act", "seat": self.seat, "turn": turn, "action": action}))


async def sit_down(town: Town, tables: int) -> list[Player]:
    """Half of the tables are of two people, the others of somebody and a bot."""
    found = []
    for number in range(tables):
        ada, ben = httpx.Cookies(), httpx.Cookies()
        seats = ["Ada", "open"] if number % 2 else ["Ada", "bot:level-1"]
        wish = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": list(map(seat_of, seats))}
        await town.ask(ada, "/hello")
        table = (await town.ask(ada, "/tables", wish))["table"]
        found.append(Player(town, ada, table, 0, Random(f"ada {number}")))
        if number % 2:
            await town.ask(ben, "/hello")
            await town.ask(ben, f"/tables/{table}/seats/1", {"type": "join", "name": "Ben"})
            found.append(Player(town, ben, table, 1, Random(f"ben {number}")))
    return found
