"""What every choice is worth at sight."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.evaluation import (
    best_token,
    city_worth,
    closeness,
    means_worth,
    price,
    survey,
    token_worth,
)
from polyopolis.kernels.drafting.layout import (
    AT,
    BACK,
    BASE,
    BLEND,
    BLOCK,
    BOUGHT,
    BUYING,
    CARD,
    CITY_FEATURES,
    COST,
    DRAW,
    FACE,
    FEATURE_COUNT,
    HAND,
    HIDDEN,
    HOUSE,
    HOUSES,
    JOKER,
    LINE,
    MARKET,
    MEDALS,
    NONE,
    OUT,
    PAIR,
    PAYING,
    PERMANENTS,
    PHASE,
    PICK,
    PLAYER,
    RESOURCES,
    SEAT,
    SIDE,
    TAKING,
    TOKEN,
    TOP,
    UNSHOWN,
    VALUES,
    WITTY,
    Room,
)
from polyopolis.kernels.drafting.legal_choices import lacking, listed, spend, symbols, thrifty
from polyopolis.kernels.drafting.transitions import put_up
from polyopolis.kernels.runtime.jit import Floats, Ints, entry, jit


@jit
def hold(draft: Ints, seat: int, desk: Ints) -> None:
    """The player's block, to try things on; nothing is bought yet."""
    for number in range(BLOCK):
        desk[HAND + number] = draft[PLAYER + BLOCK * seat + number]
    desk[BOUGHT], desk[BOUGHT + 1] = NONE, NONE


@jit
def crown(law: Ints, draft: Ints, civic: int, desk: Ints, notes: Floats) -> None:
    """The best tokens for so many civic buildings."""
    gone = NONE
    for _ in range(civic):
        token = best_token(law, draft, desk, HAND, gone, notes)
        if token != NONE:
            desk[HAND + MEDALS] |= 1 << token
            gone = token


@jit
def built_up(law: Ints, draft: Ints, desk: Ints, notes: Floats) -> None:
    """The hand with the buildings bought, which are paid already, and the best tokens for them."""
    civic = 0
    for number in range(2):
        if desk[BOUGHT + number] != NONE:
            civic += put_up(law, desk, HAND, desk[BOUGHT + number])
    crown(law, draft, civic, desk, notes)


@jit
def try_take(law: Ints, draft: Ints, seat: int, pair: int, desk: Ints) -> None:
    """The hand after taking a pair and paying thriftily; what is bought does not stand yet."""
    hold(draft, seat, desk)
    cost = 0
    for end in range(2):
        shown = draft[MARKET + law[PAIR + 2 * pair + end]]
        if shown >= HOUSE:
            desk[BOUGHT], desk[BOUGHT + 1] = shown - HOUSE, desk[BOUGHT]
            cost += law[CARD + 4 * (shown - HOUSE) + COST]
        else:
            desk[HAND + law[SIDE + 4 * shown + FACE]] += 1
    for resource in range(RESOURCES):
        amount = (cost >> 8 * resource & 255) - desk[HAND + PERMANENTS + resource]
        if amount > 0:
            ones, twos, jokers = thrifty(desk, HAND, resource, amount)
            desk[HAND + 2 * resource] -= ones
            desk[HAND + 2 * resource + 1] -= twos
            desk[HAND + JOKER] -= jokers


@jit
def take_worth(law: Ints, draft: Ints, seat: int, pair: int, desk: Ints, notes: Floats) -> float:
    """What a seat has after taking a pair, paying thriftily and picking the best tokens."""
    try_take(law, draft, seat, pair, desk)
    if desk[BOUGHT + 1] != NONE or desk[WITTY]:
        built_up(law, draft, desk, notes)
        value = city_worth(law, desk, HAND, notes)
    else:
        value = notes[BASE]
        if desk[BOUGHT] != NONE:
            put_up(law, desk, HAND, desk[BOUGHT])
            value += price(law, desk[BOUGHT], notes)
    return value + market_worth(law, pair, desk, notes)


@jit
def market_worth(law: Ints, pair: int, desk: Ints, notes: Floats) -> float:
    """What the hand and the market without a pair are worth. Where a resource is taken a building comes (PC-15)."""
    houses = desk[HOUSES] + 2 - 2 * ((desk[BOUGHT] != NONE) + (desk[BOUGHT + 1] != NONE))
    notes[OUT + AT.houses] = houses
    return notes[BLEND + AT.houses] * houses + means_worth(
        law, desk, HAND, law[PAIR + 2 * pair], law[PAIR + 2 * pair + 1], desk, notes
    )


@jit
def draw_worth(law: Ints, draft: Ints, seat: int, desk: Ints, notes: Floats) -> float:
    """The top card is known, the second one is a feature."""
    hold(draft, seat, desk)
    desk[HAND + law[SIDE + 4 * draft[TOP] + FACE]] += 1
    value = city_worth(law, desk, HAND, notes) + means_worth(law, desk, HAND, NONE, NONE, desk, notes)
    notes[OUT + AT.drawn], notes[OUT + AT.houses] = 1.0, desk[HOUSES]
    return value + notes[BLEND + AT.drawn] + notes[BLEND + AT.houses] * desk[HOUSES]


