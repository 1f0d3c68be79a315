"""Games of Point City for the kernels: from a state to numbers and back, and what the kernels do with them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Self, get_args

from polyopolis.games.pointcity.actions import Action, LineUp, NameFirst, Pay, PickToken, ShowBuilding, ShowFace
from polyopolis.games.pointcity.content import FACES, Card, Side
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.state import Phase, Player, Setup, State
from polyopolis.kernels.choice_estimates import ChoiceEstimates, rows_of
from polyopolis.kernels.draft_arrays import Material, material_of
from polyopolis.kernels.drafting import (
    chance,
    choice_values,
    layout,
    legal_choices,
    playouts,
    search,
    transitions,
)
from polyopolis.kernels.drafting import (
    scores as scoring,
)
from polyopolis.kernels.drafting.layout import AT, Plan, Room, Tree
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, float_rows, floats, int_rows, ints
from polyopolis.kernels.runtime.rng import luck_of
from polyopolis.kernels.runtime.sequential_halving import Found

PHASES: tuple[str, ...] = get_args(Phase)


@dataclass(frozen=True)
class SearchEffort:
    """How a search spends its simulations."""

    turns: int
    """Turns of each player that a simulation looks ahead."""
    times: float
    """Simulations for each of a city."""
    growing: int = layout.NOBODY
    """Whose choices are branches of a tree."""
    nodes: int = layout.MOST_NODES
    alike: int = layout.ALIKE
    """Points by which another choice may be better than the one it settles for."""
    amending: int = 0
    """How often it counts in the tree how a choice looks with the luck of a simulation."""


LARGE = 8 * layout.MOST_NODES
"""Nodes of a tree where there are many simulations: the best choices are tried late, and need room then."""
EFFORTS = {
    1: {
        0: SearchEffort(turns=6, times=4, growing=layout.SEARCHER),
        10_000: SearchEffort(turns=6, times=1.5, growing=layout.SEARCHER, nodes=LARGE, alike=0, amending=1),
    },
    2: {
        0: SearchEffort(turns=3, times=2),
        500: SearchEffort(turns=3, times=1, growing=layout.EVERYBODY),
        10_000: SearchEffort(turns=3, times=1, growing=layout.EVERYBODY, nodes=LARGE, alike=0, amending=1),
    },
    3: {
        0: SearchEffort(turns=2, times=0.5),
        1000: SearchEffort(turns=5, times=1, growing=layout.SEARCHER),
        10_000: SearchEffort(turns=5, times=0.4, growing=layout.SEARCHER, nodes=LARGE, alike=0, amending=1),
    },
}
"""For so many seats or more, with so many simulations of a city or more: with fewer a tree would be too thin.

