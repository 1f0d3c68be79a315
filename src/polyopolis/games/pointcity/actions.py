"""Actions and events of Point City."""

from msgspec.structs import force_setattr

from polyopolis.engine import Tagged


class PickToken(Tagged, frozen=True, tag="token"):
    """Chance lays out a civic token; later the builder of a civic building picks one."""

    token: str


class NameFirst(Tagged, frozen=True, tag="first"):
    """Chance determines the first player."""

    seat: int


class ShowFace(Tagged, frozen=True, tag="face"):
    """Chance shows the resource face of the next card of the deck."""

    face: str


class ShowBuilding(Tagged, frozen=True, tag="building"):
    """Chance shows the building on the other side of a card."""

    at: str
    card: str


class LineUp(Tagged, frozen=True, tag="line"):
    """Choose the next token of the line, from the left (solo)."""

    token: str


class LineAsDrawn(Tagged, frozen=True, tag="line-as-drawn"):
    """Keep the tokens in the order in which they were drawn (solo)."""


class Flip(Tagged, frozen=True, tag="flip"):
    """Turn over a card of the market to its building."""

    at: str


class Take(Tagged, frozen=True, tag="take"):
    """Take two neighbours, which are sorted in reading order."""

    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cells", tuple(sorted(self.cells, key=lambda cell: (cell[1:], cell[:1]))))


class Draw(Tagged, frozen=True, tag="draw"):
    """Take the top two cards of the deck."""


class Pay(Tagged, frozen=True, tag="pay"):
    """Spend these cards, which are sorted."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class Skip(Tagged, frozen=True, tag="skip"):
    """Skip the turn, if no other action is possible."""


Action = (
    PickToken | NameFirst | ShowFace | ShowBuilding | LineUp | LineAsDrawn | Flip | Take | Draw | Pay | Skip
)  # fmt: skip


class TokenLaidOut(Tagged, frozen=True, tag="token-laid-out"):
    token: str


class FirstNamed(Tagged, frozen=True, tag="first-named"):
    seat: int


class TopShown(Tagged, frozen=True, tag="top-shown"):
    """The deck has a new top card."""

    face: str


class Dealt(Tagged, frozen=True, tag="dealt"):
    """A card was dealt to the market with its resource face up."""

    at: str
    face: str


class Turned(Tagged, frozen=True, tag="turned"):
    """A card of the market was turned to its building."""

    at: str
    card: str


class LinedUp(Tagged, frozen=True, tag="lined-up"):
    seat: int
    token: str


class Flipped(Tagged, frozen=True, tag="flipped"):
    seat: int
    at: str


class Took(Tagged, frozen=True, tag="took"):
    """A seat took two cells; `cards` are the faces or building cards that they showed."""

    seat: int
    cells: tuple[str, ...]
    cards: tuple[str, ...]


class Drew(Tagged, frozen=True, tag="drew"):
    seat: int
    face: str


class Paid(Tagged, frozen=True, tag="paid"):
    seat: int
    cards: tuple[str, ...]


class Built(Tagged, frozen=True, tag="built"):
    seat: int
    card: str


class TokenTaken(Tagged, frozen=True, tag="token-taken"):
    seat: int
    token: str


class Skipped(Tagged, frozen=True, tag="skipped"):
    seat: int


class Ended(Tagged, frozen=True, tag="ended"):
    """The match is over; the score sheets are final."""


Event = (
    TokenLaidOut | FirstNamed | TopShown | Dealt | Turned | LinedUp | Flipped | Took | Drew | Paid | Built | TokenTaken
    | Skipped | Ended
)  # fmt: skip
