"""Loads the material of Point City from `content/`: cards, civic tokens, layouts and the levels of the Automa."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Annotated, Any, Literal, TypeVar, get_args

from msgspec import Meta

from polyopolis.games.content_loader import ContentError, ContentStruct, convert, read, require
from polyopolis.games.pointcity.actions import PickToken, ShowBuilding, ShowFace
from polyopolis.geometry import Grid

NEWEST = 1

MARKET = Grid(4, 4)
CARDS_PER_TURN = 2
"""The number of cards that a player takes in a turn (PC-7)."""

Resource = Literal["community", "ecology", "economy", "energy", "industry"]
RESOURCES: tuple[Resource, ...] = get_args(Resource)
INGENUITY = "ingenuity"
FACES = (*(face for resource in RESOURCES for face in (resource, f"{resource}-2")), INGENUITY)
"""All faces in the order of stocks, which is alphabetical."""
JOKER = FACES.index(INGENUITY)
TIERS = (1, 2, 3)

Kind = Literal["resource", "points", "civic"]
"""The benefit of a building: a permanent resource, only points, or a civic token."""
LevelName = Literal["easy", "medium", "hard"]
Amount = Annotated[int, Meta(ge=0)]
Entry = TypeVar("Entry")


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
    """The removed cards by tier and the number of tokens for a number of seats."""

    removed: tuple[Amount, Amount, Amount]
    tokens: Amount


class TablesFile(ContentStruct, frozen=True):
    seats: dict[str, dict[str, Any]]


class AutomaLevel(ContentStruct, frozen=True):
    """The points of the Automa's city besides those of its buildings."""

    token: int
    each: int | None = None
    copies: tuple[int, ...] = ()
    ingenuity: int = 0


class AutomaLevels(ContentStruct, frozen=True):
    easy: AutomaLevel
    medium: AutomaLevel
    hard: AutomaLevel


class AutomaFile(ContentStruct, frozen=True):
    start: str
    levels: AutomaLevels


@dataclass(frozen=True, eq=False)
class Side:
    """The resource face of a card, with its tier, which the back shows."""

    tier: int
    face: str
    index: int = field(repr=False)
    """The index among the sides of all tiers."""

    @cached_property
    def number(self) -> int:
        """The index of the face in stocks."""
        return FACES.index(self.face)

    @cached_property
    def resource(self) -> int | None:
        return None if self.face == INGENUITY else self.number // 2

    @cached_property
    def symbols(self) -> int:
        """The number of symbols: a double has two (PC-11)."""
        return 2 if self.face.endswith("-2") else 1

    @cached_property
    def shown(self) -> ShowFace:
        return ShowFace(self.face)


@dataclass(frozen=True, eq=False)
class Card:
    """The building side of a card, named like `a4-industry`. All copies are one `Card`."""

    name: str
    side: Side = field(repr=False)
    kind: Kind = field(repr=False)
    resource: int = field(repr=False)
    cost: tuple[tuple[int, int], ...] = field(repr=False)
    """Resources with their numbers of symbols."""
    points: int = field(repr=False)
    style: int = field(repr=False)
    copies: int = field(repr=False)

    @property
    def title(self) -> str:
        """The code of the building's name: tier, kind, resource and style."""
        return f"{self.side.tier}-{self.kind}-{RESOURCES[self.resource]}-{self.style}"

    @cached_property
    def grants(self) -> int | None:
        """The permanent resource that the building grants."""
        return self.resource if self.kind == "resource" else None

    @cached_property
    def shown(self) -> tuple[ShowBuilding, ...]:
        """The action of chance that shows the building, for each space of the market."""
        return tuple(ShowBuilding(cell, self.name) for cell in MARKET.names)


@dataclass(frozen=True, eq=False)
class CivicToken:
    """A civic token: what it counts, and its points."""

    name: str
    entry: TokenEntry = field(repr=False)
    of: tuple[int, ...] = field(repr=False)

    @cached_property
    def pick(self) -> PickToken:
        return PickToken(self.name)


SidePool = tuple[tuple[Side, int], ...]
CardPool = tuple[tuple[Card, int], ...]
"""Cards that chance may show, with their numbers; `SidePool` likewise for faces."""


