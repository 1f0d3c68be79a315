"""Upper limits of what earlier episodes can have left on a board, from the content; validates setups (MC-E28)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from operator import or_

from msgspec import UNSET

from polyopolis.engine import BadSetup
from polyopolis.games.mycity.building_site import KIOSK
from polyopolis.games.mycity.content import Colour, Content, Episode, Reward, Shaft, content
from polyopolis.games.mycity.legacy.rewards import STICKERS, rank_name, triangle
from polyopolis.games.mycity.state import Legacy, Setup
from polyopolis.geometry import Mask


@dataclass(frozen=True)
class CarryoverLimits:
    """The maximum that one board can have of each kind, independently of the others."""

    rewards: Counter[Reward]
    churches: frozenset[str]
    """The fourth churches that the player can have."""
    shafts: Mapping[Colour, int]
    """The number of ticked boxes of each shaft that was ticked before."""
    parks: Mask = 0
    """The cells where parks can have become trees."""

    def __or__(self, other: "CarryoverLimits") -> "CarryoverLimits":
        return CarryoverLimits(
            self.rewards | other.rewards,
            self.churches | other.churches,
            dict(Counter(self.shafts) | Counter(other.shafts)),
            self.parks | other.parks,
        )


@cache
def limits_before(version: int, number: int, seats: int) -> CarryoverLimits:
    """Returns the limits before an episode for boards that were new in any earlier one."""
    material = content(version)
    episodes = [material.episode(known) for known in material.numbers if known <= number]
    return reduce(or_, [_since(episodes[first:], seats, material) for first in range(len(episodes))])


def _since(episodes: Sequence[Episode], seats: int, material: Content) -> CarryoverLimits:
    """Returns the limits before the last of these episodes for boards that were new in the first."""
    alone, played = episodes[0].rules.alone, episodes[:-1]
    shafts = _ticked(played, material.campaign.shafts)
    rewards = Counter[Reward](alone.stickers.values()) + Counter[Reward]({"gear": len(alone.gears)})
    for episode in played:
        rewards += _handed_out(episode, seats)
    for colour, boxes in shafts.items():
        rewards += Counter(box.gives for box in material.campaign.shafts[colour].rewards if box.box <= boxes)
    churches = frozenset([alone.church] if alone.church else [])
    return CarryoverLimits(
        rewards, churches.union(*(_churches(episode, seats) for episode in played)), shafts, _parks(played)
    )


def _ticked(played: Sequence[Episode], shafts: Mapping[Colour, Shaft]) -> dict[Colour, int]:
    """Counts a box for each building of the colour in each episode that ticks the shaft, up to its end (MC-E25)."""
    ticks: Counter[Colour] = Counter()
    for episode in played:
        for colour in episode.rules.shafts:
            ticks[colour] += _buildings(episode, colour)
    return {colour: min(number, shafts[colour].boxes) for colour, number in ticks.items()}


def _buildings(episode: Episode, colour: Colour) -> int:
    cards = [*episode.cards.values(), *[piece.card for piece in episode.site.pieces.values()]]
    return [card.kind for card in [*cards, *[KIOSK] * episode.rules.kiosks]].count(colour)


def _handed_out(episode: Episode, seats: int) -> Counter[Reward]:
    """Counts what an episode can give to one board: for rank, limit and races, and the stickers at its start."""
    rules = episode.rules
    ranks: list[tuple[Reward, ...]] = [getattr(rules.rewards, name) for name in _ranks(seats)]
    ranked = reduce(or_, [Counter[Reward](rewards) for rewards in ranks])
    nuggets = sum(max(race.nuggets, race.later) for race in rules.races)
    marked = Counter[Reward]({"circle": int(rules.limit is not None), "nugget": nuggets})
    return ranked + marked + Counter[Reward](rules.gifts)


def _churches(episode: Episode, seats: int) -> set[str]:
    table = episode.rules.fourth_church
    return {getattr(table, name) for name in _ranks(seats)} if table else set()


def _ranks(seats: int) -> list[str]:
    return [rank_name(rank, seats) for rank in range(1, seats + 1)]


def _parks(played: Sequence[Episode]) -> Mask:
    """Returns inner cells that are empty, rock, or forest that may have become meadow (MC-E22)."""
    grown = [episode for episode in played if any(counting.line == "parks" for counting in episode.rules.counting)]
    cells = [(known.land.where(".r") | _forest(known)) & known.site.inland for known in grown]
    return reduce(or_, cells, 0)


def _forest(episode: Episode) -> Mask:
    """Returns the cells for stickers that go on forest (MC-33)."""
    return episode.board.where("#") & ~episode.reserved


# Validation of setups.


def check_carryover(setup: Setup, episode: Episode) -> None:
    """Raises `BadSetup` if the boards or triangles of a setup cannot be the result of earlier episodes."""
    if setup.boards is UNSET and setup.triangles is UNSET:
        return
    if setup.play != "campaign":
        raise BadSetup("only an episode of a campaign has boards and triangles in its setup")
    assert setup.episode is not UNSET
    boards, material = setup.boards or (), content(setup.content)
    limits = limits_before(setup.content, setup.episode, setup.seats)
    for seat, board in enumerate(boards):
        for wrong in _wrong(board, episode, material, limits):
            raise BadSetup(f"the board of seat {seat} cannot be before episode {setup.episode}: {wrong}")
    _check_triangles(setup.triangles or (), boards, material)


def _wrong(board: Legacy, episode: Episode, material: Content, limits: CarryoverLimits) -> Iterator[str]:
    """Yields what is impossible on this board."""
    if min(board.circles, board.nuggets) < 0:
        yield "it has fewer than 0 circles or nuggets"
    yield from _too_many("circle", board.circles, limits)
    yield from _too_many("nugget", board.nuggets, limits)
    if board.church is not UNSET and board.church not in limits.churches:
        yield f"no player can have the church {board.church}"
    for shape in board.gears:
        if f"blue-{shape}" not in material.cards or board.gears.count(shape) > 1:
            yield f"no gear can lie on {shape}"
    yield from _too_many("gear", len(board.gears), limits)
    for colour, boxes in board.shafts.items():
        if not 0 <= boxes <= limits.shafts.get(colour, -1):
            yield f"the {colour} shaft is not ticked to box {boxes}"
    yield from _wrong_stickers(board, episode, limits)


def _too_many(reward: Reward, number: int, limits: CarryoverLimits) -> Iterator[str]:
    if number > limits.rewards[reward]:
        yield f"it has {number} times {reward}; the maximum is {limits.rewards[reward]}"


def _wrong_stickers(board: Legacy, episode: Episode, limits: CarryoverLimits) -> Iterator[str]:
    """Yields stickers on wrong cells (MC-33), or more of them than possible. A tree may also have been a park."""
    grid, cells = episode.board.grid, [*board.stickers]
    if unknown := [cell for cell in cells if cell not in grid]:
        yield f"no {board.stickers[unknown[0]]} can lie on {unknown[0]}"
        return
    squares, forest = episode.squares, _forest(episode)
    if not squares & ~grid.mask(cells):
        squares |= episode.board.where(".") & ~episode.reserved | forest
    room = {"tree": squares | limits.parks, "rock": squares, "meadow": forest, "forest-tree": forest}
    for cell, kind in board.stickers.items():
        if not grid.mask([cell]) & room[kind]:
            yield f"no {kind} can lie on {cell}"
    numbers = Counter[Reward](board.stickers.values())
    numbers["meadow"] += sum(bool(grid.mask([cell]) & forest) for cell in cells if board.stickers[cell] in MEADOW_KINDS)
    for kind in STICKERS:
        if kind != "tree" or not limits.parks:
            yield from _too_many(kind, numbers[kind], limits)


MEADOW_KINDS = ("tree", "rock")
"""Stickers that go on meadow; on a forest cell they lie on a meadow sticker."""


def _check_triangles(won: Sequence[str], boards: Sequence[Legacy], material: Content) -> None:
    """Checks that exactly the boxes with triangles that a player has reached are won, each once (MC-E25)."""
    boxes = {
        triangle(colour, box): max((board.shafts.get(colour, 0) for board in boards), default=0) >= box.box
        for colour, shaft in material.campaign.shafts.items()
        for box in shaft.rewards
        if box.triangle
    }
    for name in won:
        if name not in boxes:
            raise BadSetup(f"no shaft has a triangle {name}")
        if won.count(name) > 1:
            raise BadSetup(f"the triangle {name} is won twice")
        if not boxes[name]:
            raise BadSetup(f"no player has reached the triangle {name}")
    for name, reached in boxes.items():
        if reached and name not in won:
            raise BadSetup(f"a player has reached the triangle {name}, but it is not among those won")
