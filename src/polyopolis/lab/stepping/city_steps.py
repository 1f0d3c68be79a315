"""A city of My City or Roll & Write whose owner plays alone, task after task."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing import build_moves, playouts
from polyopolis.kernels.placing.bitmasks import pair
from polyopolis.kernels.placing.features import score
from polyopolis.kernels.placing.layout import (
    CARDS,
    CELLS,
    COMPASS,
    FIRST,
    FIRST_OF_ROW,
    FIT,
    GROUP_HALO,
    GROUP_SIZE,
    GROUPS,
    HIGHS,
    MOST_GROUPS,
    MOST_TASKS,
    MOST_WAYS,
    NONE,
    ONE,
    PASS,
    ROW,
    SLOT_COUNT,
    SLOTS,
    STOP,
    TASKS,
    USED,
)
from polyopolis.kernels.placing.net_inputs import held, see
from polyopolis.kernels.runtime.jit import Floats, Ints, S, U, Words, lowest, ones
from polyopolis.kernels.runtime.rng import below
from polyopolis.lab.stepping.step_compiler import inlined, jit

# desk: the task that is due, how many cards are left, whether one may pass, then those cards
TASK, LEFT, PASSING, DECK = 0, 1, 2, 3
DESK = DECK + MOST_TASKS

# sizes: cells of the board, the numbers for passing and for stopping, which come after all places, in how many ways a
# building of this game can lie
SPOTS, PASS_NUMBER, STOP_NUMBER, WAY_COUNT = 0, 1, 2, 3

asked, can_pass = inlined(playouts.asked), inlined(build_moves.can_pass)
decide, fit = inlined(build_moves.decide), inlined(build_moves.fit)

NOTHING = -1
ILLEGAL = -1.0


@inlined
def turned_up(law: Ints, book: Ints, desk: Ints, luck: Words) -> int:
    """The next task: one of the cards that are left, or what three dice say. NOTHING when no card is left."""
    if law[CARDS] > 0:
        left = desk[LEFT]
        if left == 0:
            return NOTHING
        at = DECK + below(luck, left)
        task = desk[at]
        desk[at] = desk[DECK + left - 1]
        desk[LEFT] = left - 1
        return task
    task = law[SLOTS + below(luck, SLOT_COUNT)]
    if task >= COMPASS:
        task -= COMPASS
        if book[USED] < law[ROW]:
            task = law[FIRST_OF_ROW] + book[USED]
            book[USED] += 1
    return task


@inlined
def ask(land: Words, law: Ints, city: Words, book: Ints, desk: Ints, luck: Words, task: int) -> bool:
    """Turns up tasks after this one until one is to be built, and writes where it fits; whether there is one."""
    while task != NOTHING:
        if asked(law, book, task):
            desk[TASK] = task
            desk[PASSING] = 1 if can_pass(law, book, task) else 0
            fit(land, law, city, task)
            return True
        task = turned_up(law, book, desk, luck)
    return False


@inlined
def begin(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words,
) -> None:  # fmt: skip
    """A city before its first building, with its first task. Groups are copied as far as there are any."""
    for word in range(GROUP_HALO):
        city[word] = first_city[word]
    for number in range(GROUP_SIZE):
        book[number] = first_book[number]
    for kind in range(3):
        for group in range(kind * MOST_GROUPS, kind * MOST_GROUPS + first_book[GROUPS + kind]):
            book[GROUP_SIZE + group] = first_book[GROUP_SIZE + group]
            city[GROUP_HALO + 2 * group] = first_city[GROUP_HALO + 2 * group]
            city[GROUP_HALO + 2 * group + 1] = first_city[GROUP_HALO + 2 * group + 1]
    desk[LEFT] = len(deck)
    for card in range(len(deck)):
        desk[DECK + card] = deck[card]
    ask(land, law, city, book, desk, luck, turned_up(law, book, desk, luck))


@inlined
def go_on(
    land: Words, law: Ints, sizes: Ints, city: Words, book: Ints, desk: Ints, luck: Words, actions: Ints,
    rewards: Floats,
) -> bool:  # fmt: skip
    """Does what is decided, and asks for the next decision; whether there is one. What is not allowed is told at once.

    The next task is turned up before this one is built: luck takes a processor long, and waits for nothing.
    """
    action, task, choice, reward = actions[0], desk[TASK], STOP, 0.0
    if action == sizes[PASS_NUMBER] and desk[PASSING]:
        choice = PASS
    elif 0 <= action < sizes[PASS_NUMBER]:
        way = S(U(action) // U(sizes[SPOTS]))
        action -= way * sizes[SPOTS]
        if city[FIT + (HIGHS if action >= 64 else 0) + way] >> U(action & 63) & ONE:
            choice = (law[TASKS + 8 * task + FIRST] + way) * CELLS + action
        else:
            reward = ILLEGAL
    elif action != sizes[STOP_NUMBER]:
        reward = ILLEGAL
    rewards[0] = reward
    if choice == STOP:
        return False
    following = turned_up(law, book, desk, luck)
    decide(land, law, city, book, task, choice)
    return ask(land, law, city, book, desk, luck, following)


@inlined
def end(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, out: Ints, rewards: Floats,
) -> None:  # fmt: skip
    """A game that is over tells its score, unless something was not allowed, and another one begins."""
    if rewards[0] != ILLEGAL:
        rewards[0] += score(land, law, city, book, out)
    begin(land, law, first_city, first_book, deck, city, book, desk, luck)


@inlined
def step(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, out: Ints, actions: Ints, rewards: Floats, overs: Ints,
) -> None:  # fmt: skip
    """Does what is decided; a game that is over is followed by another one at once."""
    overs[0] = 0
    if not go_on(land, law, sizes, city, book, desk, luck, actions, rewards):
        overs[0] = 1
        end(land, law, first_city, first_book, deck, city, book, desk, luck, out, rewards)


@inlined
def picked(word: int, number: int) -> int:
    """Where the bit lies that has so many before it: halves are counted, since nobody can foretell how long a walk from
    bit to bit takes."""
    at, width = U(0), U(32)
    while width > NONE:
        before = ones(word >> at & ((ONE << width) - ONE))
        if number >= before:
            number -= before
            at += width
        width >>= ONE
    return S(at)


@inlined
def choose(sizes: Ints, city: Words, desk: Ints, whim: Words, actions: Ints) -> None:
    """Any of the places, each as likely as the others; passes where there is none, stops where it must."""
    number = 0
    for way in range(sizes[WAY_COUNT]):
        number += pair(city[FIT + way], city[FIT + HIGHS + way])
    if number == 0:
        actions[0] = sizes[PASS_NUMBER] if desk[PASSING] else sizes[STOP_NUMBER]
        return
    number, way, before, passed = below(whim, number), 0, 0, 0
    for other in range(sizes[WAY_COUNT] - 1):
        passed += pair(city[FIT + other], city[FIT + HIGHS + other])
        if number >= passed:
            way, before = other + 1, passed
    number -= before
    anchors, first, here = city[FIT + way], 0, ones(city[FIT + way])
    if number >= here:
        anchors, first, number = city[FIT + HIGHS + way], 64, number - here
    actions[0] = way * sizes[SPOTS] + first + picked(anchors, number)


@jit
def wander(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Words, book: Ints, desk: Ints, luck: Words, whim: Words, out: Ints, actions: Ints, rewards: Floats,
    overs: Ints, totals: Floats, steps: int,
) -> None:  # fmt: skip
    """So many random steps; the points of all games that were finished, and how many these are."""
    for _ in range(steps):
        choose(sizes, city, desk, whim, actions)
        step(land, law, first_city, first_book, deck, sizes, city, book, desk, luck, out, actions, rewards, overs)
        totals[0] += rewards[0]
        totals[1] += overs[0]


@jit
def count(city: Words, desk: Ints, counts: Ints) -> None:
    """How many choices there are: places, to pass, to stop."""
    number = desk[PASSING] + 1
    for word in range(2 * MOST_WAYS):
        number += ones(city[FIT + word])
    counts[0] = number


@jit
def spread(sizes: Ints, city: Words, desk: Ints, ends: Ints, numbers: Ints) -> None:
    """Writes the numbers of all choices in front of where they end, to stop as the last one."""
    at = ends[0] - 1
    numbers[at] = sizes[STOP_NUMBER]
    if desk[PASSING]:
        at -= 1
        numbers[at] = sizes[PASS_NUMBER]
    for word in range(2 * MOST_WAYS):
        anchors, first = city[FIT + word], word % MOST_WAYS * sizes[SPOTS] + 64 * (word // MOST_WAYS)
        while anchors:
            at -= 1
            numbers[at] = first + lowest(anchors)
            anchors &= anchors - ONE


@jit
def sight_of(
    land: Words, law: Ints, sizes: Ints, city: Words, book: Ints, desk: Ints, number: Ints, seen: Ints, sight: Words,
    points: Ints,
) -> None:  # fmt: skip
    """What a net sees once this is decided, and the score."""
    action, task, left, way = number[0], desk[TASK], NONE, 0
    for card in range(desk[LEFT]):
        left |= ONE << U(desk[DECK + card])
    if action == sizes[PASS_NUMBER]:
        choice = PASS
    elif action == sizes[STOP_NUMBER]:
        choice = STOP
    else:
        while action >= sizes[SPOTS]:
            action -= sizes[SPOTS]
            way += 1
        choice = (law[TASKS + 8 * task + FIRST] + way) * CELLS + action
    points[0] = see(land, law, city, book, task, choice, left, held(law, left), seen, sight)
