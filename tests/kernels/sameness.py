"""What tests of both kernels share: the same legal sets as the rules, the same numbers in plain Python."""

import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import pytest

from polyopolis.kernels.compiled import FAST, PLAIN

both_ways = pytest.mark.skipif(not FAST, reason="numba is not installed, so there is only one way to run")


def assert_same_choices(legal: Sequence[Any], allowed: Iterable[Any]) -> None:
    """What a kernel offers is what the rules allow, each once."""
    assert len(legal) == len(set(legal))
    assert set(legal) == set(allowed)


def printed(code: str, plain: bool) -> str:
    """What code prints in a process of its own, in plain Python or in machine code."""
    environment = {**os.environ, PLAIN: str(int(plain))}
    run = [sys.executable, "-c", code]
    return subprocess.run(run, env=environment, capture_output=True, check=True, text=True).stdout


def assert_same_both_ways(code: str) -> None:
    plainly = printed(code, plain=True)
    assert plainly.strip()
    assert plainly == printed(code, plain=False)
