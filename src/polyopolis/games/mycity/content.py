"""The material of My City: buildings, cards, boards and what holds in each episode, read from `content/`."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal, get_args

from polyopolis.games.building import Place, Places
from polyopolis.games.loading import ContentError, Entry, board_of, read, require, shape_of
from polyopolis.games.mycity.actions import Reveal
from polyopolis.geometry import Board, Mask, Placements, Shape, bits

NEWEST = 1

SIGNS = {".": "empty", "2": "trees", "r": "rocks", "g": "gold", "W": "well", "^": "mountain", "#": "forest"}
MEADOW = ".2rgW"
TREES = {"2": 2}
ROCKS = {"r": 2}
"""How many of them a sign stands for."""

Colour = Literal["yellow", "red", "blue"]
"""Residential, public, industrial."""
Kind = Literal[Colour, "church", "block"]
COLOURS: tuple[Colour, ...] = get_args(Colour)


class BuildingsFile(Entry, frozen=True):
    buildings: dict[str, str]
    churches: dict[str, str]


class BoardFile(Entry, frozen=True):
    drawing: str
    river: tuple[tuple[int, int], ...]
    squares: tuple[str, ...] = ()


class Counting(Entry, frozen=True):
    """A line of the score sheet at the end, and the points for each of what it counts."""

    line: Literal["trees", "rocks", "groups", "churches", "wells", "empty"]
    points: int


class Race(Entry, frozen=True):
    """Points at once for those who are the first to do something."""

    race: Literal["gold"]
    points: int


class Circles(Entry, frozen=True):
    """Progress circles by rank."""

    first: int
    second: int


class EpisodeFile(Entry, frozen=True):
    """What holds in an episode, or in the eternal game."""

    board: str
    deck: tuple[Kind, ...]
    marker: int
    passing: int
    counting: tuple[Counting, ...]
    must_build: tuple[Kind, ...] = ()
    races: tuple[Race, ...] = ()
    circles: Circles = Circles(first=0, second=0)
    limit: int | None = None


@dataclass(frozen=True, eq=False)
class Card:
    """A construction card, named like `yellow-i4`; the blocking card has no shape."""

    name: str
    kind: Kind
    shape: Shape | None

    @cached_property
    def odds(self) -> tuple[Reveal, int]:
        """Its part in the odds of the next card."""
        return Reveal(self.name), 1


class Site:
    """A board ready to be built on: its terrain as masks, and every place for every building."""

    def __init__(self, board: Board, cards: Iterable[Card]) -> None:
        self.board = board
        self.grid = board.grid
        self.ground: Mask = board.where(MEADOW)
        self.empty: Mask = board.where(".")
        self.trees = tuple((board.where(sign), each) for sign, each in TREES.items())
        self.rocks = tuple((board.where(sign), each) for sign, each in ROCKS.items())
        self.veins: Mask = board.where("g")
        self.wells = tuple((well, board.grid.neighbours(well)) for well in bits(board.where("W")))
        self.placements = self._placements(cards)

    def _placements(self, cards: Iterable[Card]) -> Mapping[str, Places]:
        by_shape: dict[Shape, Places] = {}
        by_card = {}
        for card in cards:
            if card.shape and card.shape not in by_shape:
                by_shape[card.shape] = Placements(self.board, self.ground, card.shape.rotations(), Place)
            if card.shape:
                by_card[card.name] = by_shape[card.shape]
        return by_card


@dataclass(frozen=True)
class Episode:
    """What holds in an episode, with its cards and its board."""

    rules: EpisodeFile
    cards: Mapping[str, Card]
    """The deck, in the order in which chance counts it."""
    site: Site
    squares: Mask
    """Where stickers go."""


@dataclass(frozen=True)
class Content:
    """One version of all material. A released version is never edited."""

    version: int
    cards: Mapping[str, Card]
    boards: Mapping[str, Board]
    episodes: Mapping[str, Episode]

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the episodes."""
        return tuple(int(name.removeprefix("episode-")) for name in self.episodes if name.startswith("episode-"))


def content(version: int = NEWEST) -> Content:
    return _content(version)


@cache
def _content(version: int) -> Content:
    return load(files("polyopolis.games.mycity") / "content" / f"v{version}", version)


def load(folder: Traversable, version: int = NEWEST) -> Content:
    """All material of one folder; ContentError if anything in it cannot be."""
    if not folder.is_dir():
        raise ContentError(folder.name, "", "there is no content of this version")
    cards = _cards(folder / "buildings.toml")
    names = sorted(file.name.removesuffix(".toml") for file in folder.iterdir() if file.name.endswith(".toml"))
    boards, squares = {}, {}
    for name in names:
        if name.startswith("board-"):
            short = name.removeprefix("board-")
            boards[short], squares[short] = _board(folder / f"{name}.toml")
    episodes = {}
    for name in names:
        if name == "eternal" or name.startswith("episode-"):
            rules = _rules(folder / f"{name}.toml", boards)
            deck = {card.name: card for card in cards.values() if card.kind in rules.deck}
            site = Site(boards[rules.board], deck.values())
            episodes[name] = Episode(rules, deck, site, squares[rules.board])
        else:
            require(name == "buildings" or name.startswith("board-"), f"{name}.toml", "", "no file has this name")
    return Content(version, cards, boards, episodes)


def _cards(file: Traversable) -> dict[str, Card]:
    """One card for each building (MC-1), one for each church and the blocking card (MC-2)."""
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
    cards.append(Card("block", "block", None))
    return {card.name: card for card in cards}


def _board(file: Traversable) -> tuple[Board, Mask]:
    drawn = read(file, BoardFile)
    board = board_of(file.name, drawn.drawing, drawn.river, SIGNS)
    for cell in drawn.squares:
        empty = cell in board.grid and board.grid.mask([cell]) & board.where(".")
        require(bool(empty), file.name, "squares", f"{cell} is not an empty meadow cell")
    require(len(set(drawn.squares)) == len(drawn.squares), file.name, "squares", "a cell is named twice")
    return board, board.grid.mask(drawn.squares)


def _rules(file: Traversable, boards: Mapping[str, Board]) -> EpisodeFile:
    rules = read(file, EpisodeFile)
    require(rules.board in boards, file.name, "board", f"there is no board {rules.board!r}")
    require(bool(rules.deck), file.name, "deck", "a deck has at least one kind of card")
    for key, named in (("deck", rules.deck), ("must_build", rules.must_build)):
        require(len(set(named)) == len(named), file.name, key, "a kind of card is named twice")
    missing = sorted(set(rules.must_build) - set(rules.deck))
    require(not missing, file.name, "must_build", f"no card of the deck is {missing and missing[0]}")
    lines = [counting.line for counting in rules.counting]
    require(len(set(lines)) == len(lines), file.name, "counting", "a line is named twice")
    require(rules.marker >= 0, file.name, "marker", "the marker starts at 0 or higher")
    require(rules.passing <= 0, file.name, "passing", "passing never gains points")
    veins = boards[rules.board].where("g")
    for race in rules.races:
        require(bool(veins), file.name, "races", f"the board {rules.board!r} has nothing for the race {race.race!r}")
    return rules
