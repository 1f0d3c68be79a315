"""How much an address may ask for: credit that comes back by and by, so that the honest never notice.

Credit is counted on a clock that only goes forward.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Annotated

from litestar.enums import ScopeType
from litestar.exceptions import TooManyRequestsException
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send
from msgspec import Meta

from polyopolis.server.addresses import counted_as
from polyopolis.server.settings import About

MOST = 20_000
"""Addresses whose credit is remembered; one that is forgotten has all of it again."""


@dataclass(frozen=True)
class Allowance:
    """So much in so many seconds, all of it at once if it was saved."""

    most: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.most:g}/{self.seconds:g}"

    @classmethod
    def read(cls, text: str) -> "Allowance":
        most, _, seconds = text.partition("/")
        found = cls(float(most), float(seconds))
        if not (0 < found.most < inf and 0 < found.seconds < inf):
            raise ValueError("nothing could ever be asked for")
        return found


class Credit:
    """What is left of an allowance, for each who has one."""

    def __init__(self, allowance: Allowance, clock: Callable[[], float] = monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def spend(self, who: Hashable, much: float = 1.0) -> float:
        """Takes it, if there is enough: the seconds to wait until there is, otherwise nothing."""
        now, (most, seconds) = self._clock(), (self._allowance.most, self._allowance.seconds)
        left, since = self._left.pop(who, (most, now))
        left = min(most, left + (now - since) * most / seconds)
        enough = left >= much
        self._left[who] = left - much if enough else left, now
        if len(self._left) > MOST:
            self._left.popitem(last=False)
        return 0.0 if enough else (much - left) * seconds / most


def _per(what: str) -> About:
    return About("MOST/SECONDS", "so many in so many seconds, as 600/60", what)


@dataclass(frozen=True)
class Limits:
    """What an address may ask for."""

    requests: Annotated[Allowance, _per("Requests of an address.")] = Allowance(600, 60)
    reading: Annotated[Allowance, _per("Of those: replays, campaigns, files, which take a while.")] = Allowance(240, 60)
    imports: Annotated[Allowance, _per("Of those: games from elsewhere, each re-played and kept.")] = Allowance(40, 600)
    tables: Annotated[Allowance, _per("Of those: tables that are made.")] = Allowance(120, 600)
    sockets: Annotated[Allowance, _per("Pages that an address opens at tables.")] = Allowance(300, 60)
    pages: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a number from 1 on", "Pages and streams that an address has open at once."),
    ] = 500
    tokens: Annotated[Allowance, _per("Requests of an outside bot with one token.")] = Allowance(300, 60)
    streams: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a number from 1 on", "Streams that an outside bot has open at once with one token."),
    ] = 16
    messages: Annotated[
        Allowance,
        _per("What one page says; more than anybody can click. Beyond twenty times that all pages of an address wait."),
    ] = Allowance(100, 20)
    tries: Annotated[Allowance, _per("Signing in, codes and letters of an address, and of a person.")] = Allowance(
        60, 600
    )
    letters: Annotated[Allowance, _per("Letters to one mail address that sign somebody in.")] = Allowance(5, 3600)
    remarks: Annotated[
        Allowance, _per("What somebody writes, reports or shows by a sign at tables; five times that of an address.")
    ] = Allowance(20, 60)
    receivers: Annotated[Allowance, _per("Places to be told in that an address names or tries.")] = Allowance(20, 600)
    patience: Annotated[
        Annotated[float, Meta(gt=0)],
        About("SECONDS", "a number of seconds", "In which a request is finished, and something of an answer taken."),
    ] = 10.0


USUAL = Limits()


def demand(wait: float) -> None:
    """Whoever has to wait is told for how long."""
    if wait:
        headers = {"retry-after": str(int(wait) + 1)}
        raise TooManyRequestsException("that is too much at once; wait a moment", headers=headers)


class Tries:
    """Whatever might be guessed, or sent to people who do not want it, is tried only so often."""

    def __init__(self, limits: Limits) -> None:
        self._tries = Credit(limits.tries)
        self._letters = Credit(limits.letters)

    def spend(self, person: str, address: str) -> None:
        demand(max(self._tries.spend(("address", address)), self._tries.spend(("person", person))))

    def spend_letter(self, mail: str) -> None:
        demand(self._letters.spend(mail))


class Voices:
    """Whoever writes to others does so no faster than they can read. At one address several people may live."""

    SHARED = 5

    def __init__(self, limits: Limits) -> None:
        self._remarks = Credit(limits.remarks)

    def spend(self, person: str, address: str) -> None:
        own = self._remarks.spend(("person", person))
        demand(max(own, self._remarks.spend(("address", address), 1 / self.SHARED)))


class Pages:
    """Not too many of one address are open at once. All of them together say no more than so many of them may: what is
    more waits, and is heard."""

    SHARED = 20

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        each = limits.messages
        self._messages = Credit(Allowance(self.SHARED * each.most, each.seconds), clock)
        self._most = limits.pages
        self._open = Counter[str]()

    @contextmanager
    def opened(self, address: str) -> Iterator[bool]:
        """For as long as one is; whether it may."""
        room = self._open[address] < self._most
        self._open[address] += room
        try:
            yield room
        finally:
            self._open[address] -= room
            if not self._open[address]:
                del self._open[address]

    async def wait(self, address: str) -> None:
        while seconds := self._messages.spend(address):
            await asyncio.sleep(seconds)


class Turnstile(ASGIMiddleware):
    """Requests beyond an allowance are told how long to wait."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, allowance: Allowance) -> None:
        self._credit = Credit(allowance)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        client = scope["client"]
        demand(self._credit.spend(counted_as(client[0]) if client else ""))
        await next_app(scope, receive, send)
