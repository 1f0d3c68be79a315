"""What choices come to, by playing on from each of them: a search for the best, and given choices in given futures."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Sequence

from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.evaluation import best, valued
from polyopolis.kernels.placing.layout import SIGHT, STOP, WAIT, Ground, Town, Yard
from polyopolis.kernels.placing.playouts import copied_town, dealt, play_well
from polyopolis.kernels.runtime.array_ops import copied, sort
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import Found, games_of_each, narrowed, rounds_for, write_means


@jit
def played(ground: Ground, town: Town, task: int, choice: int, length: int, weights: Floats, yard: Yard) -> float:
    """What comes of a choice if the tasks of the yard follow, by what is worth most each time; to stop ends it."""
    copied_town(town, yard.town)
    if choice == STOP:
        length = 0
    else:
        decide(ground.land, ground.law, yard.town.city, yard.town.book, task, choice)
    return play_well(ground, yard, length, weights)


@entry
def searched(
    ground: Ground, town: Town, task: int, deck: Ints, simulations: int, width: int, luck: Words, weights: Floats,
    yard: Yard, found: Found,
) -> int:  # fmt: skip
    """Flat Monte Carlo by sequential halving: in every round all that are left are tried with the same luck.

    What is worth most at sight is tried first, so many choices at most. Every simulation plays to the end by what is
    worth most. Writes the choices that were tried, the best one first, and what each comes to on average; how many
    there are. Those given up in an earlier round come to less than the best by what they lacked to the first of that
    round: with the same luck that is known better than either mean.
    """
    number = valued(ground, town, task, weights, yard)
    width = left = min(number, width)
    if left == 0:
        return 0
    sort(yard.choices, yard.values, number, left)
    for choice in range(left):
        found.choices[choice], found.means[choice] = yard.choices[choice], 0.0
    rounds, tried = rounds_for(left), 0
    for _ in range(rounds):
        games = games_of_each(simulations, rounds, left)
        for _ in range(games):
            length = dealt(ground.law, town.book, deck, luck, yard.coming)
            for choice in range(left):
                found.means[choice] += played(ground, town, task, found.choices[choice], length, weights, yard)
        tried += games
        left = narrowed(found, left, tried)
    write_means(found, width, tried)
    return width


@entry
def judged(
    ground: Ground, town: Town, task: int, deck: Ints, choices: Ints, luck: Words, weights: Floats, yard: Yard,
    results: Sequence[Floats],
) -> None:  # fmt: skip
    """Writes what every one of these choices comes to in every future: a row for each choice, one number for each word
    of luck, with which the generator of that future begins."""
    for future in range(len(luck)):
        yard.luck[0] = luck[future]
        length = dealt(ground.law, town.book, deck, yard.luck, yard.coming)
        for choice in range(len(choices)):
            results[choice][future] = played(ground, town, task, choices[choice], length, weights, yard)


@entry
def foretold(
    ground: Ground, town: Town, task: int, choices: Ints, orders: Sequence[Ints], length: int, weights: Floats,
    yard: Yard, results: Sequence[Floats],
) -> None:  # fmt: skip
    """Like `judged`, with futures that are told: a row of tasks for each, in the order in which they come. SIGHT is
    what is worth most at sight, WAIT decides nothing before the first task."""
    for future in range(len(orders)):
        copied(orders[future], yard.coming)
        for number in range(len(choices)):
            copied_town(town, yard.town)
            choice = choices[number]
            if choice == SIGHT:
                choice = best(ground, yard.town, task, weights, yard)
            if choice not in (STOP, WAIT):
                decide(ground.land, ground.law, yard.town.city, yard.town.book, task, choice)
            results[number][future] = play_well(ground, yard, 0 if choice == STOP else length, weights)
