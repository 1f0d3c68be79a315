"""Point City: a game as arrays, and search, evaluation and playouts on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Self, get_args

from polyopolis.games.pointcity.actions import Action, LineUp, NameFirst, Pay, PickToken, ShowBuilding, ShowFace
from polyopolis.games.pointcity.content import FACES, Card, Side
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.state import Phase, Player, Setup, State
from polyopolis.kernels.choice_estimates import ChoiceEstimates, values_by_choice
from polyopolis.kernels.draft_arrays import DraftSite, draft_site
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
from polyopolis.kernels.drafting.layout import AT, DraftScratch, SearchPlan, Tree
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, float_rows, floats, int_rows, ints
from polyopolis.kernels.runtime.rng import new_rng
from polyopolis.kernels.runtime.sequential_halving import SearchResult

PHASES: tuple[str, ...] = get_args(Phase)


@dataclass(frozen=True)
class SearchEffort:
    """How a search spends its simulations."""

    turns: int
    """Turns of each player that a simulation looks ahead."""
    simulation_factor: float
    """Simulations per simulation of a city."""
    tree_players: int = layout.NO_PLAYERS
    """Players whose choices are branches of the search tree."""
    nodes: int = layout.MAX_NODES
    tolerance: int = layout.DEFAULT_TOLERANCE_POINTS
    """The search stops early when no other choice is better by more than this number of points."""
    correction: int = 0
    """Weight of the difference between the static value of a choice in this simulation and its mean static value."""


LARGE_TREE_NODES = 8 * layout.MAX_NODES
"""Tree size for many simulations: the best choices are searched last and need room then."""
SEARCH_EFFORTS = {
    1: {
        0: SearchEffort(turns=6, simulation_factor=4, tree_players=layout.SEARCHER),
        10_000: SearchEffort(
            turns=6,
            simulation_factor=1.5,
            tree_players=layout.SEARCHER,
            nodes=LARGE_TREE_NODES,
            tolerance=0,
            correction=1,
        ),
    },
    2: {
        0: SearchEffort(turns=3, simulation_factor=2),
        500: SearchEffort(turns=3, simulation_factor=1, tree_players=layout.ALL_PLAYERS),
        10_000: SearchEffort(
            turns=3,
            simulation_factor=1,
            tree_players=layout.ALL_PLAYERS,
            nodes=LARGE_TREE_NODES,
            tolerance=0,
            correction=1,
        ),
    },
    3: {
        0: SearchEffort(turns=2, simulation_factor=0.5),
        1000: SearchEffort(turns=5, simulation_factor=1, tree_players=layout.SEARCHER),
        10_000: SearchEffort(
            turns=5,
            simulation_factor=0.4,
            tree_players=layout.SEARCHER,
            nodes=LARGE_TREE_NODES,
            tolerance=0,
            correction=1,
        ),
    },
}
"""Efforts by minimum number of seats, then by minimum number of simulations of a city. With fewer simulations a tree
would be too thin.

