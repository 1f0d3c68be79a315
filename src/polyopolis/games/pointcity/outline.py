"""What is known of Point City before anybody plays it: its cards, its tokens and the ways to play it."""

from typing import Literal, get_args

from msgspec import Struct

from polyopolis.games.modes import Mode, RuleIds
from polyopolis.games.pointcity.content import FACES, RESOURCES, Content, Kind, LevelName, Resource, Token, content
from polyopolis.games.pointcity.rule_ids import REASONS, lines

Sign = Literal[Resource, "ingenuity"]


class FaceOutline(Struct, frozen=True):
    """The symbol that a resource face shows, and how often."""

    sign: Sign
    symbols: int


class CardOutline(Struct, frozen=True):
    """A building."""

    title: str
    """The code of its name."""
    kind: Kind


class TokenOutline(Struct, frozen=True):
    """A civic token: what it counts, and the points for each of that (PC-18)."""

    counts: Literal["flat", "signs", "all", "same", "none"]
    """Itself; sets of some signs, or of all resources; resources of which there are so many permanents, or none."""
    points: int
    signs: tuple[Sign, ...]
    copies: int
    """For `same`: how many permanents of a resource it takes."""


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
    """Several play against each other, one alone against the Automa (PC-21), with tokens that are drawn or chosen."""
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


def _token(token: Token) -> TokenOutline:
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
