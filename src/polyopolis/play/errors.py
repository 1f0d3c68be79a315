"""What can be wrong with what somebody asks of the house."""

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec

from polyopolis.engine import PolyopolisError


class Busy(PolyopolisError):
    """So much is being done already that this has to wait."""

    def __init__(self, message: str, wait: int) -> None:
        super().__init__(message)
        self.wait = wait
        """Seconds after which to ask again."""


class Conflict(PolyopolisError):
    """Somebody else has changed it in the meantime: read again, decide again."""


class Forbidden(PolyopolisError):
    """This guest may not do that here."""


class Full(PolyopolisError):
    """Somebody keeps as much as one person may keep."""


class NotFound(PolyopolisError):
    """There is no such thing."""


class Sealed(PolyopolisError):
    """It is kept secret for a while."""


class Stale(PolyopolisError):
    """It is too late for that."""


class Unreadable(PolyopolisError):
    """It is kept, but cannot be read with what is installed."""


class Unwritable(Exception):
    """The keeper cannot write at the moment, for example because a disk is full. What was to be written was not.

    It is no fault of whoever asks, so it is no `PolyopolisError`.
    """

    def __init__(self) -> None:
        super().__init__("nothing can be saved here at the moment; try again later")


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
"""What decoders and rules raise for rows that are broken or not theirs. Errors of a database are not among them."""


@contextmanager
def readable(what: str) -> Iterator[None]:
    """Raises `Unreadable` instead of any of `ROW_ERRORS`."""
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
    """As the web says it; what cannot be meant is 400."""
    return STATUS.get(type(error), 400)


BAD_MESSAGE, NO_TABLE, UNREADABLE, SEALED, OUR_FAULT = 4400, 4404, 4409, 4423, 1011
"""Why a line to a table ends: what was said cannot be meant; there is no such table, it cannot be read, or not yet; a
fault."""
