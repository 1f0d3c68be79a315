"""Outside bots and their tokens, as they are kept.

A token is a device that shows a word instead of a cookie (`people.py`): it is signed out like one, and goes with its
bot. The word names the bot and holds a secret; what is kept of it is its digest.
"""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.seats import bot_ids
from polyopolis.play.seats.bot_ids import Scope
from polyopolis.server.auth.credentials import digest
from polyopolis.server.auth.people import Device, let_in, move_on
from polyopolis.server.storage.schema import devices, people, seats

MOST_BOTS, MOST_TOKENS = 5, 8
"""Of one person; of one bot."""


def bot_of(token: str) -> str:
    """Whose token it would be."""
    return token.partition(".")[0]


def add_bot(db: Connection, name: str, owner: str | None, now: int) -> str:
    """A new bot of somebody, or of the host."""
    bot = bot_ids.new_bot_id()
    if owner and len(bots_kept(db, owner)) >= MOST_BOTS:
        raise Forbidden(f"nobody has more than {MOST_BOTS} bots")
    db.execute(insert(people).values(id=bot, name=name, joined=now, owner=owner))
    return bot


def add_token(db: Connection, bot: str, name: str, scopes: tuple[Scope, ...], now: int) -> str:
    """The token, which nobody can see again."""
    if db.execute(select(func.count()).select_from(devices).where(devices.c.person == bot)).scalar_one() >= MOST_TOKENS:
        raise Forbidden(f"no bot has more than {MOST_TOKENS} tokens")
    token = f"{bot}.{secrets.token_urlsafe(24)}"
    kept = msgspec.json.encode(sorted(set(scopes))).decode()
    let_in(db, Device(digest(token), bot, name, now, now, now, 0, 0, 0, kept))
    return token


def bots_kept(db: Connection, owner: str | None = None) -> list[Any]:
    """All of somebody, or simply all, in the order in which they were made; with the number of their tables."""
    tables = select(func.count(seats.c.table.distinct())).where(seats.c.person == people.c.id).scalar_subquery()
    found = select(people, tables.label("tables")).where(people.c.id.startswith(bot_ids.BOT_ID_PREFIX, autoescape=True))
    own = found.where(people.c.owner == owner) if owner else found
    there = own.where(people.c.joined.is_not(None)).order_by(people.c.joined, people.c.name, people.c.id)
    return list(db.execute(there).all())


def tokens_of(db: Connection, bot: str) -> list[Device]:
    own = select(devices).where(devices.c.person == bot).order_by(devices.c.made, devices.c.id)
    return [Device(**row) for row in db.execute(own).mappings()]


def scopes_of(token: Device) -> tuple[Scope, ...]:
    return msgspec.json.decode(token.scopes or "[]", type=tuple[Scope, ...])


def revoke(db: Connection, begins: str) -> bool:
    """The one token whose digest begins so, whoever it is of; whether there is one."""
    alike = select(devices.c.id).where(devices.c.scopes.is_not(None), devices.c.id.startswith(begins, autoescape=True))
    found = list(db.execute(alike).scalars())
    if len(found) != 1 or not begins:
        return False
    db.execute(delete(devices).where(devices.c.id == found[0]))
    move_on(db)
    return True


def check_owner(db: Connection, bot: str, owner: str) -> None:
    """NotFound unless it is theirs: nobody learns which others there are."""
    own = select(people.c.id).where(people.c.id == bot, people.c.owner == owner, people.c.joined.is_not(None))
    if db.execute(own).scalar() is None:
        raise NotFound("you have no such bot")
