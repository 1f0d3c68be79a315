"""How a server is run. An option is declared once, here: flag, variable, key of the file and docs follow from it."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from polyopolis.server.limits.rate_limits import USUAL, Limits
from polyopolis.server.mail.mailer import Smtp
from polyopolis.server.notification_options import Noticing
from polyopolis.server.ops.data_folder import DATABASE
from polyopolis.server.ops.logs import Form, Level
from polyopolis.server.ops.metrics import Endpoint
from polyopolis.server.ops.retention import Retention
from polyopolis.server.settings import About, Group

SPARE_CORES = max(1, (os.cpu_count() or 2) - 1)
Port = Annotated[int, Meta(ge=1, le=65535)]
PORT = "a number from 1 to 65535"


@dataclass(frozen=True)
class Options:
    data: Annotated[Path, About("DIR", "a folder", "Where tables are kept.")] = Path("data")
    database: Annotated[
        str,
        About("URL", "the address of a PostgreSQL", "A PostgreSQL that servers share.", "a file in that folder"),
    ] = ""
    workers: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a number from 1 on", "How many processes serve; more than one share a PostgreSQL."),
    ] = 1
    host: Annotated[str, About("ADDRESS", "an address", "Where to listen; 0.0.0.0 lets others in.")] = "127.0.0.1"
    port: Annotated[Port | None, About("PORT", PORT, "On which port.", "the first free one from 8000")] = None
    public_url: Annotated[
        Annotated[str, Meta(pattern="^https?://[^/ ]+")],
        About("URL", "an address as https://cities.example", "The address that people use.", "where it listens"),
    ] = ""
    trusted_proxy: Annotated[
        tuple[str, ...],
        About(
            "ADDRESS",
            "addresses",
            "Whose word is taken for where visitors come from; may be given again, with commas in the environment.",
            "this machine's",
        ),
    ] = ()
    bot_processes: Annotated[
        Annotated[int, Meta(ge=1)],
        About("NUMBER", "a number from 1 on", "How many bots think at the same time.", "one less than there are cores"),
    ] = SPARE_CORES
    review_futures: Annotated[
        Annotated[int, Meta(ge=2)] | None,
        About("NUMBER", "a number from 2 on", "In how many futures a review tries everything.", "as many as it takes"),
    ] = None
    absence: Annotated[
        Annotated[float, Meta(ge=0)],
        About("SECONDS", "a number of seconds", "After so long a bot may play in for somebody who has left."),
    ] = 60.0
    talk: Annotated[
        Literal["on", "off"], About("WORD", "on or off", "Whether people can write to each other at tables.")
    ] = "on"
    log_level: Annotated[Level, About("LEVEL", "debug, info, warning or error", "What is written down.")] = "warning"
    log_format: Annotated[Form, About("FORM", "text or json", "How: lines of text, or of JSON.")] = "text"
    metrics: Annotated[
        Endpoint | None,
        About(
            "ADDRESS:PORT",
            "a port, or an address and a port",
            "Where numbers for Prometheus are told; by several processes on ports one after the other.",
            "nowhere",
        ),
    ] = None
    retention: Annotated[Retention, Group("keep")] = Retention()  # noqa: RUF009 - it never changes
    limits: Annotated[Limits, Group("limit")] = USUAL
    notices: Annotated[Noticing, Group("notices")] = Noticing()  # noqa: RUF009 - it never changes
    smtp: Annotated[Smtp, Group("smtp")] = Smtp()  # noqa: RUF009 - it never changes

    @property
    def kept_at(self) -> Path | str:
        return self.database or self.data / DATABASE
