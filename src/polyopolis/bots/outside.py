"""A bot that is a program elsewhere, asked by HTTP: it gets what everybody sees and its choices, and names one of them.

    POST URL   {"game": "mycity", "seat": 0, "view": {...}, "choices": [...], "seed": 123}
    answer     {"choice": 0}

View and choices are those that a table tells (docs/bot-api.md). With the seed alone as its luck a program plays the
same game again.
"""

import json
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError, Rng

PATIENCE = 60.0
"""Seconds in which it decides."""
SEEDS = 2**31


class BadOutside(PolyopolisError):
    """A program that is not there, or not a bot."""


class Outside(Struct, frozen=True):
    """A `Bot`."""

    name: str
    url: str

    @classmethod
    def read(cls, text: str) -> "Outside":
        """`NAME=URL`, or the URL alone: then it is called by its host."""
        name, equals, url = text.partition("=http")
        found = cls(name, f"http{url}") if equals else cls(urlsplit(text).netloc, text)
        parts = urlsplit(found.url)
        if parts.scheme not in ("http", "https") or not parts.netloc or not found.name:
            raise BadOutside(f"{text!r} is no address of a bot, as http://127.0.0.1:9000")
        return found

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        choices = game.legal(state, seat)
        view, seed = game.view(state, None), rng.below(SEEDS)
        asked = {"game": game.key, "seat": seat, "view": view, "choices": choices, "seed": seed}
        return choices[self._asked(msgspec.json.encode(asked), len(choices))]

    def _asked(self, body: bytes, many: int) -> int:
        try:
            with urlopen(Request(self.url, body, {"content-type": "application/json"}), timeout=PATIENCE) as answer:
                choice = json.load(answer)["choice"]
        except (URLError, OSError, ValueError, LookupError, TypeError) as error:
            raise BadOutside(f"{self.name} at {self.url} does not answer as a bot does: {error}") from error
        if isinstance(choice, bool) or not isinstance(choice, int) or not 0 <= choice < many:
            raise BadOutside(f"{self.name} at {self.url} chose {choice!r} of {many} choices")
        return choice
