"""All games of a batch, one after the other: a row of every array for each game."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Callable, Sequence

from polyopolis.kernels.compiled import Floats, Ints, Words
from polyopolis.kernels.placing.layout import CITY, FIT, GROUP_HALO, GROUP_SIZE, MOST_GROUPS
from polyopolis.lab.stepping import cities, drafts
from polyopolis.lab.stepping.compiled import fetch, inlined, jit

_begin_city, _step_city, _choose_city, _wander_city = cities.begin, cities.step, cities.choose, cities.wander
_count, _spread, _sight_of = cities.count, cities.spread, cities.sight_of
_begin_draft, _step_draft, _choose_draft, _wander_draft = drafts.begin, drafts.step, drafts.choose, drafts.wander


AHEAD = 1
"""Games by which memory is ahead of a processor."""
LINE = 8
"""Numbers that come from memory together."""


@inlined
def bring_city(city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], game: int) -> None:
    """What a step will read, while the one before is at work: rows are too long to be foreseen by a processor."""
    if game < len(city):
        for word in range(0, GROUP_HALO, LINE):
            fetch(city, game, word)
        for word in range(FIT, CITY + LINE - 1, LINE):
            fetch(city, game, min(word, CITY - 1))
        for number in range(0, GROUP_SIZE, LINE):
            fetch(book, game, number)
        for kind in range(3):
            fetch(city, game, GROUP_HALO + 2 * kind * MOST_GROUPS)
            fetch(city, game, GROUP_HALO + 2 * kind * MOST_GROUPS + LINE)
            fetch(book, game, GROUP_SIZE + kind * MOST_GROUPS)
        for card in range(0, 4 * LINE, LINE):
            fetch(desk, game, card)


@jit
def begin_cities(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints,
    city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], luck: Sequence[Words],
) -> None:  # fmt: skip
    for game in range(len(city)):
        _begin_city(land, law, first_city, first_book, deck, city[game], book[game], desk[game], luck[game])


@jit
def step_cities(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], luck: Sequence[Words], out: Sequence[Ints],
    actions: Sequence[Ints], rewards: Sequence[Floats], overs: Sequence[Ints],
) -> None:  # fmt: skip
    for game in range(len(city)):
        bring_city(city, book, desk, game + AHEAD)
        _step_city(
            land, law, first_city, first_book, deck, sizes, city[game], book[game], desk[game], luck[game], out[game],
            actions[game], rewards[game], overs[game],
        )  # fmt: skip


@jit
def choose_cities(
    sizes: Ints, city: Sequence[Words], desk: Sequence[Ints], whim: Sequence[Words], actions: Sequence[Ints]
) -> None:
    for game in range(len(city)):
        _choose_city(sizes, city[game], desk[game], whim[game], actions[game])


@jit
def wander_cities(
    land: Words, law: Ints, first_city: Words, first_book: Ints, deck: Ints, sizes: Ints,
    city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], luck: Sequence[Words], whim: Sequence[Words],
    out: Sequence[Ints], actions: Sequence[Ints], rewards: Sequence[Floats], overs: Sequence[Ints],
    totals: Sequence[Floats], steps: int,
) -> None:  # fmt: skip
    for game in range(len(city)):
        _wander_city(
            land, law, first_city, first_book, deck, sizes, city[game], book[game], desk[game], luck[game], whim[game],
            out[game], actions[game], rewards[game], overs[game], totals[game], steps,
        )  # fmt: skip


@jit
def count_cities(city: Sequence[Words], desk: Sequence[Ints], counts: Sequence[Ints]) -> None:
    for game in range(len(city)):
        _count(city[game], desk[game], counts[game])


@jit
def spread_cities(
    sizes: Ints, city: Sequence[Words], desk: Sequence[Ints], ends: Sequence[Ints], numbers: Ints
) -> None:
    for game in range(len(city)):
        _spread(sizes, city[game], desk[game], ends[game], numbers)


@jit
def sight_of_cities(
    land: Words, law: Ints, sizes: Ints, city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints],
    owners: Ints, number: Sequence[Ints], seen: Sequence[Ints], sight: Sequence[Words], points: Sequence[Ints],
) -> None:  # fmt: skip
    for move in range(len(owners)):
        game = owners[move]
        _sight_of(
            land, law, sizes, city[game], book[game], desk[game], number[move], seen[move], sight[move], points[move]
        )


@jit
def begin_drafts(
    law: Ints, first: Ints, draft: Sequence[Ints], luck: Sequence[Words], found: Sequence[Ints], masks: Sequence[Words]
) -> None:
    for game in range(len(draft)):
        _begin_draft(law, first, draft[game], luck[game], found[game], masks[game])


@jit
def step_drafts(
    law: Ints, first: Ints, draft: Sequence[Ints], luck: Sequence[Words], found: Sequence[Ints], masks: Sequence[Words],
    actions: Sequence[Ints], rewards: Sequence[Floats], overs: Sequence[Ints],
) -> None:  # fmt: skip
    for game in range(len(draft)):
        _step_draft(
            law, first, draft[game], luck[game], found[game], masks[game], actions[game], rewards[game], overs[game]
        )


@jit
def choose_drafts(masks: Sequence[Words], whim: Sequence[Words], actions: Sequence[Ints]) -> None:
    for game in range(len(masks)):
        _choose_draft(masks[game], whim[game], actions[game])


@jit
def wander_drafts(
    law: Ints, first: Ints, draft: Sequence[Ints], luck: Sequence[Words], whim: Sequence[Words], found: Sequence[Ints],
    masks: Sequence[Words], actions: Sequence[Ints], rewards: Sequence[Floats], overs: Sequence[Ints],
    totals: Sequence[Floats], steps: int,
) -> None:  # fmt: skip
    for game in range(len(draft)):
        _wander_draft(
            law, first, draft[game], luck[game], whim[game], found[game], masks[game], actions[game], rewards[game],
            overs[game], totals[game], steps,
        )  # fmt: skip


ALL: dict[str, dict[str, Callable[..., None]]] = {
    "cities": {
        "begin": begin_cities,
        "step": step_cities,
        "choose": choose_cities,
        "wander": wander_cities,
        "count": count_cities,
        "spread": spread_cities,
        "sight_of": sight_of_cities,
    },
    "drafts": {"begin": begin_drafts, "step": step_drafts, "choose": choose_drafts, "wander": wander_drafts},
}
