"""How well people play, on the scale of the ladders of the bots (openskill): found once, when a rated match ends.

A match moves those people who played it; bots stay where their ladder has put them. What a rating was before and after
stands beside the results, so the last one is the rating, all of them are its course, and all can be found anew.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from openskill.models import PlackettLuce
from sqlalchemy import BindParameter, Connection, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.bots.tournaments.ladder_ratings import CONFIDENCE, rungs
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.server.storage.schema import counters, matches, people, results

COUNTER = "rated"
MODEL = PlackettLuce()
"""People change as they play, so no rating becomes so sure that it stands still."""

Row = dict[str, Any]
_person: BindParameter[Any] = bindparam("of_person")
_game: BindParameter[Any] = bindparam("of_game")


class Rating(Struct, frozen=True):
    mu: float
    sigma: float

    @property
    def margin(self) -> float:
        """How far it may be from the truth, as ladders tell it (95 %)."""
        return CONFIDENCE * self.sigma


_first = MODEL.rating()
BEGINNER = Rating(_first.mu, _first.sigma)
"""Whoever has not played yet: in the middle of the scale, where levels began, and nobody can be sure of it."""

_one = upsert(counters).values(name=COUNTER, number=1)
NEXT = _one.on_conflict_do_update(index_elements=["name"], set_={"number": counters.c.number + 1}).returning(
    counters.c.number
)
"""Nobody else rates until this is done: whoever plays at two tables is rated for one after the other."""
HOLD = select(counters.c.number).where(counters.c.name == COUNTER).with_for_update()
"""The same without a number."""
LAST = (
    select(results.c.mu, results.c.sigma)
    .where(results.c.person == _person, results.c.game == _game, results.c.rated.is_not(None))
    .order_by(results.c.rated.desc())
    .limit(1)
)
ACCOUNTS = select(func.count()).select_from(people).where(people.c.joined.is_not(None), people.c.removed.is_(None))
_all = (
    select(results)
    .join(matches, (matches.c.table == results.c.table) & (matches.c.number == results.c.match), isouter=True)
    .where(results.c.rated.is_not(None) | (matches.c.rated == "yes"))
)
IN_ORDER = _all.order_by(
    results.c.rated.is_(None), results.c.rated, results.c.ended, results.c.table, results.c.match, results.c.seat
)
RATED = (
    select(results.c.game, results.c.person, people.c.name, results.c.mu, results.c.sigma)
    .join(people, people.c.id == results.c.person)
    .where(results.c.rated.is_not(None))
    .order_by(results.c.rated)
)
WRITE = update(results).where(
    results.c.table == bindparam("of_table"),
    results.c.match == bindparam("of_match"),
    results.c.seat == bindparam("of_seat"),
)


class Listed(Struct, frozen=True):
    """Somebody's rating, as hosts see it."""

    game: str
    name: str | None
    outside: bool
    """A program."""
    rating: Rating
    games: int


def all_ratings(db: Connection) -> list[Listed]:
    """By game, the best first."""
    found = dict[tuple[str, str], Listed]()
    for row in db.execute(RATED):
        games = found[key].games if (key := (row.game, row.person)) in found else 0
        found[key] = Listed(row.game, row.name, is_external_bot(row.person), Rating(row.mu, row.sigma), games + 1)
    return sorted(found.values(), key=lambda each: (each.game, -each.rating.mu))


def rated(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """What a match makes of the ratings of those who played it."""
    teams = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma) for team in after]


def rating_of(db: Connection, person: str, game: str) -> Rating:
    found = db.execute(LAST, {"of_person": person, "of_game": game}).one_or_none()
    return Rating(found.mu, found.sigma) if found else BEGINNER


def bot_rating(game: str, seats: int, bot: str) -> Rating | None:
    rung = rungs(game, seats).get(bot)
    return Rating(rung.rating, rung.sigma) if rung else None


def rate(db: Connection, game: str, rows: Sequence[Row]) -> list[Row]:
    """The results of a match with what they make of the ratings; as they are if it cannot be rated after all."""
    if not _can_be_rated(db, game, rows):
        return [*rows]
    number = int(db.execute(NEXT).scalar_one())
    known = {row["person"]: rating_of(db, row["person"], game) for row in rows if row["person"]}
    return [row | change for row, change in zip(rows, _changes(number, rows, known), strict=True)]


def _can_be_rated(db: Connection, game: str, rows: Sequence[Row]) -> bool:
    """Returns whether a match that has ended can be rated.

    It cannot if somebody has no account or has closed it meanwhile, if a bot was not measured, if an outside bot played
    with its owner or with another bot of its owner, or if the match cannot be read.
    """
    played = [row["person"] for row in rows if row["counts"]]
    bots = [row["bot"] for row in rows if row["person"] is None and row["bot"]]
    known = all(bot_rating(game, len(rows), bot) for bot in bots)
    complete = known and bool(rows) and len(played) + len(bots) == len(rows)
    return complete and are_accounts(db, played) and are_independent(db, played)


def are_accounts(db: Connection, of: Collection[str]) -> bool:
    asked = ACCOUNTS.where(people.c.id.in_(sorted(set(of))))
    return not of or int(db.execute(asked).scalar_one()) == len(set(of))


def are_independent(db: Connection, of: Collection[str]) -> bool:
    """Returns whether no two of these belong together: an outside bot counts as its owner, if it has one."""
    asked = select(people.c.id, people.c.owner).where(people.c.id.in_(sorted(set(of))), people.c.owner.is_not(None))
    owners = {row.id: row.owner for row in db.execute(asked)} if any(map(is_external_bot, of)) else {}
    return len({owners.get(person, person) for person in of}) == len(set(of))


def _changes(number: int, rows: Sequence[Row], known: Mapping[str, Rating]) -> Iterable[Row]:
    """Bots stay where they are."""
    before = [_before(row, known, len(rows)) for row in rows]
    after = rated(before, [row["rank"] for row in rows])
    for row, was, now in zip(rows, before, after, strict=True):
        stays = was if row["bot"] else now
        yield {"rated": number, "from_mu": was.mu, "from_sigma": was.sigma, "mu": stays.mu, "sigma": stays.sigma}


def _before(row: Row, known: Mapping[str, Rating], seats: int) -> Rating:
    if row["person"]:
        return known[row["person"]]
    if row["bot"] and (measured := bot_rating(row["game"], seats, row["bot"])):
        return measured
    return Rating(row["from_mu"], row["from_sigma"])  # somebody who has gone since, or a bot of an earlier ladder


def rebuild(db: Connection) -> int:
    """All ratings anew, match by match in the order in which they were rated, with bots where they are on their ladders
    now; how many matches that were. Whoever has gone plays with the ratings that they had."""
    db.execute(HOLD)
    found, now = [dict(row) for row in db.execute(IN_ORDER).mappings()], dict[tuple[str, str], Rating]()
    count = 0
    for _, group in groupby(found, key=lambda row: (row["table"], row["match"])):
        rows = list(group)
        game, number = rows[0]["game"], rows[0]["rated"]
        if number is None and not _can_be_rated(db, game, rows):
            continue
        known = {row["person"]: now.get((row["person"], game), BEGINNER) for row in rows if row["person"]}
        number = number or int(db.execute(NEXT).scalar_one())
        for row, change in zip(rows, _changes(number, rows, known), strict=True):
            place = {"of_table": row["table"], "of_match": row["match"], "of_seat": row["seat"]}
            db.execute(WRITE, place | change)
            if row["person"]:
                now[row["person"], game] = Rating(change["mu"], change["sigma"])
        count += 1
    return count
