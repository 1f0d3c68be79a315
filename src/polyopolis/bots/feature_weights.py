"""Tuned feature weights (`weights/`): each feature has a weight for the start and one for the end of a game."""

import tomllib
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from polyopolis.engine import PolyopolisError
from polyopolis.kernels.draft_arrays import DraftSite
from polyopolis.kernels.placing.layout import (
    FEATURES,
    FOREST_POINTS,
    HAS_PARKS,
    INVESTOR_POINTS,
    LINE_POINTS,
    RACE_POINTS,
    SCORE_LINES,
    TRACK_POINTS,
)
from polyopolis.kernels.positions import Site, features_of
from polyopolis.kernels.runtime.jit import Floats, floats

Weights = dict[str, tuple[float, float]]
"""By feature: the weights at the start and at the end of a game. A missing feature has weight 0."""


class BadWeights(PolyopolisError):
    """Invalid weights file."""


class PartWeights(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Weights of one part of a game: an episode, or the whole game (`all`)."""

    command: str
    """Command that produced them."""
    figures: str
    """Their measured score, on luck that was not used for tuning."""
    weights: Weights


class WeightsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    parts: dict[str, PartWeights]


def weights_folder() -> Path:
    return Path(str(files("polyopolis.bots"))) / "weights"


@cache
def read_weights(key: str) -> WeightsFile:
    """Reads the weights of a game; empty if it has no file. Raises `BadWeights` if the file is invalid."""
    path = weights_folder() / f"{key}.toml"
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


def format_weights(parts: dict[str, PartWeights]) -> str:
    """Text of a weights file."""
    lines = ["# Weight of each feature at the start and at the end of a game."]
    for name, part in sorted(parts.items()):
        lines += ["", f"[parts.{name}]", f'command = "{part.command}"', f'figures = "{part.figures}"']
        lines += ["", f"[parts.{name}.weights]"]
        lines += [f"{feature} = [{first:.4f}, {last:.4f}]" for feature, (first, last) in part.weights.items()]
    return "\n".join(lines) + "\n"


def flat_weights(weights: Weights, features: Sequence[str] = FEATURES) -> Floats:
    """The weights as kernels read them: all start weights, then all end weights."""
    pairs = [weights.get(feature, (0.0, 0.0)) for feature in features]
    return floats([first for first, _ in pairs] + [last for _, last in pairs])


def weights_for(key: str, part: str, site: Site) -> Weights:
    """Weights of a part of a game. Falls back to the weights of the whole game, then to `default_weights`.

    Contains exactly the features that count in this part; missing ones get their default weight.
    """
    parts, rough = read_weights(key).parts, default_weights(site)
    found = parts.get(part) or parts.get("all")
    return {name: found.weights.get(name, pair) for name, pair in rough.items()} if found else rough


def default_weights(site: Site) -> Weights:
    """Weights before tuning: the points of each line of the score sheet, and rough values of the other features."""
    if isinstance(site, DraftSite):
        return DRAFTING_WEIGHTS
    law, rough = site.arrays.law, Weights()
    for line in SCORE_LINES:
        points = float(law[LINE_POINTS + FEATURES.index(line)])
        if points:
            rough[line] = (0.5 * points, points)
    for at, weights in WEIGHTS_BY_RULE.items():
        rough |= weights if law[at] else {}
    for line, weights in WEIGHTS_BY_LINE.items():
        rough |= weights if line in rough else {}
    return rough | COMMON_WEIGHTS


WEIGHTS_BY_RULE: dict[int, Weights] = {
    RACE_POINTS: {"race": (3.0, 3.0), "covered": (0.3, 0.3)},
    FOREST_POINTS: {"forest": (3.0, 3.0), "felled": (0.3, 0.3)},
    INVESTOR_POINTS: {"gained": (1.0, 1.0), "beside": (0.1, 0.0)},
    TRACK_POINTS: {"gained": (1.0, 1.0)},
    HAS_PARKS: {"hedges": (0.3, 0.1)},
}
WEIGHTS_BY_LINE: dict[str, Weights] = {
    "wells": {"sides": (0.5, 0.2)},
    "churches": {"steeples": (0.8, 0.3)},
    "bandits": {"threats": (-0.5, -0.5)},
    "groups": {"parts": (0.0, 0.0), "openings": (0.05, 0.0)},
    "factories": {"works": (0.6, 0.3)},
    "port": {"links": (1.0, 0.5)},
}

COMMON_WEIGHTS: Weights = {
    "passes": (1.0, 1.0), "singles": (-0.7, -0.5), "twins": (0.0, 0.0), "ends": (-0.15, -0.1), "pairs": (0.1, 0.0),
    "blocks": (0.0, 0.0), "bars": (0.0, 0.0), "frontier": (0.0, 0.0), "going": (15.0, 2.0),
}  # fmt: skip

DRAFTING_WEIGHTS: Weights = {
    "points": (1.0, 1.0), "tokens": (1.0, 1.0), "near": (0.4, 0.2), "ones": (2.0, 0.0), "twos": (1.2, 0.0),
    "fulls": (0.7, 0.0), "permanents": (4.0, 0.5), "types": (1.0, 0.0), "pairs": (0.5, 0.0), "triples": (0.0, 0.0),
    "symbols": (0.7, 0.3), "plenty": (0.3, 0.1), "kinds": (0.3, 0.0), "doubles": (-0.1, 0.0), "jokers": (1.5, 0.6),
    "reach": (0.4, 0.3), "second": (0.2, 0.1), "threat": (-0.1, -0.2), "houses": (0.0, 0.0), "drawn": (0.8, 0.4),
    "flip": (-0.3, -0.3), "hidden": (0.3, 0.3),
}  # fmt: skip
