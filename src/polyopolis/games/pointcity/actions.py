"""What a seat or chance does, and what came of it."""

from msgspec.structs import force_setattr

from polyopolis.engine import Tagged


class PickToken(Tagged, frozen=True, tag="token"):
    """Chance lays a civic token out; later the builder of a civic building picks it."""

    token: str


class NameFirst(Tagged, frozen=True, tag="first"):
    """Chance deals the first-player mark."""

    seat: int


class ShowFace(Tagged, frozen=True, tag="face"):
    """Chance shows the resource face of the next card of the deck."""

    face: str


class ShowBuilding(Tagged, frozen=True, tag="building"):
    """Chance shows what is on the other side of a card."""

    at: str
    card: str


class LineUp(Tagged, frozen=True, tag="line"):
    """Solo: the next token of the line, from the left."""

    token: str


class LineAsDrawn(Tagged, frozen=True, tag="line-as-drawn"):
    """Solo: the tokens stay as they were drawn."""


class Flip(Tagged, frozen=True, tag="flip"):
    """Turn a card of the market to its building."""

    at: str


class Take(Tagged, frozen=True, tag="take"):
    """Take two neighbours. They may be named in any order and are kept in reading order."""

    cells: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cells", tuple(sorted(self.cells, key=lambda cell: (cell[1:], cell[:1]))))


class Draw(Tagged, frozen=True, tag="draw"):
    """Take the top two of the deck."""


class Pay(Tagged, frozen=True, tag="pay"):
    """Which cards are spent. They may be named in any order and are kept sorted."""

    cards: tuple[str, ...]

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class Skip(Tagged, frozen=True, tag="skip"):
    """Do nothing, when nothing else is possible."""


Action = (
    PickToken | NameFirst | ShowFace | ShowBuilding | LineUp | LineAsDrawn | Flip | Take | Draw | Pay | Skip
)  # fmt: skip


class TokenLaidOut(Tagged, frozen=True, tag="token-laid-out"):
    token: str


class FirstNamed(Tagged, frozen=True, tag="first-named"):
    seat: int


class TopShown(Tagged, frozen=True, tag="top-shown"):
    """The deck has a new top."""

    face: str


class Dealt(Tagged, frozen=True, tag="dealt"):
    """A card came to the market with its resource face up."""

    at: str
    face: str


class Turned(Tagged, frozen=True, tag="turned"):
    """A card of the market shows its building now."""

    at: str
    card: str


class LinedUp(Tagged, frozen=True, tag="lined-up"):
    seat: int
    token: str


class Flipped(Tagged, frozen=True, tag="flipped"):
    seat: int
    at: str


class Took(Tagged, frozen=True, tag="took"):
    """What the cells showed: a face, or the name of a building card."""

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
    """Nobody decides any more; the score sheets are final."""


Event = (
    TokenLaidOut | FirstNamed | TopShown | Dealt | Turned | LinedUp | Flipped | Took | Drew | Paid | Built | TokenTaken
    | Skipped | Ended
)  # fmt: skip
