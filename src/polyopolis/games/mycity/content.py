"""Loads the material of My City from `content/`: buildings, cards, boards and the rules of each episode."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from polyopolis.games.content_loader import ContentError, ContentStruct, parse_board, parse_shape, read, require
from polyopolis.games.mycity.building_site import (
    COLOURS,
    KIOSK,
    PIECES,
    SIGN_OF,
    SIGNS,
    SQUARE,
    Building,
    Card,
    Colour,
    Kind,
    Piece,
    Site,
    Start,
    with_signs,
)
from polyopolis.geometry import Board, Mask, Shape

__all__ = [
    "COLOURS", "NEWEST", "SIGNS", "Building", "Card", "Colour", "Content", "Episode", "Kind", "Site", "content", "load",
]  # fmt: skip

NEWEST = 1

FOURTH_CHURCH = "church-4th"
Printed = Literal["well", "gold", "blue-entrance", "red-entrance", "yellow-entrance", Piece]
Sticker = Literal["tree", "rock", "meadow", "forest-tree"]
"""A tree sticker shows one tree, a rock sticker two rocks. The other two go on forest: empty meadow, or one tree."""
Reward = Literal["circle", "nugget", Sticker, "gear"]
STICKER_SIGNS: dict[Sticker, str] = {"tree": "1", "rock": "r", "meadow": ".", "forest-tree": "1"}


class BuildingsFile(ContentStruct, frozen=True):
    buildings: dict[str, str]
    churches: dict[str, str]
    fourth_churches: dict[str, str]


class BoardFile(ContentStruct, frozen=True):
    drawing: str
    river: tuple[tuple[int, int], ...]
    squares: tuple[str, ...] = ()
    reserved: tuple[str, ...] = ()
    """Cells that can never have a sticker."""


class Counting(ContentStruct, frozen=True):
    """A line of the score sheet that is counted at the end, with the points per item."""

    line: Literal[
        "parks", "trees", "rocks", "dykes", "groups", "churches", "wells", "factories", "port", "chain", "empty"
    ]  # fmt: skip
    points: int


class ImmediatePoints(ContentStruct, frozen=True):
    """Points that a building scores at once."""

    line: Literal["investor", "track"]
    points: int


class Race(ContentStruct, frozen=True):
    """A reward for the first seats to reach a goal, and nuggets for seats that reach it by the end."""

    race: Literal["gold", "forest", "stations"]
    goal: int = 0
    """The number of forest cells, or of buildings on the track."""
    points: int = 0
    nuggets: int = 0
    later: int = 0


class Rewards(ContentStruct, frozen=True):
    """The rewards of each rank in a campaign, in the order in which they are placed."""

    first: tuple[Reward, ...] = ()
    second: tuple[Reward, ...] = ()
    others: tuple[Reward, ...] = ()


class FourthChurch(ContentStruct, frozen=True):
    """The shape of the fourth church for each rank."""

    first: str
    second: str
    others: str


class StandaloneBoard(ContentStruct, frozen=True):
    """The additions to the board of an episode that is played on its own (MC-E28)."""

    stickers: dict[str, Sticker] = {}
    church: str | None = None
    gears: tuple[str, ...] = ()


class EpisodeFile(ContentStruct, frozen=True):
    """The rules of an episode, or of the eternal game."""

    board: str
    deck: tuple[Kind | Literal["church-4th"], ...]
    marker: int
    counting: tuple[Counting, ...]
    passing: int | None = None
    """The points of a pass; without it, players may not pass."""
    chapter: int | None = None
    start: Start = "river"
    forest: bool = False
    flooded: bool = False
    """Whether the left bank is under water."""
    terrain: dict[str, Printed] = {}
    gifts: tuple[Sticker, ...] = ()
    """Stickers that every board gets at the start."""
    must_build: tuple[Kind, ...] = ()
    only_with_gear: tuple[Colour, ...] = ()
    kiosks: int = 0
    at_once: tuple[ImmediatePoints, ...] = ()
    races: tuple[Race, ...] = ()
    shafts: tuple[Colour, ...] = ()
    """The shafts that are ticked at the end."""
    rewards: Rewards = Rewards()
    fourth_church: FourthChurch | None = None
    alone: StandaloneBoard = StandaloneBoard()
    limit: int | None = None


class Box(ContentStruct, frozen=True):
    """A box of a shaft with a reward; with a triangle, only the first to reach it receive the reward."""

    box: int
    gives: Reward
    triangle: bool = False


class Shaft(ContentStruct, frozen=True):
    boxes: int
    rewards: tuple[Box, ...]


class Bonus(ContentStruct, frozen=True):
    """Circles after the last episode for all seats with the most, or the fewest, of a kind."""

    bonus: Literal["most-nuggets", "most-trees", "fewest-rocks"]
    circles: int


class CampaignFile(ContentStruct, frozen=True):
    shafts: dict[Colour, Shaft]
    final: tuple[Bonus, ...]


@dataclass(frozen=True, eq=False)
class Episode:
    """The rules of an episode with its cards and its board."""

    rules: EpisodeFile
    cards: Mapping[str, Card]
    """The cards of the deck, in the order of the odds."""
    site: Site
    """The board when the episode is played on its own."""
    squares: Mask
    """The cells marked for stickers."""
    board: Board
    """The printed board."""
    reserved: Mask = 0
    fourth: Mapping[str, Shape] = field(default_factory=dict)

    @cached_property
    def land(self) -> Board:
        """The board with the terrain that this episode adds."""
        return with_signs(self.board, {cell: SIGN_OF[name] for cell, name in self.rules.terrain.items()})

    def cleared(self, stickers: Mapping[str, Sticker]) -> Board:
        """Returns the board with these stickers, without buildings and not flooded."""
        return _cleared(self.rules, self.board, stickers)

    def site_with(self, stickers: Mapping[str, Sticker], church: str | None, gears: Sequence[str]) -> Site:
        """Returns the site of a player with these stickers, fourth church and factories from earlier episodes."""
        additions = StandaloneBoard(stickers=dict(stickers), church=church, gears=tuple(gears))
        if additions == self.rules.alone:
            return self.site
        return _site(self.rules, self.board, self.cards, self.fourth, additions)


def _site(
    rules: EpisodeFile, board: Board, cards: Mapping[str, Card], fourth: Mapping[str, Shape], additions: StandaloneBoard
) -> Site:
    land = _cleared(rules, board, additions.stickers)
    if rules.flooded:
        land = with_signs(land, dict.fromkeys(land.grid.cells(land.banks[0]), SIGN_OF["water"]))
    gears = frozenset(f"blue-{shape}" for shape in additions.gears)
    shapes = {
        card.name: card.shape
        for card in cards.values()
        if card.shape and (card.kind not in rules.only_with_gear or card.name in gears)
    }
    church = additions.church or rules.alone.church
    if FOURTH_CHURCH in cards and church:
        shapes[FOURTH_CHURCH] = fourth[church]
    if rules.kiosks:
        shapes[KIOSK.name] = SQUARE
    return Site(land, shapes, rules.start, rules.forest, gears)


def _cleared(rules: EpisodeFile, board: Board, stickers: Mapping[str, Sticker]) -> Board:
    land = with_signs(board, {cell: STICKER_SIGNS[kind] for cell, kind in stickers.items()})
    return with_signs(land, {cell: SIGN_OF[name] for cell, name in rules.terrain.items()})


@dataclass(frozen=True)
class Content:
    """One version of all material. A released version is never edited."""

    version: int
    cards: Mapping[str, Card]
    boards: Mapping[str, Board]
    episodes: Mapping[str, Episode]
    campaign: CampaignFile

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the episodes."""
        return tuple(int(name.removeprefix("episode-")) for name in self.episodes if name.startswith("episode-"))

    def episode(self, number: int) -> Episode:
        return self.episodes[f"episode-{number:02}"]


