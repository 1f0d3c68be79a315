"""Static facts about Point City that clients load before a match: cards, tokens and modes of play."""

from typing import Literal, get_args

from msgspec import Struct

from polyopolis.games.modes import Mode, RuleIds
from polyopolis.games.pointcity.content import FACES, RESOURCES, CivicToken, Content, Kind, LevelName, Resource, content
from polyopolis.games.pointcity.rule_ids import REASONS, lines

Sign = Literal[Resource, "ingenuity"]


class FaceOutline(Struct, frozen=True):
    """The symbol of a resource face, and the number of symbols."""

    sign: Sign
    symbols: int


class CardOutline(Struct, frozen=True):
    """A building card."""

    title: str
    """The code of the building's name."""
    kind: Kind


class TokenOutline(Struct, frozen=True):
    """A civic token: what it counts, and the points for each (PC-18)."""

    counts: Literal["flat", "signs", "all", "same", "none"]
    """`flat`: itself; `signs`: sets of some symbols; `all`: sets of all resources; `same`: resources with at least
    `copies` permanents; `none`: resources without permanents."""
    points: int
    signs: tuple[Sign, ...]
    copies: int
    """For `same`: the required number of permanents of a resource."""


class Outline(Struct, frozen=True):
    content: int
    modes: tuple[Mode, ...]
    rules: RuleIds
    faces: dict[str, FaceOutline]
    cards: dict[str, CardOutline]
    tokens: dict[str, TokenOutline]


def outline(version: int) -> Outline:
    material = content(version)
    return Outline(
        content=version,
        modes=_modes(material),
        rules=RuleIds(REASONS, lines(material)),
        faces={face: _face(face) for face in FACES},
        cards={card.name: CardOutline(card.title, card.kind) for card in material.cards.values()},
        tokens={token.name: _token(token) for token in material.tokens.values()},
    )


def _modes(material: Content) -> tuple[Mode, ...]:
    """Returns the modes: several players, or one against the Automa (PC-21), with tokens that are drawn or chosen."""
    several = tuple(seats for seats in material.layouts if seats > 1)
    levels: tuple[LevelName, ...] = get_args(LevelName)
    return (
        Mode("several", {}, seats=several),
        *(Mode("alone", {"automa": level}, seats=(1,)) for level in levels),
        *(Mode("chosen", {"automa": level, "tokens": "chosen"}, seats=(1,)) for level in levels),
    )


def _face(face: str) -> FaceOutline:
    for resource in RESOURCES:
        if face in (resource, f"{resource}-2"):
            return FaceOutline(resource, 1 if face == resource else 2)
    return FaceOutline("ingenuity", 1)


def _token(token: CivicToken) -> TokenOutline:
    entry = token.entry
    match entry.counts:
        case "flat":
            return TokenOutline("flat", entry.points, (), 0)
        case "ingenuity":
            return TokenOutline("signs", entry.points, ("ingenuity",), 0)
        case "sets":
            return TokenOutline("all" if set(entry.of) == set(RESOURCES) else "signs", entry.points, entry.of, 0)
        case "types":
            return TokenOutline("none" if entry.most == 0 else "same", entry.points, (), entry.least)
