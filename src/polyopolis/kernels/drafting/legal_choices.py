"""What a seat may do, and all ways to pay."""

from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    BLOCK,
    BUYING,
    BYTES,
    CARD,
    CELLS,
    COST,
    DRAW,
    FACE,
    HOUSE,
    JOKER,
    JOKERS_AT,
    LINE,
    LINE_MASK,
    LINED,
    LINES,
    MARKET,
    MOST_WAYS,
    NONE,
    PAIR,
    PAIRS,
    PAY,
    PAYING,
    PERMANENTS,
    PHASE,
    PICK,
    PLAYER,
    RESOURCES,
    SEAT,
    SIDE,
    SKIP,
    STOCK,
    SYMBOLS,
    TAKING,
    TOKEN,
    TOP,
    TOPS,
    TURN,
    UP,
    UP_COUNT,
)
from polyopolis.kernels.runtime.jit import Ints, jit


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
            for twos in range(doubles + 1):
                for ones in range(singles + 1):
                    over = ones + 2 * twos - amount
                    needed = (spent >> JOKERS_AT & 15) + max(-over, 0)
                    fits = needed <= min(draft[at + JOKER], 15) and number < MOST_WAYS
                    if fits and (over <= 0 or (over == 1 and ones == 0)):
                        found[number] = spent + (ones + (twos << 4) << 8 * resource) + (max(-over, 0) << JOKERS_AT)
                        number += 1
    return number


@jit
def thrifty(block: Ints, at: int, resource: int, amount: int) -> tuple[int, int, int]:
    """The way to pay one resource with the least jokers, then the fewest cards: singles, doubles, jokers."""
    singles, doubles = block[at + STOCK + 2 * resource], block[at + STOCK + 2 * resource + 1]
    twos = min(doubles, amount // 2)
    ones = min(amount - 2 * twos, singles)
    if ones + 2 * twos < amount and twos < doubles:
        ones, twos = 0, twos + 1
    return ones, twos, max(amount - ones - 2 * twos, 0)


@jit
def spend(block: Ints, at: int, way: int) -> None:
    for resource in range(RESOURCES):
        block[at + STOCK + 2 * resource] -= way >> 8 * resource & 15
        block[at + STOCK + 2 * resource + 1] -= way >> 8 * resource + 4 & 15
    block[at + JOKER] -= way >> JOKERS_AT & 15
