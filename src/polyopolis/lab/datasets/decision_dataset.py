"""Plays games between bots and yields every decision: observation, legal actions, the bot's choice and values,
results.

Games and seeds are those of `polyopolis arena`.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from numpy.typing import NDArray

from polyopolis.bots import EXPLAINERS, bot, explain
from polyopolis.bots.tournaments.arena import Contest
from polyopolis.bots.tournaments.executors import Executor
from polyopolis.engine import CHANCE, PolyopolisError
from polyopolis.lab.action_numbers import numbering_of
from polyopolis.lab.environment_ids import EnvironmentId, offers
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations import observer_of
from polyopolis.records import Record, record_of, record_text, verify

GAMES_PER_TASK = 2
"""Games that an executor runs as one task."""


class NoEnvironmentId(PolyopolisError):
    """Raised for a contest without an environment id, which has no action numbers."""


class Seen(NamedTuple):
    """Observation and legal action numbers of a seat."""

    observation: NDArray[Any]
    legal: list[int]


class BotThought(NamedTuple):
    """Chosen action, the options that the bot considered (best first) with their values, and whether values are final
    scores or only comparable with each other. Options are empty if the bot does not explain itself."""

    action: int
    options: list[int] = []
    values: list[float] = []
    final: bool = False


class SeatDecision(NamedTuple):
    """A decision of a seat, with the number of its match from 0 and the number of earlier moves."""

    match: int
    move: int
    seat: int
    seen: Seen
    thought: BotThought


class GameDataset(NamedTuple):
    """A match or campaign: its decisions, then the record, scores and ranks of each match, and the final scores and
    ranks."""

    number: int
    players: tuple[str, ...]
    decisions: list[SeatDecision]
    records: list[str]
    results: list[tuple[Sequence[int], Sequence[int]]]
    final: tuple[Sequence[int], Sequence[int]]


def offer_for(contest: Contest) -> EnvironmentId:
    """Returns the environment id of a contest."""
    what, seats = (contest.game, contest.plan, contest.setup), contest.setup.seats
    for offer in offers().values():
        if seats in offer.seats and (offer.key, offer.plan, offer.setup(seats)) == what:
            return offer
    raise NoEnvironmentId(f"there is no environment id for {contest.game} with this setup")


def play_contest(contest: Contest, executor: Executor) -> Iterator[GameDataset]:
    """Yields all games of a contest in order."""
    yield from executor.map(play_game, ((contest, number) for number in range(contest.games)), GAMES_PER_TASK)


def play_game(task: tuple[Contest, int]) -> GameDataset:
    contest, number = task
    players, (luck, seed) = contest.players(number), contest.seeds(number)
    table = GameTable.begun(offer_for(contest), contest.setup.seats).dealt(luck)
    decisions, records, results = list[SeatDecision](), list[str](), list[tuple[Sequence[int], Sequence[int]]]()
    while not table.over:
        before = table
        for move, seat in enumerate(sorted(before.due), start=len(before.match.moves)):
            thought = _bot_thought(before, players[seat], seat, seed)
            decisions.append(SeatDecision(len(records), move, seat, seen(before, seat), thought))
            table = table.decide(seat, numbering_of(contest.game).action(before.state, seat, thought.action))
        table = table.dealt(luck)
        if table.finished > len(records):
            match = table.campaign.matches[-1] if table.campaign else table.match
            records.append(record_text(record_of(match, players, before.seed_now(luck))))
            results.append((match.result.scores, match.result.ranks))
    return GameDataset(number, players, decisions, records, results, (table.scores, table.ranks))


def seen(table: GameTable, seat: int) -> Seen:
    """Returns the observation and legal actions of a seat, as in all environments."""
    key, state = table.offer.key, table.state
    legal = numbering_of(key).allowed(state, seat, table.rules.legal(state, seat))
    return Seen(observer_of(key, table.seats).observe(table, seat), sorted(legal))


def _bot_thought(table: GameTable, name: str, seat: int, seed: bytes) -> BotThought:
    """Asks a bot. A bot that explains itself takes its first option."""
    numbers, state = numbering_of(table.offer.key), table.state
    if name not in EXPLAINERS:
        return BotThought(numbers.number(state, seat, table.asked(bot(name), seat, seed)))
    found = explain(name, table.match, seat, table.seed_now(seed))
    options = [numbers.number(state, seat, option.action) for option in found.options]
    return BotThought(options[0], options, [option.expected for option in found.options], found.final)


def positions(offer: EnvironmentId, record: str) -> Iterator[tuple[GameTable, int]]:
    """Yields the tables of all rows of a match in order, each with the deciding seat. The record is sufficient."""
    match = verify(msgspec.json.decode(record, type=Record))
    table = GameTable(offer, match.rewound(0))
    for move in match.moves:
        if move.seat != CHANCE:
            yield table, move.seat
        table = table.decide(move.seat, move.action)


def position(offer: EnvironmentId, record: str, move: int) -> GameTable:
    """Returns the table of a row. Raises `RecordError` if the record does not follow the rules."""
    return GameTable(offer, verify(msgspec.json.decode(record, type=Record)).rewound(move))
