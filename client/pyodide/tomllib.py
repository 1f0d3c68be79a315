"""Replaces `tomllib` in pages, where every TOML file contains JSON: the build has converted it."""

from msgspec import DecodeError as TOMLDecodeError
from msgspec.json import decode as loads

__all__ = ["TOMLDecodeError", "loads"]
