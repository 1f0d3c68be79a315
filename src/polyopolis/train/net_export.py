"""A slim net as a file that ships: whole numbers in the first layer, as a kernel adds them up."""

import json
from pathlib import Path
from typing import Any

import torch

from polyopolis.bots.net_files import BITS, Provenance, packed
from polyopolis.kernels.placing.net_inference import INNER, PACKED, WIDE
from polyopolis.train.checkpoints import REPORT
from polyopolis.train.net_models import SCALE
from polyopolis.train.net_training import read

FINE = 256
"""Steps of a whole number in the first layer: a sum of up to 128 fits into its place, and the largest seen is 97."""


def written(folder: Path, out: Path, game: str) -> int:
    """How many bytes it has. The layers behind take whole numbers of the first one and give points."""
    weights = read(folder, torch.device("cpu"))
    first = (weights["first.weight"].T * FINE).round().to(torch.int64)
    bias = (weights["first.bias"] * FINE).round().to(torch.int64)
    if first.shape != (BITS, WIDE) or weights["second.weight"].shape != (INNER, WIDE):
        raise ValueError(f"{folder} holds no slim net for these kernels")
    rows = {BITS: words_of(bias.tolist())}
    for bit in (first != 0).any(1).nonzero().squeeze(1).tolist():
        rows[bit] = words_of(first[bit].tolist())
    layers = [
        *weights["second.bias"].tolist(),
        *(weights["second.weight"].T / FINE).flatten().tolist(),
        *(weights["out.weight"][0] * SCALE).tolist(),
        float(weights["out.bias"][0] * SCALE),
    ]
    report = json.loads((folder / REPORT).read_text())
    file = packed(Provenance(game, figures(report), report["device"], courses(folder)), rows, layers)
    out.write_bytes(file)
    return len(file)


def words_of(lanes: list[int]) -> list[int]:
    """Four whole numbers in a word, which may be below nothing: so sums of words are words of sums."""
    fours = [lanes[4 * word : 4 * word + 4] for word in range(PACKED)]
    return [sum(lane << 16 * place for place, lane in enumerate(four)) % 2**64 for four in fours]


def figures(report: dict[str, Any]) -> str:
    last = report["curve"][-1]
    return f"{last['score']:.2f} ± {last['within']:.2f} at sight over {last['decks']:,} decks, one city alone"


def courses(folder: Path) -> list[dict[str, Any]]:
    """Of what it began with and of its teacher, too."""
    report = json.loads((folder / REPORT).read_text())
    course = report["course"]
    named = {key: Path(course[key]).name for key in ("teacher", "begun_with")}
    before = [folder.parent / name for name in named.values() if name]
    told = {**course, **named, "seconds": report["seconds"], "played": report["games"], "steps": report["steps"]}
    return [each for earlier in before for each in courses(earlier)] + [told]
