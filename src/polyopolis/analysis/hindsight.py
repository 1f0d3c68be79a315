"""Hindsight: the best city with the luck as it came, and a bound that no city can exceed.

Both are always told; the city is the best one only where they meet. No decision is judged by this: whoever decided did
not know what would come.
"""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from msgspec import Struct

from polyopolis.bots import Bot, choose
from polyopolis.bots.levels import LEVELS
from polyopolis.bots.weighing import flat, weights_for
from polyopolis.engine import CHANCE, AnyGame, Dealer, Match, PolyopolisError, derived
from polyopolis.kernels.beams import Prospect
from polyopolis.kernels.cities import City, CityPosition, position_of
from polyopolis.kernels.placing import layout
from polyopolis.kernels.positions import features_of
from polyopolis.kernels.tables import has_kernel

WIDTHS = (10, 100, 1000)
"""Cities side by side, from a first answer to a good one."""
MOST_LUCK = layout.MOST_LUCK
"""So many rolls are looked at where dice never end."""


class NoHindsight(PolyopolisError):
    """There is nothing to be known afterwards: not in this game, or nothing came."""


class Choice(Struct, frozen=True):
    """A card or roll as it came, and what is done with it. After the last one nothing more is built."""

    luck: Any
    action: Any


class Hindsight(Struct, frozen=True):
    """What is known afterwards."""

    score: int
    """Of the best city that was found."""
    bound: int
    """No city can exceed it."""
    choices: tuple[Choice, ...]
    width: int
    """How many cities were looked at side by side."""

    @property
    def proven(self) -> bool:
        return self.score == self.bound


class Progress(Struct, frozen=True):
    """How far a search of this width has come, from 0 to 1."""

    width: int
    share: float


class Afterwards:
    """A match that was played and one of its seats, to be played again with the same luck.

    With a dealer luck goes on after the match was over: as it would have come. The others do what they did.
    """

    def __init__(self, match: Match, seat: int, dealer: Dealer | None = None) -> None:
        if not has_kernel(match.game.key, match.game.start(match.setup), seat):
            raise NoHindsight(f"there is no hindsight in {match.game.key}")
        self._match, self._seat = match, seat
        self._luck = luck_of(match, dealer)
        self._played = _decisions(match)

    def known(self) -> Hindsight:
        """The best of what was played, by anybody, on this board: before anything is looked for."""
        told = [self._told(decisions, self._prospect.bound, 0) for decisions in self._played]
        return max(told, key=lambda found: (found.score, -len(found.choices)))

    def found(self, widths: Sequence[int] = WIDTHS) -> Iterator[Hindsight | Progress]:
        """What is known, then better and better with growing width, and in between how far that has come. Whoever does
        not go on asking has cancelled it."""
        best = self.known()
        yield best
        for width in widths:
            if best.proven:
                return
            best = yield from self._wider(best, width)
            yield best

    def _wider(self, best: Hindsight, width: int) -> Generator[Progress, None, Hindsight]:
        search = self._prospect.grown(width, best.score)
        while True:
            try:
                yield Progress(width, next(search))
            except StopIteration as end:
                grown = end.value
                break
        bound = min(best.bound, grown.bound)
        if grown.choices is None:
            return Hindsight(best.score, bound, best.choices, width)
        return self._told(self._actions(grown.choices), bound, width)

    @cached_property
    def _prospect(self) -> Prospect:
        """The city of the seat before its first building, and all that comes."""
        game, state, seat = self._match.game, self._match.game.start(self._match.setup), self._seat
        position = _position(game, state, seat)
        weights = weights_for(game.key, position.part, position.site)
        kiosks = getattr(state.cities[seat], "kiosks", 0)
        tasks = [task for _, task in self._tasks()]
        valued = flat({name: pair for name, pair in weights.items() if name != "purses"}, features_of(game.key))
        return Prospect(position.city, tasks, self._shut(len(tasks)), valued, kiosks)

    def _tasks(self) -> Iterator[tuple[Any, int]]:
        """Everything that comes, and what the seat is asked to build; WAIT if it is not asked."""
        game = self._match.game
        for luck, state in zip(self._luck, walked(game, self._match.setup, self._luck), strict=True):
            asked = self._seat in game.to_act(state)
            yield luck, _position(game, state, self._seat).task if asked else layout.WAIT

    def _shut(self, rounds: int) -> list[int]:
        """With which card or roll somebody else has reached the goal of a race."""
        shut, game, now = [0] * rounds, self._match.game, self._match.game.start(self._match.setup)
        others, drawn = [seat for seat in range(self._match.setup.seats) if seat != self._seat], 0
        if not getattr(now, "open_races", ()):
            return shut
        for move in self._match.moves:
            now = game.apply(now, move.seat, move.action).state
            drawn += move.seat == CHANCE
            if move.seat != CHANCE and _asks(now) != "reward":
                for seat in others:
                    shut[drawn - 1] |= _goals(_position(game, now, seat).city)
        return shut

    def _actions(self, choices: Sequence[int]) -> "Decisions":
        """The choices of a beam as the rules name them; it adds no kiosks."""
        site = _position(self._match.game, self._match.game.start(self._match.setup), self._seat).city.site
        position = CityPosition(City.laid_out(site), 0, site.deck)
        return {BUILDING: [position.action(choice) for choice in choices if choice != layout.WAIT]}

    def _told(self, decisions: "Decisions", bound: int, width: int) -> Hindsight:
        """What comes of these decisions, by the rules."""
        match, choices = self.replayed(_in_order(decisions))
        return Hindsight(match.result.scores[self._seat], bound, tuple(choices), width)

    def par(self, games: int, seed: bytes, bot: Bot = LEVELS["level-5"]) -> Iterator[int]:
        """What the best level comes to in this seat with the same luck, which it does not know: so many games, each with
        other ties. Their mean is the par of the deck."""
        for number in range(games):
            ties = derived(seed, "par", number)
            yield self.replayed(partial(_chosen, bot, ties))[0].result.scores[self._seat]

    def replayed(self, decide: "Decider") -> tuple[Match, list[Choice]]:
        """The match as it would have been if somebody else had decided in this seat: by the rules, and with the same
        luck. The others do what they did; where that is not allowed any more they stop."""
        match, luck, came = Match.start(self._match.game, self._match.setup), iter(self._luck), None
        deciders = [_in_order(decisions) for decisions in self._played]
        deciders[self._seat] = decide
        choices = list[Choice]()
        while match.due and _asks(match.state) != "reward":
            if match.due == {CHANCE}:
                came = next(luck, None)
                if came is None:
                    break
                match = match.decide(CHANCE, came)
                continue
            before = match
            for seat in sorted(match.due):
                match = match.decide(seat, deciders[seat](before, seat))
            if self._seat in before.due:
                choices.append(Choice(came, match.moves[-len(before.due) + sorted(before.due).index(self._seat)].action))
        return match, choices


