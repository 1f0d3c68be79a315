"""Step functions of Point City with all seats. Purchases are paid with the cheapest payment."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.chance import apply_chance
from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    EMPTY_SPACES,
    FIRST_PICK,
    HIDDEN_BUILDINGS,
    MARKET,
    MAX_TOKENS,
    NONE,
    PHASE,
    PHASE_DRAW,
    PHASE_FIRST,
    PHASE_FLIP,
    PHASE_OPENING,
    PHASE_OVER,
    PHASE_REFILL,
    PHASE_TOKENS,
    PHASE_TOP,
    PLAYER_COUNT,
    SEAT,
    SEAT_COUNT,
    SIDE_FIRST_CARD,
    SIDES,
    TABLE_TOKEN_COUNT,
    TABLE_TOKENS,
    TIER_SIDES,
    TOKEN_COUNT,
    TOP_SIDE,
    UNSEEN_SIDES,
    UNSHOWN_CARDS,
)
from polyopolis.kernels.drafting.legal_choices import list_choices
from polyopolis.kernels.drafting.scores import total_score
from polyopolis.kernels.drafting.transitions import decide_cheaply, next_tier
from polyopolis.kernels.placing.layout import NO_BITS, ONE
from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words, lowest_bit, popcount
from polyopolis.kernels.runtime.rng import random_below
from polyopolis.lab.stepping.step_compiler import inlined, jit

FIRST_TOKEN = AS_DRAWN + 1
ACTION_COUNT = FIRST_TOKEN + MAX_TOKENS
"""Number of action numbers: those of the kernels, then the tokens."""
MASK_WORDS = 2
"""Words of the action mask."""
ILLEGAL_REWARD = -1.0


@inlined
def turning_side(draft: Ints) -> int:
    """Returns the side of the card whose building is shown next."""
    side = draft[MARKET + draft[EMPTY_SPACES] // 2]
    return draft[TOP_SIDE] if side == NONE else side


@inlined
def chance_weight(law: Ints, draft: Ints) -> int:
    """Returns the total weight of the chance events that are due; 0 if a seat decides."""
    phase = draft[PHASE]
    if phase == PHASE_TOKENS:
        return law[TOKEN_COUNT] - draft[TABLE_TOKEN_COUNT]
    if phase == PHASE_FIRST:
        return law[SEAT_COUNT]
    if phase in (PHASE_FLIP, PHASE_REFILL):
        return draft[HIDDEN_BUILDINGS + turning_side(draft)]
    if phase in (PHASE_OPENING, PHASE_TOP, PHASE_DRAW):
        tier, found = next_tier(draft), 0
        for side in range(law[TIER_SIDES + tier], law[TIER_SIDES + tier + 1]):
            found += draft[UNSEEN_SIDES + side]
        return found
    return 0


@inlined
def chance_outcome(law: Ints, draft: Ints, number: int) -> int:
    """Returns the chance event with this number within the total weight: a token, a seat, a building or a side."""
    phase = draft[PHASE]
    if phase == PHASE_TOKENS:
        laid, token = 0, 0
        for at in range(draft[TABLE_TOKEN_COUNT]):
            laid |= 1 << draft[TABLE_TOKENS + at]
        while laid >> token & 1 or number > 0:
            number -= 1 - (laid >> token & 1)
            token += 1
        return token
    if phase == PHASE_FIRST:
        return number
    if phase in (PHASE_FLIP, PHASE_REFILL):
        what, counts = law[SIDES + 4 * turning_side(draft) + SIDE_FIRST_CARD], UNSHOWN_CARDS
    else:
        what, counts = law[TIER_SIDES + next_tier(draft)], UNSEEN_SIDES
    while number >= draft[counts + what]:
        number -= draft[counts + what]
        what += 1
    return what


@inlined
def deal(law: Ints, draft: Ints, luck: Words) -> None:
    """Draws all chance events that are due."""
    ways = chance_weight(law, draft)
    while ways > 0:
        apply_chance(law, draft, chance_outcome(law, draft, random_below(luck, ways)))
        ways = chance_weight(law, draft)


@inlined
def ask_next(law: Ints, draft: Ints, luck: Words, found: Ints, masks: Words) -> bool:
    """Draws chance events and writes the action mask. Returns whether a seat decides."""
    deal(law, draft, luck)
    masks[0], masks[1] = NO_BITS, NO_BITS
    if draft[PHASE] == PHASE_OVER:
        return False
    for at in range(list_choices(law, draft, found)):
        number = found[at]
        if number >= FIRST_PICK:
            number = FIRST_TOKEN + number - FIRST_PICK
        masks[number >> 6] |= ONE << U(number & 63)
    return True


@inlined
def begin(law: Ints, first: Ints, draft: Ints, luck: Words, found: Ints, masks: Words) -> None:
    for number in range(len(first)):
        draft[number] = first[number]
    ask_next(law, draft, luck, found, masks)


@inlined
def step(
    law: Ints, first: Ints, draft: Ints, luck: Words, found: Ints, masks: Words, actions: Ints, rewards: Floats,
    overs: Ints,
) -> None:  # fmt: skip
    """Applies an action. A finished game writes the scores of all players and is replaced by a new one at once."""
    action, seat, allowed = actions[0], draft[SEAT], 0
    for player in range(len(rewards)):
        rewards[player] = 0.0
    if 0 <= action < ACTION_COUNT and masks[action >> 6] >> U(action & 63) & ONE:
        allowed = 1
        decide_cheaply(law, draft, action if action < FIRST_TOKEN else FIRST_PICK + action - FIRST_TOKEN)
        if ask_next(law, draft, luck, found, masks):
            overs[0] = 0
            return
    if allowed:
        for player in range(law[PLAYER_COUNT]):
            rewards[player] += total_score(law, draft, player)
    else:
        rewards[seat] = ILLEGAL_REWARD
    overs[0] = 1
    begin(law, first, draft, luck, found, masks)


@inlined
def choose(masks: Words, whim: Words, actions: Ints) -> None:
    """Writes a uniformly random legal action."""
    number, word = random_below(whim, popcount(masks[0]) + popcount(masks[1])), 0
    if number >= popcount(masks[0]):
        number -= popcount(masks[0])
        word = 1
    bits = masks[word]
    for _ in range(number):
        bits &= bits - ONE
    actions[0] = 64 * word + lowest_bit(bits)


@jit
def wander(
    law: Ints, first: Ints, draft: Ints, luck: Words, whim: Words, found: Ints, masks: Words, actions: Ints,
    rewards: Floats, overs: Ints, totals: Floats, steps: int,
) -> None:  # fmt: skip
    """Plays random steps. Adds the points of the first seat and the number of finished games to `totals`."""
    for _ in range(steps):
        choose(masks, whim, actions)
        step(law, first, draft, luck, found, masks, actions, rewards, overs)
        totals[0] += rewards[0]
        totals[1] += overs[0]
