"""A search with a net: what it says of each choice, mixed with what comes of playing on by what it says."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.placing.build_moves import decide
from polyopolis.kernels.placing.features import outcome
from polyopolis.kernels.placing.layout import CARDS, FIRST_OF_ROW, NONE, ONE, USED, Ground, Town, Yard
from polyopolis.kernels.placing.net_inference import Eyes, Judge, bits_of, gazed
from polyopolis.kernels.placing.playouts import asked, copied_town, dealt
from polyopolis.kernels.runtime.array_ops import sort
from polyopolis.kernels.runtime.jit import Ints, U, Words, entry, jit
from polyopolis.kernels.runtime.sequential_halving import Found, games_of_each, narrowed, rounds_for, write_means


@jit
def play_wisely(ground: Ground, yard: Yard, length: int, horizon: int, judge: Judge, eyes: Eyes) -> float:
    """What comes of a city that is played on by what a net says comes to most; after so many tasks it says the rest."""
    land, law, city, book = ground.land, ground.law, yard.town.city, yard.town.book
    left = bits_of(yard.coming, 0, length) if law[CARDS] > 0 else NONE
    for number in range(length):
        task = yard.coming[number]
        if law[CARDS] > 0:
            left &= ~(ONE << U(task))
        elif task >= law[FIRST_OF_ROW]:
            book[USED] += 1
        if asked(law, book, task):
            choices = gazed(ground, yard.town, task, left, judge, eyes, yard)
            most, best = outcome(land, law, city, book, yard.out), -1
            for choice in range(choices):
                if yard.values[choice] > most:
                    most, best = yard.values[choice], choice
            if best < 0 or number + 1 >= horizon:
                return most
            decide(land, law, city, book, task, yard.choices[best])
    return outcome(land, law, city, book, yard.out)


@entry
def at_a_gaze(ground: Ground, town: Town, task: int, deck: Ints, judge: Judge, eyes: Eyes, yard: Yard) -> int:
    """Writes every choice but to stop, and what a net says that it comes to; how many there are."""
    return gazed(ground, town, task, bits_of(deck, 0, len(deck)), judge, eyes, yard)


@entry
def consulted(
    ground: Ground, town: Town, task: int, deck: Ints, simulations: int, width: int, trust: int, horizon: int,
    luck: Words, judge: Judge, eyes: Eyes, yard: Yard, found: Found,
) -> int:  # fmt: skip
    """Like `searched`, with a net: it says which choices are tried, its word counts as much as so many simulations, and
    every simulation is played by it, so far or to the end."""
    number = gazed(ground, town, task, bits_of(deck, 0, len(deck)), judge, eyes, yard)
    width = left = min(number, width)
    if left == 0:
        return 0
    sort(yard.choices, yard.values, number, left)
    for choice in range(left):
        found.choices[choice], found.means[choice] = yard.choices[choice], trust * yard.values[choice]
    rounds, tried = rounds_for(left), trust
    for _ in range(rounds):
        games = games_of_each(simulations, rounds, left)
        for _ in range(games):
            length = dealt(ground.law, town.book, deck, luck, yard.coming)
            for choice in range(left):
                copied_town(town, yard.town)
                decide(ground.land, ground.law, yard.town.city, yard.town.book, task, found.choices[choice])
                found.means[choice] += play_wisely(ground, yard, length, horizon, judge, eyes)
        tried += games
        left = narrowed(found, left, tried)
    write_means(found, width, tried)
    return width
