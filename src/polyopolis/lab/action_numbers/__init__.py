"""Fixed numbers for what can be done: the same in every state, episode and environment. A file for each game."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Protocol, cast

import numpy
from numpy.typing import NDArray

from polyopolis.engine import PolyopolisError
from polyopolis.lab.action_numbers import mycity, pointcity, rollwrite
from polyopolis.lab.game_table import GameTable

Mask = NDArray[numpy.int8]


class Numbering(Protocol):
    """A module of functions, as `numbering/mycity.py` is one."""

    COUNT: int
    """Numbers are below this."""
    CHANCES: int
    """And those of luck below this."""
    SECTIONS: Mapping[str, range]
    """What the numbers are about."""

    def number(self, state: Any, seat: int, action: Any) -> int:
        """The number of something that a seat may do now."""

    def allowed(self, state: Any, seat: int, legal: Sequence[Any]) -> list[int]:
        """The numbers of all that a seat may do now."""

    def action(self, state: Any, seat: int, number: int) -> Any | None:
        """What a number means now; None where it means nothing. What it means need not be allowed."""

    def chance(self, state: Any, action: Any) -> int:
        """The number of something that luck may bring now."""


NUMBERINGS: dict[str, ModuleType] = {"mycity": mycity, "pointcity": pointcity, "rollwrite": rollwrite}


class NotAllowed(PolyopolisError):
    """A number of something that is not allowed now."""


def numbering_of(key: str) -> Numbering:
    return cast("Numbering", NUMBERINGS[key])


def mask_of(table: GameTable, seat: int) -> Mask:
    """A one for each number that is allowed; none for a seat that is not due."""
    numbers = numbering_of(table.offer.key)
    mask = numpy.zeros(numbers.COUNT, dtype=numpy.int8)
    mask[numbers.allowed(table.state, seat, table.legal(seat))] = 1
    return mask


def action_of(table: GameTable, seat: int, number: int) -> Any:
    """What a seat does with an allowed number; NotAllowed for the others."""
    named = numbering_of(table.offer.key).action(table.state, seat, int(number))
    if named is None or table.match.why_not(seat, named) is not None:
        raise NotAllowed(f"seat {seat} may not do number {number} now")
    return named
