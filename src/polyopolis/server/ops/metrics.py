"""Prometheus metrics, served on their own address if the host sets one."""

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

from polyopolis.server.settings import SettingError

METRICS_PREFIX = "polyopolis"
BUCKETS_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
LAG_INTERVAL_SECONDS = 0.25

disable_created_metrics()  # type: ignore[no-untyped-call]

DECISIONS = Counter(f"{METRICS_PREFIX}_decisions", "Committed decisions, including retractions.", ["by"])
_BY_PERSON, _BY_BOT = DECISIONS.labels("person"), DECISIONS.labels("bot")
DECISION_SECONDS = Histogram(
    f"{METRICS_PREFIX}_decision_seconds",
    "Seconds from receiving a decision until it is committed.",
    buckets=BUCKETS_SECONDS,
)
SOCKETS = Gauge(f"{METRICS_PREFIX}_sockets", "Open WebSockets at tables.")
STREAMS = Gauge(f"{METRICS_PREFIX}_streams", "Open streams of external bots.")
TABLES = Gauge(f"{METRICS_PREFIX}_tables", "Tables in memory.")
QUEUED_THOUGHTS = Gauge(f"{METRICS_PREFIX}_thoughts_waiting", "Bot requests that wait for a process.")
THOUGHT_WAIT_SECONDS = Histogram(
    f"{METRICS_PREFIX}_thought_wait_seconds", "Seconds that bot requests waited for a process.", buckets=BUCKETS_SECONDS
)
THOUGHT_SECONDS = Histogram(
    f"{METRICS_PREFIX}_thought_seconds", "Seconds of computation per bot request.", ["bot"], buckets=BUCKETS_SECONDS
)
LOOP_LAG_SECONDS = Histogram(
    f"{METRICS_PREFIX}_loop_lag_seconds", "Delay of the event loop in seconds.", buckets=BUCKETS_SECONDS
)
NOTIFICATIONS = Counter(f"{METRICS_PREFIX}_notices", "Notifications by channel and outcome.", ["by", "outcome"])
LOG_LINES = Counter(f"{METRICS_PREFIX}_log_lines", "Log lines by level.", ["level"])


class MetricsAddress(NamedTuple):
    host: str
    port: int

    @classmethod
    def read(cls, text: str) -> "MetricsAddress":
        found = urlsplit(f"//127.0.0.1:{text}" if text.isdigit() else f"//{text}")
        if not (found.hostname and found.port) or found.path:
            raise ValueError("not an address with a port")
        return cls(found.hostname, found.port)


@contextmanager
def serve_metrics(where: MetricsAddress | None) -> Iterator[None]:
    """Serves the metrics in a thread, so that they can be read while the event loop is blocked."""
    if where is None:
        yield
        return
    try:
        server, thread = start_http_server(where.port, where.host)
    except OSError as error:
        raise SettingError(f"metrics cannot be served on {where.host}, port {where.port}: {error.strerror}") from error
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


# Requests


def request_metrics_middleware(where: MetricsAddress | None) -> list[DefineMiddleware]:
    """Returns middleware that counts requests by route; none if the metrics are not served."""
    config = PrometheusConfig(
        METRICS_PREFIX, METRICS_PREFIX, group_path=True, scopes={ScopeType.HTTP}, buckets=list(BUCKETS_SECONDS)
    )
    return [config.middleware] if where else []


# Decisions

_received: ContextVar[list[float] | None] = ContextVar("received", default=None)
"""The time at which the current message arrived; empty once its decision is committed.

A list, because tasks that start meanwhile inherit it and must see that it is empty.
"""


@contextmanager
def timed_decision() -> Iterator[None]:
    """Measures the time until the decision in a message is committed."""
    since = [perf_counter()]
    token = _received.set(since)
    try:
        yield
    finally:
        since.clear()
        _received.reset(token)


def count_decision() -> None:
    """Counts a decision that was committed: as a player's within `timed_decision`, otherwise as a bot's."""
    if since := _received.get():
        _BY_PERSON.inc()
        DECISION_SECONDS.observe(perf_counter() - since.pop())
    else:
        _BY_BOT.inc()


# The server


def register_gauges(queued_thoughts: Callable[[], int], tables_in_use: Callable[[], int]) -> None:
    """Reads these numbers whenever the metrics are requested."""
    QUEUED_THOUGHTS.set_function(queued_thoughts)
    TABLES.set_function(tables_in_use)


async def measure_loop_lag() -> None:
    """Runs until it is cancelled."""
    while True:
        begun = perf_counter()
        await asyncio.sleep(LAG_INTERVAL_SECONDS)
        LOOP_LAG_SECONDS.observe(max(0.0, perf_counter() - begun - LAG_INTERVAL_SECONDS))
