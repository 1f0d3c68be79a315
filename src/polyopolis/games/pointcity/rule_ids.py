"""Maps refusal codes and score lines to the ids of rules in docs/games/."""

from polyopolis.games.pointcity.content import Content

REASONS: dict[str, str] = {
    "flipped-already": "PC-6",
    "building-already": "PC-6",
    "no-resource-line": "PC-6",
    "off-market": "PC-7",
    "not-neighbours": "PC-7",
    "cannot-pay": "PC-9",
    "not-held": "PC-9",
    "too-little": "PC-11",
    "too-much": "PC-11",
    "deck-empty": "PC-13",
    "no-token": "PC-14",
    "must-take": "PC-17",
    "line-begun": "PC-21",
}

_LINES = {"buildings": "PC-18", "unspent": "PC-19", "permanents": "PC-24", "tokens": "PC-24"}


def lines(material: Content) -> dict[str, str]:
    """Returns the rules of all lines. The line `ingenuity` is a token's and also the Automa's."""
    return {**_LINES, **dict.fromkeys(material.tokens, "PC-18")}
