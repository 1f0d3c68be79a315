"""The futures of Point City: every card has its place, the faces of each tier and the buildings behind each face."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from polyopolis.games.pointcity.content import content
from polyopolis.games.pointcity.rules import scores
from polyopolis.games.pointcity.state import State
from polyopolis.kernels.compiled import Ints, int_rows, ints
from polyopolis.kernels.drafting import layout, searching
from polyopolis.kernels.drafts import DraftPosition, position_of
from polyopolis.kernels.foretelling import Outlook, Weigh, shuffled, word_of

Copy = tuple[int, int]
"""One of several cards that are alike: what it is, and which of them."""
PREPARING = ("tokens", "first", "opening", "choose")
"""Phases before anything that counts."""


class Pile:
    """Cards of which one after the other is turned up: the faces of a tier, or the buildings behind a face."""

    def __init__(self, at: int, whole: Sequence[tuple[int, int]]) -> None:
        self.at = at
        self._copies = [(what, copy) for what, count in whole for copy in range(count)]
        self.told: dict[int, list[Copy]] = {}
        self.written: dict[int, int] | None = None
        """What of it stands in the rows, in the order of each future."""

    def tell(self, future: int, luck: Any) -> None:
        self.told[future] = shuffled(self._copies, luck)

    def left(self, future: int, counts: dict[int, int]) -> list[int]:
        """In the order of a future; of those alike the first ones are left."""
        return [what for what, copy in self.told[future] if copy < counts.get(what, 0)]


class DraftOracle:
    """Everybody at one table: what one takes the others lack.

    What comes next is left to the futures: which luck is next depends on what is chosen, and only so a choice that is
    best at sight comes to the very same as what was expected before it.
    """

    APART = False

    def __init__(self, seed: int, weigh: Weigh) -> None:
        self._seed, self._weigh = seed, weigh
        self._piles: list[Pile] = []
        self._known: set[int] = set()
        self._rows: Sequence[Ints] = []
        self._futures = range(0)

    def knows(self, state: State) -> bool:
        return state.phase not in PREPARING

    def topic(self, state: State) -> str:
        return state.phase

    def final(self, state: State) -> list[float]:
        return [float(score) for score in scores(state).scores]

    def expected(self, state: State, futures: range) -> Outlook:
        position = position_of(state)
        self._write(position, state, futures)
        (found,) = self._played(position, [layout.NONE], len(futures))
        return Outlook(*found)

    def judged(self, state: State, seat: int, actions: Sequence[Any], futures: range) -> list[Outlook]:
        position = position_of(state)
        self._write(position, state, futures)
        choices = [position.choice(action) for action in actions]
        return [Outlook(*found) for found in self._played(position, choices, len(futures))]

    def candidates(self, state: State, seat: int, width: int) -> list[Any]:
        position = position_of(state)
        weights = self._weigh(position.part, position.site)
        valued = sorted(position.valued(weights), key=lambda pair: -pair[0])
        return [position.action(choice) for _, choice in valued[:width]]

    def _played(
        self, position: DraftPosition, choices: Sequence[int], futures: int
    ) -> list[tuple[list[list[float]], list[list[float]]]]:
        """Points and standings, by choice and player."""
        site, players = position.site, position.site.players
        results = int_rows(len(choices) * players, futures)
        weights = position.rows(self._weigh(position.part, site))
        searching.foretold(
            site.law, position.draft.numbers, ints(choices), self._rows, weights, position.draft.room, results
        )
        found = []
        for at in range(0, len(choices) * players, players):
            rows = [[int(ended) for ended in results[at + player]] for player in range(players)]
            points = [[float(ended // layout.TIED) for ended in row] for row in rows]
            automa = site.setup.automa is not UNSET
            standing = [[ended + 0.5 * (automa and player) for ended in row] for player, row in enumerate(rows)]
            found.append((points, standing))
        return found

    def _write(self, position: DraftPosition, state: State, futures: range) -> None:
        """What is to come, in all piles."""
        if not self._piles:
            self._piles = _piles(position)
        if futures != self._futures:
            self._futures, self._rows = futures, int_rows(len(futures), layout.COMING)
            for pile in self._piles:
                pile.written = None
        for future in futures:
            if future not in self._known:
                self._known.add(future)
                luck = word_of(self._seed, future)
                for pile in self._piles:
                    pile.tell(future, luck)
        for pile, counts in zip(self._piles, _counts(position, state), strict=True):
            if pile.written != counts:
                pile.written = counts
                for row, future in enumerate(futures):
                    if left := pile.left(future, counts):
                        self._rows[row][pile.at : pile.at + len(left)] = ints(left)


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


def _counts(position: DraftPosition, state: State) -> list[dict[int, int]]:
    """What is left in each pile."""
    numbers = position.site.card_number
    tiers = [{side.index: count for side, count in pool} for pool in state.deck.unseen]
    return [*tiers, *[{numbers[card.name]: count for card, count in pool} for pool in state.deck.unshown]]
