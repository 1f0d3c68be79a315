"""Fixed action numbers, the same in every state and environment: protocol and masks. Each game has a module."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, Protocol, cast

import numpy
from numpy.typing import NDArray

from polyopolis.engine import PolyopolisError
from polyopolis.lab.action_numbers import mycity, pointcity, rollwrite
from polyopolis.lab.game_table import GameTable

Mask = NDArray[numpy.int8]


class ActionNumbering(Protocol):
    """Action numbers of a game: a module such as `action_numbers/mycity.py`."""

    COUNT: int
    """Number of action numbers."""
    CHANCES: int
    """Number of chance outcomes."""
    SECTIONS: Mapping[str, range]
    """Ranges of action numbers by kind."""

    def number(self, state: Any, seat: int, action: Any) -> int:
        """Returns the number of a legal action of a seat."""

    def allowed(self, state: Any, seat: int, legal: Sequence[Any]) -> list[int]:
        """Returns the numbers of all legal actions of a seat."""

    def action(self, state: Any, seat: int, number: int) -> Any | None:
        """Returns the action of a number in this state, which need not be legal; None if the number has no meaning."""

    def chance(self, state: Any, action: Any) -> int:
        """Returns the number of a chance outcome."""


NUMBERINGS: dict[str, ModuleType] = {"mycity": mycity, "pointcity": pointcity, "rollwrite": rollwrite}


class IllegalActionNumber(PolyopolisError):
    """Raised for the number of an illegal action."""


def numbering_of(key: str) -> ActionNumbering:
    return cast("ActionNumbering", NUMBERINGS[key])


def mask_of(table: GameTable, seat: int) -> Mask:
    """Returns 1 for each legal action number; all zeros for a seat that is not due."""
    numbers = numbering_of(table.offer.key)
    mask = numpy.zeros(numbers.COUNT, dtype=numpy.int8)
    mask[numbers.allowed(table.state, seat, table.legal(seat))] = 1
    return mask


def action_of(table: GameTable, seat: int, number: int) -> Any:
    """Returns the action of a number. Raises `IllegalActionNumber` if it is not legal."""
    named = numbering_of(table.offer.key).action(table.state, seat, int(number))
    if named is None or table.match.why_not(seat, named) is not None:
        raise IllegalActionNumber(f"action {number} is illegal for seat {seat}")
    return named
