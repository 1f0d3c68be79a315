"""Nothing that is told before a reveal depends on what comes later, nor on what another has staged.

Every message to every guest is kept over many random games. Then the future is changed: the same game with other
cards from some draw on, or with another decision staged in some round. Until that moment the messages must be the same
to the byte, the announced hash of the seed aside.
"""

import asyncio
import random
from collections.abc import Sequence
from typing import Any, TypeVar

import msgspec
import pytest

from polyopolis.engine import CHANCE, Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.server.guests import Guest
from polyopolis.server.messages import Act
from polyopolis.server.store import Happened, LogRow, MatchRow, SeatRow, TableRow
from polyopolis.server.table import Table, commitment
from tests.effort import SOAK

GAMES = 300
Item = TypeVar("Item")
mycity = game("mycity")
PEOPLE = ("ada", "ben", "eve")


class Spliced(Dealer):
    """Deals like one seed before draw `until`, like another from then on."""

    def __init__(self, seed: bytes, other: bytes, until: int) -> None:
        super().__init__(seed)
        self._other = Dealer(other)
        self._until = until

    def pick(self, number: int, odds: Sequence[tuple[Item, int]]) -> Item:
        return super().pick(number, odds) if number < self._until else self._other.pick(number, odds)


class Forgetful:
    """A store that keeps nothing: what is told does not depend on it."""

    async def append(self, table: str, match: int, happened: Happened) -> None: ...

    async def start(self, table: str, row: MatchRow, moves: Sequence[LogRow]) -> None: ...


class Stage:
    """A table with two people and a spectator, and everything that each was told."""

    def __init__(self, seats: int, seed: bytes, other: bytes, until: int) -> None:
        setup = msgspec.json.encode(mycity.Setup(seats=seats)).decode()
        rows = tuple(SeatRow(seat, person, person, None) for seat, person in enumerate(PEOPLE[:seats]))
        nobody: Any = None
        store: Any = Forgetful()
        self.table = Table(store, nobody, TableRow("t", "mycity", setup, None, "[]", False, 0, rows, ()))
        self.guests = [Guest(person) for person in (*PEOPLE[:seats], None)]
        self.told: list[list[bytes]] = [[] for _ in self.guests]
        self.hashes = [commitment(seed), commitment(other)]
        self._row = MatchRow(0, setup, other, b"", False)
        self._dealer = Spliced(seed, other, until)

    async def start(self) -> None:
        for guest in self.guests:
            self.table.arrive(guest)
        await self.table.start(self._row)
        assert self.table.playing
        self.table.playing.match = Match.start(mycity, self.table.playing.match.setup).deal(self._dealer)
        self.table.playing.number = len(self.table.playing.match.moves)
        self.table.playing.dealer = self._dealer
        for guest in self.guests:
            while not guest.queue.empty():
                guest.queue.get_nowait()
            self.table.arrive(guest)
        self._collect()

    @property
    def match(self) -> Match:
        assert self.table.playing
        return self.table.playing.match

    async def act(self, seat: int, action: Any) -> None:
        assert self.table.playing
        turn = self.table.playing.turns.get(seat, 0)
        await self.table.hear(self.guests[seat], Act(seat, turn, msgspec.to_builtins(action)))
        self._collect()

    def _collect(self) -> None:
        for guest, told in zip(self.guests, self.told, strict=True):
            while not guest.queue.empty():
                message = guest.queue.get_nowait()
                assert message is not None
                for known in self.hashes:
                    message = message.replace(known.encode(), b"HASH")
                told.append(message)

    def drawn(self) -> int:
        return sum(move.seat == CHANCE for move in self.match.moves)


async def two_futures(number: int) -> None:
    """One game with two futures from some draw on: the same is told until that draw is revealed."""
    luck = random.Random(number)
    seats, until = luck.choice([2, 3]), luck.randrange(1, 28)
    one = Stage(seats, seed_of(f"one {number}"), seed_of(f"one {number}"), until)
    other = Stage(seats, seed_of(f"one {number}"), seed_of(f"other {number}"), until)
    await one.start()
    await other.start()
    for _ in range(200):
        if one.match.over or max(one.drawn(), other.drawn()) > until:
            return
        assert one.told == other.told
        seat = luck.choice(sorted(one.match.due))
        action = luck.choice(mycity.legal(one.match.state, seat))
        await one.act(seat, action)
        await other.act(seat, action)


async def two_decisions(number: int) -> None:
    """One game in which a seat stages one thing or another: the others are told the same until the round closes."""
    luck = random.Random(-number)
    seats, rounds = luck.choice([2, 3]), luck.randrange(0, 12)
    seed = seed_of(f"staged {number}")
    one, other = Stage(seats, seed, seed, 99), Stage(seats, seed, seed, 99)
    await one.start()
    await other.start()
    while one.drawn() <= rounds and not one.match.over:
        seat = min(one.match.due)
        action = mycity.legal(one.match.state, seat)[0]
        await one.act(seat, action)
        await other.act(seat, action)
    due = sorted(one.match.due)
    if one.match.over or one.match.staged or len(due) < 2:
        return
    hidden = luck.choice(due)
    legal = mycity.legal(one.match.state, hidden)
    await one.act(hidden, legal[0])
    await other.act(hidden, legal[-1])
    watching = [index for index in range(len(one.guests)) if index != hidden]
    assert [one.told[index] for index in watching] == [other.told[index] for index in watching]
    assert one.told[hidden] != other.told[hidden]


@pytest.mark.parametrize("part", range(6))
def test_nothing_told_before_a_reveal_depends_on_the_future(part: int) -> None:
    for number in range(part * GAMES * SOAK // 6, (part + 1) * GAMES * SOAK // 6):
        asyncio.run(two_futures(number))


@pytest.mark.parametrize("part", range(3))
def test_nobody_is_told_what_another_has_staged(part: int) -> None:
    for number in range(part * GAMES * SOAK // 3, (part + 1) * GAMES * SOAK // 3):
        asyncio.run(two_decisions(number))
