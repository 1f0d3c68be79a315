"""Point City: common futures, an order of the faces in each tier and of the buildings behind each face."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.rules import scores
from polyopolis.games.pointcity.state import State
from polyopolis.kernels.draft_position import DraftPosition, new_tree, position_of
from polyopolis.kernels.drafting import layout, search, tree_rollouts
from polyopolis.kernels.match_futures import FutureResults, WeightsFor, future_rng, shuffled
from polyopolis.kernels.runtime.jit import Ints, floats, int_rows, ints

CardCopy = tuple[int, int]
"""One of several equal cards: its kind and the number of the copy."""
CardCounts = dict[int, int]
"""Number of cards by kind."""
SETUP_PHASES = ("tokens", "first", "opening", "choose")
"""Phases before the first decision that affects points."""
REFERENCE_SIMULATIONS = 2400
"""Simulations of the strongest level. Choices are evaluated with the same lookahead."""
MAX_FULL_PLAYOUTS = 96
"""Maximum futures that are played to the end after a choice. They describe the choice; it is compared by the leads,
which are known sooner."""
LEARNING_SIMULATIONS_PER_FUTURE, TRIALS_PER_FUTURE = 1, 2
"""For each requested future: learning simulations after a choice, then shorter futures in which it is evaluated."""


class ShuffledPile:
    """Cards that are revealed one by one: the faces of a tier, or the buildings behind a face."""

    def __init__(self, at: int, whole: Sequence[tuple[int, int]]) -> None:
        self.at = at
        self._copies = [(what, copy) for what, count in whole for copy in range(count)]
        self.orders: dict[int, list[CardCopy]] = {}

    def shuffle(self, future: int, rng: Any) -> None:
        self.orders[future] = shuffled(self._copies, rng)

    def left(self, future: int, counts: CardCounts) -> list[int]:
        """Returns the remaining cards in the order of a future. Of equal cards the lowest copies remain."""
        return [what for what, copy in self.orders[future] if copy < counts.get(what, 0)]


class FutureScript:
    """Coming cards in some futures, in the layout of the kernel."""

    def __init__(self, futures: range) -> None:
        self._futures = futures
        self.rows = int_rows(len(futures), layout.COMING_SIZE)
        self._written: dict[int, CardCounts] = {}

    def write(self, piles: Sequence[ShuffledPile], left: Sequence[CardCounts]) -> None:
        """Writes the remaining cards of each pile, if they have changed."""
        for pile, counts in zip(piles, left, strict=True):
            if self._written.get(pile.at) != counts:
                self._written[pile.at] = counts
                for row, future in enumerate(self._futures):
                    if coming := pile.left(future, counts):
                        self.rows[row][pile.at : pile.at + len(coming)] = ints(coming)


class DraftFutureSimulator:
    """Simulates all players at one table, who compete for cards.

    The next chance event is not stratified: it depends on the choice, and only this way does the choice that is best
    statically have the same result as `expected`.

    Choices are evaluated with a search tree, because greedy play carries out no plans and would rate the first move
    of a plan as a mistake.
    """

    SEPARATE_CITIES = False
    LEARNS = True

    def __init__(self, seed: int, weigh: WeightsFor) -> None:
        self._seed, self._weigh = seed, weigh
        self._piles: list[ShuffledPile] = []
        self._known: set[int] = set()
        self._scripts: dict[range, FutureScript] = {}

    def supports(self, state: State) -> bool:
        return state.phase not in SETUP_PHASES

    def topic(self, state: State) -> str:
        return state.phase

    def final(self, state: State) -> list[float]:
        return [float(score) for score in scores(state).scores]

    def expected(self, state: State, futures: range) -> FutureResults:
        position = position_of(state)
        (found,) = self._play_greedily(position, [layout.NONE], self._orders(position, state, futures))
        return found

    def after_choices(self, state: State, seat: int, actions: Sequence[Any], futures: range) -> list[FutureResults]:
        """Evaluates actions. The order of the line in the solo game is played greedily, because its effects are
        beyond the lookahead."""
        position = position_of(state)
        choices = [position.choice(action) for action in actions]
        if state.phase == "line":
            return self._play_greedily(position, choices, self._orders(position, state, futures))
        orders = self._orders(position, state, futures[:MAX_FULL_PLAYOUTS])
        return [self._evaluate(position, choice, futures, orders) for choice in choices]

    def candidates(self, state: State, seat: int, width: int) -> list[Any]:
        position = position_of(state)
        weights = self._weigh(position.part, position.site)
        valued = sorted(position.choice_values(weights), key=lambda pair: -pair[0])
        return [position.action(choice) for _, choice in valued[:width]]

    def _play_greedily(
        self, position: DraftPosition, choices: Sequence[int], orders: Sequence[Ints]
    ) -> list[FutureResults]:
        """Plays greedily to the end after each choice. The choice NONE stands for the greedy one."""
        site, draft = position.site, position.draft
        results = int_rows(len(choices) * site.players, len(orders))
        weights = position.rows(self._weigh(position.part, site))
        search.play_futures(site.law, draft.numbers, ints(choices), orders, weights, draft.scratch, results)
        return _future_results(position, len(choices), results)

    def _evaluate(self, position: DraftPosition, choice: int, futures: range, orders: Sequence[Ints]) -> FutureResults:
        """Evaluates a choice with a search tree, as far as the strongest level looks ahead. Trees of all choices use
        the same random numbers and are independent, so the result does not depend on the other choices."""
        site, draft, effort = position.site, position.draft, position.effort(REFERENCE_SIMULATIONS)
        plan = layout.SearchPlan(
            LEARNING_SIMULATIONS_PER_FUTURE * len(futures), 1, effort.turns * site.players, effort.tree_players
        )
        weights, rng = position.rows(self._weigh(position.part, site)), future_rng(self._seed + 1, futures.start)
        leads, utilities = (floats([0.0] * TRIALS_PER_FUTURE * len(futures)) for _ in range(2))
        results = int_rows(site.players, len(orders))
        tree_rollouts.estimate_with_tree(
            site.law,
            draft.numbers,
            plan,
            choice,
            rng,
            orders,
            weights,
            draft.scratch,
            new_tree(),
            leads,
            utilities,
            results,
        )
        (found,) = _future_results(position, 1, results)
        found.leads = [float(lead) for lead in leads]
        surplus = (float(utility) - lead for utility, lead in zip(utilities, found.leads, strict=True))
        found.win_chances = [0.5 + each / (2 * layout.WIN_POINTS) for each in surplus]
        return found

    def _orders(self, position: DraftPosition, state: State, futures: range) -> Sequence[Ints]:
        """Returns the coming cards of all piles, one row per future."""
        if not self._piles:
            self._piles = _piles(position)
        for future in futures:
            if future not in self._known:
                self._known.add(future)
                rng = future_rng(self._seed, future)
                for pile in self._piles:
                    pile.shuffle(future, rng)
        if futures not in self._scripts:
            latest = list(self._scripts.items())[-1:]
            self._scripts = {**dict(latest), futures: FutureScript(futures)}
        script = self._scripts[futures]
        script.write(self._piles, _counts(position, state))
        return script.rows


def _future_results(position: DraftPosition, choices: int, results: Sequence[Ints]) -> list[FutureResults]:
    """Converts results to points and ranking values by choice and player."""
    players, automa, found = position.site.players, position.site.setup.automa is not UNSET, []
    for at in range(0, choices * players, players):
        rows = [[int(ended) for ended in results[at + player]] for player in range(players)]
        points = [[float(ended // layout.TIE_BASE) for ended in row] for row in rows]
        standing = [[ended + 0.5 * (automa and player) for ended in row] for player, row in enumerate(rows)]
        found.append(FutureResults(points, standing))
    return found


def _piles(position: DraftPosition) -> list[ShuffledPile]:
    whole, numbers = content(position.site.setup.content), position.site.card_number
    tiers = [
        ShuffledPile(tier * layout.MAX_TIER_FACES, [(side.index, count) for side, count in pool])
        for tier, pool in enumerate(whole.faces)
    ]
    sides = [
        ShuffledPile(
            layout.COMING_BUILDINGS + side * layout.MAX_BACKS, [(numbers[card.name], count) for card, count in pool]
        )
        for side, pool in enumerate(whole.buildings)
    ]
    return [*tiers, *sides]


def _counts(position: DraftPosition, state: State) -> list[CardCounts]:
    """Returns the number of remaining cards in each pile."""
    numbers = position.site.card_number
    tiers = [{side.index: count for side, count in pool} for pool in state.deck.unseen]
    return [*tiers, *[{numbers[card.name]: count for card, count in pool} for pool in state.deck.unshown]]
