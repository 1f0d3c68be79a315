"""The daily games: drawn in advance with a commitment, one counted try for each player, and a leaderboard."""

import asyncio
import logging
import random
import secrets
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256
from typing import NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.games import GAME_SPECS, content_digest, game
from polyopolis.games.daily_rotation import variant_of_day
from polyopolis.games.game_spec import GameSpec
from polyopolis.play.daily.daily_par import GAMES, par_of, play_par_games
from polyopolis.play.daily.try_verification import verify_try
from polyopolis.play.entities import DailyDeck, DailyTry, DailyTryStatus, Standing, as_json
from polyopolis.play.errors import ROW_ERRORS, NotFound
from polyopolis.play.lobby import Lobby
from polyopolis.play.protocols import BotService, Clock, DailyRepository, MatchRepository
from polyopolis.play.response_cache import ResponseCache
from polyopolis.play.table.table import Table
from polyopolis.play.table.table_context import SiteServices
from polyopolis.play.timing.utc_days import Day, add_days, day_at, day_end, day_start, is_day, streak_of
from polyopolis.play.wire.responses import (
    DailyCalendar,
    DailyGame,
    DailyInfo,
    LeaderboardEntry,
    OwnDailyTry,
    SeedCommitment,
    TryStatus,
)

logger = logging.getLogger(__name__)

DAYS_AHEAD = 2
"""Days that are drawn in advance, so that each commitment is public for a whole day."""
MAX_LINES = 100
"""Lines of a leaderboard, apart from that of the player."""


class LeaderboardPlace(NamedTuple):
    """The place of a score on a leaderboard."""

    rank: int
    percentile: int | None
    """Percentage of the other tries with a lower score; ties count half. None without other tries."""


class Leaderboard:
    """The leaderboard of a daily game."""

    def __init__(self, standing: Standing, par: float | None) -> None:
        self.par = par
        self.counted = sum(standing.scores.values())
        self.places: dict[int, LeaderboardPlace] = {}
        self._best = standing.best
        fewer, others = 0, self.counted - 1
        for score, equal in sorted(standing.scores.items()):
            percentile = round(100 * (fewer + (equal - 1) / 2) / others) if others else None
            self.places[score] = LeaderboardPlace(1 + self.counted - fewer - equal, percentile)
            fewer += equal

    def lines(self, own: DailyTry | None, *, shown: bool) -> tuple[LeaderboardEntry, ...]:
        """The best tries and the player's own, which comes first among equals. Without `shown` they have no links to
        the games, because the player may still play."""
        best = [one for one in self._best if own is None or one.table != own.table]
        if own is not None and (place := self.places.get(own.score or 0)):
            best = [*best[: place.rank - 1], own, *best[place.rank - 1 :]]
            if place.rank <= MAX_LINES:
                del best[MAX_LINES:]
        return tuple(self._line(one, yours=one is own, shown=shown) for one in best)

    def _line(self, one: DailyTry, *, yours: bool, shown: bool) -> LeaderboardEntry:
        score = one.score or 0
        place = self.places[score]
        return LeaderboardEntry(
            rank=place.rank,
            name=one.name or "",
            score=score,
            percentile=place.percentile,
            above=None if self.par is None else round(score - self.par, 1),
            yours=yours,
            table=one.table if shown else None,
        )


