"""The view of an episode's rules: goals, races, score lines, rewards by rank (MC-32)."""

from collections.abc import Iterable
from typing import get_args

from msgspec import Struct

from polyopolis.engine import IdentityCache
from polyopolis.games.mycity.appearance import Ground, ground_of
from polyopolis.games.mycity.building_site import MEADOW, ROCKS, SIGN_OF, TREES
from polyopolis.games.mycity.content import (
    STICKER_SIGNS,
    Colour,
    Episode,
    EpisodeFile,
    FourthChurch,
    Kind,
    Race,
    Reward,
    Shaft,
    content,
)
from polyopolis.games.mycity.legacy.rewards import STICKERS, Rank, rank_name, triangle


class RaceView(Struct, frozen=True):
    """The goal of a race, the points and nuggets of its winners, and the nuggets for reaching the goal later."""

    goal: int
    points: int
    nuggets: int
    later: int


class BoxView(Struct, frozen=True):
    """A box of a shaft with a reward; with a triangle, only the first to reach it receive the reward."""

    box: int
    gives: Reward
    triangle: bool
    won: bool
    """Whether the triangle was reached in an earlier episode."""


class ShaftView(Struct, frozen=True):
    colour: Colour
    boxes: int
    rewards: tuple[BoxView, ...]


class ChurchView(Struct, frozen=True):
    name: str
    shape: str
    """A drawing."""


class RankView(Struct, frozen=True):
    """The rewards of a rank."""

    rank: Rank
    rewards: tuple[Reward, ...]
    church: ChurchView | None
    """The fourth church of this rank."""


class EpisodeView(Struct, frozen=True):
    """The rules of an episode (MC-32)."""

    chapter: int | None
    start: str
    marker: int
    limit: int | None
    passing: int | None
    must_build: tuple[Kind, ...]
    """The kinds of cards that players may not pass."""
    forest: bool
    """Whether forest may be built on."""
    kiosks: int
    at_once: dict[str, int]
    races: dict[str, RaceView]
    counting: dict[str, int]
    in_sight: dict[str, dict[Ground, int]]
    """The points of a cell by ground, for each line that counts cells without a building."""
    ranks: tuple[RankView, ...]
    """The ranks that exist with this number of cities."""
    stickers: dict[str, Ground]
    """The ground that each sticker that can be won makes of its cell."""
    shafts: tuple[ShaftView, ...]
    """The shafts that are ticked at the end."""


@IdentityCache
def episode_view(episode: Episode, seats: int, version: int, triangles: tuple[str, ...]) -> EpisodeView:
    """Returns the view of an episode for a number of seats. `triangles` are those won in earlier episodes."""
    rules = episode.rules
    shafts = {colour: content(version).campaign.shafts[colour] for colour in rules.shafts}
    return EpisodeView(
        chapter=rules.chapter,
        start=rules.start,
        marker=rules.marker,
        limit=rules.limit,
        passing=rules.passing,
        must_build=rules.must_build,
        forest=rules.forest,
        kiosks=rules.kiosks,
        at_once={once.line: once.points for once in rules.at_once},
        races={race.race: _race(episode, race) for race in rules.races},
        counting={counting.line: counting.points for counting in rules.counting},
        in_sight=_in_sight(rules),
        ranks=_ranks(episode, seats),
        stickers={kind: ground_of(STICKER_SIGNS[kind]) for kind in STICKERS if kind in _given(rules, shafts.values())},
        shafts=tuple(_shaft(colour, shaft, triangles) for colour, shaft in shafts.items()),
    )


def _in_sight(rules: EpisodeFile) -> dict[str, dict[Ground, int]]:
    """A cell counts once for each of its trees or rocks (MC-14, MC-15); other cells count once (MC-16, MC-E8)."""
    cells = {"trees": TREES, "rocks": ROCKS, "dykes": dict.fromkeys(MEADOW, 1), "empty": {SIGN_OF["empty"]: 1}}
    return {
        counting.line: {ground_of(sign): each * counting.points for sign, each in cells[counting.line].items()}
        for counting in rules.counting
        if counting.line in cells
    }


def _ranks(episode: Episode, seats: int) -> tuple[RankView, ...]:
    """Two cities have no second rank (MC-20)."""
    rules = episode.rules
    ranks = dict.fromkeys(rank_name(rank, seats) for rank in range(1, len(get_args(Rank)) + 1))
    church = rules.fourth_church
    return tuple(
        RankView(rank, getattr(rules.rewards, rank), _church(episode, church, rank) if church else None)
        for rank in ranks
    )


def _church(episode: Episode, table: FourthChurch, rank: Rank) -> ChurchView:
    name: str = getattr(table, rank)
    return ChurchView(name, str(episode.fourth[name]))


def _given(rules: EpisodeFile, shafts: Iterable[Shaft]) -> set[Reward]:
    """Returns the rewards that can be won, by rank or in the shafts."""
    ranked = (*rules.rewards.first, *rules.rewards.second, *rules.rewards.others)
    return {*ranked, *(box.gives for shaft in shafts for box in shaft.rewards)}


def _race(episode: Episode, race: Race) -> RaceView:
    """The goal of the gold race is all veins of the board."""
    goal = race.goal or episode.site.veins.bit_count()
    return RaceView(goal, race.points, race.nuggets, race.later)


def _shaft(colour: Colour, shaft: Shaft, triangles: tuple[str, ...]) -> ShaftView:
    boxes = (BoxView(box.box, box.gives, box.triangle, triangle(colour, box) in triangles) for box in shaft.rewards)
    return ShaftView(colour, shaft.boxes, tuple(boxes))
