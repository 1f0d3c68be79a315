"""Trial of notifications: players decide only when notified, servers are killed, and all notifications are counted.

Each player has a webhook and decides only after a notification, so a lost notification stops a table. Servers are
killed at random moments; only a crash may repeat a notification.
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
from tests.fault_injection.players import CONNECTION_ERRORS, PAUSE_SECONDS, Clients
from tests.fault_injection.sites import Site
from tests.server.support.notification_sink import NotificationSink, notification_sink
from tests.server.support.server_process import Screen, seat_of

TABLES = 50
FAULT_INTERVAL_SECONDS = 1.0
"""Mean pause between two faults; it varies from 0 to twice this value."""
TIMEOUT_SECONDS = 60.0
"""After the last fault every table must continue within this time."""
OPTIONS = ("--notices-reach", "anywhere", "--notices-pause", "0.1")


@dataclass(frozen=True)
class NotificationOutcome:
    notices: int
    """The number of different notifications received."""
    lost: int
    """Tables whose next player was not notified."""
    repeated: int
    """Notifications received more than once, with the same id."""
    repeated_without_crash: int
    """Those of them without a crash between the two deliveries."""
    doubled: int
    """Notifications beyond one per turn."""
    crashes: int

    @property
    def good(self) -> bool:
        """Whether no notification was lost, and only crashes have repeated one."""
        return not (self.lost or self.doubled or self.repeated_without_crash)

    def __str__(self) -> str:
        return (
            f"{self.notices} notices, {self.lost} lost, {self.doubled} doubled, "
            f"{self.repeated} repeated with the same id over {self.crashes} crashes, "
            f"{self.repeated_without_crash} without one"
        )


@dataclass
class NotifiedPlayer:
    """Plays one seat: connects when notified, decides, and disconnects."""

    clients: Clients
    cookies: httpx.Cookies
    name: str
    seat: int
    random_source: Random
    table: str = ""
    decided: int = 0
    notified: asyncio.Event = field(default_factory=asyncio.Event)

    async def play(self) -> None:
        while self.clients.open:
            await self.notified.wait()
            self.notified.clear()
            await self._decide()

    async def _decide(self) -> None:
        while self.clients.open:
            try:
                async with asyncio.timeout(20):
                    await self._visit()
                return
            except CONNECTION_ERRORS:
                self.clients.troubles += 1
                await asyncio.sleep(PAUSE_SECONDS)

    async def _visit(self) -> None:
        url = self.random_source.choice(self.clients.urls)
        address = f"{url.replace('http', 'ws', 1)}/api/tables/{self.table}/socket"
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        headers = {"cookie": cookie}
        async with connect(address, origin=Origin(url), additional_headers=headers, close_timeout=1) as connection:
            screen = Screen(connection)
            await screen.hear()
            await connection.send('{"type": "look", "here": false}')
            # the response arrives after all events that happened while the page counted as visible
            await screen.ask(type="foresee", seat=self.seat)
            if screen.over:
                await self.clients.ask(self.cookies, f"/tables/{self.table}/matches", {})
            if not screen.may(self.seat):
                return
            own = screen.mine[self.seat]
            action = self.random_source.choice(own["choices"])
            await connection.send(json.dumps({"type": "act", "seat": self.seat, "turn": own["turn"], "action": action}))
            while screen.mine[self.seat]["turn"] == own["turn"]:
                await screen.hear()
        self.decided += 1


async def run_notification_trial(site: Site, fault: Callable[[], None], times: int, tables: int) -> NotificationOutcome:
    with notification_sink() as sink:
        await asyncio.to_thread(site.start)
        clients = Clients(site.urls)
        people = [each for number in range(tables) for each in await _create_table(clients, number, sink)]
        tasks = [asyncio.create_task(each.play()) for each in people]
        waking = asyncio.create_task(_wake_notified_players(sink, {each.name: each for each in people}))
        crashes, random_source = list[tuple[int, int]](), Random(7)
        await asyncio.sleep(FAULT_INTERVAL_SECONDS)
        for _ in range(times):
            before = len(sink.heard)
            await asyncio.to_thread(fault)
            crashes.append((before, len(sink.heard)))
            await asyncio.sleep(random_source.uniform(0, 2 * FAULT_INTERVAL_SECONDS))
        stuck = await _stuck(people)
        clients.open = False
        for task in (waking, *tasks):
            task.cancel()
        await asyncio.gather(waking, *tasks, return_exceptions=True)
        for node in site.nodes:
            await asyncio.to_thread(node.stop)
        posts = [(each.path.strip("/"), each.said) for each in sink.heard]
    arrived = [(name, post["type"], post["id"]) for name, post in posts]
    ids, doubled = set(arrived), 0
    turns = Counter(name for name, kind, _ in ids if kind == "turn")
    for name, answered in (await _stored_decisions(site.database, people)).items():
        doubled += max(0, turns[name] - answered - 1)
    for table in stuck:
        print(f"table {table} waits: {await _table_state(site.database, table)}", flush=True)
    return NotificationOutcome(
        len(ids), len(stuck), len(arrived) - len(ids), _repeated_without_crash(arrived, crashes), doubled, times
    )


def _repeated_without_crash(arrived: Sequence[tuple[str, str, str]], crashes: Sequence[tuple[int, int]]) -> int:
    """Counts repeated notifications without a crash since the previous delivery. A crash is given by the numbers of
    notifications received before it and after the restart."""
    last, found = dict[tuple[str, str, str], int](), 0
    for place, each in enumerate(arrived):
        if each in last:
            found += not any(last[each] < after and place >= before for before, after in crashes)
        last[each] = place
    return found


async def _create_table(clients: Clients, number: int, sink: NotificationSink) -> list[NotifiedPlayer]:
    people = [
        NotifiedPlayer(clients, httpx.Cookies(), f"{name}-{number}", seat, Random(f"{name} {number}"))
        for seat, name in enumerate(("Ada", "Ben"))
    ]
    for each in people:
        await clients.ask(each.cookies, "/hello")
        hook = {"type": "hook", "url": f"{sink.url}/{each.name}"}
        await clients.ask(each.cookies, "/notices/receivers", hook)
    ada, ben = people
    seats, pace = list(map(seat_of, ["Ada", "open"])), {"type": "correspondence", "days": 2, "bank": 3}
    wish = {"game": "mycity", "setup": {"mode": "eternal"}, "seats": seats, "pace": pace}
    table = (await clients.ask(ada.cookies, "/tables", wish))["table"]
    await clients.ask(ben.cookies, f"/tables/{table}/seats/1", {"type": "join", "name": "Ben"})
    ada.table = ben.table = table
    return people


async def _wake_notified_players(sink: NotificationSink, people: dict[str, NotifiedPlayer]) -> None:
    """Wakes the players that have received a notification."""
    seen = 0
    while True:
        new, seen = sink.heard[seen:], len(sink.heard)
        for each in new:
            people[each.path.strip("/")].notified.set()
        await asyncio.sleep(PAUSE_SECONDS)


async def _stuck(people: list[NotifiedPlayer]) -> list[str]:
    """Returns the tables without further decisions."""
    before = {each.table: 0 for each in people}
    for each in people:
        before[each.table] += each.decided
    end = monotonic() + TIMEOUT_SECONDS

    def stuck() -> list[str]:
        now = Counter[str]()
        for each in people:
            now[each.table] += each.decided
        return [table for table, number in before.items() if now[table] <= number]

    while stuck() and monotonic() < end:
        await asyncio.sleep(0.2)
    return stuck()


async def _table_state(database: Path | str, table: str) -> str:
    """Describes a stuck table: seats whose turn it is, and queued notifications with their due times in seconds."""
    store = DatabaseMatchRepository(database)
    row, now = await store.table(table), time_ns() // 1_000_000
    asked = select(outbox).where(outbox.c.table == table)
    rows = await store.read(lambda db: db.execute(asked).mappings().all())
    await store.close()
    queued = [(each["kind"], each["person"][:4], (each["look"] - now) // 1000, each["node"]) for each in rows]
    people = [seat.person and seat.person[:4] for seat in row.seats] if row else []
    return f"due {row.matches[-1].due if row else None} of {people}, outbox {queued}"


async def _stored_decisions(database: Path | str, people: list[NotifiedPlayer]) -> dict[str, int]:
    """Returns the number of stored decisions of each player."""
    store, found = DatabaseMatchRepository(database), Counter[str]()
    for each in people:
        row = await store.table(each.table)
        for match in row.matches if row else ():
            kept = await store.match(each.table, match.number)
            found[each.name] += sum(turn.turn for turn in kept.turns if turn.seat == each.seat) if kept else 0
    await store.close()
    return found
