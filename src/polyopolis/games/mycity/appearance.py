"""Names by which clients draw terrain, buildings and roofs. They do not reveal rules."""

from collections.abc import Collection
from typing import Literal, get_args

from polyopolis.games.mycity.building_site import KIOSK, PIECE_CARDS, SIGNS, Card, Kind, Piece

Ground = Literal[
    "meadow", "tree", "trees", "rocks", "well", "gold", "forest", "mountain", "water", "blue-entrance", "red-entrance",
    "yellow-entrance",
]  # fmt: skip
"""The terrain of a cell without the building on it."""
GROUNDS: tuple[Ground, ...] = get_args(Ground)

BuildingKind = Literal["residential", "public", "industrial", "church", "neutral"]
KINDS: dict[Kind | Piece, BuildingKind] = {
    "yellow": "residential",
    "red": "public",
    "blue": "industrial",
    "church": "church",
}
Roof = Literal["factory", "sawmill", "port", "palace", "kiosk"]
ROOFS: dict[str, Roof] = {
    PIECE_CARDS["sawmill"].name: "sawmill",
    PIECE_CARDS["port"].name: "port",
    PIECE_CARDS["palace"].name: "palace",
    KIOSK.name: "kiosk",
}
"""Roofs of the buildings that have no card in a deck."""


def ground_of(sign: str) -> Ground:
    """Returns the ground of a terrain character. Buildings that lie on the board from the start lie on meadow."""
    return next((ground for ground in GROUNDS if ground == SIGNS[sign]), "meadow")


def grounds_by_sign(signs: Collection[str]) -> dict[str, Ground]:
    return {sign: ground_of(sign) for sign in sorted(set(signs))}


def kind_of(card: Card) -> BuildingKind:
    return KINDS.get(card.kind, "neutral")


def roof_of(card: Card, gears: Collection[str]) -> Roof | None:
    return "factory" if card.name in gears else ROOFS.get(card.name)


def shape_name(card: Card) -> str:
    return card.name.partition("-")[2]
