"""A game a day: drawn ahead and promised, the same for everybody, one try that counts, and what all have come to."""

import asyncio
import logging
import random
import secrets
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import date
from hashlib import sha256

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from polyopolis.engine import PolyopolisError
from polyopolis.games import SIGNS, content_digest, game
from polyopolis.games.daily import occasion_of
from polyopolis.games.sign import Sign
from polyopolis.play.answers import BoardLine, DayGame, DayInfo, MyDay, MyDays, Promise, TryStatus
from polyopolis.play.days import Day, after, begins, day_at, ends, is_day, streak_of
from polyopolis.play.lobby import Lobby
from polyopolis.play.needs import Almanac, Clock, Keeper, Thinker
from polyopolis.play.par import GAMES, find_par, par_of
from polyopolis.play.problems import NotFound
from polyopolis.play.room import House
from polyopolis.play.rows import DayRow, MatchRow, TryNow, TryRow, as_json
from polyopolis.play.table import Table
from polyopolis.play.verdicts import PROBLEMS, judged

logger = logging.getLogger(__name__)

AHEAD = 2
"""Days that are drawn before they come, so that each was promised for a whole day."""
TOP = 100
"""Lines of a board; one's own is there in any case."""


class Daily:
    def __init__(self, house: House, lobby: Lobby, almanac: Almanac) -> None:
        self._keeper: Keeper = house.keeper
        self._thinker: Thinker = house.thinker
        self._clock: Clock = house.clock
        self._lobby = lobby
        self._almanac = almanac
        self._beginning = asyncio.Lock()
        self._wanted: asyncio.Queue[DayRow] = asyncio.Queue()
        self._asked = set[tuple[Day, str]]()

    @property
    def today(self) -> Day:
        return day_at(self._clock.now())

    async def draw(self) -> None:
        """Today, in case nobody did it before, and the next days. Where somebody has drawn already that holds."""
        days = [after(self.today, ahead) for ahead in range(AHEAD + 1)]
        await self._almanac.draw([self._drawn(sign, day) for day in days for sign in SIGNS.values() if sign.daily])

    def _drawn(self, sign: Sign, day: Day) -> DayRow:
        occasion = occasion_of(sign.daily, date.fromisoformat(day).toordinal())
        setup = msgspec.convert({**occasion.setup, "seats": occasion.seats}, sign.rules.Setup)
        return DayRow(
            day=day,
            game=sign.key,
            setup=as_json(setup),
            bots=as_json(occasion.bots),
            seed=secrets.token_bytes(32),
            drawn=self._clock.now(),
        )

    # Playing

    async def play(self, person: str, name: str, day: Day, key: str) -> Table:
        """Their one try, begun or gone on with; for practice once that is over, or the day is."""
        row = await self._day_game(day, key)
        if row.day < self.today:
            return await self._lobby.play_day(person, name, row, "", practice=True)
        async with self._beginning:
            own = await self._almanac.begin(
                TryRow(day=row.day, game=row.game, person=person, table=secrets.token_urlsafe(9))
            )
            kept = await self._keeper.table(own.table)
            if kept is None or not kept.matches:  # or it was begun, and then something broke
                return await self._lobby.play_day(person, name, row, own.table)
            table = await self._lobby.table(own.table)
            if kept.matches[-1].over:
                await table.rematch(person)
            return table

    async def _day_game(self, day: Day, key: str) -> DayRow:
        found = next((row for row in await self._drawn_on(day) if row.game == key), None)
        if found is None:
            raise NotFound(f"there is no game {key!r} of that day")
        return found

    async def _drawn_on(self, day: Day) -> tuple[DayRow, ...]:
        """The games of a day that has come, in the order of the house."""
        if not is_day(day) or day > self.today:
            raise NotFound("there is no such day, or not yet")
        rows = await self._almanac.day(day)
        if not rows and day == self.today:
            await self.draw()
            rows = await self._almanac.day(day)
        if not rows:
            raise NotFound("nothing was drawn for that day")
        return _in_order(rows)

    # What all have come to

    async def day(self, person: str, day: Day) -> DayInfo:
        rows = await self._drawn_on(day)
        now = self._clock.now()
        tomorrow = await self._almanac.day(after(day)) if day == self.today else ()
        return DayInfo(
            day=day,
            today=self.today,
            left=max(ends(day) - now, 0),
            games=tuple([await self._game_info(person, row) for row in rows]),
            tomorrow=tuple(Promise(row.game, _commitment(row), row.drawn) for row in _in_order(tomorrow)),
        )

    async def _game_info(self, person: str, row: DayRow) -> DayGame:
        tries = await self._settled(await self._almanac.tries(row.day, row.game), (row,))
        par = await par_of(self._almanac, row)
        own = next((one for one in tries if one.person == person), None)
        counted = [one for one in tries if _status(one) == "counted"]
        over = row.day < self.today
        shown = over or (own is not None and own.over is True)
        if counted and par is None:
            self._want_par(row)
        return DayGame(
            game=row.game,
            setup=Raw(row.setup.encode()),
            bots=msgspec.json.decode(row.bots, type=tuple[str, ...]),
            commitment=_commitment(row),
            drawn=row.drawn,
            promised=row.drawn < begins(row.day),
            seed=row.seed.hex() if over else None,
            par=None if par is None else round(par, 1),
            counted=len(counted),
            mine=_my_day(own) if own else None,
            lines=board(counted, person, par, shown=shown),
        )

    async def mine(self, person: str) -> MyDays:
        """The calendar of somebody."""
        rows = await self._drawn_on(self.today)
        tries = await self._almanac.tries_of(person)
        drawn = [row for day in {one.day for one in tries if _is_open(one)} for row in await self._almanac.day(day)]
        tries = await self._settled(tries, drawn)
        streak = streak_of({one.day for one in tries if _status(one) == "counted"}, self.today)
        return MyDays(
            today=self.today,
            left=ends(self.today) - self._clock.now(),
            games=tuple(row.game for row in rows),
            streak=streak.current,
            longest=streak.longest,
            tries=tuple(_my_day(one) for one in tries),
            days=await self._almanac.days(self.today),
        )

    async def _settled(self, tries: Sequence[TryNow], days: Iterable[DayRow]) -> tuple[TryNow, ...]:
        """Those that are over and were not looked at yet are re-played, each in a breath of its own."""
        drawn = {(row.day, row.game): row for row in days}
        found = list[TryNow]()
        for one in tries:
            day = drawn.get((one.day, one.game))
            if day and _is_open(one):
                await asyncio.sleep(0)
                found.append(await self._judged(day, one))
            else:
                found.append(one)
        return tuple(found)

    async def _judged(self, day: DayRow, one: TryNow) -> TryNow:
        kept = await self._keeper.match(one.table, 0)
        if kept is None or not _is_installed(day, kept.row):
            return one
        try:
            verdict = judged(day, one, kept)
        except PROBLEMS as error:
            logger.warning("the try at table %s is not on the board of %s: %s", one.table, day.day, error)
            verdict = replace(one, verdict="refused")
        await self._almanac.judge(verdict)
        return replace(one, verdict=verdict.verdict, score=verdict.score, name=verdict.name)

    # Par

    def _want_par(self, row: DayRow) -> None:
        if (row.day, row.game) not in self._asked:
            self._asked.add((row.day, row.game))
            self._wanted.put_nowait(row)

    async def find_pars(self) -> None:
        """For ever: what somebody has asked for. Several nodes begin at different ends, and share the work."""
        while True:
            row = await self._wanted.get()
            try:
                await find_par(self._thinker, self._almanac, row, random.sample(range(GAMES), GAMES))
            except Exception:  # whoever asks again may have more luck
                logger.exception("there is no par for %s of %s yet", row.game, row.day)
            self._asked.discard((row.day, row.game))


