"""Messages before a reveal depend neither on the future nor on staged decisions of others.

Every message to every guest is kept over many random games. Then the future is changed: the same game with other
cards from a draw on, or with another decision staged in some round. Until that moment the messages must be the same
to the byte, except for the hash of the seed.
"""

import asyncio
import random
from collections.abc import Sequence
from hashlib import sha256
from typing import Any, TypeVar

import msgspec
import pytest
from msgspec.structs import replace

from polyopolis.engine import CHANCE, Dealer, Match, seed_of
from polyopolis.games import game
from polyopolis.play.entities import SeatEntity, TableChange, TableEntity, as_json, log_entry
from polyopolis.play.in_memory import InMemoryMatchRepository, NoCluster
from polyopolis.play.match import premoves
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.messages import Act, AskFuture, FromScreen, PreparePremove
from polyopolis.play.match.projections import parameterless_actions
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices, TableContext
from polyopolis.play.timing.clocks import start_timing
from polyopolis.play.timing.pace import UNHURRIED, Correspondence, Pace
from tests.play.in_memory_site import FirstActionBots, ManualClock, Page
from tests.support.property_budget import IS_SOAK

pytestmark = pytest.mark.slow
GAMES, PLANS = (30_000, 2_000) if IS_SOAK else (60, 10)
Item = TypeVar("Item")
mycity = game("mycity")
PEOPLE = ("ada", "ben", "eve")


class SplicedDealer(Dealer):
    """Deals like one seed before draw `until`, and like another one from then on."""

    def __init__(self, seed: bytes, other: bytes, until: int) -> None:
        super().__init__(seed)
        self._other = Dealer(other)
        self._until = until

    def pick(self, number: int, odds: Sequence[tuple[Item, int]]) -> Item:
        return super().pick(number, odds) if number < self._until else self._other.pick(number, odds)


class HiddenInformationTable:
    """A table with two or three players and a spectator, at one or two nodes, and all messages to each."""

    pace: Pace = UNHURRIED

    def __init__(self, seats: int, nodes: int, seed: bytes, other: bytes, until: int) -> None:
        rows = tuple(SeatEntity(seat, person, person, None) for seat, person in enumerate(PEOPLE[:seats]))
        setup = as_json(mycity.Setup(seats=seats))
        self._row = TableEntity(id="t", game="mycity", setup=setup, created=0, changed=0, seats=rows)
        self._repository = InMemoryMatchRepository()
        houses = [
            SiteServices(self._repository, FirstActionBots(), ManualClock(), NoCluster(), 60) for _ in range(nodes)
        ]
        self.tables = [Table(TableContext(self._row, site)) for site in houses]
        self.table = self.tables[0]
        self.pages = [Page(person) for person in (*PEOPLE[:seats], None)]
        self._spliced, self._other = SplicedDealer(seed, other, until), other
        self.hashes = [sha256(each).hexdigest().encode() for each in (seed, other)]

    async def start(self) -> None:
        room = self.table.context
        timing = start_timing(self.pace, 1_000, room.seating.rows)
        row = replace(room.chain.next_row(room.chain.setup, room.seating.rows, "[]"), seed=self._other)
        row = replace(row, timing=as_json(timing) if timing else None)
        live = LiveMatch.start(row, mycity)
        live.dealer = self._spliced
        live.begin(live.deal(live.match), 0)
        log = tuple(log_entry(move, 0) for move in live.match.moves)
        await self._repository.create(self._row)
        await self._repository.start(self._row.id, live.row, log, TableChange(0, 0, None))
        room.version = 1
        self.table.matches.session = self.table.matches._open(live)
        for table in self.tables[1:]:
            await table.follow()
            assert table.session
            table.session.live.dealer = self._spliced
        for number, page in enumerate(self.pages):
            await self._at(number).arrive(page)

    def _at(self, page: int) -> Table:
        return self.tables[page % len(self.tables)]

    @property
    def match(self) -> Match:
        assert self.table.session
        return self.table.session.live.match

    async def act(self, seat: int, action: Any) -> None:
        assert self.table.session
        turn = self.table.session.live.turns.get(seat, 0)
        await self._at(seat).handle(self.pages[seat], Act(seat, turn, msgspec.to_builtins(action)))
        for table in self.tables:
            await table.follow()

    async def say(self, seat: int, message: FromScreen) -> None:
        await self._at(seat).handle(self.pages[seat], message)
        for table in self.tables:
            await table.follow()

    def heard(self) -> list[list[bytes]]:
        """The messages to each page since the last call, without the committed hash."""
        found = [[self._blurred(message) for message in page.sent] for page in self.pages]
        for page in self.pages:
            page.clear()
        return found

    def _blurred(self, message: bytes) -> bytes:
        for known in self.hashes:
            message = message.replace(known, b"HASH")
        return message

    def drawn(self) -> int:
        return sum(move.seat == CHANCE for move in self.match.moves)


