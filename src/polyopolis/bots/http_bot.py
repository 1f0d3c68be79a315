"""Bot behind an HTTP address, for ladders: it receives the public view and the choices, and returns one of them.

    POST URL   {"game": "mycity", "seat": 0, "view": {...}, "choices": [...], "seed": 123}
    answer     {"choice": 0}

View and choices have the format of docs/bot-api.md. A program that uses only `seed` as its source of randomness plays
reproducible games.
"""

from http.client import HTTPException, HTTPResponse
from time import monotonic
from typing import Any
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

import msgspec
from msgspec import Struct

from polyopolis.engine import AnyGame, PolyopolisError, Rng

TIMEOUT_SECONDS = 60.0
MAX_ANSWER_BYTES = 2**16
SEED_COUNT = 2**31


class HttpBotAnswer(Struct):
    choice: int


class HttpBotError(PolyopolisError):
    """Invalid address, no connection, or an invalid answer of an HTTP bot."""


class HttpBot(Struct, frozen=True):
    """A `Bot` that sends each decision to an HTTP address."""

    name: str
    url: str

    @classmethod
    def read(cls, text: str) -> "HttpBot":
        """Parses `NAME=URL`, or a URL alone; then the host is the name."""
        name, equals, url = text.partition("=http")
        address = f"http{url}" if equals else text
        parts = _split_url(address)
        if parts is None or parts.scheme not in ("http", "https") or not parts.netloc or (equals and not name):
            raise HttpBotError(f"{text!r} is not the address of a bot, such as http://127.0.0.1:9000")
        return cls(name if equals else parts.netloc, address)

    def __call__(self, game: AnyGame, state: Any, seat: int, rng: Rng) -> Any:
        choices = game.legal(state, seat)
        view, seed = game.view(state, None), rng.below(SEED_COUNT)
        asked = {"game": game.key, "seat": seat, "view": view, "choices": choices, "seed": seed}
        return choices[self._request_choice(msgspec.json.encode(asked), len(choices))]

    def _request_choice(self, body: bytes, choice_count: int) -> int:
        try:
            with urlopen(
                Request(self.url, body, {"content-type": "application/json"}), timeout=TIMEOUT_SECONDS
            ) as answer:
                choice = msgspec.json.decode(_read_answer(answer), type=HttpBotAnswer).choice
        except (OSError, HTTPException, ValueError, RecursionError, msgspec.MsgspecError) as error:
            raise HttpBotError(f"{self.name} at {self.url} did not return a valid answer: {error}") from error
        if not 0 <= choice < choice_count:
            raise HttpBotError(f"{self.name} at {self.url} chose {choice} of {choice_count} choices")
        return choice


def _split_url(address: str) -> SplitResult | None:
    try:
        return urlsplit(address)
    except ValueError:
        return None


def _read_answer(answer: HTTPResponse) -> bytes:
    """Reads the body. Raises `ValueError` if it is too long or takes too long."""
    body, end = b"", monotonic() + TIMEOUT_SECONDS
    while piece := answer.read1(MAX_ANSWER_BYTES):
        body += piece
        if len(body) > MAX_ANSWER_BYTES:
            raise ValueError(f"the answer has more than {MAX_ANSWER_BYTES} bytes")
        if monotonic() > end:
            raise ValueError(f"the answer took more than {TIMEOUT_SECONDS:.0f} seconds")
    return body
