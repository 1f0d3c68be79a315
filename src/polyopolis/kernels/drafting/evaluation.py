"""Static value of cities, stocks and the market for a player."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.layout import (
    AT,
    AUTOMA_COPY_POINTS,
    AUTOMA_JOKER_POINTS,
    AUTOMA_TOKEN_POINTS,
    BASE_VALUE,
    BUILDING_POINTS,
    BUILDING_VALUES,
    CARD_COST,
    CARD_KIND,
    CARD_POINTS,
    CARD_RESOURCE,
    CARDS,
    CELL_COUNT,
    CITY_FEATURE_COUNT,
    CIVIC_BUILDING,
    FEATURE_COUNT,
    FEATURE_VALUES,
    FIRST_BUILDING,
    HAS_INGENUITY_TOKEN,
    INGENUITY_TOKENS,
    JOKER_FACE,
    MARKET,
    MARKET_BUILDING_CELLS,
    MARKET_BUILDING_COSTS,
    MARKET_BUILDING_COUNT,
    NONE,
    PERMANENT_VALUES,
    PERMANENTS,
    PHASE,
    PHASE_OVER,
    PLAYER_COUNT,
    PLAYER_SIZE,
    PLAYERS_AT,
    PLENTY_SYMBOLS,
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
    THREATS,
    TOKEN_BITS,
    TOKEN_FEATURE,
    TOKEN_GROWS,
    TOKEN_MAX,
    TOKEN_MIN,
    TOKEN_POINTS,
    TOKEN_RULE,
    TOKENS,
    TOTAL_TURNS,
    TURNS_PLAYED,
    TYPES,
    WEIGHTS,
)
from polyopolis.kernels.drafting.legal_choices import available_symbols, missing_symbols
from polyopolis.kernels.drafting.scores import resources_within, token_units
from polyopolis.kernels.drafting.transitions import automa_cell
from polyopolis.kernels.runtime.jit import Floats, Ints, jit


@jit
def turns_left(law: Ints, draft: Ints, player: int) -> int:
    """Returns the remaining turns of a player, including the present one."""
    if draft[PHASE] == PHASE_OVER:
        return 0
    players = law[PLAYER_COUNT]
    left = law[TOTAL_TURNS] - draft[TURNS_PLAYED] - (player - draft[SEAT]) % players
    return (left + players - 1) // players


@jit
def write_weights(law: Ints, draft: Ints, player: int, left: int, weights: Floats, evals: Floats) -> None:
    """Writes the weights of the phase, interpolated between the start and the end of a game.

    A player without remaining turns only counts points and the threat by the next player.
    """
    row, phase = 2 * FEATURE_COUNT * player, draft[TURNS_PLAYED] / law[TOTAL_TURNS]
    for feature in range(FEATURE_COUNT):
        first, last = weights[row + feature], weights[row + FEATURE_COUNT + feature]
        evals[WEIGHTS + feature] = first + (last - first) * phase
        if left <= 0 and feature != AT.threat:
            evals[WEIGHTS + feature] = 1.0 if feature <= AT.tokens else 0.0


@jit
def near_units(law: Ints, block: Ints, at: int, token: int) -> int:
    """Returns the additional units of a token if each resource had one more permanent. Sets have features of their
    own."""
    medal = TOKENS + 8 * token
    if law[medal + TOKEN_RULE] != TYPES:
        return 0
    least, most = law[medal + TOKEN_MIN], law[medal + TOKEN_MAX]
    return resources_within(block, at, least - 1, most - 1) - resources_within(block, at, least, most)


@jit
def token_value(law: Ints, block: Ints, at: int, token: int, evals: Floats) -> float:
    """Returns the value of a token for a player who has it."""
    worth = evals[WEIGHTS + AT.tokens] * token_units(law, block, at, token) + evals[WEIGHTS + AT.near] * near_units(
        law, block, at, token
    )
    growth = law[TOKENS + 8 * token + TOKEN_FEATURE]
    if growth != NONE:
        worth += evals[WEIGHTS + growth]
    return worth * law[TOKENS + 8 * token + TOKEN_POINTS]


@jit
def best_token(law: Ints, draft: Ints, block: Ints, at: int, without: int, evals: Floats) -> int:
    """Returns the token on the table with the highest value for a player, except `without`; NONE if there is none."""
    best, most = NONE, -1e9
    for number in range(draft[TABLE_TOKEN_COUNT]):
        token = draft[TABLE_TOKENS + number]
        if token != without:
            worth = token_value(law, block, at, token, evals)
            if worth > most:
                best, most = token, worth
    return best


@jit
def city_value(law: Ints, block: Ints, at: int, evals: Floats) -> float:
    """Writes the features of a city and returns its value: points, tokens, permanents."""
    for feature in range(CITY_FEATURE_COUNT):
        evals[FEATURE_VALUES + feature] = 0.0
    evals[FEATURE_VALUES + AT.points] = block[at + BUILDING_POINTS]
    for resource in range(RESOURCE_COUNT):
        own = block[at + PERMANENTS + resource]
        evals[FEATURE_VALUES + AT.permanents] += own
        for grade in range(min(own, 3)):
            evals[FEATURE_VALUES + AT.types + grade] += 1.0
    medals, token = block[at + TOKEN_BITS], 0
    while medals >> token > 0:
        if medals >> token & 1:
            each = law[TOKENS + 8 * token + TOKEN_POINTS]
            evals[FEATURE_VALUES + AT.tokens] += each * token_units(law, block, at, token)
            evals[FEATURE_VALUES + AT.near] += each * near_units(law, block, at, token)
            growth = law[TOKENS + 8 * token + TOKEN_FEATURE]
            if growth != NONE:
                evals[FEATURE_VALUES + growth] += each
        token += 1
    value = 0.0
    for feature in range(CITY_FEATURE_COUNT):
        value += evals[WEIGHTS + feature] * evals[FEATURE_VALUES + feature]
    return value


@jit
def stock_value(block: Ints, at: int, evals: Floats) -> float:
    """Writes the features of a stock and returns its value: symbols, jokers, doubles."""
    useful, plenty, kinds, doubles = 0, 0, 0, 0
    for resource in range(RESOURCE_COUNT):
        twos = block[at + STOCK + 2 * resource + 1]
        held = block[at + STOCK + 2 * resource] + 2 * twos
        supply = held + block[at + PERMANENTS + resource]
        spare = min(held, max(supply - PLENTY_SYMBOLS, 0))
        useful += held - spare
        plenty += spare
        doubles += twos
        kinds += 1 if supply > 0 else 0
    jokers = block[at + JOKER_FACE]
    evals[FEATURE_VALUES + AT.symbols], evals[FEATURE_VALUES + AT.plenty], evals[FEATURE_VALUES + AT.kinds] = (
        useful,
        plenty,
        kinds,
    )
    evals[FEATURE_VALUES + AT.doubles], evals[FEATURE_VALUES + AT.jokers] = doubles, jokers
    return (
        evals[WEIGHTS + AT.symbols] * useful
        + evals[WEIGHTS + AT.plenty] * plenty
        + evals[WEIGHTS + AT.kinds] * kinds
        + evals[WEIGHTS + AT.doubles] * doubles
        + evals[WEIGHTS + AT.jokers] * jokers
    )


@jit
def write_permanent_values(law: Ints, draft: Ints, at: int, evals: Floats) -> None:
    """Writes the value of one more permanent of each resource, then of the best token."""
    for resource in range(RESOURCE_COUNT):
        own = draft[at + PERMANENTS + resource]
        evals[PERMANENT_VALUES + resource] = evals[WEIGHTS + AT.permanents] + (
            evals[WEIGHTS + AT.types + own] if own < 3 else 0.0
        )
    medals, token = draft[at + TOKEN_BITS], 0
    while medals >> token > 0:
        if medals >> token & 1 and law[TOKENS + 8 * token + TOKEN_GROWS]:
            before = token_value(law, draft, at, token, evals)
            for resource in range(RESOURCE_COUNT):
                draft[at + PERMANENTS + resource] += 1
                evals[PERMANENT_VALUES + resource] += token_value(law, draft, at, token, evals) - before
                draft[at + PERMANENTS + resource] -= 1
        token += 1
    token = best_token(law, draft, draft, at, NONE, evals)
    evals[PERMANENT_VALUES + RESOURCE_COUNT] = 0.0 if token == NONE else token_value(law, draft, at, token, evals)


@jit
def building_value(law: Ints, card: int, evals: Floats) -> float:
    """Returns the value of a building for the player whose permanent values are written."""
    kind = law[CARDS + 4 * card + CARD_KIND]
    worth = evals[WEIGHTS + AT.points] * law[CARDS + 4 * card + CARD_POINTS]
    if kind == RESOURCE_BUILDING:
        return worth + evals[PERMANENT_VALUES + law[CARDS + 4 * card + CARD_RESOURCE]]
    return worth + evals[PERMANENT_VALUES + RESOURCE_COUNT] if kind == CIVIC_BUILDING else worth


@jit
def closeness(lack: int) -> float:
    """Returns the share of a building's value that counts already with this number of missing symbols."""
    if lack <= 0:
        return 1.0
    return 0.6 if lack == 1 else 0.3 if lack == 2 else 0.0


