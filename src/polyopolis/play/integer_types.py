"""Integer types for requests and messages."""

from typing import Annotated

from msgspec import Meta

SMALLEST_INT32, LARGEST_INT32 = -(2**31), 2**31 - 1
"""The range of an integer column in PostgreSQL."""
LARGEST_SAFE_INTEGER = 2**53 - 1
"""`Number.MAX_SAFE_INTEGER` of JavaScript."""

Int32 = Annotated[int, Meta(ge=SMALLEST_INT32, le=LARGEST_INT32)]
"""An integer of a request or message without narrower bounds. It can be stored in any database."""
SafeInt = Annotated[int, Meta(ge=-LARGEST_SAFE_INTEGER, le=LARGEST_SAFE_INTEGER)]
"""An integer that is only sent back."""
