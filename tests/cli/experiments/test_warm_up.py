"""`warm-up`."""

import pytest

from polyopolis.kernels import FAST
from tests.cli.conftest import Run


@pytest.mark.parametrize("options", [(), ("--lab",)], ids=["bots", "bots and lab"])
def test_warming_up_prints_how_long_it_took(options: tuple[str, ...], run: Run) -> None:
    result = run("warm-up", *options)
    assert result.code == 0
    assert ("ready in" if FAST else "plain Python") in result.out
