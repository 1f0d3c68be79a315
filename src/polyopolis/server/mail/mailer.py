"""SMTP client and its options. Without a configured server, sending raises `NoMail`.

Addresses, subjects and the password are never logged.
"""

import re
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from email.errors import HeaderParseError
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from typing import Annotated, Literal

from aiosmtplib import SMTPException, SMTPResponseException, send
from msgspec import Meta

from polyopolis.engine import PolyopolisError
from polyopolis.server.settings import About, Password

Security = Literal["starttls", "tls", "none"]
TIMEOUT_SECONDS = 20.0
"""For each SMTP command."""
MAX_ADDRESS_LENGTH = 254
"""The limit of RFC 5321."""
_ATOM, _LABEL = r"[\w!#$%&'*+/=?^`{|}~-]+", r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
ADDRESS = re.compile(rf"(?=[^@]{{1,64}}@){_ATOM}(\.{_ATOM})*@(?=.{{1,253}}$)({_LABEL}\.)+(?!\d+$){_LABEL}", re.ASCII)
"""A dot-atom of up to 64 characters, and a host name of at least two labels that is no IP address."""
GMAIL = ("gmail.com", "googlemail.com")
"""Domains of one provider, which ignores dots in local parts."""
PERMANENT_FAILURE_CODE = 500
"""SMTP reply codes from here on are permanent failures."""


class NoMail(PolyopolisError):
    """This site sends no mail."""


class MailRejected(PolyopolisError):
    """The SMTP server has rejected a message, or could not be reached."""

    def __init__(self, why: str, lasting: bool) -> None:
        super().__init__(f"the mail was rejected: {why}")
        self.lasting = lasting
        """Whether the failure is permanent."""


@dataclass(frozen=True)
class Smtp:
    """Options of the SMTP connection."""

    host: Annotated[
        str, About("NAME", "the name of an SMTP server", "SMTP server; without one no mail is sent.", "none")
    ] = ""
    port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        About("PORT", "a number from 1 to 65535", "Port of the SMTP server.", "587; 465 with tls, 25 with none"),
    ] = None
    security: Annotated[
        Security,
        About("HOW", "starttls, tls or none", "Encryption of the SMTP connection; none only for a local server."),
    ] = "starttls"
    user: Annotated[str, About("NAME", "a name", "SMTP user name.", "none")] = ""
    password: Annotated[
        Password,
        About("TEXT", "a password", "SMTP password.", "none", secret=True),
    ] = Password()  # noqa: RUF009 - immutable
    sender: Annotated[
        Annotated[str, Meta(pattern="^[^@\r\n]+@[^@\r\n]+$")],
        About(
            "ADDRESS",
            "an address such as cities@example.org",
            "Sender address of mails.",
            "none; required for mail",
        ),
    ] = ""


class Mailer:
    """Sends mails through the configured SMTP server."""

    def __init__(self, smtp: Smtp) -> None:
        self._smtp = smtp

    @property
    def any(self) -> bool:
        """Whether sending mail is configured."""
        return bool(self._smtp.host and self._smtp.sender)

    async def send(
        self,
        to: str,
        subject: str,
        text: str,
        html: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Returns when the server has accepted the mail. With a `Message-ID` header, repeated mails can be recognised.

        Raises `NoMail` or `MailRejected`.
        """
        if not self.any:
            raise NoMail("this site sends no mail")
        smtp, to = self._smtp, recipient(to)
        message = self._message(to, subject, text, html, headers or {})
        try:
            await send(
                message,
                recipients=[to],
                hostname=smtp.host,
                port=smtp.port,
                username=smtp.user or None,
                password=smtp.password.said or None,
                use_tls=smtp.security == "tls",
                start_tls=smtp.security == "starttls",
                tls_context=ssl.create_default_context() if smtp.security != "none" else None,
                timeout=TIMEOUT_SECONDS,
            )
        except SMTPResponseException as error:
            raise MailRejected(f"answer {error.code}", error.code >= PERMANENT_FAILURE_CODE) from None
        except (SMTPException, OSError) as error:
            raise MailRejected(type(error).__name__, lasting=False) from None

    def _message(self, to: str, subject: str, text: str, html: str | None, headers: Mapping[str, str]) -> EmailMessage:
        message = EmailMessage(SMTP)
        sender = parseaddr(self._smtp.sender)[1]
        given = {
            "From": self._smtp.sender,
            "To": to,
            "Subject": " ".join(subject.split()),
            "Date": formatdate(usegmt=True),
            "Message-ID": make_msgid(domain=sender.rpartition("@")[2]),
            "Auto-Submitted": "auto-generated",
            **headers,
        }
        for name, value in given.items():
            message[name] = value
        message.set_content(text)
        if html is not None:
            message.add_alternative(html, subtype="html")
        return message


def parse_address(text: str) -> str:
    """Returns a new mail address in the form in which it is stored: its domain is encoded as IDNA and in lower case.

    The local part must be a dot-atom and the domain a host name (RFC 5321). Quoted local parts and comments are
    refused: they would allow any number of spellings of one mailbox.
    """
    local, _, domain = text.strip().rpartition("@")
    try:
        plain = f"{local}@{domain.encode('idna').decode().lower()}"
    except UnicodeError:
        plain = ""
    if (
        not (ADDRESS.fullmatch(plain) and len(plain) <= MAX_ADDRESS_LENGTH) or "=?" in local
    ):  # it could be parsed as an encoded word
        raise PolyopolisError("invalid mail address")
    return plain


def recipient(stored: str) -> str:
    """Returns the SMTP recipient of a stored address, which may be older than the checks of `parse_address`.

    Raises `PolyopolisError` if the address is invalid.
    """
    try:
        found = Address(addr_spec=stored)
    except (HeaderParseError, IndexError, ValueError):
        raise PolyopolisError("invalid mail address") from None
    return f"{found.username}@{found.domain}"


def mailbox(stored: str) -> str:
    """Returns the key of a mailbox for rate limits: equal for addresses that differ in case, a tag after `+`, comments,
    or dots in Gmail addresses."""
    local, _, domain = recipient(stored).lower().rpartition("@")
    local = local.partition("+")[0] or local
    return f"{local.replace('.', '')}@{GMAIL[0]}" if domain in GMAIL else f"{local}@{domain}"
