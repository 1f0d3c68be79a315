"""Examples of each game for the contract tests, defined in `tests/games/<key>/examples.py`."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

import msgspec

from polyopolis.games import GAME_SPECS


@dataclass(frozen=True)
class Examples:
    """Setups, an upper bound of moves, and actions that are mostly illegal."""

    setups: tuple[str, ...]
    """Setups as JSON."""
    max_moves: Callable[[Any], int]
    """Returns an upper bound of the moves of a match with this setup."""
    dubious_actions: Callable[[Sequence[Any], Random], Iterator[Any]]
    """Yields actions, mostly illegal, some of them derived from the legal ones."""


def examples_of(key: str) -> Examples:
    examples: Examples = import_module(f"tests.games.{key}.examples").EXAMPLES
    return examples


def setup_of(key: str, number: int) -> Any:
    return msgspec.json.decode(examples_of(key).setups[number], type=GAME_SPECS[key].rules.Setup)


def cases() -> list[tuple[str, int]]:
    """Returns all setups of all games."""
    return [(key, number) for key in GAME_SPECS for number in range(len(examples_of(key).setups))]
