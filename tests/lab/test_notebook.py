"""The example notebook runs from its first to its last cell on little data."""

import warnings
from pathlib import Path

import pytest

from polyopolis.kernels import FAST
from tools.run_notebook import run

for needed in ("matplotlib", "pyarrow"):
    pytest.importorskip(needed, reason=f"{needed} is not installed, so the notebook is left out")

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.mark.slow
@pytest.mark.skipif(not FAST, reason="the notebook needs machine code, and numba is not installed")
def test_notebook_trains_a_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("MPLBACKEND", "OPENBLAS_NUM_THREADS"):
        monkeypatch.setenv(name, "1" if name.endswith("THREADS") else "agg")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "FigureCanvasAgg is non-interactive")
        names = run(EXAMPLES / "learn-from-games.ipynb", tmp_path, GAMES=4, TRIED=2, FUTURES=1, DECKS=2)
    assert (tmp_path / "games.parquet").exists()
    assert len(names["scores"]) == 8
    assert names["own"].shape == (2, 2)
    unseen = range(names["split"], len(names["ends"]))
    assert names["learned"](unseen)[0] < 1.8, "an untrained network has 2.1"
