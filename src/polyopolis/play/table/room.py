"""What a table and the match on it share: where they live, who is here, who sits where, what was played."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Set
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from polyopolis.engine import Match
from polyopolis.play.entities import Entry, MatchRow, Notice, SeatRow, TableRow
from polyopolis.play.errors import Conflict
from polyopolis.play.match import consent_requests as asking
from polyopolis.play.match import projections as telling
from polyopolis.play.match.bot_turns import bots_of
from polyopolis.play.match.match_chain import Chain
from polyopolis.play.outages import Life
from polyopolis.play.protocols import Almanac, Clock, Guest, Keeper, Neighbours, Notebook, Quotas, Raters, Thinker
from polyopolis.play.seats.seating import Seating
from polyopolis.play.table import due_notifications as notices
from polyopolis.play.table.attendance import Company, Seats
from polyopolis.play.timing import clocks
from polyopolis.play.timing.pace import Correspondence
from polyopolis.play.timing.rest_hours import LONGEST_NIGHT
from polyopolis.play.timing.utc_days import day_at
from polyopolis.play.wire.responses import MatchInfo, OwnRest, SeatInfo, TableInfo

HAIR = 0.05
"""Seconds by which an alarm is later than what it is for: clocks do not agree to the hair."""
LONGEST_WAIT = 20 * 86_400.0
"""No alarm is set for later: a browser knows none."""


Networks = tuple[tuple[Hashable, int], ...]
"""An address and the networks around it, each with how many times the share of an address it has."""


@dataclass(frozen=True)
class House:
    """What all tables share: who keeps, who thinks, what time it is, who else is there."""

    keeper: Keeper
    thinker: Thinker
    clock: Clock
    neighbours: Neighbours
    absence: float
    """Seconds after which a bot may play in for somebody."""
    life: Life = field(default_factory=Life)
    pause: float = notices.PAUSE
    """Seconds in which somebody may come by themselves before they are told."""
    almanac: Almanac | None = None
    """Where there is a game of the day."""
    raters: Raters | None = None
    """Where matches are rated."""
    quotas: Quotas | None = None
    """Where it is limited how much is kept."""
    notebook: Notebook | None = None
    """Where people can hear each other."""
    talks: bool = False
    """They may write to each other, too."""
    networks_of: Callable[[str], Networks] = lambda person: ((person, 1),)
    """Returns where somebody comes from: whoever has many names there is one of those who share."""


@dataclass
class Room:
    table: str
    house: House
    chain: Chain
    seating: Seating
    company: Company
    maker: str | None
    """Who made it."""
    invites: str | None
    """In which language everybody is invited."""
    talk: bool
    """Its people may write to each other, where the house lets them."""
    outsiders: bool
    """Outside bots may sit down."""
    changed: int
    version: int
    node: str | None
    """Where its bots think."""
    doubtful: bool = False
    """It is not known whether the last change was kept."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One thing happens after the other."""

    def now(self) -> int:
        """The time of something that happens here: after what happened last, even if the clock was set back since."""
        now = self.house.clock.now()
        return now if now // 1000 >= self.changed else (self.changed + 1) * 1000

    async def keep(
        self,
        write: Callable[[Entry], Awaitable[None]],
        now: int,
        node: str | None,
        owed: tuple[Notice, ...] = (),
        turned_away: str | None = None,
    ) -> None:
        """Whoever returns from here may tell what is so now; other nodes are told that something is."""
        try:
            await write(Entry(self.version, now, node, self.node, owed, turned_away))
        except Conflict:
            raise
        except Exception:
            self.doubtful = True
            raise
        self.version, self.changed, self.node = self.version + 1, now // 1000, node
        self.house.neighbours.changed(self.table, self.version)

    def take(self, row: TableRow) -> None:
        """It is kept like this: somebody else has changed it."""
        known = self.seating.people
        self.version, self.changed, self.node = row.version, row.changed, row.node
        self.maker, self.invites, self.talk = row.maker, row.invites, row.talk
        self.seating = Seating(row.seats, row.typed)
        for person in self.seating.people:
            if person not in known:
                self.company.expect(person)

    def thinks_at(self, seating: Seating, match: Match, row: MatchRow, ready: Set[int] = frozenset()) -> str | None:
        """Where bots think once it is so: here, if one of them is to decide or what was prepared is ready."""
        if row.ended:
            return None
        due = match.due & bots_of(seating, self.chain.sign, match.state).keys() | ready
        return self.house.neighbours.node if due and not self.asleep else None

    def owed(self, match: Match, row: MatchRow, number: int, now: int, begins: bool = False) -> tuple[Notice, ...]:
        """Whom to tell of a match that has come to so many log rows."""
        bots = bots_of(self.seating, self.chain.sign, match.state)
        place = notices.Place(self.table, number, now, self.house.pause, begins)
        return notices.owed(place, row, self.seating, bots, self.company.watches)

    def questions(self, seating: Seating, before: MatchRow | None, row: MatchRow, now: int) -> tuple[Notice, ...]:
        """Whom to tell, by correspondence, of what waits for their answer since the match was as before."""
        timing = clocks.read(row.timing)
        if timing is None or not isinstance(timing.pace, Correspondence):
            return ()
        return notices.questions(self.place(now), before, row, seating, self.company.watches)

    def place(self, now: int) -> notices.Place:
        """Where and when this table is changed next."""
        return notices.Place(self.table, self.version, now, self.house.pause)

    @property
    def thinks_here(self) -> bool:
        """Whether it is up to this node to let bots think."""
        return self.node in (None, self.house.neighbours.node)

    def tell(self, message: Callable[[Seats], Struct], but: Guest | None = None) -> bool:
        """To every guest, or all but one, what whoever holds these seats may know; whether there was one."""
        return self.company.tell(self.seating.held_by, lambda held: msgspec.json.encode(message(held)), but)

    def tell_own(self, seat: int, message: Callable[[Seats], Struct]) -> None:
        """To those who hold a seat, and to nobody else."""
        self.company.tell(
            self.seating.held_by, lambda held: msgspec.json.encode(message(held)) if seat in held else None, None
        )

    def tell_each(self, message: Callable[[str | None], bytes | None]) -> None:
        """To every guest what this person is to hear, written; None: nothing."""
        self.company.tell_each(message)

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
            maker=next(iter(self.seating.held_by(self.maker)), None),
            daily=chain.daily,
            rated=chain.rated,
            pace=chain.pace,
            rest=self._own_rest(held),
            invites=self.invites,
            talk=self.talk if self.house.talks else None,
            again=self.again,
            asked=self.seating.held_by_any(self._asked.waiting) if self._asked else (),
            outsiders=self.outsiders,
        )

    @property
    def _asked(self) -> asking.Asked | None:
        return asking.read(self.chain.last.asked) if self.chain.last else None

    @property
    def again(self) -> Seats:
        """The seats whose people are asked whether they play another match."""
        asked = self._asked
        return self.seating.held_by_any(asked.waiting) if asked and isinstance(asked.wish, asking.PlayAgain) else ()

    def _own_rest(self, held: Seats) -> OwnRest | None:
        if not held or not isinstance(self.chain.pace, Correspondence):
            return None
        rest, now = clocks.rest_of(self.seating.rows[held[0]]), self.house.clock.now()
        until = max((vacation.ends for vacation in rest.vacations if vacation.ends > now), default=None)
        since = rest.since if rest.since > now else None
        return OwnRest(rest.nights, rest.weekends, rest.evening, rest.morning, LONGEST_NIGHT, until, since)

    @property
    def sealed(self) -> bool:
        """Whether others play with the same luck today."""
        return self.chain.daily is not None and day_at(self.house.clock.now()) <= self.chain.daily

    def match_info(self, row: MatchRow) -> MatchInfo:
        return telling.match_info(row, playable=self.chain.is_installed(row), sealed=self.sealed)

    def _seat_info(self, row: SeatRow) -> SeatInfo:
        online = row.person is not None and self.company.has(row.person)
        deadline = self.chain.deadlines.get(row.seat)
        return telling.seat_info(row, online=online, replaceable=self.replaceable(row), deadline=deadline)

    def replaceable(self, row: SeatRow) -> bool:
        """Whether a bot may play in for the one who holds this seat: their time is up, or they have been away for long.
        By correspondence nobody has to be here."""
        if row.person is None or row.bot:
            return False
        if self.chain.out_of_time(row.seat, self.now()):
            return True
        return not self.by_mail and self.company.absence(row.person) >= self.house.absence

    @property
    def by_mail(self) -> bool:
        return isinstance(self.chain.pace, Correspondence)

    @property
    def next_replaceable(self) -> float | None:
        """The seconds until a bot may play in for one more of those who are away, or whose time is up; None: for
        nobody."""
        away = (person for person in self.seating.people if not self.company.has(person) and not self.by_mail)
        absences = [self.house.absence - self.company.absence(person) for person in away]
        now = self.now()
        times = [(deadline - now) / 1000 + HAIR for deadline in self.chain.deadlines.values() if deadline > now]
        wait = min((wait for wait in (*absences, *times) if wait > 0), default=None)
        return None if wait is None else min(wait, LONGEST_WAIT)
