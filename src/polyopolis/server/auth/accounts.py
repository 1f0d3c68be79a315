"""Sign-in, recovery and deletion of accounts.

An account is a guest with a credential. The person id stays the same, so all tables of the guest belong to the account.

Signing in takes two steps: a proof returns a ticket and describes its effect; using the ticket signs in. So users see
which account they enter, and what happens to their current tables, before anything changes.
"""

import asyncio
import logging
import re
import secrets
from dataclasses import dataclass
from io import BytesIO

import segno

from polyopolis.engine import PolyopolisError
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.lobby.node_synchronizer import NodeSynchronizer
from polyopolis.play.protocols import ClusterLink
from polyopolis.play.seats.player_names import validate_name
from polyopolis.server.auth import passkeys
from polyopolis.server.auth.account_merge import AccountDataService, TableVersions, announce_changes
from polyopolis.server.auth.account_types import (
    DeviceInfo,
    MailSent,
    OwnAccount,
    OwnChatMessage,
    OwnTable,
    PasskeyInfo,
    PasskeyOptions,
    PersonalData,
    ProofResult,
    SignInCode,
)
from polyopolis.server.auth.credentials import CodeKind, CredentialRepository, OneTimeToken, Passkey, TicketKind, digest
from polyopolis.server.auth.people import Device, PersonRepository
from polyopolis.server.auth.seat_codes import LETTERS
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.mail.letter_templates import render_letter
from polyopolis.server.mail.mailer import Mailer, NoMail, parse_address
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

TICKET_SECONDS = 10 * 60
"""Lifetime of tickets, challenges, and the links and codes in mails."""
OWN_CODE_LENGTH, LETTER_CODE_LENGTH = 20, 8
"""Characters of a sign-in or recovery code (100 bits), and of a code in a mail, which works only on the device that has
requested it."""
GROUP_LENGTH = 5
UNKNOWN_PROOF = "this link or code does not exist, was used, or has expired"
DEFAULT_NAME = "Polyopolis"
"""The name of an account without a name, for lists of passkeys in browsers."""


@dataclass(frozen=True)
class RequestOrigin:
    """Where a request comes from."""

    origin: str
    """The origin of the page, according to its headers; other clients can send any value."""
    site: str
    """The public address of this site in its options, for links in mails; empty if not set."""
    browser: str


