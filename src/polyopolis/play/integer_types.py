"""Bounds of integers that come from outside."""

from typing import Annotated

from msgspec import Meta

SMALLEST_INT32, LARGEST_INT32 = -(2**31), 2**31 - 1
"""Of an integer column in PostgreSQL."""
LARGEST_SAFE_INTEGER = 2**53 - 1
"""`Number.MAX_SAFE_INTEGER` of JavaScript."""

Int32 = Annotated[int, Meta(ge=SMALLEST_INT32, le=LARGEST_INT32)]
"""The type of each integer of a request or a message that has no narrower bounds: any may reach a database."""
SafeInt = Annotated[int, Meta(ge=-LARGEST_SAFE_INTEGER, le=LARGEST_SAFE_INTEGER)]
"""The type of an integer that is only sent back."""
