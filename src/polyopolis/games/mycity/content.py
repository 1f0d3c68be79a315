"""The material of My City: buildings, cards, boards and what holds in each episode, read from `content/`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from polyopolis.games.content_loader import ContentError, ContentStruct, board_of, read, require, shape_of
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
    changed,
)
from polyopolis.geometry import Board, Mask, Shape

__all__ = [
    "COLOURS", "NEWEST", "SIGNS", "Building", "Card", "Colour", "Content", "Episode", "Kind", "Site", "content", "load",
]  # fmt: skip

NEWEST = 1

FOURTH = "church-4th"
Printed = Literal["well", "gold", "blue-entrance", "red-entrance", "yellow-entrance", Piece]
Sticker = Literal["tree", "rock", "meadow", "forest-tree"]
"""A tree is one tree, a rock two rocks; the other two lie on forest: empty meadow, and meadow with one tree."""
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
    """Cells that never take a sticker."""


class Counting(ContentStruct, frozen=True):
    """A line of the score sheet at the end, and the points for each of what it counts."""

    line: Literal[
        "parks", "trees", "rocks", "dykes", "groups", "churches", "wells", "factories", "port", "chain", "empty"
    ]  # fmt: skip
    points: int


class AtOnce(ContentStruct, frozen=True):
    """Points at once for a building that does something."""

    line: Literal["investor", "track"]
    points: int


class Race(ContentStruct, frozen=True):
    """A reward at once for those who are the first to do something, and nuggets for who has done it by the end."""

    race: Literal["gold", "forest", "stations"]
    goal: int = 0
    """How many cells of forest, or buildings on the track."""
    points: int = 0
    nuggets: int = 0
    later: int = 0


class Rewards(ContentStruct, frozen=True):
    """What each rank receives in a campaign, in the order in which it is placed."""

    first: tuple[Reward, ...] = ()
    second: tuple[Reward, ...] = ()
    others: tuple[Reward, ...] = ()


class FourthChurch(ContentStruct, frozen=True):
    """The church that each rank takes."""

    first: str
    second: str
    others: str


class Alone(ContentStruct, frozen=True):
    """The board of an episode that is played on its own (MC-E28)."""

    stickers: dict[str, Sticker] = {}
    church: str | None = None
    gears: tuple[str, ...] = ()


class EpisodeFile(ContentStruct, frozen=True):
    """What holds in an episode, or in the eternal game."""

    board: str
    deck: tuple[Kind | Literal["church-4th"], ...]
    marker: int
    counting: tuple[Counting, ...]
    passing: int | None = None
    """What it costs; left out, nobody may pass."""
    chapter: int | None = None
    start: Start = "river"
    forest: bool = False
    flooded: bool = False
    """The left bank is under water."""
    terrain: dict[str, Printed] = {}
    gifts: tuple[Sticker, ...] = ()
    """Stickers on every board at the start."""
    must_build: tuple[Kind, ...] = ()
    only_with_gear: tuple[Colour, ...] = ()
    kiosks: int = 0
    at_once: tuple[AtOnce, ...] = ()
    races: tuple[Race, ...] = ()
    shafts: tuple[Colour, ...] = ()
    """Those that tick at the end."""
    rewards: Rewards = Rewards()
    fourth_church: FourthChurch | None = None
    alone: Alone = Alone()
    limit: int | None = None


class Box(ContentStruct, frozen=True):
    """A box of a shaft with a reward; with a triangle only for those who reach it first."""

    box: int
    gives: Reward
    triangle: bool = False


class Shaft(ContentStruct, frozen=True):
    boxes: int
    rewards: tuple[Box, ...]


class Bonus(ContentStruct, frozen=True):
    """Circles after the last episode for all who have most, or fewest, of something."""

    bonus: Literal["most-nuggets", "most-trees", "fewest-rocks"]
    circles: int


class CampaignFile(ContentStruct, frozen=True):
    shafts: dict[Colour, Shaft]
    final: tuple[Bonus, ...]


@dataclass(frozen=True, eq=False)
class Episode:
    """What holds in an episode, with its cards and its board."""

    rules: EpisodeFile
    cards: Mapping[str, Card]
    """The deck, in the order in which chance counts it."""
    site: Site
    """The board of one who plays this episode on its own."""
    squares: Mask
    """Where stickers go."""
    board: Board
    """As it was printed."""
    reserved: Mask = 0
    fourth: Mapping[str, Shape] = field(default_factory=dict)

    @cached_property
    def land(self) -> Board:
        """The board with what this episode has printed on it."""
        return changed(self.board, {cell: SIGN_OF[name] for cell, name in self.rules.terrain.items()})

    def cleared(self, stickers: Mapping[str, Sticker]) -> Board:
        """A board with its stickers, without buildings and above the water."""
        return _cleared(self.rules, self.board, stickers)

    def site_with(self, stickers: Mapping[str, Sticker], church: str | None, gears: Sequence[str]) -> Site:
        """The board of one who brings this from earlier episodes."""
        brought = Alone(stickers=dict(stickers), church=church, gears=tuple(gears))
        if brought == self.rules.alone:
            return self.site
        return _site(self.rules, self.board, self.cards, self.fourth, brought)


def _site(
    rules: EpisodeFile, board: Board, cards: Mapping[str, Card], fourth: Mapping[str, Shape], brought: Alone
) -> Site:
    land = _cleared(rules, board, brought.stickers)
    if rules.flooded:
        land = changed(land, dict.fromkeys(land.grid.cells(land.banks[0]), SIGN_OF["water"]))
    gears = frozenset(f"blue-{shape}" for shape in brought.gears)
    shapes = {
        card.name: card.shape
        for card in cards.values()
        if card.shape and (card.kind not in rules.only_with_gear or card.name in gears)
    }
    church = brought.church or rules.alone.church
    if FOURTH in cards and church:
        shapes[FOURTH] = fourth[church]
    if rules.kiosks:
        shapes[KIOSK.name] = SQUARE
    return Site(land, shapes, rules.start, rules.forest, gears)


def _cleared(rules: EpisodeFile, board: Board, stickers: Mapping[str, Sticker]) -> Board:
    land = changed(board, {cell: STICKER_SIGNS[kind] for cell, kind in stickers.items()})
    return changed(land, {cell: SIGN_OF[name] for cell, name in rules.terrain.items()})


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
    """All material of one folder; ContentError if anything in it cannot be."""
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
            require(known, f"{name}.toml", "", "no file has this name")
    return Content(version, cards, {name: board for name, (board, *_) in boards.items()}, episodes, campaign)


def _cards(file: Traversable) -> tuple[dict[str, Card], dict[str, Shape]]:
    """One card for each building (MC-1), one for each church and the blocking card (MC-2).

    The card of the fourth church has no shape of its own: each player takes one of several (MC-E4).
    """
    drawn = read(file, BuildingsFile)
    cards = [
        Card(f"{colour}-{name}", colour, shape_of(file.name, f"buildings.{name}", text))
        for colour in COLOURS
        for name, text in drawn.buildings.items()
    ]
    cards += [
        Card(f"church-{name}", "church", shape_of(file.name, f"churches.{name}", text))
        for name, text in drawn.churches.items()
    ]
    cards += [Card("block", "block", None), Card(FOURTH, "church", None)]
    fourth = {
        name: shape_of(file.name, f"fourth_churches.{name}", text) for name, text in drawn.fourth_churches.items()
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


Printable = tuple[Board, Mask, Mask]
"""A board, its squares, and the cells that never take a sticker."""


def _board(file: Traversable) -> Printable:
    drawn = read(file, BoardFile)
    board = board_of(file.name, drawn.drawing, drawn.river, SIGNS)
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
    boards: Mapping[str, Printable],
    cards: Mapping[str, Card],
    fourth: Mapping[str, Shape],
    campaign: CampaignFile,
) -> Episode:
    rules = read(file, EpisodeFile)
    require(rules.board in boards, file.name, "board", f"there is no board {rules.board!r}")
    board, squares, reserved = boards[rules.board]
    _check_words(file.name, rules, campaign)
    _check_terrain(file.name, rules, board, reserved)
    deck = {name: card for name, card in cards.items() if (name if name == FOURTH else card.kind) in rules.deck}
    _check_owned(file.name, rules, cards, fourth)
    site = _site(rules, board, deck, fourth, rules.alone)
    _check_site(file.name, rules, site, squares)
    return Episode(rules, deck, site, squares, board, reserved, fourth)


def _check_words(file: str, rules: EpisodeFile, campaign: CampaignFile) -> None:
    """What can be said of an episode without its board."""
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
    require(rules.kiosks >= 0, file, "kiosks", "nobody has fewer than 0 kiosks")
    for colour in rules.shafts:
        require(colour in campaign.shafts, file, "shafts", f"there is no {colour} shaft")


def _check_once(file: str, key: str, lines: Sequence[str]) -> None:
    require(len(set(lines)) == len(lines), file, key, "a line is named twice")


def _check_terrain(file: str, rules: EpisodeFile, board: Board, reserved: Mask) -> None:
    """Only cells that never take a sticker change, and each building lies on the board once."""
    for cell in rules.terrain:
        require(cell in board.grid, file, f"terrain.{cell}", f"there is no cell {cell}")
        require(bool(board.grid.mask([cell]) & reserved), file, f"terrain.{cell}", f"{cell} may have a sticker")
    for piece in PIECES:
        require(list(rules.terrain.values()).count(piece) < 2, file, "terrain", f"there is one {piece}")


def _check_owned(file: str, rules: EpisodeFile, cards: Mapping[str, Card], fourth: Mapping[str, Shape]) -> None:
    """Churches and gears that exist."""
    ranked = rules.fourth_church
    for shape in [ranked.first, ranked.second, ranked.others] if ranked else []:
        require(shape in fourth, file, "fourth_church", f"there is no fourth church {shape!r}")
    if FOURTH in rules.deck or rules.alone.church is not None:
        require(rules.alone.church in fourth, file, "alone.church", f"there is no fourth church {rules.alone.church!r}")
    for shape in rules.alone.gears:
        require(f"blue-{shape}" in cards, file, "alone.gears", f"there is no blue building {shape!r}")


def _check_site(file: str, rules: EpisodeFile, site: Site, squares: Mask) -> None:
    """The board has all that is asked for."""
    for cell in rules.alone.stickers:
        fits = cell in site.grid and site.grid.mask([cell]) & squares
        require(bool(fits), file, "alone.stickers", f"{cell} is no square for a sticker")
    require(rules.start in ("river", *site.pieces), file, "start", f"there is no {rules.start} on the board")
    for race in rules.races:
        there = {"gold": site.veins, "forest": site.woods and site.forest, "stations": site.track}[race.race]
        require(bool(there), file, "races", f"the board {rules.board!r} has nothing for the race {race.race!r}")
    for line in ("port", "chain"):
        asked = line in [counting.line for counting in rules.counting]
        require(not asked or "port" in site.pieces, file, "counting", f"there is no port for the line {line!r}")
    for colour in rules.shafts:
        require(bool(site.entrances[colour]), file, "shafts", f"there is no {colour} entrance on the board")
