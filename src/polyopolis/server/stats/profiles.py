"""Profiles and ratings of players, private or public."""

import secrets
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, Select, func, select, update

from polyopolis.bots.tournaments.ladder_ratings import ratings_for
from polyopolis.play.errors import Forbidden, NotFound
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.play.table.table_context import TableContext
from polyopolis.server.stats.player_stats import game_stats_of
from polyopolis.server.stats.profile_types import Profile, SeatRating, TableRatings
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.player_ratings import Rating, are_accounts, are_independent, bot_rating, rating_of
from polyopolis.server.storage.schema import people, results


class ProfileService:
    """Profiles of players. Also implements `RatingEligibility`."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    async def have_accounts(self, people: Collection[str]) -> bool:
        return await self._read(lambda db: are_accounts(db, people))

    async def are_independent(self, people: Collection[str]) -> bool:
        return await self._read(lambda db: are_independent(db, people))

    def know(self, game: str, bot: str) -> bool:
        return bot in ratings_for(game)

    # Profiles

    async def mine(self, person: str) -> Profile:
        return await self._read(lambda db: _own(db, person))

    async def share(self, person: str, shared: bool) -> Profile:
        """Makes a profile public or private. The key is a new one each time, so that old links stay invalid."""

        def work(db: Connection) -> Profile:
            if shared and not are_accounts(db, [person]):
                raise Forbidden("a public profile requires an account")
            own = update(people).where(people.c.id == person)
            if not shared:
                db.execute(own.values(shared=None))
            else:
                db.execute(own.where(people.c.shared.is_(None)).values(shared=secrets.token_urlsafe(9)))
            return _own(db, person)

        return await self._write(work)

    async def shown(self, word: str) -> Profile:
        """Returns the public profile with this key."""

        def work(db: Connection) -> Profile:
            found = db.execute(
                select(people.c.id, people.c.name).where(people.c.shared == word, people.c.removed.is_(None))
            ).one_or_none()
            if found is None:
                raise NotFound("there is no public profile at this address")
            games = game_stats_of(db, found.id, openly=True)
            return Profile(found.name, account=True, shared=word, games=games, outside=is_external_bot(found.id))

        return await self._read(work)

    # Tables

    async def at(self, context: TableContext) -> TableRatings:
        """Returns the ratings of the players at a rated table; empty for other tables."""
        if not context.chain.rated:
            return TableRatings(())
        return await self._read(lambda db: TableRatings(tuple(_at(db, context))))


def _own(db: Connection, person: str) -> Profile:
    found = db.execute(select(people).where(people.c.id == person)).mappings().one_or_none()
    games = game_stats_of(db, person, openly=False)
    if found is None:
        return Profile(None, account=False, shared=None, games=games)
    account = found["joined"] is not None
    return Profile(found["name"], account, found["shared"], games, outside=is_external_bot(person))


def _at(db: Connection, context: TableContext) -> list[SeatRating]:
    game, rows, last = context.chain.game.key, context.seating.rows, context.chain.last
    ended = {row.seat: row for row in db.execute(_of_match(context.table, last.number))} if last else {}
    found = list[SeatRating]()
    for row in rows:
        if row.person:
            now, played = rating_of(db, row.person, game), db.execute(_rated(row.person, game)).scalar_one()
            line = ended.get(row.seat)
            change = round(line.mu - line.from_mu, 1) if line and line.person == row.person else None
            found.append(_seat_rating(row.seat, now, int(played), change))
        elif row.bot and (measured := bot_rating(game, len(rows), row.bot)):
            found.append(_seat_rating(row.seat, measured, 0, None))
    return found


def _of_match(table: str, number: int) -> Select[Any]:
    return select(results).where(results.c.table == table, results.c.match == number, results.c.rated.is_not(None))


def _rated(person: str, game: str) -> Select[Any]:
    return (
        select(func.count())
        .select_from(results)
        .where(results.c.person == person, results.c.game == game, results.c.rated.is_not(None))
    )


def _seat_rating(seat: int, rating: Rating, games: int, change: float | None) -> SeatRating:
    return SeatRating(seat, round(rating.mu, 1), round(rating.margin, 1), games, change)
