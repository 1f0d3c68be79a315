"""Shuffles all chance events in advance and deals them."""

from polyopolis.kernels.drafting.layout import (
    CELL_COUNT,
    COMING_BUILDINGS,
    EMPTY_SPACES,
    FIRST_BUILDING,
    HIDDEN_BUILDINGS,
    MARKET,
    MAX_BACKS,
    MAX_TIER_FACES,
    NONE,
    PHASE,
    PHASE_DRAW,
    PHASE_FIRST,
    PHASE_FLIP,
    PHASE_LINE,
    PHASE_OPENING,
    PHASE_REFILL,
    PHASE_TAKE,
    PHASE_TOKENS,
    PHASE_TOP,
    PHASE_TURN,
    PLAYER_COUNT,
    PLAYER_SIZE,
    PLAYERS_AT,
    SEAT,
    SEAT_COUNT,
    SIDE_FACE,
    SIDE_FIRST_CARD,
    SIDES,
    TABLE_TOKEN_COUNT,
    TABLE_TOKENS,
    TIER_CARDS_LEFT,
    TIER_COUNT,
    TIER_SIDES,
    TOKEN_COUNT,
    TOKENS_LAID,
    TOP_SIDE,
    UNSEEN_SIDES,
    UNSHOWN_CARDS,
)
from polyopolis.kernels.drafting.transitions import next_tier, refill
from polyopolis.kernels.runtime.jit import Ints, Words, jit
from polyopolis.kernels.runtime.rng import random_below


@jit
def side_of(law: Ints, card: int) -> int:
    """Returns the side of a building card."""
    side = 0
    while law[SIDES + 4 * (side + 1) + SIDE_FIRST_CARD] <= card:
        side += 1
    return side


@jit
def apply_chance(law: Ints, draft: Ints, what: int) -> None:
    """Applies a chance event: a token, a seat, a side or a building."""
    phase = draft[PHASE]
    if phase == PHASE_TOKENS:
        draft[TABLE_TOKENS + draft[TABLE_TOKEN_COUNT]] = what
        draft[TABLE_TOKEN_COUNT] += 1
        if draft[TABLE_TOKEN_COUNT] == law[TOKENS_LAID]:
            draft[PHASE] = PHASE_FIRST if law[SEAT_COUNT] > 1 else PHASE_OPENING
    elif phase == PHASE_FIRST:
        draft[SEAT] = what
        draft[PHASE] = PHASE_OPENING
    elif phase in (PHASE_FLIP, PHASE_REFILL):
        show_building(law, draft, what)
    else:
        show_face(law, draft, what)


