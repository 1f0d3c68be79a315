"""Declares all server options; flags, environment variables, file keys and documentation are derived from it."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from polyopolis.server.limits.rate_limits import DEFAULT_LIMITS, Limits
from polyopolis.server.mail.mailer import Smtp
from polyopolis.server.notification_options import NotificationOptions
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.ops.logs import Form, Level
from polyopolis.server.ops.metrics import MetricsAddress
from polyopolis.server.ops.retention import Retention
from polyopolis.server.settings import About, Group

SPARE_CORES = max(1, (os.cpu_count() or 2) - 1)
Port = Annotated[int, Meta(ge=1, le=65535)]
PORT_RANGE = "a number from 1 to 65535"


@dataclass(frozen=True)
class Options:
    data: Annotated[Path, About("DIR", "a folder", "Data folder.")] = Path("data")
    database: Annotated[
        str,
        About(
            "URL",
            "the address of a PostgreSQL",
            "PostgreSQL database, which several servers can share.",
            "SQLite in the data folder",
        ),
    ] = ""
    workers: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a positive number", "Number of server processes; more than one need PostgreSQL."),
    ] = 1
    host: Annotated[str, About("ADDRESS", "an address", "Address to listen on; 0.0.0.0 for all interfaces.")] = (
        "127.0.0.1"
    )
    port: Annotated[Port | None, About("PORT", PORT_RANGE, "Port to listen on.", "first free port from 8000")] = None
    public_url: Annotated[
        Annotated[str, Meta(pattern="^https?://[^/ ]+")],
        About(
            "URL",
            "an address such as https://cities.example",
            "Public address of the site.",
            "the address it listens on",
        ),
    ] = ""
    trusted_proxy: Annotated[
        tuple[str, ...],
        About(
            "ADDRESS",
            "addresses",
            "Proxy whose X-Forwarded-* headers are trusted; repeatable, comma-separated in the environment.",
            "the local machine",
        ),
    ] = ()
    bot_processes: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a positive number", "Number of bot processes.", "number of cores minus one, at least 1"),
    ] = SPARE_CORES
    review_futures: Annotated[
        Annotated[int, Meta(ge=2)] | None,
        About(
            "NUMBER",
            "a number of at least 2",
            "Number of futures in which a review evaluates each choice.",
            "as many as needed",
        ),
    ] = None
    absence: Annotated[
        Annotated[float, Meta(ge=0)],
        About("SECONDS", "a number of seconds", "Seconds of absence after which a bot may stand in for a player."),
    ] = 60.0
    talk: Annotated[Literal["on", "off"], About("WORD", "on or off", "Whether players can chat at tables.")] = "on"
    log_level: Annotated[Level, About("LEVEL", "debug, info, warning or error", "Minimum level of log lines.")] = (
        "warning"
    )
    log_format: Annotated[Form, About("FORMAT", "text or json", "Format of log lines.")] = "text"
    metrics: Annotated[
        MetricsAddress | None,
        About(
            "ADDRESS:PORT",
            "a port, or an address and a port",
            "Address of Prometheus metrics; several processes use consecutive ports.",
            "off",
        ),
    ] = None
    retention: Annotated[Retention, Group("keep")] = Retention()  # noqa: RUF009 - it never changes
    limits: Annotated[Limits, Group("limit")] = DEFAULT_LIMITS
    notices: Annotated[NotificationOptions, Group("notices")] = NotificationOptions()  # noqa: RUF009 - it never changes
    smtp: Annotated[Smtp, Group("smtp")] = Smtp()  # noqa: RUF009 - it never changes

    @property
    def database_location(self) -> Path | str:
        return self.database or self.data / DATABASE
