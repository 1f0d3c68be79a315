"""Array layout of Point City: offsets, sizes, and the tuples of arrays that are passed together.

`law` holds the constants of a game, which `kernels/draft_arrays.py` makes from content; `draft` is a game in
progress. A choice is a number; so is a payment, which holds the number of spent cards in groups of four bits.
"""

from typing import NamedTuple

from polyopolis.kernels.runtime.jit import Floats, Ints, Words

RESOURCE_COUNT, FACE_COUNT, JOKER_FACE = 5, 11, 10
CELL_COUNT, ROW_LENGTH, PAIR_COUNT, LINE_COUNT, TIER_COUNT = 16, 4, 24, 8, 3
MAX_PLAYERS, MAX_SIDES, MAX_BACKS, MAX_CARDS, MAX_TOKENS, MAX_COPIES = 4, 20, 32, 160, 22, 32
MAX_PAYMENTS = 4096
"""More than the number of payments for any two buildings from any stock."""
NONE = -1

# law
SEAT_COUNT, PLAYER_COUNT, TOTAL_TURNS, TOKENS_LAID, TOKEN_COUNT, INGENUITY_TOKENS = 0, 1, 2, 3, 4, 5
AUTOMA_START, AUTOMA_TOKEN_POINTS, AUTOMA_JOKER_POINTS = 6, 7, 8
"""INGENUITY_TOKENS: tokens that count jokers, as bits. AUTOMA_START: the cell where the Automa's markers cross first.
"""
AUTOMA_COPY_POINTS = 9
"""Points of the Automa by number of permanents of one resource."""
PAIR_CELLS = AUTOMA_COPY_POINTS + MAX_COPIES
LINE_MASKS = PAIR_CELLS + 2 * PAIR_COUNT
TIER_SIDES = LINE_MASKS + LINE_COUNT
"""The first side of each tier, and the end of the last tier."""
SIDES = TIER_SIDES + TIER_COUNT + 1
SIDE_FACE, SIDE_SYMBOLS, SIDE_FIRST_CARD = 0, 1, 2
"""Fields of a side: face, symbols (a byte per resource), first building card."""
CARDS = SIDES + 4 * (MAX_SIDES + 1)
CARD_KIND, CARD_RESOURCE, CARD_POINTS, CARD_COST = 0, 1, 2, 3
"""Fields of a building card; costs have a byte per resource."""
RESOURCE_BUILDING, CIVIC_BUILDING = 0, 2
TOKENS = CARDS + 4 * MAX_CARDS
TOKEN_RULE, TOKEN_POINTS, TOKEN_MIN, TOKEN_MAX, TOKEN_SET, TOKEN_FEATURE, TOKEN_GROWS = 0, 1, 2, 3, 4, 5, 6
"""Fields of a token: counting rule, points per unit, minimum and maximum of the count, resources of a set (bits), the
feature for its potential, and whether permanents change it."""
FLAT, TYPES, SETS, INGENUITY = 0, 1, 2, 3
LAW_SIZE = TOKENS + 8 * MAX_TOKENS

# draft
PHASE, SEAT, TURNS_PLAYED, TOP_SIDE, TOKENS_DUE = 0, 1, 2, 3, 4
BUYING, EMPTY_SPACES, TABLE_TOKEN_COUNT, LINE_TOKEN_COUNT = 5, 7, 9, 10
"""BUYING and EMPTY_SPACES have two entries each. A space is twice its cell, plus 1 if a building comes next."""
TIER_CARDS_LEFT = 11
MARKET = TIER_CARDS_LEFT + TIER_COUNT
"""A cell holds a side, a building card (from FIRST_BUILDING on), or NONE."""
FIRST_BUILDING = 32
TABLE_TOKENS = MARKET + CELL_COUNT
LINE_TOKENS = TABLE_TOKENS + MAX_TOKENS
UNSEEN_SIDES = LINE_TOKENS + MAX_TOKENS
"""Cards of each side not yet seen; then, by side and by building card, buildings not yet shown."""
HIDDEN_BUILDINGS = UNSEEN_SIDES + MAX_SIDES
UNSHOWN_CARDS = HIDDEN_BUILDINGS + MAX_SIDES
PLAYERS_AT = UNSHOWN_CARDS + MAX_CARDS
STOCK, PERMANENTS, BUILDING_POINTS, BUILDING_COUNT, TOKEN_BITS, PLAYER_TOKEN_COUNT = 0, 11, 16, 17, 18, 19
PLAYER_SIZE = 20
DRAFT_SIZE = PLAYERS_AT + MAX_PLAYERS * PLAYER_SIZE

# phases, in the order of the rules
PHASE_TOKENS, PHASE_FIRST, PHASE_OPENING, PHASE_LINE, PHASE_TURN, PHASE_FLIP, PHASE_TAKE = 0, 1, 2, 3, 4, 5, 6
PHASE_PAY, PHASE_TOKEN, PHASE_REFILL, PHASE_TOP, PHASE_DRAW, PHASE_OVER = 7, 8, 9, 10, 11, 12

# choices: flips by cell, then pairs to take, ...
FIRST_TAKE = CELL_COUNT
DRAW, SKIP, AS_DRAWN = FIRST_TAKE + PAIR_COUNT, FIRST_TAKE + PAIR_COUNT + 1, FIRST_TAKE + PAIR_COUNT + 2
FIRST_PICK = 64
FIRST_PAYMENT = 1 << 50
"""A payment: for each resource four bits of singles and four of doubles, then four bits of jokers."""
PAYMENT_JOKER_SHIFT = 8 * RESOURCE_COUNT

