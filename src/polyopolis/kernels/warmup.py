"""Compiling beside the play or before it, never inside a player's turn."""

import os
from pathlib import Path

from polyopolis.engine import Dealer, Match
from polyopolis.games import game
from polyopolis.games.mycity.content import content
from polyopolis.games.pointcity.rules import start
from polyopolis.games.pointcity.state import Setup
from polyopolis.kernels import draft_position
from polyopolis.kernels.city_arrays import land_of
from polyopolis.kernels.city_beam import Prospect
from polyopolis.kernels.city_position import City, CityPosition, Consultation, good_outcomes, random_scores
from polyopolis.kernels.placing.layout import IMPOSSIBLE, PASS, WAIT
from polyopolis.kernels.placing.net_inference import LAYERS, ROWS, Judge
from polyopolis.kernels.positions import Position, features_of, needed
from polyopolis.kernels.runtime.jit import floats, ints, words
from polyopolis.kernels.runtime.rng import futures_of, luck_of

CACHE = "NUMBA_CACHE_DIR"
"""In the environment: where numba keeps machine code. It looks there when it is imported."""


def cache_in(folder: Path) -> dict[str, str]:
    """The environment of processes that keep machine code in this folder. None of that where it may be written beside
    the kernels, where whoever comes next finds it."""
    beside = {path.parent for path in Path(__file__).parent.rglob("*.py")}
    writable = all(os.access(place, os.W_OK) for place in beside)
    return {} if CACHE in os.environ or writable else {CACHE: str(folder)}


def warm() -> None:
    """Calls every kernel that a player may need; once compiled they are read from the disk."""
    warm_cities()
    warm_drafts()


def warm_cities() -> None:
    """Cities before their first building; in the last episode something lies there from the start."""
    City.laid_out(land_of("mycity", content().episodes["episode-24"]))
    site = land_of("mycity", content().episodes["eternal"])
    random_scores(site, 1, luck_of(0))
    good_outcomes(site, floats([0.0] * 2 * len(features_of("mycity"))), futures_of(0, 1))
    position = CityPosition(City.laid_out(site), 0, ints([1]))
    ask(position, "mycity")
    position.solved()
    judge = Judge(words([0] * ROWS), floats([0.0] * LAYERS), floats([]))
    position.gazed(judge)
    position.consulted(judge, Consultation(1, 1), luck_of(0))
    position.city.legal(0)
    position.city.decide(0, PASS)
    foretell("mycity")
    tasks, nothing = [0, WAIT, 1], floats([0.0] * 2 * len(features_of("mycity")))
    list(Prospect(City.laid_out(site), tasks, [0] * len(tasks), nothing).grown(2, IMPOSSIBLE))


def warm_drafts() -> None:
    """Likewise for Point City, from the first turn of a game."""
    table = Setup(seats=2)
    nothing = floats([0.0] * 2 * len(features_of("pointcity")))
    draft_position.random_scores(table, 1, luck_of(0))
    position = draft_position.position_of(start(table))
    draft_position.good_leads(position.site, nothing, nothing, futures_of(0, 1))
    draft_position.opened(position.draft, luck_of(0))
    ask(position, "pointcity")
    position.draft.decide(position.valued(nothing)[0][1])
    foretell("pointcity")


def foretell(key: str) -> None:
    """One future of a game that has just begun, and what a choice comes to in it."""
    rules, nothing = game(key), floats([0.0] * 2 * len(features_of(key)))
    match = Match.start(rules, rules.Setup(seats=2)).deal(Dealer(bytes(32)))
    oracle, seat = needed(key).oracle(0, lambda part, site: nothing), min(match.due)
    oracle.expected(match.state, range(1))
    oracle.judged(match.state, seat, oracle.candidates(match.state, seat, 1), range(1))


def ask(position: Position, key: str) -> None:
    """Whatever a position can be asked in every game."""
    nothing = floats([0.0] * 2 * len(features_of(key)))
    _, ((_, choice),) = position.searched(nothing, 1, 1, luck_of(0))
    position.judged(nothing, [choice], futures_of(0, 1))
    for asked in (choice, None):
        position.parts(nothing, asked)
    position.futures(1)
    position.valued(nothing)