class Accounts:
    """Account operations of the current visitor."""

    def __init__(
        self,
        store: DatabaseMatchRepository,
        synchronizer: NodeSynchronizer,
        cluster: ClusterLink,
        visitors: Visitors,
        mailer: Mailer,
    ) -> None:
        self._store = store
        self._synchronizer = synchronizer
        self._cluster = cluster
        self._visitors = visitors
        self._mailer = mailer
        self._profiles = ProfileService(store)
        self._people = PersonRepository(store)
        self._credentials = CredentialRepository(store)
        self._account_data = AccountDataService(store)
        self._mails = set[asyncio.Task[None]]()

    @property
    def _now(self) -> int:
        return self._visitors.now

    # The current person

    async def me(self, visit: Visit) -> OwnAccount:
        methods = await self._credentials.methods_of(visit.person)
        name, tables, _ = await self._credentials.name_and_tables(visit.person)
        devices = await self._people.devices_of(visit.person)
        return OwnAccount(
            name=name,
            account=bool(devices),
            muted=visit.muted,
            tables=tables,
            passkeys=tuple(PasskeyInfo(each.id, each.name, each.made) for each in methods.passkeys),
            mails=methods.mails,
            code=methods.code,
            recovery=methods.recovery,
            devices=tuple(
                DeviceInfo(each.id, each.name, each.made, each.seen, each.id == visit.device) for each in devices
            ),
            mail=self._mailer.any,
        )

    async def call(self, visit: Visit, name: str) -> None:
        await self._store.remember(visit.person, validate_name(name))

    async def belonging(self, visit: Visit) -> PersonalData:
        tables = await self._account_data.tables_of(visit.person)
        who = await self._profiles.mine(visit.person)
        remarks = await self._account_data.remarks_of(visit.person)
        own = tuple(OwnTable(*each) for each in tables)
        return PersonalData(await self.me(visit), own, who, tuple(OwnChatMessage(*each) for each in remarks))

    # Credentials

    async def ask_new_passkey(self, visit: Visit, source: RequestOrigin) -> PasskeyOptions:
        word = passkeys.challenge()
        await self._add_tokens(OneTimeToken(digest(word), "new-passkey", visit.device, self._now + TICKET_SECONDS))
        name, known = await self._store.name_of(visit.person), await self._credentials.methods_of(visit.person)
        called = name if name and re.search(r"\w", name) else DEFAULT_NAME
        own = [each.id for each in known.passkeys]
        return PasskeyOptions(passkeys.registration_options(source.origin, word, visit.person, called, own))

    async def add_passkey(self, visit: Visit, source: RequestOrigin, credential: passkeys.Options) -> None:
        word = await self._use_challenge(visit, credential, "new-passkey")
        name, key, count = passkeys.verify_registration(source.origin, word, credential)
        found = Passkey(name, visit.person, key, count, source.browser, self._now)
        await self._credentials.add_passkey(found, self._device(visit, source), self._now)
        await self._visitors.check_revocations()

    async def make_code(self, visit: Visit, source: RequestOrigin, kind: CodeKind) -> SignInCode:
        """Creates a code, which replaces the previous one."""
        code = _random_code(OWN_CODE_LENGTH)
        await self._credentials.set_code(kind, code, self._device(visit, source), self._now)
        await self._visitors.check_revocations()
        picture = BytesIO()
        grouped = "-".join(code[first : first + GROUP_LENGTH] for first in range(0, OWN_CODE_LENGTH, GROUP_LENGTH))
        segno.make(f"{source.site or source.origin}/me#code={grouped}", error="m").save(
            picture, kind="svg", scale=4, border=2, light="white", xmldecl=False
        )
        return SignInCode(grouped, picture.getvalue().decode().strip())

    async def forget_passkey(self, visit: Visit, name: str) -> None:
        _require_found(await self._credentials.remove(visit.person, "passkey", name))

    async def forget_mail(self, visit: Visit, mail: str) -> None:
        _require_found(await self._credentials.remove(visit.person, "mail", mail))

    async def forget_code(self, visit: Visit) -> None:
        _require_found(await self._credentials.remove(visit.person, "code"))

    # Mails

    async def mail(self, source: RequestOrigin, text: str) -> str:
        """Returns an address as it is stored, in lower case.

        Raises `NoMail` if this site sends no mail or has no public address: links in mails must not depend on the
        headers of a request. Raises `PolyopolisError` for an invalid address, unless an earlier version has stored
        it.
        """
        if not self._mailer.any:
            raise NoMail("this site sends no mail")
        if not source.site:
            raise NoMail("this site sends no mail: its public address is not set")
        try:
            return parse_address(text).casefold()
        except PolyopolisError:
            stored = text.strip().casefold()
            if await self._credentials.person_of_mail(stored) is None:
                raise
            return stored

    async def write(self, visit: Visit, source: RequestOrigin, mail: str, language: str) -> MailSent:
        """Sends a sign-in mail in the background: neither the response nor its timing reveals whether the address is
        known."""
        work = asyncio.create_task(self._write(visit, source, mail, language))
        self._mails.add(work)
        work.add_done_callback(self._mails.discard)
        return MailSent(TICKET_SECONDS // 60)

    async def _write(self, visit: Visit, source: RequestOrigin, mail: str, language: str) -> None:
        try:
            word, code = secrets.token_urlsafe(24), _random_code(LETTER_CODE_LENGTH)
            link = OneTimeToken(digest(word), "letter", visit.device, self._now + TICKET_SECONDS, visit.person, mail)
            typed = OneTimeToken(
                digest(_bound_to_device(visit, code)),
                "letter",
                visit.device,
                self._now + TICKET_SECONDS,
                visit.person,
                mail,
            )
            await self._add_tokens(link, typed)
            subject, text = render_letter(
                language,
                "sign-in" if await self._credentials.person_of_mail(mail) else "add-mail",
                site=source.site,
                browser=source.browser,
                link=f"{source.site}/me#letter={word}",
                code=code,
                minutes=TICKET_SECONDS // 60,
            )
            await self._mailer.send(mail, subject, text.lstrip())
        except PolyopolisError as error:
            logger.warning("a sign-in mail was not sent: %s", error)
        except Exception:
            logger.exception("a sign-in mail was not sent")

    async def close(self) -> None:
        """Waits until all pending mails are sent."""
        await asyncio.gather(*self._mails)

    # Proofs

    async def ask_passkey(self, visit: Visit, source: RequestOrigin) -> PasskeyOptions:
        word = passkeys.challenge()
        await self._add_tokens(OneTimeToken(digest(word), "passkey", visit.device, self._now + TICKET_SECONDS))
        return PasskeyOptions(passkeys.authentication_options(source.origin, word))

    async def show_passkey(self, visit: Visit, source: RequestOrigin, credential: passkeys.Options) -> ProofResult:
        word = await self._use_challenge(visit, credential, "passkey")
        known = await self._credentials.passkey(passkeys.credential_id_of(credential))
        if known is None:
            raise Forbidden("this passkey is not known here")
        await self._credentials.record_use(
            known.id, passkeys.verify_authentication(source.origin, word, credential, known)
        )
        return await self._create_ticket(visit, known.person)

    async def show_code(self, visit: Visit, code: str) -> ProofResult:
        found = await self._credentials.person_of_code(_normalized(code))
        if found is None:
            raise NotFound(UNKNOWN_PROOF)
        person, kind = found
        return await self._create_ticket(visit, person, by="recovery" if kind == "recovery" else "ticket")

    async def show_letter(self, visit: Visit, word: str) -> ProofResult:
        """Accepts the token of a mailed link, or the code in the browser that has requested it. A link signs in
        anywhere, because the reader of the mailbox owns the account. An unknown address is added to an account only
        in the browser that has requested it."""
        asked = await self._credentials.find_token(word, "letter", self._now)
        if asked is None:
            asked = await self._credentials.find_token(_bound_to_device(visit, _normalized(word)), "letter", self._now)
        if asked is None or asked.mail is None:
            raise NotFound(UNKNOWN_PROOF)
        owner = await self._credentials.person_of_mail(asked.mail)
        if owner is None and asked.device != visit.device:
            raise Forbidden("open the link in the browser that has requested it")
        if not await self._credentials.use_token(asked):
            raise NotFound(UNKNOWN_PROOF)
        return await self._create_ticket(visit, owner, asked.mail)

    async def _add_tokens(self, asked: OneTimeToken, *more: OneTimeToken) -> None:
        await self._credentials.add_tokens(asked, self._now, *more)

    async def _use_challenge(self, visit: Visit, credential: passkeys.Options, kind: passkeys.Kind) -> str:
        """Returns the challenge that was signed and uses it up. Raises `NotFound` unless this browser has requested
        it."""
        word = passkeys.challenge_of(credential)
        asked = await self._credentials.find_token(word, kind, self._now)
        if asked is None or asked.device != visit.device or not await self._credentials.use_token(asked):
            raise NotFound(UNKNOWN_PROOF)
        return word

    async def _create_ticket(
        self, visit: Visit, person: str | None, mail: str | None = None, by: TicketKind = "ticket"
    ) -> ProofResult:
        """Returns a ticket to sign in as this person, or, for an unknown address, to add it to the current account."""
        who = person or visit.person
        name, tables, removed = await self._credentials.name_and_tables(who)
        if removed:
            raise Forbidden("this account was closed")
        _, here, _ = await self._credentials.name_and_tables(visit.person)
        ticket = secrets.token_urlsafe(24)
        await self._add_tokens(OneTimeToken(digest(ticket), by, visit.device, self._now + TICKET_SECONDS, person, mail))
        return ProofResult(
            ticket=ticket,
            does="sign-in" if person else "add-mail",
            name=name,
            tables=tables,
            here=0 if visit.account or who == visit.person else here,
            mail=mail,
        )

    # Signing in and out

    async def enter(self, visit: Visit, source: RequestOrigin, ticket: str, bring: bool) -> Visit:
        """Uses a ticket and returns the new identity of the visitor."""
        asked = await self._use_ticket(visit, ticket)
        if asked.person is None and asked.mail:
            await self._credentials.add_mail(asked.mail, self._device(visit, source), self._now)
            await self._visitors.check_revocations()
        if asked.person is None or asked.person == visit.person:
            return visit
        if visit.account:
            await self._people.remove_device(visit.person, visit.device)
        elif bring:
            await self._announce(await self._account_data.merge_guest(visit.person, asked.person))
        entered = self._visitors.at_new_device(asked.person)
        await self._people.add_device(self._device(entered, source))
        await self._visitors.check_revocations()
        return entered

    async def _use_ticket(self, visit: Visit, ticket: str) -> OneTimeToken:
        """Uses up a ticket. A recovery code is used up here and not at the proof, so that it is not lost on
        cancellation."""
        asked = await self._credentials.find_token(ticket, "ticket", self._now)
        asked = asked or await self._credentials.find_token(ticket, "recovery", self._now)
        if asked is None or asked.device != visit.device or not await self._credentials.use_token(asked):
            raise NotFound(UNKNOWN_PROOF)
        if asked.kind == "recovery" and not (asked.person and await self._credentials.use_recovery_code(asked.person)):
            raise NotFound(UNKNOWN_PROOF)
        return asked

    async def sign_out_device(self, visit: Visit, device: str) -> None:
        if not await self._people.remove_device(visit.person, device):
            raise NotFound("device not found")
        await self._visitors.check_revocations()

    async def leave(self, visit: Visit) -> None:
        """Signs out on this device."""
        if not visit.account:
            raise Forbidden("a guest cannot sign out: the account would be lost")
        await self.sign_out_device(visit, visit.device)

    async def delete(self, visit: Visit) -> None:
        """Deletes the account. Matches with others stay, without the name."""
        await self._announce(await self._account_data.anonymize(visit.person, self._now))
        await self._visitors.check_revocations()

    async def _announce(self, versions: TableVersions) -> None:
        await announce_changes(self._synchronizer, self._cluster, versions)

    def _device(self, visit: Visit, source: RequestOrigin) -> Device:
        return Device.first(visit.session, source.browser, self._now)


def _random_code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _normalized(code: str) -> str:
    return "".join(sign for sign in code.upper() if sign.isalnum())


def _bound_to_device(visit: Visit, code: str) -> str:
    """Combines a mailed code with the device, so that it is valid only there."""
    return f"{visit.device} {code}"


def _require_found(found: bool) -> None:
    if not found:
        raise NotFound("not found")
