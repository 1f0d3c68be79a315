"""Reads pars.toml: measured scores of good players, by mode. No rule depends on them."""

import tomllib
from functools import cache
from importlib.resources import files


def par_score(key: str, mode: str) -> int | None:
    """Returns the score of a good player in a mode of a game; None if it was not measured."""
    return _pars(key).get(mode)


@cache
def _pars(key: str) -> dict[str, int]:
    return tomllib.loads((files(f"polyopolis.games.{key}") / "pars.toml").read_text())
