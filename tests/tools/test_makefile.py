"""`make help` lists every target, and the suites of the targets exist."""

import re
import subprocess
from pathlib import Path

from tools.run_suite import suite_of

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text("utf-8").replace("\\\n", " ")


def test_help_describes_every_target() -> None:
    (phony,) = re.findall(r"^\.PHONY: (.+)$", MAKEFILE, re.MULTILINE)
    shown = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert sorted(re.findall(r"^  ([a-z-]+) +\S", shown, re.MULTILINE)) == sorted(phony.split())


def test_suites_of_the_targets_exist() -> None:
    suites = re.findall(r"\$\(SUITE\) ([a-z-]+)", MAKEFILE)
    assert {"check", "test", "soak"} <= set(suites)
    for suite in suites:
        assert suite_of(suite).stages
