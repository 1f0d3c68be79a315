"""Applies a choice up to the next decision or chance event."""

from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    AUTOMA_START,
    BUILDING_COUNT,
    BUILDING_POINTS,
    BUYING,
    CARD_KIND,
    CARD_POINTS,
    CARD_RESOURCE,
    CARDS,
    CELL_COUNT,
    CIVIC_BUILDING,
    DRAW,
    EMPTY_SPACES,
    FIRST_BUILDING,
    FIRST_PAYMENT,
    FIRST_PICK,
    FIRST_TAKE,
    LINE_TOKEN_COUNT,
    LINE_TOKENS,
    MARKET,
    NONE,
    PAIR_CELLS,
    PAYMENT_JOKER_SHIFT,
    PERMANENTS,
    PHASE,
    PHASE_DRAW,
    PHASE_FLIP,
    PHASE_LINE,
    PHASE_OVER,
    PHASE_PAY,
    PHASE_REFILL,
    PHASE_TOKEN,
    PHASE_TOP,
    PHASE_TURN,
    PLAYER_COUNT,
    PLAYER_SIZE,
    PLAYER_TOKEN_COUNT,
    PLAYERS_AT,
    RESOURCE_BUILDING,
    RESOURCE_COUNT,
    ROW_LENGTH,
    SEAT,
    SEAT_COUNT,
    SIDE_FACE,
    SIDES,
    STOCK,
    TABLE_TOKEN_COUNT,
    TABLE_TOKENS,
    TIER_CARDS_LEFT,
    TIER_COUNT,
    TOKEN_BITS,
    TOKENS_DUE,
    TOP_SIDE,
    TURNS_PLAYED,
)
from polyopolis.kernels.drafting.legal_choices import cheapest_payment, list_payments, spend, symbols_to_pay
from polyopolis.kernels.runtime.jit import Ints, jit


@jit
def next_tier(draft: Ints) -> int:
    for tier in range(TIER_COUNT):
        if draft[TIER_CARDS_LEFT + tier] > 0:
            return tier
    return NONE


@jit
def decide(law: Ints, draft: Ints, choice: int, found: Ints) -> None:
    """Applies a choice of the deciding seat. Buildings are paid at once if there is only one payment."""
    if choice >= FIRST_PAYMENT:
        pay_and_build(law, draft, choice)
    elif FIRST_TAKE <= choice < DRAW:
        take_pair(
            law, draft, law[PAIR_CELLS + 2 * (choice - FIRST_TAKE)], law[PAIR_CELLS + 2 * (choice - FIRST_TAKE) + 1]
        )
        if draft[BUYING] == NONE:
            refill(law, draft)
        elif list_payments(law, draft, found) == 1:
            pay_and_build(law, draft, found[0])
        else:
            draft[PHASE] = PHASE_PAY
    else:
        decide_other(law, draft, choice)


@jit
def decide_cheaply(law: Ints, draft: Ints, choice: int) -> None:
    """Like `decide`, with the cheapest payment."""
    if FIRST_TAKE <= choice < DRAW:
        take_pair(
            law, draft, law[PAIR_CELLS + 2 * (choice - FIRST_TAKE)], law[PAIR_CELLS + 2 * (choice - FIRST_TAKE) + 1]
        )
        if draft[BUYING] == NONE:
            refill(law, draft)
        else:
            build_cheaply(law, draft)
    else:
        decide_other(law, draft, choice)


@jit
def build_cheaply(law: Ints, draft: Ints) -> None:
    way = FIRST_PAYMENT
    for resource in range(RESOURCE_COUNT):
        amount = symbols_to_pay(law, draft, resource)
        ones, twos, jokers = cheapest_payment(draft, PLAYERS_AT + PLAYER_SIZE * draft[SEAT], resource, amount)
        way += (ones + (twos << 4) << 8 * resource) + (jokers << PAYMENT_JOKER_SHIFT)
    pay_and_build(law, draft, way)


@jit
def decide_other(law: Ints, draft: Ints, choice: int) -> None:
    """Applies any choice except taking and paying."""
    if choice >= FIRST_PICK:
        if draft[PHASE] == PHASE_LINE:
            line_up_token(draft, choice - FIRST_PICK)
        else:
            pick_token(law, draft, choice - FIRST_PICK)
    elif choice < FIRST_TAKE:
        draft[EMPTY_SPACES] = 2 * choice + 1
        draft[PHASE] = PHASE_FLIP
    elif choice == DRAW:
        draft[PLAYERS_AT + PLAYER_SIZE * draft[SEAT] + law[SIDES + 4 * draft[TOP_SIDE] + SIDE_FACE]] += 1
        draft[TOP_SIDE] = NONE
        draft[PHASE] = PHASE_DRAW
    elif choice == AS_DRAWN:
        draft[PHASE] = PHASE_TURN
    else:
        draft[PHASE] = PHASE_OVER


@jit
def take_pair(law: Ints, draft: Ints, first: int, second: int) -> None:
    """Takes two cards from the market: resources go to the stock (PC-8), buildings are to be paid."""
    bought, at = 0, PLAYERS_AT + PLAYER_SIZE * draft[SEAT]
    for end in range(2):
        cell = first if end == 0 else second
        shown = draft[MARKET + cell]
        draft[MARKET + cell] = NONE
        if shown >= FIRST_BUILDING:
            draft[BUYING + bought] = shown - FIRST_BUILDING
            bought += 1
            draft[EMPTY_SPACES + end] = 2 * cell
        else:
            draft[at + STOCK + law[SIDES + 4 * shown + SIDE_FACE]] += 1
            draft[EMPTY_SPACES + end] = 2 * cell + 1


