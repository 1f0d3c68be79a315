"""Whole games, by what is worth most at sight."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from polyopolis.kernels.drafting.chance import deal, open_up
from polyopolis.kernels.drafting.choice_values import best
from polyopolis.kernels.drafting.layout import ALL_TURNS, OVER, PAY, PHASE, PLAYERS, TURNS, Room
from polyopolis.kernels.drafting.legal_choices import listed
from polyopolis.kernels.drafting.scores import total
from polyopolis.kernels.drafting.transitions import act, build_thriftily, decide
from polyopolis.kernels.runtime.array_ops import copied
from polyopolis.kernels.runtime.jit import Floats, Ints, Words, jit
from polyopolis.kernels.runtime.rng import below


@jit
def carry_on(law: Ints, draft: Ints, coming: Ints) -> None:
    """Until somebody decides more than how to pay: that is done thriftily."""
    deal(law, draft, coming)
    if draft[PHASE] == PAY:
        build_thriftily(law, draft)
        deal(law, draft, coming)


@jit
def play_on(law: Ints, room: Room, until: int, weights: Floats) -> None:
    """By what is worth most at sight, everybody, until so many turns are over."""
    draft, coming = room.draft, room.coming
    carry_on(law, draft, coming)
    while draft[PHASE] != OVER and draft[TURNS] < until:
        act(law, draft, best(law, draft, weights, room))
        deal(law, draft, coming)


@jit
def random_games(law: Ints, first: Ints, luck: Words, room: Room, results: Ints) -> int:
    """Whole games of any choices, each as likely as the others; the first player's score each. How many decisions."""
    draft, choices, decisions = room.draft, room.choices, 0
    for number in range(len(results)):
        copied(first, draft)
        open_up(law, draft, luck, room.coming)
        while draft[PHASE] != OVER:
            decide(law, draft, choices[below(luck, listed(law, draft, choices))], choices)
            deal(law, draft, room.coming)
            decisions += 1
        results[number] = total(law, draft, 0)
    return decisions


@jit
def good_games(law: Ints, first: Ints, luck: Words, weights: Floats, room: Room, results: Floats) -> None:
    """Whole games by what is worth most at sight, one for each future: the score of every player."""
    players = law[PLAYERS]
    for number in range(len(luck)):
        copied(first, room.draft)
        room.luck[0] = luck[number]
        open_up(law, room.draft, room.luck, room.coming)
        play_on(law, room, law[ALL_TURNS], weights)
        for player in range(players):
            results[number * players + player] = total(law, room.draft, player)
