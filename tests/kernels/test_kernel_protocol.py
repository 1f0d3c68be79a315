"""What a sign names as the kernel of its game is one."""

import pytest

from polyopolis.games import BUILTIN_SPECS, GAME_SPECS
from polyopolis.kernels import NoKernel, mycity, pointcity, rollwrite
from polyopolis.kernels.positions import Kernel, kernel_of, needed
from tests.cli.test_commands import members

SEARCHED = [key for key, sign in GAME_SPECS.items() if sign.kernel]


@pytest.mark.parametrize("key", SEARCHED)
def test_a_kernel_has_all_that_is_asked_of_it(key: str) -> None:
    assert {"FEATURES", "knows", "position_of"} <= members(Kernel) <= set(dir(needed(key)))


def test_the_kernels_of_the_house_are_checked_by_their_types() -> None:
    """What a sign names as text no type checker sees: here it does."""
    house: tuple[Kernel, ...] = (mycity, pointcity, rollwrite)
    assert [sign.kernel for sign in BUILTIN_SPECS] == [kernel.__name__ for kernel in house]  # type: ignore[attr-defined]


@pytest.mark.parametrize("key", GAME_SPECS.keys() - {*SEARCHED})
def test_a_game_without_a_kernel_says_so(key: str) -> None:
    assert kernel_of(key) is None
    with pytest.raises(NoKernel, match=f"there is no kernel for {key}"):
        needed(key)
