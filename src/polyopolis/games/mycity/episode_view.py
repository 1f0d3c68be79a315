"""The table of an episode, as a screen shows it: what holds, what scores, what the ranks receive (MC-32)."""

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
    """How much wins it, what is given at once for being first, and how many nuggets for doing it later."""

    goal: int
    points: int
    nuggets: int
    later: int


class BoxView(Struct, frozen=True):
    """A box of a shaft with a reward; with a triangle only for those who reach it first."""

    box: int
    gives: Reward
    triangle: bool
    won: bool
    """The triangle was reached in an earlier episode."""


class ShaftView(Struct, frozen=True):
    colour: Colour
    boxes: int
    rewards: tuple[BoxView, ...]


class ChurchView(Struct, frozen=True):
    name: str
    shape: str
    """Drawn."""


class RankView(Struct, frozen=True):
    """What a rank receives."""

    rank: Rank
    rewards: tuple[Reward, ...]
    church: ChurchView | None
    """The fourth church that it takes."""


class EpisodeView(Struct, frozen=True):
    """The table of an episode: what scores, and what the ranks receive (MC-32)."""

    chapter: int | None
    start: str
    marker: int
    limit: int | None
    passing: int | None
    must_build: tuple[Kind, ...]
    """The kinds of cards that nobody passes on."""
    forest: bool
    """It may be built on."""
    kiosks: int
    at_once: dict[str, int]
    races: dict[str, RaceView]
    counting: dict[str, int]
    in_sight: dict[str, dict[Ground, int]]
    """Of the lines that count cells without a building: what a cell of a ground brings or costs."""
    ranks: tuple[RankView, ...]
    """Those that there are among so many cities."""
    stickers: dict[str, Ground]
    """What the stickers that can be won make of their cells."""
    shafts: tuple[ShaftView, ...]
    """Those that tick at the end."""


@IdentityCache
def episode_view(episode: Episode, seats: int, version: int, triangles: tuple[str, ...]) -> EpisodeView:
    """Among so many cities, with this version of the content and without the triangles that were won already."""
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
    """A cell of trees or rocks counts for each of them (MC-14, MC-15), others for themselves (MC-16, MC-E8)."""
    cells = {"trees": TREES, "rocks": ROCKS, "dykes": dict.fromkeys(MEADOW, 1), "empty": {SIGN_OF["empty"]: 1}}
    return {
        counting.line: {ground_of(sign): each * counting.points for sign, each in cells[counting.line].items()}
        for counting in rules.counting
        if counting.line in cells
    }


def _ranks(episode: Episode, seats: int) -> tuple[RankView, ...]:
    """Of two cities none is second (MC-20)."""
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
    """All that can be won, by rank or in the shafts."""
    ranked = (*rules.rewards.first, *rules.rewards.second, *rules.rewards.others)
    return {*ranked, *(box.gives for shaft in shafts for box in shaft.rewards)}


def _race(episode: Episode, race: Race) -> RaceView:
    """The goal of the gold is all veins that there are."""
    goal = race.goal or episode.site.veins.bit_count()
    return RaceView(goal, race.points, race.nuggets, race.later)


def _shaft(colour: Colour, shaft: Shaft, triangles: tuple[str, ...]) -> ShaftView:
    boxes = (BoxView(box.box, box.gives, box.triangle, triangle(colour, box) in triangles) for box in shaft.rewards)
    return ShaftView(colour, shaft.boxes, tuple(boxes))
