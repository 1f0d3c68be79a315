"""Shifts and counts on masks of two words."""

from polyopolis.kernels.placing.layout import ONE, TOP_BIT
from polyopolis.kernels.runtime.jit import ALL_BITS, jit, popcount


@jit
def shift_down(low: int, high: int, shift: int) -> tuple[int, int]:
    """Shifts a mask towards the first cell."""
    return low >> shift | ((high << ONE) & ALL_BITS) << (TOP_BIT - shift) & ALL_BITS, high >> shift


@jit
def shift_up(low: int, high: int, shift: int) -> tuple[int, int]:
    """Shifts a mask towards the last cell."""
    return low << shift & ALL_BITS, (high << shift | (low >> ONE) >> (TOP_BIT - shift)) & ALL_BITS


@jit
def popcount_pair(low: int, high: int) -> int:
    return popcount(low) + popcount(high)
