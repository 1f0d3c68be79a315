"""Accounts: a guest who can prove who they are. Nothing else about them changes, so all their tables are the account's.

To sign in takes two steps. Whoever has proved something gets a ticket, which says what it would do; with it they enter.
So nobody signs in without having been told as whom, and what becomes of the tables that are here already.
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
from polyopolis.server.auth.account_merge import AccountDataService, Versions, tell_changed
from polyopolis.server.auth.account_types import (
    Belonging,
    DeviceInfo,
    LetterSent,
    Me,
    OwnCode,
    OwnRemark,
    OwnTable,
    PasskeyAsked,
    PasskeyInfo,
    Proved,
)
from polyopolis.server.auth.credentials import Ask, CodeKind, CredentialRepository, Passkey, TicketKind, digest
from polyopolis.server.auth.people import Device, PersonRepository
from polyopolis.server.auth.seat_codes import LETTERS
from polyopolis.server.auth.visitors import Visit, Visitors
from polyopolis.server.mail.letter_templates import letter
from polyopolis.server.mail.mailer import Mailer, NoMail, address
from polyopolis.server.stats.profiles import ProfileService
from polyopolis.server.storage.match_repository import DatabaseMatchRepository

logger = logging.getLogger(__name__)

SOON = 10 * 60
"""Seconds for which something that was asked for can be answered."""
OWN_CODE, IN_LETTER = 20, 8
"""Letters of a code: of one's own, a hundred bits; of one that a letter brings to the page that has asked for it."""
GROUP = 5
UNKNOWN = "nobody is known by this: it does not exist, was used, or is too old"
USUAL = "Polyopolis"
"""The name of somebody who has told none, where a browser lists them."""


@dataclass(frozen=True)
class RequestOrigin:
    """Where somebody asks from."""

    origin: str
    """The address of the page, as their browser calls it; whoever asks without one can call it anything."""
    site: str
    """The address of this site as its host has named it: where letters lead."""
    browser: str


