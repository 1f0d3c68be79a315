"""Static value of each choice."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.evaluation import (
    best_token,
    building_value,
    city_value,
    closeness,
    means_value,
    prepare_evaluation,
    token_value,
)
from polyopolis.kernels.drafting.layout import (
    AT,
    BASE_VALUE,
    BUYING,
    CARD_COST,
    CARDS,
    CHOICE_VALUES,
    CITY_FEATURE_COUNT,
    DRAW,
    FEATURE_COUNT,
    FEATURE_VALUES,
    FIRST_BUILDING,
    FIRST_PAYMENT,
    FIRST_PICK,
    FIRST_TAKE,
    HAS_INGENUITY_TOKEN,
    HIDDEN_BUILDINGS,
    JOKER_FACE,
    MARKET,
    MARKET_BUILDING_COUNT,
    NONE,
    PAIR_CELLS,
    PERMANENTS,
    PHASE,
    PHASE_LINE,
    PHASE_TOKEN,
    PLAYER_SIZE,
    PLAYERS_AT,
    RESOURCE_COUNT,
    SEAT,
    SIDE_FACE,
    SIDE_FIRST_CARD,
    SIDES,
    TOKEN_BITS,
    TOP_SIDE,
    TRIAL_BOUGHT,
    TRIAL_PLAYER,
    UNSHOWN_CARDS,
    WEIGHTS,
    DraftScratch,
)
from polyopolis.kernels.drafting.legal_choices import (
    available_symbols,
    cheapest_payment,
    list_choices,
    missing_symbols,
    spend,
)
from polyopolis.kernels.drafting.transitions import add_building
from polyopolis.kernels.runtime.jit import Floats, Ints, entry, jit


@jit
def copy_player(draft: Ints, seat: int, trial: Ints) -> None:
    """Copies the player to `trial`, with no bought buildings."""
    for number in range(PLAYER_SIZE):
        trial[TRIAL_PLAYER + number] = draft[PLAYERS_AT + PLAYER_SIZE * seat + number]
    trial[TRIAL_BOUGHT], trial[TRIAL_BOUGHT + 1] = NONE, NONE


@jit
def pick_best_tokens(law: Ints, draft: Ints, civic: int, trial: Ints, evals: Floats) -> None:
    """Picks the best tokens for this number of civic buildings."""
    gone = NONE
    for _ in range(civic):
        token = best_token(law, draft, trial, TRIAL_PLAYER, gone, evals)
        if token != NONE:
            trial[TRIAL_PLAYER + TOKEN_BITS] |= 1 << token
            gone = token


@jit
def finish_buildings(law: Ints, draft: Ints, trial: Ints, evals: Floats) -> None:
    """Adds the bought buildings, which are paid already, and picks the best tokens."""
    civic = 0
    for number in range(2):
        if trial[TRIAL_BOUGHT + number] != NONE:
            civic += add_building(law, trial, TRIAL_PLAYER, trial[TRIAL_BOUGHT + number])
    pick_best_tokens(law, draft, civic, trial, evals)


@jit
def try_take(law: Ints, draft: Ints, seat: int, pair: int, trial: Ints) -> None:
    """Takes a pair for the trial player with the cheapest payment. Bought buildings are not added yet."""
    copy_player(draft, seat, trial)
    cost = 0
    for end in range(2):
        shown = draft[MARKET + law[PAIR_CELLS + 2 * pair + end]]
        if shown >= FIRST_BUILDING:
            trial[TRIAL_BOUGHT], trial[TRIAL_BOUGHT + 1] = shown - FIRST_BUILDING, trial[TRIAL_BOUGHT]
            cost += law[CARDS + 4 * (shown - FIRST_BUILDING) + CARD_COST]
        else:
            trial[TRIAL_PLAYER + law[SIDES + 4 * shown + SIDE_FACE]] += 1
    for resource in range(RESOURCE_COUNT):
        amount = (cost >> 8 * resource & 255) - trial[TRIAL_PLAYER + PERMANENTS + resource]
        if amount > 0:
            ones, twos, jokers = cheapest_payment(trial, TRIAL_PLAYER, resource, amount)
            trial[TRIAL_PLAYER + 2 * resource] -= ones
            trial[TRIAL_PLAYER + 2 * resource + 1] -= twos
            trial[TRIAL_PLAYER + JOKER_FACE] -= jokers


@jit
def take_value(law: Ints, draft: Ints, seat: int, pair: int, trial: Ints, evals: Floats) -> float:
    """Returns the value after taking a pair, paying cheaply and picking the best tokens."""
    try_take(law, draft, seat, pair, trial)
    if trial[TRIAL_BOUGHT + 1] != NONE or trial[HAS_INGENUITY_TOKEN]:
        finish_buildings(law, draft, trial, evals)
        value = city_value(law, trial, TRIAL_PLAYER, evals)
    else:
        value = evals[BASE_VALUE]
        if trial[TRIAL_BOUGHT] != NONE:
            add_building(law, trial, TRIAL_PLAYER, trial[TRIAL_BOUGHT])
            value += building_value(law, trial[TRIAL_BOUGHT], evals)
    return value + market_value(law, pair, trial, evals)


@jit
def market_value(law: Ints, pair: int, trial: Ints, evals: Floats) -> float:
    """Returns the value of the trial stock and of the market without a pair. A taken resource is replaced by a
    building (PC-15)."""
    houses = trial[MARKET_BUILDING_COUNT] + 2 - 2 * ((trial[TRIAL_BOUGHT] != NONE) + (trial[TRIAL_BOUGHT + 1] != NONE))
    evals[FEATURE_VALUES + AT.houses] = houses
    return evals[WEIGHTS + AT.houses] * houses + means_value(
        law, trial, TRIAL_PLAYER, law[PAIR_CELLS + 2 * pair], law[PAIR_CELLS + 2 * pair + 1], trial, evals
    )


@jit
def draw_value(law: Ints, draft: Ints, seat: int, trial: Ints, evals: Floats) -> float:
    """Returns the value of drawing: the top card is known, the second one is a feature."""
    copy_player(draft, seat, trial)
    trial[TRIAL_PLAYER + law[SIDES + 4 * draft[TOP_SIDE] + SIDE_FACE]] += 1
    value = city_value(law, trial, TRIAL_PLAYER, evals) + means_value(
        law, trial, TRIAL_PLAYER, NONE, NONE, trial, evals
    )
    evals[FEATURE_VALUES + AT.drawn], evals[FEATURE_VALUES + AT.houses] = 1.0, trial[MARKET_BUILDING_COUNT]
    return value + evals[WEIGHTS + AT.drawn] + evals[WEIGHTS + AT.houses] * trial[MARKET_BUILDING_COUNT]


@jit
def hidden_value(law: Ints, draft: Ints, seat: int, side: int, evals: Floats) -> float:
    """Returns the mean value of the buildings behind a side, as far as the seat could pay them."""
    at, worth = PLAYERS_AT + PLAYER_SIZE * seat, 0.0
    given, jokers = available_symbols(draft, at), draft[at + JOKER_FACE]
    for card in range(law[SIDES + 4 * side + SIDE_FIRST_CARD], law[SIDES + 4 * (side + 1) + SIDE_FIRST_CARD]):
        if draft[UNSHOWN_CARDS + card] > 0:
            lack = missing_symbols(law[CARDS + 4 * card + CARD_COST], given) - jokers
            if lack <= 1:
                worth += draft[UNSHOWN_CARDS + card] * building_value(law, card, evals) * closeness(lack)
    return worth / draft[HIDDEN_BUILDINGS + side]


@jit
def flip_value(law: Ints, draft: Ints, seat: int, cell: int, choices: Ints, number: int, evals: Floats) -> float:
    """Returns the value of a flip: the best choice without the card, and the hidden value behind it."""
    best = -1e9
    for other in range(number):
        choice = choices[other]
        if choice >= FIRST_TAKE:
            pair = PAIR_CELLS + 2 * (choice - FIRST_TAKE)
            if choice >= DRAW or cell not in (law[pair], law[pair + 1]):
                best = max(best, evals[CHOICE_VALUES + other])
    utility = hidden_value(law, draft, seat, draft[MARKET + cell], evals)
    return best + evals[WEIGHTS + AT.flip] + evals[WEIGHTS + AT.hidden] * utility


@jit
def payment_value(law: Ints, draft: Ints, seat: int, way: int, trial: Ints, evals: Floats) -> float:
    copy_player(draft, seat, trial)
    spend(trial, TRIAL_PLAYER, way)
    trial[TRIAL_BOUGHT], trial[TRIAL_BOUGHT + 1] = draft[BUYING], draft[BUYING + 1]
    finish_buildings(law, draft, trial, evals)
    return city_value(law, trial, TRIAL_PLAYER, evals) + means_value(law, trial, TRIAL_PLAYER, NONE, NONE, trial, evals)


@jit
def choice_value(law: Ints, draft: Ints, seat: int, choice: int, trial: Ints, evals: Floats) -> float:
    """Returns the value after a choice other than a flip."""
    if choice >= FIRST_PAYMENT:
        return payment_value(law, draft, seat, choice, trial, evals)
    if choice >= FIRST_PICK:
        sign = -1.0 if draft[PHASE] == PHASE_LINE else 1.0
        return sign * token_value(law, draft, PLAYERS_AT + PLAYER_SIZE * seat, choice - FIRST_PICK, evals)
    if choice == DRAW:
        return draw_value(law, draft, seat, trial, evals)
    if choice < DRAW:
        return take_value(law, draft, seat, choice - FIRST_TAKE, trial, evals)
    return -1e6


@entry
def evaluate_choices(law: Ints, draft: Ints, weights: Floats, scratch: DraftScratch) -> int:
    """Writes all choices of the deciding seat with their static values and returns their number.

    In the line of the solo game the Automa gets the first tokens, so values are negated.
    """
    choices, trial, evals = scratch.choices, scratch.trial, scratch.evals
    number, seat = list_choices(law, draft, choices), draft[SEAT]
    prepare_evaluation(law, draft, seat, weights, trial, evals)
    for at in range(number):
        if choices[at] >= FIRST_TAKE:
            evals[CHOICE_VALUES + at] = choice_value(law, draft, seat, choices[at], trial, evals)
    for at in range(number):
        if choices[at] < FIRST_TAKE:
            evals[CHOICE_VALUES + at] = flip_value(law, draft, seat, choices[at], choices, number, evals)
    return number


@jit
def features_now(law: Ints, draft: Ints, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes the present features of the deciding seat."""
    seat = draft[SEAT]
    prepare_evaluation(law, draft, seat, weights, trial, evals)
    for feature in range(CITY_FEATURE_COUNT, FEATURE_COUNT):
        evals[FEATURE_VALUES + feature] = 0.0
    copy_player(draft, seat, trial)
    city_value(law, trial, TRIAL_PLAYER, evals)
    means_value(law, trial, TRIAL_PLAYER, NONE, NONE, trial, evals)
    evals[FEATURE_VALUES + AT.houses] = trial[MARKET_BUILDING_COUNT]


