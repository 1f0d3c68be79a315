"""Point City for the kernels: its arrays from the content that the rules read, from a state to numbers and back."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean
from typing import Self, get_args

from msgspec import UNSET

from polyopolis.games.pointcity.actions import (
    Action,
    Draw,
    Flip,
    LineAsDrawn,
    LineUp,
    NameFirst,
    Pay,
    PickToken,
    ShowBuilding,
    ShowFace,
    Skip,
)
from polyopolis.games.pointcity.content import FACES, HAND, MARKET, TIERS, Card, Content, Kind, Side, Token
from polyopolis.games.pointcity.market import LINES, PAIRS
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.scoring import copies
from polyopolis.games.pointcity.state import Phase, Player, Setup, State
from polyopolis.kernels import drafting as kernel
from polyopolis.kernels.compiled import Floats, Ints, Words, float_rows, floats, int_rows, ints, words
from polyopolis.kernels.tables import NoKernel

PHASES: tuple[str, ...] = get_args(Phase)
KINDS: tuple[str, ...] = get_args(Kind)
COUNTS = ("flat", "types", "sets", "ingenuity")
MANY = 99
"""A threshold that nobody reaches."""


@dataclass(frozen=True)
class Effort:
    """How a search spends its simulations."""

    turns: int
    """Turns of each player that a simulation looks ahead."""
    times: float
    """Simulations for each of a city."""
    growing: int = kernel.NOBODY
    """Whose choices are branches of a tree."""


EFFORTS = {
    1: {0: Effort(turns=6, times=4, growing=kernel.SEARCHER)},
    2: {0: Effort(turns=3, times=2), 500: Effort(turns=3, times=1, growing=kernel.EVERYBODY)},
    3: {0: Effort(turns=2, times=0.5), 1000: Effort(turns=5, times=1, growing=kernel.SEARCHER)},
}
"""For so many seats or more, with so many simulations of a city or more: with fewer a tree would be too thin.