@jit
def show_building(law: Ints, draft: Ints, card: int) -> None:
    """Shows a building, for a flip or in the market."""
    draft[UNSHOWN_CARDS + card] -= 1
    draft[HIDDEN_BUILDINGS + side_of(law, card)] -= 1
    draft[MARKET + draft[EMPTY_SPACES] // 2] = FIRST_BUILDING + card
    draft[EMPTY_SPACES], draft[EMPTY_SPACES + 1] = draft[EMPTY_SPACES + 1], NONE
    if draft[PHASE] == PHASE_FLIP:
        draft[PHASE] = PHASE_TAKE
    else:
        remove_top(law, draft)


@jit
def show_face(law: Ints, draft: Ints, side: int) -> None:
    """Shows a face: in the market at the opening, drawn, or as the new top card."""
    draft[UNSEEN_SIDES + side] -= 1
    draft[TIER_CARDS_LEFT + next_tier(draft)] -= 1
    if draft[PHASE] == PHASE_DRAW:
        draft[PLAYERS_AT + PLAYER_SIZE * draft[SEAT] + law[SIDES + 4 * side + SIDE_FACE]] += 1
        remove_top(law, draft)
    elif draft[PHASE] == PHASE_TOP:
        draft[TOP_SIDE] = side
        refill(law, draft)
    else:
        for cell in range(CELL_COUNT):
            if draft[MARKET + cell] == NONE:
                draft[MARKET + cell] = side
                return
        draft[TOP_SIDE] = side
        draft[PHASE] = PHASE_LINE if law[PLAYER_COUNT] > law[SEAT_COUNT] else PHASE_TURN


@jit
def remove_top(law: Ints, draft: Ints) -> None:
    """Removes the top card. The next one shows its face, if there is one."""
    draft[TOP_SIDE] = NONE
    if next_tier(draft) == NONE:
        refill(law, draft)
    else:
        draft[PHASE] = PHASE_TOP


@jit
def draw_setup(law: Ints, draft: Ints, rng: Words) -> None:
    """Draws the tokens and the first player."""
    while draft[PHASE] == PHASE_TOKENS:
        laid = 0
        for number in range(draft[TABLE_TOKEN_COUNT]):
            laid |= 1 << draft[TABLE_TOKENS + number]
        left = random_below(rng, law[TOKEN_COUNT] - draft[TABLE_TOKEN_COUNT])
        token = 0
        while laid >> token & 1 or left > 0:
            left -= 1 - (laid >> token & 1)
            token += 1
        apply_chance(law, draft, token)
    if draft[PHASE] == PHASE_FIRST:
        apply_chance(law, draft, random_below(rng, law[SEAT_COUNT]))


@jit
def shuffle(law: Ints, draft: Ints, rng: Words, coming: Ints) -> None:
    """Writes all coming chance events: the faces of each tier and the buildings behind each side in random order.

    This is equivalent to a shuffled deck for any later decisions (docs/decisions/0003).
    """
    for tier in range(TIER_COUNT):
        number, at = 0, tier * MAX_TIER_FACES
        for side in range(law[TIER_SIDES + tier], law[TIER_SIDES + tier + 1]):
            for _ in range(draft[UNSEEN_SIDES + side]):
                number = insert_shuffled(coming, at, number, side, rng)
    for side in range(law[TIER_SIDES + TIER_COUNT]):
        number, at = 0, COMING_BUILDINGS + side * MAX_BACKS
        for card in range(law[SIDES + 4 * side + SIDE_FIRST_CARD], law[SIDES + 4 * (side + 1) + SIDE_FIRST_CARD]):
            for _ in range(draft[UNSHOWN_CARDS + card]):
                number = insert_shuffled(coming, at, number, card, rng)


@jit
def insert_shuffled(coming: Ints, at: int, number: int, what: int, rng: Words) -> int:
    other = random_below(rng, number + 1)
    coming[at + number] = coming[at + other]
    coming[at + other] = what
    return number + 1


@jit
def next_chance(draft: Ints, coming: Ints) -> int:
    """Returns the next chance event, a side or a building; NONE if none is due."""
    phase = draft[PHASE]
    if phase in (PHASE_FLIP, PHASE_REFILL):
        side = draft[MARKET + draft[EMPTY_SPACES] // 2]
        if side == NONE:
            side = draft[TOP_SIDE]
        return coming[COMING_BUILDINGS + side * MAX_BACKS + draft[HIDDEN_BUILDINGS + side] - 1]
    if phase in (PHASE_OPENING, PHASE_TOP, PHASE_DRAW):
        tier = next_tier(draft)
        return coming[tier * MAX_TIER_FACES + draft[TIER_CARDS_LEFT + tier] - 1]
    return NONE


@jit
def deal(law: Ints, draft: Ints, coming: Ints) -> None:
    """Applies all chance events that are due."""
    what = next_chance(draft, coming)
    while what != NONE:
        apply_chance(law, draft, what)
        what = next_chance(draft, coming)


@jit
def open_game(law: Ints, draft: Ints, rng: Words, coming: Ints) -> None:
    """Plays from the first token to the first decision and writes all coming chance events."""
    draw_setup(law, draft, rng)
    shuffle(law, draft, rng, coming)
    deal(law, draft, coming)