@jit
def list_market_buildings(law: Ints, draft: Ints, trial: Ints) -> None:
    """Writes the cells and costs of the market buildings."""
    number = 0
    for cell in range(CELL_COUNT):
        shown = draft[MARKET + cell]
        if shown >= FIRST_BUILDING:
            trial[MARKET_BUILDING_CELLS + number] = cell
            trial[MARKET_BUILDING_COSTS + number] = law[CARDS + 4 * (shown - FIRST_BUILDING) + CARD_COST]
            number += 1
    trial[MARKET_BUILDING_COUNT] = number


@jit
def write_building_values(law: Ints, draft: Ints, at: int, trial: Ints, evals: Floats) -> None:
    """Writes the value of each market building for a player."""
    write_permanent_values(law, draft, at, evals)
    for number in range(trial[MARKET_BUILDING_COUNT]):
        cell = trial[MARKET_BUILDING_CELLS + number]
        evals[BUILDING_VALUES + cell] = building_value(law, draft[MARKET + cell] - FIRST_BUILDING, evals)


@jit
def write_threats(law: Ints, draft: Ints, player: int, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes what the next player may gain at each cell, weighted by closeness."""
    for cell in range(CELL_COUNT):
        evals[THREATS + cell] = 0.0
    other = (player + 1) % law[PLAYER_COUNT]
    at = PLAYERS_AT + PLAYER_SIZE * other
    left = turns_left(law, draft, other)
    if left == 0:
        return
    if other >= law[SEAT_COUNT]:
        crossing = automa_cell(law, (draft[TURNS_PLAYED] + 1) // law[PLAYER_COUNT])
        for cell in (crossing, (crossing + ROW_LENGTH) % CELL_COUNT):
            evals[THREATS + cell] = automa_gain(law, draft, at, draft[MARKET + cell])
        return
    write_weights(law, draft, other, left, weights, evals)
    write_building_values(law, draft, at, trial, evals)
    given, jokers = available_symbols(draft, at), draft[at + JOKER_FACE]
    for number in range(trial[MARKET_BUILDING_COUNT]):
        cell = trial[MARKET_BUILDING_CELLS + number]
        near_by = closeness(missing_symbols(trial[MARKET_BUILDING_COSTS + number], given) - jokers)
        evals[THREATS + cell] = evals[BUILDING_VALUES + cell] * near_by


@jit
def automa_gain(law: Ints, draft: Ints, at: int, shown: int) -> float:
    """Returns what the Automa gains by a card of the market."""
    if shown == NONE:
        return 0.0
    if shown < FIRST_BUILDING:
        return float(law[AUTOMA_JOKER_POINTS]) if law[SIDES + 4 * shown + SIDE_FACE] == JOKER_FACE else 0.0
    card = CARDS + 4 * (shown - FIRST_BUILDING)
    if law[card + CARD_KIND] == CIVIC_BUILDING:
        return float(law[AUTOMA_TOKEN_POINTS])
    points = law[card + CARD_POINTS]
    if law[card + CARD_KIND] == RESOURCE_BUILDING:
        own = draft[at + PERMANENTS + law[card + CARD_RESOURCE]]
        points += law[AUTOMA_COPY_POINTS + own + 1] - law[AUTOMA_COPY_POINTS + own]
    return float(points)


@jit
def reach_value(law: Ints, gone: int, gone_too: int, given: int, jokers: int, trial: Ints, evals: Floats) -> float:
    """Writes the features of market buildings within reach, without two cells, for the player and the next one."""
    best, second, threat = 0.0, 0.0, 0.0
    for number in range(trial[MARKET_BUILDING_COUNT]):
        cell = trial[MARKET_BUILDING_CELLS + number]
        if cell not in (gone, gone_too):
            lack = missing_symbols(trial[MARKET_BUILDING_COSTS + number], given) - jokers
            if lack <= 2:
                worth = evals[BUILDING_VALUES + cell] * closeness(lack)
                if worth > best:
                    best, second = worth, best
                elif worth > second:
                    second = worth
            threat = max(threat, evals[THREATS + cell])
    if law[PLAYER_COUNT] > law[SEAT_COUNT]:
        threat = 0.0
        for cell in range(CELL_COUNT):
            if cell not in (gone, gone_too):
                threat += evals[THREATS + cell]
    evals[FEATURE_VALUES + AT.reach], evals[FEATURE_VALUES + AT.second], evals[FEATURE_VALUES + AT.threat] = (
        best,
        second,
        threat,
    )
    return evals[WEIGHTS + AT.reach] * best + evals[WEIGHTS + AT.second] * second + evals[WEIGHTS + AT.threat] * threat


@jit
def means_value(law: Ints, block: Ints, at: int, gone: int, gone_too: int, trial: Ints, evals: Floats) -> float:
    """Returns the value of a player's stock and of the market without two cells."""
    return stock_value(block, at, evals) + reach_value(
        law, gone, gone_too, available_symbols(block, at), block[at + JOKER_FACE], trial, evals
    )


@jit
def prepare_evaluation(law: Ints, draft: Ints, seat: int, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes the values that all choices of a seat share."""
    at = PLAYERS_AT + PLAYER_SIZE * seat
    list_market_buildings(law, draft, trial)
    write_threats(law, draft, seat, weights, trial, evals)
    write_weights(law, draft, seat, turns_left(law, draft, seat) - 1, weights, evals)
    write_building_values(law, draft, at, trial, evals)
    evals[BASE_VALUE] = city_value(law, draft, at, evals)
    trial[HAS_INGENUITY_TOKEN] = 1 if draft[at + TOKEN_BITS] & law[INGENUITY_TOKENS] else 0
