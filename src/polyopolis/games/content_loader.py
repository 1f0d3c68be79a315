"""Reading content: TOML files with a closed vocabulary. What is not known is refused, naming file, key and reason."""

import tomllib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from hashlib import sha256
from importlib.resources.abc import Traversable
from typing import Any, TypeVar

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.geometry import Board, Corner, Shape

Kind = TypeVar("Kind")


class ContentStruct(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A table of a content file: exactly these keys."""


class ContentError(PolyopolisError):
    """A content file says something that cannot be."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        self.file, self.key, self.reason = file, key, reason
        super().__init__(": ".join(part for part in (file, key, reason) if part))


def read(file: Traversable, kind: type[Kind]) -> Kind:
    """The file as a value of the given kind."""
    return converted(parsed(file), kind, file.name)


def parsed(file: Traversable) -> dict[str, Any]:
    """What the file says, whatever it means."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ContentError(file.name, "", "there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContentError(file.name, "", f"not TOML: {error}") from error


def digest_of(folder: Traversable) -> str:
    """SHA-256 over what the files of a folder say, by their names, as JSON.

    Comments and spaces do not matter; the order of keys does, because cards are dealt in the order they are written in.
    """
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return sha256(msgspec.json.encode({file.name: parsed(file) for file in files})).hexdigest()


def converted(found: Any, kind: type[Kind], file: str, key: str = "") -> Kind:
    """What a file has under a key, as a value of the given kind."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        raise ContentError(file, ".".join(filter(None, (key, where.strip("`.")))), reason) from error


@contextmanager
def at(file: str, key: str) -> Iterator[None]:
    """What is wrong with a value inside is told with the file and the key that it came from."""
    try:
        yield
    except ValueError as error:
        raise ContentError(file, key, str(error)) from error


def require(holds: bool, file: str, key: str, reason: str) -> None:
    if not holds:
        raise ContentError(file, key, reason)


def shape_of(file: str, key: str, drawing: str) -> Shape:
    """A shape that a file draws."""
    with at(file, key):
        shape = Shape.drawn(drawing)
    require(shape.connected, file, key, "the squares of the shape are not connected")
    return shape


def board_of(file: str, drawing: str, river: tuple[Corner, ...], signs: Collection[str]) -> Board:
    """A board that a file draws with these signs; it has a river."""
    with at(file, "drawing"):
        board = Board.drawn(drawing)
    unknown = sorted(board.signs - set(signs))
    require(not unknown, file, "drawing", f"no terrain has the sign {unknown and unknown[0]!r}")
    with at(file, "river"):
        board = Board(board.rows, river)
    require(bool(river), file, "river", "the river does not reach two borders")
    return board
