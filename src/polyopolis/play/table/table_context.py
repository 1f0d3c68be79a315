"""The state that all parts of a table share, its persistence, and messages to its guests."""

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Set
from dataclasses import dataclass, field

import msgspec
from msgspec import Struct

from polyopolis.engine import Match
from polyopolis.play.entities import MatchEntity, Outage, PendingNotification, SeatEntity, TableChange, TableEntity
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
from polyopolis.play.wire.responses import MatchInfo, OwnRestHours, SeatInfo, TableInfo

TIMER_SLACK_SECONDS = 0.05
"""Margin of timers for deadlines, because the clocks of the system differ a little."""
MAX_TIMER_SECONDS = 20 * 86_400.0
"""Longest delay of a timer that browsers support, rounded down."""

Networks = tuple[tuple[Hashable, int], ...]
"""A client address and the networks around it, each with its share of a limit in units of the share of an address."""


@dataclass(frozen=True)
class SiteServices:
    """The services that all tables of a site use."""

    repository: MatchRepository
    bot_service: BotService
    clock: Clock
    cluster: ClusterLink
    absence_seconds: float
    """Time after which a bot may stand in for an absent player."""
    outage_tracker: OutageTracker = field(default_factory=OutageTracker)
    notification_delay: float = due_notifications.NOTIFICATION_DELAY_SECONDS
    """Seconds before a notification is sent, in which the player may return unprompted."""
    daily_repository: DailyRepository | None = None
    ratings: RatingEligibility | None = None
    quotas: Quotas | None = None
    chat_repository: ChatRepository | None = None
    """Required for reactions, and for chat if `chat_enabled`."""
    chat_enabled: bool = False
    networks_of: Callable[[str], Networks] = lambda person: ((person, 1),)
    """Returns the networks of a person. Limits are shared by all guests of a network."""


