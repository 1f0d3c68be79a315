"""What a card is given: made here, without one."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from polyopolis.kernels import FAST

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FAST, reason="numba is not installed, so there is nothing to translate"),
]


def test_a_function_becomes_a_kernel_of_ptx(tmp_path: Path) -> None:
    """The shortest of both programs: all of it is inside, and it takes an address and a length for each array."""
    command = [sys.executable, "-m", "polyopolis.lab.gpu.ptx_compiler", str(tmp_path), "--only", "choose"]
    subprocess.run(command, check=True)
    for program, arrays in (("cities", 5), ("drafts", 3)):
        text = (tmp_path / f"{program}.ptx").read_text()
        assert re.search(r"^\.target sm_75", text, re.MULTILINE)
        assert re.findall(r"\.entry (\w+)\(", text) == ["choose"]
        assert text.count(".param .u64 choose_param") + text.count(".param .u64 .ptr") >= 1 + 2 * arrays
        assert ".extern" not in text
        assert "popc.b64" in text
