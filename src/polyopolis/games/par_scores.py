"""What good players come to, as it was measured: `pars.toml` beside the rules of a game. No rule asks for it."""

import tomllib
from functools import cache
from importlib.resources import files


def par(key: str, mode: str) -> int | None:
    """The score of a good player in a mode of a game; None where nobody has measured it."""
    return _pars(key).get(mode)


@cache
def _pars(key: str) -> dict[str, int]:
    return tomllib.loads((files(f"polyopolis.games.{key}") / "pars.toml").read_text())