# coming: faces by tier, the next one last; then buildings behind each side, likewise
MAX_TIER_FACES = 80
COMING_BUILDINGS = TIER_COUNT * MAX_TIER_FACES
COMING_SIZE = COMING_BUILDINGS + MAX_SIDES * MAX_BACKS


class Features(NamedTuple):
    """Features of a player: the value of the city, then the potential. The only definition of features."""

    points: int
    tokens: int
    near: int
    ones: int
    twos: int
    fulls: int
    permanents: int
    types: int
    pairs: int
    triples: int

    symbols: int
    plenty: int
    kinds: int
    doubles: int
    jokers: int
    reach: int
    second: int
    threat: int
    houses: int
    drawn: int
    flip: int
    hidden: int


AT = Features(*range(len(Features._fields)))
"""Index of each feature in FEATURE_VALUES and WEIGHTS."""
FEATURES = Features._fields
FEATURE_COUNT = len(FEATURES)
CITY_FEATURE_COUNT = AT.symbols
"""Number of features of the built city."""
PLENTY_SYMBOLS = 3
"""More symbols of a resource than this count as `plenty`."""

# evals: values of the evaluation, for the deciding player and the next one
WEIGHTS = 0
FEATURE_VALUES = WEIGHTS + FEATURE_COUNT
BASE_VALUE = FEATURE_VALUES + FEATURE_COUNT
BUILDING_VALUES = BASE_VALUE + 1
PERMANENT_VALUES = BUILDING_VALUES + CELL_COUNT
THREATS = PERMANENT_VALUES + RESOURCE_COUNT + 1
"""Value of each market building, of each permanent (then of the best token), and what the next player may gain at
each cell."""
UTILITIES = THREATS + CELL_COUNT
LEADS = UTILITIES + MAX_PLAYERS
"""Utility and estimated lead of each seat."""
CHOICE_VALUES = LEADS + MAX_PLAYERS
EVALS_SIZE = CHOICE_VALUES + MAX_PAYMENTS

# trial: a copy of the player, bought buildings, then the market buildings with their costs
TRIAL_PLAYER = 0
TRIAL_BOUGHT, HAS_INGENUITY_TOKEN = 20, 22
"""Bought buildings, and whether the player has a token that counts jokers."""
MARKET_BUILDING_COUNT = 24
MARKET_BUILDING_CELLS, MARKET_BUILDING_COSTS = MARKET_BUILDING_COUNT + 1, MARKET_BUILDING_COUNT + 1 + CELL_COUNT
TRIAL_SIZE = MARKET_BUILDING_COSTS + CELL_COUNT

BYTE_TOP_BITS = 0x8080808080
BYTE_ONES = 0x0101010101
WIN_POINTS, UNSURE_LEAD_POINTS = 30.0, 20.0
"""Value of winning in points, besides the lead; and the lead that is worth half of it at the start of a game, when a
lead is uncertain."""

TIE_BASE = 1024
"""More than the maximum number of cards of a player."""

# tree: a node has a branch per choice; a branch may lead to another node
MAX_NODES, MAX_BRANCHES = 2048, 8
"""Default number of nodes."""
NODE_VISITS, NODE_BRANCHES, NODE_CHOICE = 0, 1, 2
"""Fields of a node: visits, number of branches, and the root choice that led to it."""
FIRST_BRANCH, BRANCH_VISITS, BRANCH_NODE = 3, 1, 2
"""Fields of a branch: its choice (at offset 0), visits, and the next node."""
NODE_SIZE = FIRST_BRANCH + 3 * MAX_BRANCHES
MAX_PATH_STEPS = 64
NO_PLAYERS, ALL_PLAYERS, SEARCHER = 0, 1, 2
"""Players whose choices are branches. A tree of all players is wide with many of them."""
EXPLORATION_POINTS, STATIC_VALUE_WEIGHT, MIN_VISITS_TO_EXPAND = 10.0, 1.0, 2
"""Initial weights, in points, of exploration and of the static value; visits of a branch before it gets a node."""
LOG_2, SQRT_2 = 0.6931471805599453, 1.4142135623730951
SETTLED_ERRORS, DEFAULT_TOLERANCE_POINTS, GAMES_PER_SETTLED_CHECK = 2.0, 1, 16
"""A search is settled when no other choice is better by more than a tolerance in points, allowing for this number of
standard errors. This is checked at intervals of games."""


class SearchPlan(NamedTuple):
    """Settings of a search."""

    simulations: int
    width: int
    """Number of choices that are tried, by static value."""
    turns: int
    """Turns of all players per simulation."""
    tree_players: int
    """NO_PLAYERS, ALL_PLAYERS or SEARCHER."""
    tolerance: int = DEFAULT_TOLERANCE_POINTS
    """Points by which another choice may be better when the search stops early."""
    correction: int = 0
    """Weight of the difference between the static value of a choice in this simulation and its mean static value."""


class DraftScratch(NamedTuple):
    """Work arrays, because kernels do not allocate: a game to change, the generator of a future and its cards,
    choices, a player to change (`trial`), and values of the evaluation (`evals`)."""

    draft: Ints
    rng: Words
    coming: Ints
    choices: Ints
    trial: Ints
    evals: Floats


class Tree(NamedTuple):
    """Search tree: nodes, sum of results by branch, sum of static gaps to the best choice by branch, the last path,
    and by root choice the sums of differences to the first choice and of leads."""

    nodes: Ints
    sums: Floats
    behind: Floats
    path: Ints
    gaps: Floats
    leads: Floats
