"""Comparisons of kernels with the rules and between backends."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

from polyopolis.kernels.runtime.jit import FAST, PLAIN_ENV_VAR, Backend

needs_numba = pytest.mark.skipif(not FAST, reason="numba is not installed")


def assert_same_choices(legal: Sequence[Any], allowed: Iterable[Any]) -> None:
    """Asserts that a kernel offers exactly the legal actions, each once."""
    assert len(legal) == len(set(legal))
    assert set(legal) == set(allowed)


HOST = Path(__file__).parent / "host"
BACKENDS: dict[Backend, dict[str, str]] = {
    "native": {PLAIN_ENV_VAR: "0"},
    "plain": {PLAIN_ENV_VAR: "1"},
    "wasm": {
        PLAIN_ENV_VAR: "0",
        "PYTHONPATH": os.pathsep.join(filter(None, [os.environ.get("PYTHONPATH"), str(HOST)])),
    },
}
"""Environment variables of a process by backend."""


def printed(code: str, way: Backend) -> str:
    """Returns the output of code that runs in a new process with this backend."""
    run = [sys.executable, "-c", code]
    return subprocess.run(run, env={**os.environ, **BACKENDS[way]}, capture_output=True, check=True, text=True).stdout


def assert_same_in_plain_python(code: str) -> None:
    plainly = printed(code, "plain")
    assert plainly.strip()
    assert plainly == printed(code, "native")