class TableContext:
    """The state of a table. Only the holder of `lock` may change it."""

    version: int
    changed: int
    node: str | None
    """The node where the bots of the table run."""
    maker: str | None
    invites: str | None
    """The language in which all players are invited to open seats."""
    talk: bool
    """Whether players may chat, if the site has chat."""

    def __init__(self, row: TableEntity, services: SiteServices) -> None:
        self.table = row.id
        self.services = services
        self.chain = MatchChain(services.repository, row)
        self.attendance = Attendance(services.clock)
        self.outsiders = row.outsiders
        self.uncertain = False
        """Whether the outcome of the last write is unknown."""
        self.lock = asyncio.Lock()
        self.seating = Seating((), row.typed)
        self.apply(row)

    def now(self) -> int:
        """The current time, but never before the last change of the table, even if the clock was set back since."""
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
        """Writes a change of the table and announces it to other nodes. The caller broadcasts it afterwards.

        Raises `Conflict` if another node has changed the table. After any other error it is unknown whether the change
        was written.
        """
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
        """Applies a change that another node has persisted."""
        known = self.seating.people
        self.version, self.changed, self.node = row.version, row.changed, row.node
        self.maker, self.invites, self.talk = row.maker, row.invites, row.talk
        self.seating = Seating(row.seats, row.typed)
        for person in self.seating.people:
            if person not in known:
                self.attendance.expect(person)

    def bot_node(self, seating: Seating, match: Match, row: MatchEntity, ready: Set[int] = frozenset()) -> str | None:
        """The node where bots run after a change: this one if a bot or a premove is due, otherwise none."""
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
        """The notifications about a match that has `number` log rows after a change."""
        bots = self.deciding_bots(self.seating, match)
        place = due_notifications.ChangeContext(self.table, number, now, self.services.notification_delay, begins)
        return due_notifications.notifications_for_change(place, row, self.seating, bots, self.attendance.watches)

    def request_notifications(
        self, seating: Seating, before: MatchEntity | None, row: MatchEntity, now: int
    ) -> tuple[PendingNotification, ...]:
        """The notifications, in correspondence play, about requests and deadlines that are new since `before`."""
        timing = clocks.read_timing(row.timing)
        if timing is None or not isinstance(timing.pace, Correspondence):
            return ()
        return due_notifications.request_notifications(
            self.change_context(now), before, row, seating, self.attendance.watches
        )

    def change_context(self, now: int) -> due_notifications.ChangeContext:
        return due_notifications.ChangeContext(self.table, self.version, now, self.services.notification_delay)

    @property
    def outages(self) -> tuple[Outage, ...]:
        return self.services.outage_tracker.outages

    @property
    def runs_bots(self) -> bool:
        """Whether this node runs the bots of the table."""
        return self.node in (None, self.services.cluster.node)

    def broadcast(self, message: Callable[[Seats], Struct], but: Subscriber | None = None) -> bool:
        """Sends each guest the message for the seats they hold. Returns whether there was a guest."""
        return self.attendance.broadcast(self.seating.held_by, lambda held: msgspec.json.encode(message(held)), but)

    def send_to_seat(self, seat: int, message: Callable[[Seats], Struct]) -> None:
        """Sends a message to the guests who hold a seat."""
        self.attendance.broadcast(
            self.seating.held_by, lambda held: msgspec.json.encode(message(held)) if seat in held else None, None
        )

    def send_each(self, message: Callable[[str | None], bytes | None]) -> None:
        """Sends each guest the encoded message for their person, if there is one."""
        self.attendance.send_each(message)

    def send(self, guest: Subscriber, message: Struct) -> None:
        guest.tell(msgspec.json.encode(message))

    @property
    def people(self) -> tuple[str, ...]:
        """The players, or the spectators of a table without players: bots compute on their behalf."""
        return self.seating.people or self.attendance.people

    @property
    def is_idle(self) -> bool:
        """Whether the table has neither players nor spectators, so that its bots pause."""
        return self.attendance.empty and not self.seating.people

    # Description for clients

    def info(self, held: Seats) -> TableInfo:
        chain = self.chain
        turn = due_notifications.own_turn(chain.last, self.seating, held)
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
            waiting=turn.waiting,
            own_deadline=turn.deadline,
        )

    @property
    def _asked(self) -> consent_requests.ConsentRequest | None:
        return consent_requests.read_request(self.chain.last.asked) if self.chain.last else None

    @property
    def again(self) -> Seats:
        """The seats whose players are asked for another match."""
        asked = self._asked
        return (
            self.seating.held_by_any(asked.waiting)
            if asked and isinstance(asked.wish, consent_requests.Rematch)
            else ()
        )

    def _own_rest(self, held: Seats) -> OwnRestHours | None:
        if not held or not isinstance(self.chain.pace, Correspondence):
            return None
        rest, now = clocks.rest_of(self.seating.rows[held[0]]), self.services.clock.now()
        until = max((vacation.ends for vacation in rest.vacations if vacation.ends > now), default=None)
        since = rest.since if rest.since > now else None
        return OwnRestHours(rest.nights, rest.weekends, rest.evening, rest.morning, LONGEST_NIGHT_HOURS, until, since)

    @property
    def sealed(self) -> bool:
        """Whether the table plays a daily game whose deck other players may still get."""
        return self.chain.daily is not None and day_at(self.services.clock.now()) <= self.chain.daily

    def match_info(self, row: MatchEntity) -> MatchInfo:
        return projections.match_info(row, playable=self.chain.is_installed(row), sealed=self.sealed)

    def _seat_info(self, row: SeatEntity) -> SeatInfo:
        online = row.person is not None and self.attendance.has(row.person)
        deadline = self.chain.deadlines.get(row.seat)
        return projections.seat_info(row, online=online, replaceable=self.replaceable(row), deadline=deadline)

    def replaceable(self, row: SeatEntity) -> bool:
        """Whether a bot may stand in for the player of a seat, because their time is up or they have been absent.
        Absence does not matter in correspondence play."""
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
        """Seconds until a bot may stand in for one more player; None if that cannot happen by itself."""
        now, people = self.now(), () if self.by_correspondence else self.seating.people
        absent = [person for person in people if not self.attendance.has(person)]
        waits = [self.services.absence_seconds - self.attendance.absence(person) for person in absent]
        deadlines = [deadline for deadline in self.chain.deadlines.values() if deadline > now]
        waits += [(deadline - now) / 1000 + TIMER_SLACK_SECONDS for deadline in deadlines]
        wait = min((wait for wait in waits if wait > 0), default=None)
        return None if wait is None else min(wait, MAX_TIMER_SECONDS)