class DailyService:
    def __init__(self, services: SiteServices, lobby: Lobby, daily_repository: DailyRepository) -> None:
        self._repository: MatchRepository = services.repository
        self._bot_service: BotService = services.bot_service
        self._clock: Clock = services.clock
        self._lobby = lobby
        self._daily_repository = daily_repository
        self._beginning = asyncio.Lock()
        self._wanted: asyncio.Queue[DailyDeck] = asyncio.Queue()
        self._asked = set[tuple[Day, str]]()
        self._boards: ResponseCache[DailyDeck, Leaderboard] = ResponseCache(self._clock, self._read_board)

    @property
    def today(self) -> Day:
        return day_at(self._clock.now())

    async def draw(self) -> None:
        """Draws the games of today and the next days that have not been drawn yet."""
        days = [add_days(self.today, ahead) for ahead in range(DAYS_AHEAD + 1)]
        await self._daily_repository.draw(
            [self._deck(spec, day) for day in days for spec in GAME_SPECS.values() if spec.daily]
        )

    def _deck(self, spec: GameSpec, day: Day) -> DailyDeck:
        occasion = variant_of_day(spec.daily, date.fromisoformat(day).toordinal())
        setup = msgspec.convert({**occasion.setup, "seats": occasion.seats}, spec.rules.Setup)
        return DailyDeck(
            day=day,
            game=spec.key,
            setup=as_json(setup),
            bots=as_json(occasion.bots),
            seed=secrets.token_bytes(32),
            drawn=self._clock.now(),
        )

    # Playing

    async def play(self, person: str, name: str, day: Day, key: str) -> Table:
        """Starts or resumes the player's counted try; starts a practice match once that or the day is over."""
        row = await self._day_game(day, key)
        if row.day < self.today:
            return await self._lobby.factory.create_daily(person, name, row, "", practice=True)
        async with self._beginning:
            own = await self._daily_repository.begin(
                DailyTry(day=row.day, game=row.game, person=person, table=secrets.token_urlsafe(9))
            )
            kept = await self._repository.table(own.table)
            if kept is None or not kept.matches:  # also if starting the match failed before
                return await self._lobby.factory.create_daily(person, name, row, own.table)
            table = await self._lobby.tables.table(own.table)
            if kept.matches[-1].over:
                await table.rematch(person)
            return table

    async def _day_game(self, day: Day, key: str) -> DailyDeck:
        found = next((row for row in await self._decks_of(day) if row.game == key), None)
        if found is None:
            raise NotFound(f"there is no game {key!r} of that day")
        return found

    async def _decks_of(self, day: Day) -> tuple[DailyDeck, ...]:
        """The games of a day that has come, in the order of `GAME_SPECS`."""
        if not is_day(day) or day > self.today:
            raise NotFound("there is no game for this day")
        rows = await self._daily_repository.day(day)
        if not rows and day == self.today:
            await self.draw()
            rows = await self._daily_repository.day(day)
        if not rows:
            raise NotFound("no game was drawn for that day")
        return _in_order(rows)

    # Leaderboard and calendar

    async def day(self, person: str, day: Day) -> DailyInfo:
        rows = await self._decks_of(day)
        now = self._clock.now()
        tomorrow = await self._daily_repository.day(add_days(day)) if day == self.today else ()
        tries = await self._daily_repository.own_tries(day, [row.game for row in rows], person)
        own = {one.game: one for one in await self._verified_own(tries, rows)}
        return DailyInfo(
            day=day,
            today=self.today,
            left=max(day_end(day) - now, 0),
            games=tuple([await self._game_info(row, own.get(row.game)) for row in rows]),
            tomorrow=tuple(SeedCommitment(row.game, _commitment(row), row.drawn) for row in _in_order(tomorrow)),
        )

    async def _game_info(self, row: DailyDeck, own: DailyTryStatus | None) -> DailyGame:
        board = await self._boards.get(row)
        if own and _status(own) == "counted" and own.score not in board.places:  # it was verified at another node
            self._boards.drop(row)
            board = await self._boards.get(row)
        over = row.day < self.today
        shown = over or (own is not None and own.over is True)
        return DailyGame(
            game=row.game,
            setup=Raw(row.setup.encode()),
            bots=msgspec.json.decode(row.bots, type=tuple[str, ...]),
            commitment=_commitment(row),
            drawn=row.drawn,
            promised=row.drawn < day_start(row.day),
            seed=row.seed.hex() if over else None,
            par=None if board.par is None else round(board.par, 1),
            counted=board.counted,
            mine=_my_day(own) if own else None,
            lines=board.lines(own if own and _status(own) == "counted" else None, shown=shown),
        )

    async def _read_board(self, row: DailyDeck) -> Leaderboard:
        """Verifies all finished tries first, so that the leaderboard is complete."""
        if installed := _installed(row):
            await self._verified(await self._daily_repository.unjudged(row.day, row.game, *installed), (row,))
        standing = await self._daily_repository.standing(row.day, row.game, MAX_LINES)
        board = Leaderboard(standing, await par_of(self._daily_repository, row))
        if board.counted and board.par is None:
            self._want_par(row)
        return board

    async def mine(self, person: str) -> DailyCalendar:
        """A player's calendar."""
        rows = await self._decks_of(self.today)
        tries = await self._daily_repository.tries_of(person)
        drawn = await self._daily_repository.day(*{one.day for one in tries if _is_unverified(one)})
        tries = await self._verified_own(tries, drawn)
        streak = streak_of({one.day for one in tries if _status(one) == "counted"}, self.today)
        return DailyCalendar(
            today=self.today,
            left=day_end(self.today) - self._clock.now(),
            games=tuple(row.game for row in rows),
            streak=streak.current,
            longest=streak.longest,
            tries=tuple(_my_day(one) for one in tries),
            days=await self._daily_repository.days(self.today),
        )

    async def _verified_own(
        self, tries: Sequence[DailyTryStatus], days: Iterable[DailyDeck]
    ) -> tuple[DailyTryStatus, ...]:
        """Verifies the finished tries of a player, and reloads the leaderboards that they change."""
        days = tuple(days)
        found = await self._verified(tries, days)
        changed = {(after.day, after.game) for before, after in zip(tries, found, strict=True) if before != after}
        for row in days:
            if (row.day, row.game) in changed:
                self._boards.drop(row)
        return found

    async def _verified(self, tries: Sequence[DailyTryStatus], days: Iterable[DailyDeck]) -> tuple[DailyTryStatus, ...]:
        """Verifies the finished tries, and yields to the event loop between them."""
        drawn = {(row.day, row.game): row for row in days}
        found = list[DailyTryStatus]()
        for one in tries:
            day = drawn.get((one.day, one.game))
            if day and _is_unverified(one):
                await asyncio.sleep(0)
                found.append(await self._verified_try(day, one))
            else:
                found.append(one)
        return tuple(found)

    async def _verified_try(self, day: DailyDeck, one: DailyTryStatus) -> DailyTryStatus:
        kept = await self._repository.match(one.table, 0)
        if kept is None or (kept.row.rules, kept.row.content) != _installed(day):
            return one
        try:
            verdict = verify_try(day, one, kept)
        except ROW_ERRORS as error:
            logger.warning("the try at table %s does not count on %s: %s", one.table, day.day, error)
            verdict = replace(one, verdict="refused")
        await self._daily_repository.judge(verdict)
        return replace(one, verdict=verdict.verdict, score=verdict.score, name=verdict.name)

    # Par

    def _want_par(self, row: DailyDeck) -> None:
        if (row.day, row.game) not in self._asked:
            self._asked.add((row.day, row.game))
            self._wanted.put_nowait(row)

    async def find_pars(self) -> None:
        """Plays par games until cancelled. Each node shuffles the games, so that nodes share the work."""
        while True:
            row = await self._wanted.get()
            try:
                await play_par_games(self._bot_service, self._daily_repository, row, random.sample(range(GAMES), GAMES))
            except Exception:  # the next request tries again
                logger.exception("cannot compute par for %s of %s", row.game, row.day)
            self._asked.discard((row.day, row.game))


