"""Integer types for path and query parameters: Litestar ignores the bounds of `Int32` there."""

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

from polyopolis.play.integer_types import LARGEST_INT32, SMALLEST_INT32

PathInt = Annotated[int, PathParameter(ge=SMALLEST_INT32, le=LARGEST_INT32)]
_in_query = QueryParameter(ge=SMALLEST_INT32, le=LARGEST_INT32)
QueryInt = Annotated[int, _in_query]
OptionalQueryInt = Annotated[int | None, _in_query]
