"""What a host can watch: numbers for Prometheus, counted at the edges of the server. Tables know nothing of them.

They are told on an address of their own, if a host names one, and never where visitors ask.
"""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from contextvars import ContextVar
from time import perf_counter
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from litestar import Litestar
from litestar.enums import ScopeType
from litestar.middleware import DefineMiddleware
from litestar.plugins.prometheus import PrometheusConfig
from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics, start_http_server

from polyopolis.play.protocols import MatchRepository
from polyopolis.server.settings import BadSetting

NAME = "polyopolis"
SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
BETWEEN = 0.25
"""Seconds between two looks at how late the loop is."""

disable_created_metrics()  # type: ignore[no-untyped-call]

DECISIONS = Counter(f"{NAME}_decisions", "Decisions that were kept, and those that were taken back.", ["by"])
_BY_PERSON, _BY_BOT = DECISIONS.labels("person"), DECISIONS.labels("bot")
KEPT = Histogram(f"{NAME}_decision_seconds", "From hearing somebody decide until it is kept.", buckets=SECONDS)
SOCKETS = Gauge(f"{NAME}_sockets", "Pages that are open at tables.")
STREAMS = Gauge(f"{NAME}_streams", "Streams that outside bots have open.")
TABLES = Gauge(f"{NAME}_tables", "Tables that somebody is at or thinks for.")
WAITING = Gauge(f"{NAME}_thoughts_waiting", "Thoughts of bots that wait for a process.")
WAITED = Histogram(f"{NAME}_thought_wait_seconds", "How long a thought waited for a process.", buckets=SECONDS)
THOUGHT = Histogram(f"{NAME}_thought_seconds", "How long a bot thought.", ["bot"], buckets=SECONDS)
LAG = Histogram(f"{NAME}_loop_lag_seconds", "How late the event loop came to its work.", buckets=SECONDS)
NOTICES = Counter(f"{NAME}_notices", "What people were to be told, and what came of it.", ["by", "outcome"])
LINES = Counter(f"{NAME}_log_lines", "Lines of the log: an error is a fault of ours.", ["level"])


class Endpoint(NamedTuple):
    """Where the numbers are told."""

    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> "Endpoint":
        found = urlsplit(f"//127.0.0.1:{text}" if text.isdigit() else f"//{text}")
        if not (found.hostname and found.port) or found.path:
            raise ValueError("no address with a port")
        return cls(found.hostname, found.port)


@contextmanager
def told_at(where: Endpoint | None) -> Iterator[None]:
    """By a thread of its own, so that they can be read while the loop is late."""
    if where is None:
        yield
        return
    try:
        server, thread = start_http_server(where.port, where.host)
    except OSError as error:
        raise BadSetting(f"the metrics cannot be told on {where.host}, port {where.port}: {error.strerror}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Requests


def counted_requests(where: Endpoint | None) -> list[DefineMiddleware]:
    """By route, never by table; they cost a little, so only where somebody is told."""
    config = PrometheusConfig(NAME, NAME, group_path=True, scopes={ScopeType.HTTP}, buckets=list(SECONDS))
    return [config.middleware] if where else []


# Decisions

_heard: ContextVar[list[float] | None] = ContextVar("heard", default=None)
"""When somebody said what is heard now; empty once it is kept. Thoughts that begin meanwhile see that it is over."""


@contextmanager
def hearing() -> Iterator[None]:
    since = [perf_counter()]
    token = _heard.set(since)
    try:
        yield
    finally:
        since.clear()
        _heard.reset(token)


class CountedKeeper:
    """A keeper whose decisions are counted; all else is its own business."""

    def __init__(self, keeper: MatchRepository) -> None:
        self._keeper = keeper

    def __getattr__(self, name: str) -> Any:
        return getattr(self._keeper, name)

    async def append(self, *about: Any) -> None:
        await self._keeper.append(*about)
        if since := _heard.get():
            _BY_PERSON.inc()
            KEPT.observe(perf_counter() - since.pop())
        else:
            _BY_BOT.inc()


def counted(keeper: MatchRepository) -> MatchRepository:
    return cast("MatchRepository", CountedKeeper(keeper))


# The house


@asynccontextmanager
async def watched(app: Litestar) -> AsyncIterator[None]:
    """While the server runs: how many wait, and how late the loop is."""
    state = app.state
    WAITING.set_function(lambda: state.thinker.waiting)
    TABLES.set_function(lambda: len(state.lobby.tables.in_use))
    looking = asyncio.create_task(_look_at_loop())
    try:
        yield
    finally:
        looking.cancel()
        with suppress(asyncio.CancelledError):
            await looking


async def _look_at_loop() -> None:
    while True:
        begun = perf_counter()
        await asyncio.sleep(BETWEEN)
        LAG.observe(max(0.0, perf_counter() - begun - BETWEEN))