def content(version: int = NEWEST) -> Content:
    return _content(version)


@cache
def _content(version: int) -> Content:
    return load(files("polyopolis.games.mycity") / "content" / f"v{version}", version)


def load(folder: Traversable, version: int = NEWEST) -> Content:
    """Loads the material of a folder. Raises `ContentError` if it is invalid."""
    if not folder.is_dir():
        raise ContentError(folder.name, "", "there is no content of this version")
    cards, fourth = _cards(folder / "buildings.toml")
    campaign = _campaign(folder / "campaign.toml")
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    boards = {
        name.removeprefix("board-"): _board(folder / f"{name}.toml") for name in names if name.startswith("board-")
    }
    episodes = {}
    for name in names:
        if name == "eternal" or name.startswith("episode-"):
            episodes[name] = _episode(folder / f"{name}.toml", boards, cards, fourth, campaign)
        else:
            known = name in ("buildings", "campaign") or name.startswith("board-")
            require(known, f"{name}.toml", "", "unknown file")
    return Content(version, cards, {name: board for name, (board, *_) in boards.items()}, episodes, campaign)


def _cards(file: Traversable) -> tuple[dict[str, Card], dict[str, Shape]]:
    """Returns one card for each building (MC-1), one for each church, and the blocking card (MC-2).

    The card of the fourth church has no shape, because each player takes one of several (MC-E4).
    """
    drawn = read(file, BuildingsFile)
    cards = [
        Card(f"{colour}-{name}", colour, parse_shape(file.name, f"buildings.{name}", text))
        for colour in COLOURS
        for name, text in drawn.buildings.items()
    ]
    cards += [
        Card(f"church-{name}", "church", parse_shape(file.name, f"churches.{name}", text))
        for name, text in drawn.churches.items()
    ]
    cards += [Card("block", "block", None), Card(FOURTH_CHURCH, "church", None)]
    fourth = {
        name: parse_shape(file.name, f"fourth_churches.{name}", text) for name, text in drawn.fourth_churches.items()
    }
    require(bool(fourth), file.name, "fourth_churches", "there is no fourth church")
    return {card.name: card for card in cards}, fourth


