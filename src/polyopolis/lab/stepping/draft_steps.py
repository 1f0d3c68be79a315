"""A game of Point City with everybody at the table. Whoever buys pays what is thriftiest."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.chance import turn_up
from polyopolis.kernels.drafting.layout import (
    AS_DRAWN,
    BACK,
    DRAW_DUE,
    FLIP,
    HIDDEN,
    MARKET,
    MOST_TOKENS,
    NONE,
    OPENING,
    OVER,
    PHASE,
    PICK,
    PLAYERS,
    REFILL,
    SEAT,
    SEATS,
    SIDE,
    SPACES,
    TIER,
    TO_LAY,
    TO_NAME,
    TOKEN_COUNT,
    TOP,
    TOP_DUE,
    UNSEEN,
    UNSHOWN,
    UP,
    UP_COUNT,
)
from polyopolis.kernels.drafting.legal_choices import listed
from polyopolis.kernels.drafting.scores import total
from polyopolis.kernels.drafting.transitions import act, next_tier
from polyopolis.kernels.placing.layout import NONE as NO_BITS
from polyopolis.kernels.placing.layout import ONE
from polyopolis.kernels.runtime.jit import Floats, Ints, U, Words, lowest, ones
from polyopolis.kernels.runtime.rng import below
from polyopolis.lab.stepping.step_compiler import inlined, jit

FIRST_TOKEN = AS_DRAWN + 1
NUMBERS = FIRST_TOKEN + MOST_TOKENS
"""What can be decided has a number below this: as in the kernels, and tokens right behind."""
MASKS = 2
"""Words in which there is a bit for each number."""
ILLEGAL = -1.0


@inlined
def turning(draft: Ints) -> int:
    """The side of the card whose building is shown next."""
    side = draft[MARKET + draft[SPACES] // 2]
    return draft[TOP] if side == NONE else side


@inlined
def weight(law: Ints, draft: Ints) -> int:
    """In how many ways luck may go on; 0 when a seat decides."""
    phase = draft[PHASE]
    if phase == TO_LAY:
        return law[TOKEN_COUNT] - draft[UP_COUNT]
    if phase == TO_NAME:
        return law[SEATS]
    if phase in (FLIP, REFILL):
        return draft[HIDDEN + turning(draft)]
    if phase in (OPENING, TOP_DUE, DRAW_DUE):
        tier, found = next_tier(draft), 0
        for side in range(law[TIER + tier], law[TIER + tier + 1]):
            found += draft[UNSEEN + side]
        return found
    return 0


@inlined
def brought(law: Ints, draft: Ints, number: int) -> int:
    """What luck brings in one of these ways: a token, a seat, a building or a side."""
    phase = draft[PHASE]
    if phase == TO_LAY:
        laid, token = 0, 0
        for at in range(draft[UP_COUNT]):
            laid |= 1 << draft[UP + at]
        while laid >> token & 1 or number > 0:
            number -= 1 - (laid >> token & 1)
            token += 1
        return token
    if phase == TO_NAME:
        return number
    if phase in (FLIP, REFILL):
        what, counts = law[SIDE + 4 * turning(draft) + BACK], UNSHOWN
    else:
        what, counts = law[TIER + next_tier(draft)], UNSEEN
    while number >= draft[counts + what]:
        number -= draft[counts + what]
        what += 1
    return what


@inlined
def deal(law: Ints, draft: Ints, luck: Words) -> None:
    """All luck that is due."""
    ways = weight(law, draft)
    while ways > 0:
        turn_up(law, draft, brought(law, draft, below(luck, ways)))
        ways = weight(law, draft)


@inlined
def ask(law: Ints, draft: Ints, luck: Words, found: Ints, masks: Words) -> bool:
    """After the luck that is due: whether somebody decides, and a bit for each number that is allowed."""
    deal(law, draft, luck)
    masks[0], masks[1] = NO_BITS, NO_BITS
    if draft[PHASE] == OVER:
        return False
    for at in range(listed(law, draft, found)):
        number = found[at]
        if number >= PICK:
            number = FIRST_TOKEN + number - PICK
        masks[number >> 6] |= ONE << U(number & 63)
    return True


@inlined
def begin(law: Ints, first: Ints, draft: Ints, luck: Words, found: Ints, masks: Words) -> None:
    for number in range(len(first)):
        draft[number] = first[number]
    ask(law, draft, luck, found, masks)


@inlined
def step(
    law: Ints, first: Ints, draft: Ints, luck: Words, found: Ints, masks: Words, actions: Ints, rewards: Floats,
    overs: Ints,
) -> None:  # fmt: skip
    """Does what is decided. A game that is over tells all scores, and another one begins at once."""
    action, seat, allowed = actions[0], draft[SEAT], 0
    for player in range(len(rewards)):
        rewards[player] = 0.0
    if 0 <= action < NUMBERS and masks[action >> 6] >> U(action & 63) & ONE:
        allowed = 1
        act(law, draft, action if action < FIRST_TOKEN else PICK + action - FIRST_TOKEN)
        if ask(law, draft, luck, found, masks):
            overs[0] = 0
            return
    if allowed:
        for player in range(law[PLAYERS]):
            rewards[player] += total(law, draft, player)
    else:
        rewards[seat] = ILLEGAL
    overs[0] = 1
    begin(law, first, draft, luck, found, masks)


@inlined
def choose(masks: Words, whim: Words, actions: Ints) -> None:
    """Any number that is allowed, each as likely as the others."""
    number, word = below(whim, ones(masks[0]) + ones(masks[1])), 0
    if number >= ones(masks[0]):
        number -= ones(masks[0])
        word = 1
    bits = masks[word]
    for _ in range(number):
        bits &= bits - ONE
    actions[0] = 64 * word + lowest(bits)


@jit
def wander(
    law: Ints, first: Ints, draft: Ints, luck: Words, whim: Words, found: Ints, masks: Words, actions: Ints,
    rewards: Floats, overs: Ints, totals: Floats, steps: int,
) -> None:  # fmt: skip
    """So many random steps; the points of the first seat in all games that were finished, and how many these are."""
    for _ in range(steps):
        choose(masks, whim, actions)
        step(law, first, draft, luck, found, masks, actions, rewards, overs)
        totals[0] += rewards[0]
        totals[1] += overs[0]
