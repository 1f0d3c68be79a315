"""Counterfactuals: replays a match with the same luck and another player in one seat."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from polyopolis.bots import Bot, choose
from polyopolis.bots.levels import LEVELS
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, derive_seed
from polyopolis.kernels.placing.layout import MAX_ROLLS

Decider = Callable[[Match, int], Any]
Decisions = Mapping[str, Sequence[Any]]
"""Decisions of one seat in order, by kind: buildings, and the other kinds of an episode."""
BUILDING = "building"
"""Kind of a decision on a building."""


class ReplayedChoice(Struct, frozen=True):
    """A card or roll, and the action of the seat. The seat builds no more after the last choice."""

    luck: Any
    action: Any


class Counterfactual:
    """Replays a match with different decisions of one seat; the other seats repeat theirs.

    With its dealer the luck continues after the end of the match, as it would have been dealt.
    """

    def __init__(self, match: Match, seat: int, dealer: Dealer | None = None) -> None:
        self.match, self.seat = match, seat
        self.luck = luck_of(match, dealer)
        self.decisions = decisions_of(match)

    def replay(self, decide: Decider) -> tuple[Match, tuple[ReplayedChoice, ...]]:
        """Returns the match with the decisions of `decide` in this seat, and these decisions.

        Other seats whose recorded action is no longer legal take their last legal action, which does nothing.
        """
        playing = self.replay_rounds(decide)
        while True:
            try:
                next(playing)
            except StopIteration as end:
                found: tuple[Match, tuple[ReplayedChoice, ...]] = end.value
                return found

    def replay_rounds(self, decide: Decider) -> Generator[None, None, tuple[Match, tuple[ReplayedChoice, ...]]]:
        """Like `replay`, but yields after every round."""
        match, luck, came = Match.start(self.match.game, self.match.setup), iter(self.luck), None
        deciders = [recorded_decider(decisions) for decisions in self.decisions]
        deciders[self.seat] = decide
        choices = list[ReplayedChoice]()
        while match.due and decision_kind(match.state) != "reward":
            if match.due == {CHANCE}:
                came = next(luck, None)
                if came is None:
                    break
                match = match.decide(CHANCE, came)
                continue
            actions = {seat: deciders[seat](match, seat) for seat in sorted(match.due)}
            for seat, action in actions.items():
                match = match.decide(seat, action)
            if self.seat in actions:
                choices.append(ReplayedChoice(came, actions[self.seat]))
            yield
        return match, tuple(choices)

    def score(self, decide: Decider) -> int:
        return self.replay(decide)[0].result.scores[self.seat]

    def par(self, games: int, seed: bytes, bot: Bot = LEVELS["level-5"]) -> Iterator[int | None]:
        """Yields the scores of a bot in this seat in this number of games, and None after each round. The games differ
        only in the seed of the bot, which does not know the luck. The mean score is the par of the deck."""
        for number in range(games):
            match, _ = yield from self.replay_rounds(partial(_bot_choice, bot, derive_seed(seed, "par", number)))
            yield match.result.scores[self.seat]


def _bot_choice(bot: Bot, seed: bytes, match: Match, seat: int) -> Any:
    return choose(bot, match, seat, seed)


def decision_kind(state: Any) -> str:
    """Kind of the decision that is due."""
    return str(getattr(state, "asks", BUILDING))


def recorded_decider(decisions: Decisions) -> Decider:
    """Returns a decider that repeats recorded decisions. If one is not legal it takes the last legal action, which does
    nothing."""
    queues = {asks: iter(actions) for asks, actions in decisions.items()}

    def decide(match: Match, seat: int) -> Any:
        action = next(queues.get(decision_kind(match.state), iter(())), None)
        return match.game.legal(match.state, seat)[-1] if action is None or match.why_not(seat, action) else action

    return decide


def decisions_of(match: Match) -> list[dict[str, list[Any]]]:
    """The decisions of each seat."""
    found: list[dict[str, list[Any]]] = [{} for _ in range(match.setup.seats)]
    state = match.game.start(match.setup)
    for move in match.moves:
        if move.seat != CHANCE:
            found[move.seat].setdefault(decision_kind(state), []).append(move.action)
        state = match.game.apply(state, move.seat, move.action).state
    return found


def states_after_chance(game: AnyGame, setup: Any, luck: Sequence[Any]) -> Iterator[Any]:
    """Yields the state after each card or roll if no seat ever acts."""
    state = game.start(setup)
    for action in luck:
        state = game.apply(state, CHANCE, action).state
        yield state


def luck_of(match: Match, dealer: Dealer | None = None) -> list[Any]:
    """All cards and rolls of a match in order; with its dealer also those that would have followed."""
    game, luck = match.game, [move.action for move in match.moves if move.seat == CHANCE]
    *_, state = game.start(match.setup), *states_after_chance(game, match.setup, luck)
    while dealer and len(luck) < MAX_ROLLS and (odds := game.odds(state)):
        luck.append(dealer.pick(len(luck), odds))
        state = game.apply(state, CHANCE, luck[-1]).state
    return luck