@dataclass(frozen=True, eq=False)
class Content:
    """One version of all material. A released version is never edited."""

    version: int
    cards: Mapping[str, Card] = field(repr=False)
    sides: Mapping[tuple[int, str], Side] = field(repr=False)
    """All faces by tier and face."""
    tokens: Mapping[str, CivicToken] = field(repr=False)
    layouts: Mapping[int, Layout] = field(repr=False)
    automa: AutomaFile = field(repr=False)

    @cached_property
    def faces(self) -> tuple[SidePool, ...]:
        """The faces of each tier with their numbers of cards."""
        return tuple(
            tuple((side, self._count(side)) for side in self.sides.values() if side.tier == tier) for tier in TIERS
        )

    @cached_property
    def buildings(self) -> tuple[CardPool, ...]:
        """The possible buildings of each side with their numbers of cards."""
        return tuple(
            tuple((card, card.copies) for card in self.cards.values() if card.side is side)
            for side in self.sides.values()
        )

    @cached_property
    def granting(self) -> tuple[int, ...]:
        """The number of cards that grant each resource."""
        return tuple(
            sum(card.copies for card in self.cards.values() if card.grants == resource)
            for resource in range(len(RESOURCES))
        )

    @cached_property
    def size(self) -> int:
        """The number of all cards."""
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
    """Loads the material of a folder. Raises `ContentError` if it is invalid."""
    if not folder.is_dir():
        raise ContentError(folder.name, "", "there is no content of this version")
    for name in sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml")):
        require(name in FILES, name, "", "unknown file")
    sides, cards = _cards(folder / "cards.toml")
    tokens = _tokens(folder / "tokens.toml")
    sizes = [sum(card.copies for card in cards.values() if card.side.tier == tier) for tier in TIERS]
    layouts = _layouts(folder / "tables.toml", sizes, len(tokens))
    return Content(version, cards, sides, tokens, layouts, _automa(folder / "automa.toml"))


def _entries(file: Traversable, key: str, found: Mapping[str, Any], kind: type[Entry]) -> dict[str, Entry]:
    """Returns the entries of a table by name."""
    return {name: convert(line, kind, file.name, f"{key}.{name}") for name, line in found.items()}


def _cards(file: Traversable) -> tuple[dict[tuple[int, str], Side], dict[str, Card]]:
    """Returns the faces, and the five cards of each family, one for each resource (PC-1)."""
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


def _tokens(file: Traversable) -> dict[str, CivicToken]:
    found = _entries(file, "tokens", read(file, TokensFile).tokens, TokenEntry)
    for name, entry in found.items():
        key = f"tokens.{name}.of"
        require(
            bool(entry.of) == (entry.counts == "sets"),
            file.name,
            key,
            "exactly the tokens that count sets name resources",
        )
        require(len(set(entry.of)) == len(entry.of), file.name, key, "a resource is named twice")
    return {name: CivicToken(name, entry, tuple(map(RESOURCES.index, entry.of))) for name, entry in found.items()}


def _layouts(file: Traversable, sizes: Sequence[int], tokens: int) -> dict[int, Layout]:
    """Returns the layout for each number of seats, which gives all players the same number of turns (PC-17)."""
    found = _entries(file, "seats", read(file, TablesFile).seats, Layout)
    require(sorted(found) == ["1", "2", "3", "4"], file.name, "seats", "there is a line for 1, 2, 3 and 4 seats")
    layouts = {int(seats): layout for seats, layout in found.items()}
    for seats, layout in layouts.items():
        key = f"seats.{seats}"
        require(layout.tokens <= tokens, file.name, f"{key}.tokens", f"there are only {tokens} tokens")
        left = [size - removed for size, removed in zip(sizes, layout.removed, strict=True)]
        require(min(left) >= 0, file.name, f"{key}.removed", "more cards are left out than there are")
        taken = sum(left) - len(MARKET.names) + CARDS_PER_TURN
        even = taken > 0 and taken % (CARDS_PER_TURN * max(seats, 2)) == 0
        require(even, file.name, f"{key}.removed", "the turns of the players would differ")
    return layouts


def _automa(file: Traversable) -> AutomaFile:
    automa = read(file, AutomaFile)
    require(automa.start in MARKET, file.name, "start", f"there is no cell {automa.start} in the market")
    for name in get_args(LevelName):
        level: AutomaLevel = getattr(automa.levels, name)
        either = (level.each is None) == bool(level.copies)
        require(either, file.name, f"levels.{name}", "permanents score either by `each` or by `copies`")
    return automa
