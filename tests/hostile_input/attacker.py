"""Sends hostile requests and messages to a server and measures the delay of other clients."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter

import httpx
from websockets.exceptions import ConnectionClosed

from polyopolis.play.close_codes import INTERNAL_ERROR
from polyopolis.server.app import create_app
from polyopolis.server.options import Options
from tests.hostile_input.cases import Case, cases_of, messages, routes_of
from tests.server.support.server_process import Screen, ServerProcess, Visitor

CLIENT_ERROR, SERVER_ERROR = 400, 500
MAX_RESPONSE_SECONDS = 0.25
"""Limit of the response time."""
PROBE_SECONDS = 0.02
"""Pause between two requests of the measuring client."""


@dataclass
class AttackOutcome:
    tried: int = 0
    errors: list[str] = field(default_factory=list)
    """Invalid cases that the server accepted, and cases with a server error or without a response."""
    slow: list[str] = field(default_factory=list)
    longest_seconds: float = 0.0

    def add(self, case: Case, answer: str, seconds: float, *, error: bool) -> None:
        self.tried += 1
        self.longest_seconds = max(self.longest_seconds, seconds)
        if error:
            self.errors.append(f"{case}: {answer}")
        if seconds > MAX_RESPONSE_SECONDS:
            self.slow.append(f"{case}: {answer}, {1000 * seconds:.0f} ms")


class Attacker:
    """A guest with a table and an external bot."""

    def __init__(self, server: ServerProcess, pause: float = 0.0) -> None:
        self.server = server
        self.outcome = AttackOutcome()
        self._pause = pause

    async def requests(self, kinds: frozenset[str] | None = None) -> None:
        """Sends all hostile requests, with a new guest for each route, because some requests delete data of the
        guest."""
        for route in routes_of(create_app(Options(Path("unused")))):
            async with self._guest() as (guest, table):
                token = await self._token(guest) if "/bot/" in route.path or "/stream/" in route.path else ""
                known = {"table": table, "number": "0", "seat": "0", "key": "mycity", "day": "2026-01-01"}
                for case in filter_cases(cases_of(route, known), kinds):
                    await self._send(guest.http, case, token)

    async def messages(self, kinds: frozenset[str] | None = None) -> None:
        """Sends all hostile messages; reconnects when the server has closed the connection."""
        async with self._guest() as (guest, table):
            waiting = list(filter_cases(messages(), kinds))
            while waiting:
                async with guest.at(table) as screen:
                    while waiting and await self._say(screen, waiting.pop()):
                        pass

    @asynccontextmanager
    async def _guest(self) -> AsyncIterator[tuple[Visitor, str]]:
        guest = Visitor(self.server)
        try:
            yield guest, await guest.table("Ada", "bot:random")
        finally:
            await guest.close()

    @staticmethod
    async def _token(guest: Visitor) -> str:
        await guest.post("/me/code", {})  # bots require an account
        (bot,) = (await guest.post("/me/bots", {"name": "Deep Thought"}))["bots"]
        made = await guest.post(f"/me/bots/{bot['id']}/tokens", {"name": "laptop", "scopes": ["watch", "play"]})
        return str(made["token"])

    async def _send(self, http: httpx.AsyncClient, case: Case, token: str) -> None:
        headers = {"content-type": "application/json"} | ({"authorization": f"Bearer {token}"} if token else {})
        begun = perf_counter()
        try:
            async with http.stream(case.method, case.path, content=case.body.encode(), headers=headers) as answer:
                seconds = perf_counter() - begun
                if "ndjson" not in answer.headers.get("content-type", ""):
                    await answer.aread()
                status = answer.status_code
                wrong = status >= SERVER_ERROR or (status < CLIENT_ERROR and not case.is_acceptable)
                self.outcome.add(case, str(status), seconds, error=wrong)
        except httpx.InvalidURL:
            pass
        except httpx.HTTPError as error:
            self.outcome.add(case, type(error).__name__, perf_counter() - begun, error=True)
        await asyncio.sleep(self._pause)

    async def _say(self, screen: Screen, case: Case) -> bool:
        """Sends a message. Returns whether the connection is still open."""
        begun = perf_counter()
        try:
            await screen.wire.send(case.body)
            await screen.ask(type="why", seat=0, action={})
        except ConnectionClosed as closed:
            code = closed.rcvd.code if closed.rcvd else 0
            self.outcome.add(case, f"closed with {code}", perf_counter() - begun, error=code in (0, INTERNAL_ERROR))
            return False
        else:
            self.outcome.add(case, "answered", perf_counter() - begun, error=not case.is_acceptable)
            return True
        finally:
            await asyncio.sleep(self._pause)


def filter_cases(cases: Iterable[Case], kinds: frozenset[str] | None) -> Iterable[Case]:
    return (case for case in cases if kinds is None or case.kind in kinds)


async def hello_p95(server: ServerProcess, until: asyncio.Event) -> float:
    """Returns the p95 of the response time for another client, in seconds."""
    found = list[float]()
    async with httpx.AsyncClient(base_url=server.url) as http:
        while not until.is_set():
            begun = perf_counter()
            (await http.get("/api/hello")).raise_for_status()
            found.append(perf_counter() - begun)
            await asyncio.sleep(PROBE_SECONDS)
    return sorted(found)[int(0.95 * len(found))]
