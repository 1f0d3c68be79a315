"""Identifies the visitor of a request; caches sessions and applies revocations.

The status of a session is read from the database and cached until the access counter changes (`people.py`). Each node
polls the counter every second, and reads it at once after its own changes.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import msgspec

from polyopolis.play.errors import Unwritable
from polyopolis.play.protocols import Clock
from polyopolis.server.auth.bot_tokens import bot_of
from polyopolis.server.auth.credentials import digest
from polyopolis.server.auth.people import AccountStatus, PersonRepository
from polyopolis.server.auth.session_cookies import DAY, SessionCookie, Sessions
from polyopolis.server.realtime.guests import ClosableGuest

logger = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""Interval at which a node checks for revocations by other nodes."""
UNUSED_SECONDS = 180 * DAY
"""Accounts are signed out on devices that were not used for this long. Guests are not, because they could not sign in
again."""
SEEN_SECONDS = 3_600
"""The time at which a device was seen is updated at most this often."""
CLOCK_TOLERANCE_SECONDS = DAY
"""Tolerated difference between the clocks of nodes."""
MAX_CACHED_DEVICES = 20_000
"""Size of the session cache."""
CACHE_SECONDS = 600.0
"""Maximum age of a cache entry: another node may have recorded a newer cookie of the device."""
SIGNED_OUT_CODE = 4410
"""Close code of connections whose session has ended or changed; the page reconnects by itself."""


@dataclass(frozen=True)
class Visit:
    """An identified person on a device."""

    session: SessionCookie
    account: bool = False
    muted: bool = False
    cookie: str | None = None
    """A new cookie to send to the browser."""
    scopes: frozenset[str] | None = None
    """The scopes of a bot token; None for a page."""

    @property
    def person(self) -> str:
        return self.session.person

    @property
    def device(self) -> str:
        return self.session.device


class Visitors:
    """Sessions and open connections of this node."""

    def __init__(self, people: PersonRepository, clock: Clock) -> None:
        self._people = people
        self._clock = clock
        self._access_version = -1
        self._known: OrderedDict[tuple[str, str], tuple[AccountStatus, float]] = OrderedDict()
        """By person and device: the status and when it was cached."""
        self._connections: dict[ClosableGuest, SessionCookie] = {}
        self._ending = set[asyncio.Task[None]]()

    async def open(self) -> None:
        await self._reset(await self._people.access_version())
        self._polling = asyncio.create_task(self._poll())

    async def close(self) -> None:
        self._polling.cancel()

    @property
    def now(self) -> int:
        return self._clock.now() // 1000

    # Cookies

    async def identify(self, cookie: str | None) -> Visit | None:
        """Returns the visitor of a cookie; None if the cookie is invalid or revoked."""
        session = self.sessions.read(cookie)
        if session is None:
            return None
        status = await self._load_status(session)
        if not is_valid(session, status, self.now):
            return None
        await self._record_seen(session, status)
        successor = None
        if self.sessions.is_old(session, self.now):
            successor = self.sessions.signed(self.sessions.of(session.person, session.device, self.now))
        return Visit(session, status.account, status.muted, successor)

    async def identify_bearer(self, token: str) -> Visit | None:
        """Returns the external bot of a token; None if the token is unknown or revoked. Tokens do not depend on signing
        keys."""
        session = SessionCookie(bot_of(token), digest(token), key=self.sessions.newest)
        status = await self._load_status(session)
        if not (status.device and status.device.scopes) or not is_valid(session, status, self.now):
            return None
        await self._record_seen(session, status)
        scopes = msgspec.json.decode(status.device.scopes, type=frozenset[str])
        return Visit(session, account=True, muted=True, scopes=scopes)

    def new_guest(self) -> Visit:
        session = self.sessions.fresh(self.now)
        return Visit(session, cookie=self.sessions.signed(session))

    def at_new_device(self, person: str) -> Visit:
        """Returns an account on a new device."""
        session = self.sessions.of(person, self.sessions.fresh(self.now).device, self.now)
        return Visit(session, account=True, cookie=self.sessions.signed(session))

    async def _load_status(self, session: SessionCookie) -> AccountStatus:
        now, key = self._clock.running(), (session.person, session.device)
        found, since = self._known.get(key, (None, now))
        if found and now - since < CACHE_SECONDS:
            self._known.move_to_end(key)
            return found
        version, (status,) = await self._people.statuses([session])
        if version == self._access_version:  # else the status may be outdated already
            self._known[key] = status, now
            if len(self._known) > MAX_CACHED_DEVICES:
                self._known.popitem(last=False)
        return status

    async def _record_seen(self, session: SessionCookie, status: AccountStatus) -> None:
        """Records that a device was seen, or has sent a newer cookie."""
        device = status.device
        if status.account and device and (session.issued > device.issued or self.now - device.seen > SEEN_SECONDS):
            with suppress(Unwritable):  # a later request will record it
                await self._people.record_seen(session, self.now)
            self._known.pop((session.person, session.device), None)

    # Open connections

    @contextmanager
    def track(self, visit: Visit | None, guest: ClosableGuest) -> Iterator[None]:
        """Registers a connection while it is open."""
        if visit:
            self._connections[guest] = visit.session
        try:
            yield
        finally:
            self._connections.pop(guest, None)

    # Revocations

    async def _poll(self) -> None:
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.check_revocations()
            except Exception as error:
                logger.warning("cannot check for revoked sessions: %s", type(error).__name__)

    async def check_revocations(self) -> None:
        """If the access counter has changed, clears the cache and closes connections whose session is no longer
        valid."""
        version = await self._people.access_version()
        if version == self._access_version:
            return
        await self._reset(version)
        here = list(self._connections.items())
        _, statuses = await self._people.statuses([session for _, session in here])
        for (guest, session), status in zip(here, statuses, strict=True):
            if not (self.sessions.knows(session.key) and is_valid(session, status, self.now)):
                self._disconnect(guest)

    def _disconnect(self, guest: ClosableGuest) -> None:
        """Closes a connection in the background, because a slow client may delay it."""
        ending = asyncio.create_task(guest.disconnect(SIGNED_OUT_CODE, "this session has ended"))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _reset(self, version: int) -> None:
        self.sessions = Sessions(await self._people.keys())
        self._known.clear()
        self._access_version = version


def is_valid(session: SessionCookie, status: AccountStatus, now: int) -> bool:
    """Whether a cookie with a valid signature is still accepted."""
    if status.removed or session.issued > now + CLOCK_TOLERANCE_SECONDS:
        return False
    if not status.account:
        return True
    device = status.device
    if device is None or device.person != session.person:
        return False
    if session.key < device.since_key or session.issued < device.since:
        return False
    return now - max(device.seen, session.issued) <= UNUSED_SECONDS
