"""Loops over all games of a batch on a CPU, with a row of every array per game."""

# ruff: noqa: PLR0913, PLR0917 - a kernel is written for the machine: flat, with its arrays as arguments

from collections.abc import Callable, Sequence

from polyopolis.kernels.placing.layout import (
    CHURCH,
    FACTORY_COLOURS,
    FIRST_ORIENTATION,
    FIT_ANCHORS,
    GROUP_HALOS,
    GROUP_SIZES,
    KIND,
    MASK_CELLS,
    MAX_GROUPS,
    PLACEMENTS,
    TASKS,
    WELL_SIDES_BUILT,
)
from polyopolis.kernels.runtime.jit import Floats, Ints, S, Words
from polyopolis.lab.batch_plan import CACHE_LINE_NUMBERS
from polyopolis.lab.stepping import city_steps, draft_steps
from polyopolis.lab.stepping.city_steps import CELL_COUNT, DUE_TASK
from polyopolis.lab.stepping.step_compiler import as_call, inlined, jit, prefetch, prefetch_word, unchecked

_begin_city, _choose_city, _wander_city = city_steps.begin, city_steps.choose, city_steps.wander
_apply_action, _finish_game = city_steps.apply_action, as_call(city_steps.finish_game)
_count, _spread, _sight_of = city_steps.count, city_steps.spread, city_steps.sight_of
_begin_draft, _step_draft, _choose_draft, _wander_draft = (
    draft_steps.begin,
    draft_steps.step,
    draft_steps.choose,
    draft_steps.wander,
)


PREFETCH_GAMES = 2
"""Number of games by which prefetching is ahead."""


@inlined
def prefetch_city(city: Sequence[Words], book: Sequence[Ints], desk: Sequence[Ints], game: int) -> None:
    """Prefetches what a step of this game reads, except data of later episodes. The CPU does not predict these
    accesses, because rows are long."""
    if game < len(city):
        prefetch(city, game, 0)
        prefetch(city, game, CACHE_LINE_NUMBERS)
        prefetch(city, game, 2 * CACHE_LINE_NUMBERS)
        prefetch_anchors(city, game)
        for number in range(0, FACTORY_COLOURS, CACHE_LINE_NUMBERS):
            prefetch(book, game, number)
        prefetch(book, game, WELL_SIDES_BUILT)
        prefetch(book, game, GROUP_SIZES)
        for card in range(0, 4 * CACHE_LINE_NUMBERS, CACHE_LINE_NUMBERS):
            prefetch(desk, game, card)


@inlined
def prefetch_anchors(city: Sequence[Words], game: int) -> None:
    prefetch(city, game, FIT_ANCHORS)
    prefetch(city, game, FIT_ANCHORS + CACHE_LINE_NUMBERS)


@inlined
def prefetch_task(
    land: Words, law: Ints, spots: int, share: float, city: Sequence[Words], book: Sequence[Ints],
    desk: Sequence[Ints], actions: Sequence[Ints], game: int,
) -> None:  # fmt: skip
    """Prefetches what the next step reads for its task: a placement, and groups of one colour."""
    if game < len(desk):
        action, task = actions[game][0], TASKS + 8 * desk[game][DUE_TASK]
        kind = min(law[task + KIND], CHURCH - 1)
        for word in range(0, 2 * CACHE_LINE_NUMBERS, CACHE_LINE_NUMBERS):
            prefetch(city, game, GROUP_HALOS + 2 * kind * MAX_GROUPS + word)
        prefetch(book, game, GROUP_SIZES + kind * MAX_GROUPS)
        way = S(action * share)
        prefetch_word(
            land, PLACEMENTS + 4 * ((law[task + FIRST_ORIENTATION] + way) * MASK_CELLS + action - way * spots)
        )


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
    spots, share = sizes[CELL_COUNT], 1.0 / sizes[CELL_COUNT]
    for game in range(len(city)):
        prefetch_city(city, book, desk, game + PREFETCH_GAMES)
        prefetch_task(land, unchecked(law), spots, share, city, book, desk, actions, game + 1)
        overs[game][0] = 0
        if not _apply_action(
            unchecked(land), unchecked(law), unchecked(sizes), unchecked(city[game]), unchecked(book[game]),
            unchecked(desk[game]), unchecked(luck[game]), unchecked(actions[game]), unchecked(rewards[game]),
        ):  # fmt: skip
            overs[game][0] = 1
            _finish_game(
                land, law, first_city, first_book, deck, city[game], book[game], desk[game], luck[game], out[game],
                rewards[game],
            )  # fmt: skip


@jit
def choose_cities(
    sizes: Ints, city: Sequence[Words], desk: Sequence[Ints], whim: Sequence[Words], actions: Sequence[Ints]
) -> None:
    for game in range(len(city)):
        if game + PREFETCH_GAMES < len(city):
            prefetch_anchors(city, game + PREFETCH_GAMES)
        _choose_city(
            unchecked(sizes),
            unchecked(city[game]),
            unchecked(desk[game]),
            unchecked(whim[game]),
            unchecked(actions[game]),
        )


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


LOOPS: dict[str, dict[str, Callable[..., None]]] = {
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
