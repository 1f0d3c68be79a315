"""Scores and leads."""

from polyopolis.kernels.drafting.layout import (
    AUTOMA_COPY_POINTS,
    AUTOMA_JOKER_POINTS,
    AUTOMA_TOKEN_POINTS,
    BUILDING_POINTS,
    FACE_COUNT,
    FLAT,
    INGENUITY,
    JOKER_FACE,
    PERMANENTS,
    PLAYER_COUNT,
    PLAYER_SIZE,
    PLAYER_TOKEN_COUNT,
    PLAYERS_AT,
    RESOURCE_COUNT,
    SEAT_COUNT,
    SETS,
    STOCK,
    TOKEN_BITS,
    TOKEN_COUNT,
    TOKEN_MAX,
    TOKEN_MIN,
    TOKEN_POINTS,
    TOKEN_RULE,
    TOKEN_SET,
    TOKENS,
)
from polyopolis.kernels.runtime.jit import Ints, jit


@jit
def token_units(law: Ints, block: Ints, at: int, token: int) -> int:
    """Returns the number of units that a token counts for a player (PC-18)."""
    medal = TOKENS + 8 * token
    counts = law[medal + TOKEN_RULE]
    if counts == FLAT:
        return 1
    if counts == INGENUITY:
        return block[at + JOKER_FACE]
    if counts == SETS:
        return complete_sets(block, at, law[medal + TOKEN_SET])
    return resources_within(block, at, law[medal + TOKEN_MIN], law[medal + TOKEN_MAX])


@jit
def complete_sets(block: Ints, at: int, of: int) -> int:
    """Returns the number of complete sets of these resources."""
    least = 99
    for resource in range(RESOURCE_COUNT):
        if of >> resource & 1:
            least = min(least, block[at + PERMANENTS + resource])
    return least


@jit
def resources_within(block: Ints, at: int, least: int, most: int) -> int:
    """Returns the number of resources whose permanents are within these limits."""
    found = 0
    for resource in range(RESOURCE_COUNT):
        if least <= block[at + PERMANENTS + resource] <= most:
            found += 1
    return found


@jit
def total_score(law: Ints, draft: Ints, player: int) -> int:
    """Returns the score of a player, or of the Automa (PC-24)."""
    at = PLAYERS_AT + PLAYER_SIZE * player
    score = draft[at + BUILDING_POINTS]
    if player >= law[SEAT_COUNT]:
        for resource in range(RESOURCE_COUNT):
            score += law[AUTOMA_COPY_POINTS + draft[at + PERMANENTS + resource]]
        return (
            score
            + draft[at + PLAYER_TOKEN_COUNT] * law[AUTOMA_TOKEN_POINTS]
            + draft[at + JOKER_FACE] * law[AUTOMA_JOKER_POINTS]
        )
    for token in range(law[TOKEN_COUNT]):
        if draft[at + TOKEN_BITS] >> token & 1:
            score += law[TOKENS + 8 * token + TOKEN_POINTS] * token_units(law, draft, at, token)
    return score


@jit
def unspent_cards(draft: Ints, player: int) -> int:
    cards = 0
    for face in range(FACE_COUNT):
        cards += draft[PLAYERS_AT + PLAYER_SIZE * player + STOCK + face]
    return cards


@jit
def lead(law: Ints, draft: Ints, seat: int) -> float:
    """Returns the lead over the best opponent. Unspent cards break ties (PC-19)."""
    ahead = 1000.0
    own = total_score(law, draft, seat) + 0.01 * unspent_cards(draft, seat)
    for other in range(law[PLAYER_COUNT]):
        if other != seat:
            ahead = min(ahead, own - total_score(law, draft, other) - 0.01 * unspent_cards(draft, other))
    return ahead
