"""Contests: many games between bots with common random numbers; each deck is played once in every seating order."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean
from typing import Any

from msgspec import Struct

from polyopolis.bots import Bot, bot, choose
from polyopolis.bots.tournaments.executors import Executor, InlineExecutor
from polyopolis.confidence_intervals import mean_margin, share_interval
from polyopolis.engine import AnyGame, Campaign, Dealer, Match, Result, derive_seed, seed_of
from polyopolis.games import game
from polyopolis.records import CampaignRecord, Record, campaign_record_of, record_of

GAMES_PER_BATCH = 4
"""Games per task of an executor."""


class Contest(Struct, frozen=True):
    """Game, bots and number of games of a contest. A list of bots shorter than the number of seats is repeated."""

    game: str
    setup: Any
    bots: tuple[str, ...]
    games: int
    seed: str
    plan: tuple[int, ...] = ()
    """Episodes of a campaign. If not empty, each game is a whole campaign."""

    def players(self, number: int) -> tuple[str, ...]:
        """The bots by seat in game `number`, from 0. The bots move by one seat from game to game."""
        seats = self.setup.seats
        return tuple(self.bots[(seat + number) % seats % len(self.bots)] for seat in range(seats))

    def deck(self, number: int) -> int:
        """Deck of a game. Games with the same deck have the same chance events."""
        return number // int(self.setup.seats)

    def seeds(self, number: int) -> tuple[bytes, bytes]:
        """Seeds of the dealer and of the bots."""
        root = seed_of(self.seed)
        return derive_seed(root, "match", self.deck(number)), derive_seed(root, "bots", number)


class PlayedGame(Struct, frozen=True):
    """Result of one game, or of one campaign, of a contest."""

    number: int
    deck: int
    record: Record | CampaignRecord
    result: Result

    @property
    def players(self) -> tuple[str, ...]:
        """Names by score; a score without a seat belongs to the Automa."""
        named = self.record.players or ()
        return (*named, *("automa",) * (len(self.scores) - len(named)))

    @property
    def scores(self) -> tuple[int, ...]:
        return self.result.scores

    @property
    def ranks(self) -> tuple[int, ...]:
        return self.result.ranks


class IntervalEstimate(Struct, frozen=True):
    """A mean with half the width of its 95 % confidence interval (Student's t); None for a single observation."""

    mean: float
    margin: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "IntervalEstimate":
        return cls(fmean(values), mean_margin(values))


class ShareEstimate(Struct, frozen=True):
    """A share from 0 to 1 with its 95 % confidence interval (Wilson), which is not symmetrical."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, decks: Sequence[Sequence[float]]) -> "ShareEstimate":
        """Estimates the share from the values (0 to 1) of the games of each deck. All decks have the same weight."""
        return cls(fmean(map(fmean, decks)), *share_interval(decks))

    def percent(self, digits: int = 0) -> str:
        """Formatted as `58 % (50-66 %)`."""
        mean, low, high = (f"{100 * value:.{digits}f}" for value in (self.mean, self.low, self.high))
        return f"{mean} % ({low}-{high} %)"


class BotSummary(Struct, frozen=True):
    """Results of a bot in a contest."""

    bot: str
    seats: int
    """Number of seats in all games together."""
    score: IntervalEstimate
    lowest: int
    lead: IntervalEstimate | None
    """Difference of its score from the mean of the other bots; None if it plays only against itself."""
    wins: ShareEstimate
    """Share of games won; a shared first rank counts as a fraction."""


def play(rules: AnyGame, setup: Any, players: Sequence[str], seed: bytes, bot_seed: bytes) -> Match:
    """Plays one game between bots, given by name."""
    return play_out(rules, setup, [bot(name) for name in players], seed, bot_seed)


def play_out(rules: AnyGame, setup: Any, bots: Sequence[Bot], seed: bytes, bot_seed: bytes) -> Match:
    dealer = Dealer(seed)
    match = Match.start(rules, setup).deal(dealer)
    while not match.over:
        for seat in sorted(match.due):
            match = match.decide(seat, choose(bots[seat], match, seat, bot_seed))
        match = match.deal(dealer)
    return match


def run_contest(
    contest: Contest, executor: Executor | None = None, numbers: Iterable[int] | None = None
) -> Iterator[PlayedGame]:
    """Yields the games of a contest in order, or only those with the given numbers."""
    tasks = ((contest, number) for number in (range(contest.games) if numbers is None else numbers))
    yield from (executor or InlineExecutor()).map(_play_number, tasks, GAMES_PER_BATCH)


def _play_number(task: tuple[Contest, int]) -> PlayedGame:
    contest, number = task
    return _play_campaign(contest, number) if contest.plan else _play_match(contest, number)


def _play_match(contest: Contest, number: int) -> PlayedGame:
    players, (seed, bot_seed) = contest.players(number), contest.seeds(number)
    match = play(game(contest.game), contest.setup, players, seed, bot_seed)
    return PlayedGame(number, contest.deck(number), record_of(match, players, seed), match.result)


def _play_campaign(contest: Contest, number: int) -> PlayedGame:
    players, (seed, bot_seed) = contest.players(number), contest.seeds(number)
    campaign, records = Campaign(game(contest.game), contest.plan, contest.setup), list[Record]()
    while not campaign.over:
        match = play_next(campaign, players, seed, bot_seed)
        records.append(record_of(match, players, derive_seed(seed, "match", len(records))))
        campaign = campaign.add(match)
    record = campaign_record_of(campaign, records, players)
    return PlayedGame(number, contest.deck(number), record, campaign.standings())


def play_next(campaign: Campaign, players: Sequence[str], seed: bytes, bot_seed: bytes) -> Match:
    """Plays the next episode of a campaign between bots."""
    number = len(campaign.matches)
    seeds = derive_seed(seed, "match", number), derive_seed(bot_seed, "match", number)
    return play(campaign.game, campaign.next_setup(), players, *seeds)


def bot_summaries(games: Iterable[PlayedGame]) -> tuple[BotSummary, ...]:
    """Summaries of all bots, highest mean score first. Games with the same deck are one observation."""
    decks: dict[int, list[PlayedGame]] = {}
    for played in games:
        decks.setdefault(played.deck, []).append(played)
    names = sorted({name for deck in decks.values() for played in deck for name in played.players})
    table = [_summary(name, list(decks.values()), alone=len(names) == 1) for name in names]
    return tuple(sorted(table, key=lambda showing: -showing.score.mean))


def _summary(name: str, decks: Sequence[Sequence[PlayedGame]], alone: bool) -> BotSummary:
    own = [[score for played in deck for score in _scores(played, name)] for deck in decks]
    others = [[score for played in deck for score in _scores(played, name, False)] for deck in decks]
    leads = [fmean(mine) - fmean(theirs) for mine, theirs in zip(own, others, strict=True) if mine and theirs]
    return BotSummary(
        bot=name,
        seats=sum(map(len, own)),
        score=IntervalEstimate.of([fmean(scores) for scores in own if scores]),
        lowest=min(score for scores in own for score in scores),
        lead=None if alone else IntervalEstimate.of(leads),
        wins=ShareEstimate.of([[_win(played, name) for played in deck] for deck in decks]),
    )


def _scores(played: PlayedGame, name: str, own: bool = True) -> list[int]:
    return [score for player, score in zip(played.players, played.scores, strict=True) if (player == name) == own]


def _win(played: PlayedGame, name: str) -> float:
    winners = [player for player, rank in zip(played.players, played.ranks, strict=True) if rank == 1]
    return winners.count(name) / len(winners)
