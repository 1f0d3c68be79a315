"""How Point City lies in arrays: what stands where, what it is called, and which arrays go together.

What the game is stands in `law`, which `materials.py` writes from the content that the rules read. A game being played
is `draft`. A choice is a number; a way to pay is one too, with the cards it spends in groups of four bits.
"""

from typing import NamedTuple

from polyopolis.kernels.runtime.jit import Floats, Ints, Words

RESOURCES, FACES, JOKER = 5, 11, 10
CELLS, ROW, PAIRS, LINES, TIERS = 16, 4, 24, 8, 3
MOST_PLAYERS, MOST_SIDES, MOST_BACKS, MOST_CARDS, MOST_TOKENS, MOST_COPIES = 4, 20, 32, 160, 22, 32
MOST_WAYS = 4096
"""More than there are to pay any two buildings from any stock."""
NONE = -1

# law
SEATS, PLAYERS, ALL_TURNS, LAID, TOKEN_COUNT, WIT, CROSSING, PER_TOKEN, PER_JOKER = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""WIT: the tokens that count jokers, as bits."""
COPIES = 9
"""Points of the Automa for so many permanents of one resource."""
PAIR = COPIES + MOST_COPIES
LINE_MASK = PAIR + 2 * PAIRS
TIER = LINE_MASK + LINES
"""The first side of each tier, and where the last tier ends."""
SIDE = TIER + TIERS + 1
FACE, SYMBOLS, BACK = 0, 1, 2
"""Of a side: its face, how many symbols it gives in a byte for each resource, its first card."""
CARD = SIDE + 4 * (MOST_SIDES + 1)
KIND, RESOURCE, POINTS, COST = 0, 1, 2, 3
"""Of a card; a cost is a byte for each resource."""
BUILDS_RESOURCE, BUILDS_CIVIC = 0, 2
MEDAL = CARD + 4 * MOST_CARDS
COUNTS, EACH, LEAST, MOST, OF, GROWTH, RISES = 0, 1, 2, 3, 4, 5, 6
"""Of a token: what it counts, points for each, the threshold, the resources of a set, which feature its hope is,
and whether permanents change it."""
FLAT, TYPES, SETS, INGENUITY = 0, 1, 2, 3
LAW = MEDAL + 8 * MOST_TOKENS

# draft
PHASE, SEAT, TURNS, TOP, CIVIC, BUYING, SPACES, UP_COUNT, LINED = 0, 1, 2, 3, 4, 5, 7, 9, 10
"""BUYING and SPACES are two numbers each; a space is twice its cell, and one more if a building comes next."""
LEFT = 11
MARKET = LEFT + TIERS
"""A cell shows a side, a building card (from HOUSE on), or NONE."""
HOUSE = 32
UP = MARKET + CELLS
LINED_UP = UP + MOST_TOKENS
UNSEEN = LINED_UP + MOST_TOKENS
"""For each side how many cards were not seen yet; then for each side and for each card how many were not shown yet."""
HIDDEN = UNSEEN + MOST_SIDES
UNSHOWN = HIDDEN + MOST_SIDES
PLAYER = UNSHOWN + MOST_CARDS
STOCK, PERMANENTS, SCORED, BUILT, MEDALS, MEDAL_COUNT = 0, 11, 16, 17, 18, 19
BLOCK = 20
DRAFT = PLAYER + MOST_PLAYERS * BLOCK

# phases, in the order in which the rules name them
TO_LAY, TO_NAME, OPENING, LINE, TURN, FLIP, TAKE, PAY, TOKEN, REFILL, TOP_DUE, DRAW_DUE, OVER = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12,
)  # fmt: skip

# choices: a cell to be turned, a pair to be taken, ...
TAKING = CELLS
DRAW, SKIP, AS_DRAWN = TAKING + PAIRS, TAKING + PAIRS + 1, TAKING + PAIRS + 2
PICK = 64
PAYING = 1 << 50
"""A way to pay: for each resource four bits of singles and four of doubles, then four of jokers."""
JOKERS_AT = 8 * RESOURCES

# coming: for each tier its faces, from the last to the next; for each side the buildings behind it, likewise
MOST_FACES = 80
BEHIND = TIERS * MOST_FACES
COMING = BEHIND + MOST_SIDES * MOST_BACKS


class Features(NamedTuple):
    """What a player has: what a city is worth, then what it may be worth. A feature is named here and nowhere else."""

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
"""Where each feature is written, after OUT or BLEND."""
FEATURES = Features._fields
FEATURE_COUNT = len(FEATURES)
CITY_FEATURES = AT.symbols
"""So many are about what stands."""
ENOUGH = 3
"""Symbols of a resource beyond so many are plenty."""

# notes: numbers of whoever values, by the player who decides and by the next one
BLEND = 0
OUT = BLEND + FEATURE_COUNT
BASE = OUT + FEATURE_COUNT
PRICE = BASE + 1
GAIN = PRICE + CELLS
LOOMING = GAIN + RESOURCES + 1
"""What each building of the market is worth to the player, each permanent (then a token), and what the next player
may take at each cell."""
HOPES = LOOMING + CELLS
LEADS = HOPES + MOST_PLAYERS
"""What the game is worth to each seat, and by how much it is likely to be ahead."""
VALUES = LEADS + MOST_PLAYERS
NOTES = VALUES + MOST_WAYS

# desk: the player's block as it would be, what is bought, then the buildings of the market with their costs
HAND = 0
BOUGHT, WITTY = 20, 22
"""Buildings that are bought, and whether a token counts jokers."""
HOUSES = 24
HOUSE_CELLS, HOUSE_COSTS = HOUSES + 1, HOUSES + 1 + CELLS
DESK = HOUSE_COSTS + CELLS

TOPS = 0x8080808080
BYTES = 0x0101010101
WINNING, UNSURE = 30.0, 20.0
"""Points that winning is worth besides the lead to whoever searches, and the lead that is worth half of it at first:
early in a game a lead is not a win yet."""

TIED = 1024
"""More than anybody has cards."""

# tree: nodes, each with what may be chosen there; a choice may lead to another node
MOST_NODES, BRANCHES = 2048, 8
"""As many nodes as there are unless a search says otherwise."""
VISITS, USED, AFTER = 0, 1, 2
"""How often a node was reached, how many branches it has, and the choice of the search that led to it."""
BRANCH, TAKEN, LEADS_TO = 3, 1, 2
"""Of a branch: its choice, how often it was taken, and the node after it."""
NODE = BRANCH + 3 * BRANCHES
MOST_STEPS = 64
NOBODY, EVERYBODY, SEARCHER = 0, 1, 2
"""Whose choices are branches: a tree of everybody's grows wide with many players."""
EXPLORING, LEANING, RIPE = 10.0, 1.0, 2
"""Points that curiosity and the value at sight are worth at first; how often a branch is taken before a node grows."""
LOG_2, ROOT = 0.6931471805599453, 1.4142135623730951
"""The logarithm of two and its square root."""
SURELY, ALIKE, OFTEN = 2.0, 1, 16
"""A choice is settled when no other is better by more than so many points, so many standard errors granted; it is asked
again after so many games."""


class Plan(NamedTuple):
    """How a search goes about it."""

    simulations: int
    width: int
    """So many choices are tried, those that are worth most at sight."""
    turns: int
    """So many turns of all players are played."""
    growing: int
    """Whose choices are branches of a tree: NOBODY's, EVERYBODY's or the SEARCHER's."""
    alike: int = ALIKE
    """Points by which another choice may be better than the one it settles for."""
    amending: int = 0
    """How often it counts in the tree that luck has just made a choice better or worse at sight than it usually is."""


class Room(NamedTuple):
    """Arrays to work in, since a kernel allocates nothing: a game to try things on, a generator for one future, the
    cards that come in it, and what is counted and weighed on the way."""

    draft: Ints
    luck: Words
    coming: Ints
    choices: Ints
    desk: Ints
    notes: Floats


class Tree(NamedTuple):
    """What a search remembers: its nodes, what came of their branches, how far these were behind the best at sight, the
    branches that were last taken, and for each choice how far it is behind the first and ahead of the others."""

    nodes: Ints
    sums: Floats
    behind: Floats
    path: Ints
    gaps: Floats
    leads: Floats
