"""The material of Point City: cards, civic tokens, what is laid out and the Automa, read from `content/`."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import Meta

from polyopolis.games.content_loader import ContentError, ContentStruct, converted, read, require
from polyopolis.games.pointcity.actions import PickToken, ShowBuilding, ShowFace
from polyopolis.geometry import Grid

NEWEST = 1

MARKET = Grid(4, 4)
HAND = 2
"""Cards that a turn takes (PC-7)."""

Resource = Literal["community", "ecology", "economy", "energy", "industry"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)
INGENUITY = "ingenuity"
FACES = (*(face for resource in RESOURCES for face in (resource, f"{resource}-2")), INGENUITY)
"""In alphabetical order, as stocks count them."""
JOKER = FACES.index(INGENUITY)
TIERS = (1, 2, 3)

Kind = Literal["resource", "points", "civic"]
"""What a building gives: a permanent resource, only points, or a civic token."""
LevelName = Literal["easy", "medium", "hard"]
Amount = Annotated[int, Meta(ge=0)]
Line = TypeVar("Line")


class Family(ContentStruct, frozen=True):
    tier: Literal[1, 2, 3]
    face: Literal["single", "double", "ingenuity"]
    kind: Kind
    cost: tuple[Amount, Amount, Amount, Amount, Amount]
    """Symbols of the card's own resource, and of the resources 1, 2, 3 and 4 steps after it."""
    points: Amount
    style: Annotated[int, Meta(ge=1)]
    copies: Annotated[int, Meta(ge=1)] = 1


class CardsFile(ContentStruct, frozen=True):
    rotation: tuple[Resource, Resource, Resource, Resource, Resource]
    families: dict[str, dict[str, Any]]


class TokenEntry(ContentStruct, frozen=True):
    counts: Literal["flat", "types", "sets", "ingenuity"]
    points: int
    of: tuple[Resource, ...] = ()
    least: Amount = 0
    most: Amount | None = None


class TokensFile(ContentStruct, frozen=True):
    tokens: dict[str, dict[str, Any]]


class Layout(ContentStruct, frozen=True):
    """What is on the table for a number of seats."""

    removed: tuple[Amount, Amount, Amount]
    tokens: Amount


class TablesFile(ContentStruct, frozen=True):
    seats: dict[str, dict[str, Any]]


class Level(ContentStruct, frozen=True):
    """What the Automa's city is worth besides the points of its buildings."""

    token: int
    each: int | None = None
    copies: tuple[int, ...] = ()
    ingenuity: int = 0


class Levels(ContentStruct, frozen=True):
    easy: Level
    medium: Level
    hard: Level


class AutomaFile(ContentStruct, frozen=True):
    start: str
    levels: Levels


@dataclass(frozen=True, eq=False)
class Side:
    """The resource face of a card, which tells its tier too."""

    tier: int
    face: str
    index: int = field(repr=False)
    """Among the sides of all tiers."""

    @cached_property
    def number(self) -> int:
        """Of the face, as stocks count it."""
        return FACES.index(self.face)

    @cached_property
    def resource(self) -> int | None:
        return None if self.face == INGENUITY else self.number // 2

    @cached_property
    def symbols(self) -> int:
        """A double counts for two (PC-11)."""
        return 2 if self.face.endswith("-2") else 1

    @cached_property
    def shown(self) -> ShowFace:
        return ShowFace(self.face)


@dataclass(frozen=True, eq=False)
class Card:
    """The building on the other side, named like `a4-industry`. Copies are the same card."""

    name: str
    side: Side = field(repr=False)
    kind: Kind = field(repr=False)
    resource: int = field(repr=False)
    cost: tuple[tuple[int, int], ...] = field(repr=False)
    """Resources, each with how many symbols."""
    points: int = field(repr=False)
    style: int = field(repr=False)
    copies: int = field(repr=False)

    @property
    def title(self) -> str:
        """The code of its name: tier, kind, resource, and which of their names."""
        return f"{self.side.tier}-{self.kind}-{RESOURCES[self.resource]}-{self.style}"

    @cached_property
    def grants(self) -> int | None:
        """The permanent resource it brings."""
        return self.resource if self.kind == "resource" else None

    @cached_property
    def shown(self) -> tuple[ShowBuilding, ...]:
        """How chance shows it, for each space of the market."""
        return tuple(ShowBuilding(cell, self.name) for cell in MARKET.names)


