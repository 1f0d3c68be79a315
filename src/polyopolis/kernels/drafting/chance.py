"""Luck: all of it shuffled ahead, and what it brings."""

from polyopolis.kernels.drafting.layout import (
    BACK,
    BEHIND,
    BLOCK,
    CELLS,
    DRAW_DUE,
    FACE,
    FLIP,
    HIDDEN,
    HOUSE,
    LAID,
    LEFT,
    LINE,
    MARKET,
    MOST_BACKS,
    MOST_FACES,
    NONE,
    OPENING,
    PHASE,
    PLAYER,
    PLAYERS,
    REFILL,
    SEAT,
    SEATS,
    SIDE,
    SPACES,
    TAKE,
    TIER,
    TIERS,
    TO_LAY,
    TO_NAME,
    TOKEN_COUNT,
    TOP,
    TOP_DUE,
    TURN,
    UNSEEN,
    UNSHOWN,
    UP,
    UP_COUNT,
)
from polyopolis.kernels.drafting.transitions import next_tier, refill
from polyopolis.kernels.runtime.jit import Ints, Words, jit
from polyopolis.kernels.runtime.rng import below


@jit
def side_of(law: Ints, card: int) -> int:
    """The side behind a building, by where its cards begin."""
    side = 0
    while law[SIDE + 4 * (side + 1) + BACK] <= card:
        side += 1
    return side


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
