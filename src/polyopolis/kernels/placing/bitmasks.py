"""Masks of two machine words: moved, and counted."""

from polyopolis.kernels.placing.layout import LAST, ONE
from polyopolis.kernels.runtime.jit import FULL, jit, ones


@jit
def shifted(low: int, high: int, shift: int) -> tuple[int, int]:
    """Towards the first cell."""
    return low >> shift | ((high << ONE) & FULL) << (LAST - shift) & FULL, high >> shift


@jit
def raised(low: int, high: int, shift: int) -> tuple[int, int]:
    """Towards the last cell."""
    return low << shift & FULL, (high << shift | (low >> ONE) >> (LAST - shift)) & FULL


@jit
def pair(low: int, high: int) -> int:
    return ones(low) + ones(high)
