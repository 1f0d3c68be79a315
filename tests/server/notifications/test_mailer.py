"""Mails: contents, recipients, addresses, failures."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.server.mail.mailer import Mailer, MailRejected, NoMail, Smtp, mailbox, parse_address
from tests.server.support.server_process import Visitor
from tests.server.support.smtp_sink import closed_port, smtp_sink

pytestmark = pytest.mark.anyio

RECIPIENT = "ada@letters.example"


async def test_a_mail_arrives_unchanged() -> None:
    with smtp_sink() as smtp:
        mailer = Mailer(smtp.smtp)
        assert mailer.any
        again = {"Message-ID": "<7@polyopolis.example>", "List-Unsubscribe": "<https://x.example/stop>"}
        await mailer.send(RECIPIENT, "Wijn & brood: élan,\r\n schön", ".\nZwölf Häuser\n", "<p>Zwölf</p>", again)
        await mailer.send(RECIPIENT, "Plain", "text")
    first, second = smtp.to(RECIPIENT, 2)
    assert first["Subject"] == "Wijn & brood: élan, schön"
    assert (first["From"], first["Message-ID"]) == ("Polyopolis <cities@polyopolis.example>", "<7@polyopolis.example>")
    assert first["List-Unsubscribe"] == "<https://x.example/stop>"
    text, html = first.iter_parts()
    assert text.get_content() == ".\nZwölf Häuser\n"
    assert html.get_content_type() == "text/html"
    assert second["Message-ID"].endswith("@polyopolis.example>")
    assert second["Date"]
    assert not second.is_multipart()
    assert set(smtp.signed_in) == {"\0cities\0a secret of the host"}


async def test_without_an_smtp_server_sending_raises_no_mail() -> None:
    assert not Mailer(Smtp()).any
    with pytest.raises(NoMail):
        await Mailer(Smtp()).send(RECIPIENT, "x", "y")


@pytest.mark.parametrize(("answer", "lasting"), [("550 no such box", True), ("451 not now", False)])
async def test_a_rejected_mail_reports_whether_the_failure_is_permanent(answer: str, lasting: bool) -> None:
    with smtp_sink(refuses=answer) as smtp:
        with pytest.raises(MailRejected) as refused:
            await Mailer(smtp.smtp).send(RECIPIENT, "x", "y")
        assert refused.value.lasting is lasting
        assert "such box" not in str(refused.value)


async def test_an_unreachable_server_is_a_temporary_failure() -> None:
    with smtp_sink() as smtp, closed_port() as port, pytest.raises(MailRejected) as refused:
        await Mailer(replace(smtp.smtp, port=port)).send(RECIPIENT, "x", "y")
    assert not refused.value.lasting


async def test_no_password_is_sent_without_encryption() -> None:
    with smtp_sink() as smtp:
        with pytest.raises(MailRejected):
            await Mailer(replace(smtp.smtp, security="starttls")).send(RECIPIENT, "x", "y")
        assert not smtp.signed_in
        assert "secret" not in repr(smtp.smtp)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (" Ada@Letters.EXAMPLE ", "Ada@letters.example"),
        ("a+b@büro.example", "a+b@xn--bro-hoa.example"),
        *((wrong, "") for wrong in ("", "ada", "a@b", "a@", "@x.de", "a b@x.de", "a@x.de,b@y.de", "A <a@x.de>")),
        *((wrong, "") for wrong in ("a@x.de\r\nBcc: b@y.de", "ä@x.de", f"{'a' * 260}@x.de", "a@x..de")),
        (f"{'a' * 64}@x.de", f"{'a' * 64}@x.de"),
        ("o'brien/x=1?@x-y.example", "o'brien/x=1?@x-y.example"),
        *((f"{local}@x.de", "") for local in ('"(1)victim"', '"victim"', "(1)victim", "victim(1)", ".a", "a.", "a..b")),
        *((f"{local}@x.de", "") for local in ("a" * 65, "=?utf-8?q?victim?=", "<a", 'a"b', "a\\b", "a\tb", "a\0b")),
        *((f"a@{host}", "") for host in ("[127.0.0.1]", "127.0.0.1", "(1)x.de", "x_y.de", "-x.de", "x-.de", "x.de.")),
        *((f"a@{host}", "") for host in (f"{'x' * 64}.de", f"{'x.' * 126}de", "x.de:25", "x.de>", "\uff58_.de")),
    ],
)
async def test_mail_addresses_are_normalized_or_rejected(text: str, found: str) -> None:
    if found:
        assert parse_address(text) == found
    else:
        with pytest.raises(PolyopolisError):
            parse_address(text)


LINES = ["\r\nBcc: other@y.example", "\nBcc: other@y.example", "\r\n\r\nbody"]


@pytest.mark.parametrize("line", LINES)
async def test_contents_cannot_inject_headers_or_recipients(line: str) -> None:
    with smtp_sink() as smtp:
        mailer = Mailer(smtp.smtp)
        await mailer.send(RECIPIENT, f"Subject{line}", f"text{line}")
        with pytest.raises(ValueError, match="linefeed"):
            await mailer.send(RECIPIENT, "x", "y", headers={"List-Unsubscribe": f"<https://x.example>{line}"})
        with pytest.raises(PolyopolisError):
            await mailer.send(f"{RECIPIENT}{line}", "x", "y")
    (message,) = smtp.taken
    assert set(message.keys()) == {
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Type", "Content-Transfer-Encoding",
        "MIME-Version",
    }  # fmt: skip
    assert (message["To"], smtp.recipients) == (RECIPIENT, [RECIPIENT])


@pytest.mark.parametrize(
    ("kept", "envelope"),
    [
        (RECIPIENT, RECIPIENT),
        ("o'brien/x=1?@x-y.example", "o'brien/x=1?@x-y.example"),
        ("a+b@xn--bro-hoa.example", "a+b@xn--bro-hoa.example"),
        ("(1)victim@letters.example", "victim@letters.example"),
        ("victim(c)@letters.example", "victim@letters.example"),
        ("a_b@my_host.example", "a_b@my_host.example"),
    ],
)
async def test_the_to_header_names_the_envelope_recipient(kept: str, envelope: str) -> None:
    """Also for addresses that were stored by earlier versions and would be rejected now."""
    with smtp_sink() as smtp:
        await Mailer(smtp.smtp).send(kept, "x", "y")
    assert smtp.recipients == [envelope]
    (address,) = smtp.taken[0]["To"].addresses
    assert (address.addr_spec, address.display_name, str(smtp.taken[0]["To"])) == (envelope, "", envelope)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("victim@x.example", "Victim@X.example", True),
        ("victim@x.example", "victim+1@x.example", True),
        ("victim@x.example", "(1)victim@x.example", True),
        ("vic.tim@x.example", "victim@x.example", False),
        ("vic.tim+1@gmail.com", "victim@googlemail.com", True),
        ("+victim@x.example", "+other@x.example", False),
        ("victim@x.example", "victim@y.example", False),
    ],
)
def test_spellings_of_one_mailbox_have_the_same_key(one: str, other: str, same: bool) -> None:
    assert (mailbox(one) == mailbox(other)) is same


async def test_a_site_without_mail_reports_that(visit: Callable[[], Visitor]) -> None:
    ada = visit()
    assert (await ada.get("/me"))["mail"] is False
    letter = {"address": RECIPIENT, "language": "en"}
    assert await ada.refused("/sign-in/letter", letter) == (400, "this site sends no mail")