def _campaign(file: Traversable) -> CampaignFile:
    campaign = read(file, CampaignFile)
    for colour, shaft in campaign.shafts.items():
        numbers = [box.box for box in shaft.rewards]
        rising = numbers == sorted(set(numbers)) and all(0 < number <= shaft.boxes for number in numbers)
        require(rising, file.name, f"shafts.{colour}", f"rewards lie in boxes 1 to {shaft.boxes}, in rising order")
    return campaign


LoadedBoard = tuple[Board, Mask, Mask]
"""A board, its cells marked for stickers, and the cells that can never have one."""


def _board(file: Traversable) -> LoadedBoard:
    drawn = read(file, BoardFile)
    board = parse_board(file.name, drawn.drawing, drawn.river, SIGNS)
    for cell in drawn.squares:
        empty = cell in board.grid and board.grid.mask([cell]) & board.where(".")
        require(bool(empty), file.name, "squares", f"{cell} is not an empty meadow cell")
    require(len(set(drawn.squares)) == len(drawn.squares), file.name, "squares", "a cell is named twice")
    for cell in drawn.reserved:
        require(cell in board.grid, file.name, "reserved", f"there is no cell {cell}")
        require(cell not in drawn.squares, file.name, "reserved", f"{cell} has a square for a sticker")
    return board, board.grid.mask(drawn.squares), board.grid.mask(drawn.reserved)


def _episode(
    file: Traversable,
    boards: Mapping[str, LoadedBoard],
    cards: Mapping[str, Card],
    fourth: Mapping[str, Shape],
    campaign: CampaignFile,
) -> Episode:
    rules = read(file, EpisodeFile)
    require(rules.board in boards, file.name, "board", f"there is no board {rules.board!r}")
    board, squares, reserved = boards[rules.board]
    _check_words(file.name, rules, campaign)
    _check_terrain(file.name, rules, board, reserved)
    deck = {name: card for name, card in cards.items() if (name if name == FOURTH_CHURCH else card.kind) in rules.deck}
    _check_owned(file.name, rules, cards, fourth)
    site = _site(rules, board, deck, fourth, rules.alone)
    _check_site(file.name, rules, site, squares)
    return Episode(rules, deck, site, squares, board, reserved, fourth)


