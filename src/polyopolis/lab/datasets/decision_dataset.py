"""Games between bots, a row for each decision: what a seat saw and could do, what it did and thought, what came of it.

Games and luck are those of `polyopolis arena` with the same seed.
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
from polyopolis.records import Record, record_of, text_of, verify

CHUNK = 2
"""Games that one hand plays before it asks for more."""


class NotOffered(PolyopolisError):
    """What has no id in the laboratory has no fixed numbers."""


class Seen(NamedTuple):
    """What a seat saw and could do: what follows from a position alone."""

    observation: NDArray[Any]
    legal: list[int]


class Thought(NamedTuple):
    """What a bot does; what it says it thought of, the best first, and expected of each; whether those are final scores
    or only good for comparing. A bot that explains nothing has no options."""

    action: int
    options: list[int] = []
    values: list[float] = []
    final: bool = False


class Decision(NamedTuple):
    """One of a seat, in which match of the game, from 0, and after how many of its moves."""

    match: int
    move: int
    seat: int
    seen: Seen
    thought: Thought


class GameDataset(NamedTuple):
    """A game, or a campaign: its decisions, and of each match the record and who came to what; and all in all."""

    number: int
    players: tuple[str, ...]
    decisions: list[Decision]
    records: list[str]
    results: list[tuple[Sequence[int], Sequence[int]]]
    final: tuple[Sequence[int], Sequence[int]]


def offer_for(contest: Contest) -> EnvironmentId:
    """What a contest plays, by its id."""
    what, seats = (contest.game, contest.plan, contest.setup), contest.setup.seats
    for offer in offers().values():
        if seats in offer.seats and (offer.key, offer.plan, offer.setup(seats)) == what:
            return offer
    raise NotOffered(f"the laboratory has no id for {contest.game} with this setup")


def harvested(contest: Contest, hands: Executor) -> Iterator[GameDataset]:
    """All games of a contest in order, whoever plays them."""
    yield from hands.each(play, ((contest, number) for number in range(contest.games)), CHUNK)


def play(task: tuple[Contest, int]) -> GameDataset:
    contest, number = task
    players, (luck, seed) = contest.players(number), contest.seeds(number)
    table = GameTable.begun(offer_for(contest), contest.setup.seats).dealt(luck)
    decisions, records, results = list[Decision](), list[str](), list[tuple[Sequence[int], Sequence[int]]]()
    while not table.over:
        before = table
        for move, seat in enumerate(sorted(before.due), start=len(before.match.moves)):
            thought = _thought(before, players[seat], seat, seed)
            decisions.append(Decision(len(records), move, seat, seen(before, seat), thought))
            table = table.decide(seat, numbering_of(contest.game).action(before.state, seat, thought.action))
        table = table.dealt(luck)
        if table.finished > len(records):
            match = table.campaign.matches[-1] if table.campaign else table.match
            records.append(text_of(record_of(match, players, before.seed_now(luck))))
            results.append((match.result.scores, match.result.ranks))
    return GameDataset(number, players, decisions, records, results, (table.scores, table.ranks))


def seen(table: GameTable, seat: int) -> Seen:
    """As every environment here shows it."""
    key, state = table.offer.key, table.state
    legal = numbering_of(key).allowed(state, seat, table.rules.legal(state, seat))
    return Seen(observer_of(key, table.seats).observe(table, seat), sorted(legal))


def _thought(table: GameTable, name: str, seat: int, seed: bytes) -> Thought:
    """Whoever can explain does what he names first."""
    numbers, state = numbering_of(table.offer.key), table.state
    if name not in EXPLAINERS:
        return Thought(numbers.number(state, seat, table.asked(bot(name), seat, seed)))
    found = explain(name, table.match, seat, table.seed_now(seed))
    options = [numbers.number(state, seat, option.action) for option in found.options]
    return Thought(options[0], options, [option.expected for option in found.options], found.final)


def positions(offer: EnvironmentId, record: str) -> Iterator[tuple[GameTable, int]]:
    """The tables of all rows of a match, in their order, each with the seat that decides: from its record alone."""
    match = verify(msgspec.json.decode(record, type=Record))
    table = GameTable(offer, match.rewound(0))
    for move in match.moves:
        if move.seat != CHANCE:
            yield table, move.seat
        table = table.decide(move.seat, move.action)


def position(offer: EnvironmentId, record: str, move: int) -> GameTable:
    """The table of a row, from its record alone and by the rules: RecordError if nobody can have played that."""
    return GameTable(offer, verify(msgspec.json.decode(record, type=Record)).rewound(move))