@dataclass(frozen=True, eq=False)
class Token:
    """A civic token: what it counts and what that is worth."""

    name: str
    entry: TokenEntry = field(repr=False)
    of: tuple[int, ...] = field(repr=False)

    @cached_property
    def pick(self) -> PickToken:
        return PickToken(self.name)


SidePool = tuple[tuple[Side, int], ...]
CardPool = tuple[tuple[Card, int], ...]
"""What chance may show, with how many of each."""


@dataclass(frozen=True, eq=False)
class Content:
    """One version of all material. A released version is never edited."""

    version: int
    cards: Mapping[str, Card] = field(repr=False)
    sides: Mapping[tuple[int, str], Side] = field(repr=False)
    """By tier and face."""
    tokens: Mapping[str, Token] = field(repr=False)
    layouts: Mapping[int, Layout] = field(repr=False)
    automa: AutomaFile = field(repr=False)

    @cached_property
    def faces(self) -> tuple[SidePool, ...]:
        """For each tier how many cards have which face."""
        return tuple(
            tuple((side, self._count(side)) for side in self.sides.values() if side.tier == tier) for tier in TIERS
        )

    @cached_property
    def buildings(self) -> tuple[CardPool, ...]:
        """For each side the buildings that may be behind it."""
        return tuple(
            tuple((card, card.copies) for card in self.cards.values() if card.side is side)
            for side in self.sides.values()
        )

    @cached_property
    def granting(self) -> tuple[int, ...]:
        """For each resource how many cards grant it."""
        return tuple(
            sum(card.copies for card in self.cards.values() if card.grants == resource)
            for resource in range(len(RESOURCES))
        )

    @cached_property
    def size(self) -> int:
        """How many cards there are in all."""
        return sum(card.copies for card in self.cards.values())

    def _count(self, side: Side) -> int:
        return sum(card.copies for card in self.cards.values() if card.side is side)


def content(version: int = NEWEST) -> Content:
    return _content(version)


@cache
def _content(version: int) -> Content:
    return load(files("polyopolis.games.pointcity") / "content" / f"v{version}", version)


FILES = ("automa.toml", "cards.toml", "tables.toml", "tokens.toml")


def load(folder: Traversable, version: int = NEWEST) -> Content:
    """All material of one folder; ContentError if anything in it cannot be."""
    if not folder.is_dir():
        raise ContentError(folder.name, "", "there is no content of this version")
    for name in sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml")):
        require(name in FILES, name, "", "no file has this name")
    sides, cards = _cards(folder / "cards.toml")
    tokens = _tokens(folder / "tokens.toml")
    sizes = [sum(card.copies for card in cards.values() if card.side.tier == tier) for tier in TIERS]
    layouts = _layouts(folder / "tables.toml", sizes, len(tokens))
    return Content(version, cards, sides, tokens, layouts, _automa(folder / "automa.toml"))


def _entries(file: Traversable, key: str, found: Mapping[str, Any], kind: type[Line]) -> dict[str, Line]:
    """The lines of a table, each with a name."""
    return {name: converted(line, kind, file.name, f"{key}.{name}") for name, line in found.items()}


def _cards(file: Traversable) -> tuple[dict[tuple[int, str], Side], dict[str, Card]]:
    """Five cards of each family, one for each resource (PC-1)."""
    found = read(file, CardsFile)
    require(len(set(found.rotation)) == len(RESOURCES), file.name, "rotation", "a resource is named twice")
    families = _entries(file, "families", found.families, Family)
    for name, family in families.items():
        _check_family(file.name, f"families.{name}", family)
    keys: set[tuple[int, str]] = {(family.tier, face) for family in families.values() for face in _faces(family)}
    for tier in TIERS:
        require(any(key[0] == tier for key in keys), file.name, "families", f"no family is of tier {tier}")
    sides = {key: Side(*key, index) for index, key in enumerate(sorted(keys))}
    cards = [
        card for name, family in families.items() for card in _family(name, family, found.rotation, sides)
    ]  # fmt: skip
    return sides, {card.name: card for card in cards}


