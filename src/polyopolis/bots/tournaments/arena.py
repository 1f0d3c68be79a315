"""Many games between bots, with paired luck: each deck is played once for every way round the table."""

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

CHUNK = 4
"""Games that one hand plays before it asks for more."""


class Contest(Struct, frozen=True):
    """Who plays what, and how often. A shorter list of bots repeats around the table."""

    game: str
    setup: Any
    bots: tuple[str, ...]
    games: int
    seed: str
    plan: tuple[int, ...] = ()
    """The episodes of a campaign: with a plan each game is a whole campaign."""

    def players(self, number: int) -> tuple[str, ...]:
        """The bots by seat in game `number`, from 0: everyone moves one seat on from game to game."""
        seats = self.setup.seats
        return tuple(self.bots[(seat + number) % seats % len(self.bots)] for seat in range(seats))

    def deck(self, number: int) -> int:
        """Games with the same deck share their luck."""
        return number // int(self.setup.seats)

    def seeds(self, number: int) -> tuple[bytes, bytes]:
        """Of the luck, and of the bots."""
        root = seed_of(self.seed)
        return derive_seed(root, "match", self.deck(number)), derive_seed(root, "bots", number)


class Played(Struct, frozen=True):
    """One game of a contest, or one campaign."""

    number: int
    deck: int
    record: Record | CampaignRecord
    result: Result

    @property
    def players(self) -> tuple[str, ...]:
        """Whoever scores without a seat is the Automa."""
        named = self.record.players or ()
        return (*named, *("automa",) * (len(self.scores) - len(named)))

    @property
    def scores(self) -> tuple[int, ...]:
        return self.result.scores

    @property
    def ranks(self) -> tuple[int, ...]:
        return self.result.ranks


class IntervalEstimate(Struct, frozen=True):
    """A mean and half the width of its 95 % interval (Student's t); the interval is missing for a single deck."""

    mean: float
    margin: float | None

    @classmethod
    def of(cls, values: Sequence[float]) -> "IntervalEstimate":
        return cls(fmean(values), mean_margin(values))


class Share(Struct, frozen=True):
    """A share from 0 to 1 and its 95 % interval (Wilson), which is not symmetrical."""

    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, decks: Sequence[Sequence[float]]) -> "Share":
        """From the values (0 to 1) of the games of each deck; every deck has the same weight."""
        return cls(fmean(map(fmean, decks)), *share_interval(decks))

    def percent(self, digits: int = 0) -> str:
        """Formatted as `58 % (50-66 %)`."""
        mean, low, high = (f"{100 * value:.{digits}f}" for value in (self.mean, self.low, self.high))
        return f"{mean} % ({low}-{high} %)"


class BotSummary(Struct, frozen=True):
    """How a bot did."""

    bot: str
    seats: int
    """How many seats it had in all games together."""
    score: IntervalEstimate
    lowest: int
    lead: IntervalEstimate | None
    """By how much its score is above the mean of the other bots; missing when it plays only against itself."""
    wins: Share
    """Its share of the first ranks; a shared one counts in parts."""


def play(rules: AnyGame, setup: Any, players: Sequence[str], seed: bytes, bot_seed: bytes) -> Match:
    """One game between bots, to its end."""
    return play_out(rules, setup, [bot(name) for name in players], seed, bot_seed)


def play_out(rules: AnyGame, setup: Any, bots: Sequence[Bot], seed: bytes, bot_seed: bytes) -> Match:
    dealer = Dealer(seed)
    match = Match.start(rules, setup).deal(dealer)
    while not match.over:
        for seat in sorted(match.due):
            match = match.decide(seat, choose(bots[seat], match, seat, bot_seed))
        match = match.deal(dealer)
    return match


def run(contest: Contest, hands: Executor | None = None, numbers: Iterable[int] | None = None) -> Iterator[Played]:
    """The games of a contest, or some of them, in order, as they are finished."""
    tasks = ((contest, number) for number in (range(contest.games) if numbers is None else numbers))
    yield from (hands or InlineExecutor()).each(_play_number, tasks, CHUNK)


def _play_number(task: tuple[Contest, int]) -> Played:
    contest, number = task
    return _play_campaign(contest, number) if contest.plan else _play_match(contest, number)


def _play_match(contest: Contest, number: int) -> Played:
    players, (seed, bot_seed) = contest.players(number), contest.seeds(number)
    match = play(game(contest.game), contest.setup, players, seed, bot_seed)
    return Played(number, contest.deck(number), record_of(match, players, seed), match.result)


def _play_campaign(contest: Contest, number: int) -> Played:
    players, (seed, bot_seed) = contest.players(number), contest.seeds(number)
    campaign, records = Campaign(game(contest.game), contest.plan, contest.setup), list[Record]()
    while not campaign.over:
        match = play_next(campaign, players, seed, bot_seed)
        records.append(record_of(match, players, derive_seed(seed, "match", len(records))))
        campaign = campaign.add(match)
    record = campaign_record_of(campaign, records, players)
    return Played(number, contest.deck(number), record, campaign.standings())


def play_next(campaign: Campaign, players: Sequence[str], seed: bytes, bot_seed: bytes) -> Match:
    """The next episode of a campaign between bots, to its end."""
    number = len(campaign.matches)
    seeds = derive_seed(seed, "match", number), derive_seed(bot_seed, "match", number)
    return play(campaign.game, campaign.next_setup(), players, *seeds)


def showings(games: Iterable[Played]) -> tuple[BotSummary, ...]:
    """The bots by mean score. Games with the same deck are one observation."""
    decks: dict[int, list[Played]] = {}
    for played in games:
        decks.setdefault(played.deck, []).append(played)
    names = sorted({name for deck in decks.values() for played in deck for name in played.players})
    table = [_showing(name, list(decks.values()), alone=len(names) == 1) for name in names]
    return tuple(sorted(table, key=lambda showing: -showing.score.mean))


def _showing(name: str, decks: Sequence[Sequence[Played]], alone: bool) -> BotSummary:
    own = [[score for played in deck for score in _scores(played, name)] for deck in decks]
    others = [[score for played in deck for score in _scores(played, name, False)] for deck in decks]
    leads = [fmean(mine) - fmean(theirs) for mine, theirs in zip(own, others, strict=True) if mine and theirs]
    return BotSummary(
        bot=name,
        seats=sum(map(len, own)),
        score=IntervalEstimate.of([fmean(scores) for scores in own if scores]),
        lowest=min(score for scores in own for score in scores),
        lead=None if alone else IntervalEstimate.of(leads),
        wins=Share.of([[_win(played, name) for played in deck] for deck in decks]),
    )


def _scores(played: Played, name: str, own: bool = True) -> list[int]:
    return [score for player, score in zip(played.players, played.scores, strict=True) if (player == name) == own]


def _win(played: Played, name: str) -> float:
    winners = [player for player, rank in zip(played.players, played.ranks, strict=True) if rank == 1]
    return winners.count(name) / len(winners)
