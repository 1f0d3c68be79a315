"""Errors with their HTTP status."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from polyopolis.engine import PolyopolisError


class Busy(PolyopolisError):
    """Too much work is queued."""

    def __init__(self, message: str, wait: int) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds after which the client should ask again."""


class Conflict(PolyopolisError):
    """Another writer has changed the table: the caller must read it again and retry."""


class Forbidden(PolyopolisError):
    """This person may not do that."""


class Full(PolyopolisError):
    """A storage limit of a person is reached."""


class NotFound(PolyopolisError):
    """The requested object does not exist."""


class Sealed(PolyopolisError):
    """The requested data is secret until later."""


class Stale(PolyopolisError):
    """The message is too late."""


class Unreadable(PolyopolisError):
    """Stored data cannot be read with the installed rules and content."""


class Unwritable(Exception):
    """The repository cannot write at the moment, for example because the disk is full. No part of the write happened.

    The request was valid, so this is not a `PolyopolisError`.
    """

    def __init__(self) -> None:
        super().__init__("the server cannot save at the moment; try again later")


ROW_ERRORS = (
    PolyopolisError,
    msgspec.MsgspecError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
"""The errors that decoders and rules raise for broken rows and for rows of other versions. Database errors are not
included."""


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Converts `ROW_ERRORS` to `Unreadable`."""
    try:
        yield
    except ROW_ERRORS as error:
        raise Unreadable(f"{what} cannot be read: {error}") from error


STATUS: dict[type[PolyopolisError], int] = {
    NotFound: 404,
    Forbidden: 403,
    Unreadable: 409,
    Stale: 409,
    Sealed: 423,
    Busy: 429,
    Full: 507,
}


def status_of(error: PolyopolisError) -> int:
    """The HTTP status of an error, by default 400."""
    return STATUS.get(type(error), 400)