def _check_family(file: str, key: str, family: Family) -> None:
    require(any(family.cost), file, f"{key}.cost", "a building costs at least one symbol")
    require(family.kind != "resource" or not family.cost[0], file, f"{key}.cost", "no card costs what it grants")
    require(family.kind != "civic" or not family.points, file, f"{key}.points", "a civic building has no points")
    fits = family.face == "ingenuity" or (family.face == "single") == (family.tier == 1)
    require(fits, file, f"{key}.face", "faces are single in tier 1 and double in the others")


def _faces(family: Family) -> tuple[str, ...]:
    return tuple(dict.fromkeys(_face(family, resource) for resource in RESOURCES))


def _face(family: Family, resource: str) -> str:
    return {"single": resource, "double": f"{resource}-2", "ingenuity": INGENUITY}[family.face]


def _family(
    name: str, family: Family, rotation: Sequence[Resource], sides: Mapping[tuple[int, str], Side]
) -> Iterator[Card]:
    for resource in RESOURCES:
        at = rotation.index(resource)
        costs = {rotation[(at + step) % len(rotation)]: symbols for step, symbols in enumerate(family.cost)}
        yield Card(
            name=f"{name}-{resource}",
            side=sides[family.tier, _face(family, resource)],
            kind=family.kind,
            resource=RESOURCES.index(resource),
            cost=tuple((number, costs[needed]) for number, needed in enumerate(RESOURCES) if costs[needed]),
            points=family.points,
            style=family.style,
            copies=family.copies,
        )


def _tokens(file: Traversable) -> dict[str, Token]:
    found = _entries(file, "tokens", read(file, TokensFile).tokens, TokenEntry)
    for name, entry in found.items():
        key = f"tokens.{name}.of"
        require(bool(entry.of) == (entry.counts == "sets"), file.name, key, "sets, and only sets, are of resources")
        require(len(set(entry.of)) == len(entry.of), file.name, key, "a resource is named twice")
    return {name: Token(name, entry, tuple(map(RESOURCES.index, entry.of))) for name, entry in found.items()}


def _layouts(file: Traversable, sizes: Sequence[int], tokens: int) -> dict[int, Layout]:
    """For each number of seats as many cards as give everybody the same number of turns (PC-17)."""
    found = _entries(file, "seats", read(file, TablesFile).seats, Layout)
    require(sorted(found) == ["1", "2", "3", "4"], file.name, "seats", "there is a line for 1, 2, 3 and 4 seats")
    layouts = {int(seats): layout for seats, layout in found.items()}
    for seats, layout in layouts.items():
        key = f"seats.{seats}"
        require(layout.tokens <= tokens, file.name, f"{key}.tokens", f"there are only {tokens} tokens")
        left = [size - removed for size, removed in zip(sizes, layout.removed, strict=True)]
        require(min(left) >= 0, file.name, f"{key}.removed", "more cards are left out than there are")
        taken = sum(left) - len(MARKET.names) + HAND
        even = taken > 0 and taken % (HAND * max(seats, 2)) == 0
        require(even, file.name, f"{key}.removed", "the turns of the players would differ")
    return layouts


def _automa(file: Traversable) -> AutomaFile:
    automa = read(file, AutomaFile)
    require(automa.start in MARKET, file.name, "start", f"there is no cell {automa.start} in the market")
    for name in get_args(LevelName):
        level: Level = getattr(automa.levels, name)
        either = (level.each is None) == bool(level.copies)
        require(either, file.name, f"levels.{name}", "permanents count each or by their copies, not both or neither")
    return automa
