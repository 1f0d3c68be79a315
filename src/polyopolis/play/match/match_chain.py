"""The chain  of matches at a table: what is played, what follows, what a campaign has come to."""

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
    """The matches of a table. While the current match is open as a `LiveMatch`, that is the owner of its entity."""

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
        """The current match, or the one that was played last."""
        if self._live:
            return self._live.row
        return self._stored[-1] if self._stored else None

    @property
    def count(self) -> int:
        """How many matches were begun; of a campaign how many episodes."""
        if self.last is None:
            return 0
        if not self.plan:
            return self.last.number + 1
        return self.plan.index(msgspec.json.decode(self.last.setup, type=_Episode).episode) + 1

    @property
    def pace(self) -> Pace:
        """Of the last match, and of the next one."""
        if self.last is None:
            return self._first_pace
        timing = clocks.read_timing(self.last.timing)
        return timing.pace if timing else UNHURRIED

    def out_of_time(self, seat: int, now: int) -> bool:
        """Whether a seat was to decide, and its time is up."""
        deadline = self.deadlines.get(seat)
        return deadline is not None and deadline <= now

    @property
    def deadlines(self) -> dict[int, int]:
        kept = self.last.deadlines if self.last else None
        return msgspec.json.decode(kept, type=dict[int, int]) if kept else {}

    @property
    def counted(self) -> list[MatchEntity]:
        """Without those that were given up."""
        return [row for row in self.rows if not row.ended]

    def episode(self, number: int) -> int:
        """Which of the plan a match is."""
        return sum(not row.ended for row in self.rows[:number])

    @property
    def standings(self) -> str | None:
        """Of a campaign after the episodes that are over, as they are kept."""
        return self.last.standings if self.last else None

    def row(self, number: int) -> MatchEntity:
        if number not in range(len(self.rows)):
            raise NotFound(f"the table has no match {number}")
        return self.rows[number]

    def play(self, live: LiveMatch) -> None:
        """Makes an open match the current one: the last of the stored matches, or the one after it."""
        self._stored, self._live = self.rows[: live.row.number], live

    def reload(self, rows: tuple[MatchEntity, ...]) -> None:
        """Takes the matches as they are stored. None is open until the next call of `play`."""
        self._stored, self._live = rows, None

    # What follows

    def next_setup(self, last: Match | None) -> Any:
        """What the match after the last one starts from; None when a campaign is over."""
        if not self.plan:
            return self.setup
        if self.last and self.last.ended:
            return msgspec.json.decode(self.last.setup, type=self.game.Setup)  # the same once more
        played = len(self.counted)
        if played == len(self.plan):
            return None
        ended = (last,) if last else ()
        return Campaign(self.game, self.plan[played - len(ended) :], self.setup, ended).next_setup()

    def next_row(self, setup: Any, seats: Sequence[SeatEntity], players: str) -> MatchEntity:
        """A match that has not begun."""
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
        return self._again(row, self.rows[0]) if self.daily and self.rows else row

    def _again(self, row: MatchEntity, first: MatchEntity) -> MatchEntity:
        """The game of a day once more: the same luck, for practice."""
        return replace(row, seed=first.seed, bot_seed=first.bot_seed, practice=True, practice_for="day")

    def with_emblems(self, row: MatchEntity, seats: Sequence[SeatEntity]) -> MatchEntity:
        """A match with the names that its cities bear now; no rule asks for them."""
        setup = msgspec.json.decode(row.setup, type=self.game.Setup)
        return replace(row, setup=as_json(self.spec.named(setup, emblems_of(seats))))

    def _seed(self) -> bytes:
        """32 random bytes, or what follows from a chosen seed; none where people type in the luck."""
        if self.typed:
            return b""
        if self.chosen_seed:
            return derive_seed(seed_of(self.chosen_seed), "match", len(self.rows))
        return secrets.token_bytes(32)

    # What was played

    def is_installed(self, row: MatchEntity) -> bool:
        """Whether the rules and the content that a match is played with are those that are here."""
        setup = msgspec.json.decode(row.setup, type=dict[str, Any])
        try:
            digest = content_digest(self.game.key, setup.get("content", 1))
        except UnknownContent:
            return False
        return row.rules == self.game.version and row.content == digest

    async def replay(self, number: int) -> LiveMatch:
        """A match as it is kept."""
        kept = await self.stored(number)
        try:
            check_kept(kept)
            return LiveMatch.from_stored(kept, self.game)
        except Exception as error:  # whatever rules or decoders say of moves that are not theirs
            raise Unreadable(f"match {number} cannot be re-played: {error}") from error

    async def stored(self, number: int) -> StoredMatch:
        found = await self._repository.match(self.table, number)
        if found is None:
            raise NotFound(f"the table has no match {number}")
        return found

    async def standings_after(self, last: Match) -> Result:
        """The standings once this match is over. Earlier episodes are re-played, each in a breath of its own."""
        states = []
        for row in self.counted[:-1]:
            states.append((await self.replay(row.number)).match.state)
            await asyncio.sleep(0)
        return self.game.standings(self.setup, [*states, last.state])


class _Episode(Struct):
    episode: int


def emblems_of(seats: Sequence[SeatEntity]) -> tuple[CityEmblem, ...]:
    """The arms of all seats; none at a table where cities have no names."""
    return tuple(CityEmblem(row.city, row.animal) for row in seats if row.city and row.animal)
