"""Rate limits by address, person, token and mailbox, as token buckets on a monotonic clock."""

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

from polyopolis.server.limits.client_addresses import client_address, networks_of
from polyopolis.server.mail.mailer import mailbox
from polyopolis.server.settings import About

logger = logging.getLogger(__name__)

MAX_ACCOUNTS = 20_000
"""Number of accounts of each multiple that a `TokenBucket` stores."""

Account = tuple[Hashable, float]
"""An account and its multiple of the limit."""


@dataclass(frozen=True)
class RateLimit:
    """A burst size and the seconds in which a bucket of it refills."""

    most: float
    seconds: float

    def __str__(self) -> str:
        return f"{self.most:g}/{self.seconds:g}"

    @classmethod
    def read(cls, text: str) -> "RateLimit":
        most, _, seconds = text.partition("/")
        found = cls(float(most), float(seconds))
        if not (0 < found.most < inf and 0 < found.seconds < inf):
            raise ValueError("both numbers must be positive and finite")
        return found


class TokenBucket:
    """Token buckets by account, each with the same limit.

    New and dropped accounts have a full bucket. Accounts with different multiples are stored separately, so that the
    many /64 networks of a /48 network do not displace it.
    """

    def __init__(self, limit: RateLimit, clock: Callable[[], float] = monotonic) -> None:
        self._limit = limit
        self._clock = clock
        self._left = defaultdict[float, OrderedDict[Hashable, tuple[float, float]]](OrderedDict)
        """By multiple and account: the remaining tokens at a time, in units of the limit."""

    def spend(self, who: Hashable) -> float:
        """Charges one account with the multiple 1; see `spend_all`."""
        return self.spend_all([(who, 1)])

    def spend_all(self, accounts: Iterable[Account], amount: float = 1.0) -> float:
        """Charges all accounts, or none if one of them has not enough.

        Returns the seconds until all have enough, 0 if they were charged.
        """
        now, accounts = self._clock(), tuple(accounts)
        if wait := self.wait_all(accounts, amount):
            return wait
        for who, multiple in accounts:
            known = self._left[multiple]
            known[who] = self._left_of(who, multiple, now) - amount / multiple, now
            if len(known) > MAX_ACCOUNTS:
                known.popitem(last=False)
        return 0.0

    def wait_all(self, accounts: Iterable[Account], amount: float = 1.0) -> float:
        """Returns the seconds until all accounts have enough, 0 if they have now, without charging them."""
        now, wait = self._clock(), 0.0
        for who, multiple in accounts:
            if who in self._left[multiple]:
                self._left[multiple].move_to_end(who)
            missing = amount / multiple - self._left_of(who, multiple, now)
            wait = max(wait, missing * self._limit.seconds / self._limit.most)
        return wait

    def _left_of(self, who: Hashable, multiple: float, now: float) -> float:
        most, seconds = self._limit.most, self._limit.seconds
        left, since = self._left[multiple].get(who, (most, now))
        return min(most, left + (now - since) * most / seconds)


Count = Annotated[int, Meta(ge=1)]


def _number(what: str) -> About:
    return About("NUMBER", "a number of at least 1", what)


def _per(what: str) -> About:
    return About("MOST/SECONDS", "MOST/SECONDS, such as 600/60", what)


@dataclass(frozen=True)
class Limits:
    """The rate limits of a server."""

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


DEFAULT_LIMITS = Limits()
PROOF_MAIL_LIMIT = RateLimit(3, 3600)
"""Mails to an unconfirmed mailbox."""


def raise_if_limited(wait: float, refusal: str = "too many requests; wait a moment") -> None:
    """Raises TooManyRequestsException with the seconds to wait, unless they are 0."""
    if wait:
        raise TooManyRequestsException(refusal, headers={"retry-after": str(int(wait) + 1)})


class GuessLimiter:
    """Limits attempts to guess a secret, per person and address."""

    def __init__(self, limits: Limits) -> None:
        self._tries = TokenBucket(limits.tries)

    def spend(self, person: str, address: str) -> None:
        raise_if_limited(self._tries.spend_all([(("person", person), 1), *networks_of(address)]))


class MailLimiter:
    """Limits sign-in and confirmation mails per mailbox, per requesting address and for the whole site.

    Notifications to confirmed mailboxes are not limited here.
    """

    SHARE = 5
    """One address can use at most this fraction of the limit of the site."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        site = limits.mails
        self._sign_ins, self._proofs = TokenBucket(limits.letters, clock), TokenBucket(PROOF_MAIL_LIMIT, clock)
        self._asking = TokenBucket(RateLimit(max(1.0, site.most / self.SHARE), site.seconds), clock)
        self._site = TokenBucket(site, clock)
        self._limit, self._clock = site, clock
        self._warned = -inf

    def spend_sign_in(self, mail: str, address: str) -> None:
        """Charges a sign-in mail, or raises `TooManyRequestsException` and charges nothing."""
        self._spend(self._sign_ins, mailbox(mail), networks_of(address))

    def spend_proof(self, mail: str, address: str) -> None:
        """Charges a confirmation mail, or raises `TooManyRequestsException` and charges nothing."""
        self._spend(self._proofs, mailbox(mail), networks_of(address))

    def _spend(self, of_mailbox: TokenBucket, recipient: str, networks: Sequence[Account]) -> None:
        raise_if_limited(max(of_mailbox.wait_all([(recipient, 1)]), self._asking.wait_all(networks)))
        if wait := self._site.spend("site"):
            self._warn()
            raise_if_limited(wait)
        of_mailbox.spend(recipient)
        self._asking.spend_all(networks)

    def _warn(self) -> None:
        """Logs a warning, at most once per period of the limit."""
        now = self._clock()
        if now - self._warned >= self._limit.seconds:
            self._warned = now
            logger.warning(
                "the site has reached its limit of sign-in and confirmation mails (--limit-mails %s); "
                "more are refused until it recovers",
                self._limit,
            )


class ChatLimiter:
    """Limits chat messages, reports and reactions per person and address."""

    ADDRESS_FACTOR = 5
    """Several people may share an address."""

    def __init__(self, limits: Limits) -> None:
        self._remarks = TokenBucket(limits.remarks)

    def spend(self, person: str, address: str) -> None:
        shared = [(network, multiple * self.ADDRESS_FACTOR) for network, multiple in networks_of(address)]
        raise_if_limited(self._remarks.spend_all([(("person", person), 1), *shared]))


class ConnectionLimiter:
    """Limits the open connections of an address, and delays messages beyond their common rate."""

    ADDRESS_FACTOR = 20
    """The common message rate of an address, as a multiple of the rate of one connection."""

    def __init__(self, limits: Limits, clock: Callable[[], float] = monotonic) -> None:
        each = limits.messages
        self._messages = TokenBucket(RateLimit(self.ADDRESS_FACTOR * each.most, each.seconds), clock)
        self._most = limits.pages
        self._open = Counter[str]()

    @contextmanager
    def opened(self, address: str) -> Iterator[bool]:
        """Counts a connection for the duration of the context; yields False if there are too many."""
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
    """Responds with 429 and Retry-After to requests beyond a limit per address."""

    scopes = (ScopeType.HTTP,)

    def __init__(self, limit: RateLimit) -> None:
        self._credit = TokenBucket(limit)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        raise_if_limited(self._credit.spend_all(networks_of(client_address(scope))))
        await next_app(scope, receive, send)
