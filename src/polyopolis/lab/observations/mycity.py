"""Observation of My City."""

from functools import reduce
from operator import or_
from typing import Any, get_args

from msgspec import UNSET

from polyopolis.games.mycity.content import COLOURS, SIGNS, Reward, content
from polyopolis.games.mycity.legacy.rewards import MARKED_REWARDS, triangle
from polyopolis.games.mycity.state import City, Legacy
from polyopolis.lab.action_numbers.mycity import CARDS, CELLS, GRID, SHAPES
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import ObservationPart, cell_plane, counts, one_hot, shape_frame

CHURCHES = tuple(next(iter(content().episodes.values())).fourth)
RACES = ("gold", "forest", "stations")
ASKS = ("building", "kiosk", "reward")
PLACED = tuple(reward for reward in get_args(Reward) if reward not in MARKED_REWARDS)
"""Rewards that are placed on the board."""
SHAFTS = content().campaign.shafts
TRIANGLES = tuple(triangle(colour, box) for colour in SHAFTS for box in SHAFTS[colour].rewards if box.triangle)
KINDS = (*COLOURS, "church", "sawmill", "port")
PLANES = ("free", "reach", *KINDS, "factory", *SIGNS.values())
MAX_VALUE = 999


def _board(table: GameTable, seat: int) -> Any:
    city: City = table.state.cities[seat]
    site = city.site
    standing = [*site.pieces.values(), *city.buildings]
    under = {
        kind: reduce(or_, [building.at.mask for building in standing if building.card.kind == kind], 0)
        for kind in KINDS
    }
    factories = reduce(or_, [building.at.mask for building in city.buildings if building.card.name in site.gears], 0)
    terrain = [site.board.where(sign) for sign in SIGNS]
    return [cell_plane(mask, CELLS) for mask in (city.free, city.reach, *under.values(), factories, *terrain)]


def _city(table: GameTable, seat: int) -> list[int]:
    city: City = table.state.cities[seat]
    won = [race.race for race in city.won]
    score = table.match.result.scores[seat]
    return [city.marker, city.passes, int(city.stopped), city.kiosks, score, *counts(RACES, won)]


def _legacy(table: GameTable, seat: int) -> list[int]:
    state = table.state
    board: Legacy = state.boards[seat] if state.boards else Legacy()
    rewards = state.rewards[seat] if state.rewards else ()
    return [
        board.circles,
        board.nuggets,
        *(board.shafts.get(colour, 0) for colour in SHAFTS),
        *one_hot(CHURCHES, board.church or None),
        *counts(SHAPES, board.gears),
        *counts(PLACED, rewards),
    ]


def _piece(table: GameTable, seat: int) -> Any:
    """The fourth church differs by seat."""
    state = table.state
    return shape_frame(state.card and state.cities[seat].site.shapes.get(state.card.name))


def _due(table: GameTable, seat: int) -> list[int]:
    state = table.state
    rewards = state.rewards[seat] if state.rewards else ()
    return [*one_hot(ASKS, state.asks), *one_hot(PLACED, rewards[0] if rewards else None)]


def _cards(table: GameTable, seat: int) -> list[list[int]]:
    state = table.state
    left = [card.name for card in state.deck]
    return [one_hot(CARDS, state.card and state.card.name), counts(CARDS, left)]


def _table(table: GameTable, seat: int) -> list[int]:
    state = table.state
    races = [race.race for race in state.open_races]
    return [int(state.blocking), *counts(RACES, races), *counts(TRIANGLES, state.triangles)]


def _episode(table: GameTable, seat: int) -> list[int]:
    episode = table.state.setup.episode
    return one_hot(range(len(content().numbers) + 1), 0 if episode is UNSET else episode)


PARTS = (
    ObservationPart("board", (len(PLANES), GRID.height, GRID.width), _board, f"planes: {', '.join(PLANES)}", each=True),
    ObservationPart(
        "city",
        (5 + len(RACES),),
        _city,
        f"marker, passes, stopped, remaining kiosks, present score, races won ({', '.join(RACES)})",
        -MAX_VALUE,
        MAX_VALUE,
        each=True,
    ),
    ObservationPart(
        "legacy",
        (2 + len(SHAFTS) + len(CHURCHES) + len(SHAPES) + len(PLACED),),
        _legacy,
        f"circles, nuggets, boxes of the shafts ({', '.join(SHAFTS)}), fourth church ({', '.join(CHURCHES)}), gears "
        f"({', '.join(SHAPES)}), rewards to place ({', '.join(PLACED)})",
        0,
        MAX_VALUE,
        each=True,
    ),
    ObservationPart("piece", (5, 5), _piece, "the due building in its first orientation"),
    ObservationPart("cards", (2, len(CARDS)), _cards, f"the present card; the remaining cards: {', '.join(CARDS)}"),
    ObservationPart(
        "due",
        (len(ASKS) + len(PLACED),),
        _due,
        f"kind of decision ({', '.join(ASKS)}); reward to place ({', '.join(PLACED)})",
    ),
    ObservationPart(
        "table",
        (1 + len(RACES) + len(TRIANGLES),),
        _table,
        f"whether the next card is blocked; open races; boxes that can no longer be won ({', '.join(TRIANGLES)})",
    ),
    ObservationPart("episode", (len(content().numbers) + 1,), _episode, "the eternal game, or the episode number"),
)
