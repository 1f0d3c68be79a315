"""A small cache of a pure function, keyed by the identity of its arguments."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

Params = ParamSpec("Params")
Value = TypeVar("Value")

MAX_ENTRIES = 64
"""Cached values: more than the cities at a table, and the boards of the games played most."""


class IdentityCache(Generic[Params, Value]):
    """Decorator for a function of immutable arguments that is called several times in a row with the same objects."""

    def __init__(self, function: Callable[Params, Value]) -> None:
        self._function = function
        self._answers: dict[tuple[int, ...], tuple[Any, Value]] = {}
        self.__doc__ = function.__doc__

    def __call__(self, *about: Params.args, **named: Params.kwargs) -> Value:
        key = tuple(map(id, about))
        found = self._answers.get(key)
        if found is None:
            found = about, self._function(*about, **named)  # arguments are kept alive, so their ids are not reused
            self._answers[key] = found
            if len(self._answers) > MAX_ENTRIES:
                self._answers.pop(next(iter(self._answers)), None)
        return found[1]
