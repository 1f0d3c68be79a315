"""Mail, by the SMTP server that a host names. Without one there is none, and whoever asks is told so.

No line of the log names an address, a subject or the password.
"""

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
SECONDS = 20.0
"""For each thing that the server is asked."""
LONGEST = 254
"""Characters of an address, by RFC 5321."""
LASTING = 500
"""Answers from here on will be the same tomorrow."""


class NoMail(PolyopolisError):
    """This site sends no mail."""


class Undelivered(PolyopolisError):
    """The server did not take a message."""

    def __init__(self, why: str, lasting: bool) -> None:
        super().__init__(f"the mail was not taken: {why}")
        self.lasting = lasting
        """To try again would be in vain."""


@dataclass(frozen=True)
class Smtp:
    """Who brings mail to people."""

    host: Annotated[str, About("NAME", "the name of an SMTP server", "Who sends mail.", "nobody")] = ""
    port: Annotated[
        Annotated[int, Meta(ge=1, le=65535)] | None,
        About("PORT", "a number from 1 to 65535", "On which port.", "587; 465 with tls, 25 with none"),
    ] = None
    security: Annotated[
        Security,
        About("HOW", "starttls, tls or none", "How the line is closed to others; none for this machine alone."),
    ] = "starttls"
    user: Annotated[str, About("NAME", "a name", "As whom one signs in there.", "as nobody")] = ""
    password: Annotated[
        Password,
        About("TEXT", "a password", "With which password.", "none", secret=True),
    ] = Password()  # noqa: RUF009 - it never changes
    sender: Annotated[
        Annotated[str, Meta(pattern="^[^@\r\n]+@[^@\r\n]+$")],
        About("ADDRESS", "an address as cities@example.org", "From whom it comes.", "nobody: needed for mail"),
    ] = ""


class Mailer:
    def __init__(self, smtp: Smtp) -> None:
        self._smtp = smtp

    @property
    def any(self) -> bool:
        """Whether mail can be sent from here."""
        return bool(self._smtp.host and self._smtp.sender)

    async def send(
        self,
        to: str,
        subject: str,
        text: str,
        html: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """Returns when the server has taken it. A `Message-ID` among the headers lets a repeat be known as one."""
        if not self.any:
            raise NoMail("this site sends no mail")
        smtp, message = self._smtp, self._message(to, subject, text, html, headers or {})
        try:
            await send(
                message,
                hostname=smtp.host,
                port=smtp.port,
                username=smtp.user or None,
                password=smtp.password.said or None,
                use_tls=smtp.security == "tls",
                start_tls=smtp.security == "starttls",
                tls_context=ssl.create_default_context() if smtp.security != "none" else None,
                timeout=SECONDS,
            )
        except SMTPResponseException as error:
            raise Undelivered(f"answer {error.code}", error.code >= LASTING) from None
        except (SMTPException, OSError) as error:
            raise Undelivered(type(error).__name__, lasting=False) from None

    def _message(self, to: str, subject: str, text: str, html: str | None, headers: Mapping[str, str]) -> EmailMessage:
        message = EmailMessage(SMTP)
        sender = parseaddr(self._smtp.sender)[1]
        given = {
            "From": self._smtp.sender,
            "To": address(to),
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


def address(text: str) -> str:
    """A mail address as it is written on an envelope, its domain in small letters and plain ones."""
    try:
        found = Address(addr_spec=text.strip())
        domain = found.domain.encode("idna").decode().casefold()
        plain = f"{found.username}@{domain}"
    except (HeaderParseError, IndexError, ValueError):
        plain = ""
    if not (plain.isascii() and plain.isprintable() and "." in plain.rpartition("@")[2] and len(plain) <= LONGEST):
        raise PolyopolisError("this is no mail address")
    return plain
