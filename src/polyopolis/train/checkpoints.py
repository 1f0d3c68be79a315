"""What lies in the folders of a training: of what was prepared, of a net, and of patterns."""

import os
from pathlib import Path

PLAN, CODE, SEEN = "plan.npz", "cities.ptx", "seen.txt"
KINDS = "deep", "slim"
"""Of nets."""
WEIGHTS, STATE, REPORT = "weights.pt", "state.pt", "report.json"
MEMORY = "memory.bin"
"""Of patterns, beside their report."""
CURVE_SEED, LAST_SEED = 1234, 777
"""Luck of the games by which is measured what was learnt, on the way and in the end: nothing learns from them."""


def keep(path: Path, content: bytes) -> None:
    """As a whole or not at all, whenever it is broken off."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    os.replace(fresh, path)
