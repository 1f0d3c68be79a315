"""The kernels that game specs name."""

import pytest

from polyopolis.games import BUILTIN_SPECS, GAME_SPECS
from polyopolis.kernels import NoKernel, mycity, pointcity, rollwrite
from polyopolis.kernels.positions import Kernel, find_kernel, require_kernel
from tests.cli.test_commands import members

SEARCHED = [key for key, spec in GAME_SPECS.items() if spec.kernel]


@pytest.mark.parametrize("key", SEARCHED)
def test_kernel_implements_the_protocol(key: str) -> None:
    assert {"FEATURES", "supports", "position_of"} <= members(Kernel) <= set(dir(require_kernel(key)))


def test_built_in_kernels_have_the_protocol_type() -> None:
    """Specs name kernels as text, which type checkers do not see."""
    built_in: tuple[Kernel, ...] = (mycity, pointcity, rollwrite)
    assert [spec.kernel for spec in BUILTIN_SPECS] == [kernel.__name__ for kernel in built_in]  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", GAME_SPECS.keys() - {*SEARCHED})
def test_game_without_kernel_is_refused(key: str) -> None:
    assert find_kernel(key) is None
    with pytest.raises(NoKernel, match=f"{key} has no kernel"):
        require_kernel(key)