@jit
def features_after(law: Ints, draft: Ints, choice: int, weights: Floats, trial: Ints, evals: Floats) -> None:
    """Writes the features of the deciding seat after a choice. A flip only changes the features of hidden cards."""
    seat = draft[SEAT]
    if choice < FIRST_TAKE:
        features_now(law, draft, weights, trial, evals)
        evals[FEATURE_VALUES + AT.flip] = 1.0
        evals[FEATURE_VALUES + AT.hidden] = hidden_value(law, draft, seat, draft[MARKET + choice], evals)
        return
    prepare_evaluation(law, draft, seat, weights, trial, evals)
    for feature in range(CITY_FEATURE_COUNT, FEATURE_COUNT):
        evals[FEATURE_VALUES + feature] = 0.0
    if draft[PHASE] == PHASE_TOKEN:
        copy_player(draft, seat, trial)
        trial[TRIAL_PLAYER + TOKEN_BITS] |= 1 << choice - FIRST_PICK
        city_value(law, trial, TRIAL_PLAYER, evals)
    elif FIRST_TAKE <= choice < DRAW:
        try_take(law, draft, seat, choice - FIRST_TAKE, trial)
        finish_buildings(law, draft, trial, evals)
        city_value(law, trial, TRIAL_PLAYER, evals)
        market_value(law, choice - FIRST_TAKE, trial, evals)
    elif draft[PHASE] != PHASE_LINE:
        choice_value(law, draft, seat, choice, trial, evals)


@jit
def best_choice(law: Ints, draft: Ints, weights: Floats, scratch: DraftScratch) -> int:
    """Returns the choice with the highest static value."""
    return highest_choice(scratch.choices, evaluate_choices(law, draft, weights, scratch), scratch.evals)


@jit
def highest_choice(choices: Ints, number: int, evals: Floats) -> int:
    """Returns the choice with the highest written value."""
    top = 0
    for at in range(1, number):
        if evals[CHOICE_VALUES + at] > evals[CHOICE_VALUES + top]:
            top = at
    return choices[top]
