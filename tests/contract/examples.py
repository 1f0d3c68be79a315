"""What the contract needs to know of each game: `tests/games/<key>/examples.py` says it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from random import Random
from typing import Any

import msgspec

from polyopolis.games import GAME_SPECS


@dataclass(frozen=True)
class Examples:
    """A few setups, an upper bound of moves, actions that nobody offers."""

    setups: tuple[str, ...]
    """As JSON."""
    longest: Callable[[Any], int]
    """No game with this setup has more moves."""
    strangers: Callable[[Sequence[Any], Random], Iterator[Any]]
    """Actions made up from the legal ones or from nothing; most of them are not legal."""


def examples_of(key: str) -> Examples:
    examples: Examples = import_module(f"tests.games.{key}.examples").EXAMPLES
    return examples


def setup_of(key: str, number: int) -> Any:
    return msgspec.json.decode(examples_of(key).setups[number], type=GAME_SPECS[key].rules.Setup)


def cases() -> list[tuple[str, int]]:
    """Every setup of every game."""
    return [(key, number) for key in GAME_SPECS for number in range(len(examples_of(key).setups))]