def _status(one: DailyTryStatus) -> TryStatus:
    """A match that has become practice does not count, even if it was verified before."""
    if one.practice:
        return "practice"
    return one.verdict or "playing"


def _is_unverified(one: DailyTryStatus) -> bool:
    """Whether a try is finished but not verified."""
    return bool(one.over) and not one.practice and one.verdict is None


def _my_day(one: DailyTryStatus) -> OwnDailyTry:
    return OwnDailyTry(
        one.day, one.game, _status(one), one.score if _status(one) in ("counted", "late") else None, one.table
    )


def _installed(day: DailyDeck) -> tuple[int, str] | None:
    """The versions of the rules and the content of a day; None if they are not installed, so that tries cannot be
    verified."""
    rules = game(day.game)
    try:
        setup = msgspec.json.decode(day.setup, type=rules.Setup)
        return rules.version, content_digest(day.game, setup.content)
    except (PolyopolisError, msgspec.MsgspecError):
        return None


def _commitment(row: DailyDeck) -> str:
    return sha256(row.seed).hexdigest()


def _in_order(rows: Sequence[DailyDeck]) -> tuple[DailyDeck, ...]:
    order = [*GAME_SPECS]
    return tuple(sorted((row for row in rows if row.game in GAME_SPECS), key=lambda row: order.index(row.game)))
