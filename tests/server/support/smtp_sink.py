"""An SMTP server that accepts and records all mails."""

import base64
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from socketserver import StreamRequestHandler, ThreadingTCPServer
from time import monotonic, sleep
from typing import cast

from polyopolis.server.mail.mailer import Smtp
from polyopolis.server.settings import Password

TIMEOUT_SECONDS = 60.0


class SmtpSink(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, refuses: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _SmtpHandler)
        self.refuses = refuses
        """The reply to every message, such as "550 no"; empty to accept."""
        self.taken: list[EmailMessage] = []
        self.recipients: list[str] = []
        """The recipients of all envelopes."""
        self.signed_in: list[str] = []

    @property
    def smtp(self) -> Smtp:
        password = Password("a secret of the host")
        port: int = self.server_address[1]
        return Smtp("127.0.0.1", port, "none", "cities", password, "Polyopolis <cities@polyopolis.example>")

    @property
    def options(self) -> list[str]:
        """Options of a server that uses this SMTP server without authentication."""
        host, port, sender = self.smtp.host, str(self.smtp.port), self.smtp.sender
        return ["--smtp-host", host, "--smtp-port", port, "--smtp-security", "none", "--smtp-sender", sender]

    def to(self, address: str, many: int = 1) -> list[EmailMessage]:
        """Waits for this number of mails to an address and returns all of them."""
        end = monotonic() + TIMEOUT_SECONDS
        while len(found := [each for each in self.taken if each["To"] == address]) < many and monotonic() < end:
            sleep(0.01)
        return found


class _SmtpHandler(StreamRequestHandler):
    def handle(self) -> None:
        office = cast("SmtpSink", self.server)
        self._say("220 here")
        while line := self.rfile.readline().decode().strip():
            command, _, about = line.partition(" ")
            match command.upper():
                case "EHLO":
                    self._say("250-polyopolis.example\r\n250 AUTH PLAIN")
                case "AUTH":
                    office.signed_in.append(base64.b64decode(about.split()[1]).decode())
                    self._say("235 welcome")
                case "RCPT":
                    office.recipients.append(about.removeprefix("TO:").strip("<>"))
                    self._say("250 good")
                case "DATA":
                    self._say("354 go on")
                    self._take(office)
                case "QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 good")

    def _take(self, office: SmtpSink) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        if not office.refuses:
            office.taken.append(message_from_bytes(b"".join(lines), policy=default))
        self._say(office.refuses or "250 taken")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def smtp_sink(refuses: str = "") -> Iterator[SmtpSink]:
    with SmtpSink(refuses) as office:
        thread = threading.Thread(target=office.serve_forever, args=[0.05])
        thread.start()
        try:
            yield office
        finally:
            office.shutdown()
            thread.join()


@contextmanager
def closed_port() -> Iterator[int]:
    """Reserves a port on which no server listens."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield int(found.getsockname()[1])
