"""Registry of the installed games by key, including games named in POLYOPOLIS_GAMES.

A game is imported when its spec is first read.
"""

import os
from collections.abc import Iterator, MutableMapping
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any

from polyopolis.engine import AnyGame, PolyopolisError
from polyopolis.engine.former_names import former_names
from polyopolis.games.game_spec import BadGameSpec, GameSpec, import_named_module

EXTRA_GAMES_VARIABLE = "POLYOPOLIS_GAMES"
"""Environment variable that lists modules with specs of further games, separated by commas.

A variable, because every process must know these games.
"""
BUILTIN_MODULES = {
    "mycity": "polyopolis.games.mycity.spec",
    "pointcity": "polyopolis.games.pointcity.spec",
    "rollwrite": "polyopolis.games.rollwrite.spec",
}
"""The spec modules of the games of this package by key, in the order in which games are listed."""
BUILTIN_SPECS: tuple[GameSpec, ...]
"""The specs of these games. The first access imports all of them."""


class UnknownGame(PolyopolisError):
    """There is no game with this key."""


class GameRegistry(MutableMapping[str, GameSpec]):
    """Specs of the installed games by key; a later game replaces an earlier one with the same key.

    A game of this package is imported when its spec is read. The modules in `POLYOPOLIS_GAMES` are imported when the
    registry is first read, because only they know their keys; a module that cannot be used raises `BadGameSpec`.
    """

    def __getitem__(self, key: str) -> GameSpec:
        found = self._specs[key]
        if isinstance(found, str):
            found = self._specs[key] = _load_spec(found, "the list of games")
        return found

    def __setitem__(self, key: str, spec: GameSpec) -> None:
        self._specs[key] = spec

    def __delitem__(self, key: str) -> None:
        del self._specs[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._specs)

    def __len__(self) -> int:
        return len(self._specs)

    @cached_property
    def _specs(self) -> dict[str, GameSpec | str]:
        """Specs by key. A game of this package that has not been imported is represented by its module."""
        modules = os.environ.get(EXTRA_GAMES_VARIABLE, "").split(",")
        extra = [_load_spec(module.strip(), EXTRA_GAMES_VARIABLE) for module in modules if module.strip()]
        return {**BUILTIN_MODULES, **{spec.key: spec for spec in extra}}


def _load_spec(module: str, named_by: str) -> GameSpec:
    """Returns `SPEC` of a module. `SIGN` is its name in modules written for version 0.2."""
    found = import_named_module(module, named_by)
    spec = getattr(found, "SPEC", None) or getattr(found, "SIGN", None)
    if not isinstance(spec, GameSpec):
        raise BadGameSpec(f"{named_by} names the module {module}, which does not define SPEC")
    return spec


GAME_SPECS = GameRegistry()


def spec_of(key: str) -> GameSpec:
    """Returns the spec of a game. Raises `UnknownGame`."""
    if key not in GAME_SPECS:
        raise UnknownGame(f"there is no game {key!r}; the games are {', '.join(sorted(GAME_SPECS))}")
    return GAME_SPECS[key]


def game(key: str) -> AnyGame:
    """Returns the rules of a game. Raises `UnknownGame`."""
    return spec_of(key).rules


@cache
def content_digest(key: str, version: int) -> str:
    """Returns the SHA-256 of a version of a game's content, which changes when its boards, cards or episodes do."""
    return spec_of(key).digest(version)


if not TYPE_CHECKING:
    _former_name = former_names(
        __name__,
        {"HOUSE": "BUILTIN_SPECS", "SIGNS": "GAME_SPECS", "sign_of": "spec_of", "GUESTS": "EXTRA_GAMES_VARIABLE"},
        stacklevel=3,
    )  # names in version 0.2, until version 0.4

    def __getattr__(name: str) -> Any:
        if name == "BUILTIN_SPECS":
            return tuple(_load_spec(module, "the list of games") for module in BUILTIN_MODULES.values())
        return _former_name(name)