The Automa has no plans, so the searcher can plan far ahead against it; with more people plans are less reliable.
"""


def new_scratch() -> DraftScratch:
    return DraftScratch(
        draft=int_rows(1, layout.DRAFT_SIZE)[0],
        rng=new_rng(0),
        coming=int_rows(1, layout.COMING_SIZE)[0],
        choices=int_rows(1, 2 * layout.MAX_PAYMENTS)[0],
        trial=int_rows(1, layout.TRIAL_SIZE)[0],
        evals=float_rows(1, layout.EVALS_SIZE)[0],
    )


def new_tree(nodes: int = layout.MAX_NODES) -> Tree:
    return Tree(
        nodes=int_rows(1, nodes * layout.NODE_SIZE)[0],
        sums=float_rows(1, nodes * layout.MAX_BRANCHES)[0],
        behind=float_rows(1, nodes * layout.MAX_BRANCHES)[0],
        path=int_rows(1, 1 + 3 * layout.MAX_PATH_STEPS)[0],
        gaps=float_rows(1, 2 * layout.MAX_PAYMENTS)[0],
        leads=float_rows(1, layout.MAX_PAYMENTS)[0],
    )


def new_result() -> SearchResult:
    return SearchResult(int_rows(1, layout.MAX_PAYMENTS)[0], float_rows(1, layout.MAX_PAYMENTS)[0])


@dataclass(frozen=True, eq=False)
class Draft:
    """A game in progress as an array, which changes as it is played."""

    material: DraftSite
    numbers: Ints
    scratch: DraftScratch = field(default_factory=new_scratch)

    @classmethod
    def of(cls, state: State) -> Self:
        material = draft_site(state.content, state.setup)
        return cls(material, ints(_state_numbers(material, state)))

    @property
    def over(self) -> bool:
        return bool(self.numbers[layout.PHASE] == layout.PHASE_OVER)

    def legal(self) -> list[Action]:
        """Returns all legal choices of the deciding seat as actions of the rules."""
        number = legal_choices.list_choices(self.material.law, self.numbers, self.scratch.choices)
        return [self.action(int(choice)) for choice in self.scratch.choices[:number]]

    def action(self, choice: int) -> Action:
        if choice >= layout.FIRST_PAYMENT:
            return Pay(tuple(face for face, count in _payment_cards(choice) for _ in range(count)))
        named = self.material.choices[choice]
        if isinstance(named, PickToken) and self.numbers[layout.PHASE] == layout.PHASE_LINE:
            return LineUp(named.token)
        return named

    def choice(self, action: Action) -> int:
        """Returns the number of an action."""
        number = legal_choices.list_choices(self.material.law, self.numbers, self.scratch.choices)
        return next(choice for choice in map(int, self.scratch.choices[:number]) if self.action(choice) == action)

    def decide(self, choice: int) -> None:
        transitions.decide(self.material.law, self.numbers, choice, self.scratch.choices)

    def apply_chance(self, action: Action) -> None:
        chance.apply_chance(self.material.law, self.numbers, self._chance_number(action))

    def _chance_number(self, action: Action) -> int:
        match action:
            case PickToken(token):
                return self.material.token_number[token]
            case NameFirst(seat):
                return seat
            case ShowBuilding(_, card):
                return self.material.card_number[card]
            case ShowFace(face):
                tier = transitions.next_tier(self.numbers) + 1
                return next(side.index for side in self.material.sides if (side.tier, side.face) == (tier, face))
        raise ValueError(action)

    @property
    def scores(self) -> tuple[int, ...]:
        law, players = self.material.law, range(self.material.players)
        return tuple(int(scoring.total_score(law, self.numbers, player)) for player in players)


def _payment_cards(way: int) -> list[tuple[str, int]]:
    """Returns the cards of a payment by face."""
    counts = [way >> 4 * face & 15 for face in range(len(FACES))]
    return list(zip(FACES, counts, strict=True))


def _state_numbers(material: DraftSite, state: State) -> list[int]:
    """Converts a state of the rules to the layout of the kernel."""
    tokens, deck, none = material.token_number, state.deck, layout.NONE
    unseen = {side.index: count for pool in deck.unseen for side, count in pool}
    unshown = {card.name: count for pool in deck.unshown for card, count in pool}
    up, line = ([tokens[token.name] for token in row] for row in (state.tokens, state.line))
    buying = [material.card_number[card.name] for card in state.buying]
    spaces = [2 * space.number + space.building for space in state.spaces]
    parts = {
        layout.PHASE: [PHASES.index(state.phase), state.seat, state.turns],
        layout.TOP_SIDE: [none if deck.top is None else deck.top.index, state.civic],
        layout.BUYING: [*buying, none, none][:2],
        layout.EMPTY_SPACES: [*spaces, none, none][:2],
        layout.TABLE_TOKEN_COUNT: [len(up), len(line)],
        layout.TIER_CARDS_LEFT: list(deck.left),
        layout.MARKET: [_shown(material, card) for card in state.market],
        layout.TABLE_TOKENS: [*up, *[none] * (layout.MAX_TOKENS - len(up))],
        layout.LINE_TOKENS: [*line, *[none] * (layout.MAX_TOKENS - len(line))],
        layout.UNSEEN_SIDES: [unseen.get(side.index, 0) for side in material.sides],
        layout.HIDDEN_BUILDINGS: [sum(count for _, count in pool) for pool in deck.unshown],
        layout.UNSHOWN_CARDS: [unshown.get(card.name, 0) for card in material.cards],
        **{
            layout.PLAYERS_AT + layout.PLAYER_SIZE * at: _player_numbers(material, player)
            for at, player in enumerate(state.players)
        },
    }
    numbers = [0] * layout.DRAFT_SIZE
    for at, values in parts.items():
        numbers[at : at + len(values)] = values
    return numbers


def _shown(material: DraftSite, card: Side | Card | None) -> int:
    match card:
        case Side():
            return card.index
        case Card():
            return layout.FIRST_BUILDING + material.card_number[card.name]
        case None:
            return layout.NONE


def _player_numbers(material: DraftSite, player: Player) -> list[int]:
    medals = sum(1 << material.token_number[token.name] for token in player.tokens)
    points = sum(card.points for card in player.city)
    return [*player.stock, *player.permanents, points, len(player.city), medals, len(player.tokens)]


def random_scores(setup: Setup, games: int, rng: Words) -> tuple[Ints, int]:
    """Plays random games. Returns the scores of the first seat and the number of decisions."""
    draft, scores = Draft.of(start(setup)), ints([0] * games)
    return scores, int(playouts.random_playouts(draft.material.law, draft.numbers, rng, draft.scratch, scores))


def open_game(draft: Draft, rng: Words) -> None:
    """Plays the setup of a new game until the first seat decides."""
    chance.open_game(draft.material.law, draft.numbers, rng, draft.scratch.coming)


def greedy_leads(material: DraftSite, weights: Floats, rival: Floats, seeds: Words) -> list[float]:
    """Returns mean leads of these weights over the weights `rival` in greedy games.

    Each future is played once per seat.
    """
    seats = range(material.setup.seats)
    tables = [_greedy_scores(material, [weights if seat == own else rival for seat in seats], seeds) for own in seats]
    return [fmean(_lead_of(table[at], own) for own, table in enumerate(tables)) for at in range(len(seeds))]


def _greedy_scores(material: DraftSite, rows: Sequence[Floats], seeds: Words) -> list[list[float]]:
    """Returns the scores of all players by future in greedy games, with one row of weights per seat."""
    players, first = material.players, Draft.of(start(material.setup))
    results, weights = floats([0.0] * (players * len(seeds))), floats([each for row in rows for each in row])
    playouts.greedy_playouts(material.law, first.numbers, seeds, weights, first.scratch, results)
    return [[float(score) for score in results[at : at + players]] for at in range(0, len(results), players)]


def _lead_of(scores: Sequence[float], own: int) -> float:
    return scores[own] - max(score for player, score in enumerate(scores) if player != own)


@dataclass(frozen=True, eq=False)
class DraftPosition:
    """The decision of the seat that is due."""

    draft: Draft

    @property
    def site(self) -> DraftSite:
        return self.draft.material

    @property
    def part(self) -> str:
        return f"seats-{self.site.setup.seats}"

    @property
    def information_key(self) -> tuple[int, ...]:
        return tuple(map(int, self.draft.numbers))

    @property
    def stop_values(self) -> list[tuple[float, int]]:
        """Empty: stopping is not possible in Point City."""
        return []

    def action(self, choice: int) -> Action:
        return self.draft.action(choice)

    def choice(self, action: Action) -> int:
        return self.draft.choice(action)

    def choice_values(self, weights: Floats) -> list[tuple[float, int]]:
        """Returns every choice with its static value."""
        scratch = self.draft.scratch
        number = choice_values.evaluate_choices(self.site.law, self.draft.numbers, self.rows(weights), scratch)
        return [(float(scratch.evals[layout.CHOICE_VALUES + at]), int(scratch.choices[at])) for at in range(number)]

    def feature_values(self, weights: Floats, choice: int | None) -> dict[str, float]:
        """Returns the static value of a choice by feature. A flip only changes the features of hidden cards."""
        scratch, rows = self.draft.scratch, self.rows(weights)
        if choice is None:
            choice_values.features_now(self.site.law, self.draft.numbers, rows, scratch.trial, scratch.evals)
        else:
            choice_values.features_after(self.site.law, self.draft.numbers, choice, rows, scratch.trial, scratch.evals)
        counted = {
            name: float(scratch.evals[layout.WEIGHTS + at] * scratch.evals[layout.FEATURE_VALUES + at])
            for name, at in AT._asdict().items()
        }
        return {name: points for name, points in counted.items() if points}

    def count_continuations(self, limit: int) -> int:
        """Only the last turn, when no card can be flipped, has no chance events: its number of choices. `limit`
        otherwise."""
        law, numbers = self.site.law, self.draft.numbers
        turning = numbers[layout.PHASE] == layout.PHASE_TURN and legal_choices.flippable_cells(law, numbers)
        if turning or numbers[layout.TOP_SIDE] != layout.NONE:
            return limit
        return int(legal_choices.list_choices(law, numbers, self.draft.scratch.choices))

    def solve(self) -> list[tuple[float, int]]:
        """Returns every choice of the last turn with its result. There are no weights and no chance events."""
        return self.search(floats([0.0] * 2 * layout.FEATURE_COUNT), 1, layout.MAX_NODES, new_rng(0))[1]

    def search(self, weights: Floats, simulations: int, width: int, rng: Words) -> tuple[int, list[tuple[float, int]]]:
        """Returns the number of simulated games, and the best choices with their mean leads, best first.

        The line of the solo game is ordered by static value, because its effects are beyond the lookahead.
        """
        if self.draft.numbers[layout.PHASE] == layout.PHASE_LINE:
            return 0, sorted(self.choice_values(weights), reverse=True)[:width]
        found, effort = new_result(), self.effort(simulations)
        plan = SearchPlan(
            simulations=int(simulations * effort.simulation_factor),
            width=min(width, layout.MAX_NODES),
            turns=effort.turns * self.site.players,
            tree_players=effort.tree_players,
            tolerance=effort.tolerance,
            correction=effort.correction,
        )
        tree = new_tree(effort.nodes)
        number, games = search.search_choices(
            self.site.law, self.draft.numbers, plan, rng, self.rows(weights), self.draft.scratch, found, tree
        )
        return int(games), found.best_first(number)

    def estimate_choices(self, weights: Floats, choices: Sequence[int], seeds: Words) -> ChoiceEstimates:
        """Plays these choices greedily in these futures, as far as the deepest search looks ahead. No tree is used:
        it learns from one future to the next, so that futures would not be independent."""
        turns = max(effort.turns for effort in self._efforts.values()) * self.site.players
        leads, utilities = (float_rows(len(choices), len(seeds)) for _ in range(2))
        search.estimate_choices(
            self.site.law, self.draft.numbers, turns, ints(choices), seeds, self.rows(weights), self.draft.scratch,
            leads, utilities,
        )  # fmt: skip
        return ChoiceEstimates(values_by_choice(choices, leads), values_by_choice(choices, utilities))

    @property
    def _efforts(self) -> Mapping[int, SearchEffort]:
        return SEARCH_EFFORTS[min(self.site.setup.seats, max(SEARCH_EFFORTS))]

    def effort(self, simulations: int) -> SearchEffort:
        """Returns the effort for this number of simulations of a city."""
        return self._efforts[max(least for least in self._efforts if least <= simulations)]

    def rows(self, weights: Floats) -> Floats:
        """Returns the weights repeated for each player."""
        return floats([each for _ in range(self.site.players) for each in weights])


def has_kernel(state: State) -> bool:
    """Returns whether the kernel supports the state. It does not support choosing the tokens of the line."""
    return state.phase != "choose"


def position_of(state: State) -> DraftPosition:
    return DraftPosition(Draft.of(state))
