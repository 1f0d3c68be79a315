"""What a table and the match on it share: where they live, who is here, who sits where, what was played."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from polyopolis.play import telling
from polyopolis.play.answers import MatchInfo, SeatInfo, TableInfo
from polyopolis.play.chain import Chain
from polyopolis.play.company import Company, Seats
from polyopolis.play.needs import Clock, Guest, Keeper, Thinker
from polyopolis.play.rows import MatchRow, SeatRow
from polyopolis.play.seating import Seating


@dataclass
class Room:
    table: str
    keeper: Keeper
    thinker: Thinker
    clock: Clock
    absence: float
    """Seconds after which a bot may play in for somebody."""
    chain: Chain
    seating: Seating
    company: Company
    changed: int
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One thing happens after the other."""

    def now(self) -> int:
        """The time of something that happens here."""
        now = self.clock.now()
        self.changed = now // 1000
        return now

    def tell(self, message: Callable[[Seats], Struct], but: Guest | None = None) -> bool:
        """To every guest, or all but one, what whoever holds these seats may know; whether there was one."""
        return self.company.tell(self.seating.held_by, lambda held: msgspec.json.encode(message(held)), but)

    def tell_one(self, guest: Guest, message: Struct) -> None:
        guest.tell(msgspec.json.encode(message))

    @property
    def people(self) -> tuple[str, ...]:
        """Whose table it is: those who have a seat, or else those who look on."""
        return self.seating.people or self.company.people

    @property
    def asleep(self) -> bool:
        """Nobody plays and nobody looks on: bots alone have time."""
        return self.company.empty and not self.seating.people

    # How a table introduces itself

    def info(self, held: Seats) -> TableInfo:
        chain = self.chain
        return TableInfo(
            table=self.table,
            game=chain.game.key,
            chosen_seed=chain.chosen_seed,
            seats=tuple(self._seat_info(row) for row in self.seating.rows),
            yours=held,
            match=self.match_info(chain.last) if chain.last else None,
            due=msgspec.json.decode(chain.last.due, type=tuple[int, ...]) if chain.last else (),
            matches=chain.count,
            luck="typed" if chain.typed else "dealt",
            plan=chain.plan,
            standings=telling.as_kept(chain.standings),
            changed=self.changed,
            onlookers=self.company.onlookers(self.seating.people),
        )

    def match_info(self, row: MatchRow) -> MatchInfo:
        return telling.match_info(row, playable=self.chain.is_installed(row))

    def _seat_info(self, row: SeatRow) -> SeatInfo:
        online = row.person is not None and self.company.has(row.person)
        return telling.seat_info(row, online=online, replaceable=self.replaceable(row))

    def replaceable(self, row: SeatRow) -> bool:
        """Whether somebody holds this seat who has been away for so long that a bot may play in."""
        return row.person is not None and not row.bot and self.company.absence(row.person) >= self.absence

    @property
    def next_absence(self) -> float | None:
        """The seconds until a bot may play in for one more of those who are away; None: for nobody."""
        away = (person for person in self.seating.people if not self.company.has(person))
        waits = (self.absence - self.company.absence(person) for person in away)
        return min((wait for wait in waits if wait > 0), default=None)
