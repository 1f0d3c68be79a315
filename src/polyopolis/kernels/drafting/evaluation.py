"""What cities, stocks and the market are worth to a player."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.layout import (
    ALL_TURNS,
    AT,
    BASE,
    BLEND,
    BLOCK,
    BUILDS_CIVIC,
    BUILDS_RESOURCE,
    CARD,
    CELLS,
    CITY_FEATURES,
    COPIES,
    COST,
    COUNTS,
    EACH,
    ENOUGH,
    FACE,
    FEATURE_COUNT,
    GAIN,
    GROWTH,
    HOUSE,
    HOUSE_CELLS,
    HOUSE_COSTS,
    HOUSES,
    JOKER,
    KIND,
    LEAST,
    LOOMING,
    MARKET,
    MEDAL,
    MEDALS,
    MOST,
    NONE,
    OUT,
    OVER,
    PER_JOKER,
    PER_TOKEN,
    PERMANENTS,
    PHASE,
    PLAYER,
    PLAYERS,
    POINTS,
    PRICE,
    RESOURCE,
    RESOURCES,
    RISES,
    ROW,
    SCORED,
    SEAT,
    SEATS,
    SIDE,
    STOCK,
    TURNS,
    TYPES,
    UP,
    UP_COUNT,
    WIT,
    WITTY,
)
from polyopolis.kernels.drafting.legal_choices import lacking, symbols
from polyopolis.kernels.drafting.scores import counted, within
from polyopolis.kernels.drafting.transitions import crossed
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


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
        if left <= 0 and feature != AT.threat:
            notes[BLEND + feature] = 1.0 if feature <= AT.tokens else 0.0


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
    worth = notes[BLEND + AT.tokens] * counted(law, block, at, token) + notes[BLEND + AT.near] * near(
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
    notes[OUT + AT.points] = block[at + SCORED]
    for resource in range(RESOURCES):
        own = block[at + PERMANENTS + resource]
        notes[OUT + AT.permanents] += own
        for grade in range(min(own, 3)):
            notes[OUT + AT.types + grade] += 1.0
    medals, token = block[at + MEDALS], 0
    while medals >> token > 0:
        if medals >> token & 1:
            each = law[MEDAL + 8 * token + EACH]
            notes[OUT + AT.tokens] += each * counted(law, block, at, token)
            notes[OUT + AT.near] += each * near(law, block, at, token)
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
    notes[OUT + AT.symbols], notes[OUT + AT.plenty], notes[OUT + AT.kinds] = useful, plenty, kinds
    notes[OUT + AT.doubles], notes[OUT + AT.jokers] = doubles, jokers
    return (
        notes[BLEND + AT.symbols] * useful
        + notes[BLEND + AT.plenty] * plenty
        + notes[BLEND + AT.kinds] * kinds
        + notes[BLEND + AT.doubles] * doubles
        + notes[BLEND + AT.jokers] * jokers
    )


@jit
def find_gains(law: Ints, draft: Ints, at: int, notes: Floats) -> None:
    """Writes what one more permanent of each resource is worth to a player, and then the best token."""
    for resource in range(RESOURCES):
        own = draft[at + PERMANENTS + resource]
        notes[GAIN + resource] = notes[BLEND + AT.permanents] + (notes[BLEND + AT.types + own] if own < 3 else 0.0)
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
    worth = notes[BLEND + AT.points] * law[CARD + 4 * card + POINTS]
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
        crossing = crossed(law, (draft[TURNS] + 1) // law[PLAYERS])
        for cell in (crossing, (crossing + ROW) % CELLS):
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
def tally_market(law: Ints, gone: int, gone_too: int, given: int, jokers: int, desk: Ints, notes: Floats) -> float:
    """Writes what is within reach in the market without two cells, for the player and for the next one."""
    best, second, threat = 0.0, 0.0, 0.0
    for number in range(desk[HOUSES]):
        cell = desk[HOUSE_CELLS + number]
        if cell not in (gone, gone_too):
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
            if cell not in (gone, gone_too):
                threat += notes[LOOMING + cell]
    notes[OUT + AT.reach], notes[OUT + AT.second], notes[OUT + AT.threat] = best, second, threat
    return notes[BLEND + AT.reach] * best + notes[BLEND + AT.second] * second + notes[BLEND + AT.threat] * threat


@jit
def means_worth(law: Ints, block: Ints, at: int, gone: int, gone_too: int, desk: Ints, notes: Floats) -> float:
    """What a player's stock and the market without two cells are worth."""
    return tally_stock(block, at, notes) + tally_market(
        law, gone, gone_too, symbols(block, at), block[at + JOKER], desk, notes
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
