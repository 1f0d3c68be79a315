"""Runs the code cells of a notebook in order, without Jupyter, as `make soak` does:

python -m tools.run_notebook examples/learn-from-games.ipynb --folder out/notebook
"""

import json
import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any


def cells(path: Path) -> list[str]:
    """Returns the source of each code cell."""
    found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return ["".join(cell["source"]) for cell in found["cells"] if cell["cell_type"] == "code"]


def run(path: Path, folder: Path, **instead: Any) -> dict[str, Any]:
    """Runs a notebook in a folder, which has its input and output files, and returns its global names.

    `instead` replaces constants of the first cell.
    """
    codes = cells(path)
    folder.mkdir(parents=True, exist_ok=True)
    os.chdir(folder)
    os.environ |= {
        "MPLBACKEND": "agg",
        "OPENBLAS_NUM_THREADS": "1",
    }  # no display, and one core, as the notebook promises
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, code in enumerate(codes, start=1):
        exec(compile(code, f"{path.name}, cell {number}", "exec"), names)
        if number == 1:
            names |= instead
    return names


if __name__ == "__main__":
    parser = ArgumentParser(description="Run the code of a notebook.")
    parser.add_argument("notebook", type=Path)
    parser.add_argument("--folder", type=Path, default=Path("out/notebook"), help="working folder of the notebook")
    asked = parser.parse_args()
    leads = run(asked.notebook, asked.folder)["leads"]
    assert leads.mean > leads.margin, "the network does not surely beat level 2"
