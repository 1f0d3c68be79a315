"""What comes of a choice, until luck or a seat is due."""

from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    BLOCK,
    BUILDS_CIVIC,
    BUILDS_RESOURCE,
    BUILT,
    BUYING,
    CARD,
    CELLS,
    CIVIC,
    CROSSING,
    DRAW,
    DRAW_DUE,
    FACE,
    FLIP,
    HOUSE,
    JOKERS_AT,
    KIND,
    LEFT,
    LINE,
    LINED,
    LINED_UP,
    MARKET,
    MEDAL_COUNT,
    MEDALS,
    NONE,
    OVER,
    PAIR,
    PAY,
    PAYING,
    PERMANENTS,
    PHASE,
    PICK,
    PLAYER,
    PLAYERS,
    POINTS,
    REFILL,
    RESOURCE,
    RESOURCES,
    ROW,
    SCORED,
    SEAT,
    SEATS,
    SIDE,
    SPACES,
    STOCK,
    TAKING,
    TIERS,
    TOKEN,
    TOP,
    TOP_DUE,
    TURN,
    TURNS,
    UP,
    UP_COUNT,
)
from polyopolis.kernels.drafting.legal_choices import owed, spend, thrifty, ways
from polyopolis.kernels.runtime.jit import Ints, jit


@jit
def next_tier(draft: Ints) -> int:
    for tier in range(TIERS):
        if draft[LEFT + tier] > 0:
            return tier
    return NONE


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
        ones, twos, jokers = thrifty(draft, PLAYER + BLOCK * draft[SEAT], resource, amount)
        way += (ones + (twos << 4) << 8 * resource) + (jokers << JOKERS_AT)
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
def take(law: Ints, draft: Ints, first: int, second: int) -> None:
    """Two cards leave the market: resources to the stock (PC-8), buildings to be built."""
    bought, at = 0, PLAYER + BLOCK * draft[SEAT]
    for end in range(2):
        cell = first if end == 0 else second
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
    crossing = crossed(law, draft[TURNS] // law[PLAYERS])
    under = (crossing + ROW) % CELLS
    take(law, draft, min(crossing, under), max(crossing, under))
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
