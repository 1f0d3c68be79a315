"""Simulated players: each has a seat and a WebSocket, and makes random decisions when it is due."""

import asyncio
import random
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

import msgspec
from websockets.asyncio.client import ClientConnection, connect
from websockets.typing import Origin


class OwnSeat(msgspec.Struct):
    seat: int
    turn: int
    choices: list[msgspec.Raw]
    staged: Any


class ServerMessage(msgspec.Struct):
    """The fields of a message that a simulated player reads."""

    type: str
    mine: list[OwnSeat] = []


_decoder = msgspec.json.Decoder(ServerMessage)


@dataclass
class PendingDecision:
    """A decision that has not reached all seats of its table."""

    start: float
    waiting: set[int]


@dataclass
class SimulatedPlayer:
    """A seat and its connection."""

    socket: ClientConnection
    seat: int
    own: OwnSeat | None = None

    @property
    def can_decide(self) -> bool:
        return bool(self.own and self.own.choices and self.own.staged is None)


@dataclass
class SimulatedPlayers:
    url: str
    latencies: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    messages: int = 0
    """Number of received messages."""
    tables: dict[str, list[SimulatedPlayer]] = field(default_factory=dict)
    _spectators: list[SimulatedPlayer] = field(default_factory=list)
    _pending: dict[str, PendingDecision] = field(default_factory=dict)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)

    async def connect(self, table: str, cookie: str | None, seat: int | None) -> None:
        """Opens a page of a table: for a seat, or as a spectator if `seat` is None."""
        address = f"{self.url.replace('http', 'ws', 1)}/api/tables/{table}/socket"
        headers = {"cookie": f"polyopolis={cookie}"} if cookie else {}
        socket = await connect(address, origin=Origin(self.url), additional_headers=headers, max_queue=None)
        player = SimulatedPlayer(socket, -1 if seat is None else seat)
        if seat is None:
            self._spectators.append(player)
        else:
            self.tables.setdefault(table, []).append(player)
        self._tasks.append(asyncio.create_task(self._listen(table, player)))

    async def _listen(self, table: str, player: SimulatedPlayer) -> None:
        try:
            async for data in player.socket:
                self._handle(table, player, _decoder.decode(data))
        except Exception as error:
            self.errors.append(f"{type(error).__name__}: {error}")

    def _handle(self, table: str, player: SimulatedPlayer, message: ServerMessage) -> None:
        self.messages += 1
        for own in message.mine:
            player.own = own
        if message.type == "refused":
            self.errors.append("a decision was refused")
        decision = self._pending.get(table)
        if decision and message.type in ("decided", "news"):
            decision.waiting.discard(player.seat)
            if not decision.waiting:
                self.latencies.append(perf_counter() - decision.start)
                del self._pending[table]

    async def play(self, rate: float, seconds: float) -> int:
        """Makes `rate` decisions per second at tables without a pending decision; returns their number."""
        rng, start, made = random.Random(7), perf_counter(), 0
        names = list(self.tables)
        while (now := perf_counter() - start) < seconds:
            while made < now * rate and await self._decide(rng, names):
                made += 1
            await asyncio.sleep(0.002)
        for _ in range(100):
            if self._pending:
                await asyncio.sleep(0.05)
        self.errors += ["a decision did not reach all seats"] * len(self._pending)
        return made

    async def _decide(self, rng: random.Random, names: list[str]) -> bool:
        """Makes a decision for a random player who is due; returns False if none of 50 random tables is free."""
        for _ in range(50):
            table = rng.choice(names)
            due = [player for player in self.tables[table] if player.can_decide]
            if due and table not in self._pending:
                player = rng.choice(due)
                await self._act(table, player, rng)
                return True
        return False

    async def _act(self, table: str, player: SimulatedPlayer, rng: random.Random) -> None:
        own = player.own
        if own is None:
            return
        action = rng.choice(own.choices[:-1] or own.choices)
        message = b'{"type":"act","seat":%d,"turn":%d,"action":%s}' % (own.seat, own.turn, bytes(action))
        own.staged = True
        self._pending[table] = PendingDecision(perf_counter(), {player.seat for player in self.tables[table]})
        await player.socket.send(message.decode())

    async def disconnect_spectators(self) -> None:
        await asyncio.gather(*(spectator.socket.close() for spectator in self._spectators))

    async def disconnect(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*(player.socket.close() for players in self.tables.values() for player in players))
