"""The log: lines with a time, a level, who speaks and what they say, and the request or the table that it is about.

What is written down may be read by others: no seed, no cookie, no code and no decision that is not open is ever in it.
The libraries beneath would write such things at their lowest level, so the level of a host is that of our own lines.
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

OURS = "polyopolis"
SERVED = ("uvicorn.access", "uvicorn.error")
"""Who tells of every request and every socket; their lowest level tells what was sent, too."""

PERIOD = 60.0
"""Seconds in which warnings and errors of the same cause are one line."""

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default={})  # noqa: B039 - nobody changes it


class LogContextMiddleware(ASGIMiddleware):
    """Whatever is written down from here on, by bots that begin to think as well, names the request and the table."""

    scopes = (ScopeType.HTTP, ScopeType.WEBSOCKET)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        about = {"request": f"{scope.get('method', 'SOCKET')} {scope['path_template']}"}
        if table := scope["path_params"].get("table"):
            about["table"] = str(table)
        _about.set(about)  # of this request alone: each is a task of its own
        await next_app(scope, receive, send)


def begin(level: Level, form: Form) -> None:
    """From now on, and to stderr."""
    handler = LimitedHandler()
    handler.setFormatter(JsonLines() if form == "json" else TextLines())
    root, least = logging.getLogger(), logging.getLevelNamesMapping()[level.upper()]
    root.handlers = [handler, Counted()]
    root.setLevel(max(least, logging.WARNING))
    logging.getLogger(OURS).setLevel(least)
    for name in SERVED:
        logging.getLogger(name).setLevel(logging.INFO if level == "debug" else root.level)
    logging.captureWarnings(True)


class Counted(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        LOG_LINES.labels(record.levelname.lower()).inc()


@dataclass
class Repeated:
    """A cause of records: its count, as it will be written, and how many were left out."""

    line: logging.LogRecord
    since: float
    left_out: int = 0


class LimitedHandler(logging.StreamHandler[TextIO]):
    """Writes the first warning or error of a cause. Others within a period are counted, and the count is one line.

    The count is written with the first record that comes after the period, whatever its cause, or when the handler is
    closed. Records have the same cause if they say the same and their exceptions were raised at the same place.
    """

    def __init__(self, stream: TextIO | None = None, clock: Callable[[], float] = monotonic) -> None:
        super().__init__(stream)
        self._clock = clock
        self.repeated: dict[Hashable, Repeated] = {}
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
        if before and now - before.since < PERIOD:
            before.left_out += 1
            return
        if before and before.left_out:
            before.left_out += 1
        self._write_counts(now)
        line = copy(record)
        line.msg, line.args = record.getMessage(), ()
        line.exc_info = line.exc_text = None  # which would keep whatever its frames refer to
        self.repeated[cause] = Repeated(line, now)
        if not (before and before.left_out):
            super().emit(record)

    def _write_counts(self, now: float, period: float = PERIOD) -> None:
        """Writes the counts of causes whose period is over, and forgets these."""
        while self.repeated:
            cause, found = next(iter(self.repeated.items()))
            if now - found.since < period:
                return
            del self.repeated[cause]
            if found.left_out:
                times = "1 time" if found.left_out == 1 else f"{found.left_out:,} times"
                found.line.msg = f"{found.line.msg} ({times} more in {now - found.since:.0f} seconds)"
                found.line.created = time()
                Context().run(super().emit, found.line)  # it is about no request

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
    """One line, and whatever led to an error below it."""

    def format(self, record: logging.LogRecord) -> str:
        about = "".join(f" {name}={value}" for name, value in _about.get().items())
        line = _printable(f"{_time(record)} {record.levelname} {record.name}: {record.getMessage()}{about}")
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class JsonLines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_about.get(),
        }
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return msgspec.json.encode(line).decode()


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")


def _printable(text: str) -> str:
    """Nobody writes a line of their own by what they ask for."""
    return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in text)
