"""Runs the code of a notebook from its first cell to its last, without Jupyter, as `make soak` does:

python -m tests.notebook examples/learn-from-games.ipynb --folder out/notebook
"""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any


def cells(path: Path) -> list[str]:
    """The code of a notebook."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return ["".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "code"]


def run(path: Path, folder: Path, **instead: Any) -> dict[str, Any]:
    """In a folder, where its files are or will be; constants of its first cell may be others. All names that it has
    then."""
    codes = cells(path)
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ |= {
        "MPLBACKEND": "agg",
        "OPENBLAS_NUM_THREADS": "1",
    }  # nobody looks on, and one core is what is promised
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in enumerate(codes, start=1):
        exec(compile(code, f"{path.name}, cell {number}", "exec"), names)
        if number == 1:
            names |= instead
    return names


if __name__ == "__main__":
    parser = ArgumentParser(description="Runs the code of a notebook.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("out/notebook"), help="where it runs")
    asked = parser.parse_args()
    leads = run(asked.notebook, asked.folder)["leads"]
    assert leads.mean > leads.margin, "it has learnt less than usual"