The Automa has no plans, so one's own can be seen through; the more people, the less can theirs.
"""


def new_room() -> Room:
    return Room(
        draft=int_rows(1, layout.DRAFT)[0],
        luck=luck_of(0),
        coming=int_rows(1, layout.COMING)[0],
        choices=int_rows(1, 2 * layout.MOST_WAYS)[0],
        desk=int_rows(1, layout.DESK)[0],
        notes=float_rows(1, layout.NOTES)[0],
    )


def new_tree(nodes: int = layout.MOST_NODES) -> Tree:
    return Tree(
        nodes=int_rows(1, nodes * layout.NODE)[0],
        sums=float_rows(1, nodes * layout.BRANCHES)[0],
        behind=float_rows(1, nodes * layout.BRANCHES)[0],
        path=int_rows(1, 1 + 3 * layout.MOST_STEPS)[0],
        gaps=float_rows(1, 2 * layout.MOST_WAYS)[0],
        leads=float_rows(1, layout.MOST_WAYS)[0],
    )


def new_found() -> Found:
    return Found(int_rows(1, layout.MOST_WAYS)[0], float_rows(1, layout.MOST_WAYS)[0])


@dataclass(frozen=True, eq=False)
class Draft:
    """A game being played, as numbers. It changes as it is played."""

    material: Material
    numbers: Ints
    room: Room = field(default_factory=new_room)

    @classmethod
    def of(cls, state: State) -> Self:
        material = material_of(state.content, state.setup)
        return cls(material, ints(_numbers(material, state)))

    @property
    def over(self) -> bool:
        return bool(self.numbers[layout.PHASE] == layout.OVER)

    def legal(self) -> list[Action]:
        """Every choice of the seat that decides, as the rules name it."""
        number = legal_choices.listed(self.material.law, self.numbers, self.room.choices)
        return [self.action(int(choice)) for choice in self.room.choices[:number]]

    def action(self, choice: int) -> Action:
        if choice >= layout.PAYING:
            return Pay(tuple(face for face, count in _spent(choice) for _ in range(count)))
        named = self.material.choices[choice]
        if isinstance(named, PickToken) and self.numbers[layout.PHASE] == layout.LINE:
            return LineUp(named.token)
        return named

    def choice(self, action: Action) -> int:
        """The number of a choice."""
        number = legal_choices.listed(self.material.law, self.numbers, self.room.choices)
        return next(choice for choice in map(int, self.room.choices[:number]) if self.action(choice) == action)

    def decide(self, choice: int) -> None:
        transitions.decide(self.material.law, self.numbers, choice, self.room.choices)

    def turn_up(self, luck: Action) -> None:
        chance.turn_up(self.material.law, self.numbers, self._brought(luck))

    def _brought(self, luck: Action) -> int:
        match luck:
            case PickToken(token):
                return self.material.token_number[token]
            case NameFirst(seat):
                return seat
            case ShowBuilding(_, card):
                return self.material.card_number[card]
            case ShowFace(face):
                tier = transitions.next_tier(self.numbers) + 1
                return next(side.index for side in self.material.sides if (side.tier, side.face) == (tier, face))
        raise ValueError(luck)

    @property
    def scores(self) -> tuple[int, ...]:
        law, players = self.material.law, range(self.material.players)
        return tuple(int(scoring.total(law, self.numbers, player)) for player in players)


def _spent(way: int) -> list[tuple[str, int]]:
    """The cards of a way to pay, by face."""
    counts = [way >> 4 * face & 15 for face in range(len(FACES))]
    return list(zip(FACES, counts, strict=True))


def _numbers(material: Material, state: State) -> list[int]:
    """A state as the kernel writes it."""
    tokens, deck, none = material.token_number, state.deck, layout.NONE
    unseen = {side.index: count for pool in deck.unseen for side, count in pool}
    unshown = {card.name: count for pool in deck.unshown for card, count in pool}
    up, line = ([tokens[token.name] for token in row] for row in (state.tokens, state.line))
    buying = [material.card_number[card.name] for card in state.buying]
    spaces = [2 * space.number + space.building for space in state.spaces]
    parts = {
        layout.PHASE: [PHASES.index(state.phase), state.seat, state.turns],
        layout.TOP: [none if deck.top is None else deck.top.index, state.civic],
        layout.BUYING: [*buying, none, none][:2],
        layout.SPACES: [*spaces, none, none][:2],
        layout.UP_COUNT: [len(up), len(line)],
        layout.LEFT: list(deck.left),
        layout.MARKET: [_shown(material, card) for card in state.market],
        layout.UP: [*up, *[none] * (layout.MOST_TOKENS - len(up))],
        layout.LINED_UP: [*line, *[none] * (layout.MOST_TOKENS - len(line))],
        layout.UNSEEN: [unseen.get(side.index, 0) for side in material.sides],
        layout.HIDDEN: [sum(count for _, count in pool) for pool in deck.unshown],
        layout.UNSHOWN: [unshown.get(card.name, 0) for card in material.cards],
        **{layout.PLAYER + layout.BLOCK * at: _block(material, player) for at, player in enumerate(state.players)},
    }
    numbers = [0] * layout.DRAFT
    for at, values in parts.items():
        numbers[at : at + len(values)] = values
    return numbers


def _shown(material: Material, card: Side | Card | None) -> int:
    match card:
        case Side():
            return card.index
        case Card():
            return layout.HOUSE + material.card_number[card.name]
        case None:
            return layout.NONE


def _block(material: Material, player: Player) -> list[int]:
    medals = sum(1 << material.token_number[token.name] for token in player.tokens)
    points = sum(card.points for card in player.city)
    return [*player.stock, *player.permanents, points, len(player.city), medals, len(player.tokens)]


def random_scores(setup: Setup, games: int, luck: Words) -> tuple[Ints, int]:
    """Whole games of any choices: the scores of the first seat, and how many decisions they took."""
    draft, scores = Draft.of(start(setup)), ints([0] * games)
    return scores, int(playouts.random_games(draft.material.law, draft.numbers, luck, draft.room, scores))


def opened(draft: Draft, luck: Words) -> None:
    """A game that has not begun, until the first seat decides."""
    chance.open_up(draft.material.law, draft.numbers, luck, draft.room.coming)


def good_leads(material: Material, weights: Floats, rival: Floats, luck: Words) -> list[float]:
    """By how much one is ahead of the others after whole games by what is worth most at sight.

    Each future is played once for every seat, against those who play by other weights.
    """
    seats = range(material.setup.seats)
    tables = [_played(material, [weights if seat == own else rival for seat in seats], luck) for own in seats]
    return [fmean(_lead(table[at], own) for own, table in enumerate(tables)) for at in range(len(luck))]


def _played(material: Material, rows: Sequence[Floats], luck: Words) -> list[list[float]]:
    """The scores of every player in games by these weights, one row for each seat."""
    players, first = material.players, Draft.of(start(material.setup))
    results, weights = floats([0.0] * (players * len(luck))), floats([each for row in rows for each in row])
    playouts.good_games(material.law, first.numbers, luck, weights, first.room, results)
    return [[float(score) for score in results[at : at + players]] for at in range(0, len(results), players)]


def _lead(scores: Sequence[float], own: int) -> float:
    return scores[own] - max(score for player, score in enumerate(scores) if player != own)


@dataclass(frozen=True, eq=False)
class DraftPosition:
    """What the seat that is due decides on."""

    draft: Draft

    @property
    def site(self) -> Material:
        return self.draft.material

    @property
    def part(self) -> str:
        return f"seats-{self.site.setup.seats}"

    @property
    def sight(self) -> tuple[int, ...]:
        return tuple(map(int, self.draft.numbers))

    @property
    def stopping(self) -> list[tuple[float, int]]:
        """Nobody stops in Point City."""
        return []

    def action(self, choice: int) -> Action:
        return self.draft.action(choice)

    def choice(self, action: Action) -> int:
        return self.draft.choice(action)

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice with what it is worth at sight."""
        room = self.draft.room
        number = choice_values.valued(self.site.law, self.draft.numbers, self.rows(weights), room)
        return [(float(room.notes[layout.VALUES + at]), int(room.choices[at])) for at in range(number)]

    def parts(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """What a choice is worth at sight, feature by feature; a flip leaves all as it is but luck."""
        room, rows = self.draft.room, self.rows(weights)
        if choice is None:
            choice_values.look(self.site.law, self.draft.numbers, rows, room.desk, room.notes)
        else:
            choice_values.foresee(self.site.law, self.draft.numbers, choice, rows, room.desk, room.notes)
        counted = {
            name: float(room.notes[layout.BLEND + at] * room.notes[layout.OUT + at])
            for name, at in AT._asdict().items()
        }
        return {name: points for name, points in counted.items() if points}

    def futures(self, limit: int) -> int:
        """Only the last turn of a game, once no card can be turned, is free of luck: a way for each choice."""
        law, numbers = self.site.law, self.draft.numbers
        turning = numbers[layout.PHASE] == layout.TURN and legal_choices.turnable(law, numbers)
        if turning or numbers[layout.TOP] != layout.NONE:
            return limit
        return int(legal_choices.listed(law, numbers, self.draft.room.choices))

    def solved(self) -> list[tuple[float, int]]:
        """Every choice of the last turn with its outcome: there is nothing to weigh, and no luck."""
        return self.searched(floats([0.0] * 2 * layout.FEATURE_COUNT), 1, layout.MOST_NODES, luck_of(0))[1]

    def searched(
        self, weights: Floats, simulations: int, width: int, luck: Words
    ) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with its lead on average, the best first.

        The line of the solo game is set at sight: what comes of it is too far off.
        """
        if self.draft.numbers[layout.PHASE] == layout.LINE:
            return 0, sorted(self.valued(weights), reverse=True)[:width]
        found, effort = new_found(), self.effort(simulations)
        plan = Plan(
            simulations=int(simulations * effort.times),
            width=min(width, layout.MOST_NODES),
            turns=effort.turns * self.site.players,
            growing=effort.growing,
            alike=effort.alike,
            amending=effort.amending,
        )
        tree = new_tree(effort.nodes)
        number, games = search.searched(
            self.site.law, self.draft.numbers, plan, luck, self.rows(weights), self.draft.room, found, tree
        )
        return int(games), found.best_first(number)

    def judged(self, weights: Floats, choices: Sequence[int], luck: Words) -> ChoiceEstimates:
        """What these choices come to in these futures, as far as the deepest search looks ahead, without a tree: that
        learns from one future to the next, so that they would not stand for themselves."""
        turns = max(effort.turns for effort in self._efforts.values()) * self.site.players
        leads, hopes = (float_rows(len(choices), len(luck)) for _ in range(2))
        search.judged(
            self.site.law, self.draft.numbers, turns, ints(choices), luck, self.rows(weights), self.draft.room, leads,
            hopes,
        )  # fmt: skip
        return ChoiceEstimates(rows_of(choices, leads), rows_of(choices, hopes))

    @property
    def _efforts(self) -> Mapping[int, SearchEffort]:
        return EFFORTS[min(self.site.setup.seats, max(EFFORTS))]

    def effort(self, simulations: int) -> SearchEffort:
        """How a search with so many simulations of a city goes about it."""
        return self._efforts[max(least for least in self._efforts if least <= simulations)]

    def rows(self, weights: Floats) -> Floats:
        """The same weights for everybody."""
        return floats([each for _ in range(self.site.players) for each in weights])


def has_kernel(state: State) -> bool:
    """Which tokens come into the line is chosen before anything that the kernel knows."""
    return state.phase != "choose"


def position_of(state: State) -> DraftPosition:
    return DraftPosition(Draft.of(state))