def _check_words(file: str, rules: EpisodeFile, campaign: CampaignFile) -> None:
    """Checks the rules of an episode that do not depend on its board."""
    require(bool(rules.deck), file, "deck", "a deck has at least one kind of card")
    for key, named in (("deck", rules.deck), ("must_build", rules.must_build)):
        require(len(set(named)) == len(named), file, key, "a kind of card is named twice")
    missing = sorted(set(rules.must_build) - set(rules.deck))
    require(not missing, file, "must_build", f"no card of the deck is {missing and missing[0]}")
    _check_once(file, "counting", [counting.line for counting in rules.counting])
    _check_once(file, "at_once", [once.line for once in rules.at_once])
    _check_once(file, "races", [race.race for race in rules.races])
    require(rules.marker >= 0, file, "marker", "the marker starts at 0 or higher")
    require(rules.passing is None or rules.passing <= 0, file, "passing", "passing never gains points")
    require(rules.kiosks >= 0, file, "kiosks", "the number of kiosks is 0 or higher")
    for colour in rules.shafts:
        require(colour in campaign.shafts, file, "shafts", f"there is no {colour} shaft")


def _check_once(file: str, key: str, lines: Sequence[str]) -> None:
    require(len(set(lines)) == len(lines), file, key, "a line is named twice")


def _check_terrain(file: str, rules: EpisodeFile, board: Board, reserved: Mask) -> None:
    """Checks that only cells without stickers change and that each piece is on the board at most once."""
    for cell in rules.terrain:
        require(cell in board.grid, file, f"terrain.{cell}", f"there is no cell {cell}")
        require(bool(board.grid.mask([cell]) & reserved), file, f"terrain.{cell}", f"{cell} may have a sticker")
    for piece in PIECES:
        require(list(rules.terrain.values()).count(piece) < 2, file, "terrain", f"there is one {piece}")


def _check_owned(file: str, rules: EpisodeFile, cards: Mapping[str, Card], fourth: Mapping[str, Shape]) -> None:
    """Checks that churches and gears exist."""
    ranked = rules.fourth_church
    for shape in [ranked.first, ranked.second, ranked.others] if ranked else []:
        require(shape in fourth, file, "fourth_church", f"there is no fourth church {shape!r}")
    if FOURTH_CHURCH in rules.deck or rules.alone.church is not None:
        require(rules.alone.church in fourth, file, "alone.church", f"there is no fourth church {rules.alone.church!r}")
    for shape in rules.alone.gears:
        require(f"blue-{shape}" in cards, file, "alone.gears", f"there is no blue building {shape!r}")


def _check_site(file: str, rules: EpisodeFile, site: Site, squares: Mask) -> None:
    """Checks that the board has the terrain and pieces that the rules refer to."""
    for cell in rules.alone.stickers:
        fits = cell in site.grid and site.grid.mask([cell]) & squares
        require(bool(fits), file, "alone.stickers", f"{cell} is no square for a sticker")
    require(rules.start in ("river", *site.pieces), file, "start", f"there is no {rules.start} on the board")
    for race in rules.races:
        there = {"gold": site.veins, "forest": site.woods and site.forest, "stations": site.track}[race.race]
        require(bool(there), file, "races", f"the board {rules.board!r} has no goal for the race {race.race!r}")
    for line in ("port", "chain"):
        asked = line in [counting.line for counting in rules.counting]
        require(not asked or "port" in site.pieces, file, "counting", f"there is no port for the line {line!r}")
    for colour in rules.shafts:
        require(bool(site.entrances[colour]), file, "shafts", f"there is no {colour} entrance on the board")
