"""How much an address may ask for: credit that comes back by and by, so that the honest never notice.

Credit is counted on a clock that only goes forward.
"""

import asyncio
import logging
from collections import Counter, OrderedDict, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
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

from polyopolis.server.limits.client_addresses import address_in, networks_of
from polyopolis.server.mail.mailer import mailbox
from polyopolis.server.settings import About

logger = logging.getLogger(__name__)

MOST = 20_000
"""Accounts of each multiple that a `TokenBucket` remembers."""

Account = tuple[Hashable, float]
"""Whose credit it is, and how many times the allowance they have."""


@dataclass(frozen=True)
class RateLimit:
    """So much in so many seconds, all of it at once if it was saved."""

    most: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.most:g}/{self.seconds:g}"

    @classmethod
    def read(cls, text: str) -> "RateLimit":
        most, _, seconds = text.partition("/")
        found = cls(float(most), float(seconds))
        if not (0 < found.most < inf and 0 < found.seconds < inf):
            raise ValueError("nothing could ever be asked for")
        return found


class TokenBucket:
    """What is left of an allowance, by account.

    An account that was never charged, or that was forgotten, has all of it. Those with different multiples are
    remembered apart: the many /64 networks of a /48 network do not displace it.
    """

    def __init__(self, allowance: RateLimit, clock: Callable[[], float] = monotonic) -> None:
        self._allowance = allowance
        self._clock = clock
        self._left = defaultdict[float, OrderedDict[Hashable, tuple[float, float]]](OrderedDict)
        """By multiple and account: the credit at a time, in units of the allowance."""

    def spend(self, who: Hashable) -> float:
        """Charge a single account of a simple allowance; see `spend_all`."""
        return self.spend_all([(who, 1)])

    def spend_all(self, accounts: Iterable[Account], much: float = 1.0) -> float:
        """Charge `much` to all accounts, or to none if one of them has not enough.

        Return the seconds until all have enough, 0 if they were charged.
        """
        now, accounts = self._clock(), tuple(accounts)
        if wait := self.wait_all(accounts, much):
            return wait
        for who, multiple in accounts:
            known = self._left[multiple]
            known[who] = self._left_of(who, multiple, now) - much / multiple, now
            if len(known) > MOST:
                known.popitem(last=False)
        return 0.0

    def wait_all(self, accounts: Iterable[Account], much: float = 1.0) -> float:
        """Return the seconds until all accounts have so much, 0 if they have it now, and charge nothing."""
        now, wait = self._clock(), 0.0
        for who, multiple in accounts:
            if who in self._left[multiple]:
                self._left[multiple].move_to_end(who)
            missing = much / multiple - self._left_of(who, multiple, now)
            wait = max(wait, missing * self._allowance.seconds / self._allowance.most)
        return wait

    def _left_of(self, who: Hashable, multiple: float, now: float) -> float:
        most, seconds = self._allowance.most, self._allowance.seconds
        left, since = self._left[multiple].get(who, (most, now))
        return min(most, left + (now - since) * most / seconds)


Count = Annotated[int, Meta(ge=1)]


def _number(what: str) -> About:
    return About("NUMBER", "a number of at least 1", what)


def _per(what: str) -> About:
    return About("MOST/SECONDS", "MOST/SECONDS, such as 600/60", what)


@dataclass(frozen=True)
class Limits:
    """What an address may ask for."""

    requests: Annotated[RateLimit, _per("Requests per address.")] = RateLimit(600, 60)
    reading: Annotated[RateLimit, _per("Of these, expensive reads: replays, campaigns, files.")] = RateLimit(240, 60)
    imports: Annotated[RateLimit, _per("Of these, imports of games, which are replayed and stored.")] = RateLimit(
        40, 600
    )
    tables: Annotated[RateLimit, _per("Of these, new tables.")] = RateLimit(120, 600)
    import_megabytes: Annotated[RateLimit, _per("Megabytes of imported games per address, as stored.")] = RateLimit(
        20, 86_400
    )
    imports_kept: Annotated[Count, _number("Imported games on the list of a person.")] = 200
    tables_daily: Annotated[RateLimit, _per("New tables per address, over a day.")] = RateLimit(1000, 86_400)
    unplayed: Annotated[Count, _number("Unplayed tables that a person has made.")] = 200
    sockets: Annotated[RateLimit, _per("New connections of pages to tables, per address.")] = RateLimit(300, 60)
    pages: Annotated[Count, _number("Open pages and streams per address.")] = 500
    tokens: Annotated[RateLimit, _per("Requests of an external bot per token.")] = RateLimit(300, 60)
    streams: Annotated[Count, _number("Open streams of an external bot per token, at each server.")] = 16
    messages: Annotated[
        RateLimit,
        _per("Messages of one page. Messages of all pages of an address wait beyond 20 times this rate."),
    ] = RateLimit(100, 20)
    tries: Annotated[RateLimit, _per("Sign-in attempts, codes and mails per address, and per person.")] = RateLimit(
        60, 600
    )
    letters: Annotated[RateLimit, _per("Sign-in mails to one mailbox.")] = RateLimit(5, 3600)
    mails: Annotated[
        RateLimit,
        _per("Sign-in and confirmation mails of the whole site; one address can use a fifth of them."),
    ] = RateLimit(300, 3600)
    remarks: Annotated[
        RateLimit, _per("Chat messages, reports and reactions per person; per address five times as many.")
    ] = RateLimit(20, 60)
    receivers: Annotated[RateLimit, _per("Notification receivers that an address adds or tests.")] = RateLimit(20, 600)
    patience: Annotated[
        Annotated[float, Meta(gt=0)],
        About(
            "SECONDS",
            "a number of seconds",
            "Seconds until a request must be complete, and until a client must read some of a response.",
        ),
    ] = 10.0


