"""A match played once more with the same luck, by somebody else in one of its seats."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct

from polyopolis.bots import Bot, choose
from polyopolis.bots.levels import LEVELS
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, derive_seed
from polyopolis.kernels.placing.layout import MOST_LUCK

Decider = Callable[[Match, int], Any]
Decisions = Mapping[str, Sequence[Any]]
"""Of one seat, in their order, by what was asked: buildings, and whatever an episode has beside them."""
BUILDING = "building"


class Choice(Struct, frozen=True):
    """A card or roll as it came, and what is done with it. After the last one nothing more is built."""

    luck: Any
    action: Any


class Counterfactual:
    """With a dealer luck goes on after the match was over: as it would have come. The others do what they did."""

    def __init__(self, match: Match, seat: int, dealer: Dealer | None = None) -> None:
        self.match, self.seat = match, seat
        self.luck = luck_of(match, dealer)
        self.decisions = decisions_of(match)

    def played(self, decide: Decider) -> tuple[Match, tuple[Choice, ...]]:
        """The match as it would have been if somebody else had decided in this seat, by the rules, and what they
        decided. Others who may not do any more what they did stop."""
        playing = self.playing(decide)
        while True:
            try:
                next(playing)
            except StopIteration as end:
                found: tuple[Match, tuple[Choice, ...]] = end.value
                return found

    def playing(self, decide: Decider) -> Generator[None, None, tuple[Match, tuple[Choice, ...]]]:
        """The same, with a rest after every round."""
        match, luck, came = Match.start(self.match.game, self.match.setup), iter(self.luck), None
        deciders = [as_decided(decisions) for decisions in self.decisions]
        deciders[self.seat] = decide
        choices = list[Choice]()
        while match.due and asked(match.state) != "reward":
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
                choices.append(Choice(came, actions[self.seat]))
            yield
        return match, tuple(choices)

    def score(self, decide: Decider) -> int:
        return self.played(decide)[0].result.scores[self.seat]

    def par(self, games: int, seed: bytes, bot: Bot = LEVELS["level-5"]) -> Iterator[int | None]:
        """What the best level comes to in this seat, which does not know what comes: so many games, each with other
        ties; None after a round, while one is played. Their mean is the par of the deck."""
        for number in range(games):
            match, _ = yield from self.playing(partial(_chosen, bot, derive_seed(seed, "par", number)))
            yield match.result.scores[self.seat]


def _chosen(bot: Bot, seed: bytes, match: Match, seat: int) -> Any:
    return choose(bot, match, seat, seed)


def asked(state: Any) -> str:
    """What those who act decide on."""
    return str(getattr(state, "asks", BUILDING))


def as_decided(decisions: Decisions) -> Decider:
    """Whoever does what was decided, if it may be; else the last thing one may do, which is nothing."""
    queues = {asks: iter(actions) for asks, actions in decisions.items()}

    def decide(match: Match, seat: int) -> Any:
        action = next(queues.get(asked(match.state), iter(())), None)
        return match.game.legal(match.state, seat)[-1] if action is None or match.why_not(seat, action) else action

    return decide


def decisions_of(match: Match) -> list[dict[str, list[Any]]]:
    """What each seat decided."""
    found: list[dict[str, list[Any]]] = [{} for _ in range(match.setup.seats)]
    state = match.game.start(match.setup)
    for move in match.moves:
        if move.seat != CHANCE:
            found[move.seat].setdefault(asked(state), []).append(move.action)
        state = match.game.apply(state, move.seat, move.action).state
    return found


def walked(game: AnyGame, setup: Any, luck: Sequence[Any]) -> Iterator[Any]:
    """The states after each card or roll, if nobody ever builds, passes or stops."""
    state = game.start(setup)
    for action in luck:
        state = game.apply(state, CHANCE, action).state
        yield state


def luck_of(match: Match, dealer: Dealer | None = None) -> list[Any]:
    """All cards and rolls of a match in their order; with its dealer those that would have come, too."""
    game, luck = match.game, [move.action for move in match.moves if move.seat == CHANCE]
    *_, state = game.start(match.setup), *walked(game, match.setup, luck)
    while dealer and len(luck) < MOST_LUCK and (odds := game.odds(state)):
        luck.append(dealer.pick(len(luck), odds))
        state = game.apply(state, CHANCE, luck[-1]).state
    return luck