@jit
def behind(law: Ints, draft: Ints, seat: int, side: int, notes: Floats) -> float:
    """What is behind a side on average, as far as the seat could pay for it."""
    at, worth = PLAYER + BLOCK * seat, 0.0
    given, jokers = symbols(draft, at), draft[at + JOKER]
    for card in range(law[SIDE + 4 * side + BACK], law[SIDE + 4 * (side + 1) + BACK]):
        if draft[UNSHOWN + card] > 0:
            lack = lacking(law[CARD + 4 * card + COST], given) - jokers
            if lack <= 1:
                worth += draft[UNSHOWN + card] * price(law, card, notes) * closeness(lack)
    return worth / draft[HIDDEN + side]


@jit
def flip_worth(law: Ints, draft: Ints, seat: int, cell: int, choices: Ints, number: int, notes: Floats) -> float:
    """What can be taken beside the card, and what may be behind it."""
    best = -1e9
    for other in range(number):
        choice = choices[other]
        if choice >= TAKING:
            pair = PAIR + 2 * (choice - TAKING)
            if choice >= DRAW or cell not in (law[pair], law[pair + 1]):
                best = max(best, notes[VALUES + other])
    hope = behind(law, draft, seat, draft[MARKET + cell], notes)
    return best + notes[BLEND + AT.flip] + notes[BLEND + AT.hidden] * hope


@jit
def pay_worth(law: Ints, draft: Ints, seat: int, way: int, desk: Ints, notes: Floats) -> float:
    hold(draft, seat, desk)
    spend(desk, HAND, way)
    desk[BOUGHT], desk[BOUGHT + 1] = draft[BUYING], draft[BUYING + 1]
    built_up(law, draft, desk, notes)
    return city_worth(law, desk, HAND, notes) + means_worth(law, desk, HAND, NONE, NONE, desk, notes)


@jit
def worth(law: Ints, draft: Ints, seat: int, choice: int, desk: Ints, notes: Floats) -> float:
    """What a seat has after a choice that is no flip."""
    if choice >= PAYING:
        return pay_worth(law, draft, seat, choice, desk, notes)
    if choice >= PICK:
        sign = -1.0 if draft[PHASE] == LINE else 1.0
        return sign * token_worth(law, draft, PLAYER + BLOCK * seat, choice - PICK, notes)
    if choice == DRAW:
        return draw_worth(law, draft, seat, desk, notes)
    if choice < DRAW:
        return take_worth(law, draft, seat, choice - TAKING, desk, notes)
    return -1e6


@entry
def valued(law: Ints, draft: Ints, weights: Floats, room: Room) -> int:
    """Writes every choice of the seat that decides, and what it is worth at sight; how many there are.

    In the line of the solo game the Automa gets first what comes first: the worst is best there.
    """
    choices, desk, notes = room.choices, room.desk, room.notes
    number, seat = listed(law, draft, choices), draft[SEAT]
    survey(law, draft, seat, weights, desk, notes)
    for at in range(number):
        if choices[at] >= TAKING:
            notes[VALUES + at] = worth(law, draft, seat, choices[at], desk, notes)
    for at in range(number):
        if choices[at] < TAKING:
            notes[VALUES + at] = flip_worth(law, draft, seat, choices[at], choices, number, notes)
    return number


@jit
def look(law: Ints, draft: Ints, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes the features of the seat that decides as they are."""
    seat = draft[SEAT]
    survey(law, draft, seat, weights, desk, notes)
    for feature in range(CITY_FEATURES, FEATURE_COUNT):
        notes[OUT + feature] = 0.0
    hold(draft, seat, desk)
    city_worth(law, desk, HAND, notes)
    means_worth(law, desk, HAND, NONE, NONE, desk, notes)
    notes[OUT + AT.houses] = desk[HOUSES]


@jit
def foresee(law: Ints, draft: Ints, choice: int, weights: Floats, desk: Ints, notes: Floats) -> None:
    """Writes the features of the seat that decides after a choice; a flip leaves all as it is but luck."""
    seat = draft[SEAT]
    if choice < TAKING:
        look(law, draft, weights, desk, notes)
        notes[OUT + AT.flip] = 1.0
        notes[OUT + AT.hidden] = behind(law, draft, seat, draft[MARKET + choice], notes)
        return
    survey(law, draft, seat, weights, desk, notes)
    for feature in range(CITY_FEATURES, FEATURE_COUNT):
        notes[OUT + feature] = 0.0
    if draft[PHASE] == TOKEN:
        hold(draft, seat, desk)
        desk[HAND + MEDALS] |= 1 << choice - PICK
        city_worth(law, desk, HAND, notes)
    elif TAKING <= choice < DRAW:
        try_take(law, draft, seat, choice - TAKING, desk)
        built_up(law, draft, desk, notes)
        city_worth(law, desk, HAND, notes)
        market_worth(law, choice - TAKING, desk, notes)
    elif draft[PHASE] != LINE:
        worth(law, draft, seat, choice, desk, notes)


@jit
def best(law: Ints, draft: Ints, weights: Floats, room: Room) -> int:
    """What is worth most at sight."""
    return highest(room.choices, valued(law, draft, weights, room), room.notes)


@jit
def highest(choices: Ints, number: int, notes: Floats) -> int:
    """The choice with the highest value."""
    top = 0
    for at in range(1, number):
        if notes[VALUES + at] > notes[VALUES + top]:
            top = at
    return choices[top]
