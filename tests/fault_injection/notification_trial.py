"""Trial of notices: people at many tables decide without looking on, servers are killed, and every notice is counted.

Whoever is to decide is told at a receiver of their own. Each decides once they are told, and not before, so a notice
that is lost stops a table for good. Servers are killed at any moment, and only a crash repeats a notice.
"""

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import monotonic, time_ns

import httpx
from sqlalchemy import select
from websockets.asyncio.client import connect
from websockets.typing import Origin

from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.schema import outbox
from tests.fault_injection.players import PAUSE, TROUBLE, Town
from tests.fault_injection.sites import Site
from tests.server.support.notification_sink import Ears, ears
from tests.server.support.server_process import Screen, seat_of

TABLES = 50
BETWEEN = 1.0
"""Seconds between two faults, on average: from none at all to twice as many."""
PATIENCE = 60.0
"""Seconds after the last fault in which every table has to go on."""
OPTIONS = ("--notices-reach", "anywhere", "--notices-pause", "0.1")


@dataclass(frozen=True)
class Outcome:
    notices: int
    """Different ones that arrived."""
    lost: int
    """Tables that wait for somebody who was not told."""
    repeated: int
    """That arrived more than once, with the same id."""
    unasked: int
    """Of those: though nobody crashed between one time and the next."""
    doubled: int
    """Beyond one for each turn."""
    crashes: int

    @property
    def good(self) -> bool:
        """Only a crash between sending and noting repeats something."""
        return not (self.lost or self.doubled or self.unasked)

    def __str__(self) -> str:
        return (
            f"{self.notices} notices, {self.lost} lost, {self.doubled} doubled, "
            f"{self.repeated} repeated with the same id over {self.crashes} crashes, {self.unasked} without one"
        )


@dataclass
class Correspondent:
    """One seat at one table, who looks only when told, decides, and goes away."""

    town: Town
    cookies: httpx.Cookies
    name: str
    seat: int
    luck: Random
    table: str = ""
    decided: int = 0
    called: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        while self.town.open:
            await self.called.wait()
            self.called.clear()
            await self._decide()

    async def _decide(self) -> None:
        while self.town.open:
            try:
                async with asyncio.timeout(20):
                    await self._visit()
                return
            except TROUBLE:
                self.town.troubles += 1
                await asyncio.sleep(PAUSE)

    async def _visit(self) -> None:
        url = self.luck.choice(self.town.urls)
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"cookie": cookie}
        async with connect(address, origin=Origin(url), additional_headers=headers, close_timeout=1) as wire:
            screen = Screen(wire)
            await screen.hear()
            await wire.send('{"type": "look", "here": false}')
            # once this is answered, whatever happened while the table was open before their eyes is on the screen
            await screen.ask(type="foresee", seat=self.seat)
            if screen.over:
                await self.town.ask(self.cookies, f"/tables/{self.table}/matches", {})
            if not screen.may(self.seat):
                return
            own = screen.mine[self.seat]
            action = self.luck.choice(own["choices"])
            await wire.send(json.dumps({"type": "act", "seat": self.seat, "turn": own["turn"], "action": action}))
            while screen.mine[self.seat]["turn"] == own["turn"]:
                await screen.hear()
        self.decided += 1


async def tried_by_notices(site: Site, fault: Callable[[], None], times: int, tables: int) -> Outcome:
    with ears() as heard:
        await asyncio.to_thread(site.start)
        town = Town(site.urls)
        people = [each for number in range(tables) for each in await _seated(town, number, heard)]
        tasks = [asyncio.create_task(each.play()) for each in people]
        calling = asyncio.create_task(_call(heard, {each.name: each for each in people}))
        crashes, luck = list[tuple[int, int]](), Random(7)
        await asyncio.sleep(BETWEEN)
        for _ in range(times):
            before = len(heard.heard)
            await asyncio.to_thread(fault)
            crashes.append((before, len(heard.heard)))
            await asyncio.sleep(luck.uniform(0, 2 * BETWEEN))
        stuck = await _stuck(people)
        town.open = False
        for task in (calling, *tasks):
            task.cancel()
        await asyncio.gather(calling, *tasks, return_exceptions=True)
        for node in site.nodes:
            await asyncio.to_thread(node.stop)
        posts = [(each.path.strip("/"), each.said) for each in heard.heard]
    arrived = [(name, post["type"], post["id"]) for name, post in posts]
    ids, doubled = set(arrived), 0
    turns = Counter(name for name, kind, _ in ids if kind == "turn")
    for name, answered in (await _answered(site.database, people)).items():
        doubled += max(0, turns[name] - answered - 1)
    for table in stuck:
        print(f"table {table} waits: {await _waiting(site.database, table)}", flush=True)
    return Outcome(len(ids), len(stuck), len(arrived) - len(ids), _unasked(arrived, crashes), doubled, times)


