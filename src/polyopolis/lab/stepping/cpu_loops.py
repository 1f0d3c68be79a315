"""All games of a batch, one after the other: a row of every array for each game."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Callable, Sequence

from polyopolis.kernels.placing.layout import (
    AT_WELL,
    CELLS,
    CHURCH,
    FIRST,
    FIT,
    GROUP_HALO,
    GROUP_SIZE,
    KIND,
    MOST_GROUPS,
    PLACES,
    SERVED,
    TASKS,
)
from polyopolis.kernels.runtime.jit import Floats, Ints, S, Words
from polyopolis.lab.batch_plan import LINE
from polyopolis.lab.stepping import city_steps, draft_steps
from polyopolis.lab.stepping.city_steps import SPOTS, TASK
from polyopolis.lab.stepping.step_compiler import apart, bare, fetch, fetch_word, inlined, jit

_begin_city, _choose_city, _wander_city = city_steps.begin, city_steps.choose, city_steps.wander
_go_on, _end = city_steps.go_on, apart(city_steps.end)
_count, _spread, _sight_of = city_steps.count, city_steps.spread, city_steps.sight_of
_begin_draft, _step_draft, _choose_draft, _wander_draft = (
    draft_steps.begin,
    draft_steps.step,
    draft_steps.choose,
    draft_steps.wander,
)


AHEAD = 2
"""Games by which memory is ahead of a processor."""


@inlined
def bring_city(city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], game: int) -> None:
    """What a step will read, while those before are at work: rows are too long to be foreseen by a processor. Without
    what only later episodes have."""
    if game < len(city):
        fetch(city, game, 0)
        fetch(city, game, LINE)
        fetch(city, game, 2 * LINE)
        bring_fits(city, game)
        for number in range(0, SERVED, LINE):
            fetch(book, game, number)
        fetch(book, game, AT_WELL)
        fetch(book, game, GROUP_SIZE)
        for card in range(0, 4 * LINE, LINE):
            fetch(desk, game, card)


@inlined
def bring_fits(city: Sequence[Words], game: int) -> None:
    fetch(city, game, FIT)
    fetch(city, game, FIT + LINE)


@inlined
def bring_task(
    land: Words, law: Ints, spots: int, share: float, city: Sequence[Words], book: Sequence[Ints],
    desk: Sequence[Ints], actions: Sequence[Ints], game: int,
) -> None:  # fmt: skip
    """What the next step will read because of its task, once it is known: a place, and groups of one colour."""
    if game < len(desk):
        action, task = actions[game][0], TASKS + 8 * desk[game][TASK]
        kind = min(law[task + KIND], CHURCH - 1)
        for word in range(0, 2 * LINE, LINE):
            fetch(city, game, GROUP_HALO + 2 * kind * MOST_GROUPS + word)
        fetch(book, game, GROUP_SIZE + kind * MOST_GROUPS)
        way = S(action * share)
        fetch_word(land, PLACES + 4 * ((law[task + FIRST] + way) * CELLS + action - way * spots))


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
    spots, share = sizes[SPOTS], 1.0 / sizes[SPOTS]
    for game in range(len(city)):
        bring_city(city, book, desk, game + AHEAD)
        bring_task(land, bare(law), spots, share, city, book, desk, actions, game + 1)
        overs[game][0] = 0
        if not _go_on(
            bare(land), bare(law), bare(sizes), bare(city[game]), bare(book[game]), bare(desk[game]), bare(luck[game]),
            bare(actions[game]), bare(rewards[game]),
        ):  # fmt: skip
            overs[game][0] = 1
            _end(
                land, law, first_city, first_book, deck, city[game], book[game], desk[game], luck[game], out[game],
                rewards[game],
            )  # fmt: skip


@jit
def choose_cities(
    sizes: Ints, city: Sequence[Words], desk: Sequence[Ints], whim: Sequence[Words], actions: Sequence[Ints]
) -> None:
    for game in range(len(city)):
        if game + AHEAD < len(city):
            bring_fits(city, game + AHEAD)
        _choose_city(bare(sizes), bare(city[game]), bare(desk[game]), bare(whim[game]), bare(actions[game]))


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
