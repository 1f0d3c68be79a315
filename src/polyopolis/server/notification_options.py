"""Telling people what they are owed: all who work on that, and what a host can set."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from polyopolis.play.table.due_notifications import PAUSE
from polyopolis.server.settings import About


@dataclass(frozen=True)
class Noticing:
    pause: Annotated[
        Annotated[float, Meta(ge=0)],
        About("SECONDS", "a number of seconds", "So long somebody may come by themselves before they are told."),
    ] = PAUSE
    reach: Annotated[
        Literal["public", "anywhere"],
        About(
            "WHERE",
            "public or anywhere",
            "Where browsers and programs are told; anywhere is for a network at home, where everybody is trusted.",
        ),
    ] = "public"
