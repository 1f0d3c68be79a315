"""Whole games in machine code, proved equal to the rules. Without numba the same runs, slowly, in plain Python."""

from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.runtime.jit import FAST, NOTICE

__all__ = ["FAST", "NOTICE", "NoKernel"]
