"""Ids and token scopes of external bots: programs with an account of their own.

The ids of such accounts start with a prefix that no other id has. So seats, results and ratings can tell them apart
without a lookup, and an account never changes its kind.
"""

import secrets
from typing import Literal

BOT_ID_PREFIX = "bot~"
"""Ids of people consist of letters, digits, `-` and `_`."""
Scope = Literal["watch", "play"]
"""The permissions of a token: `watch` to read and to follow, `play` to take seats and to decide."""


def new_bot_id() -> str:
    return BOT_ID_PREFIX + secrets.token_urlsafe(12)


def is_external_bot(person: str | None) -> bool:
    return person is not None and person.startswith(BOT_ID_PREFIX)
