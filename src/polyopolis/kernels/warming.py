"""Compiling beside the play or before it, never inside a player's turn."""

import os
from pathlib import Path

from polyopolis.games.mycity.content import content
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.state import Setup
from polyopolis.kernels import drafting, drafts
from polyopolis.kernels import placing as kernel
from polyopolis.kernels.cities import City, Position, good_outcomes, random_scores
from polyopolis.kernels.compiled import floats, ints
from polyopolis.kernels.tables import land_of

CACHE = "NUMBA_CACHE_DIR"
"""In the environment: where numba keeps machine code. It looks there when it is imported."""


def cache_in(folder: Path) -> dict[str, str]:
    """The environment of processes that keep machine code in this folder. None of that where it may be written beside
    the kernels, where whoever comes next finds it."""
    beside = Path(kernel.__file__).parent
    return {} if CACHE in os.environ or os.access(beside, os.W_OK) else {CACHE: str(folder)}


def warm() -> None:
    """Calls every kernel that a player may need; once compiled they are read from the disk."""
    site = land_of("mycity", content().episodes["eternal"])
    nothing = floats([0.0] * 2 * kernel.FEATURE_COUNT)
    random_scores(site, 1, 0)
    good_outcomes(site, nothing, [0])
    position = Position(City.found(site), 0, ints([1]))
    _, (found,) = position.searched(nothing, 1, 1, 0)
    position.parts(nothing, found[1])
    position.futures(1)
    position.solved()
    position.valued(nothing)
    position.city.legal(0)
    position.city.decide(0, kernel.PASS)
    warm_drafts()


def warm_drafts() -> None:
    """Likewise for Point City, from the first turn of a game."""
    table = Setup(seats=2)
    nothing = floats([0.0] * 2 * drafting.FEATURE_COUNT)
    drafts.random_scores(table, 1, 0)
    position = drafts.position_of(start(table))
    drafts.good_leads(position.site, nothing, nothing, [0])
    drafts.opened(position.draft, 0)
    _, (found,) = position.searched(nothing, 1, 1, 0)
    position.parts(nothing, found[1])
    position.valued(nothing)
    position.draft.decide(found[1])
