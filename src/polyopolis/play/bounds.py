"""Bounds of values that come from outside."""

from typing import Annotated

from msgspec import Meta

LARGEST_SAFE_INTEGER = 2**53 - 1
"""`Number.MAX_SAFE_INTEGER` of JavaScript. Databases hold 64 bits."""

SafeInt = Annotated[int, Meta(ge=-LARGEST_SAFE_INTEGER, le=LARGEST_SAFE_INTEGER)]
"""The type of every integer of a request or a message that has no narrower bounds."""
