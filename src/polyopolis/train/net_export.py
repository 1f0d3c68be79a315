"""Exports a slim net as a shipped file, with the first layer in integers, as the kernel adds them."""

import json
from pathlib import Path
from typing import Any

import torch

from polyopolis.bots.net_files import INPUT_BITS, Provenance, pack_net
from polyopolis.kernels.placing.net_inference import FIRST_LAYER_SIZE, FIRST_LAYER_WORDS, SECOND_LAYER_SIZE
from polyopolis.train.checkpoints import REPORT_FILE
from polyopolis.train.net_models import POINTS_PER_UNIT
from polyopolis.train.net_training import load_weights

STEPS_PER_UNIT = 256
"""Fixed-point scale of the first layer. Sums up to 128 fit into 16 bits; the largest one seen is 97."""


def export_net(folder: Path, out: Path, game: str) -> int:
    """Writes the file and returns its size in bytes. The later layers convert the integers of the first to points."""
    weights = load_weights(folder, torch.device("cpu"))
    first = (weights["first.weight"].T * STEPS_PER_UNIT).round().to(torch.int64)
    bias = (weights["first.bias"] * STEPS_PER_UNIT).round().to(torch.int64)
    if first.shape != (INPUT_BITS, FIRST_LAYER_SIZE) or weights["second.weight"].shape != (
        SECOND_LAYER_SIZE,
        FIRST_LAYER_SIZE,
    ):
        raise ValueError(f"{folder} contains no slim net for these kernels")
    rows = {INPUT_BITS: words_of(bias.tolist())}
    for bit in (first != 0).any(1).nonzero().squeeze(1).tolist():
        rows[bit] = words_of(first[bit].tolist())
    layers = [
        *weights["second.bias"].tolist(),
        *(weights["second.weight"].T / STEPS_PER_UNIT).flatten().tolist(),
        *(weights["out.weight"][0] * POINTS_PER_UNIT).tolist(),
        float(weights["out.bias"][0] * POINTS_PER_UNIT),
    ]
    report = json.loads((folder / REPORT_FILE).read_text())
    file = pack_net(Provenance(game, figures(report), report["device"], courses(folder)), rows, layers)
    out.write_bytes(file)
    return len(file)


def words_of(lanes: list[int]) -> list[int]:
    """Packs four signed 16-bit integers into each word, so that adding words adds the integers."""
    fours = [lanes[4 * word : 4 * word + 4] for word in range(FIRST_LAYER_WORDS)]
    return [sum(lane << 16 * place for place, lane in enumerate(four)) % 2**64 for four in fours]


def figures(report: dict[str, Any]) -> str:
    last = report["curve"][-1]
    return f"{last['score']:.2f} ± {last['within']:.2f} without search over {last['decks']:,} decks, one city alone"


def courses(folder: Path) -> list[dict[str, Any]]:
    """Courses of the net, preceded by those of its initial weights and of its teacher."""
    report = json.loads((folder / REPORT_FILE).read_text())
    course = report["course"]
    named = {key: Path(course[key]).name for key in ("teacher", "begun_with")}
    before = [folder.parent / name for name in named.values() if name]
    own = {**course, **named, "seconds": report["seconds"], "played": report["games"], "steps": report["steps"]}
    return [each for earlier in before for each in courses(earlier)] + [own]
