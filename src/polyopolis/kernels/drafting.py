"""The whole of Point City on one array of numbers: decide, deal, score, value, play and search.

What the game is stands in `law`, which `drafts.py` writes from the content that the rules read. A game being played is
`draft`. A choice is a number; a way to pay is one too, with the cards it spends in groups of four bits.

Everything compiled is in this one file, but for the generator of luck; see `placing.py`.
"""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from math import log, sqrt

from polyopolis.kernels.compiled import Floats, Ints, Words, jit
from polyopolis.kernels.placing import below, copied, sort

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

# features: what a city is worth, then what it may be worth
FEATURES = (
    "points", "tokens", "near", "ones", "twos", "fulls", "permanents", "types", "pairs", "triples",
    "symbols", "plenty", "kinds", "doubles", "jokers", "reach", "second", "threat", "houses", "drawn", "flip", "hidden",
)  # fmt: skip
FEATURE_COUNT = len(FEATURES)
(
    F_POINTS, F_TOKENS, F_NEAR, F_ONES, F_TWOS, F_FULLS, F_PERMANENTS, F_TYPES, F_PAIRS, F_TRIPLES,
    F_SYMBOLS, F_PLENTY, F_KINDS, F_DOUBLES, F_JOKERS, F_REACH, F_SECOND, F_THREAT, F_HOUSES, F_DRAWN, F_FLIP, F_HIDDEN,
) = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)  # fmt: skip
CITY_FEATURES = F_SYMBOLS
ENOUGH = 3
"""Symbols of a resource beyond so many are plenty."""

# notes: numbers of whoever values, by the player who decides and by the next one
BLEND, OUT, BASE = 0, 32, 64
PRICE, GAIN, LOOMING = 96, 112, 128
"""What each building of the market is worth to the player, each permanent (then a token), and what the next player
may take at each cell."""
HOPES, LEADS = 144, 148
"""What the game is worth to each seat, and by how much it is likely to be ahead."""
VALUES = 160
NOTES = VALUES + 64 + MOST_WAYS

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

# tree: nodes, each with what may be chosen there; a choice may lead to another node
MOST_NODES, BRANCHES = 2048, 8
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
SURELY, ALIKE, OFTEN = 2.0, 1.0, 16
"""A choice is settled when no other is better by more than a little, so many standard errors granted; it is asked again
after so many games."""


@jit
def lacking(cost: int, given: int) -> int:
    """How many symbols of a cost are not there; both are a byte for each resource."""
    short = (cost | TOPS) - given
    short &= ((short & TOPS) >> 7) * 127
    return (short * BYTES >> 32) & 255


@jit
def symbols(block: Ints, at: int) -> int:
    """What cards and permanents of a player give, jokers aside: a byte for each resource."""
    given = 0
    for resource in range(RESOURCES - 1, -1, -1):
        singles, doubles = block[at + STOCK + 2 * resource], block[at + STOCK + 2 * resource + 1]
        given = given << 8 | singles + 2 * doubles + block[at + PERMANENTS + resource]
    return given


@jit
def next_tier(draft: Ints) -> int:
    for tier in range(TIERS):
        if draft[LEFT + tier] > 0:
            return tier
    return NONE


@jit
def side_of(law: Ints, card: int) -> int:
    """The side behind a building, by where its cards begin."""
    side = 0
    while law[SIDE + 4 * (side + 1) + BACK] <= card:
        side += 1
    return side


# What a seat may do.


@jit
def turnable(law: Ints, draft: Ints) -> int:
    """The cells in a row or column that shows only resources, as bits (PC-6)."""
    resources, found = 0, 0
    for cell in range(CELLS):
        if 0 <= draft[MARKET + cell] < HOUSE:
            resources |= 1 << cell
    for line in range(LINES):
        mask = law[LINE_MASK + line]
        if resources & mask == mask:
            found |= mask
    return found


@jit
def can_take(law: Ints, draft: Ints, pair: int, given: int, jokers: int) -> bool:
    """Two resources, a building that they can pay, or two (PC-8 to PC-10)."""
    cost = 0
    for end in range(2):
        shown = draft[MARKET + law[PAIR + 2 * pair + end]]
        if shown >= HOUSE:
            cost += law[CARD + 4 * (shown - HOUSE) + COST]
        else:
            given += law[SIDE + 4 * shown + SYMBOLS]
            jokers += law[SIDE + 4 * shown + FACE] == JOKER
    return lacking(cost, given) <= jokers


@jit
def listed(law: Ints, draft: Ints, found: Ints) -> int:
    """Writes every choice of the seat that decides into `found`; how many there are."""
    phase, number = draft[PHASE], 0
    if phase == PAY:
        return ways(law, draft, found)
    if phase in (TOKEN, LINE):
        for token in range(draft[UP_COUNT]):
            found[number] = PICK + draft[UP + token]
            number += 1
        if phase == LINE and draft[LINED] == 0:
            found[number] = AS_DRAWN
            number += 1
        return number
    if phase == TURN:
        cells = turnable(law, draft)
        for cell in range(CELLS):
            if cells >> cell & 1:
                found[number] = cell
                number += 1
    flips, at = number, PLAYER + BLOCK * draft[SEAT]
    given, jokers = symbols(draft, at), draft[at + JOKER]
    for pair in range(PAIRS):
        if can_take(law, draft, pair, given, jokers):
            found[number] = TAKING + pair
            number += 1
    if draft[TOP] != NONE:
        found[number] = DRAW
        number += 1
    if number == flips:
        found[number] = SKIP
        number += 1
    return number


@jit
def owed(law: Ints, draft: Ints, resource: int) -> int:
    """Symbols of a resource that cards have to pay: permanents come first (PC-10, PC-11)."""
    amount = -draft[PLAYER + BLOCK * draft[SEAT] + PERMANENTS + resource]
    for number in range(2):
        card = draft[BUYING + number]
        if card != NONE:
            amount += law[CARD + 4 * card + COST] >> 8 * resource & 255
    return max(amount, 0)


