"""What was worked out a moment ago need not be worked out again."""

from collections.abc import Callable
from typing import Any, Generic, ParamSpec, TypeVar

About = ParamSpec("About")
Answer = TypeVar("Answer")

MANY = 64
"""Answers that are remembered: more than there are cities at a table, and boards in what is played most."""


class IdentityCache(Generic[About, Answer]):
    """A function of things that never change, asked several times in a row about the very same ones."""

    def __init__(self, function: Callable[About, Answer]) -> None:
        self._function = function
        self._answers: dict[tuple[int, ...], tuple[Any, Answer]] = {}
        self.__doc__ = function.__doc__

    def __call__(self, *about: About.args, **named: About.kwargs) -> Answer:
        key = tuple(map(id, about))
        found = self._answers.get(key)
        if found is None:
            found = about, self._function(*about, **named)  # whatever is remembered lives on, so its id is its own
            self._answers[key] = found
            if len(self._answers) > MANY:
                self._answers.pop(next(iter(self._answers)), None)
        return found[1]