class Accounts:
    def __init__(
        self,
        store: DatabaseMatchRepository,
        synchronizer: NodeSynchronizer,
        neighbours: ClusterLink,
        visitors: Visitors,
        mailer: Mailer,
    ) -> None:
        self._store = store
        self._synchronizer = synchronizer
        self._neighbours = neighbours
        self._visitors = visitors
        self._mailer = mailer
        self._whos = ProfileService(store)
        self._people = PersonRepository(store)
        self._proofs = CredentialRepository(store)
        self._belongings = AccountDataService(store)
        self._letters = set[asyncio.Task[None]]()

    @property
    def _now(self) -> int:
        return self._visitors.now

    # Who I am

    async def me(self, visit: Visit) -> Me:
        ways = await self._proofs.ways_of(visit.person)
        name, tables, _ = await self._proofs.name_and_tables(visit.person)
        devices = await self._people.devices_of(visit.person)
        return Me(
            name=name,
            account=bool(devices),
            muted=visit.muted,
            tables=tables,
            passkeys=tuple(PasskeyInfo(each.id, each.name, each.made) for each in ways.passkeys),
            mails=ways.mails,
            code=ways.code,
            recovery=ways.recovery,
            devices=tuple(
                DeviceInfo(each.id, each.name, each.made, each.seen, each.id == visit.device) for each in devices
            ),
            mail=self._mailer.any,
        )

    async def call(self, visit: Visit, name: str) -> None:
        await self._store.remember(visit.person, validate_name(name))

    async def belonging(self, visit: Visit) -> Belonging:
        tables = await self._belongings.tables_of(visit.person)
        who = await self._whos.mine(visit.person)
        remarks = await self._belongings.remarks_of(visit.person)
        own = tuple(OwnTable(*each) for each in tables)
        return Belonging(await self.me(visit), own, who, tuple(OwnRemark(*each) for each in remarks))

    # Ways to come back

    async def ask_new_passkey(self, visit: Visit, place: RequestOrigin) -> PasskeyAsked:
        word = passkeys.challenge()
        await self._ask(Ask(digest(word), "new-passkey", visit.device, self._now + SOON))
        name, known = await self._store.name_of(visit.person), await self._proofs.ways_of(visit.person)
        called = name if name and re.search(r"\w", name) else USUAL
        own = [each.id for each in known.passkeys]
        return PasskeyAsked(passkeys.asked_for_new(place.origin, word, visit.person, called, own))

    async def add_passkey(self, visit: Visit, place: RequestOrigin, credential: passkeys.Options) -> None:
        word = await self._answered(visit, credential, "new-passkey")
        name, key, count = passkeys.new_passkey(place.origin, word, credential)
        found = Passkey(name, visit.person, key, count, place.browser, self._now)
        await self._proofs.add_passkey(found, self._device(visit, place), self._now)
        await self._visitors.look()

    async def make_code(self, visit: Visit, place: RequestOrigin, kind: CodeKind) -> OwnCode:
        """In the place of the one before."""
        code = _code(OWN_CODE)
        await self._proofs.set_code(kind, code, self._device(visit, place), self._now)
        await self._visitors.look()
        picture = BytesIO()
        grouped = "-".join(code[first : first + GROUP] for first in range(0, OWN_CODE, GROUP))
        segno.make(f"{place.site or place.origin}/me#code={grouped}", error="m").save(
            picture, kind="svg", scale=4, border=2, light="white", xmldecl=False
        )
        return OwnCode(grouped, picture.getvalue().decode().strip())

    async def forget_passkey(self, visit: Visit, name: str) -> None:
        _demand(await self._proofs.forget(visit.person, "passkey", name))

    async def forget_mail(self, visit: Visit, mail: str) -> None:
        _demand(await self._proofs.forget(visit.person, "mail", mail))

    async def forget_code(self, visit: Visit) -> None:
        _demand(await self._proofs.forget(visit.person, "code"))

    # Letters

    async def mail(self, place: RequestOrigin, text: str) -> str:
        """Returns an address as it is stored, in lower case.

        Raises NoMail if this site sends no mail or has no address of its own: no mail leads to where somebody says
        that this site is. Raises PolyopolisError for what is no mail address, unless an earlier version has stored it.
        """
        if not self._mailer.any:
            raise NoMail("this site sends no mail")
        if not place.site:
            raise NoMail("this site sends no mail: its host has not named its address")
        try:
            return address(text).casefold()
        except PolyopolisError:
            stored = text.strip().casefold()
            if await self._proofs.whose_mail(stored) is None:
                raise
            return stored

    async def write(self, visit: Visit, place: RequestOrigin, mail: str, language: str) -> LetterSent:
        """The answer is the same, and as soon, for an address that is somebody's and one that is not."""
        work = asyncio.create_task(self._write(visit, place, mail, language))
        self._letters.add(work)
        work.add_done_callback(self._letters.discard)
        return LetterSent(SOON // 60)

    async def _write(self, visit: Visit, place: RequestOrigin, mail: str, language: str) -> None:
        try:
            word, code = secrets.token_urlsafe(24), _code(IN_LETTER)
            link = Ask(digest(word), "letter", visit.device, self._now + SOON, visit.person, mail)
            typed = Ask(digest(_typed(visit, code)), "letter", visit.device, self._now + SOON, visit.person, mail)
            await self._ask(link, typed)
            subject, text = letter(
                language,
                "sign-in" if await self._proofs.whose_mail(mail) else "add-mail",
                site=place.site,
                browser=place.browser,
                link=f"{place.site}/me#letter={word}",
                code=code,
                minutes=SOON // 60,
            )
            await self._mailer.send(mail, subject, text.lstrip())
        except PolyopolisError as error:
            logger.warning("a letter was not sent: %s", error)
        except Exception:
            logger.exception("a letter was not sent")

    async def close(self) -> None:
        """When letters that were promised are on their way."""
        await asyncio.gather(*self._letters)

    # Proving who one is

    async def ask_passkey(self, visit: Visit, place: RequestOrigin) -> PasskeyAsked:
        word = passkeys.challenge()
        await self._ask(Ask(digest(word), "passkey", visit.device, self._now + SOON))
        return PasskeyAsked(passkeys.asked_for_known(place.origin, word))

    async def show_passkey(self, visit: Visit, place: RequestOrigin, credential: passkeys.Options) -> Proved:
        word = await self._answered(visit, credential, "passkey")
        known = await self._proofs.passkey(passkeys.name_of(credential))
        if known is None:
            raise Forbidden("this passkey is not known here")
        await self._proofs.used(known.id, passkeys.shown_passkey(place.origin, word, credential, known))
        return await self._proved(visit, known.person)

    async def show_code(self, visit: Visit, code: str) -> Proved:
        found = await self._proofs.whose_code(_plain(code))
        if found is None:
            raise NotFound(UNKNOWN)
        person, kind = found
        return await self._proved(visit, person, by="recovery" if kind == "recovery" else "ticket")

    async def show_letter(self, visit: Visit, word: str) -> Proved:
        """By the link, or by the code in the browser that has asked. A link opens an account anywhere, because whoever
        reads the letters owns it; but an address becomes somebody's only in the browser that has asked for that."""
        asked = await self._proofs.asked(word, "letter", self._now)
        if asked is None:
            asked = await self._proofs.asked(_typed(visit, _plain(word)), "letter", self._now)
        if asked is None or asked.mail is None:
            raise NotFound(UNKNOWN)
        owner = await self._proofs.whose_mail(asked.mail)
        if owner is None and asked.device != visit.device:
            raise Forbidden("open it in the browser that has asked for it")
        if not await self._proofs.answer(asked):
            raise NotFound(UNKNOWN)
        return await self._proved(visit, owner, asked.mail)

    async def _ask(self, asked: Ask, *more: Ask) -> None:
        await self._proofs.ask(asked, self._now, *more)

    async def _answered(self, visit: Visit, credential: passkeys.Options, kind: passkeys.Kind) -> str:
        """What an authenticator was to sign, if this browser has asked for it a moment ago."""
        word = passkeys.word_of(credential)
        asked = await self._proofs.asked(word, kind, self._now)
        if asked is None or asked.device != visit.device or not await self._proofs.answer(asked):
            raise NotFound(UNKNOWN)
        return word

    async def _proved(
        self, visit: Visit, person: str | None, mail: str | None = None, by: TicketKind = "ticket"
    ) -> Proved:
        """Somebody may enter as this person, or, if the address is nobody's, call it their own."""
        who = person or visit.person
        name, tables, removed = await self._proofs.name_and_tables(who)
        if removed:
            raise Forbidden("this account was closed")
        _, here, _ = await self._proofs.name_and_tables(visit.person)
        ticket = secrets.token_urlsafe(24)
        await self._ask(Ask(digest(ticket), by, visit.device, self._now + SOON, person, mail))
        return Proved(
            ticket=ticket,
            does="sign-in" if person else "add-mail",
            name=name,
            tables=tables,
            here=0 if visit.account or who == visit.person else here,
            mail=mail,
        )

    # Entering and leaving

    async def enter(self, visit: Visit, place: RequestOrigin, ticket: str, bring: bool) -> Visit:
        """As whom they are here from now on."""
        asked = await self._spent(visit, ticket)
        if asked.person is None and asked.mail:
            await self._proofs.add_mail(asked.mail, self._device(visit, place), self._now)
            await self._visitors.look()
        if asked.person is None or asked.person == visit.person:
            return visit
        if visit.account:
            await self._people.shut_out(visit.person, visit.device)
        elif bring:
            await self._tell(await self._belongings.bring(visit.person, asked.person))
        entered = self._visitors.as_person(asked.person)
        await self._people.let_in(self._device(entered, place))
        await self._visitors.look()
        return entered

    async def _spent(self, visit: Visit, ticket: str) -> Ask:
        """What a ticket says, once. A recovery code goes with it and not before: whoever turns back has not lost it."""
        asked = await self._proofs.asked(ticket, "ticket", self._now)
        asked = asked or await self._proofs.asked(ticket, "recovery", self._now)
        if asked is None or asked.device != visit.device or not await self._proofs.answer(asked):
            raise NotFound(UNKNOWN)
        if asked.kind == "recovery" and not (asked.person and await self._proofs.spend_recovery(asked.person)):
            raise NotFound(UNKNOWN)
        return asked

    async def shut_out(self, visit: Visit, device: str) -> None:
        if not await self._people.shut_out(visit.person, device):
            raise NotFound("there is no such device")
        await self._visitors.look()

    async def leave(self, visit: Visit) -> None:
        """Signed out here."""
        if not visit.account:
            raise Forbidden("a guest has no other way back")
        await self.shut_out(visit, visit.device)

    async def give_up(self, visit: Visit) -> None:
        """All that is theirs alone goes; what they have played with others stays, without their name."""
        await self._tell(await self._belongings.give_up(visit.person, self._now))
        await self._visitors.look()

    async def _tell(self, versions: Versions) -> None:
        await tell_changed(self._synchronizer, self._neighbours, versions)

    def _device(self, visit: Visit, place: RequestOrigin) -> Device:
        return Device.first(visit.shown, place.browser, self._now)


def _code(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def _plain(code: str) -> str:
    return "".join(sign for sign in code.upper() if sign.isalnum())


def _typed(visit: Visit, code: str) -> str:
    """The code of a letter means something in the browser that has asked alone."""
    return f"{visit.device} {code}"


def _demand(found: bool) -> None:
    if not found:
        raise NotFound("there is no such thing")
