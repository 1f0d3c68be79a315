"""Stores daily games, the tries of players, and par scores."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, Connection, String, bindparam, cast, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.play.entities import DailyDeck, DailyTry, DailyTryStatus, Standing
from polyopolis.play.timing.utc_days import Day
from polyopolis.server.storage.match_repository import DatabaseMatchRepository
from polyopolis.server.storage.row_mapping import column_values, read_rows
from polyopolis.server.storage.schema import days, matches, pars, tries

Bind = BindParameter[Any]
_day: Bind = bindparam("of_day")
_game: Bind = bindparam("of_game")
_person: Bind = bindparam("of_person")

INSERT_DECKS = upsert(days).on_conflict_do_nothing()
DECKS_OF_DAYS = select(*(days.c[name] for name in DailyDeck.__struct_fields__)).where(
    days.c.day.in_(bindparam("of_days", expanding=True))
)
DAYS_UNTIL = select(days.c.day).where(days.c.day <= _day).distinct().order_by(days.c.day)
INSERT_TRY = upsert(tries).on_conflict_do_nothing()
_own = (tries.c.day == _day, tries.c.game == _game, tries.c.person == _person)
OWN_TRY = select(*(tries.c[name] for name in DailyTry.__struct_fields__)).where(*_own)
_first = (matches.c.table == tries.c.table) & (matches.c.number == 0)
_try_status = select(
    *(tries.c[name] for name in DailyTry.__struct_fields__), matches.c.over, matches.c.practice | matches.c.ended
).outerjoin(matches, _first)
OWN_TRIES = _try_status.where(
    tries.c.day == _day, tries.c.game.in_(bindparam("of_games", expanding=True)), tries.c.person == _person
)
_of_game = (tries.c.day == _day, tries.c.game == _game)
UNJUDGED = _try_status.where(
    *_of_game,
    tries.c.verdict.is_(None),
    matches.c.over.is_(True),
    matches.c.practice.is_(False),
    matches.c.ended.is_(False),
    matches.c.rules == bindparam("of_rules"),
    matches.c.content == bindparam("of_content"),
).order_by(tries.c.person)
_counted = (*_of_game, tries.c.verdict == "counted", tries.c.score.is_not(None))
SCORES = select(tries.c.score, func.count().label("times")).where(*_counted).group_by(tries.c.score)
_by_code_points = String(collation="C").with_variant(String(), "sqlite")
BEST_TRIES = (
    select(*(tries.c[name] for name in DailyTry.__struct_fields__))
    .where(*_counted)
    .order_by(tries.c.score.desc(), cast(func.coalesce(tries.c.name, ""), _by_code_points), tries.c.person)
    .limit(bindparam("most"))
)
TRIES_OF = _try_status.where(tries.c.person == _person).order_by(tries.c.day, tries.c.game)
SET_VERDICT = update(tries).where(*_own, tries.c.verdict.is_(None))
IS_OVER = select(matches.c.over).select_from(tries).join(matches, _first).where(*_own)
PARS = select(pars.c.version, pars.c.number, pars.c.score).where(pars.c.day == _day, pars.c.game == _game)
ADD_PAR = upsert(pars).on_conflict_do_nothing()


class DatabaseDailyRepository:
    """A `DailyRepository` in a database. If several nodes write the same row, the first write wins."""

    def __init__(self, store: DatabaseMatchRepository) -> None:
        self._write, self._read = store.write, store.read

    async def draw(self, rows: Sequence[DailyDeck]) -> None:
        values = [column_values(row) for row in sorted(rows, key=lambda row: (row.day, row.game))]
        if values:
            await self._write(lambda db: db.execute(INSERT_DECKS, values))

    async def day(self, *days: Day) -> tuple[DailyDeck, ...]:
        return await self._read(lambda db: read_rows(db, DailyDeck, DECKS_OF_DAYS, {"of_days": days}))

    async def days(self, until: Day) -> tuple[Day, ...]:
        return await self._read(lambda db: tuple(db.execute(DAYS_UNTIL, {"of_day": until}).scalars()))

    async def begin(self, row: DailyTry) -> DailyTry:
        """Stores a try and returns the one that counts: this one, or an earlier one of the same person."""

        def work(db: Connection) -> DailyTry:
            db.execute(INSERT_TRY, column_values(row))
            return read_rows(db, DailyTry, OWN_TRY, _about(row))[0]

        return await self._write(work)

    async def own_tries(self, day: Day, games: Sequence[str], person: str) -> tuple[DailyTryStatus, ...]:
        about = {"of_day": day, "of_games": list(games), "of_person": person}
        return await self._read(lambda db: read_rows(db, DailyTryStatus, OWN_TRIES, about))

    async def unjudged(self, day: Day, game: str, rules: int, content: str) -> tuple[DailyTryStatus, ...]:
        about = {"of_day": day, "of_game": game, "of_rules": rules, "of_content": content}
        return await self._read(lambda db: read_rows(db, DailyTryStatus, UNJUDGED, about))

    async def standing(self, day: Day, game: str, most: int) -> Standing:
        about = {"of_day": day, "of_game": game}

        def work(db: Connection) -> Standing:
            scores = {row.score: row.times for row in db.execute(SCORES, about)}
            return Standing(scores, read_rows(db, DailyTry, BEST_TRIES, about | {"most": most}))

        return await self._read(work)

    async def tries_of(self, person: str) -> tuple[DailyTryStatus, ...]:
        return await self._read(lambda db: read_rows(db, DailyTryStatus, TRIES_OF, {"of_person": person}))

    async def judge(self, row: DailyTry) -> None:
        found = {"verdict": row.verdict, "score": row.score, "name": row.name}
        await self._write(lambda db: db.execute(SET_VERDICT, _about(row) | found))

    async def has_played(self, day: Day, game: str, person: str) -> bool:
        about = {"of_day": day, "of_game": game, "of_person": person}
        return await self._read(lambda db: bool(db.execute(IS_OVER, about).scalar()))

    async def pars(self, day: Day, game: str) -> Mapping[str, Mapping[int, int]]:
        def work(db: Connection) -> Mapping[str, Mapping[int, int]]:
            found = defaultdict[str, dict[int, int]](dict)
            for row in db.execute(PARS, {"of_day": day, "of_game": game}):
                found[row.version][row.number] = row.score
            return found

        return await self._read(work)

    async def add_par(self, day: Day, game: str, version: str, number: int, score: int) -> None:
        values = {"day": day, "game": game, "version": version, "number": number, "score": score}
        await self._write(lambda db: db.execute(ADD_PAR, values))


def _about(row: DailyTry) -> dict[str, Any]:
    return {"of_day": row.day, "of_game": row.game, "of_person": row.person}
