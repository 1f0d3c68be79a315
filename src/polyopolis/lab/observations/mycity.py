"""What a seat sees in My City."""

from functools import reduce
from operator import or_
from typing import Any, get_args

from msgspec import UNSET

from polyopolis.games.mycity.content import COLOURS, SIGNS, Reward, content
from polyopolis.games.mycity.legacy.rewards import MARKED, triangle
from polyopolis.games.mycity.state import City, Legacy
from polyopolis.lab.action_numbers.mycity import CARDS, CELLS, GRID, SHAPES
from polyopolis.lab.game_table import GameTable
from polyopolis.lab.observations.observation_parts import Part, counts, drawn, one_of, plane

CHURCHES = tuple(next(iter(content().episodes.values())).fourth)
RACES = ("gold", "forest", "stations")
ASKS = ("building", "kiosk", "reward")
PLACED = tuple(reward for reward in get_args(Reward) if reward not in MARKED)
"""Rewards that are placed."""
SHAFTS = content().campaign.shafts
TRIANGLES = tuple(triangle(colour, box) for colour in SHAFTS for box in SHAFTS[colour].rewards if box.triangle)
KINDS = (*COLOURS, "church", "sawmill", "port")
PLANES = ("free", "reach", *KINDS, "factory", *SIGNS.values())
MANY = 999


def _board(table: GameTable, seat: int) -> Any:
    city: City = table.state.cities[seat]
    site = city.site
    standing = [*site.pieces.values(), *city.buildings]
    under = {kind: reduce(or_, [house.at.mask for house in standing if house.card.kind == kind], 0) for kind in KINDS}
    factories = reduce(or_, [house.at.mask for house in city.buildings if house.card.name in site.gears], 0)
    terrain = [site.board.where(sign) for sign in SIGNS]
    return [plane(mask, CELLS) for mask in (city.free, city.reach, *under.values(), factories, *terrain)]


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
        *one_of(CHURCHES, board.church or None),
        *counts(SHAPES, board.gears),
        *counts(PLACED, rewards),
    ]


def _piece(table: GameTable, seat: int) -> Any:
    """As the seat owns it: the fourth church is another one for everybody."""
    state = table.state
    return drawn(state.card and state.cities[seat].site.shapes.get(state.card.name))


def _due(table: GameTable, seat: int) -> list[int]:
    state = table.state
    rewards = state.rewards[seat] if state.rewards else ()
    return [*one_of(ASKS, state.asks), *one_of(PLACED, rewards[0] if rewards else None)]


def _cards(table: GameTable, seat: int) -> list[list[int]]:
    state = table.state
    left = [card.name for card in state.deck]
    return [one_of(CARDS, state.card and state.card.name), counts(CARDS, left)]


def _table(table: GameTable, seat: int) -> list[int]:
    state = table.state
    races = [race.race for race in state.open_races]
    return [int(state.blocking), *counts(RACES, races), *counts(TRIANGLES, state.triangles)]


def _episode(table: GameTable, seat: int) -> list[int]:
    episode = table.state.setup.episode
    return one_of(range(len(content().numbers) + 1), 0 if episode is UNSET else episode)


PARTS = (
    Part("board", (len(PLANES), GRID.height, GRID.width), _board, f"planes: {', '.join(PLANES)}", each=True),
    Part("city", (5 + len(RACES),), _city, f"marker, passes, stopped, kiosks left, score now, races won "
         f"({', '.join(RACES)})", -MANY, MANY, each=True),
    Part("legacy", (2 + len(SHAFTS) + len(CHURCHES) + len(SHAPES) + len(PLACED),), _legacy,
         f"circles, nuggets, boxes of the shafts ({', '.join(SHAFTS)}), fourth church ({', '.join(CHURCHES)}), gears "
         f"({', '.join(SHAPES)}), rewards to place ({', '.join(PLACED)})", 0, MANY, each=True),
    Part("piece", (5, 5), _piece, "the building that is due, in the first of its ways"),
    Part("cards", (2, len(CARDS)), _cards, f"the card that is due; the cards that are left: {', '.join(CARDS)}"),
    Part("due", (len(ASKS) + len(PLACED),), _due, f"what is decided on ({', '.join(ASKS)}); the reward that is placed "
         f"({', '.join(PLACED)})"),
    Part("table", (1 + len(RACES) + len(TRIANGLES),), _table, "whether the next card is blocked; races that are open; "
         f"boxes that nobody can win any more ({', '.join(TRIANGLES)})"),
    Part("episode", (len(content().numbers) + 1,), _episode, "the eternal game, or the number of the episode"),
)  # fmt: skip
