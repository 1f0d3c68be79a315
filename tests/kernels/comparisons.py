"""What tests of both kernels share: the same legal sets as the rules, the same numbers in plain Python."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from polyopolis.kernels.runtime.jit import FAST, PLAIN, Way

both_ways = pytest.mark.skipif(not FAST, reason="numba is not installed, so there is only one way to run")


def assert_same_choices(legal: Sequence[Any], allowed: Iterable[Any]) -> None:
    """What a kernel offers is what the rules allow, each once."""
    assert len(legal) == len(set(legal))
    assert set(legal) == set(allowed)


HOST = Path(__file__).parent / "host"
WAYS: dict[Way, dict[str, str]] = {
    "native": {PLAIN: "0"},
    "plain": {PLAIN: "1"},
    "wasm": {PLAIN: "0", "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(HOST)]))},
}
"""By the environment in which a process is born."""


def printed(code: str, way: Way) -> str:
    """What code prints in a process of its own that runs kernels this way."""
    run = [sys.executable, "-c", code]
    return subprocess.run(run, env={**os.environ, **WAYS[way]}, capture_output=True, check=True, text=True).stdout


def assert_same_both_ways(code: str) -> None:
    plainly = printed(code, "plain")
    assert plainly.strip()
    assert plainly == printed(code, "native")
