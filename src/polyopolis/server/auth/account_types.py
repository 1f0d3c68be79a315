"""Request and response bodies of the account API (server only)."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from polyopolis.play.wire.requests import Body, Key, Name
from polyopolis.server.stats.profile_types import Profile

Word = Annotated[str, Meta(min_length=1, max_length=200)]
MailAddress = Annotated[str, Meta(min_length=3, max_length=254)]
Language = Annotated[str, Meta(max_length=8)]

# Requests


class Nothing(Body, frozen=True):
    """An empty body."""


class ChangeName(Body, frozen=True):
    name: Name


class RequestMail(Body, frozen=True):
    """Request a mail with a sign-in link. An address without an account is added to the current one."""

    address: MailAddress
    language: Language


class RemoveMail(Body, frozen=True):
    address: MailAddress


class PasskeyProof(Body, frozen=True):
    """The response of an authenticator, as encoded by the browser."""

    credential: dict[str, Any]


class CodeProof(Body, frozen=True):
    """The token of a link, the code of a mail, a sign-in code or a recovery code."""

    word: Word


class SignIn(Body, frozen=True):
    """Sign in with the ticket of a proof."""

    ticket: Word
    bring: bool
    """Whether the tables of the current guest move to the account."""


# Responses


class DeviceInfo(Struct, frozen=True):
    id: str
    name: str
    made: int
    seen: int
    """In seconds since 1970, with a precision of an hour."""
    here: bool
    """Whether it is the device of this request."""


class PasskeyInfo(Struct, frozen=True):
    id: str
    name: str
    made: int


class OwnAccount(Struct, frozen=True):
    """The current person and their sign-in methods."""

    name: str | None
    account: bool
    muted: bool
    """Whether the host has disabled their chat."""
    tables: int
    passkeys: tuple[PasskeyInfo, ...]
    mails: tuple[str, ...]
    code: int | None
    """When the sign-in code was created, in seconds since 1970."""
    recovery: int | None
    devices: tuple[DeviceInfo, ...]
    mail: bool
    """Whether this site sends mail."""


class PasskeyOptions(Struct, frozen=True):
    """Options that the browser passes to the authenticator."""

    options: dict[str, Any]


class MailSent(Struct, frozen=True):
    """A mail is being sent; the response is the same for known and unknown addresses."""

    minutes: int
    """The link and the code are valid for this long."""


class SignInCode(Struct, frozen=True):
    """A new code, which is shown once."""

    code: str
    picture: str
    """A QR code (SVG) of an address that contains the code."""


class ProofResult(Struct, frozen=True):
    """The effect that a ticket will have; no data has changed yet."""

    ticket: str
    does: Literal["sign-in", "add-mail"]
    name: str | None
    """The name of the account."""
    tables: int
    """The number of tables of the account."""
    here: int
    """The number of tables of the current guest, if it is another person."""
    mail: str | None


class OwnTable(Struct, frozen=True):
    table: str
    game: Key
    campaign: bool
    matches: int


class OwnChatMessage(Struct, frozen=True):
    table: str
    time: int
    """In milliseconds since 1970."""
    text: str


class PersonalData(Struct, frozen=True):
    """All stored data of a person; matches are exported as records of their tables."""

    me: OwnAccount
    tables: tuple[OwnTable, ...]
    who: Profile
    remarks: tuple[OwnChatMessage, ...]
