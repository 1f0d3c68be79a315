"""What a feature of a position is worth: weights at the first and at the last moment of a game, kept in files."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.draft_arrays import Material
from polyopolis.kernels.placing.layout import FEATURES, FOREST, INVESTOR, LINES, PARKS, POINTS, RACE, STATION
from polyopolis.kernels.positions import Site, features_of
from polyopolis.kernels.runtime.jit import Floats, floats

Weights = dict[str, tuple[float, float]]
"""By feature: at the first moment and at the last. A feature that is missing is worth nothing."""


class BadWeights(PolyopolisError):
    """A file of weights says something that cannot be."""


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The weights for one part of a game: an episode, or all of it."""

    command: str
    """What made them."""
    figures: str
    """What they are worth, on luck that was not used to make them."""
    weights: Weights


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, Part]


def folder() -> Path:
    return Path(str(files("polyopolis.bots"))) / "weights"


@cache
def read(key: str) -> WeightsFile:
    """The weights of a game; none at all where no file is."""
    path = folder() / f"{key}.toml"
    if not path.exists():
        return WeightsFile({})
    try:
        found = msgspec.convert(tomllib.loads(path.read_text("utf-8")), WeightsFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise BadWeights(f"{path.name}: {error}") from error
    for name, part in found.parts.items():
        if unknown := sorted(part.weights.keys() - set(features_of(key))):
            raise BadWeights(f"{path.name}: {name}: there is no feature {unknown[0]!r}")
    return found


def written(parts: dict[str, Part]) -> str:
    """A file of weights as text."""
    lines = ["# What a feature is worth at the first and at the last moment of a game."]
    for name, part in sorted(parts.items()):
        lines += ["", f"[parts.{name}]", f'command = "{part.command}"', f'figures = "{part.figures}"']
        lines += ["", f"[parts.{name}.weights]"]
        lines += [f"{feature} = [{first:.4f}, {last:.4f}]" for feature, (first, last) in part.weights.items()]
    return "\n".join(lines) + "\n"


def flat(weights: Weights, features: Sequence[str] = FEATURES) -> Floats:
    """As kernels read them."""
    pairs = [weights.get(feature, (0.0, 0.0)) for feature in features]
    return floats([first for first, _ in pairs] + [last for _, last in pairs])


def weights_for(key: str, part: str, site: Site) -> Weights:
    """The weights for a part of a game; those for the whole game, or a first guess, where it has none.

    What counts for nothing in this part is left out, and what no other part counts is guessed.
    """
    parts, rough = read(key).parts, guess(site)
    found = parts.get(part) or parts.get("all")
    return {name: found.weights.get(name, pair) for name, pair in rough.items()} if found else rough


def guess(site: Site) -> Weights:
    """Before any tuning: the points of the lines, and a rough idea of what may come."""
    if isinstance(site, Material):
        return DRAFTING
    law, rough = site.ground.law, Weights()
    for line in LINES:
        points = float(law[POINTS + FEATURES.index(line)])
        if points:
            rough[line] = (0.5 * points, points)
    for at, weights in WHERE_LAW.items():
        rough |= weights if law[at] else {}
    for line, weights in WHERE_COUNTED.items():
        rough |= weights if line in rough else {}
    return rough | ROUGHLY


WHERE_LAW: dict[int, Weights] = {
    RACE: {"race": (3.0, 3.0), "covered": (0.3, 0.3)},
    FOREST: {"forest": (3.0, 3.0), "felled": (0.3, 0.3)},
    INVESTOR: {"gained": (1.0, 1.0), "beside": (0.1, 0.0)},
    STATION: {"gained": (1.0, 1.0)},
    PARKS: {"hedges": (0.3, 0.1)},
}
WHERE_COUNTED: dict[str, Weights] = {
    "wells": {"sides": (0.5, 0.2)},
    "churches": {"steeples": (0.8, 0.3)},
    "bandits": {"threats": (-0.5, -0.5)},
    "groups": {"parts": (0.0, 0.0), "openings": (0.05, 0.0)},
    "factories": {"works": (0.6, 0.3)},
    "port": {"links": (1.0, 0.5)},
}

ROUGHLY: Weights = {
    "passes": (1.0, 1.0), "singles": (-0.7, -0.5), "twins": (0.0, 0.0), "ends": (-0.15, -0.1), "pairs": (0.1, 0.0),
    "blocks": (0.0, 0.0), "bars": (0.0, 0.0), "frontier": (0.0, 0.0), "going": (15.0, 2.0),
}  # fmt: skip

DRAFTING: Weights = {
    "points": (1.0, 1.0), "tokens": (1.0, 1.0), "near": (0.4, 0.2), "ones": (2.0, 0.0), "twos": (1.2, 0.0),
    "fulls": (0.7, 0.0), "permanents": (4.0, 0.5), "types": (1.0, 0.0), "pairs": (0.5, 0.0), "triples": (0.0, 0.0),
    "symbols": (0.7, 0.3), "plenty": (0.3, 0.1), "kinds": (0.3, 0.0), "doubles": (-0.1, 0.0), "jokers": (1.5, 0.6),
    "reach": (0.4, 0.3), "second": (0.2, 0.1), "threat": (-0.1, -0.2), "houses": (0.0, 0.0), "drawn": (0.8, 0.4),
    "flip": (-0.3, -0.3), "hidden": (0.3, 0.3),
}  # fmt: skip
