"""The log: lines with a time, a level, who speaks and what they say, and the request or the table that it is about.

What is written down may be read by others: no seed, no cookie, no code and no decision that is not open is ever in it.
The libraries beneath would write such things at their lowest level, so the level of a host is that of our own lines.
"""

import logging
from collections.abc import Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Literal

import msgspec
from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from polyopolis.server.metrics import LINES

Level = Literal["debug", "info", "warning", "error"]
Form = Literal["text", "json"]

OURS = "polyopolis"
SERVED = ("uvicorn.access", "uvicorn.error")
"""Who tells of every request and every socket; their lowest level tells what was sent, too."""

_about: ContextVar[Mapping[str, str]] = ContextVar("about", default={})  # noqa: B039 - nobody changes it


class Concerning(ASGIMiddleware):
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
    handler = logging.StreamHandler()
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
        LINES.labels(record.levelname.lower()).inc()


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
