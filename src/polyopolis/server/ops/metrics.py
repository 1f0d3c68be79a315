"""What a host can watch: numbers for Prometheus, counted at the edges of the server. Tables know nothing of them.

They are told on an address of their own, if a host names one, and never where visitors ask.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from time import perf_counter
from typing import NamedTuple
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.middleware import DefineMiddleware
from litestar.plugins.prometheus import PrometheusConfig
from prometheus_client import Counter, Gauge, Histogram, disable_created_metrics, start_http_server

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


def count_decision() -> None:
    """Counts a decision that was committed: as a player's within `hearing`, otherwise as a bot's."""
    if since := _heard.get():
        _BY_PERSON.inc()
        KEPT.observe(perf_counter() - since.pop())
    else:
        _BY_BOT.inc()


# The server


def register_gauges(queued_thoughts: Callable[[], int], tables_in_use: Callable[[], int]) -> None:
    """Reads these numbers whenever the metrics are requested."""
    WAITING.set_function(queued_thoughts)
    TABLES.set_function(tables_in_use)


async def measure_loop_lag() -> None:
    """Runs until it is cancelled."""
    while True:
        begun = perf_counter()
        await asyncio.sleep(BETWEEN)
        LAG.observe(max(0.0, perf_counter() - begun - BETWEEN))
