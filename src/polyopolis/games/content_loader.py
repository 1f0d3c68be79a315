"""Reads TOML content with a closed schema; errors name file, key and reason."""

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
    """Base of the tables of content files, which accept no other keys than their fields."""


class ContentError(PolyopolisError):
    """A content file is invalid: its name, the key and the reason."""

    def __init__(self, file: str, key: str, reason: str) -> None:
        self.file, self.key, self.reason = file, key, reason
        super().__init__(": ".join(part for part in (file, key, reason) if part))


def read(file: Traversable, kind: type[Kind]) -> Kind:
    """Returns the file as a value of the given type. Raises `ContentError`."""
    return convert(parse_toml(file), kind, file.name)


def parse_toml(file: Traversable) -> dict[str, Any]:
    """Returns the tables of a file, which are not validated. Raises `ContentError`."""
    try:
        return tomllib.loads(file.read_text("utf-8"))
    except FileNotFoundError:
        raise ContentError(file.name, "", "there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ContentError(file.name, "", f"not TOML: {error}") from error


def folder_digest(folder: Traversable) -> str:
    """Returns the SHA-256 of the parsed files of a folder, by name, as JSON.

    Comments and spaces do not change it. The order of keys does, because cards are dealt in the order of the file.
    """
    files = sorted((file for file in folder.iterdir() if file.name.endswith(".toml")), key=lambda file: file.name)
    return sha256(msgspec.json.encode({file.name: parse_toml(file) for file in files})).hexdigest()


def convert(found: Any, kind: type[Kind], file: str, key: str = "") -> Kind:
    """Converts the value under a key of a file to the given type. Raises `ContentError`."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError as error:
        reason, _, where = str(error).partition(" - at `$")
        raise ContentError(file, ".".join(filter(None, (key, where.strip("`.")))), reason) from error


@contextmanager
def locate_errors(file: str, key: str) -> Iterator[None]:
    """Raises a `ValueError` of the block as a `ContentError` with the file and the key."""
    try:
        yield
    except ValueError as error:
        raise ContentError(file, key, str(error)) from error


def require(holds: bool, file: str, key: str, reason: str) -> None:
    if not holds:
        raise ContentError(file, key, reason)


def parse_shape(file: str, key: str, drawing: str) -> Shape:
    """Parses a drawing of a shape. Raises `ContentError` unless it is valid and connected."""
    with locate_errors(file, key):
        shape = Shape.from_text(drawing)
    require(shape.connected, file, key, "the squares of the shape are not connected")
    return shape


def parse_board(file: str, drawing: str, river: tuple[Corner, ...], signs: Collection[str]) -> Board:
    """Parses a drawing of a board with these characters and a river. Raises `ContentError`."""
    with locate_errors(file, "drawing"):
        board = Board.from_text(drawing)
    unknown = sorted(board.signs - set(signs))
    require(not unknown, file, "drawing", f"no terrain has the sign {unknown and unknown[0]!r}")
    with locate_errors(file, "river"):
        board = Board(board.rows, river)
    require(bool(river), file, "river", "the river does not reach two borders")
    return board
