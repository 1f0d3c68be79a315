"""The matches of a table: the current one, the next one, and the standings of a campaign."""

import asyncio
import secrets
from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from polyopolis.engine import AnyGame, Campaign, Match, Result, derive_seed, seed_of
from polyopolis.games import content_digest, spec_of
from polyopolis.games.city_emblems import CityEmblem
from polyopolis.games.game_spec import UnknownContent
from polyopolis.play.entities import MatchEntity, SeatEntity, StoredMatch, TableEntity, as_json
from polyopolis.play.errors import NotFound, Unreadable
from polyopolis.play.match.live_match import LiveMatch
from polyopolis.play.match.stored_json import check_kept
from polyopolis.play.protocols import MatchRepository
from polyopolis.play.timing import clocks
from polyopolis.play.timing.pace import UNHURRIED, Pace


class MatchChain:
    """The matches of a table. The entity of the current match belongs to its `LiveMatch` while that is open."""

    def __init__(self, repository: MatchRepository, row: TableEntity) -> None:
        self.table = row.id
        self.spec = spec_of(row.game)
        self.setup = msgspec.json.decode(row.setup, type=self.game.Setup)
        self.plan: tuple[int, ...] = msgspec.json.decode(row.plan, type=tuple[int, ...])
        self.typed = row.typed
        self.chosen_seed = row.chosen_seed
        self.daily = row.daily
        self.rated = row.rated
        self._first_pace: Pace = msgspec.json.decode(row.pace, type=Pace) if row.pace else UNHURRIED
        self.imported = row.imported
        self._stored = row.matches
        self._live: LiveMatch | None = None
        self._repository = repository

    @property
    def game(self) -> AnyGame:
        return self.spec.rules

    @property
    def rows(self) -> tuple[MatchEntity, ...]:
        return (*self._stored, self._live.row) if self._live else self._stored

    @property
    def last(self) -> MatchEntity | None:
        """The current match, or the last one that was played."""
        if self._live:
            return self._live.row
        return self._stored[-1] if self._stored else None

    @property
    def count(self) -> int:
        """Number of matches that were started; of a campaign, number of episodes."""
        if self.last is None:
            return 0
        if not self.plan:
            return self.last.number + 1
        return self.plan.index(msgspec.json.decode(self.last.setup, type=_Episode).episode) + 1

    @property
    def pace(self) -> Pace:
        """The pace of the last match and of the next one."""
        if self.last is None:
            return self._first_pace
        timing = clocks.read_timing(self.last.timing)
        return timing.pace if timing else UNHURRIED

    def out_of_time(self, seat: int, now: int) -> bool:
        """Whether the time of a seat is up."""
        deadline = self.deadlines.get(seat)
        return deadline is not None and deadline <= now

    @property
    def deadlines(self) -> dict[int, int]:
        kept = self.last.deadlines if self.last else None
        return msgspec.json.decode(kept, type=dict[int, int]) if kept else {}

    @property
    def counted(self) -> list[MatchEntity]:
        """The matches that were not given up."""
        return [row for row in self.rows if not row.ended]

    def episode(self, number: int) -> int:
        """The index in the plan of a match."""
        return sum(not row.ended for row in self.rows[:number])

    @property
    def standings(self) -> str | None:
        """The standings of a campaign after the episodes that are over, as JSON."""
        return self.last.standings if self.last else None

    def row(self, number: int) -> MatchEntity:
        if number not in range(len(self.rows)):
            raise NotFound(f"the table has no match {number}")
        return self.rows[number]

    def play(self, live: LiveMatch) -> None:
        """Makes an open match the current one: the last of the stored matches, or the one after it."""
        self._stored, self._live = self.rows[: live.row.number], live

    def reload(self, rows: tuple[MatchEntity, ...]) -> None:
        """Replaces all matches by the stored ones. None of them is open."""
        self._stored, self._live = rows, None

    # Next match

    def next_setup(self, last: Match | None) -> Any:
        """The setup of the match after the last one; None when a campaign is over."""
        if not self.plan:
            return self.setup
        if self.last and self.last.ended:
            return msgspec.json.decode(self.last.setup, type=self.game.Setup)  # the episode is repeated
        played = len(self.counted)
        if played == len(self.plan):
            return None
        ended = (last,) if last else ()
        return Campaign(self.game, self.plan[played - len(ended) :], self.setup, ended).next_setup()

    def next_row(self, setup: Any, seats: Sequence[SeatEntity], players: str) -> MatchEntity:
        """A match that has not started."""
        setup = self.spec.named(setup, emblems_of(seats))
        row = MatchEntity(
            number=len(self.rows),
            setup=as_json(setup),
            seed=self._seed(),
            bot_seed=secrets.token_bytes(32),
            practice=self.imported,
            practice_for="import" if self.imported else None,
            imported=0 if self.imported else None,
            players=players,
            rules=self.game.version,
            content=content_digest(self.game.key, setup.content),
            standings=self.standings,
        )
        return self._daily_repetition(row, self.rows[0]) if self.daily and self.rows else row

    def _daily_repetition(self, row: MatchEntity, first: MatchEntity) -> MatchEntity:
        """A repetition of the daily game: the same deck, as practice."""
        return replace(row, seed=first.seed, bot_seed=first.bot_seed, practice=True, practice_for="day")

    def with_emblems(self, row: MatchEntity, seats: Sequence[SeatEntity]) -> MatchEntity:
        """A match with the current names of its cities. No rule depends on them."""
        setup = msgspec.json.decode(row.setup, type=self.game.Setup)
        return replace(row, setup=as_json(self.spec.named(setup, emblems_of(seats))))

    def _seed(self) -> bytes:
        """32 random bytes, or derived from a chosen seed; empty where players enter the chance events."""
        if self.typed:
            return b""
        if self.chosen_seed:
            return derive_seed(seed_of(self.chosen_seed), "match", len(self.rows))
        return secrets.token_bytes(32)

    # Stored matches

    def is_installed(self, row: MatchEntity) -> bool:
        """Whether the installed rules and content are those of a match."""
        setup = msgspec.json.decode(row.setup, type=dict[str, Any])
        try:
            digest = content_digest(self.game.key, setup.get("content", 1))
        except UnknownContent:
            return False
        return row.rules == self.game.version and row.content == digest

    async def replay(self, number: int) -> LiveMatch:
        """Replays a stored match. Raises `Unreadable` if that fails."""
        kept = await self.stored(number)
        try:
            check_kept(kept)
            return LiveMatch.from_stored(kept, self.game)
        except Exception as error:  # rules and decoders may raise any error for moves of other versions
            raise Unreadable(f"match {number} cannot be replayed: {error}") from error

    async def stored(self, number: int) -> StoredMatch:
        found = await self._repository.match(self.table, number)
        if found is None:
            raise NotFound(f"the table has no match {number}")
        return found

    async def standings_after(self, last: Match) -> Result:
        """The standings after a match. Replays the earlier episodes, and yields to the event loop between them."""
        states = []
        for row in self.counted[:-1]:
            states.append((await self.replay(row.number)).match.state)
            await asyncio.sleep(0)
        return self.game.standings(self.setup, [*states, last.state])


class _Episode(Struct):
    episode: int


def emblems_of(seats: Sequence[SeatEntity]) -> tuple[CityEmblem, ...]:
    """The emblems of all seats; empty at a table where cities have no names."""
    return tuple(CityEmblem(row.city, row.animal) for row in seats if row.city and row.animal)
