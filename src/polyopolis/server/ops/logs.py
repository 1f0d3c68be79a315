"""Log formats and request context: time, level, logger, message, request and table.

Seeds, cookies, codes and staged decisions are never logged. Libraries would log such data at level debug, so the
configured level applies to the loggers of this package only.
"""

import logging
from collections.abc import Callable, Hashable, Mapping
from contextvars import Context, ContextVar
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic, time
from typing import Literal, TextIO

import msgspec
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.server.ops.metrics import LOG_LINES

Level = Literal["debug", "info", "warning", "error"]
Form = Literal["text", "json"]

LOGGER_NAME = "polyopolis"
UVICORN_LOGGERS = ("uvicorn.access", "uvicorn.error")
"""Loggers of requests and sockets. At level debug they would log contents, so they are limited to info."""

REPEAT_SECONDS = 60.0
"""Warnings and errors with the same cause are combined within this period."""

_context: ContextVar[Mapping[str, str]] = ContextVar("about", default={})  # noqa: B039 - never mutated


class LogContextMiddleware(ASGIMiddleware):
    """Adds the request and the table to all log lines of a request, including those of tasks that it starts."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        about = {"request": f"{scope.get('method', 'SOCKET')} {scope['path_template']}"}
        if table := scope["path_params"].get("table"):
            about["table"] = str(table)
        _context.set(about)  # context of this request only: each runs in its own task
        await next_app(scope, receive, send)


def configure_logging(level: Level, form: Form) -> None:
    """Configures logging to stderr."""
    handler = LimitedHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root, least = logging.getLogger(), logging.getLevelNamesMapping()[level.upper()]
    root.handlers = [handler, CountingHandler()]
    root.setLevel(max(least, logging.WARNING))
    logging.getLogger(LOGGER_NAME).setLevel(least)
    for name in UVICORN_LOGGERS:
        logging.getLogger(name).setLevel(logging.INFO if level == "debug" else root.level)
    logging.captureWarnings(True)


class CountingHandler(logging.Handler):
    """Counts log lines by level."""

    def emit(self, record: logging.LogRecord) -> None:
        LOG_LINES.labels(record.levelname.lower()).inc()


@dataclass
class RepeatedRecord:
    """A record whose repetitions are counted: the line to write and the number of suppressed repetitions."""

    line: logging.LogRecord
    since: float
    left_out: int = 0


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes the first warning or error of a cause. Repetitions within a period are counted and written as one line.

    That line is written before the first record after the period (of any cause), or when the handler is closed.
    Records have the same cause if their messages are equal and their exceptions were raised at the same place.
    """

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self.repeated: dict[Hashable, RepeatedRecord] = {}
        """By cause, the oldest first."""

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if record.levelno < logging.WARNING:
                self._write_counts(self._clock())
                super().emit(record)
            else:
                self._emit_limited(record, _cause(record), self._clock())
        except Exception:
            self.handleError(record)

    def _emit_limited(self, record: logging.LogRecord, cause: Hashable, now: float) -> None:
        before = self.repeated.get(cause)
        if before and now - before.since < REPEAT_SECONDS:
            before.left_out += 1
            return
        if before and before.left_out:
            before.left_out += 1
        self._write_counts(now)
        line = copy(record)
        line.msg, line.args = record.getMessage(), ()
        line.exc_info = line.exc_text = None  # these would keep all objects of their frames alive
        self.repeated[cause] = RepeatedRecord(line, now)
        if not (before and before.left_out):
            super().emit(record)

    def _write_counts(self, now: float, period: float = REPEAT_SECONDS) -> None:
        """Writes and drops the counts of causes whose period is over."""
        while self.repeated:
            cause, found = next(iter(self.repeated.items()))
            if now - found.since < period:
                return
            del self.repeated[cause]
            if found.left_out:
                times = "1 time" if found.left_out == 1 else f"{found.left_out:,} times"
                found.line.msg = f"{found.line.msg} ({times} more in {now - found.since:.0f} seconds)"
                found.line.created = time()
                Context().run(super().emit, found.line)  # without the context of a request

    def close(self) -> None:
        self._write_counts(self._clock(), period=0.0)
        super().close()


def _cause(record: logging.LogRecord) -> Hashable:
    error = record.exc_info[1] if record.exc_info else None
    trace = error.__traceback__ if error else None
    while trace and trace.tb_next:
        trace = trace.tb_next
    place = (trace.tb_frame.f_code.co_filename, trace.tb_lineno) if trace else None
    return record.name, record.levelno, record.getMessage(), type(error), place


class TextLines(logging.Formatter):
    """One line of text, followed by the traceback of an error."""

    def format(self, record: logging.LogRecord) -> str:
        about = "".join(f" {name}={value}" for name, value in _context.get().items())
        line = _printable(f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{about}")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_context.get(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _printable(text: str) -> str:
    """Escapes control characters, so that requests cannot inject log lines."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
