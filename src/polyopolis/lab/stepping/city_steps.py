"""Step functions of placing games: a city that is built alone, task by task."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing import build_moves, playouts
from polyopolis.kernels.placing.bitmasks import popcount_pair
from polyopolis.kernels.placing.features import score
from polyopolis.kernels.placing.layout import (
    ANCHORS_HIGH,
    CARD_COUNT,
    COMPASS_FLAG,
    COMPASS_ROW_LENGTH,
    COMPASS_ROW_START,
    COMPASS_ROW_USED,
    DICE_OUTCOMES,
    DICE_TASKS,
    FIRST_ORIENTATION,
    FIT_ANCHORS,
    GROUP_COUNTS,
    GROUP_HALOS,
    GROUP_SIZES,
    MASK_CELLS,
    MAX_GROUPS,
    MAX_ORIENTATIONS,
    MAX_TASKS,
    NO_BITS,
    ONE,
    PASS,
    STOP,
    TASKS,
)
from polyopolis.kernels.placing.net_inputs import count_shapes, write_inputs
from polyopolis.kernels.runtime.jit import Floats, Ints, S, U, Words, lowest_bit, popcount
from polyopolis.kernels.runtime.rng import random_below
from polyopolis.lab.stepping.step_compiler import inlined, jit

# Fields of the task array: the due task, the number of remaining cards, whether passing is legal, then these cards.
DUE_TASK, CARDS_LEFT, CAN_PASS, DECK = 0, 1, 2, 3
DESK_SIZE = DECK + MAX_TASKS

# sizes: cells of the board, the action numbers of passing and stopping, which follow the placements, and the number of
# orientations in this game
CELL_COUNT, PASS_NUMBER, STOP_NUMBER, ORIENTATION_COUNT = 0, 1, 2, 3

reveal_task, can_pass = inlined(playouts.reveal_task), inlined(build_moves.can_pass)
decide, find_anchors = inlined(build_moves.decide), inlined(build_moves.find_anchors)

NO_TASK = -1
ILLEGAL_REWARD = -1.0


@inlined
def draw_task(law: Ints, book: Ints, desk: Ints, luck: Words) -> int:
    """Returns the next task, from the remaining cards or three dice; NO_TASK if no card is left."""
    if law[CARD_COUNT] > 0:
        left = desk[CARDS_LEFT]
        if left == 0:
            return NO_TASK
        at = DECK + random_below(luck, left)
        task = desk[at]
        desk[at] = desk[DECK + left - 1]
        desk[CARDS_LEFT] = left - 1
        return task
    task = law[DICE_TASKS + random_below(luck, DICE_OUTCOMES)]
    if task >= COMPASS_FLAG:
        task -= COMPASS_FLAG
        if book[COMPASS_ROW_USED] < law[COMPASS_ROW_LENGTH]:
            task = law[COMPASS_ROW_START] + book[COMPASS_ROW_USED]
            book[COMPASS_ROW_USED] += 1
    return task


@inlined
def ask_next(land: Words, law: Ints, city: Words, book: Ints, desk: Ints, luck: Words, task: int) -> bool:
    """Reveals tasks, beginning with this one, until one can be built, and writes its anchors. Returns whether there
    is one."""
    while task != NO_TASK:
        if reveal_task(law, book, task):
            desk[DUE_TASK] = task
            desk[CAN_PASS] = 1 if can_pass(law, book, task) else 0
            find_anchors(land, law, city, task)
            return True
        task = draw_task(law, book, desk, luck)
    return False


@inlined
def begin(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words,
) -> None:  # fmt: skip
    """Resets a city and draws its first task. Only existing groups are copied."""
    for word in range(GROUP_HALOS):
        city[word] = first_city[word]
    for number in range(GROUP_SIZES):
        book[number] = first_book[number]
    for kind in range(3):
        for group in range(kind * MAX_GROUPS, kind * MAX_GROUPS + first_book[GROUP_COUNTS + kind]):
            book[GROUP_SIZES + group] = first_book[GROUP_SIZES + group]
            city[GROUP_HALOS + 2 * group] = first_city[GROUP_HALOS + 2 * group]
            city[GROUP_HALOS + 2 * group + 1] = first_city[GROUP_HALOS + 2 * group + 1]
    desk[CARDS_LEFT] = len(deck)
    for card in range(len(deck)):
        desk[DECK + card] = deck[card]
    ask_next(land, law, city, book, desk, luck, draw_task(law, book, desk, luck))


@inlined
def apply_action(
    land: Words, law: Ints, sizes: Ints, city: Words, book: Ints, desk: Ints, luck: Words, actions: Ints,
    rewards: Floats,
) -> bool:  # fmt: skip
    """Applies an action and prepares the next decision. Returns whether there is one. An illegal action is rewarded
    at once.

    The next task is drawn before this one is built: drawing has a long latency and does not depend on the building.
    """
    action, task, choice, reward = actions[0], desk[DUE_TASK], STOP, 0.0
    if action == sizes[PASS_NUMBER] and desk[CAN_PASS]:
        choice = PASS
    elif 0 <= action < sizes[PASS_NUMBER]:
        way = S(U(action) // U(sizes[CELL_COUNT]))
        action -= way * sizes[CELL_COUNT]
        if city[FIT_ANCHORS + (ANCHORS_HIGH if action >= 64 else 0) + way] >> U(action & 63) & ONE:
            choice = (law[TASKS + 8 * task + FIRST_ORIENTATION] + way) * MASK_CELLS + action
        else:
            reward = ILLEGAL_REWARD
    elif action != sizes[STOP_NUMBER]:
        reward = ILLEGAL_REWARD
    rewards[0] = reward
    if choice == STOP:
        return False
    following = draw_task(law, book, desk, luck)
    decide(land, law, city, book, task, choice)
    return ask_next(land, law, city, book, desk, luck, following)


@inlined
def finish_game(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, out: Ints, rewards: Floats,
) -> None:  # fmt: skip
    """Adds the score to the reward, unless the action was illegal, and begins a new game."""
    if rewards[0] != ILLEGAL_REWARD:
        rewards[0] += score(land, law, city, book, out)
    begin(land, law, first_city, first_book, deck, city, book, desk, luck)


@inlined
def step(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, out: Ints, actions: Ints, rewards: Floats, overs: Ints,
) -> None:  # fmt: skip
    """Applies an action. A finished game is replaced by a new one at once."""
    overs[0] = 0
    if not apply_action(land, law, sizes, city, book, desk, luck, actions, rewards):
        overs[0] = 1
        finish_game(land, law, first_city, first_book, deck, city, book, desk, luck, out, rewards)


@inlined
def nth_bit(word: int, number: int) -> int:
    """Returns the position of the set bit with `number` set bits below it. Counts halves, because the length of a
    loop from bit to bit is unpredictable."""
    at, width = U(0), U(32)
    while width > NO_BITS:
        before = popcount(word >> at & ((ONE << width) - ONE))
        if number >= before:
            number -= before
            at += width
        width >>= ONE
    return S(at)


@inlined
def choose(sizes: Ints, city: Words, desk: Ints, whim: Words, actions: Ints) -> None:
    """Writes a uniformly random placement; passes if there is none, stops if it must."""
    number = 0
    for way in range(sizes[ORIENTATION_COUNT]):
        number += popcount_pair(city[FIT_ANCHORS + way], city[FIT_ANCHORS + ANCHORS_HIGH + way])
    if number == 0:
        actions[0] = sizes[PASS_NUMBER] if desk[CAN_PASS] else sizes[STOP_NUMBER]
        return
    number, way, before, passed = random_below(whim, number), 0, 0, 0
    for other in range(sizes[ORIENTATION_COUNT] - 1):
        passed += popcount_pair(city[FIT_ANCHORS + other], city[FIT_ANCHORS + ANCHORS_HIGH + other])
        if number >= passed:
            way, before = other + 1, passed
    number -= before
    anchors, first, here = city[FIT_ANCHORS + way], 0, popcount(city[FIT_ANCHORS + way])
    if number >= here:
        anchors, first, number = city[FIT_ANCHORS + ANCHORS_HIGH + way], 64, number - here
    actions[0] = way * sizes[CELL_COUNT] + first + nth_bit(anchors, number)


@jit
def wander(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, whim: Words, out: Ints, actions: Ints, rewards: Floats,
    overs: Ints, totals: Floats, steps: int,
) -> None:  # fmt: skip
    """Plays random steps. Adds the points and the number of finished games to `totals`."""
    for _ in range(steps):
        choose(sizes, city, desk, whim, actions)
        step(land, law, first_city, first_book, deck, sizes, city, book, desk, luck, out, actions, rewards, overs)
        totals[0] += rewards[0]
        totals[1] += overs[0]


@jit
def count(city: Words, desk: Ints, counts: Ints) -> None:
    """Writes the number of choices: placements, passing, stopping."""
    number = desk[CAN_PASS] + 1
    for word in range(2 * MAX_ORIENTATIONS):
        number += popcount(city[FIT_ANCHORS + word])
    counts[0] = number


@jit
def spread(sizes: Ints, city: Words, desk: Ints, ends: Ints, numbers: Ints) -> None:
    """Writes the action numbers of all choices so that they end at `ends`; stopping is the last one."""
    at = ends[0] - 1
    numbers[at] = sizes[STOP_NUMBER]
    if desk[CAN_PASS]:
        at -= 1
        numbers[at] = sizes[PASS_NUMBER]
    for word in range(2 * MAX_ORIENTATIONS):
        anchors, first = (
            city[FIT_ANCHORS + word],
            word % MAX_ORIENTATIONS * sizes[CELL_COUNT] + 64 * (word // MAX_ORIENTATIONS),
        )
        while anchors:
            at -= 1
            numbers[at] = first + lowest_bit(anchors)
            anchors &= anchors - ONE


@jit
def sight_of(
    land: Words, law: Ints, sizes: Ints, city: Words, book: Ints, desk: Ints, number: Ints, seen: Ints, sight: Words,
    points: Ints,
) -> None:  # fmt: skip
    """Writes the net inputs and the score after an action."""
    action, task, left, way = number[0], desk[DUE_TASK], NO_BITS, 0
    for card in range(desk[CARDS_LEFT]):
        left |= ONE << U(desk[DECK + card])
    if action == sizes[PASS_NUMBER]:
        choice = PASS
    elif action == sizes[STOP_NUMBER]:
        choice = STOP
    else:
        while action >= sizes[CELL_COUNT]:
            action -= sizes[CELL_COUNT]
            way += 1
        choice = (law[TASKS + 8 * task + FIRST_ORIENTATION] + way) * MASK_CELLS + action
    points[0] = write_inputs(land, law, city, book, task, choice, left, count_shapes(law, left), seen, sight)
