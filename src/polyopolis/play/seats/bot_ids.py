"""Outside bots: programs that play with an account of their own.

Who somebody is says what they are: the id of such an account begins with a mark that no other id can have. So a seat, a
result and a rating know it without asking, and no account is ever made into the other kind.
"""

import secrets
from typing import Literal

BOT_ID_PREFIX = "bot~"
"""Ids of people are letters, digits, `-` and `_`."""
Scope = Literal["watch", "play"]
"""What a token is for: to be told and to read; to sit down and decide."""


def new_bot_id() -> str:
    """The id of a new one."""
    return BOT_ID_PREFIX + secrets.token_urlsafe(12)


def is_external_bot(person: str | None) -> bool:
    return person is not None and person.startswith(BOT_ID_PREFIX)
