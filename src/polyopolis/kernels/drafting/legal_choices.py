"""Lists legal choices and payments."""

from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    BUYING,
    BYTE_ONES,
    BYTE_TOP_BITS,
    CARD_COST,
    CARDS,
    CELL_COUNT,
    DRAW,
    FIRST_BUILDING,
    FIRST_PAYMENT,
    FIRST_PICK,
    FIRST_TAKE,
    JOKER_FACE,
    LINE_COUNT,
    LINE_MASKS,
    LINE_TOKEN_COUNT,
    MARKET,
    MAX_PAYMENTS,
    NONE,
    PAIR_CELLS,
    PAIR_COUNT,
    PAYMENT_JOKER_SHIFT,
    PERMANENTS,
    PHASE,
    PHASE_LINE,
    PHASE_PAY,
    PHASE_TOKEN,
    PHASE_TURN,
    PLAYER_SIZE,
    PLAYERS_AT,
    RESOURCE_COUNT,
    SEAT,
    SIDE_FACE,
    SIDE_SYMBOLS,
    SIDES,
    SKIP,
    STOCK,
    TABLE_TOKEN_COUNT,
    TABLE_TOKENS,
    TOP_SIDE,
)
from polyopolis.kernels.runtime.jit import Ints, jit


@jit
def missing_symbols(cost: int, given: int) -> int:
    """Returns the number of missing symbols; both arguments have a byte per resource."""
    short = (cost | BYTE_TOP_BITS) - given
    short &= ((short & BYTE_TOP_BITS) >> 7) * 127
    return (short * BYTE_ONES >> 32) & 255


@jit
def available_symbols(block: Ints, at: int) -> int:
    """Returns the symbols of a player's cards and permanents without jokers, a byte per resource."""
    given = 0
    for resource in range(RESOURCE_COUNT - 1, -1, -1):
        singles, doubles = block[at + STOCK + 2 * resource], block[at + STOCK + 2 * resource + 1]
        given = given << 8 | singles + 2 * doubles + block[at + PERMANENTS + resource]
    return given


@jit
def flippable_cells(law: Ints, draft: Ints) -> int:
    """Returns the cells in a row or column that shows only resources, as bits (PC-6)."""
    resources, found = 0, 0
    for cell in range(CELL_COUNT):
        if 0 <= draft[MARKET + cell] < FIRST_BUILDING:
            resources |= 1 << cell
    for line in range(LINE_COUNT):
        mask = law[LINE_MASKS + line]
        if resources & mask == mask:
            found |= mask
    return found


@jit
def can_take(law: Ints, draft: Ints, pair: int, given: int, jokers: int) -> bool:
    """Returns whether a pair can be taken: two resources, or buildings that the player can pay (PC-8 to PC-10)."""
    cost = 0
    for end in range(2):
        shown = draft[MARKET + law[PAIR_CELLS + 2 * pair + end]]
        if shown >= FIRST_BUILDING:
            cost += law[CARDS + 4 * (shown - FIRST_BUILDING) + CARD_COST]
        else:
            given += law[SIDES + 4 * shown + SIDE_SYMBOLS]
            jokers += law[SIDES + 4 * shown + SIDE_FACE] == JOKER_FACE
    return missing_symbols(cost, given) <= jokers


@jit
def list_choices(law: Ints, draft: Ints, found: Ints) -> int:
    """Writes all choices of the deciding seat to `found` and returns their number."""
    phase, number = draft[PHASE], 0
    if phase == PHASE_PAY:
        return list_payments(law, draft, found)
    if phase in (PHASE_TOKEN, PHASE_LINE):
        for token in range(draft[TABLE_TOKEN_COUNT]):
            found[number] = FIRST_PICK + draft[TABLE_TOKENS + token]
            number += 1
        if phase == PHASE_LINE and draft[LINE_TOKEN_COUNT] == 0:
            found[number] = AS_DRAWN
            number += 1
        return number
    if phase == PHASE_TURN:
        cells = flippable_cells(law, draft)
        for cell in range(CELL_COUNT):
            if cells >> cell & 1:
                found[number] = cell
                number += 1
    flips, at = number, PLAYERS_AT + PLAYER_SIZE * draft[SEAT]
    given, jokers = available_symbols(draft, at), draft[at + JOKER_FACE]
    for pair in range(PAIR_COUNT):
        if can_take(law, draft, pair, given, jokers):
            found[number] = FIRST_TAKE + pair
            number += 1
    if draft[TOP_SIDE] != NONE:
        found[number] = DRAW
        number += 1
    if number == flips:
        found[number] = SKIP
        number += 1
    return number


@jit
def symbols_to_pay(law: Ints, draft: Ints, resource: int) -> int:
    """Returns the symbols of a resource that cards must pay; permanents count first (PC-10, PC-11)."""
    amount = -draft[PLAYERS_AT + PLAYER_SIZE * draft[SEAT] + PERMANENTS + resource]
    for number in range(2):
        card = draft[BUYING + number]
        if card != NONE:
            amount += law[CARDS + 4 * card + CARD_COST] >> 8 * resource & 255
    return max(amount, 0)


@jit
def list_payments(law: Ints, draft: Ints, found: Ints) -> int:
    """Writes all payments without superfluous cards (PC-11) and returns their number."""
    at, number = PLAYERS_AT + PLAYER_SIZE * draft[SEAT], 1
    found[0] = FIRST_PAYMENT
    for resource in range(RESOURCE_COUNT):
        amount = symbols_to_pay(law, draft, resource)
        if amount == 0:
            continue
        for way in range(number):
            found[MAX_PAYMENTS + way] = found[way]
        before, number = number, 0
        singles = min(draft[at + STOCK + 2 * resource], amount)
        doubles = min(draft[at + STOCK + 2 * resource + 1], (amount + 1) // 2)
        for way in range(before):
            spent = found[MAX_PAYMENTS + way]
            for twos in range(doubles + 1):
                for ones in range(singles + 1):
                    over = ones + 2 * twos - amount
                    needed = (spent >> PAYMENT_JOKER_SHIFT & 15) + max(-over, 0)
                    fits = needed <= min(draft[at + JOKER_FACE], 15) and number < MAX_PAYMENTS
                    if fits and (over <= 0 or (over == 1 and ones == 0)):
                        found[number] = (
                            spent + (ones + (twos << 4) << 8 * resource) + (max(-over, 0) << PAYMENT_JOKER_SHIFT)
                        )
                        number += 1
    return number


@jit
def cheapest_payment(block: Ints, at: int, resource: int, amount: int) -> tuple[int, int, int]:
    """Returns the payment of one resource with the fewest jokers, then the fewest cards: singles, doubles, jokers."""
    singles, doubles = block[at + STOCK + 2 * resource], block[at + STOCK + 2 * resource + 1]
    twos = min(doubles, amount // 2)
    ones = min(amount - 2 * twos, singles)
    if ones + 2 * twos < amount and twos < doubles:
        ones, twos = 0, twos + 1
    return ones, twos, max(amount - ones - 2 * twos, 0)


@jit
def spend(block: Ints, at: int, way: int) -> None:
    for resource in range(RESOURCE_COUNT):
        block[at + STOCK + 2 * resource] -= way >> 8 * resource & 15
        block[at + STOCK + 2 * resource + 1] -= way >> 8 * resource + 4 & 15
    block[at + JOKER_FACE] -= way >> PAYMENT_JOKER_SHIFT & 15