The Automa has no plans, so one's own can be seen through; the more people, the less can theirs.
"""
GROWTHS = {1: kernel.F_ONES, 2: kernel.F_TWOS}


@dataclass(frozen=True, eq=False)
class Material:
    """The game for a setup as an array, and the numbers of its things."""

    law: Ints
    setup: Setup
    sides: Sequence[Side]
    cards: Sequence[Card]
    tokens: Sequence[Token]
    card_number: Mapping[str, int]
    token_number: Mapping[str, int]

    @property
    def players(self) -> int:
        return int(self.law[kernel.PLAYERS])

    @cached_property
    def choices(self) -> Mapping[int, Action]:
        """What choices are called, ways to pay and lines aside."""
        return {
            **{cell: Flip(name) for cell, name in enumerate(MARKET.names)},
            **{kernel.TAKING + number: take for number, (take, _, _) in enumerate(PAIRS)},
            kernel.DRAW: Draw(),
            kernel.SKIP: Skip(),
            kernel.AS_DRAWN: LineAsDrawn(),
            **{kernel.PICK + number: token.pick for number, token in enumerate(self.tokens)},
        }


def _packed(amounts: Iterable[tuple[int, int]]) -> int:
    """A byte for each resource."""
    return sum(amount << 8 * resource for resource, amount in amounts)


def _side(side: Side, first: int) -> list[int]:
    symbols = 0 if side.resource is None else _packed([(side.resource, side.symbols)])
    return [side.number, symbols, first, 0]


def _card(card: Card) -> list[int]:
    return [KINDS.index(card.kind), card.resource, card.points, _packed(card.cost)]


def _token(token: Token) -> list[int]:
    entry = token.entry
    of = sum(1 << resource for resource in token.of)
    growth = GROWTHS.get(len(token.of), kernel.F_FULLS) if token.of else kernel.NONE
    most = MANY if entry.most is None else entry.most
    rises = int(entry.counts in ("types", "sets"))
    return [COUNTS.index(entry.counts), entry.points, entry.least, most, of, growth, rises, 0]


def _wit(tokens: Sequence[Token]) -> int:
    return sum(1 << number for number, token in enumerate(tokens) if token.entry.counts == "ingenuity")


def _automa(content: Content, setup: Setup) -> dict[int, list[int]]:
    if setup.automa is UNSET:
        return {}
    level = getattr(content.automa.levels, setup.automa)
    return {
        kernel.CROSSING: [MARKET.names.index(content.automa.start), level.token, level.ingenuity],
        kernel.COPIES: [copies(level, permanents) for permanents in range(kernel.MOST_COPIES)],
    }


def material(content: Content, setup: Setup) -> Material:
    """Everything about the game that does not change."""
    sides, tokens = list(content.sides.values()), list(content.tokens.values())
    cards = [card for side in sides for card in content.cards.values() if card.side is side]
    _check(content, sides, cards, tokens)
    layout = content.layouts[setup.seats]
    turns = (content.size - sum(layout.removed) - len(MARKET.names)) // HAND + 1
    firsts = [sum(card.side.index < side.index for card in cards) for side in sides]
    players = setup.seats + (setup.automa is not UNSET)
    parts = {
        kernel.SEATS: [setup.seats, players, turns, layout.tokens, len(tokens), _wit(tokens)],
        kernel.PAIR: [cell for _, one, other in PAIRS for cell in (one, other)],
        kernel.LINE_MASK: list(LINES),
        kernel.TIER: [*(sum(side.tier < tier for side in sides) for tier in TIERS), len(sides)],
        kernel.SIDE: [number for side, first in zip(sides, firsts, strict=True) for number in _side(side, first)],
        kernel.SIDE + 4 * len(sides): [0, 0, len(cards), 0],
        kernel.CARD: [number for card in cards for number in _card(card)],
        kernel.MEDAL: [number for token in tokens for number in _token(token)],
        **_automa(content, setup),
    }
    law = [0] * kernel.LAW
    for at, numbers in parts.items():
        law[at : at + len(numbers)] = numbers
    names = {card.name: number for number, card in enumerate(cards)}
    return Material(ints(law), setup, sides, cards, tokens, names, {token.name: at for at, token in enumerate(tokens)})


def _check(content: Content, sides: Sequence[Side], cards: Sequence[Card], tokens: Sequence[Token]) -> None:
    backs = max(sum(count for _, count in pool) for pool in content.buildings)
    tier = max(sum(count for _, count in pool) for pool in content.faces)
    limits = {
        "sides": (len(sides), kernel.MOST_SIDES),
        "cards": (len(cards), kernel.MOST_CARDS),
        "tokens": (len(tokens), kernel.MOST_TOKENS),
        "cards of a side": (backs, kernel.MOST_BACKS),
        "cards of a tier": (tier, kernel.MOST_FACES),
        "permanents of a resource": (max(content.granting), kernel.MOST_COPIES - 1),
    }
    for what, (number, most) in limits.items():
        if number > most:
            raise NoKernel(f"a kernel of Point City holds {most} {what}, not {number}")


_made: dict[tuple[int, Setup], tuple[Content, Material]] = {}


def material_of(content: Content, setup: Setup) -> Material:
    """Made once for each setup. A content is known by what it is, not by what it says."""
    key = id(content), setup
    if key not in _made:
        _made[key] = content, material(content, setup)
    return _made[key][1]


@dataclass(frozen=True, eq=False)
class Room:
    """Arrays to work in: a kernel allocates nothing."""

    draft: Ints = field(default_factory=lambda: int_rows(1, kernel.DRAFT)[0])
    coming: Ints = field(default_factory=lambda: int_rows(1, kernel.COMING)[0])
    luck: Words = field(default_factory=lambda: words([0]))
    choices: Ints = field(default_factory=lambda: int_rows(1, 2 * kernel.MOST_WAYS)[0])
    desk: Ints = field(default_factory=lambda: int_rows(1, kernel.DESK)[0])
    notes: Floats = field(default_factory=lambda: float_rows(1, kernel.NOTES)[0])
    chosen: Ints = field(default_factory=lambda: int_rows(1, kernel.MOST_WAYS)[0])
    means: Floats = field(default_factory=lambda: float_rows(1, kernel.MOST_WAYS)[0])

    @classmethod
    def with_luck(cls, seed: int) -> Self:
        return cls(luck=words([seed % 2**64]))


@dataclass(frozen=True, eq=False)
class Tree:
    """What a search remembers."""

    nodes: Ints = field(default_factory=lambda: int_rows(1, kernel.MOST_NODES * kernel.NODE)[0])
    sums: Floats = field(default_factory=lambda: float_rows(1, kernel.MOST_NODES * kernel.BRANCHES)[0])
    path: Ints = field(default_factory=lambda: int_rows(1, 1 + 3 * kernel.MOST_STEPS)[0])
    gaps: Floats = field(default_factory=lambda: float_rows(1, 2 * kernel.MOST_WAYS)[0])
    leads: Floats = field(default_factory=lambda: float_rows(1, kernel.MOST_WAYS)[0])


@dataclass(frozen=True, eq=False)
class Draft:
    """A game being played, as numbers. It changes as it is played."""

    material: Material
    numbers: Ints
    room: Room = field(default_factory=Room)

    @classmethod
    def of(cls, state: State) -> Self:
        found = material_of(state.content, state.setup)
        return cls(found, ints(_numbers(found, state)))

    @property
    def over(self) -> bool:
        return bool(self.numbers[kernel.PHASE] == kernel.OVER)

    def legal(self) -> list[Action]:
        """Every choice of the seat that decides, as the rules name it."""
        number = kernel.listed(self.material.law, self.numbers, self.room.choices)
        return [self.action(int(choice)) for choice in self.room.choices[:number]]

    def action(self, choice: int) -> Action:
        if choice >= kernel.PAYING:
            return Pay(tuple(face for face, count in _spent(choice) for _ in range(count)))
        named = self.material.choices[choice]
        if isinstance(named, PickToken) and self.numbers[kernel.PHASE] == kernel.LINE:
            return LineUp(named.token)
        return named

    def choice(self, action: Action) -> int:
        """The number of a choice."""
        number = kernel.listed(self.material.law, self.numbers, self.room.choices)
        return next(choice for choice in map(int, self.room.choices[:number]) if self.action(choice) == action)

    def decide(self, choice: int) -> None:
        kernel.decide(self.material.law, self.numbers, choice, self.room.choices)

    def turn_up(self, luck: Action) -> None:
        kernel.turn_up(self.material.law, self.numbers, self._brought(luck))

    def _brought(self, luck: Action) -> int:
        match luck:
            case PickToken(token):
                return self.material.token_number[token]
            case NameFirst(seat):
                return seat
            case ShowBuilding(_, card):
                return self.material.card_number[card]
            case ShowFace(face):
                tier = kernel.next_tier(self.numbers) + 1
                return next(side.index for side in self.material.sides if (side.tier, side.face) == (tier, face))
        raise ValueError(luck)

    @property
    def scores(self) -> tuple[int, ...]:
        found = self.material
        return tuple(int(kernel.total(found.law, self.numbers, player)) for player in range(found.players))


def _spent(way: int) -> list[tuple[str, int]]:
    """The cards of a way to pay, by face."""
    counts = [way >> 4 * face & 15 for face in range(len(FACES))]
    return list(zip(FACES, counts, strict=True))


def _numbers(found: Material, state: State) -> list[int]:
    """A state as the kernel writes it."""
    tokens, deck, none = found.token_number, state.deck, kernel.NONE
    unseen = {side.index: count for pool in deck.unseen for side, count in pool}
    unshown = {card.name: count for pool in deck.unshown for card, count in pool}
    up, line = ([tokens[token.name] for token in row] for row in (state.tokens, state.line))
    buying = [found.card_number[card.name] for card in state.buying]
    spaces = [2 * space.number + space.building for space in state.spaces]
    parts = {
        kernel.PHASE: [PHASES.index(state.phase), state.seat, state.turns],
        kernel.TOP: [none if deck.top is None else deck.top.index, state.civic],
        kernel.BUYING: [*buying, none, none][:2],
        kernel.SPACES: [*spaces, none, none][:2],
        kernel.UP_COUNT: [len(up), len(line)],
        kernel.LEFT: list(deck.left),
        kernel.MARKET: [_shown(found, card) for card in state.market],
        kernel.UP: [*up, *[none] * (kernel.MOST_TOKENS - len(up))],
        kernel.LINED_UP: [*line, *[none] * (kernel.MOST_TOKENS - len(line))],
        kernel.UNSEEN: [unseen.get(side.index, 0) for side in found.sides],
        kernel.HIDDEN: [sum(count for _, count in pool) for pool in deck.unshown],
        kernel.UNSHOWN: [unshown.get(card.name, 0) for card in found.cards],
        **{kernel.PLAYER + kernel.BLOCK * at: _block(found, one) for at, one in enumerate(state.players)},
    }
    numbers = [0] * kernel.DRAFT
    for at, values in parts.items():
        numbers[at : at + len(values)] = values
    return numbers


def _shown(found: Material, card: Side | Card | None) -> int:
    match card:
        case Side():
            return card.index
        case Card():
            return kernel.HOUSE + found.card_number[card.name]
        case None:
            return kernel.NONE


def _block(found: Material, player: Player) -> list[int]:
    medals = sum(1 << found.token_number[token.name] for token in player.tokens)
    points = sum(card.points for card in player.city)
    return [*player.stock, *player.permanents, points, len(player.city), medals, len(player.tokens)]


def random_scores(setup: Setup, games: int, seed: int) -> tuple[Ints, int]:
    """Whole games of any choices: the scores of the first seat, and how many decisions they took."""
    draft, room, scores = Draft.of(start(setup)), Room.with_luck(seed), ints([0] * games)
    decisions = kernel.random_games(
        draft.material.law, draft.numbers, room.draft, room.coming, room.luck, room.choices, scores
    )
    return scores, int(decisions)


def opened(draft: Draft, seed: int) -> None:
    """A game that has not begun, until the first seat decides."""
    law, numbers, room = draft.material.law, draft.numbers, Room.with_luck(seed)
    kernel.open_up(law, numbers, room.luck, room.coming)


def good_leads(found: Material, weights: Floats, rival: Floats, seeds: Sequence[int]) -> list[float]:
    """By how much one is ahead of the others after whole games by what is worth most at sight.

    Each seed of luck is played once for every seat, against those who play by other weights.
    """
    seats = range(found.setup.seats)
    tables = [_played(found, [weights if seat == own else rival for seat in seats], seeds) for own in seats]
    return [fmean(_lead(table[at], own) for own, table in enumerate(tables)) for at in range(len(seeds))]


def _played(found: Material, rows: Sequence[Floats], seeds: Sequence[int]) -> list[list[float]]:
    """The scores of every player in games by these weights, one row for each seat."""
    room, players = Room(), found.players
    first, results = Draft.of(start(found.setup)), floats([0.0] * (players * len(seeds)))
    kernel.good_games(
        found.law, first.numbers, room.draft, room.coming, room.luck, floats([each for row in rows for each in row]),
        room.choices, room.desk, room.notes, words(seeds), results,
    )  # fmt: skip
    return [[float(score) for score in results[at : at + players]] for at in range(0, len(results), players)]


def _lead(scores: Sequence[float], own: int) -> float:
    return scores[own] - max(score for player, score in enumerate(scores) if player != own)


@dataclass(frozen=True, eq=False)
class Position:
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

    def valued(self, weights: Floats) -> list[tuple[float, int]]:
        """Every choice with what it is worth at sight."""
        room, rows = self.draft.room, self._rows(weights)
        number = kernel.valued(self.site.law, self.draft.numbers, rows, room.choices, room.desk, room.notes)
        return [(float(room.notes[kernel.VALUES + at]), int(room.choices[at])) for at in range(number)]

    def parts(self, weights: Floats, choice: int) -> dict[str, float]:
        """What a choice is worth at sight, feature by feature; of a flip only what luck may bring."""
        room = self.draft.room
        kernel.foresee(self.site.law, self.draft.numbers, choice, self._rows(weights), room.desk, room.notes)
        found = {
            name: float(room.notes[kernel.BLEND + at] * room.notes[kernel.OUT + at])
            for at, name in enumerate(kernel.FEATURES)
        }
        return {name: points for name, points in found.items() if points}

    def futures(self, limit: int) -> int:
        """Only the last turn of a game, once no card can be turned, is free of luck: a way for each choice."""
        law, numbers = self.site.law, self.draft.numbers
        turning = numbers[kernel.PHASE] == kernel.TURN and kernel.turnable(law, numbers)
        if turning or numbers[kernel.TOP] != kernel.NONE:
            return limit
        return int(kernel.listed(law, numbers, self.draft.room.choices))

    def solved(self) -> list[tuple[float, int]]:
        """Every choice of the last turn with its outcome: there is nothing to weigh."""
        return self.searched(floats([0.0] * 2 * kernel.FEATURE_COUNT), 1, kernel.MOST_NODES, 0)[1]

    def searched(self, weights: Floats, simulations: int, width: int, seed: int) -> tuple[int, list[tuple[float, int]]]:
        """How many games it took, and so many choices, each with its lead on average, the best first.

        The line of the solo game is set at sight: what comes of it is too far off.
        """
        if self.draft.numbers[kernel.PHASE] == kernel.LINE:
            return 0, sorted(self.valued(weights), reverse=True)[:width]
        room, tree, effort = Room.with_luck(seed), Tree(), self._effort(simulations)
        number, games = kernel.searched(
            self.site.law, self.draft.numbers, int(simulations * effort.times), min(width, kernel.MOST_NODES),
            effort.turns * self.site.players, effort.growing, room.draft, room.coming, room.luck, self._rows(weights),
            room.choices, room.desk, room.notes, room.chosen, room.means, tree.nodes, tree.sums, tree.path, tree.gaps,
            tree.leads,
        )  # fmt: skip
        return int(games), [(float(room.means[at]), int(room.chosen[at])) for at in range(number)]

    def _effort(self, simulations: int) -> Effort:
        efforts = EFFORTS[min(self.site.setup.seats, max(EFFORTS))]
        return efforts[max(least for least in efforts if least <= simulations)]

    def _rows(self, weights: Floats) -> Floats:
        """The same weights for everybody."""
        return floats([each for _ in range(self.site.players) for each in weights])


def has_kernel(state: State) -> bool:
    """Which tokens come into the line is chosen before anything that the kernel knows."""
    return state.phase != "choose"


def position_of(state: State) -> Position:
    return Position(Draft.of(state))
