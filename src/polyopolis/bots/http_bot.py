"""A bot that is a program elsewhere, asked by HTTP: it gets what everybody sees and its choices, and names one of them.

    POST URL   {"game": "mycity", "seat": 0, "view": {...}, "choices": [...], "seed": 123}
    answer     {"choice": 0}

View and choices are those that a table tells (docs/bot-api.md). With the seed alone as its luck a program plays the
same game again.
"""

from http.client import HTTPException, HTTPResponse
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError, Rng

PATIENCE = 60.0
"""Seconds in which it decides."""
LONGEST = 2**16
"""Bytes of an answer: it is one number."""
SEEDS = 2**31


class Answer(Struct):
    choice: int


class BadOutside(PolyopolisError):
    """A program that is not there, or not a bot."""


class HttpBot(Struct, frozen=True):
    """A `Bot`."""

    name: str
    url: str

    @classmethod
    def read(cls, text: str) -> "HttpBot":
        """`NAME=URL`, or the URL alone: then it is called by its host."""
        name, equals, url = text.partition("=http")
        address = f"http{url}" if equals else text
        parts = _parts(address)
        if parts is None or parts.scheme not in ("http", "https") or not parts.netloc or (equals and not name):
            raise BadOutside(f"{text!r} is no address of a bot, as http://127.0.0.1:9000")
        return cls(name if equals else parts.netloc, address)

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        choices = game.legal(state, seat)
        view, seed = game.view(state, None), rng.below(SEEDS)
        asked = {"game": game.key, "seat": seat, "view": view, "choices": choices, "seed": seed}
        return choices[self._asked(msgspec.json.encode(asked), len(choices))]

    def _asked(self, body: bytes, many: int) -> int:
        try:
            with urlopen(Request(self.url, body, {"content-type": "application/json"}), timeout=PATIENCE) as answer:
                choice = msgspec.json.decode(_heard(answer), type=Answer).choice
        except (OSError, HTTPException, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise BadOutside(f"{self.name} at {self.url} does not answer as a bot does: {error}") from error
        if not 0 <= choice < many:
            raise BadOutside(f"{self.name} at {self.url} chose {choice} of {many} choices")
        return choice


def _parts(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _heard(answer: HTTPResponse) -> bytes:
    """All of an answer that comes in time and is no longer than it needs to be."""
    heard, end = b"", monotonic() + PATIENCE
    while piece := answer.read1(LONGEST):
        heard += piece
        if len(heard) > LONGEST:
            raise ValueError(f"it says more than {LONGEST} bytes")
        if monotonic() > end:
            raise ValueError(f"it took more than {PATIENCE:.0f} seconds")
    return heard