def _unasked(arrived: Sequence[tuple[str, str, str]], crashes: Sequence[tuple[int, int]]) -> int:
    """Those that came again though nobody had crashed since. Of a crash it is known how many had come before it, and
    when a server was there again."""
    last, found = dict[tuple[str, str, str], int](), 0
    for place, each in enumerate(arrived):
        if each in last:
            found += not any(last[each] < after and place >= before for before, after in crashes)
        last[each] = place
    return found


async def _seated(town: Town, number: int, heard: Ears) -> list[Correspondent]:
    people = [
        Correspondent(town, httpx.Cookies(), f"{name}-{number}", seat, Random(f"{name} {number}"))
        for seat, name in enumerate(("Ada", "Ben"))
    ]
    for each in people:
        await town.ask(each.cookies, "/hello")
        hook = {"type": "hook", "url": f"{heard.url}/{each.name}"}
        await town.ask(each.cookies, "/notices/receivers", hook)
    ada, ben = people
    seats, pace = list(map(seat_of, ["Ada", "open"])), {"type": "correspondence", "days": 2, "bank": 3}
    wish = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats, "pace": pace}
    table = (await town.ask(ada.cookies, "/tables", wish))["table"]
    await town.ask(ben.cookies, f"/tables/{table}/seats/1", {"type": "join", "name": "Ben"})
    ada.table = ben.table = table
    return people


async def _call(heard: Ears, people: dict[str, Correspondent]) -> None:
    """Whoever is told comes. Nobody comes by themselves."""
    seen = 0
    while True:
        new, seen = heard.heard[seen:], len(heard.heard)
        for each in new:
            people[each.path.strip("/")].called.set()
        await asyncio.sleep(PAUSE)


async def _stuck(people: list[Correspondent]) -> list[str]:
    """Tables where nobody decides any more."""
    before = {each.table: 0 for each in people}
    for each in people:
        before[each.table] += each.decided
    end = monotonic() + PATIENCE

    def stuck() -> list[str]:
        now = Counter[str]()
        for each in people:
            now[each.table] += each.decided
        return [table for table, number in before.items() if now[table] <= number]

    while stuck() and monotonic() < end:
        await asyncio.sleep(0.2)
    return stuck()


async def _waiting(database: Path | str, table: str) -> str:
    """Who is to decide there, and what is still to be told to whom, in how many seconds."""
    store = DatabaseMatchRepository(database)
    row, now = await store.table(table), time_ns() // 1_000_000
    asked = select(outbox).where(outbox.c.table == table)
    rows = await store.read(lambda db: db.execute(asked).mappings().all())
    await store.close()
    letters = [(each["kind"], each["person"][:4], (each["look"] - now) // 1000, each["node"]) for each in rows]
    people = [seat.person and seat.person[:4] for seat in row.seats] if row else []
    return f"due {row.matches[-1].due if row else None} of {people}, outbox {letters}"


async def _answered(database: Path | str, people: list[Correspondent]) -> dict[str, int]:
    """How often each has decided, as it is kept. Nobody decides twice in a turn."""
    store, found = DatabaseMatchRepository(database), Counter[str]()
    for each in people:
        row = await store.table(each.table)
        for match in row.matches if row else ():
            kept = await store.match(each.table, match.number)
            found[each.name] += sum(turn.turn for turn in kept.turns if turn.seat == each.seat) if kept else 0
    await store.close()
    return found
