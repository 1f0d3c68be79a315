"""What the episodes before one can have left on a board, counted from the content, and what they cannot (MC-E28)."""

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
class Most:
    """The most that one board can bring, each thing by itself."""

    rewards: Counter[Reward]
    churches: frozenset[str]
    """The fourth ones that its owner can have."""
    shafts: Mapping[Colour, int]
    """The boxes of those that were ticked before."""
    parks: Mask = 0
    """Where parks can have become trees for good."""

    def __or__(self, other: "Most") -> "Most":
        return Most(
            self.rewards | other.rewards,
            self.churches | other.churches,
            dict(Counter(self.shafts) | Counter(other.shafts)),
            self.parks | other.parks,
        )


@cache
def most_before(version: int, number: int, seats: int) -> Most:
    """Before this episode, whichever one the boards were new in."""
    material = content(version)
    episodes = [material.episode(known) for known in material.numbers if known <= number]
    return reduce(or_, [_since(episodes[first:], seats, material) for first in range(len(episodes))])


def _since(episodes: Sequence[Episode], seats: int, material: Content) -> Most:
    """On boards that were new in the first of these episodes, before the last of them is played."""
    alone, played = episodes[0].rules.alone, episodes[:-1]
    shafts = _ticked(played, material.campaign.shafts)
    rewards = Counter[Reward](alone.stickers.values()) + Counter[Reward]({"gear": len(alone.gears)})
    for episode in played:
        rewards += _handed_out(episode, seats)
    for colour, boxes in shafts.items():
        rewards += Counter(box.gives for box in material.campaign.shafts[colour].rewards if box.box <= boxes)
    churches = frozenset([alone.church] if alone.church else [])
    return Most(rewards, churches.union(*(_churches(episode, seats) for episode in played)), shafts, _parks(played))


def _ticked(played: Sequence[Episode], shafts: Mapping[Colour, Shaft]) -> dict[Colour, int]:
    """A box for each building of the colour in each episode that ticks the shaft; a shaft has an end (MC-E25)."""
    ticks: Counter[Colour] = Counter()
    for episode in played:
        for colour in episode.rules.shafts:
            ticks[colour] += _buildings(episode, colour)
    return {colour: min(number, shafts[colour].boxes) for colour, number in ticks.items()}


def _buildings(episode: Episode, colour: Colour) -> int:
    cards = [*episode.cards.values(), *[piece.card for piece in episode.site.pieces.values()]]
    return [card.kind for card in [*cards, *[KIOSK] * episode.rules.kiosks]].count(colour)


def _handed_out(episode: Episode, seats: int) -> Counter[Reward]:
    """What an episode can give to one board: a rank, the circle of the limit, races, and gifts at its start."""
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
    """Empty or rock cells with four neighbours, and forest that has become meadow (MC-E22)."""
    grown = [episode for episode in played if any(counting.line == "parks" for counting in episode.rules.counting)]
    cells = [(known.land.where(".r") | _forest(known)) & known.site.inland for known in grown]
    return reduce(or_, cells, 0)


def _forest(episode: Episode) -> Mask:
    """Where stickers for the forest go (MC-33)."""
    return episode.board.where("#") & ~episode.reserved


# What cannot be.


def check(setup: Setup, episode: Episode) -> None:
    """BadSetup if the boards, or the boxes that the table has won, cannot have come out of earlier episodes."""
    if setup.boards is UNSET and setup.triangles is UNSET:
        return
    if setup.play != "campaign":
        raise BadSetup("only an episode of a campaign has boards and triangles in its setup")
    assert setup.episode is not UNSET
    boards, material = setup.boards or (), content(setup.content)
    most = most_before(setup.content, setup.episode, setup.seats)
    for seat, board in enumerate(boards):
        for wrong in _wrong(board, episode, material, most):
            raise BadSetup(f"the board of seat {seat} cannot be before episode {setup.episode}: {wrong}")
    _check_triangles(setup.triangles or (), boards, material)


def _wrong(board: Legacy, episode: Episode, material: Content, most: Most) -> Iterator[str]:
    """All that cannot be on this board."""
    if min(board.circles, board.nuggets) < 0:
        yield "less than nothing"
    yield from _too_many("circle", board.circles, most)
    yield from _too_many("nugget", board.nuggets, most)
    if board.church is not UNSET and board.church not in most.churches:
        yield f"nobody has taken a church {board.church}"
    for shape in board.gears:
        if f"blue-{shape}" not in material.cards or board.gears.count(shape) > 1:
            yield f"no gear can lie on {shape}"
    yield from _too_many("gear", len(board.gears), most)
    for colour, boxes in board.shafts.items():
        if not 0 <= boxes <= most.shafts.get(colour, -1):
            yield f"the {colour} shaft is not ticked to box {boxes}"
    yield from _wrong_stickers(board, episode, most)


def _too_many(reward: Reward, number: int, most: Most) -> Iterator[str]:
    if number > most.rewards[reward]:
        yield f"it has {number} times {reward}, and {most.rewards[reward]} is the most there can be"


def _wrong_stickers(board: Legacy, episode: Episode, most: Most) -> Iterator[str]:
    """Stickers where none goes (MC-33), or more of them than were given. A tree may also have been a park."""
    grid, cells = episode.board.grid, [*board.stickers]
    if unknown := [cell for cell in cells if cell not in grid]:
        yield f"no {board.stickers[unknown[0]]} can lie on {unknown[0]}"
        return
    squares, forest = episode.squares, _forest(episode)
    if not squares & ~grid.mask(cells):
        squares |= episode.board.where(".") & ~episode.reserved | forest
    room = {"tree": squares | most.parks, "rock": squares, "meadow": forest, "forest-tree": forest}
    for cell, kind in board.stickers.items():
        if not grid.mask([cell]) & room[kind]:
            yield f"no {kind} can lie on {cell}"
    numbers = Counter[Reward](board.stickers.values())
    numbers["meadow"] += sum(bool(grid.mask([cell]) & forest) for cell in cells if board.stickers[cell] in MEADOW_KINDS)
    for kind in STICKERS:
        if kind != "tree" or not most.parks:
            yield from _too_many(kind, numbers[kind], most)


MEADOW_KINDS = ("tree", "rock")
"""They lie on meadow; where the board has forest, a meadow lies below."""


def _check_triangles(won: Sequence[str], boards: Sequence[Legacy], material: Content) -> None:
    """A box with a triangle is won, once, as soon as anybody reaches it (MC-E25)."""
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
            raise BadSetup(f"nobody has reached the triangle {name}")
    for name, reached in boxes.items():
        if reached and name not in won:
            raise BadSetup(f"the triangle {name} is reached and not among those that are won")
