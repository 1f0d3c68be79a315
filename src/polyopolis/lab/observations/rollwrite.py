"""Observation of Roll & Write."""

from functools import reduce
from operator import or_
from typing import Any, get_args

from polyopolis.games.rollwrite.content import SIGNS, Goal, Kind, content
from polyopolis.games.rollwrite.state import City
from polyopolis.lab.action_numbers.rollwrite import CELLS, GRID
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import ObservationPart, cell_plane, counts, one_hot, shape_frame

KINDS: tuple[str, ...] = get_args(Kind)
GOALS: tuple[str, ...] = get_args(Goal)
PLANES = ("free", "reach", "bandits", *(f"{kind} building" for kind in KINDS), *SIGNS.values())
MAX_VALUE = 999


def _board(table: GameTable, seat: int) -> Any:
    city: City = table.state.cities[seat]
    under = [
        reduce(or_, [building.at.mask for building in city.buildings if building.kind == kind], 0) for kind in KINDS
    ]
    terrain = [city.site.board.where(sign) for sign in SIGNS]
    return [cell_plane(mask, CELLS) for mask in (city.free, city.reach, city.bandits, *under, *terrain)]


def _city(table: GameTable, seat: int) -> list[int]:
    city: City = table.state.cities[seat]
    won = [race.race for race in city.won]
    return [city.circles, int(city.stopped), table.match.result.scores[seat], *counts(GOALS, won)]


def _piece(table: GameTable, seat: int) -> Any:
    task = table.state.task
    return shape_frame(task and task.shape)


def _task(table: GameTable, seat: int) -> list[int]:
    task = table.state.task
    if task is None:
        return [0] * (len(KINDS) + 2)
    return [*one_hot(KINDS, task.kind), task.circles or 0, int(task.anywhere)]


def _table(table: GameTable, seat: int) -> list[int]:
    state = table.state
    return [state.rolls, state.compasses, *counts(GOALS, [race.race for race in state.open_races])]


def _episode(table: GameTable, seat: int) -> list[int]:
    return one_hot(tuple(content().episodes), table.state.episode.number)


PARTS = (
    ObservationPart("board", (len(PLANES), GRID.height, GRID.width), _board, f"planes: {', '.join(PLANES)}", each=True),
    ObservationPart(
        "city",
        (3 + len(GOALS),),
        _city,
        f"ticked circles, stopped, present score, races won ({', '.join(GOALS)})",
        -MAX_VALUE,
        MAX_VALUE,
        each=True,
    ),
    ObservationPart("piece", (5, 5), _piece, "the due building in its first orientation"),
    ObservationPart(
        "task",
        (len(KINDS) + 2,),
        _task,
        f"kind ({', '.join(KINDS)}), circles for passing (0: it must be built), whether it needs no contact",
        0,
        MAX_VALUE,
    ),
    ObservationPart(
        "table", (2 + len(GOALS),), _table, "rolls so far, used tasks of the compass row, open races", 0, MAX_VALUE
    ),
    ObservationPart("episode", (len(content().episodes),), _episode, "the episode number"),
)
