"""Compiled search kernels, proved equal to the rules. Without numba the same functions run in plain Python, slowly."""

from polyopolis.kernels.city_arrays import NoKernel
from polyopolis.kernels.runtime.jit import FAST, NOTICE

__all__ = ["FAST", "NOTICE", "NoKernel"]
