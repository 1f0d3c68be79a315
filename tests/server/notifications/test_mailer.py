"""Mail: as it was meant, to whom it was meant, and without a word of it in the log."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from polyopolis.engine import PolyopolisError
from polyopolis.server.mail.mailer import Mailer, NoMail, Smtp, Undelivered, address, mailbox
from tests.server.support.server_process import Visitor
from tests.server.support.smtp_sink import nobody_there, post_office

pytestmark = pytest.mark.anyio

SOMEBODY = "ada@letters.example"


async def test_a_message_arrives_as_it_was_meant() -> None:
    with post_office() as office:
        mailer = Mailer(office.smtp)
        assert mailer.any
        again = {"Message-ID": "<7@polyopolis.example>", "List-Unsubscribe": "<https://x.example/stop>"}
        await mailer.send(SOMEBODY, "Wijn & brood: élan,\r\n schön", ".\nZwölf Häuser\n", "<p>Zwölf</p>", again)
        await mailer.send(SOMEBODY, "Plain", "text")
    first, second = office.to(SOMEBODY, 2)
    assert first["Subject"] == "Wijn & brood: élan, schön"
    assert (first["From"], first["Message-ID"]) == ("Polyopolis <cities@polyopolis.example>", "<7@polyopolis.example>")
    assert first["List-Unsubscribe"] == "<https://x.example/stop>"
    text, html = first.iter_parts()
    assert text.get_content() == ".\nZwölf Häuser\n"
    assert html.get_content_type() == "text/html"
    assert second["Message-ID"].endswith("@polyopolis.example>")
    assert second["Date"]
    assert not second.is_multipart()
    assert set(office.signed_in) == {"\0cities\0a secret of the host"}


async def test_without_a_server_there_is_no_mail() -> None:
    assert not Mailer(Smtp()).any
    with pytest.raises(NoMail):
        await Mailer(Smtp()).send(SOMEBODY, "x", "y")


@pytest.mark.parametrize(("answer", "lasting"), [("550 no such box", True), ("451 not now", False)])
async def test_whoever_is_refused_learns_whether_to_try_again(answer: str, lasting: bool) -> None:
    with post_office(refuses=answer) as office:
        with pytest.raises(Undelivered) as refused:
            await Mailer(office.smtp).send(SOMEBODY, "x", "y")
        assert refused.value.lasting is lasting
        assert "such box" not in str(refused.value)


async def test_nobody_listens() -> None:
    with post_office() as office, nobody_there() as port, pytest.raises(Undelivered) as refused:
        await Mailer(replace(office.smtp, port=port)).send(SOMEBODY, "x", "y")
    assert not refused.value.lasting


async def test_no_password_goes_over_an_open_line_that_should_be_closed() -> None:
    with post_office() as office:
        with pytest.raises(Undelivered):
            await Mailer(replace(office.smtp, security="starttls")).send(SOMEBODY, "x", "y")
        assert not office.signed_in
        assert "secret" not in repr(office.smtp)


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
async def test_an_address_is_one_or_none(text: str, found: str) -> None:
    if found:
        assert address(text) == found
    else:
        with pytest.raises(PolyopolisError):
            address(text)


LINES = ["\r\nBcc: other@y.example", "\nBcc: other@y.example", "\r\n\r\nbody"]


@pytest.mark.parametrize("line", LINES)
async def test_nothing_that_is_sent_adds_a_header_or_a_recipient(line: str) -> None:
    with post_office() as office:
        mailer = Mailer(office.smtp)
        await mailer.send(SOMEBODY, f"Subject{line}", f"text{line}")
        with pytest.raises(ValueError, match="linefeed"):
            await mailer.send(SOMEBODY, "x", "y", headers={"List-Unsubscribe": f"<https://x.example>{line}"})
        with pytest.raises(PolyopolisError):
            await mailer.send(f"{SOMEBODY}{line}", "x", "y")
    (message,) = office.taken
    assert set(message.keys()) == {
        "From", "To", "Subject", "Date", "Message-ID", "Auto-Submitted", "Content-Type", "Content-Transfer-Encoding",
        "MIME-Version",
    }  # fmt: skip
    assert (message["To"], office.recipients) == (SOMEBODY, [SOMEBODY])


@pytest.mark.parametrize(
    ("kept", "envelope"),
    [
        (SOMEBODY, SOMEBODY),
        ("o'brien/x=1?@x-y.example", "o'brien/x=1?@x-y.example"),
        ("a+b@xn--bro-hoa.example", "a+b@xn--bro-hoa.example"),
        ("(1)victim@letters.example", "victim@letters.example"),
        ("victim(c)@letters.example", "victim@letters.example"),
        ("a_b@my_host.example", "a_b@my_host.example"),
    ],
)
async def test_the_header_names_the_recipient_of_the_envelope(kept: str, envelope: str) -> None:
    """Also where an earlier version has kept an address that nobody could name now."""
    with post_office() as office:
        await Mailer(office.smtp).send(kept, "x", "y")
    assert office.recipients == [envelope]
    (address,) = office.taken[0]["To"].addresses
    assert (address.addr_spec, address.display_name, str(office.taken[0]["To"])) == (envelope, "", envelope)


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
def test_what_arrives_in_one_mailbox_is_counted_as_one(one: str, other: str, same: bool) -> None:
    assert (mailbox(one) == mailbox(other)) is same


async def test_a_site_without_mail_says_so(visit: Callable[[], Visitor]) -> None:
    ada = visit()
    assert (await ada.get("/me"))["mail"] is False
    letter = {"address": SOMEBODY, "language": "en"}
    assert await ada.refused("/sign-in/letter", letter) == (400, "this site sends no mail")
