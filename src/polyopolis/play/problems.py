"""What can be wrong with what somebody asks of the house."""

from polyopolis.engine import PolyopolisError


class Conflict(PolyopolisError):
    """Somebody else has changed it in the meantime: read again, decide again."""


class Forbidden(PolyopolisError):
    """This guest may not do that here."""


class NotFound(PolyopolisError):
    """There is no such thing."""


class Unreadable(PolyopolisError):
    """It is kept, but cannot be read with what is installed."""
