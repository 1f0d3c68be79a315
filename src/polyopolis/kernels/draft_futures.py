"""The futures of Point City: every card has its place, the faces of each tier and the buildings behind each face."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.rules import scores
from polyopolis.games.pointcity.state import State
from polyopolis.kernels.draft_position import DraftPosition, new_tree, position_of
from polyopolis.kernels.drafting import layout, search, tree_rollouts
from polyopolis.kernels.match_futures import FutureResults, Weigh, shuffled, word_of
from polyopolis.kernels.runtime.jit import Ints, floats, int_rows, ints

Copy = tuple[int, int]
"""One of several cards that are alike: what it is, and which of them."""
Counts = dict[int, int]
"""How many of each there are."""
PREPARING = ("tokens", "first", "opening", "choose")
"""Phases before anything that counts."""
THOROUGH = 2400
"""Simulations of a city with which the best level searches: choices are judged as far ahead as it looks."""
TOLD = 96
"""Futures at most that are played to their end after a choice: that is told of it, and compared is what is known
sooner."""
LEARNING, JUDGING = 1, 2
"""For each future that is asked for so many simulations in which it is learnt what does well after a choice, and so
many shorter futures in which it is judged."""


class Pile:
    """Cards of which one after the other is turned up: the faces of a tier, or the buildings behind a face."""

    def __init__(self, at: int, whole: Sequence[tuple[int, int]]) -> None:
        self.at = at
        self._copies = [(what, copy) for what, count in whole for copy in range(count)]
        self.told: dict[int, list[Copy]] = {}

    def tell(self, future: int, luck: Any) -> None:
        self.told[future] = shuffled(self._copies, luck)

    def left(self, future: int, counts: Counts) -> list[int]:
        """In the order of a future; of those alike the first ones are left."""
        return [what for what, copy in self.told[future] if copy < counts.get(what, 0)]


class Script:
    """What is to come in some futures, as the kernel reads it."""

    def __init__(self, futures: range) -> None:
        self._futures = futures
        self.rows = int_rows(len(futures), layout.COMING)
        self._written: dict[int, Counts] = {}

    def write(self, piles: Sequence[Pile], left: Sequence[Counts]) -> None:
        """What is left in each pile; most of it stands there already."""
        for pile, counts in zip(piles, left, strict=True):
            if self._written.get(pile.at) != counts:
                self._written[pile.at] = counts
                for row, future in enumerate(self._futures):
                    if coming := pile.left(future, counts):
                        self.rows[row][pile.at : pile.at + len(coming)] = ints(coming)


class DraftFutureSimulator:
    """Everybody at one table: what one takes the others lack.

    What comes next is left to the futures: which luck is next depends on what is chosen, and only so a choice that is
    best at sight comes to the very same as what was expected before it.

    Choices are judged deeper than that: sight carries out no plan, and would call those mistakes who have one.
    """

    APART = False
    LEARNS = True

    def __init__(self, seed: int, weigh: Weigh) -> None:
        self._seed, self._weigh = seed, weigh
        self._piles: list[Pile] = []
        self._known: set[int] = set()
        self._scripts: dict[range, Script] = {}

    def knows(self, state: State) -> bool:
        return state.phase not in PREPARING

    def topic(self, state: State) -> str:
        return state.phase

    def final(self, state: State) -> list[float]:
        return [float(score) for score in scores(state).scores]

    def expected(self, state: State, futures: range) -> FutureResults:
        position = position_of(state)
        (found,) = self._at_sight(position, [layout.NONE], self._orders(position, state, futures))
        return found

    def judged(self, state: State, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        """What comes of the line of the solo game lies beyond any plan."""
        position = position_of(state)
        choices = [position.choice(action) for action in actions]
        if state.phase == "line":
            return self._at_sight(position, choices, self._orders(position, state, futures))
        orders = self._orders(position, state, futures[:TOLD])
        return [self._learnt(position, choice, futures, orders) for choice in choices]

    def candidates(self, state: State, seat: int, width: int) -> list[Any]:
        position = position_of(state)
        weights = self._weigh(position.part, position.site)
        valued = sorted(position.valued(weights), key=lambda pair: -pair[0])
        return [position.action(choice) for _, choice in valued[:width]]

    def _at_sight(self, position: DraftPosition, choices: Sequence[int], orders: Sequence[Ints]) -> list[FutureResults]:
        """To the end by what is worth most at sight, which is the choice NONE, too."""
        site, draft = position.site, position.draft
        results = int_rows(len(choices) * site.players, len(orders))
        weights = position.rows(self._weigh(position.part, site))
        search.foretold(site.law, draft.numbers, ints(choices), orders, weights, draft.room, results)
        return _outlooks(position, len(choices), results)

    def _learnt(self, position: DraftPosition, choice: int, futures: range, orders: Sequence[Ints]) -> FutureResults:
        """With a tree as far as the best level looks ahead. Trees after all choices grow with the same luck, each for
        itself, so that none is judged otherwise because of the others."""
        site, draft, effort = position.site, position.draft, position.effort(THOROUGH)
        plan = layout.Plan(LEARNING * len(futures), 1, effort.turns * site.players, effort.growing)
        weights, luck = position.rows(self._weigh(position.part, site)), word_of(self._seed + 1, futures.start)
        leads, hopes = (floats([0.0] * JUDGING * len(futures)) for _ in range(2))
        results = int_rows(site.players, len(orders))
        tree_rollouts.learnt(
            site.law, draft.numbers, plan, choice, luck, orders, weights, draft.room, new_tree(), leads, hopes, results
        )
        (found,) = _outlooks(position, 1, results)
        found.leads = [float(lead) for lead in leads]
        surplus = (float(hope) - lead for hope, lead in zip(hopes, found.leads, strict=True))
        found.chances = [0.5 + each / (2 * layout.WINNING) for each in surplus]
        return found

    def _orders(self, position: DraftPosition, state: State, futures: range) -> Sequence[Ints]:
        """What is to come, in all piles, a row for each future."""
        if not self._piles:
            self._piles = _piles(position)
        for future in futures:
            if future not in self._known:
                self._known.add(future)
                luck = word_of(self._seed, future)
                for pile in self._piles:
                    pile.tell(future, luck)
        if futures not in self._scripts:
            latest = list(self._scripts.items())[-1:]
            self._scripts = {**dict(latest), futures: Script(futures)}
        script = self._scripts[futures]
        script.write(self._piles, _counts(position, state))
        return script.rows


def _outlooks(position: DraftPosition, choices: int, results: Sequence[Ints]) -> list[FutureResults]:
    """Points and standings, by choice and player."""
    players, automa, found = position.site.players, position.site.setup.automa is not UNSET, []
    for at in range(0, choices * players, players):
        rows = [[int(ended) for ended in results[at + player]] for player in range(players)]
        points = [[float(ended // layout.TIED) for ended in row] for row in rows]
        standing = [[ended + 0.5 * (automa and player) for ended in row] for player, row in enumerate(rows)]
        found.append(FutureResults(points, standing))
    return found


def _piles(position: DraftPosition) -> list[Pile]:
    whole, numbers = content(position.site.setup.content), position.site.card_number
    tiers = [
        Pile(tier * layout.MOST_FACES, [(side.index, count) for side, count in pool])
        for tier, pool in enumerate(whole.faces)
    ]
    sides = [
        Pile(layout.BEHIND + side * layout.MOST_BACKS, [(numbers[card.name], count) for card, count in pool])
        for side, pool in enumerate(whole.buildings)
    ]
    return [*tiers, *sides]


def _counts(position: DraftPosition, state: State) -> list[Counts]:
    """What is left in each pile."""
    numbers = position.site.card_number
    tiers = [{side.index: count for side, count in pool} for pool in state.deck.unseen]
    return [*tiers, *[{numbers[card.name]: count for card, count in pool} for pool in state.deck.unshown]]