USUAL = Limits()
PROOFS = RateLimit(3, 3600)
"""Mails to a mailbox that nobody has proven to be theirs."""


def demand(wait: float, refusal: str = "that is too much at once; wait a moment") -> None:
    """Raises TooManyRequestsException with the seconds to wait, unless they are 0."""
    if wait:
        raise TooManyRequestsException(refusal, headers={"retry-after": str(int(wait) + 1)})


class GuessLimiter:
    """Whatever might be guessed is tried only so often."""

    def __init__(self, limits: Limits) -> None:
        self._tries = TokenBucket(limits.tries)

    def spend(self, person: str, address: str) -> None:
        demand(self._tries.spend_all([(("person", person), 1), *networks_of(address)]))


class Letters:
    """Limits the mails that anybody can have sent to a mailbox, to sign in or to prove that it is theirs.

    They are limited for each mailbox, for each address that asks and for the whole site. What people are told at
    mailboxes that they have proven is not limited here.
    """

    SHARE = 5
    """One address has at most this part of what the whole site has, so that it cannot use all of it up."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        site = limits.mails
        self._sign_ins, self._proofs = TokenBucket(limits.letters, clock), TokenBucket(PROOFS, clock)
        self._asking = TokenBucket(RateLimit(max(1.0, site.most / self.SHARE), site.seconds), clock)
        self._site = TokenBucket(site, clock)
        self._allowance, self._clock = site, clock
        self._warned = -inf

    def spend_sign_in(self, mail: str, address: str) -> None:
        """Raises TooManyRequestsException if this mail to sign in cannot be sent now; then it uses nothing up."""
        self._spend(self._sign_ins, mailbox(mail), networks_of(address))

    def spend_proof(self, mail: str, address: str) -> None:
        """Likewise for a mail that proves a mailbox."""
        self._spend(self._proofs, mailbox(mail), networks_of(address))

    def _spend(self, of_mailbox: TokenBucket, recipient: str, networks: Sequence[Account]) -> None:
        demand(max(of_mailbox.wait_all([(recipient, 1)]), self._asking.wait_all(networks)))
        if wait := self._site.spend("site"):
            self._warn()
            demand(wait)
        of_mailbox.spend(recipient)
        self._asking.spend_all(networks)

    def _warn(self) -> None:
        """At most once in the time of the allowance."""
        now = self._clock()
        if now - self._warned >= self._allowance.seconds:
            self._warned = now
            logger.warning(
                "the site has sent as many mails to sign in and to prove mailboxes as --limit-mails lets it (%s): "
                "others are refused until it may send more",
                self._allowance,
            )


class ChatLimiter:
    """Whoever writes to others does so no faster than they can read. At one address several people may live."""

    SHARED = 5

    def __init__(self, limits: Limits) -> None:
        self._remarks = TokenBucket(limits.remarks)

    def spend(self, person: str, address: str) -> None:
        shared = [(network, multiple * self.SHARED) for network, multiple in networks_of(address)]
        demand(self._remarks.spend_all([(("person", person), 1), *shared]))


class ConnectionLimiter:
    """Not too many of one address are open at once. All of them together say no more than so many of them may: what is
    more waits, and is heard."""

    SHARED = 20

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        each = limits.messages
        self._messages = TokenBucket(RateLimit(self.SHARED * each.most, each.seconds), clock)
        self._most = limits.pages
        self._open = Counter[str]()

    @contextmanager
    def opened(self, address: str) -> Iterator[bool]:
        """Count a page as open for as long as the context lasts, and yield whether it may be."""
        networks = networks_of(address)
        if any(self._open[network] >= multiple * self._most for network, multiple in networks):
            yield False
            return
        self._open.update(network for network, _ in networks)
        try:
            yield True
        finally:
            for network, _ in networks:
                self._open[network] -= 1
                if not self._open[network]:
                    del self._open[network]

    async def wait(self, address: str) -> None:
        while seconds := self._messages.spend_all(networks_of(address)):
            await asyncio.sleep(seconds)


class RateLimitMiddleware(ASGIMiddleware):
    """Requests beyond an allowance are told how long to wait."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, allowance: RateLimit) -> None:
        self._credit = TokenBucket(allowance)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        demand(self._credit.spend_all(networks_of(address_in(scope))))
        await next_app(scope, receive, send)