def board(tries: Sequence[TryNow], person: str, par: float | None, *, shown: bool) -> tuple[BoardLine, ...]:
    """The best first. Whoever may still play learns nothing that leads to how others did it."""
    scores = sorted(one.score or 0 for one in tries)
    lines = [
        BoardLine(
            rank=1 + len(scores) - bisect_right(scores, score),
            name=one.name or "",
            score=score,
            percentile=_percentile(scores, score),
            above=None if par is None else round(score - par, 1),
            yours=one.person == person,
            table=one.table if shown else None,
        )
        for one in tries
        for score in [one.score or 0]
    ]
    ordered = sorted(lines, key=lambda line: (line.rank, not line.yours, line.name))
    return tuple(line for place, line in enumerate(ordered) if place < TOP or line.yours)


def _percentile(scores: Sequence[int], score: int) -> int | None:
    """Of the others, how many of a hundred have fewer points; equals count half. None where there is nobody else. The
    scores are in order."""
    others = len(scores) - 1
    if not others:
        return None
    fewer = bisect_left(scores, score)
    equal = bisect_right(scores, score) - fewer - 1
    return round(100 * (fewer + equal / 2) / others)


def _status(one: TryNow) -> TryStatus:
    """A match that became practice counts no more, whatever was found before."""
    if one.practice:
        return "practice"
    return one.verdict or "playing"


def _is_open(one: TryNow) -> bool:
    """Whether it is over, and nobody has looked at it."""
    return bool(one.over) and not one.practice and one.verdict is None


def _my_day(one: TryNow) -> MyDay:
    return MyDay(one.day, one.game, _status(one), one.score if _status(one) in ("counted", "late") else None, one.table)


def _is_installed(day: DayRow, row: MatchRow) -> bool:
    """Whether what it was played with is here: otherwise nobody can say anything of it."""
    rules = game(day.game)
    try:
        setup = msgspec.json.decode(day.setup, type=rules.Setup)
        return row.rules == rules.version and row.content == content_digest(day.game, setup.content)
    except (PolyopolisError, msgspec.MsgspecError):
        return False


def _commitment(row: DayRow) -> str:
    return sha256(row.seed).hexdigest()


def _in_order(rows: Sequence[DayRow]) -> tuple[DayRow, ...]:
    order = [*SIGNS]
    return tuple(sorted((row for row in rows if row.game in SIGNS), key=lambda row: order.index(row.game)))
