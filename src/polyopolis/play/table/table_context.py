"""What a table and the match on it share: where they live, who is here, who sits where, what was played."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Set
from dataclasses import dataclass, field
from typing import Self

import msgspec
from msgspec import Struct

from polyopolis.engine import Match
from polyopolis.play.entities import MatchEntity, PendingNotification, SeatEntity, TableChange, TableEntity
from polyopolis.play.errors import Conflict
from polyopolis.play.match import consent_requests, projections
from polyopolis.play.match.match_chain import MatchChain
from polyopolis.play.outages import OutageTracker
from polyopolis.play.protocols import (
    BotService,
    ChatRepository,
    Clock,
    ClusterLink,
    DailyRepository,
    MatchRepository,
    Quotas,
    RatingEligibility,
    Subscriber,
)
from polyopolis.play.seats.seating import Seating
from polyopolis.play.table import due_notifications
from polyopolis.play.table.attendance import Attendance, Seats
from polyopolis.play.timing import clocks
from polyopolis.play.timing.pace import Correspondence
from polyopolis.play.timing.rest_hours import LONGEST_NIGHT_HOURS
from polyopolis.play.timing.utc_days import day_at
from polyopolis.play.wire.responses import MatchInfo, OwnRest, SeatInfo, TableInfo

TIMER_SLACK_SECONDS = 0.05
"""Seconds by which an alarm is later than what it is for: clocks do not agree to the hair."""
MAX_TIMER_SECONDS = 20 * 86_400.0
"""No alarm is set for later: a browser knows none."""


Networks = tuple[tuple[Hashable, int], ...]
"""An address and the networks around it, each with how many times the share of an address it has."""


@dataclass(frozen=True)
class SiteServices:
    """What all tables share: who keeps, who thinks, what time it is, who else is there."""

    repository: MatchRepository
    bot_service: BotService
    clock: Clock
    cluster: ClusterLink
    absence_seconds: float
    """Seconds after which a bot may play in for somebody."""
    outage_tracker: OutageTracker = field(default_factory=OutageTracker)
    notification_delay: float = due_notifications.NOTIFICATION_DELAY_SECONDS
    """Seconds in which somebody may come by themselves before they are told."""
    daily_repository: DailyRepository | None = None
    """Where there is a game of the day."""
    ratings: RatingEligibility | None = None
    """Where matches are rated."""
    quotas: Quotas | None = None
    """Where it is limited how much is kept."""
    chat_repository: ChatRepository | None = None
    """Where people can hear each other."""
    chat_enabled: bool = False
    """They may write to each other, too."""
    networks_of: Callable[[str], Networks] = lambda person: ((person, 1),)
    """Returns where somebody comes from: whoever has many names there is one of those who share."""


@dataclass
class TableContext:
    table: str
    services: SiteServices
    chain: MatchChain
    seating: Seating
    attendance: Attendance
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
    uncertain: bool = False
    """It is not known whether the last change was kept."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """One thing happens after the other."""

    @classmethod
    def of(cls, row: TableEntity, services: SiteServices) -> Self:
        """The context of a stored table."""
        seating = Seating(row.seats, row.typed)
        return cls(
            table=row.id,
            services=services,
            chain=MatchChain(services.repository, row),
            seating=seating,
            attendance=Attendance(services.clock, seating.people),
            maker=row.maker,
            invites=row.invites,
            talk=row.talk,
            outsiders=row.outsiders,
            changed=row.changed,
            version=row.version,
            node=row.node,
        )

    def now(self) -> int:
        """The time of something that happens here: after what happened last, even if the clock was set back since."""
        now = self.services.clock.now()
        return now if now // 1000 >= self.changed else (self.changed + 1) * 1000

    async def persist(
        self,
        write: Callable[[TableChange], Awaitable[None]],
        now: int,
        node: str | None,
        notifications: tuple[PendingNotification, ...] = (),
        turned_away: str | None = None,
    ) -> None:
        """Whoever returns from here may tell what is so now; other nodes are told that something is."""
        try:
            await write(TableChange(self.version, now, node, self.node, notifications, turned_away))
        except Conflict:
            raise
        except Exception:
            self.uncertain = True
            raise
        self.version, self.changed, self.node = self.version + 1, now // 1000, node
        self.services.cluster.changed(self.table, self.version)

    def apply(self, row: TableEntity) -> None:
        """It is kept like this: somebody else has changed it."""
        known = self.seating.people
        self.version, self.changed, self.node = row.version, row.changed, row.node
        self.maker, self.invites, self.talk = row.maker, row.invites, row.talk
        self.seating = Seating(row.seats, row.typed)
        for person in self.seating.people:
            if person not in known:
                self.attendance.expect(person)

    def bot_node(self, seating: Seating, match: Match, row: MatchEntity, ready: Set[int] = frozenset()) -> str | None:
        """Where bots think once it is so: here, if one of them is to decide or what was prepared is ready."""
        if row.ended:
            return None
        due = match.due & self.deciding_bots(seating, match).keys() | ready
        return self.services.cluster.node if due and not self.is_idle else None

    def deciding_bots(self, seating: Seating, match: Match) -> dict[int, str]:
        """The bots that may decide now, by seat."""
        return seating.deciding_bots(lasting=bool(seating.bots) and self.chain.spec.for_good(match.state))

    def notifications(
        self, match: Match, row: MatchEntity, number: int, now: int, begins: bool = False
    ) -> tuple[PendingNotification, ...]:
        """Whom to tell of a match that has come to so many log rows."""
        bots = self.deciding_bots(self.seating, match)
        place = due_notifications.ChangeContext(self.table, number, now, self.services.notification_delay, begins)
        return due_notifications.notifications_for_change(place, row, self.seating, bots, self.attendance.watches)

    def request_notifications(
        self, seating: Seating, before: MatchEntity | None, row: MatchEntity, now: int
    ) -> tuple[PendingNotification, ...]:
        """Whom to tell, by correspondence, of what waits for their answer since the match was as before."""
        timing = clocks.read_timing(row.timing)
        if timing is None or not isinstance(timing.pace, Correspondence):
            return ()
        return due_notifications.request_notifications(
            self.change_context(now), before, row, seating, self.attendance.watches
        )

    def change_context(self, now: int) -> due_notifications.ChangeContext:
        """Where and when this table is changed next."""
        return due_notifications.ChangeContext(self.table, self.version, now, self.services.notification_delay)

    @property
    def runs_bots(self) -> bool:
        """Whether it is up to this node to let bots think."""
        return self.node in (None, self.services.cluster.node)

    def broadcast(self, message: Callable[[Seats], Struct], but: Subscriber | None = None) -> bool:
        """To every guest, or all but one, what whoever holds these seats may know; whether there was one."""
        return self.attendance.broadcast(self.seating.held_by, lambda held: msgspec.json.encode(message(held)), but)

    def send_to_seat(self, seat: int, message: Callable[[Seats], Struct]) -> None:
        """To those who hold a seat, and to nobody else."""
        self.attendance.broadcast(
            self.seating.held_by, lambda held: msgspec.json.encode(message(held)) if seat in held else None, None
        )

    def send_each(self, message: Callable[[str | None], bytes | None]) -> None:
        """To every guest what this person is to hear, written; None: nothing."""
        self.attendance.send_each(message)

    def send(self, guest: Subscriber, message: Struct) -> None:
        guest.tell(msgspec.json.encode(message))

    @property
    def people(self) -> tuple[str, ...]:
        """Whose table it is: those who have a seat, or else those who look on."""
        return self.seating.people or self.attendance.people

    @property
    def is_idle(self) -> bool:
        """Nobody plays and nobody looks on: bots alone have time."""
        return self.attendance.empty and not self.seating.people

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
            standings=projections.raw_result(chain.standings),
            changed=self.changed,
            onlookers=self.attendance.onlookers(self.seating.people),
            maker=next(iter(self.seating.held_by(self.maker)), None),
            daily=chain.daily,
            rated=chain.rated,
            pace=chain.pace,
            rest=self._own_rest(held),
            invites=self.invites,
            talk=self.talk if self.services.chat_enabled else None,
            again=self.again,
            asked=self.seating.held_by_any(self._asked.waiting) if self._asked else (),
            outsiders=self.outsiders,
        )

    @property
    def _asked(self) -> consent_requests.ConsentRequest | None:
        return consent_requests.read_request(self.chain.last.asked) if self.chain.last else None

    @property
    def again(self) -> Seats:
        """The seats whose people are asked whether they play another match."""
        asked = self._asked
        return (
            self.seating.held_by_any(asked.waiting)
            if asked and isinstance(asked.wish, consent_requests.PlayAgain)
            else ()
        )

    def _own_rest(self, held: Seats) -> OwnRest | None:
        if not held or not isinstance(self.chain.pace, Correspondence):
            return None
        rest, now = clocks.rest_of(self.seating.rows[held[0]]), self.services.clock.now()
        until = max((vacation.ends for vacation in rest.vacations if vacation.ends > now), default=None)
        since = rest.since if rest.since > now else None
        return OwnRest(rest.nights, rest.weekends, rest.evening, rest.morning, LONGEST_NIGHT_HOURS, until, since)

    @property
    def sealed(self) -> bool:
        """Whether others play with the same luck today."""
        return self.chain.daily is not None and day_at(self.services.clock.now()) <= self.chain.daily

    def match_info(self, row: MatchEntity) -> MatchInfo:
        return projections.match_info(row, playable=self.chain.is_installed(row), sealed=self.sealed)

    def _seat_info(self, row: SeatEntity) -> SeatInfo:
        online = row.person is not None and self.attendance.has(row.person)
        deadline = self.chain.deadlines.get(row.seat)
        return projections.seat_info(row, online=online, replaceable=self.replaceable(row), deadline=deadline)

    def replaceable(self, row: SeatEntity) -> bool:
        """Whether a bot may play in for the one who holds this seat: their time is up, or they have been away for long.
        By correspondence nobody has to be here."""
        if row.person is None or row.bot:
            return False
        if self.chain.out_of_time(row.seat, self.now()):
            return True
        return not self.by_correspondence and self.attendance.absence(row.person) >= self.services.absence_seconds

    @property
    def by_correspondence(self) -> bool:
        return isinstance(self.chain.pace, Correspondence)

    @property
    def next_replaceable(self) -> float | None:
        """The seconds until a bot may play in for one more of those who are away, or whose time is up; None: for
        nobody."""
        away = (
            person for person in self.seating.people if not self.attendance.has(person) and not self.by_correspondence
        )
        absences = [self.services.absence_seconds - self.attendance.absence(person) for person in away]
        now = self.now()
        times = [
            (deadline - now) / 1000 + TIMER_SLACK_SECONDS
            for deadline in self.chain.deadlines.values()
            if deadline > now
        ]
        wait = min((wait for wait in (*absences, *times) if wait > 0), default=None)
        return None if wait is None else min(wait, MAX_TIMER_SECONDS)
