"""What is asked and answered about accounts. Only a server has them."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from polyopolis.play.wire.requests import Body, Key, Name
from polyopolis.server.stats.profile_types import Who

Word = Annotated[str, Meta(min_length=1, max_length=200)]
MailAddress = Annotated[str, Meta(min_length=3, max_length=254)]
Language = Annotated[str, Meta(max_length=8)]

# Wishes


class Nothing(Body, frozen=True):
    """Nothing needs to be said."""


class CallMe(Body, frozen=True):
    name: Name


class AskLetter(Body, frozen=True):
    """A letter with a link that signs in; an address that nobody has is one's own from then on."""

    address: MailAddress
    language: Language


class ForgetMail(Body, frozen=True):
    address: MailAddress


class ShowPasskey(Body, frozen=True):
    """What an authenticator said, as browsers write it."""

    credential: dict[str, Any]


class ShowWord(Body, frozen=True):
    """The word of a link, the code of a letter, or a code of one's own."""

    word: Word


class Enter(Body, frozen=True):
    """Sign in as it was proved."""

    ticket: Word
    bring: bool
    """Whether the tables of the guest who was here until now come along."""


# Answers


class DeviceInfo(Struct, frozen=True):
    id: str
    name: str
    made: int
    seen: int
    """In seconds since 1970, to the hour."""
    here: bool
    """It is the one that asks."""


class PasskeyInfo(Struct, frozen=True):
    id: str
    name: str
    made: int


class Me(Struct, frozen=True):
    """Who asks, and how they can come back."""

    name: str | None
    account: bool
    muted: bool
    """The host wants them not to be heard."""
    tables: int
    passkeys: tuple[PasskeyInfo, ...]
    mails: tuple[str, ...]
    code: int | None
    """When a code of one's own was made, in seconds since 1970."""
    recovery: int | None
    devices: tuple[DeviceInfo, ...]
    mail: bool
    """Whether this site sends mail."""


class PasskeyAsked(Struct, frozen=True):
    """What a browser hands to an authenticator."""

    options: dict[str, Any]


class LetterSent(Struct, frozen=True):
    """It is under way, to whomever that is."""

    minutes: int
    """For so long it opens something."""


class OwnCode(Struct, frozen=True):
    """Shown once."""

    code: str
    picture: str
    """An address with the code, to be read by a camera, as SVG."""


class Proved(Struct, frozen=True):
    """What would happen now; nothing has happened yet."""

    ticket: str
    does: Literal["sign-in", "add-mail"]
    name: str | None
    """Of the account."""
    tables: int
    """At which it sits."""
    here: int
    """At which the guest sits who is here until now, if it is another one."""
    mail: str | None


class OwnTable(Struct, frozen=True):
    table: str
    game: Key
    campaign: bool
    matches: int


class OwnRemark(Struct, frozen=True):
    table: str
    time: int
    """In milliseconds since 1970."""
    text: str


class Belonging(Struct, frozen=True):
    """All that is kept of somebody; the matches themselves are records of their tables."""

    me: Me
    tables: tuple[OwnTable, ...]
    who: Who
    remarks: tuple[OwnRemark, ...]
