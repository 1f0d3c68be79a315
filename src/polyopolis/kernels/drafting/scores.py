"""Scores and leads."""

from polyopolis.kernels.drafting.layout import (
    BLOCK,
    COPIES,
    COUNTS,
    EACH,
    FACES,
    FLAT,
    INGENUITY,
    JOKER,
    LEAST,
    MEDAL,
    MEDAL_COUNT,
    MEDALS,
    MOST,
    OF,
    PER_JOKER,
    PER_TOKEN,
    PERMANENTS,
    PLAYER,
    PLAYERS,
    RESOURCES,
    SCORED,
    SEATS,
    SETS,
    STOCK,
    TOKEN_COUNT,
)
from polyopolis.kernels.runtime.jit import Ints, jit


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