Decisions = Mapping[str, Sequence[Any]]
"""Of one seat, in their order, by what was asked: buildings, and whatever an episode has beside them."""
Decider = Callable[[Match, int], Any]
BUILDING = "building"


def _asks(state: Any) -> str:
    return getattr(state, "asks", BUILDING)


def _in_order(decisions: Decisions) -> Decider:
    """Whoever does what was decided, if it may be; else the last thing one may do, which is nothing."""
    queues = {asks: iter(actions) for asks, actions in decisions.items()}

    def decide(match: Match, seat: int) -> Any:
        action = next(queues.get(_asks(match.state), iter(())), None)
        return match.game.legal(match.state, seat)[-1] if action is None or match.why_not(seat, action) else action

    return decide


def _chosen(bot: Bot, seed: bytes, match: Match, seat: int) -> Any:
    return choose(bot, match, seat, seed)


def _decisions(match: Match) -> list[dict[str, list[Any]]]:
    """What each seat decided."""
    found: list[dict[str, list[Any]]] = [{} for _ in range(match.setup.seats)]
    state = match.game.start(match.setup)
    for move in match.moves:
        if move.seat != CHANCE:
            found[move.seat].setdefault(_asks(state), []).append(move.action)
        state = match.game.apply(state, move.seat, move.action).state
    return found


def _position(game: AnyGame, state: Any, seat: int) -> CityPosition:
    return position_of(game.key, state, seat)


def _goals(city: City) -> int:
    """The races whose goal a city has reached, by bits."""
    land, law, free = city.site.ground.land, city.site.ground.law, city.town.city
    goal = [int(land[layout.GOAL + word]) for word in range(2)]
    gold = any(goal) and not any(goal[word] & int(free[layout.FREE + word]) for word in range(2))
    woods = sum((int(land[layout.WOODS + word]) & ~int(free[layout.FREE + word])).bit_count() for word in range(2))
    return layout.SHUT_RACE * gold | layout.SHUT_FOREST * (0 < int(law[layout.FELLING]) <= woods)


def walked(game: AnyGame, setup: Any, luck: Sequence[Any]) -> Iterator[Any]:
    """The states after each card or roll, as if nobody ever stopped."""
    state = game.start(setup)
    for action in luck:
        state = game.apply(state, CHANCE, action).state
        yield state


def luck_of(match: Match, dealer: Dealer | None = None) -> list[Any]:
    """All cards and rolls of a match in their order; with its dealer those that would have come, too."""
    game, state = match.game, match.game.start(match.setup)
    luck = [move.action for move in match.moves if move.seat == CHANCE]
    for state in walked(game, match.setup, luck):  # noqa: B007 - the last one goes on
        pass
    while dealer and len(luck) < MOST_LUCK and (odds := game.odds(state)):
        luck.append(dealer.pick(len(luck), odds))
        state = game.apply(state, CHANCE, luck[-1]).state
    return luck
