"""Who comes in: a cookie is read, asked of the database whether it still holds, and remembered while nothing changes.

The database is the only truth. What is remembered holds as long as the counter of the door stands still (`people.py`);
each server looks at it every second, and at once when it has moved it itself.
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
from polyopolis.server.realtime.guests import Leaving

logger = logging.getLogger(__name__)

LOOK = 1.0
"""Seconds after which a server looks whether somebody was shut out elsewhere."""
UNUSED = 180 * DAY
"""Seconds after which an account is signed out at a device that nobody has used. A guest has no other way back, and is
known as long as the browser keeps the cookie."""
SEEN = 3_600
"""Seconds after which it is written down again that a device was seen."""
AHEAD = DAY
"""Seconds by which the clocks of servers may differ."""
MOST = 20_000
"""Devices that are remembered."""
REMEMBERED = 600.0
"""Seconds for which one is, at most: another node may have noted a newer cookie of it."""
CHANGED = 4410
"""Why a line ends: whoever opened it is somebody else now, or nobody; the page comes back by itself."""


@dataclass(frozen=True)
class Visit:
    """Somebody at a device."""

    shown: SessionCookie
    account: bool = False
    muted: bool = False
    cookie: str | None = None
    """A new one that the browser has to get."""
    scopes: frozenset[str] | None = None
    """What a program may do with its token; None for a page."""

    @property
    def person(self) -> str:
        return self.shown.person

    @property
    def device(self) -> str:
        return self.shown.device


class Visitors:
    def __init__(self, people: PersonRepository, clock: Clock) -> None:
        self._people = people
        self._clock = clock
        self._door = -1
        self._known: OrderedDict[tuple[str, str], tuple[AccountStatus, float]] = OrderedDict()
        """By person and device, and since when."""
        self._here: dict[Leaving, SessionCookie] = {}
        self._ending = set[asyncio.Task[None]]()

    async def open(self) -> None:
        await self._enter(await self._people.door())
        self._looking = asyncio.create_task(self._look_on())

    async def close(self) -> None:
        self._looking.cancel()

    @property
    def now(self) -> int:
        return self._clock.now() // 1000

    # Cookies

    async def known(self, cookie: str | None) -> Visit | None:
        """Whose cookie this is; nobody's if it was not signed here or does not hold any more."""
        shown = self.sessions.read(cookie)
        if shown is None:
            return None
        standing = await self._standing(shown)
        if not holds(shown, standing, self.now):
            return None
        await self._note(shown, standing)
        successor = None
        if self.sessions.is_old(shown, self.now):
            successor = self.sessions.signed(self.sessions.of(shown.person, shown.device, self.now))
        return Visit(shown, standing.account, standing.muted, successor)

    async def bearer(self, token: str) -> Visit | None:
        """The outside bot whose token this is; nobody if there is no such token any more. It holds by its row alone, so
        nothing becomes of it when a key signs no more."""
        shown = SessionCookie(bot_of(token), digest(token), key=self.sessions.newest)
        standing = await self._standing(shown)
        if not (standing.device and standing.device.scopes) or not holds(shown, standing, self.now):
            return None
        await self._note(shown, standing)
        scopes = msgspec.json.decode(standing.device.scopes, type=frozenset[str])
        return Visit(shown, account=True, muted=True, scopes=scopes)

    def newcomer(self) -> Visit:
        shown = self.sessions.fresh(self.now)
        return Visit(shown, cookie=self.sessions.signed(shown))

    def as_person(self, person: str) -> Visit:
        """Somebody at a new device."""
        shown = self.sessions.of(person, self.sessions.fresh(self.now).device, self.now)
        return Visit(shown, account=True, cookie=self.sessions.signed(shown))

    async def _standing(self, shown: SessionCookie) -> AccountStatus:
        now, key = self._clock.running(), (shown.person, shown.device)
        found, since = self._known.get(key, (None, now))
        if found and now - since < REMEMBERED:
            self._known.move_to_end(key)
            return found
        door, (standing,) = await self._people.standings([shown])
        if door == self._door:  # else it may be old before it is remembered
            self._known[key] = standing, now
            if len(self._known) > MOST:
                self._known.popitem(last=False)
        return standing

    async def _note(self, shown: SessionCookie, standing: AccountStatus) -> None:
        """When a device was seen last, and that it has got a new cookie."""
        device = standing.device
        if standing.account and device and (shown.issued > device.issued or self.now - device.seen > SEEN):
            with suppress(Unwritable):  # then with a later request
                await self._people.seen(shown, self.now)
            self._known.pop((shown.person, shown.device), None)

    # Pages

    @contextmanager
    def here(self, visit: Visit | None, guest: Leaving) -> Iterator[None]:
        """As long as a page is open."""
        if visit:
            self._here[guest] = visit.shown
        try:
            yield
        finally:
            self._here.pop(guest, None)

    # What changes

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK)
            try:
                await self.look()
            except Exception as error:
                logger.warning("nobody can look who was shut out: %s", type(error).__name__)

    async def look(self) -> None:
        """Whoever does not hold a cookie any more leaves the tables."""
        door = await self._people.door()
        if door == self._door:
            return
        await self._enter(door)
        here = list(self._here.items())
        _, standings = await self._people.standings([shown for _, shown in here])
        for (guest, shown), standing in zip(here, standings, strict=True):
            if not (self.sessions.knows(shown.key) and holds(shown, standing, self.now)):
                self._send_away(guest)

    def _send_away(self, guest: Leaving) -> None:
        """Nobody waits for a page that takes its time."""
        ending = asyncio.create_task(guest.send_away(CHANGED, "you are signed out here"))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def _enter(self, door: int) -> None:
        self.sessions = Sessions(await self._people.keys())
        self._known.clear()
        self._door = door


def holds(shown: SessionCookie, standing: AccountStatus, now: int) -> bool:
    """Whether a cookie that was signed here still lets somebody in."""
    if standing.removed or shown.issued > now + AHEAD:
        return False
    if not standing.account:
        return True
    device = standing.device
    if device is None or device.person != shown.person:
        return False
    if shown.key < device.since_key or shown.issued < device.since:
        return False
    return now - max(device.seen, shown.issued) <= UNUSED