async def two_futures(number: int) -> None:
    """One game with two futures from a draw on: messages are equal until that draw is revealed."""
    luck = random.Random(number)
    seats, nodes, until = luck.choice([2, 3]), luck.choice([1, 2]), luck.randrange(1, 28)
    this = HiddenInformationTable(seats, nodes, seed_of(f"one {number}"), seed_of(f"one {number}"), until)
    other = HiddenInformationTable(seats, nodes, seed_of(f"one {number}"), seed_of(f"other {number}"), until)
    await this.start()
    await other.start()
    for _ in range(200):
        if this.match.over or max(this.drawn(), other.drawn()) > until:
            return
        assert this.heard() == other.heard()
        seat = luck.choice(sorted(this.match.due))
        action = luck.choice(mycity.legal(this.match.state, seat))
        await this.act(seat, action)
        await other.act(seat, action)


async def two_decisions(number: int) -> None:
    """One game with two staged decisions of a seat: messages to others are equal until the round closes."""
    luck = random.Random(-number)
    seats, nodes, rounds = luck.choice([2, 3]), luck.choice([1, 2]), luck.randrange(0, 12)
    seed = seed_of(f"staged {number}")
    this, other = (
        HiddenInformationTable(seats, nodes, seed, seed, 99),
        HiddenInformationTable(seats, nodes, seed, seed, 99),
    )
    await this.start()
    await other.start()
    while this.drawn() <= rounds and not this.match.over:
        seat = min(this.match.due)
        action = mycity.legal(this.match.state, seat)[0]
        await this.act(seat, action)
        await other.act(seat, action)
    due = sorted(this.match.due)
    if this.match.over or this.match.staged or len(due) < 2:
        return
    hidden = luck.choice(due)
    legal = mycity.legal(this.match.state, hidden)
    await this.act(hidden, legal[0])
    await other.act(hidden, legal[-1])
    heard, elsewhere = this.heard(), other.heard()
    watching = [page for page in range(len(this.pages)) if page != hidden]
    assert [heard[page] for page in watching] == [elsewhere[page] for page in watching]
    assert heard[hidden] != elsewhere[hidden]


class CorrespondenceTable(HiddenInformationTable):
    pace = Correspondence(2, 3)


async def two_plans(number: int) -> None:
    """One game with different premoves of a seat, or none: messages to others are equal until they are played, and
    foreseen positions do not depend on staged decisions."""
    luck = random.Random(number)
    seats, nodes = luck.choice([2, 3]), luck.choice([1, 2])
    seed = seed_of(f"planned {number}")
    stages = [CorrespondenceTable(seats, nodes, seed, seed, 99) for _ in range(3)]
    hidden, other = luck.sample(range(seats), 2)
    for stage in stages:
        await stage.start()
    legal = mycity.legal(stages[0].match.state, hidden)
    for stage, place in zip(stages, (0, 0, -1), strict=True):
        await stage.act(hidden, legal[place])  # the last table stages another decision
        if seats > 2:
            await stage.act(other, legal[0])
    for stage in stages:
        stage.heard()
    if seats > 2:  # foreseen positions do not depend on staged decisions
        for stage in stages:
            await stage.say(other, AskFuture(1, other, {"type": "reveal", "card": stage.match.state.deck[0]}))
        answers = [stage.heard()[other] for stage in stages]
        assert answers[0] == answers[1] == answers[2]
    later = premoves.next_decision_state(stages[0].match, hidden, parameterless_actions(mycity))
    come, future = next(
        (premoves.to_json_value(come), future)
        for come in premoves.possible_chance_outcomes(later, hidden)[luck.randrange(10) :]
        if (future := premoves.possible_future(later, hidden, come))
    )
    choices = [premoves.to_json_value(choice) for choice in future.choices]
    await stages[0].say(hidden, PreparePremove(hidden, come, choices[0]))
    await stages[1].say(hidden, PreparePremove(hidden, come, choices[-1]))
    heard = [stage.heard() for stage in stages[:2]]
    watching = [page for page in range(seats + 1) if page != hidden]
    assert all(not heard[stage][page] for stage in (0, 1) for page in watching), "no message at all"
    assert heard[0][hidden] != heard[1][hidden]


@pytest.mark.parametrize("part", range(2))
def test_no_message_before_a_reveal_depends_on_the_future(part: int) -> None:
    for number in range(part * GAMES // 2, (part + 1) * GAMES // 2):
        asyncio.run(two_futures(number))


@pytest.mark.parametrize("part", range(2))
def test_messages_do_not_depend_on_staged_decisions_of_others(part: int) -> None:
    for number in range(part * GAMES // 2, (part + 1) * GAMES // 2):
        asyncio.run(two_decisions(number))


def test_messages_do_not_depend_on_premoves_of_others() -> None:
    for number in range(PLANS):
        asyncio.run(two_plans(number))
