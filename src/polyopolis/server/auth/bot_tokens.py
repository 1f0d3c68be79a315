"""Stores external bots and the digests of their tokens.

A token is stored as a device (`people.py`): it is revoked like one and deleted with its bot. It consists of the id of
the bot and a secret.
"""

import secrets
from typing import Any

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.seats import bot_ids
from polyopolis.play.seats.bot_ids import Scope
from polyopolis.server.auth.credentials import digest
from polyopolis.server.auth.people import Device, add_device, invalidate_sessions
from polyopolis.server.storage.schema import devices, people, seats

MAX_BOTS, MAX_TOKENS = 5, 8
"""Bots per person, tokens per bot."""


def bot_of(token: str) -> str:
    """Returns the id of the bot that a token names."""
    return token.partition(".")[0]


def add_bot(db: Connection, name: str, owner: str | None, now: int) -> str:
    """Creates a bot of a person, or of the host without an owner. Returns its id."""
    bot = bot_ids.new_bot_id()
    if owner and len(list_bots(db, owner)) >= MAX_BOTS:
        raise Forbidden(f"the limit is {MAX_BOTS} bots per person")
    db.execute(insert(people).values(id=bot, name=name, joined=now, owner=owner))
    return bot


def add_token(db: Connection, bot: str, name: str, scopes: tuple[Scope, ...], now: int) -> str:
    """Creates a token and returns it. Only its digest is stored."""
    if db.execute(select(func.count()).select_from(devices).where(devices.c.person == bot)).scalar_one() >= MAX_TOKENS:
        raise Forbidden(f"the limit is {MAX_TOKENS} tokens per bot")
    token = f"{bot}.{secrets.token_urlsafe(24)}"
    kept = msgspec.json.encode(sorted(set(scopes))).decode()
    add_device(db, Device(digest(token), bot, name, now, now, now, 0, 0, 0, kept))
    return token


def list_bots(db: Connection, owner: str | None = None) -> list[Any]:
    """Returns the bots of an owner, or all, in the order of their creation, with the number of their tables."""
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


def revoke_token(db: Connection, begins: str) -> bool:
    """Revokes the token whose digest has this prefix. Returns whether exactly one matched."""
    alike = select(devices.c.id).where(devices.c.scopes.is_not(None), devices.c.id.startswith(begins, autoescape=True))
    found = list(db.execute(alike).scalars())
    if len(found) != 1 or not begins:
        return False
    db.execute(delete(devices).where(devices.c.id == found[0]))
    invalidate_sessions(db)
    return True


def check_owner(db: Connection, bot: str, owner: str) -> None:
    """Raises `NotFound` unless the person owns the bot; does not reveal whether the bot exists."""
    own = select(people.c.id).where(people.c.id == bot, people.c.owner == owner, people.c.joined.is_not(None))
    if db.execute(own).scalar() is None:
        raise NotFound("you have no such bot")
