"""PTX compilation, which needs no GPU."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from polyopolis.kernels import FAST

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not FAST, reason="numba is not installed, so PTX cannot be compiled"),
]


def test_function_is_compiled_to_a_ptx_kernel(tmp_path: Path) -> None:
    """The shortest function of both programs: self-contained, with address and length per array."""
    command = [sys.executable, "-m", "polyopolis.lab.gpu.ptx_compiler", str(tmp_path), "--only", "choose"]
    subprocess.run(command, check=True)
    for program, arrays in (("cities", 5), ("drafts", 3)):
        text = (tmp_path / f"{program}.ptx").read_text()
        assert re.search(r"^\.target sm_75", text, re.MULTILINE)
        assert re.findall(r"\.entry (\w+)\(", text) == ["choose"]
        assert text.count(".param .u64 choose_param") + text.count(".param .u64 .ptr") >= 1 + 2 * arrays
        assert ".extern" not in text
        assert "popc.b64" in text
