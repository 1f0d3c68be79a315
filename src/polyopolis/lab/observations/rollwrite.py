"""What a seat sees in Roll & Write."""

from functools import reduce
from operator import or_
from typing import Any, get_args

from polyopolis.games.rollwrite.content import SIGNS, Goal, Kind, content
from polyopolis.games.rollwrite.state import City
from polyopolis.lab.action_numbers.rollwrite import CELLS, GRID
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import Part, counts, drawn, one_of, plane

KINDS: tuple[str, ...] = get_args(Kind)
GOALS: tuple[str, ...] = get_args(Goal)
PLANES = ("free", "reach", "bandits", *(f"{kind} building" for kind in KINDS), *SIGNS.values())
MANY = 999


def _board(table: GameTable, seat: int) -> Any:
    city: City = table.state.cities[seat]
    under = [reduce(or_, [house.at.mask for house in city.buildings if house.kind == kind], 0) for kind in KINDS]
    terrain = [city.site.board.where(sign) for sign in SIGNS]
    return [plane(mask, CELLS) for mask in (city.free, city.reach, city.bandits, *under, *terrain)]


def _city(table: GameTable, seat: int) -> list[int]:
    city: City = table.state.cities[seat]
    won = [race.race for race in city.won]
    return [city.circles, int(city.stopped), table.match.result.scores[seat], *counts(GOALS, won)]


def _piece(table: GameTable, seat: int) -> Any:
    task = table.state.task
    return drawn(task and task.shape)


def _task(table: GameTable, seat: int) -> list[int]:
    task = table.state.task
    if task is None:
        return [0] * (len(KINDS) + 2)
    return [*one_of(KINDS, task.kind), task.circles or 0, int(task.anywhere)]


def _table(table: GameTable, seat: int) -> list[int]:
    state = table.state
    return [state.rolls, state.compasses, *counts(GOALS, [race.race for race in state.open_races])]


def _episode(table: GameTable, seat: int) -> list[int]:
    return one_of(tuple(content().episodes), table.state.episode.number)


PARTS = (
    Part("board", (len(PLANES), GRID.height, GRID.width), _board, f"planes: {', '.join(PLANES)}", each=True),
    Part("city", (3 + len(GOALS),), _city, f"circles ticked, stopped, score now, races won ({', '.join(GOALS)})", -MANY,
         MANY, each=True),
    Part("piece", (5, 5), _piece, "the building that is due, in the first of its ways"),
    Part("task", (len(KINDS) + 2,), _task, f"its kind ({', '.join(KINDS)}), the circles for passing it (none: it must "
         "be built), whether it needs no contact", 0, MANY),
    Part("table", (2 + len(GOALS),), _table, "rolls so far, how much of the row of the compass is used, races that are "
         "open", 0, MANY),
    Part("episode", (len(content().episodes),), _episode, "the number of the episode"),
)  # fmt: skip
