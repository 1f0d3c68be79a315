"""File names of training folders, seeds of measurements, and atomic writes."""

import os
from pathlib import Path

PLAN_FILE, CODE_FILE, FINGERPRINT_FILE = "plan.npz", "cities.ptx", "seen.txt"
NET_KINDS = "deep", "slim"
"""Kinds of nets."""
WEIGHTS_FILE, STATE_FILE, REPORT_FILE = "weights.pt", "state.pt", "report.json"
PATTERNS_FILE = "memory.bin"
"""Checkpoint of patterns, next to their report."""
CURVE_SEED, FINAL_SEED = 1234, 777
"""Seeds of the games that measure a course, during training and at the end. They are not used for training."""


def write_atomically(path: Path, content: bytes) -> None:
    """Writes a file atomically: an interrupted write leaves the old file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(content)
    os.replace(fresh, path)
