"""The `tomllib` of pages: there every TOML file holds what it says as JSON, because the build has read it."""

from msgspec import DecodeError as TOMLDecodeError
from msgspec.json import decode as loads

__all__ = ["TOMLDecodeError", "loads"]