@jit
def ways(law: Ints, draft: Ints, found: Ints) -> int:
    """Writes all ways to pay that spend no card that could be left out (PC-11), resource by resource."""
    at, number = PLAYER + BLOCK * draft[SEAT], 1
    found[0] = PAYING
    for resource in range(RESOURCES):
        amount = owed(law, draft, resource)
        if amount == 0:
            continue
        for way in range(number):
            found[MOST_WAYS + way] = found[way]
        before, number = number, 0
        singles = min(draft[at + STOCK + 2 * resource], amount)
        doubles = min(draft[at + STOCK + 2 * resource + 1], (amount + 1) // 2)
        for way in range(before):
            spent = found[MOST_WAYS + way]
            for two in range(doubles + 1):
                for one in range(singles + 1):
                    over = one + 2 * two - amount
                    needed = (spent >> JOKERS_AT & 15) + max(-over, 0)
                    fits = needed <= min(draft[at + JOKER], 15) and number < MOST_WAYS
                    if fits and (over <= 0 or (over == 1 and one == 0)):
                        found[number] = spent + (one + (two << 4) << 8 * resource) + (max(-over, 0) << JOKERS_AT)
                        number += 1
    return number


@jit
def thrifty(block: Ints, at: int, resource: int, amount: int) -> tuple[int, int, int]:
    """The way to pay one resource with the least jokers, then the fewest cards: singles, doubles, jokers."""
    singles, doubles = block[at + STOCK + 2 * resource], block[at + STOCK + 2 * resource + 1]
    two = min(doubles, amount // 2)
    one = min(amount - 2 * two, singles)
    if one + 2 * two < amount and two < doubles:
        one, two = 0, two + 1
    return one, two, max(amount - one - 2 * two, 0)


@jit
def spend(block: Ints, at: int, way: int) -> None:
    for resource in range(RESOURCES):
        block[at + STOCK + 2 * resource] -= way >> 8 * resource & 15
        block[at + STOCK + 2 * resource + 1] -= way >> 8 * resource + 4 & 15
    block[at + JOKER] -= way >> JOKERS_AT & 15


# What comes of it.


@jit
def decide(law: Ints, draft: Ints, choice: int, found: Ints) -> None:
    """A choice of the seat that decides, until luck or a seat is due. A building is paid if there is only one way."""
    if choice >= PAYING:
        build(law, draft, choice)
    elif TAKING <= choice < DRAW:
        take(law, draft, law[PAIR + 2 * (choice - TAKING)], law[PAIR + 2 * (choice - TAKING) + 1])
        if draft[BUYING] == NONE:
            refill(law, draft)
        elif ways(law, draft, found) == 1:
            build(law, draft, found[0])
        else:
            draft[PHASE] = PAY
    else:
        do_other(law, draft, choice)


@jit
def act(law: Ints, draft: Ints, choice: int) -> None:
    """The same for one who pays what is thriftiest."""
    if TAKING <= choice < DRAW:
        take(law, draft, law[PAIR + 2 * (choice - TAKING)], law[PAIR + 2 * (choice - TAKING) + 1])
        if draft[BUYING] == NONE:
            refill(law, draft)
        else:
            build_thriftily(law, draft)
    else:
        do_other(law, draft, choice)


@jit
def build_thriftily(law: Ints, draft: Ints) -> None:
    way = PAYING
    for resource in range(RESOURCES):
        amount = owed(law, draft, resource)
        one, two, jokers = thrifty(draft, PLAYER + BLOCK * draft[SEAT], resource, amount)
        way += (one + (two << 4) << 8 * resource) + (jokers << JOKERS_AT)
    build(law, draft, way)


@jit
def do_other(law: Ints, draft: Ints, choice: int) -> None:
    """Everything but to take and to pay."""
    if choice >= PICK:
        if draft[PHASE] == LINE:
            line_up(draft, choice - PICK)
        else:
            pick(law, draft, choice - PICK)
    elif choice < TAKING:
        draft[SPACES] = 2 * choice + 1
        draft[PHASE] = FLIP
    elif choice == DRAW:
        draft[PLAYER + BLOCK * draft[SEAT] + law[SIDE + 4 * draft[TOP] + FACE]] += 1
        draft[TOP] = NONE
        draft[PHASE] = DRAW_DUE
    elif choice == AS_DRAWN:
        draft[PHASE] = TURN
    else:
        draft[PHASE] = OVER


@jit
def take(law: Ints, draft: Ints, one: int, other: int) -> None:
    """Two cards leave the market: resources to the stock (PC-8), buildings to be built."""
    bought, at = 0, PLAYER + BLOCK * draft[SEAT]
    for end in range(2):
        cell = one if end == 0 else other
        shown = draft[MARKET + cell]
        draft[MARKET + cell] = NONE
        if shown >= HOUSE:
            draft[BUYING + bought] = shown - HOUSE
            bought += 1
            draft[SPACES + end] = 2 * cell
        else:
            draft[at + STOCK + law[SIDE + 4 * shown + FACE]] += 1
            draft[SPACES + end] = 2 * cell + 1


@jit
def build(law: Ints, draft: Ints, way: int) -> None:
    """The buildings are paid and stand; tokens for civic ones come before the refill (PC-14)."""
    spend(draft, PLAYER + BLOCK * draft[SEAT], way)
    erect(law, draft)
    ask_token(law, draft)


@jit
def erect(law: Ints, draft: Ints) -> None:
    """What was taken stands in the city."""
    at = PLAYER + BLOCK * draft[SEAT]
    draft[CIVIC] = 0
    for number in range(2):
        card = draft[BUYING + number]
        if card != NONE:
            draft[CIVIC] += put_up(law, draft, at, card)
        draft[BUYING + number] = NONE


@jit
def put_up(law: Ints, block: Ints, at: int, card: int) -> int:
    """A building more for a player; how many tokens it brings."""
    kind = law[CARD + 4 * card + KIND]
    block[at + SCORED] += law[CARD + 4 * card + POINTS]
    block[at + BUILT] += 1
    if kind == BUILDS_RESOURCE:
        block[at + PERMANENTS + law[CARD + 4 * card + RESOURCE]] += 1
    return 1 if kind == BUILDS_CIVIC else 0


@jit
def ask_token(law: Ints, draft: Ints) -> None:
    if draft[CIVIC] > 0 and draft[UP_COUNT] > 0:
        draft[PHASE] = TOKEN
    else:
        draft[CIVIC] = 0
        refill(law, draft)


@jit
def pick(law: Ints, draft: Ints, token: int) -> None:
    win(draft, token)
    draft[CIVIC] -= 1
    ask_token(law, draft)


@jit
def win(draft: Ints, token: int) -> None:
    """A token goes from the table to the player."""
    at = PLAYER + BLOCK * draft[SEAT]
    draft[at + MEDALS] |= 1 << token
    draft[at + MEDAL_COUNT] += 1
    removed(draft, token)


@jit
def removed(draft: Ints, token: int) -> None:
    """The others close up."""
    kept = 0
    for number in range(draft[UP_COUNT]):
        if draft[UP + number] != token:
            draft[UP + kept] = draft[UP + number]
            kept += 1
    draft[UP + kept] = NONE
    draft[UP_COUNT] = kept


@jit
def line_up(draft: Ints, token: int) -> None:
    """The next token of the line (PC-21); the line is the tokens once all are in it."""
    removed(draft, token)
    draft[LINED_UP + draft[LINED]] = token
    draft[LINED] += 1
    if draft[UP_COUNT] == 0:
        draft[UP_COUNT] = draft[LINED]
        for number in range(draft[LINED]):
            draft[UP + number] = draft[LINED_UP + number]
            draft[LINED_UP + number] = NONE
        draft[LINED] = 0
        draft[PHASE] = TURN


# The end of a turn.


@jit
def refill(law: Ints, draft: Ints) -> None:
    """Fills the spaces in reading order (PC-15) until luck is due, a seat decides, or there is no card (PC-17)."""
    while True:
        space = draft[SPACES]
        if space == NONE:
            if next_turn(law, draft):
                return
            continue
        if draft[TOP] == NONE:
            draft[SPACES], draft[SPACES + 1] = NONE, NONE
            draft[PHASE] = OVER
            return
        if space & 1:
            draft[PHASE] = REFILL
            return
        draft[MARKET + space // 2] = draft[TOP]
        draft[SPACES], draft[SPACES + 1] = draft[SPACES + 1], NONE
        draft[TOP] = NONE
        if next_tier(draft) != NONE:
            draft[PHASE] = TOP_DUE
            return


@jit
def next_turn(law: Ints, draft: Ints) -> bool:
    """Whether a seat decides; else the Automa has taken its cards (PC-22, PC-23)."""
    draft[SEAT] = (draft[SEAT] + 1) % law[PLAYERS]
    draft[TURNS] += 1
    if draft[SEAT] < law[SEATS]:
        draft[PHASE] = TURN
        return True
    one = crossed(law, draft[TURNS] // law[PLAYERS])
    other = (one + ROW) % CELLS
    take(law, draft, min(one, other), max(one, other))
    erect(law, draft)
    for _ in range(min(draft[CIVIC], draft[UP_COUNT])):
        win(draft, draft[UP])
    draft[CIVIC] = 0
    return False


@jit
def crossed(law: Ints, turn: int) -> int:
    """Where the Automa's markers cross in its turn, from 0: both move on by one."""
    column, row = (law[CROSSING] + turn) % ROW, (law[CROSSING] // ROW + turn) % ROW
    return row * ROW + column


# Luck.


@jit
def turn_up(law: Ints, draft: Ints, what: int) -> None:
    """What luck brings: a token, a seat, a side or a building."""
    phase = draft[PHASE]
    if phase == TO_LAY:
        draft[UP + draft[UP_COUNT]] = what
        draft[UP_COUNT] += 1
        if draft[UP_COUNT] == law[LAID]:
            draft[PHASE] = TO_NAME if law[SEATS] > 1 else OPENING
    elif phase == TO_NAME:
        draft[SEAT] = what
        draft[PHASE] = OPENING
    elif phase in (FLIP, REFILL):
        show(law, draft, what)
    else:
        see(law, draft, what)


@jit
def show(law: Ints, draft: Ints, card: int) -> None:
    """A building, turned by a flip or for the market."""
    draft[UNSHOWN + card] -= 1
    draft[HIDDEN + side_of(law, card)] -= 1
    draft[MARKET + draft[SPACES] // 2] = HOUSE + card
    draft[SPACES], draft[SPACES + 1] = draft[SPACES + 1], NONE
    if draft[PHASE] == FLIP:
        draft[PHASE] = TAKE
    else:
        new_top(law, draft)


@jit
def see(law: Ints, draft: Ints, side: int) -> None:
    """A face: for the market at the opening, drawn, or the new top."""
    draft[UNSEEN + side] -= 1
    draft[LEFT + next_tier(draft)] -= 1
    if draft[PHASE] == DRAW_DUE:
        draft[PLAYER + BLOCK * draft[SEAT] + law[SIDE + 4 * side + FACE]] += 1
        new_top(law, draft)
    elif draft[PHASE] == TOP_DUE:
        draft[TOP] = side
        refill(law, draft)
    else:
        for cell in range(CELLS):
            if draft[MARKET + cell] == NONE:
                draft[MARKET + cell] = side
                return
        draft[TOP] = side
        draft[PHASE] = LINE if law[PLAYERS] > law[SEATS] else TURN


@jit
def new_top(law: Ints, draft: Ints) -> None:
    """The top card is gone; the next one shows its face, if there is one."""
    draft[TOP] = NONE
    if next_tier(draft) == NONE:
        refill(law, draft)
    else:
        draft[PHASE] = TOP_DUE


@jit
def lay_out(law: Ints, draft: Ints, luck: Words) -> None:
    """Tokens and the first player."""
    while draft[PHASE] == TO_LAY:
        laid = 0
        for number in range(draft[UP_COUNT]):
            laid |= 1 << draft[UP + number]
        left = below(luck, law[TOKEN_COUNT] - draft[UP_COUNT])
        token = 0
        while laid >> token & 1 or left > 0:
            left -= 1 - (laid >> token & 1)
            token += 1
        turn_up(law, draft, token)
    if draft[PHASE] == TO_NAME:
        turn_up(law, draft, below(luck, law[SEATS]))


@jit
def shuffle(law: Ints, draft: Ints, luck: Words, coming: Ints) -> None:
    """Writes all luck to come: the faces of each tier in any order, and so the buildings behind each side.

    That is how a shuffled deck looks from here (docs/decisions/0003), whatever anybody will take or turn.
    """
    for tier in range(TIERS):
        number, at = 0, tier * MOST_FACES
        for side in range(law[TIER + tier], law[TIER + tier + 1]):
            for _ in range(draft[UNSEEN + side]):
                number = shuffled_in(coming, at, number, side, luck)
    for side in range(law[TIER + TIERS]):
        number, at = 0, BEHIND + side * MOST_BACKS
        for card in range(law[SIDE + 4 * side + BACK], law[SIDE + 4 * (side + 1) + BACK]):
            for _ in range(draft[UNSHOWN + card]):
                number = shuffled_in(coming, at, number, card, luck)


@jit
def shuffled_in(coming: Ints, at: int, number: int, what: int, luck: Words) -> int:
    other = below(luck, number + 1)
    coming[at + number] = coming[at + other]
    coming[at + other] = what
    return number + 1


@jit
def due(draft: Ints, coming: Ints) -> int:
    """What luck brings next, a side or a building; NONE when it is not its turn."""
    phase = draft[PHASE]
    if phase in (FLIP, REFILL):
        side = draft[MARKET + draft[SPACES] // 2]
        if side == NONE:
            side = draft[TOP]
        return coming[BEHIND + side * MOST_BACKS + draft[HIDDEN + side] - 1]
    if phase in (OPENING, TOP_DUE, DRAW_DUE):
        tier = next_tier(draft)
        return coming[tier * MOST_FACES + draft[LEFT + tier] - 1]
    return NONE


@jit
def deal(law: Ints, draft: Ints, coming: Ints) -> None:
    """All luck that is due."""
    what = due(draft, coming)
    while what != NONE:
        turn_up(law, draft, what)
        what = due(draft, coming)


@jit
def open_up(law: Ints, draft: Ints, luck: Words, coming: Ints) -> None:
    """From the first token to the first decision; all luck to come is written."""
    lay_out(law, draft, luck)
    shuffle(law, draft, luck, coming)
    deal(law, draft, coming)


# Scores.


@jit
def counted(law: Ints, block: Ints, at: int, token: int) -> int:
    """What a token counts for a player (PC-18)."""
    medal = MEDAL + 8 * token
    counts = law[medal + COUNTS]
    if counts == FLAT:
        return 1
    if counts == INGENUITY:
        return block[at + JOKER]
    if counts == SETS:
        return complete(block, at, law[medal + OF])
    return within(block, at, law[medal + LEAST], law[medal + MOST])


@jit
def complete(block: Ints, at: int, of: int) -> int:
    """How many sets of these resources."""
    least = 99
    for resource in range(RESOURCES):
        if of >> resource & 1:
            least = min(least, block[at + PERMANENTS + resource])
    return least


@jit
def within(block: Ints, at: int, least: int, most: int) -> int:
    """How many resources have so many permanents."""
    found = 0
    for resource in range(RESOURCES):
        if least <= block[at + PERMANENTS + resource] <= most:
            found += 1
    return found


@jit
def total(law: Ints, draft: Ints, player: int) -> int:
    """The score of a player, or of the Automa (PC-24)."""
    at = PLAYER + BLOCK * player
    score = draft[at + SCORED]
    if player >= law[SEATS]:
        for resource in range(RESOURCES):
            score += law[COPIES + draft[at + PERMANENTS + resource]]
        return score + draft[at + MEDAL_COUNT] * law[PER_TOKEN] + draft[at + JOKER] * law[PER_JOKER]
    for token in range(law[TOKEN_COUNT]):
        if draft[at + MEDALS] >> token & 1:
            score += law[MEDAL + 8 * token + EACH] * counted(law, draft, at, token)
    return score


@jit
def unspent(draft: Ints, player: int) -> int:
    cards = 0
    for face in range(FACES):
        cards += draft[PLAYER + BLOCK * player + STOCK + face]
    return cards


@jit
def lead(law: Ints, draft: Ints, seat: int) -> float:
    """By how much a player is ahead of the best other one; unspent cards settle ties (PC-19)."""
    ahead = 1000.0
    own = total(law, draft, seat) + 0.01 * unspent(draft, seat)
    for other in range(law[PLAYERS]):
        if other != seat:
            ahead = min(ahead, own - total(law, draft, other) - 0.01 * unspent(draft, other))
    return ahead


# What a position is worth.


@jit
def turns_left(law: Ints, draft: Ints, player: int) -> int:
    """The turns a player has yet, the one being played included."""
    if draft[PHASE] == OVER:
        return 0
    players = law[PLAYERS]
    left = law[ALL_TURNS] - draft[TURNS] - (player - draft[SEAT]) % players
    return (left + players - 1) // players


@jit
def blend(law: Ints, draft: Ints, player: int, left: int, weights: Floats, notes: Floats) -> None:
    """Writes the weights of this phase, between those of the first and of the last moment.

    Who has no turn left counts points alone, and what the next player may take.
    """
    row, phase = 2 * FEATURE_COUNT * player, draft[TURNS] / law[ALL_TURNS]
    for feature in range(FEATURE_COUNT):
        first, last = weights[row + feature], weights[row + FEATURE_COUNT + feature]
        notes[BLEND + feature] = first + (last - first) * phase
        if left <= 0 and feature != F_THREAT:
            notes[BLEND + feature] = 1.0 if feature <= F_TOKENS else 0.0


@jit
def near(law: Ints, block: Ints, at: int, token: int) -> int:
    """What a token would count more if every resource had a permanent more; of sets see their own features."""
    medal = MEDAL + 8 * token
    if law[medal + COUNTS] != TYPES:
        return 0
    least, most = law[medal + LEAST], law[medal + MOST]
    return within(block, at, least - 1, most - 1) - within(block, at, least, most)


@jit
def token_worth(law: Ints, block: Ints, at: int, token: int, notes: Floats) -> float:
    """What a token is worth to a player who has it."""
    worth = notes[BLEND + F_TOKENS] * counted(law, block, at, token) + notes[BLEND + F_NEAR] * near(
        law, block, at, token
    )
    growth = law[MEDAL + 8 * token + GROWTH]
    if growth != NONE:
        worth += notes[BLEND + growth]
    return worth * law[MEDAL + 8 * token + EACH]


@jit
def best_token(law: Ints, draft: Ints, block: Ints, at: int, without: int, notes: Floats) -> int:
    """The token on the table that is worth most to a player, one of them left aside; NONE if there is none."""
    best, most = NONE, -1e9
    for number in range(draft[UP_COUNT]):
        token = draft[UP + number]
        if token != without:
            worth = token_worth(law, block, at, token, notes)
            if worth > most:
                best, most = token, worth
    return best


@jit
def city_worth(law: Ints, block: Ints, at: int, notes: Floats) -> float:
    """Writes the features of what stands, and what it is worth: points, tokens, permanents."""
    for feature in range(CITY_FEATURES):
        notes[OUT + feature] = 0.0
    notes[OUT + F_POINTS] = block[at + SCORED]
    for resource in range(RESOURCES):
        own = block[at + PERMANENTS + resource]
        notes[OUT + F_PERMANENTS] += own
        for grade in range(min(own, 3)):
            notes[OUT + F_TYPES + grade] += 1.0
    medals, token = block[at + MEDALS], 0
    while medals >> token > 0:
        if medals >> token & 1:
            each = law[MEDAL + 8 * token + EACH]
            notes[OUT + F_TOKENS] += each * counted(law, block, at, token)
            notes[OUT + F_NEAR] += each * near(law, block, at, token)
            growth = law[MEDAL + 8 * token + GROWTH]
            if growth != NONE:
                notes[OUT + growth] += each
        token += 1
    value = 0.0
    for feature in range(CITY_FEATURES):
        value += notes[BLEND + feature] * notes[OUT + feature]
    return value


@jit
def tally_stock(block: Ints, at: int, notes: Floats) -> float:
    """Writes the features of the means to build, and what they are worth: symbols, jokers, doubles."""
    useful, plenty, kinds, doubles = 0, 0, 0, 0
    for resource in range(RESOURCES):
        twos = block[at + STOCK + 2 * resource + 1]
        held = block[at + STOCK + 2 * resource] + 2 * twos
        supply = held + block[at + PERMANENTS + resource]
        spare = min(held, max(supply - ENOUGH, 0))
        useful += held - spare
        plenty += spare
        doubles += twos
        kinds += 1 if supply > 0 else 0
    jokers = block[at + JOKER]
    notes[OUT + F_SYMBOLS], notes[OUT + F_PLENTY], notes[OUT + F_KINDS] = useful, plenty, kinds
    notes[OUT + F_DOUBLES], notes[OUT + F_JOKERS] = doubles, jokers
    return (
        notes[BLEND + F_SYMBOLS] * useful
        + notes[BLEND + F_PLENTY] * plenty
        + notes[BLEND + F_KINDS] * kinds
        + notes[BLEND + F_DOUBLES] * doubles
        + notes[BLEND + F_JOKERS] * jokers
    )


@jit
def find_gains(law: Ints, draft: Ints, at: int, notes: Floats) -> None:
    """Writes what one more permanent of each resource is worth to a player, and then the best token."""
    for resource in range(RESOURCES):
        own = draft[at + PERMANENTS + resource]
        notes[GAIN + resource] = notes[BLEND + F_PERMANENTS] + (notes[BLEND + F_TYPES + own] if own < 3 else 0.0)
    medals, token = draft[at + MEDALS], 0
    while medals >> token > 0:
        if medals >> token & 1 and law[MEDAL + 8 * token + RISES]:
            before = token_worth(law, draft, at, token, notes)
            for resource in range(RESOURCES):
                draft[at + PERMANENTS + resource] += 1
                notes[GAIN + resource] += token_worth(law, draft, at, token, notes) - before
                draft[at + PERMANENTS + resource] -= 1
        token += 1
    token = best_token(law, draft, draft, at, NONE, notes)
    notes[GAIN + RESOURCES] = 0.0 if token == NONE else token_worth(law, draft, at, token, notes)


@jit
def price(law: Ints, card: int, notes: Floats) -> float:
    """What a building is worth to the player whose gains are written."""
    kind = law[CARD + 4 * card + KIND]
    worth = notes[BLEND + F_POINTS] * law[CARD + 4 * card + POINTS]
    if kind == BUILDS_RESOURCE:
        return worth + notes[GAIN + law[CARD + 4 * card + RESOURCE]]
    return worth + notes[GAIN + RESOURCES] if kind == BUILDS_CIVIC else worth


@jit
def closeness(lack: int) -> float:
    """The part that a building is worth already if so many symbols are missing."""
    if lack <= 0:
        return 1.0
    return 0.6 if lack == 1 else 0.3 if lack == 2 else 0.0


@jit
def look_around(law: Ints, draft: Ints, desk: Ints) -> None:
    """Writes where buildings are in the market, and what they cost."""
    number = 0
    for cell in range(CELLS):
        shown = draft[MARKET + cell]
        if shown >= HOUSE:
            desk[HOUSE_CELLS + number] = cell
            desk[HOUSE_COSTS + number] = law[CARD + 4 * (shown - HOUSE) + COST]
            number += 1
    desk[HOUSES] = number


@jit
def find_prices(law: Ints, draft: Ints, at: int, desk: Ints, notes: Floats) -> None:
    """Writes what each building of the market is worth to a player."""
    find_gains(law, draft, at, notes)
    for number in range(desk[HOUSES]):
        cell = desk[HOUSE_CELLS + number]
        notes[PRICE + cell] = price(law, draft[MARKET + cell] - HOUSE, notes)


@jit
def find_looming(law: Ints, draft: Ints, player: int, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes what the next player may take at each cell, as far as it is within reach."""
    for cell in range(CELLS):
        notes[LOOMING + cell] = 0.0
    other = (player + 1) % law[PLAYERS]
    at = PLAYER + BLOCK * other
    left = turns_left(law, draft, other)
    if left == 0:
        return
    if other >= law[SEATS]:
        one = crossed(law, (draft[TURNS] + 1) // law[PLAYERS])
        for cell in (one, (one + ROW) % CELLS):
            notes[LOOMING + cell] = automa_gain(law, draft, at, draft[MARKET + cell])
        return
    blend(law, draft, other, left, weights, notes)
    find_prices(law, draft, at, desk, notes)
    given, jokers = symbols(draft, at), draft[at + JOKER]
    for number in range(desk[HOUSES]):
        cell = desk[HOUSE_CELLS + number]
        near_by = closeness(lacking(desk[HOUSE_COSTS + number], given) - jokers)
        notes[LOOMING + cell] = notes[PRICE + cell] * near_by


@jit
def automa_gain(law: Ints, draft: Ints, at: int, shown: int) -> float:
    """What a card of the market brings to the Automa."""
    if shown == NONE:
        return 0.0
    if shown < HOUSE:
        return float(law[PER_JOKER]) if law[SIDE + 4 * shown + FACE] == JOKER else 0.0
    card = CARD + 4 * (shown - HOUSE)
    if law[card + KIND] == BUILDS_CIVIC:
        return float(law[PER_TOKEN])
    points = law[card + POINTS]
    if law[card + KIND] == BUILDS_RESOURCE:
        own = draft[at + PERMANENTS + law[card + RESOURCE]]
        points += law[COPIES + own + 1] - law[COPIES + own]
    return float(points)


@jit
def tally_market(law: Ints, one: int, other: int, given: int, jokers: int, desk: Ints, notes: Floats) -> float:
    """Writes what is within reach in the market without two cells, for the player and for the next one."""
    best, second, threat = 0.0, 0.0, 0.0
    for number in range(desk[HOUSES]):
        cell = desk[HOUSE_CELLS + number]
        if cell not in (one, other):
            lack = lacking(desk[HOUSE_COSTS + number], given) - jokers
            if lack <= 2:
                worth = notes[PRICE + cell] * closeness(lack)
                if worth > best:
                    best, second = worth, best
                elif worth > second:
                    second = worth
            threat = max(threat, notes[LOOMING + cell])
    if law[PLAYERS] > law[SEATS]:
        threat = 0.0
        for cell in range(CELLS):
            if cell not in (one, other):
                threat += notes[LOOMING + cell]
    notes[OUT + F_REACH], notes[OUT + F_SECOND], notes[OUT + F_THREAT] = best, second, threat
    return notes[BLEND + F_REACH] * best + notes[BLEND + F_SECOND] * second + notes[BLEND + F_THREAT] * threat


@jit
def means_worth(law: Ints, block: Ints, at: int, one: int, other: int, desk: Ints, notes: Floats) -> float:
    """What a player's stock and the market without two cells are worth."""
    return tally_stock(block, at, notes) + tally_market(
        law, one, other, symbols(block, at), block[at + JOKER], desk, notes
    )


@jit
def survey(law: Ints, draft: Ints, seat: int, weights: Floats, desk: Ints, notes: Floats) -> None:
    """All that is the same for every choice of a seat."""
    at = PLAYER + BLOCK * seat
    look_around(law, draft, desk)
    find_looming(law, draft, seat, weights, desk, notes)
    blend(law, draft, seat, turns_left(law, draft, seat) - 1, weights, notes)
    find_prices(law, draft, at, desk, notes)
    notes[BASE] = city_worth(law, draft, at, notes)
    desk[WITTY] = 1 if draft[at + MEDALS] & law[WIT] else 0


@jit
def hold(draft: Ints, seat: int, desk: Ints) -> None:
    """The player's block, to try things on; nothing is bought yet."""
    for number in range(BLOCK):
        desk[HAND + number] = draft[PLAYER + BLOCK * seat + number]
    desk[BOUGHT], desk[BOUGHT + 1] = NONE, NONE


@jit
def crown(law: Ints, draft: Ints, civic: int, desk: Ints, notes: Floats) -> None:
    """The best tokens for so many civic buildings."""
    gone = NONE
    for _ in range(civic):
        token = best_token(law, draft, desk, HAND, gone, notes)
        if token != NONE:
            desk[HAND + MEDALS] |= 1 << token
            gone = token


@jit
def built_up(law: Ints, draft: Ints, desk: Ints, notes: Floats) -> None:
    """The hand with the buildings bought, which are paid already, and the best tokens for them."""
    civic = 0
    for number in range(2):
        if desk[BOUGHT + number] != NONE:
            civic += put_up(law, desk, HAND, desk[BOUGHT + number])
    crown(law, draft, civic, desk, notes)


@jit
def try_take(law: Ints, draft: Ints, seat: int, pair: int, desk: Ints) -> None:
    """The hand after taking a pair and paying thriftily; what is bought does not stand yet."""
    hold(draft, seat, desk)
    cost = 0
    for end in range(2):
        shown = draft[MARKET + law[PAIR + 2 * pair + end]]
        if shown >= HOUSE:
            desk[BOUGHT], desk[BOUGHT + 1] = shown - HOUSE, desk[BOUGHT]
            cost += law[CARD + 4 * (shown - HOUSE) + COST]
        else:
            desk[HAND + law[SIDE + 4 * shown + FACE]] += 1
    for resource in range(RESOURCES):
        amount = (cost >> 8 * resource & 255) - desk[HAND + PERMANENTS + resource]
        if amount > 0:
            one, two, jokers = thrifty(desk, HAND, resource, amount)
            desk[HAND + 2 * resource] -= one
            desk[HAND + 2 * resource + 1] -= two
            desk[HAND + JOKER] -= jokers


@jit
def take_worth(law: Ints, draft: Ints, seat: int, pair: int, desk: Ints, notes: Floats) -> float:
    """What a seat has after taking a pair, paying thriftily and picking the best tokens."""
    try_take(law, draft, seat, pair, desk)
    if desk[BOUGHT + 1] != NONE or desk[WITTY]:
        built_up(law, draft, desk, notes)
        value = city_worth(law, desk, HAND, notes)
    else:
        value = notes[BASE]
        if desk[BOUGHT] != NONE:
            put_up(law, desk, HAND, desk[BOUGHT])
            value += price(law, desk[BOUGHT], notes)
    return value + market_worth(law, pair, desk, notes)


@jit
def market_worth(law: Ints, pair: int, desk: Ints, notes: Floats) -> float:
    """What the hand and the market without a pair are worth. Where a resource is taken a building comes (PC-15)."""
    houses = desk[HOUSES] + 2 - 2 * ((desk[BOUGHT] != NONE) + (desk[BOUGHT + 1] != NONE))
    notes[OUT + F_HOUSES] = houses
    return notes[BLEND + F_HOUSES] * houses + means_worth(
        law, desk, HAND, law[PAIR + 2 * pair], law[PAIR + 2 * pair + 1], desk, notes
    )


@jit
def draw_worth(law: Ints, draft: Ints, seat: int, desk: Ints, notes: Floats) -> float:
    """The top card is known, the second one is a feature."""
    hold(draft, seat, desk)
    desk[HAND + law[SIDE + 4 * draft[TOP] + FACE]] += 1
    value = city_worth(law, desk, HAND, notes) + means_worth(law, desk, HAND, NONE, NONE, desk, notes)
    notes[OUT + F_DRAWN], notes[OUT + F_HOUSES] = 1.0, desk[HOUSES]
    return value + notes[BLEND + F_DRAWN] + notes[BLEND + F_HOUSES] * desk[HOUSES]


@jit
def behind(law: Ints, draft: Ints, seat: int, side: int, notes: Floats) -> float:
    """What is behind a side on average, as far as the seat could pay for it."""
    at, worth = PLAYER + BLOCK * seat, 0.0
    given, jokers = symbols(draft, at), draft[at + JOKER]
    for card in range(law[SIDE + 4 * side + BACK], law[SIDE + 4 * (side + 1) + BACK]):
        if draft[UNSHOWN + card] > 0:
            lack = lacking(law[CARD + 4 * card + COST], given) - jokers
            if lack <= 1:
                worth += draft[UNSHOWN + card] * price(law, card, notes) * closeness(lack)
    return worth / draft[HIDDEN + side]


@jit
def flip_worth(law: Ints, draft: Ints, seat: int, cell: int, choices: Ints, number: int, notes: Floats) -> float:
    """What can be taken beside the card, and what may be behind it."""
    best = -1e9
    for other in range(number):
        choice = choices[other]
        if choice >= TAKING:
            pair = PAIR + 2 * (choice - TAKING)
            if choice >= DRAW or cell not in (law[pair], law[pair + 1]):
                best = max(best, notes[VALUES + other])
    hope = behind(law, draft, seat, draft[MARKET + cell], notes)
    return best + notes[BLEND + F_FLIP] + notes[BLEND + F_HIDDEN] * hope


@jit
def pay_worth(law: Ints, draft: Ints, seat: int, way: int, desk: Ints, notes: Floats) -> float:
    hold(draft, seat, desk)
    spend(desk, HAND, way)
    desk[BOUGHT], desk[BOUGHT + 1] = draft[BUYING], draft[BUYING + 1]
    built_up(law, draft, desk, notes)
    return city_worth(law, desk, HAND, notes) + means_worth(law, desk, HAND, NONE, NONE, desk, notes)


@jit
def worth(law: Ints, draft: Ints, seat: int, choice: int, desk: Ints, notes: Floats) -> float:
    """What a seat has after a choice that is no flip."""
    if choice >= PAYING:
        return pay_worth(law, draft, seat, choice, desk, notes)
    if choice >= PICK:
        sign = -1.0 if draft[PHASE] == LINE else 1.0
        return sign * token_worth(law, draft, PLAYER + BLOCK * seat, choice - PICK, notes)
    if choice == DRAW:
        return draw_worth(law, draft, seat, desk, notes)
    if choice < DRAW:
        return take_worth(law, draft, seat, choice - TAKING, desk, notes)
    return -1e6


@jit
def valued(law: Ints, draft: Ints, weights: Floats, choices: Ints, desk: Ints, notes: Floats) -> int:
    """Writes every choice of the seat that decides, and what it is worth at sight; how many there are.

    In the line of the solo game the Automa gets first what comes first: the worst is best there.
    """
    number, seat = listed(law, draft, choices), draft[SEAT]
    survey(law, draft, seat, weights, desk, notes)
    for at in range(number):
        if choices[at] >= TAKING:
            notes[VALUES + at] = worth(law, draft, seat, choices[at], desk, notes)
    for at in range(number):
        if choices[at] < TAKING:
            notes[VALUES + at] = flip_worth(law, draft, seat, choices[at], choices, number, notes)
    return number


@jit
def foresee(law: Ints, draft: Ints, choice: int, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes the features of the seat that decides after a choice; of a flip only those of luck."""
    seat = draft[SEAT]
    survey(law, draft, seat, weights, desk, notes)
    for feature in range(CITY_FEATURES if choice >= TAKING else 0, FEATURE_COUNT):
        notes[OUT + feature] = 0.0
    if choice < TAKING:
        notes[OUT + F_FLIP] = 1.0
        notes[OUT + F_HIDDEN] = behind(law, draft, seat, draft[MARKET + choice], notes)
    elif draft[PHASE] == TOKEN:
        hold(draft, seat, desk)
        desk[HAND + MEDALS] |= 1 << choice - PICK
        city_worth(law, desk, HAND, notes)
    elif TAKING <= choice < DRAW:
        try_take(law, draft, seat, choice - TAKING, desk)
        built_up(law, draft, desk, notes)
        city_worth(law, desk, HAND, notes)
        market_worth(law, choice - TAKING, desk, notes)
    elif draft[PHASE] != LINE:
        worth(law, draft, seat, choice, desk, notes)


@jit
def best(law: Ints, draft: Ints, weights: Floats, choices: Ints, desk: Ints, notes: Floats) -> int:
    """What is worth most at sight."""
    return highest(choices, valued(law, draft, weights, choices, desk, notes), notes)


@jit
def highest(choices: Ints, number: int, notes: Floats) -> int:
    """The choice with the highest value."""
    top = 0
    for at in range(1, number):
        if notes[VALUES + at] > notes[VALUES + top]:
            top = at
    return choices[top]


@jit
def standing(law: Ints, draft: Ints, player: int, weights: Floats, desk: Ints, notes: Floats) -> float:
    """What a player has between two turns."""
    at = PLAYER + BLOCK * player
    if player >= law[SEATS]:
        return total(law, draft, player)
    look_around(law, draft, desk)
    for cell in range(CELLS):
        notes[LOOMING + cell] = 0.0
    blend(law, draft, player, turns_left(law, draft, player), weights, notes)
    find_prices(law, draft, at, desk, notes)
    return city_worth(law, draft, at, notes) + means_worth(law, draft, at, NONE, NONE, desk, notes)


@jit
def look_ahead(law: Ints, draft: Ints, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes by how much each seat is ahead of the best other player, by the score or by what all have, and what that
    is worth: the surer a win is the less the points beyond it count.
    """
    unsure = 0.0
    if draft[PHASE] == OVER:
        for seat in range(law[SEATS]):
            notes[LEADS + seat] = lead(law, draft, seat)
    else:
        unsure = UNSURE * (1.0 - draft[TURNS] / law[ALL_TURNS])
        likely_leads(law, draft, weights, desk, notes)
    for seat in range(law[SEATS]):
        ahead = notes[LEADS + seat]
        notes[HOPES + seat] = ahead if ahead == 0.0 else ahead + WINNING * ahead / (unsure + abs(ahead))


@jit
def likely_leads(law: Ints, draft: Ints, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes how far each seat is before the best other player, by what everybody has."""
    first, second, best = -1e9, -1e9, NONE
    for player in range(law[PLAYERS]):
        own = standing(law, draft, player, weights, desk, notes)
        notes[LEADS + player] = own
        if own > first:
            first, second, best = own, first, player
        elif own > second:
            second = own
    for seat in range(law[SEATS]):
        notes[LEADS + seat] -= second if seat == best else first


# Whole games.


@jit
def carry_on(law: Ints, draft: Ints, coming: Ints) -> None:
    """Until somebody decides more than how to pay: that is done thriftily."""
    deal(law, draft, coming)
    if draft[PHASE] == PAY:
        build_thriftily(law, draft)
        deal(law, draft, coming)


@jit
def play_on(
    law: Ints, draft: Ints, coming: Ints, until: int, weights: Floats, choices: Ints, desk: Ints, notes: Floats
) -> None:
    """By what is worth most at sight, everybody, until so many turns are over."""
    carry_on(law, draft, coming)
    while draft[PHASE] != OVER and draft[TURNS] < until:
        act(law, draft, best(law, draft, weights, choices, desk, notes))
        deal(law, draft, coming)


@jit
def random_games(law: Ints, first: Ints, draft: Ints, coming: Ints, luck: Words, choices: Ints, results: Ints) -> int:
    """Whole games of any choices, each as likely as the others; the first player's score each. How many decisions."""
    decisions = 0
    for number in range(len(results)):
        copied(first, draft)
        open_up(law, draft, luck, coming)
        while draft[PHASE] != OVER:
            decide(law, draft, choices[below(luck, listed(law, draft, choices))], choices)
            deal(law, draft, coming)
            decisions += 1
        results[number] = total(law, draft, 0)
    return decisions


@jit
def good_games(
    law: Ints, first: Ints, draft: Ints, coming: Ints, luck: Words, weights: Floats, choices: Ints, desk: Ints,
    notes: Floats, seeds: Words, results: Floats,
) -> None:  # fmt: skip
    """Whole games by what is worth most at sight, one for each seed of luck: the score of every player."""
    players = law[PLAYERS]
    for number in range(len(seeds)):
        copied(first, draft)
        luck[0] = seeds[number]
        open_up(law, draft, luck, coming)
        play_on(law, draft, coming, law[ALL_TURNS], weights, choices, desk, notes)
        for player in range(players):
            results[number * players + player] = total(law, draft, player)


# Search: a tree of what may be chosen, whatever luck brings in between.


@jit
def planted(tree: Ints, node: int, after: int) -> None:
    """A new node."""
    at = node * NODE
    tree[at + VISITS], tree[at + USED], tree[at + AFTER] = 0, 0, after


@jit
def branch_of(tree: Ints, node: int, choice: int) -> int:
    """The branch with a choice; NONE if there is none yet."""
    at = node * NODE + BRANCH
    for branch in range(tree[node * NODE + USED]):
        if tree[at + 3 * branch] == choice:
            return branch
    return NONE


@jit
def grown(tree: Ints, sums: Floats, node: int, choices: Ints, number: int, notes: Floats) -> int:
    """A new branch: the choice that is worth most at sight and has none; NONE if all have one."""
    top = NONE
    for at in range(number):
        better = top == NONE or notes[VALUES + at] > notes[VALUES + top]
        if better and branch_of(tree, node, choices[at]) == NONE:
            top = at
    if top == NONE:
        return NONE
    branch = tree[node * NODE + USED]
    at = node * NODE + BRANCH + 3 * branch
    tree[at], tree[at + TAKEN], tree[at + LEADS_TO] = choices[top], 0, NONE
    tree[node * NODE + USED] += 1
    sums[node * BRANCHES + branch] = 0.0
    return branch


@jit
def most_promising(tree: Ints, sums: Floats, node: int, choices: Ints, number: int, notes: Floats) -> int:
    """The branch that has done best, with some curiosity; NONE if luck has left none of them."""
    visits, best, most, top = tree[node * NODE + VISITS], NONE, -1e9, -1e9
    for at in range(number):
        top = max(top, notes[VALUES + at])
    for at in range(number):
        branch = branch_of(tree, node, choices[at])
        if branch != NONE:
            taken = tree[node * NODE + BRANCH + 3 * branch + TAKEN]
            hope = sums[node * BRANCHES + branch] / max(taken, 1) + EXPLORING * sqrt(log(visits + 1.0) / max(taken, 1))
            hope += LEANING * (notes[VALUES + at] - top) / (taken + 1)
            if hope > most:
                best, most = branch, hope
    return best


@jit
def branched(tree: Ints, sums: Floats, node: int, choices: Ints, number: int, notes: Floats) -> int:
    """Where to go on from a node: the more often it is reached the more of its choices are tried."""
    visits, used = tree[node * NODE + VISITS], tree[node * NODE + USED]
    if used < BRANCHES and used <= sqrt(visits):
        branch = grown(tree, sums, node, choices, number, notes)
        if branch != NONE:
            return branch
    return most_promising(tree, sums, node, choices, number, notes)


@jit
def play_through(
    law: Ints, draft: Ints, coming: Ints, until: int, weights: Floats, choices: Ints, desk: Ints, notes: Floats,
    tree: Ints, sums: Floats, path: Ints, node: int, nodes: int, planner: int,
) -> int:  # fmt: skip
    """Like `play_on`, but in the tree by what has done well, one player or, for NONE, everybody. Writes the branches
    taken, and who took them, after how many there are; how many nodes there are now. Ways to pay and tokens are always
    chosen at sight.
    """
    path[0] = 0
    carry_on(law, draft, coming)
    while draft[PHASE] != OVER and draft[TURNS] < until:
        number, branch = valued(law, draft, weights, choices, desk, notes), NONE
        plans = node != NONE and planner in (NONE, draft[SEAT])
        if plans and draft[PHASE] in (TURN, TAKE) and path[0] < MOST_STEPS:
            branch = branched(tree, sums, node, choices, number, notes)
        if branch == NONE:
            choice = highest(choices, number, notes)
        else:
            at, step = node * NODE + BRANCH + 3 * branch, 1 + 3 * path[0]
            choice, path[step], path[step + 1], path[step + 2] = tree[at], node, branch, draft[SEAT]
            path[0] += 1
            if tree[at + LEADS_TO] == NONE and tree[at + TAKEN] >= RIPE and nodes < MOST_NODES:
                planted(tree, nodes, NONE)
                tree[at + LEADS_TO] = nodes
                nodes += 1
            node = tree[at + LEADS_TO]
        act(law, draft, choice)
        deal(law, draft, coming)
    return nodes


@jit
def learn(tree: Ints, sums: Floats, path: Ints, notes: Floats) -> None:
    """Everybody remembers what came of it for him."""
    for step in range(path[0]):
        node, branch, seat = path[1 + 3 * step], path[2 + 3 * step], path[3 + 3 * step]
        tree[node * NODE + VISITS] += 1
        tree[node * NODE + BRANCH + 3 * branch + TAKEN] += 1
        sums[node * BRANCHES + branch] += notes[HOPES + seat]


@jit
def settled(gaps: Floats, left: int, games: int) -> bool:
    """Whether none of the choices that are left can be much better than the first."""
    for at in range(1, left):
        mean = gaps[2 * at] / games
        spread = max(gaps[2 * at + 1] / games - mean * mean, 0.0)
        if mean + SURELY * sqrt((spread + 1.0) / games) > ALIKE:
            return False
    return True


@jit
def root_of(tree: Ints, choice: int) -> int:
    """The node after a choice of the search."""
    root = 0
    while tree[root * NODE + AFTER] != choice:
        root += 1
    return root


@jit
def tried(
    law: Ints, first: Ints, left: int, until: int, growing: int, draft: Ints, coming: Ints, weights: Floats,
    choices: Ints, desk: Ints, notes: Floats, chosen: Ints, means: Floats, tree: Ints, sums: Floats, path: Ints,
    gaps: Floats, leads: Floats, nodes: int,
) -> int:  # fmt: skip
    """One simulation more of every choice that is left, all with the same luck; how many nodes there are now."""
    seat, hope = first[SEAT], 0.0
    planner = seat if growing == SEARCHER else NONE
    for at in range(left):
        copied(first, draft)
        decide(law, draft, chosen[at], choices)
        root = root_of(tree, chosen[at])
        node = NONE if growing == NOBODY else root
        nodes = play_through(
            law, draft, coming, until, weights, choices, desk, notes, tree, sums, path, node, nodes, planner
        )
        look_ahead(law, draft, weights, desk, notes)
        learn(tree, sums, path, notes)
        hope = notes[HOPES + seat] if at == 0 else hope
        gap = notes[HOPES + seat] - hope
        gaps[2 * at] += gap
        gaps[2 * at + 1] += gap * gap
        means[at] += notes[HOPES + seat]
        leads[root] += notes[LEADS + seat]
    return nodes


@jit
def give_up(tree: Ints, chosen: Ints, leads: Floats, keep: int, left: int, games: int) -> None:
    """Of the choices that are given up only what they lack to the first is kept."""
    best = leads[root_of(tree, chosen[0])]
    for at in range(keep, left):
        root = root_of(tree, chosen[at])
        leads[root] = (leads[root] - best) / games


@jit
def searched(
    law: Ints, first: Ints, simulations: int, width: int, turns: int, growing: int, draft: Ints, coming: Ints,
    luck: Words, weights: Floats, choices: Ints, desk: Ints, notes: Floats, chosen: Ints, means: Floats, tree: Ints,
    sums: Floats, path: Ints, gaps: Floats, leads: Floats,
) -> tuple[int, int]:  # fmt: skip
    """Sequential halving: in every round all choices that are left are tried with the same luck.

    What is worth most at sight is tried first, so many choices at most. A simulation goes on for so many turns by what
    is worth most at sight, for everybody; after each choice a tree may grow, and in it everybody, or the searcher, does
    what has done well for him. It is enough when none can be much better than the first. Writes the choices that were
    tried, the best one first, and by how much each comes out ahead on average; how many there are, and how many
    simulations were played. Those given up in an earlier round lack to the best what they lacked to the first of that
    round.
    """
    number = valued(law, first, weights, choices, desk, notes)
    for at in range(number):
        chosen[at], means[at] = choices[at], notes[VALUES + at]
    width = left = nodes = min(number, width)
    if left == 1:
        simulations = 1
    sort(chosen, means, number, left)
    for at in range(left):
        planted(tree, at, chosen[at])
        means[at], leads[at] = 0.0, 0.0
    rounds, games, spent = 1, 0, 0
    while 1 << rounds < left:
        rounds += 1
    while left > 1 or games == 0:
        most, played, clear = max(1, simulations // rounds // max(left, 2)), 0, False
        for at in range(2 * left):
            gaps[at] = 0.0
        while played < most and not clear:
            shuffle(law, first, luck, coming)
            nodes = tried(
                law, first, left, first[TURNS] + turns, growing, draft, coming, weights, choices, desk, notes, chosen,
                means, tree, sums, path, gaps, leads, nodes,
            )  # fmt: skip
            played += 1
            clear = played % OFTEN == 0 and settled(gaps, left, played)
        games += played
        spent += played * left
        sort(chosen, means, left, left)
        keep = 1 if clear or left == 1 else (left + 1) // 2
        give_up(tree, chosen, leads, keep, left, games)
        left = keep
    best = leads[root_of(tree, chosen[0])] / games
    for at in range(width):
        means[at] = best + (leads[root_of(tree, chosen[at])] if at > 0 else 0.0)
    return width, spent
