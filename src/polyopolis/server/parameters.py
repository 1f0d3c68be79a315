"""Types of integers in the path and in the query of a request.

Litestar ignores the bounds of `SafeInt` there; it takes those of its own markers.
"""

from typing import Annotated

from litestar.params import PathParameter, QueryParameter

from polyopolis.play.bounds import LARGEST_SAFE_INTEGER

PathInt = Annotated[int, PathParameter(ge=-LARGEST_SAFE_INTEGER, le=LARGEST_SAFE_INTEGER)]
_in_query = QueryParameter(ge=-LARGEST_SAFE_INTEGER, le=LARGEST_SAFE_INTEGER)
QueryInt = Annotated[int, _in_query]
OptionalQueryInt = Annotated[int | None, _in_query]
