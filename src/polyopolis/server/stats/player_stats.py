"""Statistics of a player, aggregated in SQL over stored results; matches are not replayed."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec
from sqlalchemy import BindParameter, Connection, bindparam, case, func, select

from polyopolis.bots.tournaments.ladder_ratings import ratings_for
from polyopolis.engine import Result
from polyopolis.games import GAME_SPECS
from polyopolis.play.entities import TableEntity
from polyopolis.play.errors import ROW_ERRORS
from polyopolis.play.seats.bot_ids import is_external_bot
from polyopolis.server.stats.profile_types import (
    CampaignStats,
    GameStats,
    OpponentRecord,
    PersonRating,
    RungInfo,
    ScoreBucket,
    VariantStats,
)
from polyopolis.server.storage import statements
from polyopolis.server.storage.player_ratings import Rating
from polyopolis.server.storage.row_mapping import read_tables
from polyopolis.server.storage.schema import matches, people, results, seats, tables

MAX_BUCKETS = 10
"""Maximum number of bars of a histogram."""
MAX_RATED_MATCHES = 60
"""Rated matches in the rating history."""
MAX_CAMPAIGNS = 100
"""Campaigns in a profile, the last changed first."""

_person: BindParameter[Any] = bindparam("of_person")
_own = (results.c.person == _person, results.c.counts.is_(True))

_seated = select(seats.c.table).where(seats.c.person == _person)
BEGUN = (
    select(tables.c.game, func.count())
    .join(matches, matches.c.table == tables.c.id)
    .where(tables.c.id.in_(_seated), matches.c.practice.is_(False))
    .group_by(tables.c.game)
)
SCORES = (
    select(results.c.game, results.c.kind, results.c.score, func.count().label("times"))
    .where(*_own)
    .group_by(results.c.game, results.c.kind, results.c.score)
    .order_by(results.c.game, results.c.kind, results.c.score)
)
_other = results.alias()
_played_to_the_end = _other.c.counts | (_other.c.person.is_(None) & _other.c.bot.is_not(None))
_pairs = results.join(
    _other,
    (_other.c.table == results.c.table)
    & (_other.c.match == results.c.match)
    & (_other.c.seat != results.c.seat)
    & _played_to_the_end,
).outerjoin(people, (people.c.id == _other.c.person) & people.c.removed.is_(None))


def _sum(holds: Any, name: str) -> Any:
    return func.sum(case((holds, 1), else_=0)).label(name)


OPPONENT_RESULTS = (
    select(
        results.c.game,
        _other.c.bot,
        _other.c.person,
        people.c.name,
        people.c.shared,
        _sum(results.c.rank < _other.c.rank, "won"),
        _sum(results.c.rank == _other.c.rank, "drawn"),
        _sum(results.c.rank > _other.c.rank, "lost"),
    )
    .select_from(_pairs)
    .where(*_own)
    .group_by(results.c.game, _other.c.bot, _other.c.person, people.c.name, people.c.shared)
)
_rival = select(_other.c.seat).where(
    _other.c.table == results.c.table, _other.c.match == results.c.match, _other.c.seat != results.c.seat
)
_first = results.c.rank == 1, ~_rival.where(_other.c.rank == 1).exists()
WON = select(results.c.game, func.count()).where(*_own, *_first, _rival.exists()).group_by(results.c.game)
_rated = (
    select(
        results.c.game,
        results.c.mu,
        results.c.sigma,
        results.c.rated,
        func.count().over(partition_by=results.c.game).label("games"),
        func.row_number().over(partition_by=results.c.game, order_by=results.c.rated.desc()).label("from_last"),
    )
    .where(results.c.person == _person, results.c.rated.is_not(None))
    .subquery()
)
RATED_MATCHES = select(_rated).where(_rated.c.from_last <= MAX_RATED_MATCHES).order_by(_rated.c.rated)
CAMPAIGN_TABLES = (
    select(tables.c.id)
    .where(tables.c.id.in_(_seated), tables.c.plan != "[]")
    .where(tables.c.imported.is_(False))
    .order_by(tables.c.changed.desc(), tables.c.id)
    .limit(MAX_CAMPAIGNS)
)


def game_stats_of(db: Connection, person: str, *, openly: bool) -> tuple[GameStats, ...]:
    """Returns the statistics of a player by game. With `openly` (the public profile), only opponents with a public
    profile are named, and no tables."""
    about = {"of_person": person}
    begun = {row.game: row[1] for row in db.execute(BEGUN, about)}
    won = {row.game: row[1] for row in db.execute(WON, about)}
    kinds, against = _kind_stats_by_game(db, about), _opponents_by_game(db, about, openly=openly)
    campaigns, courses = _campaigns_by_game(db, person, openly=openly), _rated_matches_by_game(db, about)
    return tuple(
        GameStats(
            game=key,
            begun=max(begun.get(key, 0), sum(kind.count for kind in kinds[key])),
            finished=sum(kind.count for kind in kinds[key]),
            won=won.get(key, 0),
            kinds=kinds[key],
            campaigns=tuple(campaigns[key]),
            against=against[key],
            rating=_rating(courses[key]),
            rungs=tuple(RungInfo(bot, rung.rating) for bot, rung in ratings_for(key).items()),
        )
        for key in GAME_SPECS
        if key in begun or kinds[key]
    )


# Scores


def _kind_stats_by_game(db: Connection, about: Mapping[str, Any]) -> defaultdict[str, tuple[VariantStats, ...]]:
    scores = defaultdict[tuple[str, str], dict[int, int]](dict)
    for row in db.execute(SCORES, about):
        scores[row.game, row.kind][row.score] = row.times
    found = defaultdict[str, tuple[VariantStats, ...]](tuple)
    for game, kind in sorted(scores, key=lambda each: (each[0], _kind_order(each[1]))):
        found[game] += (_kind_stats(kind, scores[game, kind]),)
    return found


def _kind_order(kind: str) -> tuple[str, int]:
    """Sort key that puts episode 2 before episode 10."""
    number = re.search(r"\d+$", kind)
    return (kind[: number.start()], int(number[0])) if number else (kind, 0)


def _kind_stats(kind: str, scores: Mapping[int, int]) -> VariantStats:
    count = sum(scores.values())
    mean = sum(score * times for score, times in scores.items()) / count
    return VariantStats(kind, count, max(scores), round(mean, 1), histogram(scores))


def histogram(scores: Mapping[int, int]) -> tuple[ScoreBucket, ...]:
    """Returns the numbers of scores between round limits, from the lowest to the highest, including empty buckets."""
    low, high = min(scores), max(scores)
    width = next(width for width in _widths() if high // width - low // width < MAX_BUCKETS)
    first = low // width
    counts = [0] * (high // width - first + 1)
    for score, times in scores.items():
        counts[score // width - first] += times
    return tuple(
        ScoreBucket((first + place) * width, (first + place + 1) * width - 1, count)
        for place, count in enumerate(counts)
    )


def _widths() -> Iterable[int]:
    ten = 1
    while True:
        yield from (ten, 2 * ten, 5 * ten)
        ten *= 10


# Others


def _opponents_by_game(
    db: Connection, about: Mapping[str, Any], *, openly: bool
) -> defaultdict[str, tuple[OpponentRecord, ...]]:
    """Returns opponents by game: people first, then bots, each by number of matches. Deleted accounts are left out."""
    found = defaultdict[str, list[OpponentRecord]](list)
    for row in db.execute(OPPONENT_RESULTS, about):
        if row.bot is None and (row.name is None or (openly and row.shared is None)):
            continue
        name, outside = row.name or "" if row.bot is None else "", row.bot is None and is_external_bot(row.person)
        found[row.game].append(OpponentRecord(name, row.bot, row.shared, outside, row.won, row.drawn, row.lost))
    return defaultdict(tuple, {game: tuple(sorted(lines, key=_rival_order)) for game, lines in found.items()})


def _rival_order(line: OpponentRecord) -> tuple[bool, int, str, str]:
    return line.bot is not None, -(line.won + line.drawn + line.lost), line.name, line.bot or ""


# Campaigns


def _campaigns_by_game(db: Connection, person: str, *, openly: bool) -> defaultdict[str, list[CampaignStats]]:
    found = defaultdict[str, list[CampaignStats]](list)
    ids = db.execute(CAMPAIGN_TABLES, {"of_person": person}).scalars().all()
    for row in read_tables(db, ids, statements.MATCHES):
        own = [seat.seat for seat in row.seats if seat.person == person]
        if row.matches and len(own) == 1:
            with suppress(*ROW_ERRORS):  # the list of tables reports tables that cannot be read
                found[row.game].append(_campaign(row, own[0], openly=openly))
    return found


def _campaign(row: TableEntity, seat: int, *, openly: bool) -> CampaignStats:
    played = sum(match.over and not match.ended for match in row.matches)
    kept = row.matches[-1].standings
    standings = msgspec.json.decode(kept, type=Result) if kept else None
    return CampaignStats(
        table=None if openly else row.id,
        played=played,
        episodes=len(msgspec.json.decode(row.plan, type=list[int])),
        seats=len(row.seats),
        score=standings.scores[seat] if standings else None,
        rank=standings.ranks[seat] if standings else None,
    )


# Ratings


def _rated_matches_by_game(db: Connection, about: Mapping[str, Any]) -> defaultdict[str, list[Any]]:
    """Returns the latest rated matches by game, in their order."""
    found = defaultdict[str, list[Any]](list)
    for row in db.execute(RATED_MATCHES, about):
        found[row.game].append(row)
    return found


def _rating(course: list[Any]) -> PersonRating | None:
    if not course:
        return None
    last = Rating(course[-1].mu, course[-1].sigma)
    shown = tuple(round(row.mu, 1) for row in course)
    return PersonRating(round(last.mu, 1), round(last.margin, 1), course[-1].games, shown)