@jit
def pay_and_build(law: Ints, draft: Ints, way: int) -> None:
    """Pays and builds. Tokens for civic buildings come before the refill (PC-14)."""
    spend(draft, PLAYERS_AT + PLAYER_SIZE * draft[SEAT], way)
    place_bought(law, draft)
    ask_token(law, draft)


@jit
def place_bought(law: Ints, draft: Ints) -> None:
    """Adds the bought buildings to the city."""
    at = PLAYERS_AT + PLAYER_SIZE * draft[SEAT]
    draft[TOKENS_DUE] = 0
    for number in range(2):
        card = draft[BUYING + number]
        if card != NONE:
            draft[TOKENS_DUE] += add_building(law, draft, at, card)
        draft[BUYING + number] = NONE


@jit
def add_building(law: Ints, block: Ints, at: int, card: int) -> int:
    """Adds a building to a player and returns the number of tokens it brings."""
    kind = law[CARDS + 4 * card + CARD_KIND]
    block[at + BUILDING_POINTS] += law[CARDS + 4 * card + CARD_POINTS]
    block[at + BUILDING_COUNT] += 1
    if kind == RESOURCE_BUILDING:
        block[at + PERMANENTS + law[CARDS + 4 * card + CARD_RESOURCE]] += 1
    return 1 if kind == CIVIC_BUILDING else 0


@jit
def ask_token(law: Ints, draft: Ints) -> None:
    if draft[TOKENS_DUE] > 0 and draft[TABLE_TOKEN_COUNT] > 0:
        draft[PHASE] = PHASE_TOKEN
    else:
        draft[TOKENS_DUE] = 0
        refill(law, draft)


@jit
def pick_token(law: Ints, draft: Ints, token: int) -> None:
    give_token(draft, token)
    draft[TOKENS_DUE] -= 1
    ask_token(law, draft)


@jit
def give_token(draft: Ints, token: int) -> None:
    """Moves a token from the table to the player."""
    at = PLAYERS_AT + PLAYER_SIZE * draft[SEAT]
    draft[at + TOKEN_BITS] |= 1 << token
    draft[at + PLAYER_TOKEN_COUNT] += 1
    remove_token(draft, token)


@jit
def remove_token(draft: Ints, token: int) -> None:
    """Removes a token from the table and closes the gap."""
    kept = 0
    for number in range(draft[TABLE_TOKEN_COUNT]):
        if draft[TABLE_TOKENS + number] != token:
            draft[TABLE_TOKENS + kept] = draft[TABLE_TOKENS + number]
            kept += 1
    draft[TABLE_TOKENS + kept] = NONE
    draft[TABLE_TOKEN_COUNT] = kept


@jit
def line_up_token(draft: Ints, token: int) -> None:
    """Adds the next token to the line (PC-21). When all are in it, the line becomes the tokens on the table."""
    remove_token(draft, token)
    draft[LINE_TOKENS + draft[LINE_TOKEN_COUNT]] = token
    draft[LINE_TOKEN_COUNT] += 1
    if draft[TABLE_TOKEN_COUNT] == 0:
        draft[TABLE_TOKEN_COUNT] = draft[LINE_TOKEN_COUNT]
        for number in range(draft[LINE_TOKEN_COUNT]):
            draft[TABLE_TOKENS + number] = draft[LINE_TOKENS + number]
            draft[LINE_TOKENS + number] = NONE
        draft[LINE_TOKEN_COUNT] = 0
        draft[PHASE] = PHASE_TURN


@jit
def refill(law: Ints, draft: Ints) -> None:
    """Fills the empty spaces in reading order (PC-15) until a chance event or a decision is due, or no card is left
    (PC-17)."""
    while True:
        space = draft[EMPTY_SPACES]
        if space == NONE:
            if next_turn(law, draft):
                return
            continue
        if draft[TOP_SIDE] == NONE:
            draft[EMPTY_SPACES], draft[EMPTY_SPACES + 1] = NONE, NONE
            draft[PHASE] = PHASE_OVER
            return
        if space & 1:
            draft[PHASE] = PHASE_REFILL
            return
        draft[MARKET + space // 2] = draft[TOP_SIDE]
        draft[EMPTY_SPACES], draft[EMPTY_SPACES + 1] = draft[EMPTY_SPACES + 1], NONE
        draft[TOP_SIDE] = NONE
        if next_tier(draft) != NONE:
            draft[PHASE] = PHASE_TOP
            return


@jit
def next_turn(law: Ints, draft: Ints) -> bool:
    """Advances the turn. Returns whether a seat decides; otherwise the Automa has taken its cards (PC-22, PC-23)."""
    draft[SEAT] = (draft[SEAT] + 1) % law[PLAYER_COUNT]
    draft[TURNS_PLAYED] += 1
    if draft[SEAT] < law[SEAT_COUNT]:
        draft[PHASE] = PHASE_TURN
        return True
    crossing = automa_cell(law, draft[TURNS_PLAYED] // law[PLAYER_COUNT])
    under = (crossing + ROW_LENGTH) % CELL_COUNT
    take_pair(law, draft, min(crossing, under), max(crossing, under))
    place_bought(law, draft)
    for _ in range(min(draft[TOKENS_DUE], draft[TABLE_TOKEN_COUNT])):
        give_token(draft, draft[TABLE_TOKENS])
    draft[TOKENS_DUE] = 0
    return False


@jit
def automa_cell(law: Ints, turn: int) -> int:
    """Returns the cell where the Automa's markers cross in its turn, from 0. Both advance by one per turn."""
    column, row = (law[AUTOMA_START] + turn) % ROW_LENGTH, (law[AUTOMA_START] // ROW_LENGTH + turn) % ROW_LENGTH
    return row * ROW_LENGTH + column
