"""Computes and stores the ratings of players (openskill) on the scale of the bot ladders, when a rated match ends.

A match changes the ratings of its players; bots keep the rating of their ladder. The ratings before and after are
stored with the results: the latest is the current rating, all of them are its history, and all can be recomputed.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any

from msgspec import Struct
from openskill.models import PlackettLuce
from sqlalchemy import BindParameter, Connection, bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # SQLite understands it, too

from polyopolis.bots.tournaments.ladder_ratings import Z_95, ratings_for
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.server.storage.schema import counters, matches, people, results

RATED_COUNTER = "rated"
MODEL = PlackettLuce()
"""The model adds uncertainty with each match (`tau`), because players improve, so ratings keep moving."""

Row = dict[str, Any]
_person: BindParameter[Any] = bindparam("of_person")
_game: BindParameter[Any] = bindparam("of_game")


class Rating(Struct, frozen=True):
    mu: float
    sigma: float

    @property
    def margin(self) -> float:
        """Half the width of the 95 % confidence interval."""
        return Z_95 * self.sigma


_first = MODEL.rating()
BEGINNER = Rating(_first.mu, _first.sigma)
"""The rating of a new player: the default mean of the model, with its large uncertainty."""

_one = upsert(counters).values(name=RATED_COUNTER, number=1)
NEXT_NUMBER = _one.on_conflict_do_update(index_elements=["name"], set_={"number": counters.c.number + 1}).returning(
    counters.c.number
)
"""Locks the counter until the transaction ends, so that matches are rated one after the other."""
LOCK_COUNTER = select(counters.c.number).where(counters.c.name == RATED_COUNTER).with_for_update()
"""Takes the same lock without a new number."""
LATEST_RATING = (
    select(results.c.mu, results.c.sigma)
    .where(results.c.person == _person, results.c.game == _game, results.c.rated.is_not(None))
    .order_by(results.c.rated.desc())
    .limit(1)
)
COUNT_ACCOUNTS = (
    select(func.count()).select_from(people).where(people.c.joined.is_not(None), people.c.removed.is_(None))
)
_all = (
    select(results)
    .join(matches, (matches.c.table == results.c.table) & (matches.c.number == results.c.match), isouter=True)
    .where(results.c.rated.is_not(None) | (matches.c.rated == "yes"))
)
RATED_MATCHES = _all.order_by(
    results.c.rated.is_(None), results.c.rated, results.c.ended, results.c.table, results.c.match, results.c.seat
)
RATED_RESULTS = (
    select(results.c.game, results.c.person, people.c.name, results.c.mu, results.c.sigma)
    .join(people, people.c.id == results.c.person)
    .where(results.c.rated.is_not(None))
    .order_by(results.c.rated)
)
UPDATE_RESULT = update(results).where(
    results.c.table == bindparam("of_table"),
    results.c.match == bindparam("of_match"),
    results.c.seat == bindparam("of_seat"),
)


class PlayerRating(Struct, frozen=True):
    """The rating of a player, for hosts."""

    game: str
    name: str | None
    outside: bool
    """Whether the player is an external bot."""
    rating: Rating
    games: int


def all_ratings(db: Connection) -> list[PlayerRating]:
    """Returns the ratings by game, the best first."""
    found = dict[tuple[str, str], PlayerRating]()
    for row in db.execute(RATED_RESULTS):
        games = found[key].games if (key := (row.game, row.person)) in found else 0
        found[key] = PlayerRating(row.game, row.name, is_external_bot(row.person), Rating(row.mu, row.sigma), games + 1)
    return sorted(found.values(), key=lambda each: (each.game, -each.rating.mu))


def updated_ratings(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """Returns the ratings after a match with these ranks."""
    teams = [[MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    after = MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(team[0].mu, team[0].sigma) for team in after]


def rating_of(db: Connection, person: str, game: str) -> Rating:
    found = db.execute(LATEST_RATING, {"of_person": person, "of_game": game}).one_or_none()
    return Rating(found.mu, found.sigma) if found else BEGINNER


def bot_rating(game: str, seats: int, bot: str) -> Rating | None:
    rung = ratings_for(game, seats).get(bot)
    return Rating(rung.rating, rung.sigma) if rung else None


def rate_results(db: Connection, game: str, rows: Sequence[Row]) -> list[Row]:
    """Returns the result rows with their ratings; unchanged if the match cannot be rated."""
    if not _can_be_rated(db, game, rows):
        return [*rows]
    number = int(db.execute(NEXT_NUMBER).scalar_one())
    known = {row["person"]: rating_of(db, row["person"], game) for row in rows if row["person"]}
    return [row | change for row, change in zip(rows, _changes(number, rows, known), strict=True)]


def _can_be_rated(db: Connection, game: str, rows: Sequence[Row]) -> bool:
    """Whether a match that has ended can be rated.

    Not if a player has no account or has closed it, if a bot is not on the ladder, if an external bot played with its
    owner or with another bot of its owner, or if the match cannot be read.
    """
    played = [row["person"] for row in rows if row["counts"]]
    bots = [row["bot"] for row in rows if row["person"] is None and row["bot"]]
    known = all(bot_rating(game, len(rows), bot) for bot in bots)
    complete = known and bool(rows) and len(played) + len(bots) == len(rows)
    return complete and are_accounts(db, played) and are_independent(db, played)


def are_accounts(db: Connection, of: Collection[str]) -> bool:
    asked = COUNT_ACCOUNTS.where(people.c.id.in_(sorted(set(of))))
    return not of or int(db.execute(asked).scalar_one()) == len(set(of))


def are_independent(db: Connection, of: Collection[str]) -> bool:
    """Whether no two of these have the same owner: an external bot counts as its owner, if it has one."""
    asked = select(people.c.id, people.c.owner).where(people.c.id.in_(sorted(set(of))), people.c.owner.is_not(None))
    owners = {row.id: row.owner for row in db.execute(asked)} if any(map(is_external_bot, of)) else {}
    return len({owners.get(person, person) for person in of}) == len(set(of))


def _changes(number: int, rows: Sequence[Row], known: Mapping[str, Rating]) -> Iterable[Row]:
    """Yields the rating columns of each row. Bots keep their rating."""
    before = [_before(row, known, len(rows)) for row in rows]
    after = updated_ratings(before, [row["rank"] for row in rows])
    for row, was, now in zip(rows, before, after, strict=True):
        stays = was if row["bot"] else now
        yield {"rated": number, "from_mu": was.mu, "from_sigma": was.sigma, "mu": stays.mu, "sigma": stays.sigma}


def _before(row: Row, known: Mapping[str, Rating], seats: int) -> Rating:
    if row["person"]:
        return known[row["person"]]
    if row["bot"] and (measured := bot_rating(row["game"], seats, row["bot"])):
        return measured
    return Rating(row["from_mu"], row["from_sigma"])  # a deleted account, or a bot of an earlier ladder


def rebuild_ratings(db: Connection) -> int:
    """Recomputes all ratings in the order in which matches were rated, with the current ladder of the bots. Returns the
    number of matches. Deleted accounts play with the ratings that they had."""
    db.execute(LOCK_COUNTER)
    found, now = [dict(row) for row in db.execute(RATED_MATCHES).mappings()], dict[tuple[str, str], Rating]()
    count = 0
    for _, group in groupby(found, key=lambda row: (row["table"], row["match"])):
        rows = list(group)
        game, number = rows[0]["game"], rows[0]["rated"]
        if number is None and not _can_be_rated(db, game, rows):
            continue
        known = {row["person"]: now.get((row["person"], game), BEGINNER) for row in rows if row["person"]}
        number = number or int(db.execute(NEXT_NUMBER).scalar_one())
        for row, change in zip(rows, _changes(number, rows, known), strict=True):
            place = {"of_table": row["table"], "of_match": row["match"], "of_seat": row["seat"]}
            db.execute(UPDATE_RESULT, place | change)
            if row["person"]:
                now[row["person"], game] = Rating(change["mu"], change["sigma"])
        count += 1
    return count
