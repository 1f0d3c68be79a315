"""Rewards at the end of a campaign episode and where they may be placed (MC-32, MC-33, MC-E27)."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from msgspec.structs import replace

from polyopolis.engine import Reason, Tagged
from polyopolis.games.mycity.actions import (
    Action,
    Gear,
    Geared,
    Lost,
    Planted,
    Received,
    Sticker,
    Stuck,
    Ticked,
    TookChurch,
)
from polyopolis.games.mycity.content import Box, Colour, Episode, Race, Reward, content
from polyopolis.games.mycity.content import Sticker as Kind
from polyopolis.games.mycity.scoring import RACES, park_cells, reached_limit, scores, ticking_buildings
from polyopolis.games.mycity.state import City, Legacy, State
from polyopolis.geometry import Mask

Events = tuple[Tagged, ...]
STICKERS: tuple[Kind, ...] = get_args(Kind)
MARKED_REWARDS = ("circle", "nugget")
"""Rewards that are marked at once; all others are placed."""


Rank = Literal["first", "second", "others"]


def rank_name(rank: int, seats: int) -> Rank:
    """Returns the name of a rank. With two players, the one who is not first is one of the others (MC-20)."""
    return "first" if rank == 1 else "second" if rank == 2 and seats > 2 else "others"


def rewards_by_rank(state: State) -> list[tuple[Reward, ...]]:
    """Returns the rewards of each seat: those of its rank, and a circle if it has reached the limit (MC-17, MC-32)."""
    result, table = scores(state), state.episode.rules.rewards
    ranked: list[tuple[Reward, ...]] = [getattr(table, rank_name(rank, state.setup.seats)) for rank in result.ranks]
    return [
        (*rewards, "circle") if reached_limit(sheet) else rewards
        for rewards, sheet in zip(ranked, result.sheets, strict=True)
    ]


def hand_out(state: State) -> tuple[State, Events]:
    """Ends an episode: parks become trees, ranks and late racers are rewarded, churches taken, shafts ticked."""
    events: Events = ()
    for step in (_plant, _reward, _take_churches, _tick):
        state, new_events = step(state)
        events += new_events
    return state, events


def _plant(state: State) -> tuple[State, Events]:
    """Parks become trees permanently (MC-E22)."""
    if all(counting.line != "parks" for counting in state.episode.rules.counting):
        return state, ()
    boards, events = list(state.boards), list[Tagged]()
    for seat, city in enumerate(state.cities):
        if cells := city.site.grid.cells(park_cells(city)):
            boards[seat] = with_stickers(state.episode, boards[seat], dict.fromkeys(cells, "tree"))
            events.append(Planted(seat, cells))
    return replace(state, boards=tuple(boards)), tuple(events)


def with_stickers(episode: Episode, board: Legacy, stickers: dict[str, Kind]) -> Legacy:
    """Returns the board with more stickers, sorted in reading order."""
    found = board.stickers | stickers
    order = episode.board.grid.cells(episode.board.grid.mask(found))
    return replace(board, stickers={cell: found[cell] for cell in order})


def _reward(state: State) -> tuple[State, Events]:
    rewards = rewards_by_rank(state)
    return give_rewards(state, [(*own, *_late(state, city)) for own, city in zip(rewards, state.cities, strict=True)])


def _late(state: State, city: City) -> list[Reward]:
    """Returns nuggets for goals that the city has reached by the end without winning the race (MC-E10)."""
    return [
        "nugget"
        for race in state.episode.rules.races
        for _ in range(race.later)
        if race not in city.won and RACES[race.race](city, race)
    ]


def race_nuggets(race: Race, winners: Sequence[int], seats: int) -> list[list[Reward]]:
    """Returns the nuggets that each seat receives when a race is won."""
    return [["nugget"] * race.nuggets if seat in winners else [] for seat in range(seats)]


def give_rewards(state: State, rewards: Sequence[Iterable[Reward]]) -> tuple[State, Events]:
    """Marks circles and nuggets at once and appends other rewards to those that the seats must place."""
    counts = [Counter(own) for own in rewards]
    events = [
        Received(seat, reward, number)
        for seat, own in enumerate(counts)
        for reward in MARKED_REWARDS
        if (number := own[reward])  # type: ignore[index]
    ]
    boards = tuple(
        replace(board, circles=board.circles + own["circle"], nuggets=board.nuggets + own["nugget"])
        for board, own in zip(state.boards, counts, strict=True)
    )
    before = state.rewards or ((),) * len(boards)
    kept = tuple(
        (*old, *(reward for reward in new if reward not in MARKED_REWARDS))
        for old, new in zip(before, rewards, strict=True)
    )
    return replace(state, boards=boards, rewards=kept), tuple(events)


def _take_churches(state: State) -> tuple[State, Events]:
    """Each player takes a fourth church by rank (MC-E4)."""
    table = state.episode.rules.fourth_church
    if not table:
        return state, ()
    churches: list[str] = [getattr(table, rank_name(rank, state.setup.seats)) for rank in scores(state).ranks]
    boards = tuple(replace(board, church=church) for board, church in zip(state.boards, churches, strict=True))
    return replace(state, boards=boards), tuple(TookChurch(seat, church) for seat, church in enumerate(churches))


def _tick(state: State) -> tuple[State, Events]:
    """Shafts are ticked after the ranking (MC-E16, MC-E25)."""
    events: Events = ()
    for colour in state.episode.rules.shafts:
        state, new_events = _tick_shaft(state, colour)
        events += new_events
    return state, events


def _tick_shaft(state: State, colour: Colour) -> tuple[State, Events]:
    shaft = content(state.setup.content).campaign.shafts[colour]
    before = [board.shafts.get(colour, 0) for board in state.boards]
    numbers = [len(ticking_buildings(city, colour)) for city in state.cities]
    after = [min(old + number, shaft.boxes) for old, number in zip(before, numbers, strict=True)]
    reached = [
        [box for box in shaft.rewards if old < box.box <= new and triangle(colour, box) not in state.triangles]
        for old, new in zip(before, after, strict=True)
    ]
    boards = tuple(
        replace(board, shafts={**board.shafts, colour: new}) for board, new in zip(state.boards, after, strict=True)
    )
    won = {triangle(colour, box): None for own in reached for box in own if box.triangle}
    state = replace(state, boards=boards, triangles=(*state.triangles, *won))
    ticked = tuple(Ticked(seat, colour, number, after[seat]) for seat, number in enumerate(numbers) if number)
    state, new_events = give_rewards(state, [[box.gives for box in own] for own in reached])
    return state, ticked + new_events


def triangle(colour: Colour, box: Box) -> str:
    return f"{colour}-{box.box}"


# Placing rewards.


def is_permanent(state: State) -> bool:
    """Returns whether the decision is permanent: the place of a sticker or gear (MC-33, MC-E27)."""
    return state.asks == "reward" and bool(state.acting)


def sticker_cells(episode: Episode, board: Legacy, kind: Kind) -> Mask:
    """Returns the cells for a sticker: forest for some kinds, else marked cells, else any empty meadow (MC-33)."""
    grid, land = episode.board.grid, episode.land
    stuck = grid.mask(board.stickers)
    if kind in ("meadow", "forest-tree"):
        return land.where("#") & ~stuck & ~episode.reserved
    cleared = grid.mask(cell for cell, sticker in board.stickers.items() if sticker == "meadow")
    empty = (land.where(".") & ~stuck | cleared) & ~episode.reserved
    return empty & episode.squares or empty


def gear_shapes(state: State, board: Legacy) -> list[str]:
    """Returns the blue buildings without a gear; each can have one (MC-E27)."""
    blue = [card.name.removeprefix("blue-") for card in state.episode.cards.values() if card.kind == "blue"]
    return [shape for shape in blue if shape not in board.gears]


def reward_actions(state: State, seat: int) -> list[Action]:
    """Returns all ways to place the next reward of a seat."""
    board, reward = state.boards[seat], state.rewards[seat][0]
    if reward in STICKERS:
        cells = state.episode.board.grid.cells(sticker_cells(state.episode, board, reward))
        return [Sticker(reward, cell) for cell in cells]
    return [Gear(shape) for shape in gear_shapes(state, board)]


def why_not_place_reward(state: State, seat: int, action: Action) -> Reason | None:
    """Returns why a seat may not place its next reward like this; None if it may."""
    reward = state.rewards[seat][0]
    match action:
        case Sticker(kind, cell) if kind == reward:
            return None if action in reward_actions(state, seat) else Reason("no-sticker-here", {"cells": (cell,)})
        case Gear(shape) if reward == "gear":
            return None if action in reward_actions(state, seat) else Reason("no-gear-there", {"shape": shape})
    return Reason("another-reward", {"reward": reward})


def place_reward(state: State, seat: int, action: Sticker | Gear) -> tuple[State, Tagged]:
    """Returns the state after the next reward of a seat is placed."""
    board, event = _put(state, seat, action)
    boards = (*state.boards[:seat], board, *state.boards[seat + 1 :])
    rewards = (*state.rewards[:seat], state.rewards[seat][1:], *state.rewards[seat + 1 :])
    return replace(state, boards=boards, rewards=rewards), event


def _put(state: State, seat: int, action: Sticker | Gear) -> tuple[Legacy, Tagged]:
    board = state.boards[seat]
    if isinstance(action, Gear):
        return replace(board, gears=(*board.gears, action.shape)), Geared(seat, f"blue-{action.shape}")
    kind: Kind = next(known for known in STICKERS if known == action.kind)
    return with_stickers(state.episode, board, {action.cell: kind}), Stuck(seat, kind, action.cells)


def drop_unplaceable_rewards(state: State) -> tuple[State, Events]:
    """Rewards that cannot be placed are lost (MC-33, MC-E27)."""
    rewards, events = list(state.rewards), list[Tagged]()
    for seat in range(len(rewards)):
        while rewards[seat] and not reward_actions(replace(state, rewards=tuple(rewards)), seat):
            events.append(Lost(seat, rewards[seat][0]))
            rewards[seat] = rewards[seat][1:]
    return replace(state, rewards=tuple(rewards)), tuple(events)
