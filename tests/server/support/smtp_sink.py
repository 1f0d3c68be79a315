"""An SMTP server that takes whatever is brought to it, and shows it."""

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

PATIENCE = 60.0


class PostOffice(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, refuses: str = "") -> None:
        super().__init__(("127.0.0.1", 0), _Counter)
        self.refuses = refuses
        """What is answered to every message, as "550 no"."""
        self.taken: list[EmailMessage] = []
        self.recipients: list[str] = []
        """Of all envelopes, as they stand there."""
        self.signed_in: list[str] = []

    @property
    def smtp(self) -> Smtp:
        password = Password("a secret of the host")
        port: int = self.server_address[1]
        return Smtp("127.0.0.1", port, "none", "cities", password, "Polyopolis <cities@polyopolis.example>")

    @property
    def options(self) -> list[str]:
        """For a server that sends its letters from here, unsigned."""
        host, port, sender = self.smtp.host, str(self.smtp.port), self.smtp.sender
        return ["--smtp-host", host, "--smtp-port", port, "--smtp-security", "none", "--smtp-sender", sender]

    def to(self, address: str, many: int = 1) -> list[EmailMessage]:
        """What somebody got, once it is as much as that."""
        end = monotonic() + PATIENCE
        while len(found := [each for each in self.taken if each["To"] == address]) < many and monotonic() < end:
            sleep(0.01)
        return found


class _Counter(StreamRequestHandler):
    def handle(self) -> None:
        office = cast("PostOffice", self.server)
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

    def _take(self, office: PostOffice) -> None:
        lines = []
        while (line := self.rfile.readline()) != b".\r\n":
            lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
        if not office.refuses:
            office.taken.append(message_from_bytes(b"".join(lines), policy=default))
        self._say(office.refuses or "250 taken")

    def _say(self, line: str) -> None:
        self.wfile.write(f"{line}\r\n".encode())


@contextmanager
def post_office(refuses: str = "") -> Iterator[PostOffice]:
    with PostOffice(refuses) as office:
        thread = threading.Thread(target=office.serve_forever, args=[0.05])
        thread.start()
        try:
            yield office
        finally:
            office.shutdown()
            thread.join()


@contextmanager
def nobody_there() -> Iterator[int]:
    """A port where nobody listens, and which nobody else gets meanwhile."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        yield int(found.getsockname()[1])
